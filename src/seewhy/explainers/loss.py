"""What an explainer is trained on: differentiable deletion and insertion, and a penalty on lone peaks.

The map is pooled to a grid, softly sorted downwards and upwards, and the model answers for the images that both orders
take apart. The gradient reaches the map through the masks; nothing but the masks is differentiated in the model. The
clean image, where both curves begin, has been asked already to choose the classes: 31 forwards per image for 16 steps.

| symbol of the paper | name here      | shape              |
|---------------------|----------------|--------------------|
| A                   | maps           | cases height width |
| K = G·G             | grid²          |                    |
| S                   | steps          |                    |
| λ_del, λ_ins, λ_reg | *_weight       |                    |

differs from the paper: one field of `LossConfig` per disagreement; its defaults are the authors' code, `PAPER_LOSS` is
as printed (area without the first point, no smoothing of masks, shifted grids, a penalty on both sides, drawn steps).
"""

import math
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.errors import ModelError
from seewhy.interventions.perturbed import ask_masked
from seewhy.models.classifier import Classifier
from seewhy.ops.perturb import (
    REFERENCES,
    Reference,
    draw_offset,
    evenly_spaced,
    peak_penalty,
    pool_cells,
    reference_images,
    soft_masks,
)
from seewhy.ops.sinkhorn import Anchors, Start, gumbel_noise, soft_permutation
from seewhy.runtime.options import require
from seewhy.types import Images, Scores, Targets


@dataclass(frozen=True)
class LossConfig:
    """Settings of the objective; the defaults are those of the authors' code, but for regions that share no pixels."""

    steps: int = 16  # points of each curve, both ends included
    sample_steps: bool = False  # draw the points between the ends instead of spacing them evenly
    sinkhorn: int = 30  # iterations of the sort
    tolerance: float | None = None  # of column sums: the sort ends as soon as it is reached
    anchors: Anchors = "official"  # what scores are compared with: those of the code, or of the paper
    sort_start: Start = "plain"  # of the sort, see `soft_permutation`: the same limit, sooner if not plain
    spread: float | None = None  # maps are scaled to this standard deviation before the sort; none: taken as they are
    gumbel: bool = True  # noise in the sort
    overlap: bool = False  # official: regions that share pixels; ours are disjoint, as the paper says
    grids: tuple[int, ...] = tuple(range(7, 29))  # regions per side; one is drawn in each step
    shift: float = 0.0  # largest offset of the grid, as a share of a cell
    sigma: float = 1.0  # smoothing of masks, in pixels
    references: tuple[Reference, ...] = REFERENCES  # one is drawn in each step
    area: Literal["trapezoid", "mean_after_first"] = "trapezoid"  # under a curve
    deletion_weight: float = 1.0  # λ_del
    insertion_weight: float = 1.0  # λ_ins
    peak_weight: float = 2.5e-3  # λ_reg
    peak_size: int = 15  # window of the penalty on lone peaks, in pixels
    peak_two_sided: bool = False  # a penalty on lone lows, too

    def __post_init__(self) -> None:
        rules = {
            "steps must be at least 2, the ends": self.steps >= 2,
            "sinkhorn must be at least 1": self.sinkhorn >= 1,
            "tolerance must be above 0": self.tolerance is None or self.tolerance > 0,
            "grids must be one or more sides from 1 on": len(self.grids) > 0 and min(self.grids) >= 1,
            "references must be one or more": len(self.references) > 0,
            "peak_size must be odd": self.peak_size >= 1 and self.peak_size % 2 == 1,
            "spread must be above 0": self.spread is None or self.spread > 0,
            "sigma must not be negative": 0 <= self.sigma < math.inf,
            "shift must not be negative": 0 <= self.shift < math.inf,
        }
        require({f"{rule}; got {getattr(self, rule.partition(' ')[0])}": holds for rule, holds in rules.items()})


OFFICIAL_LOSS = LossConfig(overlap=True)
PAPER_LOSS = LossConfig(
    sample_steps=True, anchors="paper", shift=1.0, sigma=0.0, area="mean_after_first", peak_two_sided=True
)
OURS_LOSS = LossConfig(shift=1.0, sort_start="sorted", spread=5.0)


class Draw(NamedTuple):
    """What one step of training draws, for all images of a batch."""

    grid: int
    offset: tuple[int, int]
    reference: Reference
    fractions: tuple[float, ...]


class Loss(NamedTuple):
    """The loss with its graph, and its parts as numbers."""

    total: Float[Tensor, ""]
    deletion: Float[Tensor, ""]
    insertion: Float[Tensor, ""]
    peak: Float[Tensor, ""]


