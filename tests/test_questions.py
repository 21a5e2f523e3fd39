"""What changes the decision: flips and covered regions of a network whose answers are known."""

import numpy as np
import pytest
import torch
from PIL import Image
from torch import nn

import seewhy
from seewhy.errors import InputError, OptionError, ShapeError, UnknownName
from seewhy.models.module import ModuleClassifier
from seewhy.models.preprocess import Preprocess


class Brightness(nn.Module):
    """Bright if the mean of all pixels is above 0.62, else dark."""

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        mean = images.mean(dim=(1, 2, 3))
        return 50 * torch.stack([mean, torch.full_like(mean, 0.62)], dim=1)


@pytest.fixture
def brightness() -> ModuleClassifier:
    preprocess = Preprocess((20, 20), mean=(0.0,) * 3, std=(1.0,) * 3, crop=1.0)
    return ModuleClassifier(Brightness(), preprocess, name="brightness", class_names=["bright, light", "dark"])


def test_flip_finds_the_smallest_share_and_the_other_class(brightness):
    maps = torch.rand(1, 1, 20, 20, generator=torch.Generator().manual_seed(0))
    explanation = seewhy.Explanation.from_maps(maps, targets=0, images=torch.ones(1, 3, 20, 20))
    (flip,) = explanation.flip(brightness, references=("black",))
    assert flip.decision == "bright"
    assert (flip.deletion, flip.becomes) == (0.4, "dark")  # 0.6 of the pixels left are too few, 0.65 would do
    assert (flip.insertion, flip.instead_of) == (0.65, "dark")
    (partly,) = explanation.flip(brightness, references=("black",), fractions=(0.2, 0.4, 0.5))
    assert partly.deletion == 0.4  # of all pixels, not of the largest share
    words = repr(explanation.flip(brightness, references=("black",))).split()
    assert words[-4:] == ["40.0%", "dark", "65.0%", "dark"]


def test_flip_by_reference_and_never(brightness):
    explanation = seewhy.Explanation.from_maps(torch.rand(1, 1, 4, 4), targets=1, images=torch.ones(1, 3, 20, 20))
    black, blur = explanation.flip(brightness, references=("black", "blur"))
    assert (black.reference, blur.reference) == ("black", "blur")
    assert blur.deletion is blur.becomes is None  # the blurred white image is white
    assert (blur.insertion, blur.instead_of) == (0.0, None)
    assert "never" in repr(seewhy.flip(brightness, explanation, references=("blur",)))


def test_flip_says_what_its_options_are(brightness):
    explanation = seewhy.Explanation.from_maps(torch.rand(4, 4), targets=0, images=torch.ones(1, 3, 20, 20))
    with pytest.raises(UnknownName, match=r"no reference called 'blakc'\. Did you mean 'black'"):
        explanation.flip(brightness, references=("blakc",))
    for fractions in ((2.0,), (0.5, 0.1), ()):
        with pytest.raises(OptionError, match="from 0 to 1, ascending"):
            explanation.flip(brightness, fractions=fractions)


def test_flip_needs_images_and_a_model(brightness, tiny_vit, images):
    with pytest.raises(InputError, match="holds no images"):
        seewhy.Explanation.from_maps(torch.rand(1, 1, 4, 4), targets=0).flip(brightness)
    with pytest.raises(InputError, match="pass model"):
        seewhy.Explanation.from_maps(torch.rand(1, 1, 4, 4), targets=0).flip()
    assert len(seewhy.explain(tiny_vit, images, "grad_cam").flip(fractions=(0.0, 0.5, 1.0))) == 2 * 3


def test_cover_a_box_of_the_original(brightness):
    white = Image.new("RGB", (40, 40), "white")
    answer = seewhy.cover(brightness, white, (0, 0, 20, 40), reference="black")
    assert answer.share == 0.5
    assert answer.flipped
    assert torch.equal(answer.images[1, 0], torch.cat([torch.zeros(20, 10), torch.ones(20, 10)], dim=1))
    assert "changes from bright to dark" in repr(answer)
    kept = seewhy.cover(brightness, white, (0, 0, 10, 40), reference=(0.0, 0.0, 0.0))
    assert not kept.flipped
    assert seewhy.cover(brightness, white, (0, 0, 10, 40), reference="black", inverse=True).share == 0.75


