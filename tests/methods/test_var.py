"""VAR against numbers checked by hand, and the symmetries it must keep."""

import math

import pytest
import torch

import seewhy
from seewhy.errors import InputError, OptionError, TargetError
from seewhy.methods.var import class_distribution, excess_share, keep_own, shared_evidence, var_algorithm
from seewhy.registry import METHODS, resolve_method
from seewhy.types import Attribution

FIRST, SECOND = [[1.0, 0.0], [2.0, -1.0]], [[0.0, 0.0], [3.0, -2.0]]
MAPS = torch.tensor([[FIRST, SECOND]])
BOTH = torch.ones(1, 2, dtype=torch.bool)


def refined(maps=MAPS, present=None, **options):
    present = torch.ones(maps.shape[:2], dtype=torch.bool) if present is None else present
    return keep_own(maps, excess_share(maps, present, **options), present)


@pytest.mark.parametrize(
    ("mode", "q", "first", "second"),
    [
        ("multiply", [[0.908122, 0.5], [0.091878, 0.908122]], [[0.908122, 0], [0, -0.908122]], [[0, 0], [2.724366, 0]]),
        ("divide", [[0.594464, 0.5], [0.405536, 0.594464]], [[0.594464, 0], [0, -0.594464]], [[0, 0], [1.783393, 0]]),
    ],
)
def test_hand_checked(mode, q, first, second):
    distribution = class_distribution(MAPS, BOTH, temperature_mode=mode)
    torch.testing.assert_close(distribution[0, 0], torch.tensor(q), atol=1e-6, rtol=0)
    torch.testing.assert_close(
        refined(temperature_mode=mode), torch.tensor([[first, second]]).float(), atol=2e-6, rtol=0
    )


@pytest.mark.parametrize(("mode", "expected"), [("divide", 0.399897), ("multiply", 0.813725)])
def test_three_classes_at_one_location(mode, expected):
    maps = torch.tensor([math.log(2), 0.0, 0.0]).view(1, 3, 1, 1)
    present = torch.ones(1, 3, dtype=torch.bool)
    alone = class_distribution(maps, present, temperatures=(1.0,), temperature_mode=mode)
    torch.testing.assert_close(alone.flatten(), torch.tensor([0.5, 0.25, 0.25]))
    averaged = class_distribution(maps, present, temperature_mode=mode)
    torch.testing.assert_close(averaged[0, 0, 0, 0], torch.tensor(expected), atol=1e-6, rtol=0)


def test_absolute_values():
    distribution = class_distribution(MAPS, BOTH, use_abs=True)
    torch.testing.assert_close(distribution[0, 0, 1, 1], torch.tensor(0.091878), atol=1e-6, rtol=0)


@pytest.mark.parametrize("classes", [2, 3, 7])
def test_equal_maps_give_exactly_zero(classes):
    maps = torch.randn(2, 1, 5, 5).expand(2, classes, 5, 5)
    assert (refined(maps) == 0).all()


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("unit", [1e-30, 1e-9, 1e-4, 1.0, 50.0])
def test_what_is_kept_depends_neither_on_dtype_nor_on_tiny_units(dtype, unit):
    maps = (torch.randn(1, 4, 16, 16) * unit).bfloat16()  # representable in every dtype
    exact = maps.double()
    excess = excess_share(exact, torch.ones(1, 4, dtype=torch.bool), temperatures=(1.0,))
    kept = (refined(maps.to(dtype), temperatures=(1.0,)) != 0).float()
    clear = (excess.abs() > 0.02 * excess.abs().max()) if dtype == torch.bfloat16 else torch.ones_like(kept).bool()
    assert torch.equal(kept[clear], (excess > 0).float()[clear])


@pytest.mark.parametrize("classes", [2, 3, 7])
@pytest.mark.parametrize("temperatures", [(1.0,), (1.0, 5.0, 100.0)])
def test_equal_to_the_published_algorithm(classes, temperatures):
    maps = torch.randn(3, classes, 16, 16, dtype=torch.float64)
    expected = torch.stack([var_algorithm(each, temperatures=temperatures) for each in maps])
    assert 0.05 < (expected != 0).double().mean() < 0.95
    torch.testing.assert_close(refined(maps, temperatures=temperatures), expected, rtol=1e-12, atol=1e-12)


def test_the_published_algorithm_by_hand(tiny_vit, images):
    expected = torch.tensor([[[0.908122, 0], [0, -0.908122]], [[0, 0], [2.724366, 0]]])
    torch.testing.assert_close(var_algorithm(MAPS[0]), expected, atol=2e-6, rtol=0)
    targets = torch.tensor([[1, 3, 0]])
    base = resolve_method("gradient")(tiny_vit, images[:1], targets).maps
    found = METHODS.get("var").function(tiny_vit, images[:1], targets, lambda *_: Attribution(base * 50)).maps
    torch.testing.assert_close(found[0], var_algorithm(50 * base[0]), rtol=1e-4, atol=1e-5)


