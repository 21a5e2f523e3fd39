"""Run benchmarks for some minutes and keep what they measured, so that long tables grow from session to session.

    SEEWHY_DATA=… python benchmarks/grow.py --minutes 60 mda_table2 caap_cutoff

The named configurations take turns, `--images` more at a time, up to the limit of each. Rows are kept in
`rows/NAME.parquet`, from which a run resumes on another machine; `data/NAME.csv` has their scores (`tables.py`).
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import tables

import seewhy
from seewhy.bench import BenchConfig
from seewhy.bench.store import SCHEMAS, Store

ROOT = Path(__file__).parent


def grow(names: Sequence[str], step: int, end: float) -> None:
    """Run configurations in turn on more and more images, until their limits or the end of the time."""
    growing = [runs(name, step) for name in names]
    while growing:
        for each in list(growing):
            if time.monotonic() > end:
                return
            line = next(each, None)
            if line is None:
                growing.remove(each)
            else:
                print(line, flush=True)


def runs(name: str, step: int) -> Iterator[str]:
    """Run a configuration on `step` images more at a time; after each run, a line that says what there is."""
    config = BenchConfig.from_toml(ROOT / f"{name}.toml")
    config = replace(config, out=str(ROOT / "results" / name), examples=0)
    restore(name, Path(config.out))
    for limit in limits(config, step):
        data = tuple(replace(each, limit=limit) for each in config.data)
        seewhy.benchmark(replace(config, data=data))
        keep(name, Path(config.out))
        yield f"{name}: {limit} images, {len(tables.rows_of(tables.collect(name).stem)):,} lines"


def limits(config: BenchConfig, step: int) -> Iterator[int]:
    """Numbers of images, from `step` to the limit of the configuration."""
    last = max(each.limit or 0 for each in config.data)
    yield from range(step, last, step)
    yield last


def restore(name: str, out: Path) -> None:
    """Begin a new folder of results with the rows that were kept."""
    kept = ROOT / "rows" / f"{name}.parquet"
    store = Store(out)
    if kept.is_file() and not store.done():
        with store.locked():
            store.write(pq.read_table(kept).to_pylist(), [])


def keep(name: str, out: Path) -> None:
    """Copy the rows of a folder of results to one small file."""
    parts = [pq.read_table(part, schema=SCHEMAS["rows"]) for part in sorted((out / "parts" / "rows").glob("*.parquet"))]
    (ROOT / "rows").mkdir(exist_ok=True)
    pq.write_table(pa.concat_tables(parts).unify_dictionaries(), ROOT / "rows" / f"{name}.parquet", compression="zstd")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", help="configurations, without .toml")
    parser.add_argument("--minutes", type=float, default=60, help="no run starts after this time")
    parser.add_argument("--images", type=int, default=10, help="images more at a time")
    arguments = parser.parse_args()
    grow(arguments.names, arguments.images, time.monotonic() + 60 * arguments.minutes)


if __name__ == "__main__":
    main()
