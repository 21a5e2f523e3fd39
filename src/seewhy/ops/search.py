"""Greedy search for an order of patches: in each round try a few, keep the best, for many cases side by side."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from seewhy.progress import track

Respond = Callable[[Int[Tensor, " rows"], Bool[Tensor, "rows patches"]], Float[Tensor, " rows"]]


@dataclass(frozen=True)
class Pace:
    """How much a round tries and keeps. The defaults are exact; others trade forward passes for a small change.

    Every `refresh` rounds all candidates are tried; in between only the `rescore` best of before. While the tried
    responses lie within `plateau` of each other, `take` patches are kept at once.
    """

    refresh: int = 1
    rescore: int = 0
    plateau: float = 0.0
    take: int = 1


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
    pace: Pace = Pace(),  # noqa: B008 - frozen
    description: str = "searching",
) -> Found:
    """Show patch after patch, each time the one with the largest (or smallest) response.

    `preferred` ranks the patches: only the first `candidates` of it that are allowed and not yet shown are tried, and
    ties go to the one ranked first. A case ends when nothing is left or its response has reached `enough`.
    """
    sign = 1 if largest else -1
    cases, patches = preferred.shape
    shown, left = torch.zeros_like(allowed), allowed.gather(1, preferred)  # `left` and `table` go by preference
    table = start.new_full((cases, patches), -torch.inf)
    found = Found(
        torch.full_like(preferred, -1),
        start.new_full((cases, patches + 1), torch.nan),
        torch.zeros_like(preferred[:, 0]),
    )
    found.responses[:, 0] = latest = start
    for number in track(range(patches), description):
        active = left.any(1) & (torch.ones_like(left[:, 0]) if enough is None else latest < enough)
        if not active.any():
            break
        trials = _trials(table, left & active[:, None], candidates, 0 if number % pace.refresh == 0 else pace.rescore)
        table[trials] = sign * _try(respond, shown, preferred, trials)
        tried = table.masked_fill(~trials, -torch.inf)
        best = tried.argsort(dim=1, descending=True, stable=True)[:, : pace.take]
        latest = torch.where(active, sign * tried.gather(1, best[:, :1]).squeeze(1), latest)
        kept = _how_many(tried, trials, pace)[:, None] > torch.arange(best.shape[1], device=best.device)
        found.responses[active, found.steps[active] + 1] = latest[active]
        _keep(found, shown, left, preferred, best, kept)
    return found


def _trials(table: Tensor, open_: Bool[Tensor, "cases patches"], candidates: int, rescore: int) -> Tensor:
    """What is tried: the first candidates by preference, or of those the best of before, then those not tried yet."""
    first = open_ & (open_.cumsum(dim=1) <= candidates)
    if rescore == 0:
        return first
    known = table.clamp(min=torch.finfo(table.dtype).min).masked_fill(~first, -torch.inf)
    best = known.argsort(dim=1, descending=True, stable=True)[:, :rescore]
    return first & torch.zeros_like(first).scatter(1, best, True)


def _try(respond: Respond, shown: Tensor, preferred: Tensor, trials: Tensor) -> Float[Tensor, " rows"]:
    case, rank = trials.nonzero(as_tuple=True)
    return respond(case, shown[case].scatter(1, preferred[case, rank].unsqueeze(1), True))


def _how_many(tried: Tensor, trials: Tensor, pace: Pace) -> Int[Tensor, " cases"]:
    """Patches to keep: one, or several where all responses are alike; none where a case has ended."""
    worst = tried.masked_fill(~trials, torch.inf).amin(dim=1)
    flat = tried.amax(dim=1) - worst <= pace.plateau
    return torch.where(flat, pace.take, 1).minimum(trials.sum(dim=1))


def _keep(found: Found, shown: Tensor, left: Tensor, preferred: Tensor, best: Tensor, kept: Tensor) -> None:
    """Note the picked patches, in place."""
    case, number = kept.nonzero(as_tuple=True)
    rank = best[case, number]
    patch = preferred[case, rank]
    found.order[case, found.steps[case] + number] = patch
    shown[case, patch] = True
    left[case, rank] = False
    found.steps.add_(kept.sum(dim=1))
