"""Small seeded networks for all tests."""

import os
from pathlib import Path

import pytest
import torch
from torch import nn

from browser_fixtures import browser, open_page  # noqa: F401 - here, because a process can start only one browser
from seewhy.models.module import ModuleClassifier
from seewhy.models.preprocess import Preprocess
from seewhy.models.timm import TimmViT, import_timm
from seewhy.registry import resolve_method

torch.set_num_threads(1)

TINY = Preprocess(size=(32, 32), mean=(0.5, 0.4, 0.6), std=(0.2, 0.3, 0.25))


def shake(module: nn.Module, seed: int = 0, scale: float = 0.3) -> nn.Module:
    """Perturb weights and biases so that classes differ."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator) * scale / max(1, parameter.ndim))
    return module.eval()


def make_tiny_vit(seed: int = 0, **options) -> TimmViT:
    import_timm()
    from timm.models.vision_transformer import VisionTransformer

    settings = dict(img_size=32, patch_size=8, embed_dim=16, depth=4, num_heads=2, num_classes=5) | options
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        module = shake(VisionTransformer(**settings), seed)
    size = settings["img_size"]
    size = (size, size) if isinstance(size, int) else size
    preprocess = Preprocess(size=size, mean=TINY.mean, std=TINY.std)
    return TimmViT(module, preprocess, name="tiny-vit", class_names=["ant", "bee", "cat", "dog", "elk"])


class TinyCNN(nn.Module):
    """Two convolutions, global average pooling, a linear head."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 8, 5, stride=2, padding=2),
            nn.ReLU(),
            nn.Conv2d(8, 12, 3, stride=2, padding=1),
            nn.ReLU(inplace=True),
        )
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(12, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.pool(self.body(x)).flatten(1))


def make_tiny_cnn(seed: int = 0) -> ModuleClassifier:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        module = shake(TinyCNN(), seed)
    return ModuleClassifier(module, TINY, name="tiny-cnn", class_names=["ant", "bee", "cat", "dog", "elk"])


def save_encoder(path: Path, seed: int) -> None:
    """Save weights for an explainer's encoder `timm/test_vit`."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        torch.save(import_timm().create_model("test_vit", num_classes=0).state_dict(), path)


@pytest.fixture
def tiny_vit() -> TimmViT:
    return make_tiny_vit()


@pytest.fixture
def double_vit() -> TimmViT:
    model = make_tiny_vit()
    model.module.double()
    return model


@pytest.fixture
def in_double():
    """Reference implementations create double tensors, too."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


@pytest.fixture
def check(double_vit, images, targets):
    """Compare a method, in double precision, with a reference implementation for one image and class at a time."""

    def check(name, reference, **options):
        maps = resolve_method(name)(double_vit, images.double(), targets, **options).maps
        normalized = double_vit.normalize(images.double())
        for image in range(len(images)):
            for k in range(targets.shape[1]):
                expected = reference(double_vit.module, normalized[image], int(targets[image, k]))
                torch.testing.assert_close(maps[image, k], expected.detach().view(maps.shape[2:]), rtol=1e-6, atol=1e-9)

    return check


@pytest.fixture
def tiny_cnn() -> ModuleClassifier:
    return make_tiny_cnn()


@pytest.fixture
def images() -> torch.Tensor:
    return torch.rand(2, 3, 32, 32, generator=torch.Generator().manual_seed(1))


@pytest.fixture
def targets() -> torch.Tensor:
    return torch.tensor([[1, 3], [0, 2]])


@pytest.fixture(scope="session")
def data() -> Path:
    """Folder of pretrained models and photos; tests that need it are skipped without it."""
    folder = Path(os.environ.get("SEEWHY_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("set SEEWHY_DATA to a folder with models/ and imagenet-val/")
    return folder
