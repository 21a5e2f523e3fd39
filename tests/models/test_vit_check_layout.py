"""The self-check of a ViT's pieces: silent, uncounted, and not to be fooled."""

import dataclasses

import pytest
import torch

from conftest import make_tiny_vit
from seewhy.models import loading
from seewhy.models.module import ModuleClassifier
from seewhy.models.vit import check_layout


def test_uncounted_and_without_traces(tiny_vit):
    tiny_vit.module.train()
    with tiny_vit.meter() as cost:
        assert check_layout(tiny_vit) == ""
        tiny_vit.count(forwards=1)  # the meter runs on afterwards
    assert cost.forwards == 1
    assert tiny_vit.module.training


def test_finds_a_difference(tiny_vit):
    last = tiny_vit.blocks[-1]
    tiny_vit.blocks = [*tiny_vit.blocks[:-1], dataclasses.replace(last, attention_scale=last.attention_scale * 1.5)]
    assert "other logits" in check_layout(tiny_vit)


def test_finds_pieces_that_do_not_run(tiny_vit):
    tiny_vit.blocks = [dataclasses.replace(tiny_vit.blocks[0], mlp=torch.nn.Linear(3, 3))]
    assert "could not be run piece by piece (RuntimeError" in check_layout(tiny_vit)


def test_a_broken_network_is_not_blamed_on_its_pieces(tiny_vit, monkeypatch):
    monkeypatch.setattr(tiny_vit.module, "forward", lambda _x: 1 / 0)
    with tiny_vit.meter() as cost, pytest.raises(ZeroDivisionError):
        check_layout(tiny_vit)
    tiny_vit.count(forwards=1)
    assert cost.forwards == 0


def test_half_precision_is_given_more_room():
    vit = make_tiny_vit()
    vit.module.to(torch.bfloat16)
    assert check_layout(vit) == ""


def test_loading_falls_back(tiny_vit):
    module = tiny_vit.module
    forward = module.forward_head  # a pooling the adapter does not know of
    module.forward = lambda x: forward(module.forward_features(x).flip(1))
    wrapped = loading.wrap(module)
    assert isinstance(wrapped, ModuleClassifier)
    assert "other logits" in wrapped.not_vit
