"""Deletion, insertion, positive, negative, MAS, ADP: by hand on linear models, and against a slow implementation."""

import itertools
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from conftest import make_tiny_vit
from linear_model import LinearModel, two_classes
from reference import slow_metrics as slow
from seewhy.errors import OptionError
from seewhy.metrics import PredictionCache, choose_metrics, collect_evidence, get_protocol, score_maps, score_metrics
from seewhy.metrics.confidence import Masked, average_drop, increase_in_confidence
from seewhy.metrics.monotonicity import monotonicity, monotonicity_deletion
from seewhy.metrics.positive_negative import negative, positive
from seewhy.metrics.references import AdaptiveBlur, FoldedBlur, NormalizedConstant, ReferencePair
from seewhy.metrics.sweep import Curves, DirectionCurves, SweepSettings
from seewhy.ops.curves import evenly_spaced

ROW = ["deletion", "insertion", "ins_del", "positive", "negative", "neg_pos", "average_drop", "increase_in_confidence"]


def on_black(steps):
    curves = {"references": ("black",), "fractions": evenly_spaced(steps + 1)}
    return get_protocol("aha", {"curves": curves, "masked": {"references": ("black",)}})


def scores(rows, reference="all"):
    return {(r["image"], r["target"], r["metric"]): r["score"] for r in rows if r["reference"] == reference}


def score_one(model, image, heatmap, protocol, metrics):
    rows = score_maps(model, image, heatmap[None, None], torch.tensor([[0]]), protocol=protocol, metrics=metrics)
    return [row["score"] for row in rows if row["reference"] == "all"]


@pytest.mark.parametrize(("heatmap", "expected"), [([[2.0, 1.0]], (0.4, 0.6)), ([[1.0, 2.0]], (0.6, 0.4))])
def test_two_pixels_by_hand(heatmap, expected):
    image = torch.ones(1, 3, 1, 2, dtype=torch.float64)
    found = score_one(
        two_classes([[0.7, 0.3]]), image, torch.tensor(heatmap).double(), on_black(2), ["deletion", "insertion"]
    )
    assert found == pytest.approx(expected)


def test_a_mean_of_pixels_gives_one_half_for_any_map():
    model = two_classes([[1 / 20] * 5] * 4)
    heatmap = torch.randn(4, 5, dtype=torch.float64)
    found = score_one(model, torch.ones(1, 3, 4, 5).double(), heatmap, on_black(20), ["deletion", "insertion"])
    assert found == pytest.approx((0.5, 0.5))


def test_the_image_as_its_own_map():
    """Pixels .4 .3 .2 .1 of a sum: the curve is 1 .6 .3 .1 0."""
    image = torch.tensor([[0.4, 0.3], [0.2, 0.1]], dtype=torch.float64)
    model = two_classes([[1.0, 1.0], [1.0, 1.0]])
    evidence = collect_evidence(
        model, image.expand(1, 3, 2, 2), image[None, None], torch.tensor([[0]]), protocol=on_black(4)
    )
    curve = torch.tensor([1, 0.6, 0.3, 0.1, 0], dtype=torch.float64)
    torch.testing.assert_close(evidence["curves"].deletion.probability[0, 0, 0], curve)
    torch.testing.assert_close(evidence["curves"].insertion.probability[0, 0, 0], 1 - curve)
    torch.testing.assert_close(evidence["curves"].insertion.mass[0, 0], 1 - curve)


def top1_curves(right):
    """Curves of which only "top-1 is class 0" matters."""
    points = len(right)
    top1 = torch.tensor([0 if hit else 1 for hit in right]).view(1, 1, 1, points)
    zeros, ends = torch.zeros(1, 1, 1, points), torch.zeros(1, 1, 1)

    def run(direction):
        seen = top1 if direction == "deletion" else top1.flip(-1)
        counts, mass = torch.arange(points), torch.zeros(1, 1, points)
        return DirectionCurves(("black",), counts, zeros, seen, zeros, zeros[..., None], ends, ends, mass)

    return Curves(("black",), SweepSettings(), run)


