"""Ways to run a ViT that several methods share: towards the mean color, token by token, with tokens left out."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from seewhy.models.vit import ViT
from seewhy.ops.chunks import in_chunks
from seewhy.types import Images, Logits, Targets, Tokens


def attention_integral(
    model: ViT, images: Images, targets: Targets, *, steps: int
) -> Float[Tensor, "batch classes queries keys"]:
    """Mean of d logit / d A^L on the way from the mean color to the image; negatives to 0, mean over heads.

    `steps` images from one end to the other, both included; they run as one batch, in chunks. Only the last block is
    walked back.
    """
    mean = images.new_tensor(model.mean).view(3, 1, 1)
    alphas = torch.linspace(0, 1, steps, dtype=images.dtype, device=images.device)
    total: Tensor | None = None
    for part in torch.arange(steps * len(images), device=images.device).split(model.chunk):
        step, image = part // len(images), part % len(images)
        weights, logits = model.last_attention(torch.lerp(mean, images[image], alphas[step].view(-1, 1, 1, 1)))
        scores = model.scores(logits, targets[image])
        (gradients,) = model.gradients(scores, [weights], share=1 / len(model.blocks))
        total = gradients.new_zeros(len(images), *gradients.shape[1:]) if total is None else total
        total.index_add_(0, image, gradients)
    assert total is not None
    return (total / steps).clamp(min=0).mean(dim=2)


def token_logits(model: ViT, tokens: Tokens) -> Float[Tensor, "batch tokens outputs"]:
    """The logits of each token alone, as if the head saw nothing else; tokens of any block will do."""
    alone = tokens.flatten(0, 1).unsqueeze(1).expand(-1, model.prefix + 1, -1)  # whatever place it reads, it finds it
    return model.read_out(alone).unflatten(0, tokens.shape[:2])


def kept_logits(
    model: ViT, tokens: Float[Tensor, "tokens dim"], masks: Bool[Tensor, "masks patches"]
) -> Float[Tensor, "masks outputs"]:
    """Logits of one image with only the patches of each mask; `tokens` is its h^0, and prefix tokens always stay.

    Left-out tokens are not in the sequence at all, so a run costs in proportion to what is kept. Masks that keep
    equally many run together. Without gradients.
    """

    def run(positions: Tensor) -> Logits:
        sequence, _ = model.run(tokens[positions], positions=positions)
        return model.read_out(sequence[-1])

    counts = masks.sum(dim=1)
    logits: Tensor | None = None
    with torch.no_grad():
        for count in counts.unique().tolist():
            rows = (counts == count).nonzero().squeeze(1)
            patches = masks[rows].nonzero()[:, 1].view(len(rows), count) + model.prefix
            prefix = torch.arange(model.prefix, device=masks.device).expand(len(rows), -1)
            parts, model.chunk = in_chunks(run, torch.cat([prefix, patches], dim=1), model.chunk)
            logits = parts[0].new_empty(len(masks), parts[0].shape[1]) if logits is None else logits
            logits[rows] = torch.cat(parts)
    assert logits is not None
    return logits
