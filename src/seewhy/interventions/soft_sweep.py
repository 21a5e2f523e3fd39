"""Soft deletion and insertion of scores on a lattice of regions, with their gradient (AHA, Eq. 6 to 11)."""

import copy

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seewhy.interventions.perturbed import MaskedResponse, hard_objective, masked_probabilities
from seewhy.models.classifier import Classifier
from seewhy.ops.curves import evenly_spaced
from seewhy.ops.perturb import AHA_REFERENCES, AHAReference, aha_reference_images, pool_cells, sample_offset, soft_masks
from seewhy.ops.resize import resize_maps
from seewhy.ops.sinkhorn import soft_permutation
from seewhy.types import Images, Maps, Targets

Lattice = Float[Tensor, "cases lattice_rows lattice_cols"]
CaseMaps = Float[Tensor, "cases height width"]
GOLDEN = (5**0.5 - 1) / 2  # multiples of it are spread evenly over [0, 1) modulo 1, whatever their number


class SoftSweep:
    """Soft deletion and insertion of every case (an image and a class) with every reference."""

    def __init__(
        self,
        model: Classifier,
        images: Images,
        targets: Targets,
        *,
        points: int,
        sigma: float,
        references: tuple[AHAReference, ...] = AHA_REFERENCES,
    ) -> None:
        names = tuple(dict.fromkeys(references))
        self.model, self.shape, self.sigma = model, targets.shape, sigma
        self.size = (images.shape[-2], images.shape[-1])
        self.images, self.targets = images.repeat_interleave(targets.shape[1], dim=0), targets.reshape(-1, 1)
        self.references = torch.stack([aha_reference_images(self.images, name) for name in names])
        self.fractions = images.new_tensor(evenly_spaced(points, endpoints=False) * len(names))
        self.kinds = torch.arange(len(names)).repeat_interleave(points).repeat(2)
        self.weights = torch.cat([torch.ones_like(self.fractions), -torch.ones_like(self.fractions)])
        self.weights = self.weights.unsqueeze(1) / len(self.fractions)

    def of(self, cases: Int[Tensor, " some"]) -> "SoftSweep":
        """The sweep of a subset of the cases."""
        part = copy.copy(self)
        part.images, part.references, part.targets = self.images[cases], self.references[:, cases], self.targets[cases]
        part.shape = part.targets.shape
        return part

    def staggered(self, step: int) -> "SoftSweep":
        """The sweep at other fractions in every step and for every reference, as many in every part of the curve."""
        part, kinds = copy.copy(self), len(self.references)
        points = len(self.fractions) // kinds
        start = (step * GOLDEN + torch.arange(kinds).repeat_interleave(points) / kinds) % 1
        part.fractions = ((torch.arange(points).repeat(kinds) + start) / points).to(self.fractions)
        return part

    def gradient(
        self, scores: Lattice, grid: int, tau: float, generator: torch.Generator
    ) -> tuple[Float[Tensor, " cases"], Lattice]:
        """The soft objective, and the gradient of its negative with respect to the scores."""
        offset, cells = (0, 0), scores
        if grid != scores.shape[-1]:
            offset = sample_offset(self.size, grid, generator)
            cells = pool_cells(upsampled(scores, self.size), grid, offset=offset)
        wide = cells.dtype if cells.device.type == "mps" else torch.float64  # independent of the batch an image is in
        permutation = soft_permutation(cells.flatten(1).to(wide), tau=tau, start="sorted")  # P^soft      Eq. 6, 7
        masks = soft_masks(permutation, self.fractions).to(scores).unflatten(2, (grid, grid))  # m^soft,(k)  Eq. 8
        masks = torch.cat([masks, 1 - masks], dim=1)  # deletion, then insertion
        response = self.respond(masks, offset)  # Eq. 9, 10
        (gradient,) = torch.autograd.grad((masks * response.gradients).sum(), scores)
        return -(response.probabilities * self.weights).sum(dim=(1, 2)), gradient  # Eq. 11

    def respond(self, masks: Float[Tensor, "cases points grid grid"], offset: tuple[int, int]) -> MaskedResponse:
        return masked_probabilities(
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

    def hard_objective(self, maps: Maps) -> Float[Tensor, "batch classes"]:
        """Insertion minus deletion with hard pixel masks, as in the metrics."""
        once = self.fractions[: len(self.fractions) // len(self.references)]
        flat = maps.flatten(0, 1)
        objective = hard_objective(self.model, self.images, self.references, flat, self.targets[:, 0], once)
        return objective.view(self.shape)


def unit_mean_square(gradient: Lattice) -> Lattice:
    """Every case's gradient scaled to a mean square of one, so that all cases move equally fast."""
    norm = gradient.square().mean(dim=(1, 2), keepdim=True).sqrt()
    return gradient / norm.clamp(min=torch.finfo(gradient.dtype).tiny)


def upsampled(scores: Lattice, size: tuple[int, int]) -> CaseMaps:
    return resize_maps(scores.unsqueeze(1), size).squeeze(1)
