"""AtMan: suppress the attention to one patch in every block, and measure the drop in the class score.

| symbol of the paper | name here  | shape                      |
|---------------------|------------|----------------------------|
| H = QKᵀ/√d          | logits     | batch heads queries keys   |
| 1 - f               | factors    | patches tokens, one row per suppressed patch |
| κ                   | similarity | cosine from which patches count as similar |
| L(target)           | -logprob   | cross-entropy of the class |

formula: map_i = log p(target) - log p(target | H of every block, columns of patch i and of those like it times 1 - f)

Patches similar to the suppressed one are suppressed with it, in proportion to their similarity. A uniform background is
then suppressed as a whole and may outweigh a small object; `similarity=None` suppresses patches one at a time.

differs from the paper: it addresses language models that describe images; here the target is a class, and similarity
is the cosine of the patch embeddings, h^0. Attention logits are scaled relative to the minimum of their row, as in the
original code: otherwise a negative logit would increase when multiplied by a factor below one.
"""

import functools
from typing import Annotated, Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import normalize

from seewhy.models.vit import Block, ViT
from seewhy.registry import register_method
from seewhy.runtime.options import at_least, between
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Targets, Tokens


@register_method("atman", paper="deb2023")
def atman(
    model: ViT,
    images: Images,
    targets: Targets,
    *,
    factor: Annotated[float, at_least(0)] = 0.1,
    similarity: Annotated[float, between(-1, 1)] | None = 0.6,
    score: Literal["logit", "prob", "logprob", "margin"] = "logprob",
) -> Maps:
    """Drop in the class score when the attention to a patch is multiplied by `factor`."""
    maps = []
    with torch.no_grad():
        for image, target in zip(images.split(1), targets.split(1), strict=True):
            tokens = model.embed(image)
            factors = attention_factors(tokens[0], model.prefix, factor=factor, similarity=similarity)
            rows = torch.cat([torch.ones_like(factors[:1]), factors])  # the first row leaves attention unchanged
            parts = []
            for part in track(rows.split(model.chunk), "atman"):
                parts += model.run_chunks(functools.partial(_run, model, tokens), part)
            scores = model.scores(torch.cat(parts), target.expand(len(rows), -1), kind=score)
            maps.append((scores[:1] - scores[1:]).T)
    return model.to_grid(torch.stack(maps))


def attention_factors(
    tokens: Float[Tensor, "tokens dim"], prefix: int, *, factor: float, similarity: float | None
) -> Float[Tensor, "patches tokens"]:
    """Factors for the columns of attention while one patch is suppressed."""
    patches = normalize(tokens[prefix:], dim=-1)
    alike = (patches @ patches.T).fill_diagonal_(1.0)
    threshold = 1.0 if similarity is None else similarity
    suppressed = factor + (1 - factor) * (1 - alike.clamp(max=1.0))
    keys = torch.where(alike >= threshold, suppressed, torch.ones_like(alike))
    keys.fill_diagonal_(factor)
    return torch.cat([torch.ones_like(keys[:, :1]).expand(-1, prefix), keys], dim=1)


def _run(
    model: ViT, tokens: Float[Tensor, "1 tokens dim"], factors: Float[Tensor, "rows tokens"]
) -> Float[Tensor, "rows outputs"]:
    tokens = tokens.expand(len(factors), -1, -1)
    for block in model.blocks:
        tokens = block.feed_forward(_attend(block, tokens, factors))
    model.count(forwards=len(factors))
    return model.read_out(tokens)


def _attend(block: Block, tokens: Tokens, factors: Float[Tensor, "batch tokens"]) -> Tokens:
    normed = block.norm1(tokens)
    q, k, v = block.qkv(normed, None)
    logits = block.attention_logits(q, k)
    changed = (logits - logits.amin(dim=-1, keepdim=True)) * factors[:, None, None, :]
    return tokens + block.layer_scale1(block.attention_out(changed.softmax(dim=-1) @ v, normed))
