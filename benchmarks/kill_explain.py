"""Kill `seewhy explain --store` ten times with kill -9: maps and rows equal those of an undisturbed run.

    python benchmarks/kill_explain.py PHOTOS --images 800 --kills 10 --out benchmarks/data/kill_explain.csv

Each run is killed at a random moment after it has begun to write; after every kill the store must open and verify.
Ends with an error unless all maps are there once, without failures, and equal those of a run that nobody killed.
"""

import argparse
import csv
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch

from seewhy import MapStore
from seewhy.data.decode import images_below


def start(files: list[str], store: Path, options: list[str]) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "seewhy", "explain", *files, "--store", str(store), *options]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def maps_in(store: Path) -> int:
    return len(MapStore(store)) if (store / "format.json").exists() else 0


def kill_once(process: "subprocess.Popen[bytes]", store: Path, chance: random.Random) -> bool:
    """Kill a run some seconds after it has written more; False if it ended before."""
    before = maps_in(store)
    while process.poll() is None and maps_in(store) == before:
        time.sleep(0.1)
    end = time.monotonic() + chance.uniform(0, 2)
    while process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    if process.poll() is not None:
        return False
    process.send_signal(signal.SIGKILL)
    process.wait()
    return True


def compare(expected: MapStore, found: MapStore) -> float:
    """The largest difference of two stores' maps; raises unless they hold the same ones, each once."""
    keys = [sorted(store.index["key"].to_pylist()) for store in (expected, found)]
    assert keys[0] == keys[1], "other maps"
    assert len(set(keys[1])) == len(keys[1]), "a map is doubled"
    assert found.failures == [], "there are failure rows"
    assert found.verify() == [], "a shard is damaged"
    maps = [store.explanation(expected.images).maps for store in (expected, found)]
    torch.testing.assert_close(*maps, rtol=1e-5, atol=1e-5)
    return float((maps[0] - maps[1]).abs().max())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("photos", type=Path)
    parser.add_argument("--images", type=int, default=800)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--model", default="seewhy/efficientnet-lite0")
    parser.add_argument("--method", default="grad_cam")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    files = [str(path) for path in images_below(options.photos)[: options.images]]
    settings = ["--model", options.model, "--method", options.method]
    chance, written, damaged = random.Random(options.seed), [], 0
    with tempfile.TemporaryDirectory() as place:
        here, killed = Path(place) / "undisturbed", Path(place) / "killed"
        if start(files, here, settings).wait():
            raise SystemExit("the undisturbed run failed")
        while len(written) < options.kills:
            if not kill_once(start(files, killed, settings), killed, chance):
                raise SystemExit(f"all was done after {len(written)} kills: give more --images")
            problems = MapStore(killed).verify()
            damaged += len(problems)
            written.append(maps_in(killed))
            print(f"kill {len(written)}: {written[-1]} maps, damaged: {problems or 'none'}", flush=True)
        if start(files, killed, settings).wait():
            raise SystemExit("the last run failed")
        maps, largest = len(MapStore(killed)), compare(MapStore(here), MapStore(killed))
    row = {
        "model": options.model,
        "method": options.method,
        "images": len(files),
        "kills": len(written),
        "maps after each kill": " ".join(map(str, written)),
        "damaged shards": damaged,
        "maps at the end, each once": maps,
        "largest difference to a run without kills": f"{largest:.1e}",
    }
    for name, value in row.items():
        print(f"{name}: {value}")
    if options.out:
        with options.out.open("w", newline="") as file:
            writer = csv.DictWriter(file, row, lineterminator="\n")
            writer.writeheader()
            writer.writerow(row)


if __name__ == "__main__":
    main()
