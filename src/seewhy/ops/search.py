"""Greedy search for an order of patches: in each round try a few, keep the best, for many cases side by side."""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from seewhy.runtime.progress import track

Respond = Callable[[Int[Tensor, " rows"], Bool[Tensor, "rows patches"]], Float[Tensor, " rows"]]


class Found(NamedTuple):
    """Patches as they were picked (-1 behind the last), the response after each (NaN if unknown), how many."""

    order: Int[Tensor, "cases patches"]
    responses: Float[Tensor, "cases points"]
    steps: Int[Tensor, " cases"]


def search_order(
    respond: Respond,
    preferred: Int[Tensor, "cases patches"],
    allowed: Bool[Tensor, "cases patches"],
    start: Float[Tensor, " cases"],
    *,
    candidates: int,
    largest: bool,
    enough: Float[Tensor, " cases"] | None = None,
    take: int = 1,
    description: str = "searching",
) -> Found:
    """Show patch after patch, each time the one with the largest (or smallest) response.

    `preferred` ranks the patches: only the first `candidates` of it that are allowed and not yet shown are tried, and
    ties go to the one ranked first. A case ends when nothing is left or its response has reached `enough`. With `take`
    a round keeps that many of the tried at once, but no more than half of them, and runs what they give together.
    """
    sign = 1 if largest else -1
    shown, left = torch.zeros_like(allowed), allowed.gather(1, preferred)  # `left` goes by preference
    found = Found(
        torch.full_like(preferred, -1),
        start.new_full((len(start), preferred.shape[1] + 1), torch.nan),
        torch.zeros_like(preferred[:, 0]),
    )
    found.responses[:, 0] = latest = start
    rounds = math.ceil(int(allowed.sum(dim=1).max()) / take)
    for _ in track(range(preferred.shape[1]), description, total=rounds):
        active = left.any(1) & (torch.ones_like(left[:, 0]) if enough is None else latest < enough)
        if not active.any():
            break
        trials = left & (left.cumsum(dim=1) <= candidates) & active[:, None]
        tried = start.new_full(left.shape, -torch.inf)
        tried[trials] = sign * _try(respond, shown, preferred, trials)
        best = tried.argsort(dim=1, descending=True, stable=True)[:, :take]
        found.responses[active, found.steps[active] + 1] = sign * tried.amax(dim=1)[active]
        several = _keep(found, shown, left, preferred, best, ((trials.sum(dim=1) + 1) // 2).clamp(max=take))
        if len(several):
            found.responses[several, found.steps[several]] = respond(several, shown[several])
        latest = torch.where(active, found.responses.gather(1, found.steps[:, None]).squeeze(1), latest)
    return found


def _try(respond: Respond, shown: Tensor, preferred: Tensor, trials: Tensor) -> Float[Tensor, " rows"]:
    case, rank = trials.nonzero(as_tuple=True)
    return respond(case, shown[case].scatter(1, preferred[case, rank].unsqueeze(1), True))


def _keep(
    found: Found, shown: Tensor, left: Tensor, preferred: Tensor, best: Tensor, count: Int[Tensor, " cases"]
) -> Int[Tensor, " some"]:
    """Note the first `count` of the best, in place; the cases where these are several."""
    case, number = (torch.arange(best.shape[1], device=best.device) < count[:, None]).nonzero(as_tuple=True)
    rank = best[case, number]
    patch = preferred[case, rank]
    found.order[case, found.steps[case] + number] = patch
    shown[case, patch] = True
    left[case, rank] = False
    found.steps.add_(count)
    return (count > 1).nonzero().squeeze(1)
