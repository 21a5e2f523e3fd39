"""Settings and schedules of training."""

from typing import get_type_hints

import pytest

from seewhy.errors import OptionError, UnknownName
from seewhy.explainers.network import ExplainerConfig
from seewhy.train import make_config
from seewhy.train.checkpoint import flat
from seewhy.train.config import KINDS


def test_options_find_their_place():
    config = make_config(preset="official", batch=32, sigma=0.0, fusion=64, taps=[1, 2, 3, 4], steps=8)
    assert (config.batch, config.explainer.loss.sigma, config.explainer.shape.fusion) == (32, 0.0, 64)
    assert config.explainer.taps == (1, 2, 3, 4)
    assert config.explainer.loss.steps == 8
    assert config.explainer.loss.overlap


def test_presets_disagree_where_paper_and_code_do():
    paper, official = (ExplainerConfig.preset(name) for name in ("paper", "official"))
    assert paper.encoder == official.encoder == "timm/vit_large_patch16_dinov3.lvd1689m"
    changed = [flat(config.to_dict()) for config in (paper, official)]
    assert {key: (printed, changed[1][key]) for key, printed in changed[0].items() if printed != changed[1][key]} == {
        "anchors": ("paper", "official"),
        "area": ("mean_after_first", "trapezoid"),
        "shift": (1.0, 0.0),
        "sigma": (0.0, 1.0),
        "sample_steps": (True, False),
        "peak_two_sided": (True, False),
        "overlap": (False, True),
        "project": (False, True),
        "head": ((64, 0, 128), (64, 32, 128)),
        "dropout": (0.0, 0.1),
        "pre_norm": (False, True),
        "backbone_train_mode": (False, True),
    }
    assert ExplainerConfig.from_dict(paper.to_dict()) == paper


def test_a_large_head_needs_its_last_width():
    with pytest.raises(OptionError, match="without small_head, head must end in at least 1"):
        make_config(small_head=False)
    make_config(small_head=False, head=[8, 0, 8])


def test_unknown_names_answer_with_near_ones():
    with pytest.raises(OptionError, match="learning_rate"):
        make_config(learning_rat=1.0)
    with pytest.raises(UnknownName, match="official"):
        make_config(preset="oficial")


@pytest.mark.parametrize(
    "wrong",
    [
        {"targets": "foo"}, {"area": "trapez"}, {"anchors": "Paper"}, {"references": ["grey"]}, {"references": "black"},
        {"iterations": 0}, {"epochs": -1.0}, {"tau": 0.3}, {"grids": 4}, {"grids": []}, {"batch": "4"}, {"batch": 0},
        {"steps": 1}, {"peak_size": 14}, {"held_out": 0}, {"learning_rate": float("nan")}, {"spread": 0.0},
        {"weight_decay": -1.0}, {"warmup": 1.0}, {"patience": -1}, {"taps": []}, {"stage": 0}, {"head": [8]},
        {"dropout": 1.0}, {"dropout": 0.5}, {"head": [0, 0, 0]}, {"shift": float("nan")}, {"sigma": float("inf")},
        {"tolerance": 0.0}, {"tau": [0.3]}, {"tau": [0.3, 0.0]}, {"seed": 2**63}, {"seed": -1},
    ],
)  # fmt: skip
def test_values_that_cannot_be_are_refused_by_name(wrong):
    with pytest.raises(OptionError, match=next(iter(wrong))):
        make_config(**wrong)


def test_presets_of_the_paper_have_its_batch_and_rate():
    assert (make_config(preset="paper").batch, make_config(preset="official", batch=4).batch) == (32, 4)
    rates = [make_config(preset=name).learning_rate for name in ("paper", "official", "small")]
    assert rates == [3e-4, 3e-4, 2e-3]
    assert [make_config(preset=name).targets for name in ("paper", "official")] == ["per_target", "shared"]


def test_no_two_options_share_a_name():
    """Else one of them could not be set, and a run would continue with another value of it."""
    names = [name for kind in KINDS for name in get_type_hints(kind)]
    assert len(names) == len(set(names))
    assert make_config(start="mine", sort_start="plain").explainer.loss.sort_start == "plain"
