"""CLIP and SigLIP as classifiers whose classes are prompts.

The text tower embeds the prompts once; from then on an image is compared with them (z: image, t_c: prompt c):

    CLIP    logit_c = exp(s) · cos(z, t_c)          probabilities: softmax, the prompts compete
    SigLIP  logit_c = exp(s) · cos(z, t_c) + b      probabilities: sigmoid, prompts are independent
"""

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from seewhy.errors import UnsupportedModel
from seewhy.models.adapters import register_adapter
from seewhy.models.huggingface_tower import tower_blocks, tower_embed, tower_grid, tower_prefix
from seewhy.models.outputs import Outputs
from seewhy.models.preprocess import Preprocess
from seewhy.models.vit import ViT
from seewhy.runtime.chunks import in_chunks
from seewhy.types import Images, Logits, Tokens

Prompts = Float[Tensor, "outputs embedding"]


class PromptClassifier(nn.Module):
    """The image tower of a `CLIPModel` or `SiglipModel`, with embedded prompts instead of a head.

    `text_features` need not be normalized and may be averages over several prompts per class. The text tower is
    dropped.
    """

    prompts: Prompts

    def __init__(self, network: Any, text_features: Prompts) -> None:
        super().__init__()
        self.vision_model = network.vision_model
        self.projection = getattr(network, "visual_projection", nn.Identity())
        self.logit_scale = network.logit_scale
        self.logit_bias = getattr(network, "logit_bias", None)
        self.register_buffer("prompts", F.normalize(text_features.detach().to(self.logit_scale), dim=-1))

    def forward(self, pixel_values: Tensor) -> Logits:
        return self.compare(self.vision_model(pixel_values)[1])  # [1] is the pooled output, in every version

    def compare(self, pooled: Float[Tensor, "batch dim"]) -> Logits:
        cosine = F.normalize(self.projection(pooled), dim=-1) @ self.prompts.T
        logits = self.logit_scale.exp() * cosine
        return logits if self.logit_bias is None else logits + self.logit_bias


@register_adapter("zero_shot", library="seewhy")
class ZeroShotViT(ViT):
    """CLIP (class token) or SigLIP (attention pooling) as a ViT; class names are the prompts."""

    def __init__(
        self,
        module: nn.Module,
        preprocess: Preprocess,
        *,
        name: str,
        class_names: Sequence[str] | None = None,
    ) -> None:
        if not isinstance(module, PromptClassifier):
            raise UnsupportedModel(f"{type(module).__name__} is not a PromptClassifier")
        super().__init__(module, preprocess, name=name, class_names=class_names)
        self.tower: Any = module.vision_model
        self.grid = tower_grid(self.tower, self.image_size)
        self.prefix = tower_prefix(self.tower)
        self.pool = "map" if hasattr(self.tower, "head") else "token"
        self.head_tokens = (0,) if self.pool == "token" else ()
        self.blocks = tower_blocks(self.tower, self.grid)
        self.outputs = Outputs("softmax" if module.logit_bias is None else "sigmoid")

    def forward(self, normalized: Tensor) -> Any:
        return self.module(normalized)

    def embed(self, images: Images) -> Tokens:
        return tower_embed(self.tower, self.normalize(images))

    def read_out(self, tokens: Tokens) -> Logits:
        if self.pool == "map":
            pooled = self.tower.head(self.tower.post_layernorm(tokens))
        else:
            pooled = self.tower.post_layernorm(tokens[:, 0])
        return self.as_logits(self.module.compare(pooled))  # type: ignore[operator]


def embed_prompts(network: Any, input_ids: Int[Tensor, "outputs length"]) -> Prompts:
    """Text embeddings of tokenized prompts, computed in chunks.

    No mask is needed: CLIP's text tower reads causally up to the end-of-text token, SigLIP was trained on its padding.
    """

    def embed(ids: Tensor) -> Tensor:
        output = network.get_text_features(input_ids=ids)
        return output if isinstance(output, Tensor) else output.pooler_output

    with torch.no_grad():
        return torch.cat(in_chunks(embed, input_ids, 64)[0])


def tokenize_prompts(network: Any, tokenizer: Any, prompts: Sequence[str]) -> Int[Tensor, "outputs length"]:
    """Token ids of prompts, padded as in training: SigLIP's to full length, in lower case."""
    siglip = getattr(network, "logit_bias", None) is not None
    return tokenizer(
        [prompt.lower() for prompt in prompts] if siglip else list(prompts),
        padding="max_length" if siglip else True,
        truncation=True,
        max_length=network.config.text_config.max_position_embeddings,
        return_tensors="pt",
    ).input_ids