@pytest.mark.parametrize("hits", range(10))
def test_nine_points_of_top1_by_hand(hits):
    curves = top1_curves([True] * hits + [False] * (9 - hits))
    expected = {0: 0.0, 9: 1.0}.get(hits, (hits - 0.5) / 8)
    for metric in (positive, negative):
        assert float(metric(curves, torch.tensor([[0]]))) == pytest.approx(expected)


def test_falling_accuracy_by_hand():
    """Accuracies .8, .7, …, 0 over images: the mean of their areas is .4."""
    images = [top1_curves([image < 8 - point for point in range(9)]) for image in range(10)]
    areas = [float(positive(curves, torch.tensor([[0]]))) for curves in images]
    assert sum(areas) / 10 == pytest.approx(0.4)


def test_average_drop_and_increase_by_hand():
    clean = torch.tensor([[0.8], [0.5], [0.2]])
    evidence = Masked(("black",), clean, torch.tensor([0.6, 0.5, 0.3]).view(3, 1, 1))
    assert float(average_drop(evidence).mean()) == pytest.approx(8.3333, abs=1e-4)
    assert float(increase_in_confidence(evidence).mean()) == pytest.approx(33.3333, abs=1e-4)
    unchanged = Masked(("black",), clean, clean.unsqueeze(-1))
    assert float(average_drop(unchanged).sum()) == float(increase_in_confidence(unchanged).sum()) == 0
    assert average_drop(Masked(("black",), clean, torch.zeros(3, 1, 1))).tolist() == [[[100.0]]] * 3


def test_a_constant_map_shows_nothing():
    found = score_one(
        two_classes([[0.7, 0.3]]), torch.ones(1, 3, 1, 2).double(), torch.ones(1, 2).double(), on_black(2), ROW[-2:]
    )
    assert found == [100.0, 0.0]


@pytest.mark.parametrize(
    ("curve", "expected"),
    [([0.1, 0.5, 0.4, 0.8, 0.9], 0.9), ([0.1, 0.2, 0.3, 0.4, 0.5], 1), ([5, 4, 3, 2, 1], -1), ([1, 1, 1, 1, 1], 0)],
)
def test_monotonicity_by_hand(curve, expected):
    values = torch.tensor(curve).float().view(1, 1, 1, 5)
    template = top1_curves([True] * 5).insertion
    rising, falling = (replace(template, probability=each) for each in (values, values.flip(-1)))
    up, down = (Curves(("black",), SweepSettings(), lambda _, curve=curve: curve) for curve in (rising, falling))
    assert float(monotonicity(up)) == pytest.approx(expected)
    assert float(monotonicity_deletion(down)) == pytest.approx(expected)


@pytest.fixture
def maps():
    """Two images, two classes, on a coarse grid; in eighths, so that float32 and float64 agree on what is equal."""
    return torch.randint(-40, 40, (2, 2, 4, 4), generator=torch.Generator().manual_seed(5)) / 8


def slow_scores(model, image, target, values, reference, counts):
    """The AHA row for one case and reference, the slow way."""
    deleted = slow.deletion_curve(model, image, target, values, reference, counts)
    inserted = slow.insertion_curve(model, image, target, values, reference, counts)
    negatives = slow.negative_curve(model, image, target, values, reference, counts)
    area = {
        "deletion": slow.trapezoid([p for p, _ in deleted]),
        "insertion": slow.trapezoid([p for p, _ in inserted]),
        "positive": slow.trapezoid([float(top == target) for _, top in deleted]),
        "negative": slow.trapezoid([float(top == target) for _, top in negatives]),
    }
    area["ins_del"], area["neg_pos"] = area["insertion"] - area["deletion"], area["negative"] - area["positive"]
    area["average_drop"], area["increase_in_confidence"] = slow.average_drop(model, image, target, values, reference)
    step = [p for p, _ in inserted]
    order, flat = slow.ranking(values), values.reshape(-1)
    masses = [sum(abs(flat[i]) for i in order[a:b]) for a, b in itertools.pairwise(counts)]
    area["mas_insertion"] = slow.mas(step, step[0], step[-1], masses, rising=True)
    fall = [p for p, _ in deleted]
    area["mas_deletion"] = slow.mas(fall, fall[-1], fall[0], masses, rising=False)
    return area


