"""Every family of timm: the layer of CAM methods lies in the last quarter of the network, or it is refused."""

import csv
from pathlib import Path

import pytest
import torch

import seewhy
from conftest import shake
from seewhy.errors import UnsupportedModel
from seewhy.models.timm import build_timm, import_timm

DATA = Path(__file__).parents[2] / "benchmarks" / "data" / "sweep_models.csv"
ROWS = list(csv.DictReader(DATA.read_text().splitlines()))
NAMES = {row["name"]: int(row["pixels"]) for row in ROWS if row["library"] == "timm"}
ONCE_WRONG = {  # CAM methods read their patch embedding or stem before
    "hf/Swin", "hf/Beit", "timm/beit_base_patch16_224", "timm/cait_xxs24_224", "timm/mixer_s32_224",
    "timm/gmlp_ti16_224", "timm/resmlp_12_224", "timm/hiera_tiny_224", "timm/levit_128s", "timm/mvitv2_tiny",
    "timm/convit_tiny", "timm/crossvit_9_240", "timm/tnt_s_legacy_patch16_224", "timm/vit_srelpos_small_patch16_224",
}  # fmt: skip
METHODS = ("grad_cam", "hires_cam", "layer_cam", "gradient", "input_x_gradient", "smooth_grad")
WITHOUT_HEAD = {"deepseek_vit", "gemma4_vit", "hieradet_sam2", "qwen3_vit"}  # encoders of images of 768 pixels and more
SLOW = {"convmixer_768_32", "mobilenetv5_base", "naflexvit_base_patch16_gap"}  # the sweep checks their layer


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SLOW])
def test_the_layer_lies_in_the_last_quarter(name):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        network = shake(build_timm(name, num_classes=5), scale=0.02)
        model = seewhy.wrap_model(network, name=name, image_size=NAMES[name])
    try:
        layer = model.feature_layer
    except UnsupportedModel:
        return
    assert layer.share <= 0.25
    assert min(layer.layout.grid) >= 2


def test_the_sweep_found_nothing_wrong():
    """Written by benchmarks/sweep_models.py; docs/models.md shows it."""
    assert len(ROWS) >= 60
    assert {f"{row['library']}/{row['name']}" for row in ROWS} >= ONCE_WRONG
    assert {row["library"] for row in ROWS} == {"hf", "timm", "torchvision"}
    for row in ROWS:
        assert {row[method] for method in METHODS} <= {"good", "refused"}, row
        assert "refused" in row.values() or float(row["after"]) <= 0.25, row


def test_no_family_is_forgotten():
    from timm.models._registry import _model_to_module

    timm = import_timm()
    families = {_model_to_module[name] for name in NAMES}
    assert set(timm.list_modules()) - families <= WITHOUT_HEAD, "add its smallest architecture to the sweep"
