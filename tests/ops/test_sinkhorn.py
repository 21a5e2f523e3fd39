"""Soft sorting: worked examples, the plain unrolled iteration, finite differences, and identities as properties."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from seewhy.explainers.loss import sinkhorn_knopp
from seewhy.ops.sinkhorn import gumbel_noise, rank_anchors, sinkhorn, soft_permutation

SCORES = torch.tensor([[0.2, 0.9, 0.5]], dtype=torch.float64)
lists = st.lists(st.floats(-1, 1), min_size=2, max_size=6)


def rounded(rows):
    return torch.tensor([rows], dtype=torch.float64)


@pytest.mark.parametrize(("tau", "diagonal"), [(1.0, 0.731059), (0.3, 0.965555), (0.1, 0.999955)])
def test_two_scores(tau, diagonal):
    expected = rounded([[diagonal, 1 - diagonal], [1 - diagonal, diagonal]])
    found = soft_permutation(torch.tensor([[1.0, 0.0]], dtype=torch.float64), tau=tau)
    assert_close(found, expected, rtol=0, atol=1e-6)


def test_three_scores():
    warm = [[0.227427, 0.454414, 0.318159], [0.330188, 0.327616, 0.342196], [0.442385, 0.217970, 0.339645]]
    cool = [[0.070347, 0.665872, 0.263781], [0.303275, 0.278374, 0.418351], [0.626378, 0.055754, 0.317868]]
    hard = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    for tau, expected in [(1.0, warm), (0.3, cool), (0.001, hard)]:
        assert_close(soft_permutation(SCORES, tau=tau), rounded(expected), rtol=0, atol=1e-6)


def test_equal_scores_share_all_ranks():
    assert_close(soft_permutation(torch.full((1, 4), 7.0), tau=0.3), torch.full((1, 4, 4), 0.25))


def test_thirty_iterations_may_not_be_enough():
    permutation = soft_permutation(SCORES, tau=0.01)
    assert_close(permutation.sum(dim=1)[0], rounded([1.004798, 1.0, 0.995202])[0], rtol=0, atol=1e-6)
    assert_close(permutation.sum(dim=2), torch.ones(1, 3, dtype=torch.float64))


def test_tolerance_stops_early():
    scores = SCORES.clone().requires_grad_()
    patient = soft_permutation(scores, tau=0.05, iterations=3000, tolerance=1e-9)
    assert_close(patient.sum(dim=1), torch.ones(1, 3, dtype=torch.float64), rtol=0, atol=2e-9)
    taken = len(patient.grad_fn.saved_tensors[-1])
    assert taken < 1000
    assert_close(patient, soft_permutation(scores, tau=0.05, iterations=taken), rtol=0, atol=0)
    assert column_error(soft_permutation(SCORES, tau=0.05, iterations=taken - 1)) > 1e-9


def test_shifts_and_signs():
    permutation = soft_permutation(SCORES, tau=0.3)
    assert_close(soft_permutation(SCORES + 5, tau=0.3), permutation, rtol=0, atol=1e-12)
    assert_close(soft_permutation(-SCORES, tau=0.3), permutation.flip(1), rtol=0, atol=1e-12)


def test_anchors_of_the_paper_are_another_temperature():
    paper = soft_permutation(SCORES, tau=0.3, anchors="paper", iterations=2000)
    assert_close(paper, soft_permutation(SCORES, tau=0.45, iterations=2000))
    assert_close(rank_anchors(SCORES, kind="paper"), torch.tensor([1, 2 / 3, 1 / 3], dtype=torch.float64))


STARTS = ("plain", "rescaled", "sorted")


def column_error(permutation):
    return float((permutation.sum(dim=1) - 1).abs().max())


def test_starts_have_the_same_limit_and_converge_faster():
    even = torch.linspace(0, 100, 49, dtype=torch.float64).unsqueeze(0)
    plainly, stretched, sorted_ = (column_error(soft_permutation(even, tau=0.3, start=start)) for start in STARTS)
    assert plainly == pytest.approx(3.58, abs=0.01)
    assert stretched < 1e-3
    assert sorted_ < 2e-3
    limits = [soft_permutation(SCORES, tau=0.3, start=start, iterations=500) for start in STARTS]
    assert_close(limits[1], limits[0])
    assert_close(limits[2], limits[0])


def test_the_sorted_start_also_helps_where_scores_crowd():
    crowded = 25 * torch.randn(1, 196, generator=torch.Generator().manual_seed(0))
    plainly, stretched, sorted_ = (column_error(soft_permutation(crowded, tau=0.3, start=start)) for start in STARTS)
    assert sorted_ < 0.01 < 0.1 < min(plainly, stretched)


def test_value_and_gradient_are_those_of_the_plain_iterations():
    logits = torch.randn(2, 6, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).requires_grad_()
    weights = torch.randn(2, 6, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    lean, unrolled = sinkhorn(logits, iterations=5), sinkhorn_knopp(logits, 5)
    assert_close(lean, unrolled)
    gradients = [torch.autograd.grad((matrix * weights).sum(), logits)[0] for matrix in (lean, unrolled)]
    assert_close(*gradients)


@pytest.mark.parametrize(("tau", "spread"), [(1.0, 1.0), (0.05, 3.0), (0.005, 30.0)])
def test_far_potentials_lose_nothing(tau, spread):
    """Logits over thousands underflow in a single matrix of exponentials: the kernel is recomputed."""
    draw = torch.Generator().manual_seed(2)
    logits = (torch.randn(2, 12, 12, dtype=torch.float64, generator=draw) * spread / tau).requires_grad_()
    weights = torch.randn(2, 12, 12, dtype=torch.float64, generator=draw)
    lean, unrolled = sinkhorn(logits, iterations=30), sinkhorn_knopp(logits, 30)
    assert_close(lean, unrolled, rtol=1e-9, atol=1e-12)
    gradients = [torch.autograd.grad((matrix * weights).sum(), logits)[0] for matrix in (lean, unrolled)]
    assert_close(*gradients, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("start", STARTS)
def test_single_precision_is_enough_where_scores_are_far_apart(start):
    generator = torch.Generator().manual_seed(0)
    scores = 25 * torch.randn(1, 196, dtype=torch.float64, generator=generator)
    weights = torch.randn(1, 196, 196, dtype=torch.float64, generator=generator)

    def gradient(dtype):
        leaf = scores.to(dtype).requires_grad_()
        ranked = soft_permutation(leaf, tau=0.3, start=start).cumsum(dim=1)
        return torch.autograd.grad((ranked * weights.to(dtype)).sum(), leaf)[0].double()

    exact = gradient(torch.float64)
    assert (gradient(torch.float32) - exact).norm() < 0.01 * exact.norm()


@pytest.mark.parametrize("start", STARTS)
def test_gradient_against_finite_differences(start):
    """The start depends on the scores but has no gradient; the limit does not depend on it."""
    scores = torch.randn(2, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).requires_grad_()
    noise = gumbel_noise(scores.detach(), torch.Generator().manual_seed(1))
    sort = lambda scores: soft_permutation(scores, tau=0.7, noise=noise, iterations=100, start=start)  # noqa: E731
    assert torch.autograd.gradcheck(sort, scores)


def test_many_regions_keep_only_potentials():
    """784 regions: the sixty matrices of the unrolled graph would take 147 MB; only the logits are stored."""
    scores = torch.rand(1, 784, requires_grad=True)
    permutation = soft_permutation(scores, tau=0.3, iterations=3)
    kept = permutation.grad_fn.saved_tensors
    assert sum(tensor.numel() for tensor in kept) < 1.02 * 784**2


def test_noise_is_gumbel():
    noise = gumbel_noise(torch.zeros(1, 300), torch.Generator().manual_seed(0))
    assert float(noise.mean()) == pytest.approx(0.5772, abs=0.01)
    assert float(noise.var()) == pytest.approx(1.6449, abs=0.03)
    assert noise.isfinite().all()


@settings(max_examples=25, deadline=None)
@given(lists, st.floats(-5, 5), st.floats(0.5, 4))
def test_identities(values, shift, factor):
    scores = torch.tensor([values], dtype=torch.float64)
    sort = lambda scores, tau=0.5: soft_permutation(scores, tau=tau, iterations=300)  # noqa: E731
    permutation = sort(scores)
    assert_close(sort(scores + shift), permutation, rtol=0, atol=1e-5)
    assert_close(sort(-scores), permutation.flip(1), rtol=0, atol=1e-5)
    assert_close(sort(scores * factor, 0.5 * factor), permutation, rtol=0, atol=1e-5)
    assert_close(permutation.sum(dim=2), torch.ones_like(scores))


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(6)))
def test_cold_is_hard(order):
    scores = torch.tensor([order], dtype=torch.float64)
    found = soft_permutation(scores, tau=1e-3, iterations=30, start="sorted")
    assert_close(found, torch.eye(6, dtype=torch.float64)[scores[0].argsort(descending=True)].unsqueeze(0))
