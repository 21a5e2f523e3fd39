"""E-CAAP: CAAP with the reference's context summarized once, so that each class token attends to a dozen tokens only.

The class token's attention to the reference's tokens hardly depends on the patched ones. Their share of the softmax and
one value for all of them are taken from the reference's run; only the patched tokens are attended to individually.
Attention is a small part of a forward pass, so E-CAAP is not faster: 3.6 forward passes on ViT-B/16, as `caap`.
Included for comparison.

| symbol of the paper | name here            | shape                      |
|---------------------|----------------------|----------------------------|
| Z_0^l               | exp(mass)            | heads patches queries      |
| v̄_0^l               | prototype            | heads patches queries head_dim |
| B                   | outside              | patches tokens             |
| S(p_i)              | S[i]                 | patches patches            |

formula: A(p_i) = f(c*(p_i))_y as in CAAP, where the tokens of B enter every softmax as one, with weight Z_0^l and value
v̄_0^l

differs from the paper: the text does not say whether B excludes S(p_i); here it does, and includes registers. After l_e
the patched tokens propagate as in `caap`, each with the summary for the reference's query at its own position (not
specified in the paper; if the class token saw the reference's tokens again, the rank correlation with `caap` would drop
from .99 to .64). `average="weighted"` weights v̄_0 by the reference's attention.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

import torch
from jaxtyping import Bool
from torch import Tensor

from seewhy.errors import UnsupportedModel
from seewhy.interventions.patched import PackedHeads, PatchedRuns, block_range, patched_logits, patched_runs
from seewhy.interventions.recorded import RecordedRun, reference_run
from seewhy.models.vit import ViT
from seewhy.ops.patching import ContextSummary, summarize_context, summarized_attention
from seewhy.ops.references import AnyReference, reference_image
from seewhy.ops.windows import Select, window_matrix, window_members
from seewhy.registry import register_method
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Targets

Average = Literal["uniform", "weighted"]


@register_method("e_caap", paper="izadi2026", may_refuse=True, forward_first=True)
def e_caap(
    model: ViT,
    images: Images,
    targets: Targets,
    *,
    blocks: Sequence[int] | str | None = None,
    select: Select | Tensor = "box1",
    reference: AnyReference = "white",
    average: Average = "uniform",
    score: Literal["prob", "logprob", "logit"] = "prob",
) -> Maps:
    """CAAP with the attention to the reference's tokens taken from its run (appendix B.1); an approximation."""
    if not model.head_tokens:
        raise UnsupportedModel(f"the head of {model.name} reads patches, but E-CAAP needs a class token. Use 'caap'.")
    x_0 = reference_image(reference, images, mean=model.mean, std=model.std)
    l_s, l_e = block_range(blocks, len(model.blocks))
    S = window_matrix(select, model.grid).to(images.device)
    with torch.no_grad():
        recorded, A = reference_run(model, x_0), []
        summaries = cached_summaries(model, recorded, S, l_s=l_s, l_e=l_e, average=average)
        for image_index, runs in track(patched_runs(model, images, recorded, S, blocks=(l_s, l_e)), "e_caap"):
            logits = patched_logits(summarized(runs, summaries), after="propagate")
            A.append(model.scores(logits, targets[image_index], kind=score))  # A(p_i), Eq. 3
    return model.to_grid(torch.cat(A).unflatten(0, (len(images), -1)).transpose(1, 2))


def cached_summaries(
    model: ViT, recorded: RecordedRun, S: Bool[Tensor, "patches patches"], **options: Any
) -> dict[int, ContextSummary]:
    """The summaries of a reference's run, which depend on no image, from the model's cache if possible."""
    known = model.cache.setdefault("context summaries", [])
    for run, windows, chosen, summaries in known:
        if run is recorded and torch.equal(windows, S) and chosen == options:
            return summaries
    summaries = context_summaries(model, recorded, S, **options)
    known[:] = [(recorded, S, options, summaries)]
    return summaries


def context_summaries(
    model: ViT, recorded: RecordedRun, S: Bool[Tensor, "patches patches"], *, l_s: int, l_e: int, average: Average
) -> dict[int, ContextSummary]:
    """Z_0 and v̄_0 of every block after l_s, for each patch p_i: of cls and, from l_e on, of the tokens of S(p_i)."""
    members, _ = window_members(S)
    cls = members.new_tensor(model.head_tokens).expand(len(S), -1)
    both = torch.cat([cls, members + model.prefix], dim=1)  # positions of the queries
    outside = torch.cat([S.new_ones(len(S), model.prefix), ~S], dim=1)
    outside[:, list(model.head_tokens)] = False
    summaries = {}
    for block in range(l_s, len(model.blocks)):
        pieces = model.blocks[block]
        q, k, v = recorded.qkv[block][:, :, 0]
        positions = cls if block < l_e else both
        bias = None if pieces.bias is None else pieces.bias()[:, positions]
        summaries[block] = summarize_context(
            q[:, positions], (k, v), outside, scale=pieces.attention_scale, bias=bias, average=average
        )
    return summaries


@dataclass(frozen=True)
class SummarizedRuns(PatchedRuns):
    """Patched runs whose tokens attend to the reference's context as to a single token."""

    summaries: dict[int, ContextSummary]

    def attend(
        self, block: int, q: PackedHeads, k: PackedHeads, v: PackedHeads, positions: Tensor, valid: Tensor
    ) -> Tensor:
        """Eq. 7: the context's share and value are those of the reference's run."""
        pieces, queries = self.model.blocks[block], q.shape[2]
        mass, prototype = (part[:, self.patch_index, :queries] for part in self.summaries[block])
        bias = None if pieces.bias is None else pieces.bias()[:, positions[:, :queries, None], positions[:, None, :]]
        return summarized_attention(q, (mass, prototype), (k, v), valid, scale=pieces.attention_scale, bias=bias)


def summarized(runs: PatchedRuns, summaries: dict[int, ContextSummary]) -> SummarizedRuns:
    return SummarizedRuns(**{each.name: getattr(runs, each.name) for each in fields(runs)}, summaries=summaries)
