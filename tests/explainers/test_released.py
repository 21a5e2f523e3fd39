"""The authors' file: every tensor by its name and shape, as the specification lists them."""

from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

from seewhy.errors import WeightsError
from seewhy.explainers import network
from seewhy.explainers.decoder import Decoder, Sizes
from seewhy.explainers.network import AHAExplainer
from seewhy.explainers.presets import OFFICIAL
from seewhy.explainers.released import read_released


def conv(name, outputs, inputs, size, *, bias=True):
    return {f"{name}.weight": (outputs, inputs, size, size)} | ({f"{name}.bias": (outputs,)} if bias else {})


def norm(name, width):
    vectors = {f"{name}.{part}": (width,) for part in ("weight", "bias", "running_mean", "running_var")}
    return vectors | {f"{name}.num_batches_tracked": ()}


def released_shapes(width, classes):
    """Names and shapes of the released state dict for an encoder of this width."""
    shapes = {"target_class_embedding.weight": (classes, width)}
    resizers = {0: 4, 1: 2, 3: 3}
    for i in range(4):
        stage = f"decoder.reassemble_stages.{i}"
        shapes |= {f"{stage}.readout_project.0.weight": (width, 2 * width), f"{stage}.readout_project.0.bias": (width,)}
        shapes |= norm(f"{stage}.norm", width) | conv(f"{stage}.project.0", 256, width, 1)
        shapes |= conv(f"{stage}.resize", 256, 256, resizers[i]) if i in resizers else {}
        shapes |= conv(f"decoder.stage_convs.{i}.0", 128, 256, 3, bias=False)
        for unit in (1, 2) if i else (2,):
            for number in (1, 2):
                name = f"decoder.fusion_blocks.{i}.res_conv_unit{unit}.conv{number}"
                shapes |= conv(name, 128, 128, 3, bias=False)
        shapes |= conv(f"decoder.fusion_blocks.{i}.project.0", 128, 128, 1)
    shapes |= conv("decoder.project.0", 128, 128, 3) | conv("decoder.head.net.0", 64, 128, 3)
    shapes |= conv("decoder.head.net.2", 32, 64, 3) | conv("decoder.head.net.4", 128, 32, 1)
    shapes |= norm("pre_refine_norm", 128) | conv("refine_block.0", 128, 1, 3, bias=False) | norm("refine_block.1", 128)
    shapes |= conv("refine_block.3", 64, 128, 1, bias=False) | norm("refine_block.4", 64)
    shapes |= conv("refine_block.6", 64, 64, 3, bias=False) | norm("refine_block.7", 64)
    return shapes | conv("final_conv", 1, 64, 3)


def make_released(width, classes):
    generator = torch.Generator().manual_seed(0)
    return {
        name: torch.rand(shape, generator=generator) * 0.1 if shape else torch.tensor(7)
        for name, shape in released_shapes(width, classes).items()
    }


def test_every_tensor_of_the_released_file_has_its_place(tmp_path):
    released = make_released(1024, 1000)
    assert sum(value.numel() for name, value in released.items() if "running" not in name and value.ndim) == 15_977_505
    torch.save(released, tmp_path / "weights_final.pt")
    with torch.device("meta"):
        decoder = Decoder(Sizes((1024,) * 4, 1000, pyramid=False), shape=OFFICIAL.explainer.shape)
    tensors = read_released(tmp_path / "weights_final.pt")
    assert {name: value.shape for name, value in tensors.items()} == {
        name: value.shape for name, value in decoder.state_dict().items()
    }
    assert_close(
        tensors["fusions.2.skip.second.weight"], released["decoder.fusion_blocks.2.res_conv_unit1.conv2.weight"]
    )
    assert_close(tensors["stages.3.to_stage.0.running_var"], released["decoder.reassemble_stages.3.norm.running_var"])


def test_it_explains(tiny_cnn, images, targets, tmp_path, monkeypatch):
    """Through a small encoder in the place of DINOv3; a checkpoint of a training holds the weights as `model`."""
    small = replace(OFFICIAL.explainer, encoder="timm/test_vit", taps=None)
    monkeypatch.setattr(network, "OFFICIAL", OFFICIAL._replace(explainer=small))
    torch.save({"model": make_released(64, 5), "global_step": 3}, tmp_path / "final.pt")
    explainer = AHAExplainer.load(tmp_path / "final.pt", tiny_cnn, encoder_weights="random")
    assert explainer.learning_rate == 3e-4
    maps = explainer(images, targets).detach()
    assert maps.shape == (2, 2, 32, 32)
    assert float((maps[:, 0] - maps[:, 1]).abs().max()) > 0
    torch.save(make_released(64, 6), tmp_path / "other.pt")
    with pytest.raises(WeightsError, match=r"other\.pt does not fit tiny-cnn"):
        AHAExplainer.load(tmp_path / "other.pt", tiny_cnn, encoder_weights="random")


def test_other_files_are_refused(tmp_path):
    torch.save({"head.weight": torch.zeros(2, 2)}, tmp_path / "model.pt")
    with pytest.raises(WeightsError, match=r"model\.pt is not an explainer of AHA's authors: its key head\.weight"):
        read_released(tmp_path / "model.pt")
