"""Presets: where the paper and the authors' code disagree, and the sizes of their decoders."""

from dataclasses import asdict

import pytest

from seewhy.errors import UnknownName
from seewhy.explainers.config import ExplainerConfig
from seewhy.explainers.presets import OFFICIAL, PAPER, PRESETS, find_preset
from seewhy.train.checkpoint import flat


def test_presets_disagree_where_paper_and_code_do():
    paper, official = PAPER.explainer, OFFICIAL.explainer
    assert paper.encoder == official.encoder == "timm/vit_large_patch16_dinov3.lvd1689m"
    changed = [flat(asdict(config)) for config in (paper, official)]
    assert {key: (printed, changed[1][key]) for key, printed in changed[0].items() if printed != changed[1][key]} == {
        "anchors": ("paper", "official"),
        "area": ("mean_after_first", "trapezoid"),
        "shift": (1.0, 0.0),
        "sigma": (0.0, 1.0),
        "sample_points": (True, False),
        "peak_two_sided": (True, False),
        "overlap": (False, True),
        "project": (False, True),
        "head": ((64, 0, 128), (64, 32, 128)),
        "dropout": (0.0, 0.1),
        "pre_norm": (False, True),
        "backbone_train_mode": (False, True),
    }


def test_the_defaults_are_small():
    assert find_preset("small").explainer == ExplainerConfig()


def test_unknown_presets_suggest_the_nearest():
    with pytest.raises(UnknownName, match="official"):
        find_preset("oficial")
    assert list(PRESETS) == ["small", "official", "paper"]