def test_aha_row_against_the_slow_implementation(tiny_vit, images, targets, maps):
    rows = score_maps(tiny_vit, images, maps, targets, protocol="aha", strict=True)
    counts = [round(i / 20 * 1024) for i in range(21)]
    image, target = images[1], int(targets[1, 1])
    values = slow.upsample(maps[1, 1].numpy(), (32, 32))
    references = {
        "black": torch.zeros_like(image),
        "imagenet_mean": torch.tensor([0.485, 0.456, 0.406]).view(3, 1, 1).expand_as(image),
        "blur": slow.gaussian_reference(image).float(),
    }
    for name, reference in references.items():
        found = scores(rows, name)
        for metric, value in slow_scores(tiny_vit, image, target, values, reference, counts).items():
            tolerance = 1e-3 if metric == "average_drop" else 1e-5  # a percentage
            assert found[1, target, metric] == pytest.approx(value, abs=tolerance), (name, metric)


def test_rise_against_the_slow_implementation(tiny_vit, images, targets, maps):
    rows = scores(score_maps(tiny_vit, images, maps, targets, protocol="rise", metrics=["deletion", "insertion"]))
    counts = [round(i / 28 * 1024) for i in range(29)]
    values = slow.upsample(maps[0, 1].numpy(), (32, 32))
    target, mean = int(targets[0, 1]), torch.tensor(tiny_vit.mean).view(3, 1, 1).expand_as(images[0])
    blurred = slow.gkern_reference(images[0], tiny_vit.mean, tiny_vit.std).float()
    deleted = slow.deletion_curve(tiny_vit, images[0], target, values, mean, counts)
    inserted = slow.insertion_curve(tiny_vit, images[0], target, values, blurred, counts)
    assert rows[0, target, "deletion"] == pytest.approx(slow.trapezoid([p for p, _ in deleted]), abs=1e-5)
    assert rows[0, target, "insertion"] == pytest.approx(slow.trapezoid([p for p, _ in inserted]), abs=1e-5)


def test_chefer_against_the_slow_implementation(tiny_vit, images, targets, maps):
    labels = torch.tensor([2, 4])
    rows = score_maps(
        tiny_vit, images, maps, targets, protocol="chefer", metrics=["positive", "negative"], labels=labels
    )
    counts = [int(tenth / 10 * 1024) for tenth in range(1, 10)]
    values, black = slow.upsample(maps[1, 0].numpy(), (32, 32)), torch.zeros_like(images[1])
    for metric, curve in (("positive", slow.deletion_curve), ("negative", slow.negative_curve)):
        points = curve(tiny_vit, images[1], 0, values, black, counts)
        expected = slow.trapezoid([float(top == 4) for _, top in points])
        assert scores(rows)[1, int(targets[1, 0]), metric] == pytest.approx(expected)


def dark_model():
    """The class shows on the left half; a strong enough blur removes it."""
    weights = torch.zeros(2, 12, 12, dtype=torch.float64)
    weights[0, :, :6], weights[0, :, 6:] = 1 / 72, -1 / 72
    weights[1] = 1 / 144
    return LinearModel(weights)


def left_half():
    image = torch.zeros(1, 3, 12, 12, dtype=torch.float64)
    image[..., :6] = 1.0
    return image


def test_mda_searches_the_weakest_blur_and_normalizes():
    model, image = dark_model(), left_half()
    heatmap = torch.randn(1, 1, 12, 12, generator=torch.Generator().manual_seed(6), dtype=torch.float64)
    pair = ReferencePair("weaker", NormalizedConstant(0.0), AdaptiveBlur(start=1, max_probability=0.5))
    protocol = get_protocol("mda", {"curves": {"fractions": evenly_spaced(13), "references": (pair,)}})
    evidence = collect_evidence(model, image, heatmap, torch.tensor([[0]]), protocol=protocol)
    blurred = [FoldedBlur(size, float(size)).make(image, model.mean, model.std) for size in range(1, 102, 2)]
    strong = [image for image in blurred if float(model.probabilities(image)[0, 0]) <= 0.5]
    assert 0 < len(strong) < len(blurred)
    expected = strong[0]
    torch.testing.assert_close(evidence["curves"].insertion.bare.squeeze(), model.probabilities(expected)[0, 0])
    values = heatmap[0, 0].abs().numpy()
    counts = [12 * i for i in range(13)]
    plain = [p for p, _ in slow.insertion_curve(model, image[0], 0, values, expected[0], counts)]
    rows = score_maps(model, image, heatmap, torch.tensor([[0]]), protocol=protocol, metrics="insertion")
    expected_area = slow.trapezoid(slow.response(plain, plain[0], plain[-1], rising=True))
    assert rows[0]["score"] == pytest.approx(expected_area, abs=1e-6)


