"""`refine:METHOD`: AHA's objective (Eq. 11), optimized directly on the map of any method.

Deletion and insertion become differentiable through soft sorting (Eq. 6 to 10, `explainers/loss.py`). AHA trains a
network with them; here the parameters are a smooth change of a coarse map of scores, which starts as the base method's
map, so that no training is needed. Each step
    1. sorts the scores softly                           P^soft        Eq. 6, 7
    2. sums the first k ranks to soft top-k masks        m^soft,(k)    Eq. 8
    3. replaces what the masks cover (deletion) or do not cover (insertion) by the references, and takes the mean
       probability of the target                                       Eq. 9, 10
    4. ascends the gradient of insertion − deletion                    Eq. 11

| symbol of the paper | name here   | shape                       |
|---------------------|-------------|-----------------------------|
| A                   | scores      | cases lattice lattice       |
| P^soft              | permutation | cases ranks regions         |
| m^soft,(k)          | masks       | cases points grid grid      |
| I₀                  | references  | kinds cases 3 height width  |

formula: A = argmax of insAUC^soft(A) - delAUC^soft(A) (Eq. 11), from the base's map, by gradient steps

differs from the paper: there is no explainer network (Sec. 3.3 fine-tunes one). Scores start at the rank of each region
in the base's map, times `score_range`; their change is smoothed by a Gaussian (`smoothing`), which takes the place of
the penalty on isolated peaks. Every step uses all references at `points` fractions each, and one sort for both curves:
insertion shows what deletion removes. Only the order of the scores is optimized, so the result has the values of the
base's map in that order. It is returned only where it scores better than the base's map with hard masks at the same
fractions (`keep_better`).

extras: `objective`, the soft insertion minus deletion before each step (NaN after a map has converged), `path`, the
scores before the first step and after each, and with `keep_better` also `kept`, the step whose map is returned, the
first or the last, and `gain`, the hard insertion minus deletion of the result minus that of the base.
"""

from collections.abc import Callable
from typing import Annotated

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.interventions.soft_sweep import CaseMaps, Lattice, SoftSweep, unit_mean_square, upsampled
from seewhy.models.classifier import Classifier
from seewhy.ops.perturb import pool_cells, upsample_cells
from seewhy.ops.resize import resize_maps, unit_range
from seewhy.registry import register_method
from seewhy.runtime.options import above, at_least, check
from seewhy.runtime.progress import Step, report_step, track
from seewhy.types import Attribution, Images, Maps, Targets

Side = Annotated[int, at_least(1)]
Temperature = Annotated[float, above(0)]


@register_method("refine", paper="schinagl2026", optimizes=True)
def refine(
    model: Classifier,
    images: Images,
    targets: Targets,
    base: Callable[..., Attribution],
    *,
    steps: Annotated[int, at_least(0)] = 6,
    points: Annotated[int, at_least(1)] = 3,
    grids: tuple[Side, ...] = (14,),
    lattice: Side = 14,
    learning_rate: Annotated[float, above(0)] = 6.0,
    tau: tuple[Temperature, Temperature] = (0.3, 0.1),
    score_range: Annotated[float, above(0)] = 10.0,
    smoothing: Annotated[float, at_least(0)] = 0.5,
    sigma: Annotated[float, at_least(0)] = 0.0,
    min_gain: float | None = None,
    keep_better: bool = True,
    seed: int = 0,
) -> Attribution:
    """The base's map, optimized for deletion and insertion by gradient steps on the map itself.

    Costs 6 x `points` forward and backward passes per step and class (and 12 x `points` forward passes for
    `keep_better`). The steps take the `grids` in turn, each at a random offset if it is not the `lattice` of the
    scores, whose change is smoothed by a Gaussian of `smoothing` cells; the temperature `tau` decreases from the first
    to the second value. A map has converged once a step raises its objective by less than `min_gain` (default: never,
    all `steps` are made). `sigma` smooths the masks, in pixels.
    """
    _check_lattices(lattice, grids, min(images.shape[-2:]))
    sweep = SoftSweep(model, images, targets, points=points, sigma=sigma)
    before = resize_maps(base(model, images, targets).maps.to(images), sweep.size)
    start = ranks_of(before.flatten(0, 1), lattice) * score_range
    schedule = [
        (grids[step % len(grids)], tau[0] + (tau[1] - tau[0]) * step / max(steps - 1, 1)) for step in range(steps)
    ]
    path, objective = optimize(
        sweep, start, schedule, learning_rate=learning_rate, smoothing=smoothing, min_gain=min_gain, seed=seed
    )
    maps = in_order_of(upsampled(path[:, -1], sweep.size).unflatten(0, targets.shape), before)
    path = path - path.amin(dim=(-2, -1), keepdim=True)  # scores are ranks: the lowest is not negative evidence
    extras = {"objective": objective.unflatten(0, targets.shape), "path": path.unflatten(0, targets.shape)}
    if keep_better:
        maps, extras["gain"] = best_of(sweep, [before, maps])
        made = (path == path[:, -1:]).flatten(2).all(dim=2).int().argmax(dim=1)  # steps, the others change nothing
        extras["kept"] = made.view(targets.shape) * (extras["gain"] > 0)
    return Attribution(maps, extras)


