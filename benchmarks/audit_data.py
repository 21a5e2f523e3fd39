"""What programs of audits share: data sets whose images are drawn once, and data files with a row per result."""

import csv
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torch import Tensor

from seewhy.data.items import Dataset, Item, Sample, Subset, image_key
from seewhy.models.preprocess import Preprocess
from seewhy.store.reading import stamp_of

DATA = Path(__file__).parent / "data"


@dataclass(eq=False)
class KeptItem:
    """An item that is read once; drawing a scene takes longer than a forward pass."""

    item: Item
    samples: dict[Preprocess, Sample] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.item.name

    @property
    def labels(self) -> tuple[int, ...]:
        return self.item.labels

    def key(self) -> str:
        return self.item.key()

    def image_key(self) -> str:
        return image_key(self.item)

    def stamp(self) -> str:
        return stamp_of(self.item)

    def read(self, preprocess: Preprocess) -> Sample:
        if preprocess not in self.samples:
            self.samples[preprocess] = self.item.read(preprocess)
        return self.samples[preprocess]

    def pixels(self, preprocess: Preprocess) -> Tensor:
        return self.read(preprocess).image


def keep(dataset: Dataset) -> Subset:
    """The same items, each read once."""
    return Subset([KeptItem(dataset[index]) for index in range(len(dataset))], tuple(range(len(dataset))))


def numbers(text: str) -> list[int]:
    """`0-2,5` as 0, 1, 2, 5."""
    parts = [part.partition("-") for part in text.split(",")]
    return [number for first, _, last in parts for number in range(int(first), int(last or first) + 1)]


def write_rows(name: str, out: Path) -> None:
    """`data/NAME.csv` from the JSON files of a folder, in the order of the numbers that their names begin with."""

    def order(path: Path) -> tuple[int, str]:
        first = path.name.partition("-")[0]
        return (int(first) if first.isdigit() else 0), path.name

    rows: list[dict[str, Any]] = [json.loads(path.read_text()) for path in sorted(out.glob("*.json"), key=order)]
    with (DATA / f"{name}.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
