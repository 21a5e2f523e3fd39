import dataclasses

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import save_file

import seewhy
from conftest import make_tiny_cnn
from seewhy.errors import InputError, UnknownName
from seewhy.explanation import Explanation
from seewhy.explorer import Bundle, make_bundle
from seewhy.metrics import collect_evidence, get_protocol, score_maps
from seewhy.metrics.references import AdaptiveBlur, NormalizedConstant, ReferencePair
from seewhy.ops.curves import pixel_order
from seewhy.ops.resize import resize_maps


def explain_tiny(model, images, method="gradient", **options):
    return seewhy.explain(model, images, method, targets=[1, 3], **options)


def test_a_bundle_reads_back_as_it_was_written(bundle):
    again = Bundle.from_bytes(bundle.to_bytes())
    assert repr(again) == repr(bundle)
    for entry, written in zip(again.entries, bundle.entries, strict=True):
        np.testing.assert_array_equal(entry.ranks, written.ranks)
        np.testing.assert_array_equal(entry.probabilities, written.probabilities)
        assert entry.ranks.dtype == np.uint16


def test_ranks_are_the_order_of_the_metrics(bundle, explanations):
    for entry, explanation in zip(bundle.entries, explanations, strict=True):
        order = pixel_order(resize_maps(explanation.maps, (224, 224)))[0]
        for k, ranks in enumerate(entry.ranks):
            assert np.array_equal(ranks.reshape(-1)[order[k]], np.arange(224 * 224))


def test_scores_are_those_of_the_metrics(bundle, explanations, model, protocol):
    explanation = explanations[1]
    pixels, maps, targets = explanation.images, explanation.maps[:, :1], explanation.targets[:, :1]
    metrics = ["deletion", "insertion", "ins_del"]
    rows = score_maps(model, pixels, maps, targets, metrics=metrics, protocol=protocol)
    scores = {(each.metric, each.reference): each.score for each in bundle.entries[1].scores if each.target == 7}
    assert len(rows) == len(scores) == 9
    for row in rows:
        assert scores[row["metric"], row["reference"]] == pytest.approx(row["score"], abs=1e-6)


def test_class_agnostic_maps_are_kept_once(bundle):
    assert [len(entry.maps) for entry in bundle.entries] == [2, 2, 1, 1]
    assert {score.target for score in bundle.entries[-1].scores} == set(bundle.targets)


def test_watched_classes_begin_with_the_explained_ones(bundle, model, explanations):
    assert bundle.watched[:2] == bundle.targets == (7, 6)
    clean = model.probabilities(explanations[0].images)[0]
    assert set(clean.topk(8).indices.tolist()) <= set(bundle.watched)
    np.testing.assert_allclose(bundle.probabilities, clean[list(bundle.watched)].numpy(), atol=1e-6)
    assert bundle.class_names[7] == "log truck"


def test_one_color_is_one_pixel(bundle):
    black, blur = bundle.references
    assert black.deletion.shape == (1, 3, 1, 1)
    assert blur.deletion.shape == (1, 3, 224, 224)


def test_what_the_method_warned_about_is_kept(tiny_vit, images, tmp_path):
    with pytest.warns(UserWarning, match="no blur up to"):
        explanation = seewhy.explain(tiny_vit, images[:1], "mda", targets=[2])
    (note,) = explanation.notes
    assert note.startswith("mda: no blur up to 101 pixels")
    assert Explanation.load(explanation.save(tmp_path / "noted")).notes == (note,)
    bundle = Bundle.from_bytes(make_bundle(tiny_vit, explanation, references=["black"], metrics=[]).to_bytes())
    assert note in bundle.entries[0].notes


def test_failed_checks_are_kept_in_words(tiny_vit, images):
    flat = Explanation(torch.zeros(1, 1, 2, 2), torch.tensor([[1]]), images=images[:1])
    (note,) = make_bundle(tiny_vit, flat, references=["black"]).entries[0].notes
    assert note.startswith("a map is flat")
    maps = torch.stack([torch.rand(1, 2, 2), torch.zeros(1, 2, 2)], dim=1)
    one_flat = Explanation(maps, torch.tensor([[1, 3]]), images=images[:1])
    (note,) = make_bundle(tiny_vit, one_flat, references=["black"], metrics=[]).entries[0].notes
    assert note.endswith(f"({tiny_vit.class_names[3]})")


def test_code_names_no_folder_of_this_machine(tmp_path):
    network = seewhy.load_model("timm/test_vit", weights="random").module
    save_file(network.state_dict(), tmp_path / "weights.safetensors")
    model = seewhy.load_model("timm/test_vit", weights=tmp_path / "weights.safetensors")
    Image.new("RGB", (160, 160), "red").save(tmp_path / "red.png")
    explanation = seewhy.explain(model, tmp_path / "red.png", "gradient")
    content = make_bundle(model, explanation, references=["black"]).to_bytes()
    assert str(tmp_path).encode() not in content
    code = Bundle.from_bytes(content).entries[0].code
    assert "image = 'red.png'  # its path\n" in code
    assert "weights='weights.safetensors')  # weights: their path\n" in code


