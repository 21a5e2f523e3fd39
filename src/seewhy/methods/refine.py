"""`refine:METHOD`: any method's map, improved by a few steps of AHA's objective on the map itself.

What a good map should do can be differentiated: taking away its top regions should lower the target's probability
soon (deletion), bringing them back should raise it soon (insertion). Soft sorting turns the map into soft masks, the
model answers for every mask, and the gradient moves the map. AHA trains a network that way; here the map is all that
is trained, so it works at once for every model. One soft permutation serves both curves: what insertion shows is what
deletion takes.

| symbol of the paper | name here   | shape                       |
|---------------------|-------------|-----------------------------|
| A                   | scores      | cases lattice lattice       |
| P^soft              | permutation | cases ranks regions         |
| m^soft,(k)          | masks       | cases points grid grid      |
| I₀                  | references  | kinds cases 3 height width  |

differs from the paper: there is no explainer network (its Sec. 3.3 trains one a little further). The start is the
rank of each region in the base's map times `spread`. Every step sees all references at `points` fractions each. The
result, as it is and redrawn along the image's edges (`edges`), is kept only where it scores better than the base's map
with hard masks at the same fractions (`keep_better`).

extras: `objective`, the soft insertion minus deletion before each step (NaN where a map was done), and with
`keep_better` also `gain`, that of the result minus that of the base with hard masks.
"""

import copy
import math
from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seewhy.interventions.perturbed import Answers, ask_masked
from seewhy.models.classifier import Classifier
from seewhy.ops.curves import pixel_order, pixel_ranks
from seewhy.ops.edges import follow_edges
from seewhy.ops.perturb import (
    REFERENCES,
    blend,
    draw_offset,
    evenly_spaced,
    pool_cells,
    reference_images,
    soft_masks,
)
from seewhy.ops.resize import resize_maps, unit_range
from seewhy.ops.sinkhorn import soft_permutation
from seewhy.registry import register_method
from seewhy.runtime.options import require
from seewhy.runtime.progress import track
from seewhy.types import Attribution, Images, Maps, Targets

Lattice = Float[Tensor, "cases lattice_rows lattice_cols"]
Pictures = Float[Tensor, "cases height width"]


