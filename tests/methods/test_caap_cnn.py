"""CAAP on convolutional networks: blocks as the paper counts them, and the splice against doing it by hand."""

import itertools

import pytest
import torch
from torch import nn

from conftest import TINY, make_tiny_cnn, shake
from seewhy.errors import OptionError, UnsupportedModel
from seewhy.interventions.spliced import last_complete_cut, network_blocks, resume, state_after
from seewhy.methods.caap import caap
from seewhy.methods.simple_deletion import simple_deletion
from seewhy.methods.simple_insertion import simple_insertion
from seewhy.models.module import ModuleClassifier
from seewhy.models.preprocess import Preprocess
from seewhy.models.timm import import_timm


def path_of(model, layer):
    return next(path for path, part in model.module.named_modules() if part is layer)


def timm_cnn(name, size=64):
    timm = import_timm()
    with torch.random.fork_rng():
        torch.manual_seed(0)
        module = timm.create_model(name, pretrained=False, num_classes=5).eval()
    return ModuleClassifier(module, Preprocess((size, size)), name=name)


@pytest.mark.parametrize(
    ("name", "count", "cut"),
    [
        ("resnet18", 8, "layer3.1"),
        ("resnet50", 16, "layer3.3"),
        ("densenet121", 58, "features.denseblock3.denselayer21"),
    ],
)
def test_blocks_are_those_of_the_paper(name, count, cut):
    model = timm_cnn(name)
    blocks = network_blocks(model)
    assert len(blocks) == count
    block = -(-2 * count // 3)
    assert path_of(model, blocks[block - 1]) == cut
    with torch.no_grad():
        assert last_complete_cut(model, block) == block


def test_a_dense_block_passes_on_all_earlier_maps():
    model = timm_cnn("densenet121")
    images = torch.rand(2, 3, 64, 64, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        state = state_after(model, images, 39)
        assert len(state) == 22
        torch.testing.assert_close(resume(model, state, 39), model.logits(images))


def test_splice_by_hand():
    model = make_tiny_cnn()
    image, targets = torch.rand(1, 3, 32, 32, generator=torch.Generator().manual_seed(1)), torch.tensor([[1, 3]])
    body, expected = model.module.body, []
    with torch.no_grad():
        source, reference = (body(model.normalize(picture)) for picture in (image, torch.ones_like(image)))
        for row, col in itertools.product(range(8), repeat=2):  # an eighth of the image is one cell
            spliced = reference.clone()
            spliced[..., row, col] = source[..., row, col]
            expected.append(model.module.head(model.module.pool(spliced).flatten(1)).softmax(-1)[0, [1, 3]])
    maps = caap(model, image, targets, select="none")
    torch.testing.assert_close(maps, torch.stack(expected, dim=1).view(1, 2, 8, 8))


def test_splice_at_the_first_layer_of_a_local_network_is_insertion():
    """Patches that no kernel crosses: splicing maps and splicing pixels are the same."""
    module = shake(nn.Sequential(nn.Conv2d(3, 8, 4, stride=4), nn.ReLU(), nn.Conv2d(8, 6, 1), nn.Flatten()))
    module.append(shake(nn.Linear(384, 5)))
    model = ModuleClassifier(module.eval(), TINY, name="local")
    image, targets = torch.rand(1, 3, 32, 32, generator=torch.Generator().manual_seed(1)), torch.tensor([[1]])
    expected = simple_insertion(model, image, targets, select="none")
    for blocks in ((0, 1), (0, 2)):
        torch.testing.assert_close(caap(model, image, targets, select="none", blocks=blocks), expected)


def test_windows_must_hold_something():
    model, image, nothing = make_tiny_cnn(), torch.rand(1, 3, 32, 32), torch.zeros(64, 64, dtype=torch.bool)
    for method in (caap, simple_insertion, simple_deletion):
        with pytest.raises(OptionError, match="empty window"):
            method(model, image, torch.tensor([[0]]), select=nothing)


def test_only_propagation_exists():
    with pytest.raises(UnsupportedModel, match="got 'reference'"):
        caap(make_tiny_cnn(), torch.rand(1, 3, 32, 32), torch.tensor([[0]]), after="reference")


class Remembering(nn.Module):
    """Shapes its last tensor by the number of images that came in, as EfficientNet-Lite does."""

    def __init__(self) -> None:
        super().__init__()
        self.body = make_tiny_cnn().module.body
        self.head = nn.Linear(12, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(x).mean(dim=(2, 3)).view(x.shape[0], -1))


def test_a_network_that_remembers_how_many_images_came_in():
    model = ModuleClassifier(shake(Remembering()), TINY, name="remembering")
    images = torch.rand(3, 3, 32, 32, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        assert last_complete_cut(model, 2) == 2
        torch.testing.assert_close(resume(model, state_after(model, images, 2), 2), model.logits(images))


def test_small_images_get_a_grid_whose_windows_differ(tiny_cnn, images):
    """On 2x2 cells of 16 pixels every window would be the whole image of 32."""
    maps = caap(tiny_cnn, images, torch.tensor([[0], [3]]))
    assert maps.shape[-2:] == (8, 8)
    assert (maps.flatten(2).std(dim=-1) > 0).all()
