"""Classes competing at every location (VAR, Sec. 3.3): maps of several classes in, what is each one's own out.

| symbol of the paper | name here    | shape                    |
|---------------------|--------------|--------------------------|
| H_k                 | maps         | batch classes rows cols  |
| C'                  | present      | batch classes            |
| t                   | temperatures | a few numbers            |
| q_k                 | distribution | batch classes rows cols  |
"""

import functools
from collections.abc import Sequence
from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor

ClassMaps = Float[Tensor, "batch classes rows cols"]
Present = Bool[Tensor, "batch classes"]


def class_distribution(
    maps: ClassMaps,
    present: Present,
    *,
    temperatures: Sequence[float] = (1.0, 5.0, 100.0),
    temperature_mode: Literal["multiply", "divide"] = "multiply",
    scale: Literal["max"] | None = None,
    use_abs: bool = False,
) -> ClassMaps:
    """Per location, how the evidence is shared between the classes that are present; sums to one over them."""
    maps = maps.abs() if use_abs else maps
    absent = ~present[..., None, None]
    if scale == "max":
        largest = maps.masked_fill(absent, 0).abs().amax(dim=(1, 2, 3), keepdim=True)
        maps = maps / largest.where(largest > 0, largest.new_ones(()))
    factors = [t if temperature_mode == "multiply" else 1 / t for t in temperatures]
    shares = ((maps * factor).masked_fill_(absent, -torch.inf).softmax(dim=1) for factor in factors)  # q_k^t  Eq. 2
    return functools.reduce(torch.add, shares) / len(factors)  # q_k, averaged over t


def keep_own(maps: ClassMaps, distribution: ClassMaps, present: Present, *, tau: float = 0.0) -> ClassMaps:
    """H'_k = H_k · q_k · 1[q_k > 1/K]: a class keeps a location only where it has more than its even share."""
    even = 1 / present.sum(dim=1).to(maps)[:, None, None, None]  # 1/K
    margin = max(tau, 8 * torch.finfo(maps.dtype).eps)  # equal maps must give exactly zero
    return maps * distribution * (distribution - even > margin)


def shared_evidence(maps: ClassMaps, distribution: ClassMaps, present: Present) -> Float[Tensor, "batch rows cols"]:
    """Positive evidence that all classes have in common, fading where one of them dominates."""
    absent = ~present[..., None, None]
    common = maps.masked_fill(absent, torch.inf).relu().amin(dim=1)
    even = 1 / present.sum(dim=1).to(maps)[:, None, None]
    return common * (1 - (distribution.amax(dim=1) - even) / (1 - even))


def won_evidence(maps: ClassMaps, distribution: ClassMaps, present: Present) -> ClassMaps:
    """Positive evidence of the class with the largest share, times its lead over the next one; zero for all others."""
    shares = distribution.masked_fill(~present[..., None, None], 0)
    first, second = shares.topk(2, dim=1).values.split(1, dim=1)
    lead = first - second
    lead = lead.where(lead > 8 * torch.finfo(lead.dtype).eps, 0)  # a tie is nobody's
    return maps.relu() * lead * (shares == first)
