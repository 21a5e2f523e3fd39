"""The work of benchmarks/ray_cluster.py: the same maps and rows, here or on a cluster."""

import time
from pathlib import Path

import torch

import seewhy
from seewhy.bench import Results, benchmark, runner
from seewhy.models.timm import TimmViT
from seewhy.store import MapStore, writer
from tiny_bench import VIT, same, tiny_config

METHODS = ["gradient", "rollout"]
runner.FLUSH_INTERVAL = writer.FLUSH_INTERVAL = 0.0  # so that kills fall between many parts


class SlowViT(TimmViT):
    """Takes long enough to be killed."""

    def forward(self, normalized):
        time.sleep(0.05)
        return super().forward(normalized)


def run(kind: str, folder: Path, out: Path, address: str | None) -> None:
    """Explain or score all images, in this process or on the cluster at the address."""
    torch.set_num_threads(1)
    if kind == "bench":
        few = {"methods": METHODS, "metrics": ["deletion"], "examples": 0}
        benchmark(tiny_config(folder, out, **few), workers=1 if address is None else 3, ray=address)
        return
    torch.manual_seed(0)
    model = seewhy.load_model("timm/test_vit", weights="random", **VIT)
    if address is not None:
        model.__class__ = SlowViT
    seewhy.explain_dataset(
        model, folder, METHODS, store=out, batch_size=2, workers=1 if address is None else 3, ray=address
    )


def compare(kind: str, expected: Path, found: Path) -> str:
    """What was compared; raises if anything is missing, doubled, failed or different."""
    if kind == "bench":
        tables = [Results(folder).rows for folder in (expected, found)]
        assert same(*tables), "rows differ"
        assert not Results(found).failures(), "there are failure rows"
        return f"{len(tables[0]):,} rows equal, no failure"
    stores = [MapStore(folder) for folder in (expected, found)]
    keys = [sorted(store.index["key"].to_pylist()) for store in stores]
    assert keys[0] == keys[1], "other maps"
    assert len(set(keys[0])) == len(keys[0]), "a map is doubled"
    assert stores[1].failures == [], "there are failure rows"
    assert stores[1].verify() == [], "a shard is damaged"
    largest = 0.0
    for method in METHODS:
        maps = [store.explanation(stores[0].images, method=method).maps for store in stores]
        torch.testing.assert_close(*maps, rtol=1e-5, atol=1e-6)
        largest = max(largest, float((maps[0] - maps[1]).abs().max()))
    return f"{len(keys[0]):,} maps equal (largest difference {largest:.1e}), no failure"