def test_code_makes_the_same_map(bundle, tmp_path):
    Image.fromarray(bundle.image.transpose(1, 2, 0)).save(tmp_path / "scene.png")
    entry = bundle.entries[0]
    code = entry.code.replace("image = ...", f"image = {str(tmp_path / 'scene.png')!r}")
    made: dict = {}
    exec(code.replace("explanation.view()", ""), made)
    np.testing.assert_allclose(made["explanation"].maps[0], entry.maps, atol=1e-6)


def test_any_metric_can_be_scored(tiny_vit, images):
    explanation = explain_tiny(tiny_vit, images)
    scores = make_bundle(tiny_vit, explanation, 1, metrics=["sparseness", "deletion"]).entries[0].scores
    rows = seewhy.evaluate(tiny_vit, explanation, ["sparseness", "deletion"])
    expected = {(row["metric"], row["reference"], row["target"]): row["score"] for row in rows if row["image"] == 1}
    assert {(each.metric, each.reference, each.target): each.score for each in scores} == pytest.approx(expected)


def test_the_curves_are_those_behind_the_scores(tiny_vit, images):
    explanation = explain_tiny(tiny_vit, images)
    bundle = make_bundle(tiny_vit, explanation, 1)
    curves = collect_evidence(tiny_vit, images, explanation.maps, explanation.targets)["curves"]
    for k, target in enumerate(bundle.targets):
        measured = bundle.entries[0].probabilities[k, ..., bundle.watched.index(target)]
        np.testing.assert_allclose(measured[0], curves.deletion.probability[1, k], atol=1e-6)
        np.testing.assert_allclose(measured[1], curves.insertion.probability[1, k], atol=1e-6)
        np.testing.assert_array_equal(bundle.entries[0].top1[k, 0], curves.deletion.top1[1, k])


def test_a_reference_may_depend_on_the_class(tiny_vit, images):
    adaptive = ReferencePair("adaptive", NormalizedConstant(), AdaptiveBlur(1, 9, max_probability=0.25))
    protocol = get_protocol("aha").with_options({"curves": {"references": (adaptive,)}})
    explanation = explain_tiny(tiny_vit, images, "center")
    bundle = make_bundle(tiny_vit, explanation, protocol=protocol)
    curves = collect_evidence(tiny_vit, images, explanation.maps, explanation.targets, protocol=protocol)["curves"]
    assert bundle.references[0].deletion.shape == (1, 3, 1, 1)
    assert bundle.references[0].insertion.shape[0] in (1, 2)
    assert len(bundle.entries[0].maps) == 1  # the method is class-agnostic, its curves are not
    for k, target in enumerate(bundle.targets):
        measured = bundle.entries[0].probabilities[k, 0, 0, :, bundle.watched.index(target)]
        np.testing.assert_allclose(measured, curves.deletion.probability[0, k, 0], atol=1e-6)


def test_a_film_holds_every_step(tiny_vit, images):
    options = {"steps": 3, "points": 2, "lattice": 4, "grids": (4,)}
    explanation = seewhy.explain(tiny_vit, images, "refine:gradient", targets=[1, 3], **options)
    extras = make_bundle(tiny_vit, explanation, references=["black"]).entries[0].extras
    assert extras["path"].shape == (2, 4, 4, 4)
    np.testing.assert_allclose(extras["path"], explanation.extras["path"][0], rtol=0.01)  # kept in half the precision
    for name in ("objective", "kept"):
        np.testing.assert_array_equal(extras[name], explanation.extras[name][0])


def test_large_images_have_wide_ranks():
    model = make_tiny_cnn().with_size((272, 256))
    explanation = seewhy.explain(model, torch.rand(1, 3, 272, 256), "center", targets=[1])
    entry = make_bundle(model, explanation, references=["black"]).entries[0]
    assert entry.ranks.dtype == np.uint32
    assert entry.ranks.max() == 272 * 256 - 1


def test_maps_made_elsewhere_need_no_method(tiny_vit, images):
    explanation = Explanation.from_maps(torch.rand(2, 1, 4, 4), targets=torch.tensor([[1], [2]]), images=images)
    entry = make_bundle(tiny_vit, explanation, image=1).entries[0]
    assert (entry.method, entry.citation, entry.about) == ("custom", "", "")


def test_wrong_use_is_told(tiny_vit, images):
    explanation = explain_tiny(tiny_vit, images)
    with pytest.raises(InputError, match="at least one explanation"):
        make_bundle(tiny_vit, [])
    with pytest.raises(InputError, match="between 0 and 1, got 2"):
        make_bundle(tiny_vit, explanation, image=2)
    with pytest.raises(InputError, match="holds none"):
        make_bundle(tiny_vit, dataclasses.replace(explanation, images=None))
    with pytest.raises(InputError, match="explains another one"):
        make_bundle(tiny_vit, [explanation, explain_tiny(tiny_vit, 1 - images)])
    with pytest.raises(InputError, match="Explain the same targets"):
        make_bundle(tiny_vit, [explanation, seewhy.explain(tiny_vit, images, "center", targets=[0, 3])])
    twice = Explanation.from_maps(torch.rand(2, 2, 4, 4), targets=torch.tensor([[1, 1], [2, 3]]), images=images)
    with pytest.raises(InputError, match=r"every class once, got the targets \[1, 1\]"):
        make_bundle(tiny_vit, twice)
    with pytest.raises(UnknownName, match="reference"):
        make_bundle(tiny_vit, explanation, references=["white"])
    with pytest.raises(InputError, match="not a bundle"):
        Bundle.from_bytes(b"nonsense")
