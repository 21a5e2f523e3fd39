"""VAR's benchmark on COCO, on a small COCO made of Scenes: the scores are those of Scenes itself."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from seewhy.bench import BenchConfig, benchmark
from seewhy.data import open_dataset
from seewhy.data.coco import parse_class_indices
from seewhy.models.preprocess import Preprocess

SIDE = 224
CONFIG = Path(__file__).parents[2] / "benchmarks" / "var_coco.toml"


@pytest.fixture
def folder(tmp_path):
    """Four Scenes images as COCO: categories are called c0 to c11, every second object counts as small."""
    dataset = open_dataset("scenes", size=4, truth="object")
    samples = [dataset[i].read(Preprocess(size=(SIDE, SIDE), crop=1.0)) for i in range(len(dataset))]
    annotations = []
    for number, sample in enumerate(samples):
        pixels = (sample.image.permute(1, 2, 0).numpy() * 255).round().astype(np.uint8)
        Image.fromarray(pixels).save(tmp_path / f"{number}.png")
        mask = sample.regions[0].numpy()
        segmentation = {"size": [SIDE, SIDE], "counts": run_lengths(mask.T.flatten())}
        area = float(mask.sum()) if number % 2 == 0 else 0.009 * SIDE**2
        known = {"image_id": number, "category_id": sample.labels[0], "area": area}
        annotations.append({**known, "segmentation": segmentation})
    images = [{"id": i, "file_name": f"{i}.png", "width": SIDE, "height": SIDE} for i in range(len(samples))]
    categories = [{"id": i, "name": f"c{i}"} for i in range(12)]
    content = {"images": images, "categories": categories, "annotations": annotations}
    (tmp_path / "instances.json").write_text(json.dumps(content))
    return tmp_path


def run_lengths(values):
    """Lengths of the runs of equal values, background first."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], values])))
    return np.diff([0, *edges, len(values)]).tolist()


def run(folder, out, **changes):
    table = {
        "model": {"name": "seewhy/scenes-vit"},
        "methods": ["grad_rollout", "var:grad_rollout"],
        "protocols": ["var"],
        "metrics": ["region_attribution"],
        "targets": "labels",
        "data": {
            "kind": "coco",
            "images": str(folder),
            "annotations": str(folder / "instances.json"),
            "classes": {f"c{i}": i for i in range(12)},
        },
        "out": str(out),
        "examples": 0,
    }
    return benchmark(BenchConfig.from_dict({**table, **changes}))


def test_scores_are_those_of_the_same_images_with_known_regions(folder, tmp_path):
    coco = run(folder, tmp_path / "coco")
    known = run(folder, tmp_path / "scenes", data={"kind": "scenes", "size": 4, "truth": "object"})
    assert not coco.failures()
    found = [row["score"] for row in coco.to_dicts()]
    expected = [row["score"] for row in known.to_dicts()]
    assert len(found) == 2 * 2  # two large objects, two methods
    for score in found:
        assert min(abs(score - each) for each in expected) < 1e-3  # files hold 8 bits


def test_classes_below_the_minimum_confidence_do_not_count(folder, tmp_path):
    everything = {"c0": "0-11", **{f"c{i}": list(range(12)) for i in range(1, 12)}}
    data = {
        "kind": "coco",
        "images": str(folder),
        "annotations": str(folder / "instances.json"),
        "classes": everything,
    }
    results = run(folder, tmp_path / "out", data=data, min_confidence=0.3, methods=["grad_rollout"])
    rows = results.to_dicts()
    assert not results.failures()
    assert 2 <= len(rows) <= 6  # at most three classes have a probability of .3
    assert all(row["probability"] >= 0.3 for row in rows)
    sure = run(folder, tmp_path / "sure", data=data, min_confidence=1.0, methods=["grad_rollout"])
    assert "no label is predicted with a confidence of 1" in sure.failures()[0]["error"]


def test_every_class_of_the_table_exists(monkeypatch):
    monkeypatch.setenv("SEEWHY_DATA", "somewhere")
    monkeypatch.setenv("SEEWHY_COCO", "somewhere")
    config = BenchConfig.from_toml(CONFIG)
    classes = config.data[0].options["classes"]
    indices = {category: parse_class_indices(names) for category, names in classes.items()}
    assert config.min_confidence == 1e-4
    assert indices["zebra"] == [340]
    assert indices["cat"] == [281, 282, 283, 284, 285]
    flat = [index for several in indices.values() for index in several]
    assert max(flat) < 1000
    assert len(flat) == len(set(flat))  # no class shows two categories
