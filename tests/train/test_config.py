"""Settings of a training: options by name, presets, ranges."""

import pytest

from seewhy.errors import OptionError, UnknownName
from seewhy.runtime.options import hints
from seewhy.train import make_config
from seewhy.train.config import PARTS


def test_options_of_all_parts():
    config = make_config(preset="official", batch=32, sigma=0.0, fusion=64, taps=[1, 2, 3, 4], points=8)
    assert (config.batch, config.explainer.loss.sigma, config.explainer.shape.fusion) == (32, 0.0, 64)
    assert config.explainer.taps == (1, 2, 3, 4)
    assert config.explainer.loss.points == 8
    assert config.explainer.loss.overlap


def test_a_large_head_needs_its_last_width():
    with pytest.raises(OptionError, match="without small_head, head must end in at least 1"):
        make_config(small_head=False)
    make_config(small_head=False, head=[8, 0, 8])


def test_unknown_names_suggest_the_nearest():
    with pytest.raises(OptionError, match="learning_rate"):
        make_config(learning_rat=1.0)
    with pytest.raises(UnknownName, match="official"):
        make_config(preset="oficial")


@pytest.mark.parametrize(
    "wrong",
    [
        {"targets": "foo"}, {"area": "trapez"}, {"anchors": "Paper"}, {"references": ["grey"]}, {"references": "black"},
        {"iterations": 0}, {"epochs": -1.0}, {"tau": 0.3}, {"grids": 4}, {"grids": []}, {"batch": "4"}, {"batch": 0},
        {"points": 1}, {"peak_size": 14}, {"held_out": 0}, {"learning_rate": float("nan")}, {"score_std": 0.0},
        {"weight_decay": -1.0}, {"warmup": 1.0}, {"patience": -1}, {"taps": []}, {"stage": 0}, {"head": [8]},
        {"dropout": 1.0}, {"dropout": 0.5}, {"head": [0, 0, 0]}, {"shift": float("nan")}, {"sigma": float("inf")},
        {"tolerance": 0.0}, {"tau": [0.3]}, {"tau": [0.3, 0.0]}, {"seed": 2**63}, {"seed": -1},
    ],
)  # fmt: skip
def test_values_out_of_range_are_refused_by_name(wrong):
    with pytest.raises(OptionError, match=next(iter(wrong))):
        make_config(**wrong)


def test_training_settings_of_the_presets():
    assert (make_config(preset="paper").batch, make_config(preset="official", batch=4).batch) == (32, 4)
    rates = [make_config(preset=name).learning_rate for name in ("paper", "official", "small")]
    assert rates == [3e-4, 3e-4, 2e-3]
    assert [make_config(preset=name).map_per_class for name in ("paper", "official")] == [True, False]


def test_no_two_options_share_a_name():
    """Else one of them could not be set, and a run would be resumed with another value of it."""
    names = [name for part in PARTS for name in hints(part)]
    assert len(names) == len(set(names))
    assert make_config(start="mine", sort_start="plain").explainer.loss.sort_start == "plain"
