"""Adapters are found by registration: a family from outside of the package, refusals, and no needless imports."""

import subprocess
import sys

import pytest
import torch
from torch import nn

import seewhy
from conftest import shake
from seewhy.errors import UnsupportedModel
from seewhy.models import Block, ViT, check_layout, register_adapter, unregister_adapter

DIM, HEADS = 16, 2


class OwnBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.before, self.after = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.mix = nn.MultiheadAttention(DIM, HEADS, batch_first=True)
        self.think = nn.Sequential(nn.Linear(DIM, 24), nn.GELU(), nn.Linear(24, DIM))

    def forward(self, tokens):
        normed = self.before(tokens)
        tokens = tokens + self.mix(normed, normed, normed, need_weights=False)[0]
        return tokens + self.think(self.after(tokens))


class OwnNetwork(nn.Module):
    """A Vision Transformer that no library has."""

    def __init__(self):
        super().__init__()
        self.cut = nn.Conv2d(3, DIM, 8, stride=8)
        self.first = nn.Parameter(torch.zeros(1, 1, DIM))
        self.places = nn.Parameter(torch.zeros(1, 17, DIM))
        self.stack = nn.ModuleList(OwnBlock() for _ in range(3))
        self.last, self.head = nn.LayerNorm(DIM), nn.Linear(DIM, 5)

    def embed(self, x):
        patches = self.cut(x).flatten(2).transpose(1, 2)
        return torch.cat([self.first.expand(len(x), -1, -1), patches], dim=1) + self.places

    def forward(self, x):
        tokens = self.embed(x)
        for block in self.stack:
            tokens = block(tokens)
        return self.head(self.last(tokens)[:, 0])


def own_block(block):
    def qkv(normed, _positions):
        packed = nn.functional.linear(normed, block.mix.in_proj_weight, block.mix.in_proj_bias)
        return tuple(part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in packed.chunk(3, dim=-1))

    return Block(
        norm1=block.before,
        qkv=qkv,
        attention_scale=(DIM // HEADS) ** -0.5,
        project=block.mix.out_proj,
        layer_scale1=nn.Identity(),
        norm2=block.after,
        mlp=block.think,
        layer_scale2=nn.Identity(),
    )


class OwnViT(ViT):
    def __init__(self, module, preprocess, *, name, class_names=None):
        if not isinstance(module, OwnNetwork):
            raise UnsupportedModel(f"{type(module).__name__} is no OwnNetwork")
        super().__init__(module, preprocess, name=name, class_names=class_names)
        self.grid, self.prefix, self.head_tokens, self.pool = (4, 4), 1, (0,), "token"
        self.blocks = [own_block(block) for block in module.stack]

    def forward(self, normalized):
        return self.module(normalized)

    def embed(self, images):
        return self.module.embed(self.normalize(images))

    def read_out(self, tokens):
        return self.as_logits(self.module.head(self.module.last(tokens)[:, 0]))


@pytest.fixture
def registered():
    register_adapter("own")(OwnViT)
    yield
    unregister_adapter("own")


@pytest.fixture
def network():
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return shake(OwnNetwork())


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("method", ["caap", "rollout", "libra_ixg_plus", "t_attr", "grad_cam_attention"])
def test_a_family_from_outside_works(network, images, method):
    model = seewhy.wrap_model(network, image_size=32)
    assert isinstance(model, OwnViT)
    maps = seewhy.explain(model, images, method, targets=[1, 3]).maps
    assert maps.shape == (2, 2, 4, 4)
    assert maps.isfinite().all()
    assert maps.std() > 0


@pytest.mark.usefixtures("registered")
def test_an_adapter_whose_pieces_do_not_add_up_is_not_believed(network, images):
    network.stack[1].register_forward_hook(lambda _layer, _inputs, output: output.flip(-1))
    model = seewhy.wrap_model(network, image_size=32)
    assert not isinstance(model, ViT)
    assert "other logits" in model.not_vit
    assert model.logits(images).shape == (2, 5)


def test_a_refusal_says_why_and_what_to_do(network, images):
    model = seewhy.wrap_model(network, image_size=32)
    with pytest.raises(UnsupportedModel, match=r"no adapter knows OwnNetwork.*register_adapter"):
        seewhy.explain(model, images, "rollout")


@pytest.mark.usefixtures("registered")
def test_two_adapters_of_one_name():
    with pytest.raises(ValueError, match="'own'"):
        register_adapter("own")(OwnViT)


def test_other_libraries_are_not_imported():
    code = (
        "import sys, torch, seewhy\n"
        "seewhy.wrap_model(torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(12, 2)), image_size=2)\n"
        "print({'timm', 'transformers', 'torchvision'} & set(sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"


def test_check_layout_is_empty_for_a_true_adapter(network):
    assert check_layout(OwnViT(network, seewhy.wrap_model(network, image_size=32).preprocess, name="own")) == ""
