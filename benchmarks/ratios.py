"""Ratios of times: medians of paired rounds with their range, kept in data files for the tables of README.md."""

import csv
import statistics
from collections.abc import Sequence
from pathlib import Path

DATA = Path(__file__).parent / "data"
KEYS = ("model", "measurement", "threads")


def record(name: str, model: str, threads: int, ratios: dict[str, Sequence[float]], limits: dict[str, float]) -> None:
    """Print the median and range of every ratio, and replace its line in `data/NAME.csv`."""
    file, lines = DATA / f"{name}.csv", {}
    if file.exists():
        with file.open(newline="") as text:
            lines = {tuple(row[key] for key in KEYS): row for row in csv.DictReader(text)}
    for measurement, values in ratios.items():
        median, low, high = statistics.median(values), min(values), max(values)
        limit = f"{limits[measurement]:.2f}" if measurement in limits else ""
        print(f"{measurement:40} {median:.3f} ({low:.3f} to {high:.3f}, {len(values)} rounds)  limit {limit or '–'}")
        numbers = {"median": f"{median:.3f}", "low": f"{low:.3f}", "high": f"{high:.3f}", "rounds": len(values)}
        key = {"model": model, "measurement": measurement, "threads": str(threads)}
        lines[tuple(key.values())] = key | numbers | {"limit": limit}
    with file.open("w", newline="") as text:
        writer = csv.DictWriter(text, [*KEYS, "median", "low", "high", "rounds", "limit"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines[key] for key in sorted(lines))
