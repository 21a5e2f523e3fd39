"""Grad-CAM, HiResCAM and LayerCAM against pytorch-grad-cam, for the layer that is found and one that is given."""

import pytest
import torch

import seewhy
from conftest import shake
from seewhy.models.timm import build_timm, import_timm

import_timm()  # pytorch-grad-cam imports torchvision, which may need its operators declared
pytest.importorskip("pytorch_grad_cam", reason="needs grad-cam, in the extra [test]")

# network, options, the layer that is given, and how pytorch-grad-cam must be told to read tokens
NETWORKS = {
    "resnet18": ({}, "layer3", None),
    "convnext_atto": ({}, "stages.2", None),
    "swin_tiny_patch4_window7_224": ({"img_size": 112, "window_size": 7}, "layers.1", "last"),
    "deit_tiny_patch16_224": ({"img_size": 96}, "blocks.6.norm1", 6),
}


def reshape(kind):
    if kind is None:
        return None
    if kind == "last":
        return lambda output: output.permute(0, 3, 1, 2)
    return lambda output: output[:, 1:].transpose(1, 2).unflatten(2, (kind, kind))


@pytest.mark.parametrize("found", [True, False], ids=["found", "given"])
@pytest.mark.parametrize("name", NETWORKS)
def test_equal_to_pytorch_grad_cam(name, found):
    from pytorch_grad_cam import GradCAM, HiResCAM, LayerCAM
    from pytorch_grad_cam.utils.model_targets import ClassifierOutputTarget

    options, given, kind = NETWORKS[name]
    with torch.random.fork_rng():
        torch.manual_seed(0)
        module = shake(build_timm(name, num_classes=5, **options), scale=0.02)
    size = options.get("img_size", 96)
    model = seewhy.wrap_model(module, image_size=size)
    images = torch.rand(3, 3, size, size, generator=torch.Generator().manual_seed(0))
    layer = model.feature_layer.name if found else given
    for method, theirs in {"grad_cam": GradCAM, "hires_cam": HiResCAM, "layer_cam": LayerCAM}.items():
        chosen = {} if found else {"layer": given}
        ours = seewhy.explain(model, images, method, 3, **chosen)
        assert ours.layer == layer
        with theirs(module, [module.get_submodule(layer)], reshape_transform=reshape(kind)) as cam:
            expected = cam(model.normalize(images), [ClassifierOutputTarget(3)] * len(images))
        for mine, other in zip(ours.heatmaps((size, size))[:, 0], torch.from_numpy(expected), strict=True):
            correlation = torch.corrcoef(torch.stack([mine.flatten(), other.flatten()]))[0, 1]
            assert correlation > 0.999, f"{method} at {layer}: {correlation:.4f}"
