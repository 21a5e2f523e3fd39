"""Matrices of attention: known answers."""

import torch

from seewhy.ops.attention import add_identity, flow, head_importance, keep_largest


def test_rollout_of_identity_attention_is_identity():
    eye = torch.eye(5).expand(2, 5, 5)
    torch.testing.assert_close(flow([add_identity(eye) for _ in range(4)]), eye)


def test_flow_begins_at_the_first_block():
    first, second = torch.tensor([[1.0, 2.0], [0.0, 1.0]]), torch.tensor([[1.0, 0.0], [3.0, 1.0]])
    torch.testing.assert_close(flow([first, second]), second @ first)


def test_rows_sum_to_one_not_columns():
    matrix = add_identity(torch.rand(3, 6, 6, generator=torch.Generator().manual_seed(0)))
    torch.testing.assert_close(matrix.sum(dim=-1), torch.ones(3, 6))
    assert not torch.allclose(matrix.sum(dim=-2), torch.ones(3, 6))


def test_each_matrix_of_a_batch_is_cut_by_itself():
    small = torch.tensor([[0.1, 0.2], [0.3, 0.4]])
    cut = keep_largest(torch.stack([small, 100 * small]), discard=0.5)
    assert (cut > 0).sum(dim=(1, 2)).tolist() == [2, 2]


def test_a_head_without_gradient_has_no_importance():
    attention = torch.full((1, 2, 3, 3), 1 / 3)
    gradients = torch.stack([torch.zeros(3, 3), torch.ones(3, 3)]).expand(1, 1, 2, 3, 3)
    assert head_importance(attention, gradients).tolist() == [[[0.0, 1.0]]]
    assert head_importance(attention, torch.zeros_like(gradients)).tolist() == [[[0.0, 0.0]]]
