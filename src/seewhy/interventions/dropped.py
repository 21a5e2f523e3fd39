"""A ViT run with tokens dropped: masked patches are not in the sequence at all."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from seewhy.models.vit import ViT
from seewhy.types import Logits


def kept_logits(
    model: ViT, tokens: Float[Tensor, "tokens dim"], masks: Bool[Tensor, "masks patches"]
) -> Float[Tensor, "masks outputs"]:
    """Logits of one image with only the patches that each mask keeps; `tokens` is h^0, prefix tokens are always kept.

    The cost is proportional to the number of kept tokens; masks that keep the same number run as one batch. No
    gradients.
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
            parts = model.run_chunks(run, torch.cat([prefix, patches], dim=1))
            logits = parts[0].new_empty(len(masks), parts[0].shape[1]) if logits is None else logits
            logits[rows] = torch.cat(parts)
    assert logits is not None
    return logits