@register_method("refine", paper="schinagl2026")
def refine(
    model: Classifier,
    images: Images,
    targets: Targets,
    base: Callable,
    *,
    steps: int = 12,
    points: int = 4,
    grids: tuple[int, ...] = (14,),
    lattice: int = 14,
    learning_rate: float = 4.0,
    tau: tuple[float, float] = (0.3, 0.1),
    spread: float = 10.0,
    sigma: float = 0.0,
    enough: float | None = None,
    edges: int = 8,
    keep_better: bool = True,
    seed: int = 0,
) -> Attribution:
    """The base's map moved towards better deletion and insertion, by gradient steps on the map itself.

    Costs 6 x `points` forwards and backwards per step and class (and 18 x `points` forwards for `keep_better`).
    `grids` are walked through from first to last while the steps go by, each at a random offset if it is not the
    lattice on which the map is kept; `tau` falls from the first to the last value. A map is done early as soon as a
    step raises its objective by less than `enough`. `edges` is the reach, in pixels, of the filter along the image's
    edges (0: none).
    """
    require(
        {
            f"steps must not be negative, got {steps}": steps >= 0,
            f"points must be at least 1, got {points}": points >= 1,
            f"learning_rate must be a number above 0, got {learning_rate}": 0 < learning_rate < math.inf,
            f"tau must be two numbers above 0, first and last; got {tau}": all(0 < each < math.inf for each in tau),
            f"spread must be a number, got {spread}": math.isfinite(spread),
            f"sigma must not be negative, got {sigma}": 0 <= sigma < math.inf,
            f"edges must not be negative, got {edges}": edges >= 0,
        }
    )
    _check_lattices(lattice, grids, min(images.shape[-2:]))
    sweep = Sweep(model, images, targets, points=points, sigma=sigma)
    before = resize_maps(base(model, images, targets).maps, sweep.size)
    start = ranks_of(before.flatten(0, 1), lattice) * spread
    course = [
        (grids[step * len(grids) // steps], tau[0] + (tau[1] - tau[0]) * step / max(steps - 1, 1))
        for step in range(steps)
    ]
    scores, objective = climb(sweep, start, course, learning_rate=learning_rate, enough=enough, seed=seed)
    lowest = scores.amin(dim=(-2, -1), keepdim=True)  # the lowest rank, not evidence against the class
    maps = enlarged(scores - lowest, sweep.size).unflatten(0, targets.shape)
    extras = {"objective": objective.unflatten(0, targets.shape)}
    candidates = [before, maps, follow_edges(maps, images, radius=edges)] if edges else [before, maps]
    if not keep_better:
        return Attribution(candidates[-1], extras)
    maps, extras["gain"] = best_of(sweep, candidates)
    return Attribution(maps, extras)


def best_of(sweep: "Sweep", candidates: list[Maps]) -> tuple[Maps, Float[Tensor, "batch classes"]]:
    """The best of several maps for every image and class, and what it gains over the first."""
    judged = torch.stack([sweep.hard(each) for each in candidates])  # candidates batch classes
    best = judged.argmax(dim=0)[None, ..., None, None]
    picked = torch.stack(candidates).gather(0, best.expand(1, *candidates[0].shape))
    return picked[0], judged.amax(dim=0) - judged[0]


def climb(
    sweep: "Sweep",
    start: Lattice,
    course: list[tuple[int, float]],
    *,
    learning_rate: float,
    enough: float | None,
    seed: int,
) -> tuple[Lattice, Float[Tensor, "cases steps"]]:
    """The scores after a step for each grid and temperature of the course, and the objective before each step taken."""
    scores, reached = start.clone().requires_grad_(), start.clone()
    optimizer, generator = torch.optim.Adam([scores], lr=learning_rate, eps=1.0), torch.Generator().manual_seed(seed)
    objective = start.new_full((len(start), len(course)), torch.nan)
    rising = torch.arange(len(start), device=start.device)  # the cases that are not done yet
    for step in track(range(len(course)), "refining"):
        value, slope = sweep.of(rising).gradient(scores[rising], *course[step], generator)
        objective[rising, step], scores.grad = value, torch.zeros_like(scores).index_copy_(0, rising, slope)
        if enough is not None and step > 0:
            rising = rising[objective[rising, step] - objective[rising, step - 1] >= enough]
        if not len(rising):
            break
        optimizer.step()
        reached[rising] = scores.detach()[rising]
    return reached, objective


class Sweep:
    """Deletion and insertion of every image and class (a case), toward every reference."""

    def __init__(self, model: Classifier, images: Images, targets: Targets, *, points: int, sigma: float) -> None:
        self.model, self.shape, self.sigma = model, targets.shape, sigma
        self.size = (images.shape[-2], images.shape[-1])
        self.images, self.targets = images.repeat_interleave(targets.shape[1], dim=0), targets.reshape(-1, 1)
        self.references = torch.stack([reference_images(self.images, name) for name in REFERENCES])
        self.fractions = images.new_tensor(evenly_spaced(points, endpoints=False) * len(REFERENCES))
        self.kinds = torch.arange(len(REFERENCES)).repeat_interleave(points).repeat(2)
        self.weights = torch.cat([torch.ones_like(self.fractions), -torch.ones_like(self.fractions)])
        self.weights = self.weights.unsqueeze(1) / len(self.fractions)

    def of(self, cases: Int[Tensor, " some"]) -> "Sweep":
        """The sweep of some of the cases."""
        part = copy.copy(self)
        part.images, part.references, part.targets = self.images[cases], self.references[:, cases], self.targets[cases]
        return part

    def gradient(
        self, scores: Lattice, grid: int, tau: float, generator: torch.Generator
    ) -> tuple[Float[Tensor, " cases"], Lattice]:
        """The soft objective, and which way it falls: of mean square one per case, so that no case is slower."""
        offset, cells = (0, 0), scores
        if grid != scores.shape[-1]:
            offset = draw_offset(self.size, grid, generator)
            cells = pool_cells(enlarged(scores, self.size), grid, offset=offset)
        wide = cells.dtype if cells.device.type == "mps" else torch.float64  # a batch gives what its images give
        permutation = soft_permutation(cells.flatten(1).to(wide), tau=tau, start="sorted")  # P^soft      Eq. 6, 7
        masks = soft_masks(permutation, self.fractions).to(scores).unflatten(2, (grid, grid))  # m^soft,(k)  Eq. 8
        masks = torch.cat([masks, 1 - masks], dim=1)  # taken away, then all but that
        answers = self.ask(masks, offset)
        (slope,) = torch.autograd.grad((masks * answers.gradients).sum(), scores)
        size = slope.square().mean(dim=(1, 2), keepdim=True).sqrt().clamp(min=torch.finfo(slope.dtype).tiny)
        return -(answers.probabilities * self.weights).sum(dim=(1, 2)), slope / size  # Eq. 11

    def ask(self, masks: Float[Tensor, "cases points grid grid"], offset: tuple[int, int]) -> Answers:
        return ask_masked(  # Eq. 9, 10
            self.model,
            self.images,
            self.references,
            masks,
            self.targets,
            self.weights,
            kinds=self.kinds,
            offset=offset,
            sigma=self.sigma,
        )

    def hard(self, maps: Maps) -> Float[Tensor, "batch classes"]:
        """The objective with hard masks of pixels, as metrics compute it."""
        ranks = pixel_ranks(pixel_order(maps.flatten(0, 1))).unflatten(1, self.size)
        counts = (self.fractions * ranks[0].numel()).round().view(-1, 1, 1)
        objective = self.weights.new_zeros(len(ranks))
        for case, rank in enumerate(ranks):
            masks = (rank < counts).to(maps.dtype)
            masks = torch.cat([masks, 1 - masks])
            pictures = blend(self.images[case].expand(len(masks), -1, -1, -1), self.references[self.kinds, case], masks)
            said = self.model.probabilities(pictures)[:, self.targets[case, 0]]
            objective[case] = -(said * self.weights[:, 0]).sum()
        return objective.view(self.shape)


def ranks_of(maps: Pictures, lattice: int) -> Lattice:
    """The rank of each cell of the lattice, from 0 for the lowest to 1 for the highest; equal cells share theirs."""
    cells = unit_range(pool_cells(maps, lattice)).flatten(1)
    above = torch.sigmoid((cells.unsqueeze(2) - cells.unsqueeze(1)) * 1000)  # half where two differ by rounding only
    return above.mean(dim=2).unflatten(1, (lattice, lattice))


def enlarged(scores: Lattice, size: tuple[int, int]) -> Pictures:
    return resize_maps(scores.unsqueeze(1), size).squeeze(1)


def _check_lattices(lattice: int, grids: tuple[int, ...], side: int) -> None:
    fit = len(grids) > 0 and 1 <= min(grids) <= max(grids) <= side
    require(
        {
            f"lattice must be from 1 to {side}, the image's pixels; got {lattice}": 1 <= lattice <= side,
            f"grids must be one or more, from 1 to {side}; got {grids}": fit,
        }
    )
