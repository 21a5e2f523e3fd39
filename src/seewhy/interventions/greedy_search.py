"""MDA's greedy search (Sec. 3.1 of `mda_algorithm`) for many cases at once, all candidates in one batch.

A case is one class of one image. Patches are tried in the order of a prior ranking. With a `SearchBudget` other than
the default, a round keeps several patches and curves are interpolated between fewer points, which is an approximation.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from seewhy.runtime.progress import track

Orders = Int[Tensor, "cases patches"]  # patch numbers by rank
ResponseCurves = Float[Tensor, "cases points"]
Respond = Callable[[Int[Tensor, " rows"], Bool[Tensor, "rows patches"]], Float[Tensor, " rows"]]


class SearchBudget(NamedTuple):
    """How many candidates are tried, how many patches a round keeps, and how densely curves are sampled."""

    candidate_factor: float = 1.0  # insertion tries this multiple of the candidates
    inserted: int = 1  # patches that an insertion round keeps
    deleted: int = 1  # patches that a deletion round keeps
    curve_stride: int = 1  # patches between two points of a curve that the search itself did not measure


EXACT, FAST = SearchBudget(), SearchBudget(candidate_factor=1.5, inserted=4, deleted=10, curve_stride=4)


class SearchResult(NamedTuple):
    """The order I of every case, and the responses along it on both references."""

    order: Orders
    insertion: ResponseCurves
    deletion: ResponseCurves


class Stage(NamedTuple):
    """Patches in the order picked (padded with -1), the response after each (NaN: not measured), their number."""

    picked: Orders
    responses: ResponseCurves
    number: Int[Tensor, " cases"]


def search_cases(
    on_blur: Respond,
    on_black: Respond,
    ranking: Orders,
    clean: Float[Tensor, " cases"],
    *,
    candidates: int,
    insert_until: float,
    budget: SearchBudget = EXACT,
) -> SearchResult:
    """Insertion up to the fraction `insert_until` of the rise, deletion for the remaining patches, and both curves."""
    patches = torch.ones_like(ranking, dtype=torch.bool)
    blurred, black = (
        respond(torch.arange(len(patches), device=patches.device), ~patches) for respond in (on_blur, on_black)
    )
    insertion = search_stage(  # arg max MR(P_k + X_i)  Eq. 4
        on_blur, ranking, patches, blurred, candidates=int(candidates * budget.candidate_factor), largest=True,
        stop_at=stop_response(blurred, clean, insert_until), keep=budget.inserted, description="MDA insertion",
    )  # fmt: skip
    deletion = search_stage(  # arg min MR(P_k + X_i)  Eq. 5
        on_black, ranking.flip(1), patch_ranks(insertion.picked, insertion.number) < 0, black, candidates=candidates,
        largest=False, keep=budget.deleted, description="MDA deletion",
    )  # fmt: skip
    order = join_stages(insertion, deletion)
    curves = complete_curves(on_blur, on_black, order, insertion, deletion, clean, stride=budget.curve_stride)
    return SearchResult(order, *curves)


def stop_response(blurred: Tensor, clean: Tensor, insert_until: float) -> Tensor:
    """The response at which insertion stops, a fraction of the rise; infinite for 1, which inserts all patches."""
    return blurred + insert_until * (clean - blurred).abs() if insert_until < 1 else torch.full_like(clean, torch.inf)


def search_stage(
    respond: Respond,
    ranking: Orders,
    allowed: Bool[Tensor, "cases patches"],
    start: Float[Tensor, " cases"],
    *,
    candidates: int,
    largest: bool,
    stop_at: Float[Tensor, " cases"] | None = None,
    keep: int = 1,
    description: str = "searching",
) -> Stage:
    """Show one patch after the other, in each round the one with the largest (or smallest) response.

    A round tries the first `candidates` of the ranking that are allowed and not yet shown; ties go to the higher
    ranked. A case ends when no patch remains or its response has reached `stop_at`. With `keep` above 1, a round keeps
    that many of its trials, at most half of them, and measures their joint response.
    """
    sign = 1 if largest else -1
    shown, remaining = torch.zeros_like(allowed), allowed.gather(1, ranking)  # `remaining` is by rank
    stage = Stage(
        torch.full_like(ranking, -1),
        start.new_full((len(start), ranking.shape[1] + 1), torch.nan),
        torch.zeros_like(ranking[:, 0]),
    )
    stage.responses[:, 0] = latest = start
    rounds = math.ceil(int(allowed.sum(dim=1).max()) / keep)
    for _ in track(range(ranking.shape[1]), description, total=rounds):
        active = remaining.any(1) & (torch.ones_like(remaining[:, 0]) if stop_at is None else latest < stop_at)
        if not active.any():
            break
        trials = remaining & (remaining.cumsum(dim=1) <= candidates) & active[:, None]
        scores = start.new_full(remaining.shape, -torch.inf)
        scores[trials] = sign * _try(respond, shown, ranking, trials)
        best = scores.argsort(dim=1, descending=True, stable=True)[:, :keep]
        stage.responses[active, stage.number[active] + 1] = sign * scores.amax(dim=1)[active]
        joint = _keep(stage, shown, remaining, ranking, best, ((trials.sum(dim=1) + 1) // 2).clamp(max=keep))
        if len(joint):
            stage.responses[joint, stage.number[joint]] = respond(joint, shown[joint])
        latest = torch.where(active, stage.responses.gather(1, stage.number[:, None]).squeeze(1), latest)
    return stage


def _try(respond: Respond, shown: Tensor, ranking: Tensor, trials: Tensor) -> Float[Tensor, " rows"]:
    """Responses to the shown patches plus each trial."""
    case, rank = trials.nonzero(as_tuple=True)
    return respond(case, shown[case].scatter(1, ranking[case, rank].unsqueeze(1), True))


def _keep(
    stage: Stage, shown: Tensor, remaining: Tensor, ranking: Tensor, best: Tensor, count: Int[Tensor, " cases"]
) -> Int[Tensor, " some"]:
    """Pick the first `count` of the best, in place; return the cases that picked several."""
    case, nth = (torch.arange(best.shape[1], device=best.device) < count[:, None]).nonzero(as_tuple=True)
    rank = best[case, nth]
    patch = ranking[case, rank]
    stage.picked[case, stage.number[case] + nth] = patch
    shown[case, patch] = True
    remaining[case, rank] = False
    stage.number.add_(count)
    return (count > 1).nonzero().squeeze(1)


def join_stages(insertion: Stage, deletion: Stage) -> Orders:
    """The patches of insertion, then those of deletion in reverse: deletion picks the least important first."""
    patches = insertion.picked.shape[1]
    position = torch.arange(patches, device=insertion.picked.device).expand_as(insertion.picked)
    return torch.where(position < insertion.number[:, None], insertion.picked, deletion.picked.flip(1))


def patch_ranks(picked: Orders, count: Int[Tensor, " cases"]) -> Orders:
    """Rank of every patch; -1 if it was not picked."""
    case, rank = (torch.arange(picked.shape[1], device=picked.device) < count[:, None]).nonzero(as_tuple=True)
    ranks = torch.full_like(picked, -1)
    ranks[case, picked[case, rank]] = rank
    return ranks


def complete_curves(
    on_blur: Respond,
    on_black: Respond,
    order: Orders,
    insertion: Stage,
    deletion: Stage,
    clean: Float[Tensor, " cases"],
    *,
    stride: int,
) -> tuple[ResponseCurves, ResponseCurves]:
    """MR_ins and MR_del along the whole order; responses that the search did not measure are measured here."""
    patches, inserted = order.shape[1], insertion.number[:, None]
    ranks = patch_ranks(order, torch.full_like(insertion.number, patches))
    step = torch.arange(patches + 1, device=order.device).expand(len(order), -1)
    MR_ins, MR_del = insertion.responses.clone(), deletion.responses.flip(1)
    MR_ins[:, -1] = MR_del[:, 0] = clean
    case, shown = ((step > inserted) & (step < patches) & (step % stride == 0)).nonzero(as_tuple=True)
    if len(case):  # networks may not accept an empty batch
        MR_ins[case, shown] = on_blur(case, ranks[case] < shown[:, None])
    case, deleted = ((step > 0) & (step < inserted) & (step % stride == 0)).nonzero(as_tuple=True)
    if len(case):
        MR_del[case, deleted] = on_black(case, ranks[case] >= deleted[:, None])
    return interpolate_gaps(MR_ins), interpolate_gaps(MR_del)


def interpolate_gaps(curves: ResponseCurves) -> ResponseCurves:
    """NaN replaced by linear interpolation between the known neighbors.

    >>> interpolate_gaps(torch.tensor([[0.0, torch.nan, 1.0]]))
    tensor([[0.0000, 0.5000, 1.0000]])
    """
    points = np.arange(curves.shape[1])
    rows = [np.interp(points, points[~np.isnan(row)], row[~np.isnan(row)]) for row in curves.cpu().numpy()]
    return torch.from_numpy(np.stack(rows)).to(curves)
