"""Tiny random ViTs of every family that CAAP must be exact for, in float64, and a toy whose scores are fractions."""

import torch
from torch import nn

from conftest import TINY, shake
from seewhy.models.preprocess import Preprocess
from seewhy.models.timm import TimmViT, import_timm
from seewhy.models.vit import Block, ViT

SETTINGS = dict(img_size=32, patch_size=8, embed_dim=16, depth=6, num_heads=2, num_classes=5)


class ReadsBoth(TimmViT):
    """A head on the class token and the mean patch, as DINOv2's linear classifier has."""

    def __init__(self, module, preprocess, *, name):
        super().__init__(module, preprocess, name=name)
        self.pool, self.head_tokens = "token+avg", (0,)
        self.patch_head = shake(nn.Linear(16, 5), 3).double()

    def read_out(self, tokens):
        normed = self.module.norm(tokens)
        return self.module.head(normed[:, 0]) + self.patch_head(normed[:, self.prefix :].mean(dim=1))


def make_family(name):
    import_timm()
    from timm.models.beit import Beit
    from timm.models.deit import VisionTransformerDistilled
    from timm.models.eva import Eva
    from timm.models.vision_transformer import VisionTransformer
    from timm.models.vision_transformer_relpos import VisionTransformerRelPos

    rope = dict(use_rot_pos_emb=True, use_abs_pos_emb=False)
    build, options = {
        "plain": (VisionTransformer, {}),
        "wide": (VisionTransformer, dict(img_size=(24, 32))),
        "distilled": (VisionTransformerDistilled, {}),
        "registers": (VisionTransformer, dict(reg_tokens=3, no_embed_class=True)),
        "layer_scale": (VisionTransformer, dict(init_values=0.5)),
        "qk_norm": (VisionTransformer, dict(qk_norm=True)),
        "pre_norm": (VisionTransformer, dict(pre_norm=True)),
        "rope": (
            Eva,
            dict(**rope, global_pool="token", num_reg_tokens=2, swiglu_mlp=True, scale_mlp=True, init_values=0.5),
        ),
        "dinov3": (Eva, dict(**rope, num_reg_tokens=2, rope_type="dinov3", global_pool="token", qkv_bias=False)),
        "mean": (VisionTransformer, dict(global_pool="avg", class_token=False)),
        "mean_with_class": (VisionTransformer, dict(global_pool="avg")),
        "map": (VisionTransformer, dict(global_pool="map", class_token=False)),
        "token+avg": (VisionTransformer, {}),
        "beit": (Beit, dict(use_rel_pos_bias=True, use_abs_pos_emb=False, init_values=0.5)),
        "beit_shared": (Beit, dict(use_shared_rel_pos_bias=True, use_rel_pos_bias=True, global_pool="token")),
        "relpos": (VisionTransformerRelPos, dict(init_values=0.5)),
        "relpos_class": (
            VisionTransformerRelPos,
            dict(rel_pos_type="bias", class_token=True, global_pool="token", shared_rel_pos=True),
        ),
    }[name]
    settings = SETTINGS | options
    with torch.random.fork_rng():
        torch.manual_seed(0)
        module = shake(build(**settings), 0).double()
    size = settings["img_size"]
    preprocess = Preprocess((size, size) if isinstance(size, int) else size, TINY.mean, TINY.std)
    adapter = ReadsBoth if name == "token+avg" else TimmViT
    return adapter(module, preprocess, name=name)


FAMILIES = (
    "plain", "wide", "distilled", "registers", "layer_scale", "qk_norm", "pre_norm", "rope", "dinov3",
    "mean", "mean_with_class", "map", "token+avg", "beit", "beit_shared", "relpos", "relpos_class",
)  # fmt: skip


class MeanToy(ViT):
    """d = 1; a block adds to every token the mean of all; the score is the class token, which starts at 0."""

    def __init__(self, patches, depth):
        super().__init__(nn.Linear(1, 1).double(), Preprocess((patches[0], patches[1])), name="toy")
        self.grid, self.prefix, self.head_tokens, self.pool = patches, 1, (0,), "token"

        def same(tokens):
            return tokens

        def qkv(normed, _positions):
            values = normed.unsqueeze(1)
            return torch.zeros_like(values), torch.zeros_like(values), values

        block = Block(same, qkv, 1.0, same, same, same, torch.zeros_like, same)
        self.blocks = [block] * depth

    def forward(self, normalized):
        raise NotImplementedError

    def embed(self, images):
        patches = 10 * images[:, 0].flatten(1)
        return torch.cat([torch.zeros_like(patches[:, :1]), patches], dim=1).unsqueeze(2)

    def read_out(self, tokens):
        return tokens[:, 0]


def toy_image(*patches, rows=1):
    """An image whose patches have these values."""
    pixels = torch.tensor(patches, dtype=torch.float64).div(10).view(1, 1, rows, -1)
    return pixels.expand(1, 3, -1, -1).clone()
