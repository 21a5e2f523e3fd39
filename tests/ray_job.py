"""The work of benchmarks/ray_cluster.py: the same maps, rows and findings, here or on a cluster."""

import time
from pathlib import Path

import pyarrow.parquet as pq
import torch

import seewhy
from red_mark import color_model, write_squares
from seewhy.audits.findings import load_findings
from seewhy.bench import Results, benchmark, runner
from seewhy.models.timm import TimmViT
from seewhy.store import MapStore, writer
from tiny_bench import VIT, same, tiny_config, write_images

KINDS = ["explain", "bench", "audit"]
METHODS = ["gradient", "rollout"]
runner.FLUSH_INTERVAL = writer.FLUSH_INTERVAL = 0.0  # so that kills fall between many parts


class SlowViT(TimmViT):
    """Takes long enough to be killed."""

    def forward(self, normalized):
        time.sleep(0.05)
        return super().forward(normalized)


def wait_a_moment(*_: object) -> None:
    time.sleep(0.2)


def write_inputs(folder: Path, count: int) -> None:
    """The images of all kinds of work."""
    write_images(folder / "photos", count)
    write_squares(folder / "squares")


def run(kind: str, images: Path, out: Path, address: str | None) -> None:
    """Explain, score or audit all images, in this process or on the cluster at the address."""
    torch.set_num_threads(1)
    folder, workers = images / "photos", 1 if address is None else 3
    if kind == "audit":
        model = color_model()
        if address is not None:
            model.module.register_forward_pre_hook(wait_a_moment)
        few = {"method": "grad_cam", "donors": 8, "recipients": 12, "explorers": 0}
        seewhy.audit(model, images / "squares", out=out, workers=workers, ray=address, **few)
        return
    if kind == "bench":
        few = {"methods": METHODS, "metrics": ["deletion"], "examples": 0}
        benchmark(tiny_config(folder, out, **few), workers=workers, ray=address)
        return
    torch.manual_seed(0)
    model = seewhy.load_model("timm/test_vit", weights="random", **VIT)
    if address is not None:
        model.__class__ = SlowViT
    seewhy.explain_dataset(model, folder, METHODS, store=out, batch_size=2, workers=workers, ray=address)


def compare(kind: str, expected: Path, found: Path) -> str:
    """What was compared; raises if anything is missing, doubled, failed or different."""
    if kind == "bench":
        tables = [Results(folder).rows for folder in (expected, found)]
        assert same(*tables), "rows differ"
        assert not Results(found).failures(), "there are failure rows"
        return f"{len(tables[0]):,} rows equal, no failure"
    if kind == "audit":
        tables = [pq.read_table(folder / "effects.parquet") for folder in (expected, found)]
        assert same(*tables), "effects differ"
        findings = [load_findings(folder).findings for folder in (expected, found)]
        assert findings[0] == findings[1], "findings differ"
        maps = compare_maps(expected / "maps", found / "maps")
        return f"{len(findings[0])} findings and {len(tables[0]):,} effects equal; {maps}"
    return compare_maps(expected, found)


def compare_maps(expected: Path, found: Path) -> str:
    stores = [MapStore(folder) for folder in (expected, found)]
    keys = [sorted(store.index["key"].to_pylist()) for store in stores]
    assert keys[0] == keys[1], "other maps"
    assert len(set(keys[0])) == len(keys[0]), "a map is doubled"
    assert stores[1].failures == [], "there are failure rows"
    assert stores[1].verify() == [], "a shard is damaged"
    largest = 0.0
    for method in stores[0].methods:
        maps = [store.explanation(stores[0].images, method=method).maps for store in stores]
        torch.testing.assert_close(*maps, rtol=1e-5, atol=1e-6)
        largest = max(largest, float((maps[0] - maps[1]).abs().max()))
    return f"{len(keys[0]):,} maps equal (largest difference {largest:.1e}), no failure"
