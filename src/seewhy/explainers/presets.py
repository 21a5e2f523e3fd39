"""Presets of an explainer and its training: `small` (ours), `official` (the authors' code), `paper` (as printed).

`small` trains in minutes on few images. It reads the explained model itself instead of DINOv3, its decoder is narrow
and stops at half resolution, and three settings of its loss stabilize short training runs: grids are shifted, Sinkhorn
starts from the hard sort, and maps are scaled to a fixed standard deviation before sorting. Without the latter two,
maps diverge within twenty steps at the higher learning rates that short runs need: their range becomes so large that 30
plain Sinkhorn iterations are far from converged, and training does not recover.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from seewhy.errors import UnknownName
from seewhy.explainers.config import DecoderShape, ExplainerConfig, LossConfig


class Preset(NamedTuple):
    """An explainer, and the fields of `TrainConfig` in which its training differs from the defaults."""

    explainer: ExplainerConfig
    training: Mapping[str, Any]


SMALL = Preset(ExplainerConfig(), training={})

OFFICIAL = Preset(
    ExplainerConfig(
        encoder="timm/vit_large_patch16_dinov3.lvd1689m",
        backbone_train_mode=True,
        taps=(4, 11, 17, 23),
        shape=DecoderShape(
            embed=None,
            vectors=False,
            readout=None,
            project=True,
            stage=256,
            fusion=128,
            head=(64, 32, 128),
            mid=64,
            dropout=0.1,
            pre_norm=True,
            small_head=False,
            stem=0,
            prior=None,
            pool=1,
        ),
        loss=LossConfig(sort_start="plain", score_std=None, overlap=True, shift=0.0),
    ),
    training={"batch": 32, "learning_rate": 3e-4, "map_per_class": False, "mosaics": 0.0},  # for 40,000 steps
)

PAPER = Preset(
    replace(
        OFFICIAL.explainer,
        backbone_train_mode=False,
        shape=replace(OFFICIAL.explainer.shape, project=False, head=(64, 0, 128), dropout=0.0, pre_norm=False),
        loss=replace(
            OFFICIAL.explainer.loss,
            sample_points=True,
            anchors="paper",
            overlap=False,
            shift=1.0,
            sigma=0.0,
            area="mean_after_first",
            peak_two_sided=True,
        ),
    ),
    training={**OFFICIAL.training, "map_per_class": True, "min_probability": 0.0},
)

PRESETS = {"small": SMALL, "official": OFFICIAL, "paper": PAPER}


def find_preset(name: str) -> Preset:
    """The preset of that name; raises with the nearest names if there is none."""
    if name not in PRESETS:
        raise UnknownName("preset", name, PRESETS)
    return PRESETS[name]
