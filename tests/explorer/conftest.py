"""One Scenes image explained by four methods."""

import pytest

import seewhy
from seewhy.explorer import make_bundle
from seewhy.metrics.protocols import get_protocol
from seewhy.ops.curves import evenly_spaced
from seewhy.zoo.scenes import Scenes

METHODS = ("grad_cam_attention", "libra_ixg_plus", "random", "center")
PROTOCOL = get_protocol("aha").with_options({"curves": {"fractions": evenly_spaced(11)}})
REFERENCES = ("black", "blur")


@pytest.fixture(scope="session")
def model():
    return seewhy.load_model("seewhy/scenes-vit")


@pytest.fixture(scope="session")
def explanations(model):
    scene = Scenes("test", 96)[7]
    targets = [scene.label, scene.pair]
    return [seewhy.explain(model, scene.image[None], method, targets=targets) for method in METHODS]


@pytest.fixture(scope="session")
def bundle(model, explanations):
    return make_bundle(model, explanations, references=REFERENCES, protocol=PROTOCOL)


@pytest.fixture(scope="session")
def protocol():
    return PROTOCOL.with_options({"curves": {"references": REFERENCES}})
