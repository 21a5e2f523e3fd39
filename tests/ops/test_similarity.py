"""Similarities: worked examples, scipy and scikit-image."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from seewhy.ops.similarity import cosine, gini, pearson, spearman, ssim

A, B = torch.tensor([1.0, 2.0, 3.0, 4.0]), torch.tensor([1.0, 3.0, 2.0, 4.0])
few = st.lists(st.integers(-3, 3), min_size=12, max_size=12)


def test_by_hand():
    assert float(spearman(A, B)) == pytest.approx(0.8)
    assert float(pearson(A, B)) == pytest.approx(0.8)
    assert float(cosine(A, B)) == pytest.approx(0.966667, abs=1e-6)
    assert float(cosine(A, A.flip(0))) == pytest.approx(0.666667, abs=1e-6)
    for same in (spearman, pearson, cosine):
        assert float(same(A, A)) == pytest.approx(1)
    for correlation in (spearman, pearson):
        assert float(correlation(A, A.flip(0))) == pytest.approx(-1)


def test_sign():
    for similarity in (spearman, pearson, cosine):
        signed = B - 2.4
        assert float(similarity(signed, -signed)) == pytest.approx(-1)
        assert float(similarity(signed.abs(), (-signed).abs())) == pytest.approx(1)


def test_affine_change():
    for unchanged in (spearman, pearson):
        assert float(unchanged(A, 3 * B + 7)) == pytest.approx(0.8)
    assert float(cosine(A, 3 * B + 7)) != pytest.approx(float(cosine(A, B)), abs=1e-3)


@pytest.mark.parametrize("similarity", [spearman, pearson])
def test_a_constant_correlates_with_nothing(similarity):
    assert float(similarity(A, torch.full((4,), 0.1))) == 0


@given(few, few)
@settings(max_examples=40, deadline=None)
def test_correlations_against_scipy(first, second):
    if len(set(first)) == 1 or len(set(second)) == 1:
        return
    x, y = torch.tensor(first).double(), torch.tensor(second).double()
    assert float(spearman(x, y)) == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-9)
    assert float(pearson(x, y)) == pytest.approx(stats.pearsonr(first, second).statistic, abs=1e-9)


def test_batches():
    x, y = torch.randn(2, 3, 50), torch.randn(2, 3, 50)
    torch.testing.assert_close(spearman(x, y)[1, 2], spearman(x[1, 2], y[1, 2]))


def test_ssim_against_skimage():
    metrics = pytest.importorskip("skimage.metrics", reason="scikit-image comes with the extra [demo]")
    pictures = torch.rand(2, 24, 30, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    first, second = pictures[0], 0.6 * pictures[0] + 0.4 * pictures[1]
    expected = metrics.structural_similarity(
        first.numpy(), second.numpy(), data_range=1.0, gaussian_weights=True, sigma=1.5, use_sample_covariance=False
    )
    found = ssim(first.unsqueeze(0), second.unsqueeze(0))
    assert float(found) == pytest.approx(expected, abs=1e-9)
    assert float(ssim(first.unsqueeze(0), first.unsqueeze(0))) == pytest.approx(1)


def test_gini_against_pairs():
    numbers = torch.tensor([0.2, -1.0, 3.0, 0.0, 0.7], dtype=torch.float64)
    size = numbers.abs()
    expected = (size[:, None] - size[None, :]).abs().sum() / (2 * 25 * size.mean())
    torch.testing.assert_close(gini(numbers), expected)
    assert float(gini(torch.zeros(4))) == 0