def optimize(
    sweep: "SoftSweep",
    start: Lattice,
    schedule: list[tuple[int, float]],
    *,
    learning_rate: float,
    smoothing: float,
    min_gain: float | None,
    seed: int,
) -> tuple[Float[Tensor, "cases path lattice_rows lattice_cols"], Float[Tensor, "cases steps"]]:
    """The scores before the first and after each step of the schedule; the objective before each step.

    A listener may stop it; the path then ends with the step of the best objective.
    """
    change, path = torch.zeros_like(start).requires_grad_(), start.unsqueeze(1).repeat(1, len(schedule) + 1, 1, 1)
    optimizer, generator = torch.optim.Adam([change], lr=learning_rate, eps=1.0), torch.Generator().manual_seed(seed)
    objective = start.new_full((len(start), len(schedule)), torch.nan)
    active = torch.arange(len(start), device=start.device)  # cases that still improve
    for step in track(range(len(schedule)), "refining"):
        scores = start + smoothed(change, smoothing)
        value, gradient = sweep.of(active).gradient(scores[active], *schedule[step], generator)
        objective[active, step] = value.to(objective)
        if report_step(Step(step, len(schedule), objective[:, step], scores.detach())):
            best = objective.nan_to_num(-torch.inf).argmax(dim=1)
            path[:, step + 1 :] = path[torch.arange(len(path)), best].unsqueeze(1)
            break
        change.grad = unit_mean_square(torch.autograd.grad(scores[active], change, gradient.to(scores))[0])
        if min_gain is not None and step > 0:
            active = active[objective[active, step] - objective[active, step - 1] >= min_gain]
        if not len(active):
            break
        optimizer.step()
        path[active, step + 1 :] = (start + smoothed(change, smoothing)).detach()[active].unsqueeze(1)
    else:  # neither stopped nor converged: the objective after the last step is not measured
        report_step(Step(len(schedule), len(schedule), start.new_full((len(start),), torch.nan), path[:, -1]))
    return path, objective


def best_of(sweep: "SoftSweep", candidates: list[Maps]) -> tuple[Maps, Float[Tensor, "batch classes"]]:
    """The best of several maps for every image and class, and its gain over the first."""
    objectives = torch.stack([sweep.hard_objective(each) for each in candidates])  # candidates batch classes
    best = objectives.argmax(dim=0)[None, ..., None, None]
    maps = torch.stack(candidates).gather(0, best.expand(1, *candidates[0].shape))
    return maps[0], objectives.amax(dim=0) - objectives[0]


def ranks_of(maps: CaseMaps, lattice: int) -> Lattice:
    """The rank of each cell of the lattice, from 0 (lowest) to 1 (highest); equal cells share a rank."""
    cells = unit_range(pool_cells(maps, lattice)).flatten(1)
    wins = torch.sigmoid((cells.unsqueeze(2) - cells.unsqueeze(1)) * 1000)  # half where two differ by rounding only
    return wins.mean(dim=2).unflatten(1, (lattice, lattice))


def smoothed(change: Lattice, sigma: float) -> Lattice:
    """The change of every cell, averaged with a Gaussian of `sigma` cells."""
    return upsample_cells(change, (change.shape[-2], change.shape[-1]), sigma=sigma)


def in_order_of(maps: Maps, values: Maps) -> Maps:
    """The values of each map in the order of `maps`; a slope of 1 % of their range keeps equal values apart."""
    sorted_values, order = values.flatten(2).sort(dim=-1).values, maps.flatten(2).argsort(dim=-1)
    slope = torch.linspace(0, 0.01, order.shape[-1], dtype=values.dtype, device=values.device)
    span = sorted_values[..., -1:] - sorted_values[..., :1]
    sorted_values = sorted_values + slope * span.where(span > 0, span.new_ones(()))
    return torch.empty_like(sorted_values).scatter(-1, order, sorted_values).view_as(values)


def _check_lattices(lattice: int, grids: tuple[int, ...], side: int) -> None:
    check(lattice <= side, f"lattice must be at most {side}, the image size in pixels; got {lattice}")
    fit = len(grids) > 0 and max(grids) <= side
    check(fit, f"grids must be one or more ints of at most {side}, the image size in pixels; got {grids}")