def test_cover_a_mask(brightness):
    mask = np.zeros((40, 40), dtype=bool)
    mask[:20] = True
    assert seewhy.cover(brightness, Image.new("RGB", (40, 40), "white"), mask, reference="black").share == 0.5
    small = torch.ones(20, 20) > 0.5
    assert seewhy.cover(brightness, Image.new("RGB", (40, 40), "white"), small, reference="black").share == 1


@pytest.mark.parametrize(
    ("region", "error", "message"),
    [
        ((10, 0, 5, 5), OptionError, "left < right"),
        ((1, 2, 3), ShapeError, "region must be a box"),
        (np.zeros((7, 7), dtype=bool), ShapeError, r"mask of the image's size \(20, 20\)"),
    ],
)
def test_cover_says_what_a_region_is(brightness, region, error, message):
    with pytest.raises(error, match=message):
        seewhy.cover(brightness, torch.ones(3, 20, 20), region)


def test_cover_says_what_a_reference_is(brightness):
    with pytest.raises(OptionError, match="reference must be 'black'"):
        seewhy.cover(brightness, torch.ones(3, 20, 20), (0, 0, 5, 5), reference="pink")


def test_cover_refuses_a_region_that_holds_nothing(brightness):
    with pytest.raises(OptionError, match="in pixels of the image"):
        seewhy.cover(brightness, torch.ones(3, 20, 20), (0.1, 0.1, 0.2, 0.2))


def test_cover_speaks_of_what_the_model_sees(brightness):
    answer = seewhy.cover(brightness, torch.ones(3, 20, 20), (0, 0, 10, 20), reference="black")
    assert "50.0% of what the model sees covered" in repr(answer)
    name, before, after = answer.top()[0]
    assert (name, before) == (answer.decisions[0], float(answer.before.max()))
    assert after <= before


class Labels(nn.Module):
    """Independent labels: bright and (nearly) always light."""

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        mean = images.mean(dim=(1, 2, 3))
        return 50 * torch.stack([mean - 0.62, mean + 0.01], dim=1)


@pytest.fixture(params=["sigmoid", "probabilities"])
def labels(request):
    net = Labels() if request.param == "sigmoid" else nn.Sequential(Labels(), nn.Sigmoid())
    names, colors = ["bright", "light"], {"mean": (0.0,) * 3, "std": (1.0,) * 3}
    return seewhy.wrap_model(net, image_size=20, **colors, outputs=request.param, class_names=names)


def test_each_label_flips_by_itself(labels):
    """Label bright gets lost although light, the more probable one, stays on top all the time."""
    maps = torch.rand(1, 2, 20, 20, generator=torch.Generator().manual_seed(0))
    explanation = seewhy.Explanation.from_maps(maps, targets=[[0, 1]], images=torch.ones(1, 3, 20, 20))
    bright, light = explanation.flip(labels, references=("black",))
    assert (bright.target, bright.decision, bright.becomes) == ("bright", "bright", "not bright")
    assert (bright.deletion, bright.insertion, bright.instead_of) == (0.4, 0.65, "not bright")
    assert (light.target, light.decision, light.deletion) == ("light", "light", None)


def test_covering_names_all_labels(labels):
    answer = seewhy.cover(labels, torch.ones(1, 3, 20, 20), (0, 0, 10, 20), reference="black")
    assert "the labels change from bright, light to light" in repr(answer)
    assert answer.flipped
    small = seewhy.cover(labels, torch.ones(1, 3, 20, 20), (0, 0, 1, 1), reference="black")
    assert "the labels stay bright, light" in repr(small)
    assert not small.flipped


def test_one_label_is_searched_at_a_time(labels):
    image = torch.ones(1, 3, 20, 20)
    with pytest.raises(InputError, match=r"no single decision: smallest_flip\(model\.of_label"):
        seewhy.smallest_flip(labels, image)
    found = seewhy.smallest_flip(labels.of_label(0), image, reference="black")
    assert "changes from bright to not bright" in repr(found)