def test_the_excess_is_that_of_the_softmax():
    maps, present = torch.randn(2, 4, 5, 5, dtype=torch.float64), torch.tensor([[True] * 4, [True, True, False, True]])
    q = (5 * maps).masked_fill(~present[..., None, None], -torch.inf).softmax(dim=1)
    expected = q - torch.tensor([1 / 4, 1 / 3]).double().view(2, 1, 1, 1)
    torch.testing.assert_close(excess_share(maps, present, temperatures=(5.0,)), expected)


def test_maps_of_a_half_precision_network_do_not_vanish(tiny_vit, images):
    targets = torch.tensor([[1, 3], [0, 2]])
    base = resolve_method("grad_cam_attention")(tiny_vit, images, targets).maps

    def rounded(_model, _images, _targets):
        return Attribution(base.bfloat16())

    maps = METHODS.get("var").function(tiny_vit, images, targets, rounded).maps
    full = METHODS.get("var").function(tiny_vit, images, targets, lambda *_: Attribution(base)).maps
    assert maps.dtype == torch.float32
    assert ((maps > 0) == (full > 0)).float().mean() > 0.95


def test_adding_one_map_to_all_classes_changes_nothing():
    maps, common = torch.randn(2, 4, 5, 5, dtype=torch.float64), torch.randn(2, 1, 5, 5, dtype=torch.float64)
    present = torch.ones(2, 4, dtype=torch.bool)
    torch.testing.assert_close(class_distribution(maps + common, present), class_distribution(maps, present))


def test_classes_may_be_permuted():
    maps, order = torch.randn(1, 4, 5, 5), [2, 0, 3, 1]
    torch.testing.assert_close(refined(maps[:, order]), refined(maps)[:, order])


def test_scaling_makes_the_result_independent_of_units():
    maps = torch.randn(2, 3, 4, 4)
    torch.testing.assert_close(
        1000 * refined(maps / 1000, scale="max"), refined(maps, scale="max"), rtol=1e-4, atol=1e-4
    )
    assert not torch.allclose(1000 * refined(maps / 1000), refined(maps), atol=1e-2)


def test_classes_that_are_not_present_do_not_compete():
    maps = torch.randn(1, 3, 4, 4)
    present = torch.tensor([[True, True, False]])
    torch.testing.assert_close(refined(maps, present)[:, :2], refined(maps[:, :2]))
    two = class_distribution(maps[:, :2], present[:, :2])
    torch.testing.assert_close(
        shared_evidence(maps, class_distribution(maps, present), present),
        shared_evidence(maps[:, :2], two, present[:, :2]),
    )


def test_shared_evidence_fades_where_one_class_dominates():
    maps = torch.tensor([[[[1.0, 9.0, -1.0]], [[1.0, 1.0, 2.0]]]])
    shared = shared_evidence(maps, class_distribution(maps, BOTH), BOTH)
    torch.testing.assert_close(shared, torch.tensor([[[1.0, 0.0, 0.0]]]), atol=1e-3, rtol=0)


def test_targets_are_the_contrast_set(tiny_cnn, images):
    targets = torch.tensor([[1, 3], [0, 2]])
    maps, extras = resolve_method("var:gradient")(tiny_cnn, images, targets)
    plain = resolve_method("gradient")(tiny_cnn, images, targets).maps
    torch.testing.assert_close(maps, refined(plain))
    assert torch.equal(extras["classes"], targets)
    torch.testing.assert_close(extras["distribution"].sum(1), torch.ones(2, 32, 32))


@pytest.mark.parametrize("classes", ["topk", "best_vs_worst", (4, "cat")])
def test_rivals_of_a_single_target(tiny_cnn, images, classes):
    ranked = tiny_cnn.probabilities(images).argsort(1, descending=True)
    predicted = ranked[:, :1]
    maps, extras = resolve_method("var:gradient")(tiny_cnn, images, predicted, classes=classes)
    assert maps.shape == (2, 1, 32, 32)
    expected = {
        "topk": [{*row[:2].tolist(), int(row[-1])} for row in ranked],
        "best_vs_worst": [{int(row[0]), int(row[-1])} for row in ranked],
        (4, "cat"): [{int(row[0]), 4, 2} for row in ranked],
    }[classes]
    assert [set(row.tolist()) - {-1} for row in extras["classes"]] == expected
    second = ranked[:, 1:2]  # the target is added where it is not in the set
    _, extras = resolve_method("var:gradient")(tiny_cnn, images, second, classes=classes)
    assert (extras["classes"][:, 0] == second[:, 0]).all()


def test_images_with_sets_of_different_size_equal_single_ones(tiny_cnn, images):
    ranked = tiny_cnn.probabilities(images).argsort(1, descending=True)
    targets = torch.stack([ranked[0, :1], ranked[1, 3:4]])  # in the top two; not in the set
    together = resolve_method("var:gradient")(tiny_cnn, images, targets)
    for i in range(2):
        alone = resolve_method("var:gradient")(tiny_cnn, images[i : i + 1], targets[i : i + 1])
        torch.testing.assert_close(together.maps[i], alone.maps[0])
        assert set(together.extras["classes"][i].tolist()) == set(alone.extras["classes"][0].tolist())


