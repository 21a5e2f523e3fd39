"""A function of the outputs is explained, named, saved and scored as such, never as class 0."""

import pytest
import torch

import seewhy
from seewhy.errors import InputError, ModelError


def third(outputs):
    """One output, which is not the first."""
    return outputs[:, 2]


@pytest.fixture
def explained(tiny_cnn, images):
    return seewhy.explain(tiny_cnn, images, "gradient", targets=third)


def test_evaluation_scores_the_function(tiny_cnn, explained):
    ours = seewhy.evaluate(tiny_cnn, explained, ["deletion"])
    expected = seewhy.evaluate(tiny_cnn.with_target(third), explained, ["deletion"])
    assert [row["score"] for row in ours] == [row["score"] for row in expected]
    classes = seewhy.evaluate(tiny_cnn, seewhy.explain(tiny_cnn, explained.images, "gradient", targets=0), ["deletion"])
    assert [row["score"] for row in ours] != [row["score"] for row in classes]


def test_the_label_is_its_name_and_value(explained):
    value = float(explained.probabilities[0, 0])
    assert explained.label() == f"third {value:.4g}"
    unnamed = seewhy.explain(
        explained.classifier.with_target(lambda outputs: outputs[:, 1]), explained.images, "gradient"
    )
    assert unnamed.label().startswith("score ")


def test_a_saved_one_needs_the_function(tiny_cnn, explained, tmp_path):
    loaded = seewhy.Explanation.load(explained.save(tmp_path / "maps"))
    with pytest.raises(InputError, match=r"function of the outputs \(third\).*with_target"):
        seewhy.evaluate(tiny_cnn, loaded, ["deletion"])
    again = seewhy.evaluate(tiny_cnn.with_target(third), loaded, ["deletion"], images=explained.images)
    expected = seewhy.evaluate(tiny_cnn, explained, ["deletion"])
    assert [row["score"] for row in again] == pytest.approx([row["score"] for row in expected], abs=1e-5)


def test_it_makes_no_decision(explained):
    with pytest.raises(InputError, match="no decision that could flip"):
        explained.flip()


def test_covering_shows_its_values(explained):
    model = explained.scored_by(explained.classifier)
    answer = seewhy.cover(model, explained.images[:1], (0, 0, 16, 16))
    name = model.outputs.target_name
    assert answer.top() == [(name, float(answer.before[0]), float(answer.after[0]))]
    assert answer.table()[0] == ["score", "before", "after"]
    assert "decision" not in repr(answer)
    assert "%" not in repr(answer).partition("\n")[2]
    assert not answer.flipped


class Features(torch.nn.Module):
    """No logits: a feature map."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3)

    def forward(self, x):
        return self.conv(x)


def test_a_module_without_logits_is_explained_by_a_function_of_its_outputs(images):
    with pytest.warns(UserWarning, match="assumed"):
        explanation = seewhy.explain(Features(), images, "gradient", targets=lambda maps: maps.mean(dim=(1, 2, 3)))
    assert explanation.label().startswith("score ")
    with pytest.raises(seewhy.errors.ModelError, match=r"wrap_model\(…, target=function\)"):
        seewhy.wrap_model(Features(), image_size=32)


@pytest.mark.parametrize("wrong", [lambda outputs: outputs[0], lambda outputs: outputs.sum()])
def test_it_must_give_a_score_per_image(tiny_cnn, images, wrong):
    with pytest.raises(ModelError, match="must return a score per image"):
        seewhy.explain(tiny_cnn, images, "gradient", targets=wrong)


def in_numpy(outputs):
    """A score per image, computed where torch cannot follow."""
    return torch.from_numpy(outputs.detach().numpy()[:, 2].copy())


@pytest.mark.parametrize(
    ("cut", "name"),
    [
        (lambda outputs: outputs.detach()[:, 2], "<lambda>"),
        (lambda outputs: outputs.numpy()[:, 2], "<lambda>"),
        (in_numpy, "in_numpy"),
        (lambda outputs: outputs[0, 2].item(), "<lambda>"),
    ],
)
@pytest.mark.parametrize("method", ["gradient", "grad_cam", "integrated_gradients", "refine:gradient"])
def test_gradients_need_torch(tiny_cnn, images, method, cut, name):
    with pytest.raises(ModelError, match=rf"target function '{name}' .*operations of torch.*\.detach\(\)"):
        seewhy.explain(tiny_cnn, images, method, targets=cut)


def test_methods_without_gradients_take_any_function(tiny_cnn, images):
    cut, plain = (seewhy.explain(tiny_cnn, images, "occlusion", targets=each, window=8) for each in (in_numpy, third))
    assert torch.equal(cut.maps, plain.maps)
