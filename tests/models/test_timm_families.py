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
NAMES = [row["name"] for row in csv.DictReader(DATA.read_text().splitlines()) if row["library"] == "timm"]
TOO_LARGE = {  # families without a small architecture, or none with a head
    "convmixer", "deepseek_vit", "dpn", "eva", "gemma4_vit", "hieradet_sam2", "hrnet", "inception_resnet_v2",
    "inception_v3", "inception_v4", "maxxvit", "mobilenetv5", "naflexvit", "nasnet", "nest", "nextvit", "pnasnet",
    "qwen3_vit", "rdnet", "res2net", "resnest", "sequencer", "swin_transformer_v2", "swin_transformer_v2_cr",
    "tresnet", "vgg", "vision_transformer_sam", "vitamin", "xception", "xception_aligned",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_layer_lies_in_the_last_quarter(name):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = seewhy.wrap_model(shake(build_timm(name), scale=0.02), name=name)
    try:
        layer = model.feature_layer
    except UnsupportedModel:
        return
    assert layer.share <= 0.25
    assert min(layer.layout.grid) >= 2


def test_no_family_is_forgotten():
    from timm.models._registry import _model_to_module

    timm = import_timm()
    families = {_model_to_module[name] for name in NAMES}
    assert set(timm.list_modules()) - families <= TOO_LARGE, "add its smallest architecture to the sweep"