def test_mda_skips_a_class_that_no_blur_removes(maps):
    model = two_classes([[1 / 144] * 12] * 12)  # no blur changes a mean
    protocol = get_protocol("mda", {"curves": {"fractions": evenly_spaced(5)}})
    image = torch.full((1, 3, 12, 12), 0.9, dtype=torch.float64)
    rows = score_maps(model, image, maps[:1, :1].double(), torch.tensor([[0]]), protocol=protocol)
    by_name = {row["metric"]: row for row in rows}
    for name in ("insertion", "mas_insertion", "negative", "monotonicity"):
        assert by_name[name]["score"] != by_name[name]["score"]
        assert "no blur removes the class" in by_name[name]["error"]
    assert by_name["deletion"]["error"] is None


def forwards(model, *arguments, **options):
    with model.meter() as cost:
        score_maps(model, *arguments, **options)
    return cost.forwards


def test_forwards_of_the_whole_row(tiny_vit, images, targets, maps):
    one = images[:1], maps[:1, :1], targets[:1, :1]
    assert forwards(tiny_vit, *one, metrics=ROW) == 121
    assert forwards(tiny_vit, *one) == 121
    assert forwards(tiny_vit, *one, metrics=ROW[:6]) == 118
    assert forwards(tiny_vit, *one, protocol="rise", metrics=["deletion", "insertion"]) == 57


def test_clean_and_reference_images_are_shared_by_methods(tiny_vit, images, targets, maps):
    cache = PredictionCache()
    one = images[:1], targets[:1, :1]
    assert forwards(tiny_vit, one[0], maps[:1, :1], one[1], cache=cache, metrics=ROW) == 121
    other = torch.randn(1, 1, 4, 4, generator=torch.Generator().manual_seed(9))
    assert forwards(tiny_vit, one[0], other, one[1], cache=cache, metrics=ROW) == 121 - 4
    assert forwards(tiny_vit, one[0], other, one[1], cache=cache, metrics=ROW) == 0
    kept = score_maps(tiny_vit, one[0], other, one[1], cache=cache)
    fresh = score_maps(tiny_vit, one[0], other, one[1])
    assert [row["score"] for row in kept] == pytest.approx([row["score"] for row in fresh], abs=1e-6)


def test_equal_maps_of_several_classes_are_run_once(tiny_vit, images, maps):
    same_map = maps[:1, :1].expand(-1, 3, -1, -1)
    assert forwards(tiny_vit, images[:1], same_map, torch.tensor([[0, 2, 4]]), metrics=ROW) == 121
    assert forwards(tiny_vit, images[:1], torch.cat([same_map, maps[:1, 1:]], 1), torch.tensor([[0, 2, 4, 1]])) == 238


@given(st.integers(0, 1000))
@settings(max_examples=8, deadline=None)
def test_identities_of_shared_forwards(seed):
    """Shared curves give each metric what it would compute alone."""
    model, random = make_tiny_vit(), torch.Generator().manual_seed(seed)
    image, fine = torch.rand(1, 3, 32, 32, generator=random), torch.rand(1, 1, 32, 32, generator=random)
    target = model.probabilities(image).argmax(dim=1, keepdim=True)
    evidence, mirrored = (collect_evidence(model, image, each, target) for each in (fine, -fine))
    one, reversed_ = evidence["curves"], mirrored["curves"]
    found = {
        row["metric"]: row["score"]
        for row in score_metrics(evidence, choose_metrics(evidence))
        if row["reference"] == "black"
    }
    black = one.references.index("black")
    still = (one.deletion.top1[0, 0, black] == target[0, 0]).double()
    assert found["positive"] == pytest.approx(float(torch.trapezoid(still) / (len(still) - 1)))
    torch.testing.assert_close(reversed_.deletion.probability, one.insertion.probability.flip(-1))
    torch.testing.assert_close(reversed_.insertion.probability, one.deletion.probability.flip(-1))
    torch.testing.assert_close(one.deletion.probability[..., 0], one.deletion.clean)
    torch.testing.assert_close(one.deletion.probability[..., -1], one.insertion.probability[..., 0])
    raw = one.insertion.probability[0, 0, black].numpy()
    assert found["monotonicity"] == pytest.approx(spearmanr(range(len(raw)), raw).statistic, abs=1e-5)