def test_contrast_at_the_image_or_on_the_grid(tiny_vit, images, targets):
    at_image, _ = resolve_method("var:grad_cam")(tiny_vit, images, targets)
    native, _ = resolve_method("var:grad_cam")(tiny_vit, images, targets, at="native")
    assert at_image.shape[-2:] == (32, 32)
    assert native.shape[-2:] == (4, 4)


def test_one_class_is_no_contrast(tiny_cnn, images):
    with pytest.raises(InputError, match="must differ"):
        seewhy.explain(tiny_cnn, images, "var:gradient", targets=["bee", "bee"])
    with pytest.raises(InputError, match="several times"):
        resolve_method("var:gradient")(tiny_cnn, images, torch.tensor([[1, 3], [2, 2]]))
    with pytest.raises(InputError, match="must contain a class other than the target"):
        seewhy.explain(tiny_cnn, images, "var:gradient", targets=2, classes=(2,))
    with pytest.raises(InputError, match="'topk', 'best_vs_worst'"):
        seewhy.explain(tiny_cnn, images, "var:gradient", classes="top")


def test_explain_by_name_and_over_several_chunks(tiny_cnn):
    images = torch.rand(18, 3, 32, 32)
    explanation = seewhy.explain(tiny_cnn, images, "var:grad_cam", targets=["ant", "bee"], relu=False)
    assert explanation.extras["shared"].shape == (18, 32, 32)
    single = seewhy.explain(tiny_cnn, images, "var:grad_cam", targets=4)
    assert single.extras["classes"].shape == (18, 4)


@pytest.mark.parametrize(
    ("options", "width"),
    [({"classes": (0, 1, 2, 3)}, 5), ({"classes": "best_vs_worst"}, 3), ({"k": 1}, 3), ({"k": 900}, 7)],
)
def test_contrast_sets_have_one_width_across_chunks(tiny_cnn, options, width):
    images, targets = torch.rand(17, 3, 32, 32), torch.zeros(17, 1, dtype=torch.int64)
    targets[16] = 4  # alone in the second part; not in the list
    extras = seewhy.explain(tiny_cnn, images, "var:gradient", targets, **options).extras
    assert {name: extras[name].shape[1] for name in ("classes", "plain", "distribution")} == {
        "classes": width,
        "plain": width,
        "distribution": width,
    }


def test_a_repeated_target_gets_its_map_again(tiny_cnn, images):
    contrast = resolve_method("var:gradient")
    twice, once = (contrast(tiny_cnn, images, torch.tensor([targets] * 2)) for targets in ([1, 1, 3], [1, 3]))
    torch.testing.assert_close(twice.maps, once.maps[:, [0, 0, 1]])
    torch.testing.assert_close(twice.extras["shared"], once.extras["shared"])
    assert twice.extras["classes"].tolist() == [[1, 3, -1]] * 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"classes": (1, 99)}, r"classes must be between 0 and 4, got \[1, 99\]"),
        ({"classes": (-1,)}, "classes must be between 0 and 4"),
        ({"classes": "cow"}, "'topk', 'best_vs_worst' or classes of the model: there is no class called 'cow'"),
        ({"classes": 5}, "classes must be a str or a list of values, got 5"),
        ({"k": 0}, "k must be an int of at least 1, got 0"),
        ({"k": 1.5}, "k must be an int of at least 1, got 1.5"),
        ({"temperatures": ()}, r"one or more numbers of at least 0, got \(\)"),
        ({"temperatures": (1.0, -5.0)}, "at least 0"),
        ({"temperatures": (math.nan,)}, "at least 0"),
        ({"temperatures": (0.0, 5.0), "temperature_mode": "divide"}, "one or more positive numbers"),
        ({"temperatures": 5.0}, "temperatures must be a list"),
        ({"targets": [0, 1], "classes": (2,)}, r"contrast set, so classes=\(2,\) has no effect"),
    ],
)
def test_invalid_options_are_refused(tiny_cnn, images, options, message):
    with pytest.raises((OptionError, TargetError), match=message):
        seewhy.explain(tiny_cnn, images, "var:gradient", **({"targets": 0} | options))


def test_without_class_names_the_output_gives_the_number_of_classes(tiny_cnn, images):
    tiny_cnn.class_names = None
    with pytest.raises(TargetError, match="classes must be between 0 and 4, got"):
        seewhy.explain(tiny_cnn, images, "var:gradient", targets=0, classes=(1, 5))


def test_a_single_name_is_one_rival(tiny_cnn, images):
    explanation = seewhy.explain(tiny_cnn, images, "var:gradient", targets="ant", classes="bee")
    assert explanation.extras["classes"].tolist() == [[0, 1]] * 2
