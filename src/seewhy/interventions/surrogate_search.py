"""MDA's greedy search with a surrogate for its responses: 196 candidates for two forward passes instead of 196.

One more shown patch changes every token a little. The surrogate updates only two, the class token and the patch's own:
they run through all blocks and attend to the keys and values of the current state, which is run once per round. That is
CAAP's patching (`patched.py`) with the current state as reference, a window of one patch, and l_s = l_e = 0. The
surrogate only ranks the candidates of a round: the best of an insertion round are measured before some are kept, and so
is every response that enters a curve.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seewhy.interventions.greedy_search import (
    Orders,
    Respond,
    SearchResult,
    Stage,
    complete_curves,
    join_stages,
    stop_response,
)
from seewhy.interventions.mosaics import Shown, token_masks
from seewhy.interventions.patched import PatchedRuns, patched_logits
from seewhy.interventions.recorded import RecordedRun, record_tokens
from seewhy.models.vit import ViT
from seewhy.types import Images, Tokens

CURVE_STRIDE = 6  # patches between two points of a curve that the search itself did not measure
Patches = Int[Tensor, " some"]


class RoundBudget(NamedTuple):
    """Candidates that the surrogate ranks, how many of the best are measured, and how many are kept."""

    candidates: float  # times those of the exact search
    measured: int
    kept: int


INSERTION, DELETION = RoundBudget(1.5, 6, 3), RoundBudget(1, 0, 10)


@dataclass(frozen=True)
class Canvas:
    """A reference image on which patches of the explained image are shown, for one class."""

    model: ViT
    image: Tokens  # h^0 of the explained image
    reference: Tokens  # h^0 of the reference image
    source: RecordedRun  # the explained image's, up to the first block's queries, keys and values
    target: Int[Tensor, " 1"]
    respond: Callable[[Shown], Float[Tensor, " rows"]]  # measured responses

    def run(self, shown: Shown) -> tuple[RecordedRun, Float[Tensor, ""]]:
        """The forward pass of a state, and its response MR."""
        model = self.model
        tokens = torch.where(token_masks(shown, model), self.image, self.reference)
        state = record_tokens(model, tokens, stop=len(model.blocks))
        return state, self.response(model.read_out(state.tokens[-1]))[0]

    def surrogate(self, state: RecordedRun, patches: Patches) -> Float[Tensor, " some"]:
        """The response to showing each patch as well, if only its own token and the class token reacted."""
        positions = patches.unsqueeze(1) + self.model.prefix
        valid, first = torch.ones_like(positions, dtype=torch.bool), torch.zeros_like(patches)
        runs = PatchedRuns(self.model, state, self.source, first, patches, positions, valid, 0, 0)
        return self.response(patched_logits(runs, after="propagate"))

    def response(self, logits: Tensor) -> Float[Tensor, " rows"]:
        return self.model.scores(logits, self.target.expand(len(logits), 1), kind="prob").squeeze(1)  # MR  Eq. 1


def search_by_surrogate(
    model: ViT,
    images: Images,
    references: tuple[Images, Images],
    classes: Int[Tensor, "cases 1"],
    responds: tuple[Respond, Respond],
    ranking: Orders,
    clean: Float[Tensor, " cases"],
    *,
    candidates: int,
    insert_until: float,
) -> SearchResult:
    """`search_cases` with the surrogate; `references` and `responds` are those of insertion and of deletion."""
    stages = []
    with torch.no_grad():
        for case in range(len(images)):
            image, index = model.embed(images[case : case + 1]), torch.tensor([case], device=images.device)
            source = record_tokens(model, image, stop=0)
            on_blur, on_black = (
                Canvas(model, image, model.embed(reference[index]), source, classes[case], _of_case(respond, index))
                for reference, respond in zip(references, responds, strict=True)
            )
            stages.append(
                _search_case(
                    on_blur, on_black, ranking[case], clean[case], candidates=candidates, insert_until=insert_until
                )
            )
        insertion, deletion = (_stack(each) for each in zip(*stages, strict=True))
        order = join_stages(insertion, deletion)
        curves = complete_curves(*responds, order, insertion, deletion, clean, stride=CURVE_STRIDE)
    return SearchResult(order, *curves)


def _of_case(respond: Respond, case: Int[Tensor, " 1"]) -> Callable[[Shown], Float[Tensor, " rows"]]:
    return lambda shown: respond(case.expand(len(shown)), shown)


def _search_case(
    on_blur: Canvas,
    on_black: Canvas,
    ranking: Patches,
    clean: Float[Tensor, ""],
    *,
    candidates: int,
    insert_until: float,
) -> tuple[Stage, Stage]:
    insertion = _search_stage(on_blur, ranking, clean, INSERTION, candidates, insert_until=insert_until)  # Eq. 4
    left = ranking[~torch.isin(ranking, insertion.picked)]
    deletion = _search_stage(on_black, left.flip(0), clean, DELETION, candidates)  # Eq. 5
    return insertion, deletion


def _search_stage(
    canvas: Canvas,
    ranking: Patches,
    clean: Float[Tensor, ""],
    budget: RoundBudget,
    candidates: int,
    *,
    insert_until: float | None = None,
) -> Stage:
    """Show a few patches per round: those with the largest responses or, without `insert_until`, the smallest.

    The response of the state after every round is measured.
    """
    patches, picked = canvas.model.patches, ranking[:0]
    shown, responses = ranking.new_zeros(1, patches, dtype=torch.bool), clean.new_full((1, patches + 1), torch.nan)
    while True:
        state, response = canvas.run(shown)
        responses[0, len(picked)] = response
        remaining = ranking[~shown[0, ranking]]
        done = insert_until is not None and response >= stop_response(responses[0, 0], clean, insert_until)
        if done or not len(remaining):
            break
        tried = remaining[: int(candidates * budget.candidates)]
        best = _rank(canvas, state, shown, tried, measured=budget.measured, largest=insert_until is not None)
        best = best[: min(budget.kept, (len(tried) + 1) // 2)]
        picked, shown[0, best] = torch.cat([picked, best]), True
    padded = torch.cat([picked, picked.new_full((patches - len(picked),), -1)])
    return Stage(padded.unsqueeze(0), responses, picked.new_tensor([len(picked)]))


def _rank(
    canvas: Canvas, state: RecordedRun, shown: Shown, tried: Patches, *, measured: int, largest: bool
) -> Int[Tensor, " ranked"]:
    """The trials ranked by the surrogate or, of the best, by measured responses; ties keep the order of the prior."""
    ranked = tried[canvas.surrogate(state, tried).argsort(descending=largest, stable=True)]
    if not measured:
        return ranked
    ranked = ranked[:measured]
    responses = canvas.respond(shown.repeat(len(ranked), 1).scatter(1, ranked.unsqueeze(1), True))
    return ranked[responses.argsort(descending=largest, stable=True)]


def _stack(stages: tuple[Stage, ...]) -> Stage:
    return Stage(*(torch.cat(parts) for parts in zip(*stages, strict=True)))