def test_a_batch_equals_its_single_images(tiny_vit, images, targets, maps):
    together = score_maps(tiny_vit, images, maps, targets)
    for b in range(2):
        alone = scores(score_maps(tiny_vit, images[b : b + 1], maps[b : b + 1], targets[b : b + 1]))
        for (_, target, metric), score in alone.items():
            assert scores(together)[b, target, metric] == pytest.approx(score, abs=1e-5)


def test_small_chunks_change_nothing(tiny_vit, images, targets, maps):
    expected = [row["score"] for row in score_maps(tiny_vit, images, maps, targets)]
    tiny_vit.chunk = 7
    found = [row["score"] for row in score_maps(tiny_vit, images, maps, targets)]
    assert found == pytest.approx(expected, abs=1e-5)


def test_many_images_are_worked_on_in_groups(tiny_cnn):
    images = torch.rand(18, 3, 32, 32, generator=torch.Generator().manual_seed(1))
    maps, targets = torch.rand(18, 1, 8, 8), torch.zeros(18, 1, dtype=torch.int64)
    rows = scores(score_maps(tiny_cnn, images, maps, targets, protocol=on_black(3), strict=True))
    last = scores(score_maps(tiny_cnn, images[17:], maps[17:], targets[17:], protocol=on_black(3), strict=True))
    for (_, target, metric), score in last.items():
        assert rows[17, target, metric] == pytest.approx(score, abs=1e-5)


def test_deletion_alone_does_not_run_the_insertion_sweep(tiny_cnn, images, targets):
    maps = torch.rand(*targets.shape, 8, 8)
    forwards = {}
    for metrics in (("deletion",), ("insertion",), ("deletion", "insertion")):
        with tiny_cnn.meter() as cost:
            score_maps(tiny_cnn, images, maps, targets, metrics=list(metrics))
        forwards[metrics] = cost.forwards
    assert forwards["deletion",] < 0.55 * forwards["deletion", "insertion"]
    assert forwards["insertion",] < 0.55 * forwards["deletion", "insertion"]


@pytest.mark.parametrize("fractions", [(0.0, 0.1, 1.0), (1.0, 0.5, 0.0), (0.5,)])
def test_uneven_fractions_are_refused(tiny_cnn, images, targets, fractions):
    maps, options = torch.rand(*targets.shape, 8, 8), {"curves": {"fractions": fractions}}
    with pytest.raises(OptionError, match="evenly spaced"):
        score_maps(tiny_cnn, images, maps, targets, metrics=["deletion"], options=options, strict=True)


def test_mda_ranks_whole_patches_by_the_size_of_their_value(tiny_cnn, images):
    """One value for all pixels of a patch, absolute, from 0 to 1; elsewhere bilinear and as it is."""
    maps = torch.tensor([[[[-3.0, 1.0], [2.0, 1.5]]]])
    evidence = collect_evidence(tiny_cnn, images[:1], maps, torch.tensor([[0]]), protocol="mda")
    expected = torch.tensor([[1.0, 0.0], [0.5, 0.25]]).repeat_interleave(16, 0).repeat_interleave(16, 1)
    torch.testing.assert_close(evidence["ranked_maps"][0, 0], expected)
    plain = evidence.under(get_protocol("aha"))["ranked_maps"][0, 0]
    assert len(plain.unique()) > 4
    assert float(plain[0, 0]) == -3.0
