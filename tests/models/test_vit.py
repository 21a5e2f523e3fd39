"""The runs that attention methods share, and the rows that a head reads."""

import pytest
import torch

from conftest import make_tiny_vit
from vit_families import FAMILIES, make_distilled


def test_rows_are_those_of_the_tokens_the_head_reads():
    rows = torch.arange(18.0).view(18, 1).expand(18, 18)  # every row holds its own number
    assert (make_distilled().read_rows(rows) == 0.5).all()
    assert (make_tiny_vit().read_rows(rows[:17, :17]) == 0).all()
    mean_pooling = FAMILIES["mean-pooling"]()
    torch.testing.assert_close(mean_pooling.read_rows(rows[:16, :16]), torch.full((16,), 7.5))
    both = make_tiny_vit()
    both.pool = "token+avg"
    torch.testing.assert_close(both.read_rows(rows[:17, :17]), torch.full((16,), 8.5 / 2))


def test_columns_are_patches():
    columns = torch.arange(19.0).expand(3, 19, 19)
    assert FAMILIES["registers"]().read_rows(columns).tolist() == [list(range(3, 19))] * 3


@pytest.mark.parametrize("family", ["plain", "mean-pooling", "registers", "distilled"])
def test_a_token_alone_is_what_the_head_sees(family, images):
    model = FAMILIES[family]()
    with torch.no_grad(), model.frozen_eval():
        tokens = model.trace(images).tokens[-1]
        alone = model.token_logits(tokens)
        everywhere = model.read_out(tokens[:, 3:4].expand_as(tokens))
    torch.testing.assert_close(alone[:, 3], everywhere, rtol=1e-4, atol=1e-5)
    if family == "plain":
        torch.testing.assert_close(alone[:, 0], model.logits(images), rtol=1e-4, atol=1e-5)