def draw(config: LossConfig, size: tuple[int, int], generator: torch.Generator) -> Draw:
    """Grid, offset, reference and steps, in this order."""
    grid = _one_of(config.grids, generator)
    offset = draw_offset(size, grid, generator, share=config.shift)
    reference = _one_of(config.references, generator)
    fractions = evenly_spaced(config.steps)
    if config.sample_steps:
        between = torch.rand(config.steps - 2, generator=generator).sort().values.tolist()
        fractions = (0.0, *between, 1.0)
    return Draw(grid, offset, reference, fractions)


def explainer_loss(
    model: Classifier,
    images: Images,
    maps: Float[Tensor, "batch height width"],
    targets: Targets,
    clean: Scores,
    *,
    config: LossConfig,
    drawn: Draw,
    tau: float,
    generator: torch.Generator | None = None,
) -> Loss:
    """The loss of one map per image, for all its classes at once; `clean` are their probabilities for the whole image.

    Without a generator the sort is free of noise.
    """
    maps = maps if config.spread is None else with_spread(maps, config.spread)
    cells = pool_cells(maps, drawn.grid, offset=drawn.offset, overlap=config.overlap)
    if not cells.isfinite().all():
        raise ModelError("the explainer's map is not finite: lower the learning rate, or go back to a checkpoint")
    fractions = torch.tensor(drawn.fractions, dtype=maps.dtype, device=maps.device)
    masks = torch.cat(_both_masks(cells.flatten(1), fractions[1:], config, tau, generator), dim=1)
    masks = masks.unflatten(2, (drawn.grid, drawn.grid))
    along = _area_weights(fractions, config.area)
    down, up = config.deletion_weight * along, -config.insertion_weight * along
    weights = torch.cat([down[1:], up[1:]]).unsqueeze(1).expand(-1, targets.shape[1]) / targets.numel()
    reference = reference_images(images, drawn.reference).unsqueeze(0)
    answers = ask_masked(model, images, reference, masks, targets, weights, offset=drawn.offset, sigma=config.sigma)
    first = (clean.mean() * along[0]).expand(2)
    said = answers.probabilities.unflatten(1, (2, -1))  # batch (deletion, insertion) points classes
    deletion, insertion = first + (said.mean(dim=(0, 3)) * along[1:].to(said)).sum(dim=1)  # Eq. 9, 10
    peak = peak_penalty(maps, size=config.peak_size, two_sided=config.peak_two_sided).mean()
    through_masks = (masks * answers.gradients).sum()
    total = config.deletion_weight * deletion + config.insertion_weight * (1 - insertion)  # Eq. 11
    total = total + through_masks - through_masks.detach() + config.peak_weight * peak
    return Loss(total, deletion, insertion, peak.detach())


def with_spread(maps: Float[Tensor, "batch height width"], spread: float) -> Float[Tensor, "batch height width"]:
    """How sharp the sort is depends on the range of the scores; so it depends on the temperature alone."""
    return maps * (spread / maps.std(dim=(1, 2), keepdim=True).clamp(min=1e-6))  # a flat map stays flat


def _both_masks(
    cells: Float[Tensor, "batch regions"],
    fractions: Float[Tensor, " steps"],
    config: LossConfig,
    tau: float,
    generator: torch.Generator | None,
) -> list[Float[Tensor, "batch steps regions"]]:
    """What is taken away, most important first and least important first; noise is drawn for each."""
    noisy = generator is not None and config.gumbel
    masks = []
    for scores in (cells, -cells):
        noise = gumbel_noise(scores.detach(), generator) if noisy else None
        permutation = soft_permutation(
            scores,
            tau=tau,
            noise=noise,
            iterations=config.sinkhorn,
            tolerance=config.tolerance,
            anchors=config.anchors,
            start=config.sort_start,
        )
        masks.append(soft_masks(permutation, fractions))
    return masks


def _area_weights(fractions: Float[Tensor, " points"], rule: str) -> Float[Tensor, " points"]:
    """What each point adds to the area under the curve."""
    if rule == "mean_after_first":
        return torch.cat([torch.zeros_like(fractions[:1]), torch.full_like(fractions[1:], 1 / (len(fractions) - 1))])
    widths = fractions.diff()
    ends = widths.new_zeros(1)
    return (torch.cat([widths, ends]) + torch.cat([ends, widths])) / 2


def _one_of(values: tuple[Any, ...], generator: torch.Generator) -> Any:
    return values[int(torch.randint(len(values), (), generator=generator))]


def preset(name: str) -> LossConfig:
    """`ours`: the official one with disjoint regions, shifted grids, and a sort whose sharpness the maps cannot change.

    Else maps run away in the first twenty steps at the larger learning rates that short trainings need: to a range
    where the official sort is far from done after its 30 iterations, and nothing pulls them back.
    """
    return {"official": OFFICIAL_LOSS, "paper": PAPER_LOSS, "ours": OURS_LOSS}[name]
