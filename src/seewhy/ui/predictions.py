"""Predictions that outlive the page: an SQLite file, by image and by fingerprint of the model."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

TABLE = """create table if not exists predictions (
    image text, model text, class integer, confidence real, primary key (image, model)
) without rowid"""


class Predictions:
    """Class and confidence of the images that models have seen; several pages may share the file."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.connection = sqlite3.connect(path, timeout=20, check_same_thread=False)
        self.connection.execute("pragma journal_mode = wal")
        self.connection.execute("pragma synchronous = off")  # what is lost is predicted again
        self.connection.execute(TABLE)

    def load(self, model: str) -> dict[str, tuple[int, float]]:
        """Everything that is known about a model, by image."""
        rows = self.connection.execute("select image, class, confidence from predictions where model = ?", (model,))
        return {image: (index, confidence) for image, index, confidence in rows}

    def add(self, model: str, found: Iterable[tuple[str, int, float]]) -> None:
        """Image, class and confidence each."""
        with self.connection:
            self.connection.executemany(
                "insert or replace into predictions values (?, ?, ?, ?)",
                [(image, model, index, confidence) for image, index, confidence in found],
            )

    def close(self) -> None:
        self.connection.close()
