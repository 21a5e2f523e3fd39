"""VAR (`var:METHOD`): on top of any method, the evidence for a class that its rivals do not share.

The map of a single logit shows all evidence for the class, including evidence that similar classes share. VAR takes the
maps of a few classes, lets them compete by a softmax at every location, and keeps for each class the locations it wins.
Two or more targets are the contrast set ("why a lynx and not a cougar?"); for a single target, `classes` chooses its
rivals. `var_algorithm` is the paper's algorithm; `var` computes q - 1/K without rounding away small differences.

| symbol of the paper | name here    | shape                    |
|---------------------|--------------|--------------------------|
| C'                  | rivals       | batch classes            |
| K, size of C'       | present.sum  | batch                    |
| H_k                 | plain        | batch classes rows cols  |
| t                   | temperatures | a few numbers            |
| q_k                 | distribution | batch classes rows cols  |
| q_k - 1/K           | excess       | batch classes rows cols  |
| H'_k                | refined      | batch classes rows cols  |

formula: q_k = mean_t softmax_k(t H_k) (Eq. 2); H'_k = H_k ⊙ q_k ⊙ 1[q_k - 1/K > 0]

differs from the paper: temperatures multiply, as in the authors' code and as the text implies; the printed Eq. 2
divides (`temperature_mode="divide"`), which leaves q nearly uniform. The paper does not state the number of rivals;
`k=2` is the code's. Maps are contrasted at the image's resolution, as in the code; `at="native"` keeps the base's grid.
Shared and won evidence are not in the paper.

One target and `classes="topk"` or `"best_vs_worst"` cost one more forward pass, which ranks the classes; a list of
rivals or several targets do not.

extras: `classes` (the contrast set, -1 where an image has fewer), `plain` (their maps before), `distribution` (q) and
`shared` (evidence that all classes have in common, where none dominates).
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn.functional import pad

from seewhy.errors import InputError, TargetError
from seewhy.models.classifier import Classifier
from seewhy.ops.resize import resize_maps
from seewhy.registry import register_method
from seewhy.runtime.options import at_least, between, check
from seewhy.runtime.targets import class_index
from seewhy.types import Attribution, Images, Maps, Targets

Present = Bool[Tensor, "batch classes"]
TemperatureMode = Literal["multiply", "divide"]


def var_algorithm(
    H: Float[Tensor, "classes rows cols"], *, temperatures: Sequence[float] = (1.0, 5.0, 100.0)
) -> Float[Tensor, "classes rows cols"]:
    """Sec. 3.2 and 3.3 of the paper: H'_k of the maps H_k of the K classes in C'."""
    K = len(H)
    q = [torch.softmax(t * H, dim=0) for t in temperatures]  # q_k at every location  Eq. 2
    q_mean = torch.stack(q).mean(dim=0)  # over the temperatures
    return H * q_mean * (q_mean - 1 / K > 0)  # H'_k = H_k ⊙ q_k ⊙ 1[q_k - 1/K > 0]


# Sec. 3.2, exact for maps of any size: the classes compete at every location


def excess_share(
    plain: Maps,
    present: Present,
    *,
    temperatures: Sequence[float] = (1.0, 5.0, 100.0),
    temperature_mode: TemperatureMode = "multiply",
    scale: Literal["max"] | None = None,
    use_abs: bool = False,
) -> Maps:
    """q - 1/K: the share of each class in the evidence at every location, minus the uniform share.

    Computed from the differences of the maps, so that it keeps their relative precision in every dtype and is exactly
    zero where all maps are equal; subtracting 1/K from a float32 q would lose differences below 1e-7.
    """
    plain = plain.abs() if use_abs else plain
    missing = ~present[..., None, None]
    if scale == "max":
        largest = plain.masked_fill(missing, 0).abs().amax(dim=(1, 2, 3), keepdim=True)
        plain = plain / largest.where(largest > 0, largest.new_ones(()))
    behind = plain.masked_fill(missing, -torch.inf)
    behind = behind - behind.amax(dim=1, keepdim=True)
    factors = [t if temperature_mode == "multiply" else 1 / t for t in temperatures]
    return functools.reduce(torch.add, (_excess(behind, present, t) for t in factors)) / len(factors)  # Sec. 3.3


def _excess(behind: Maps, present: Present, factor: float) -> Maps:
    """Softmax - 1/K (Eq. 2 at one temperature) of maps minus their maximum; x = e^H - 1, q = (1 + x) / Σ(1 + x)."""
    count = _count(present, behind)  # K
    x = torch.expm1(behind * factor).masked_fill(~present[..., None, None], -1)
    mean = (x * present[..., None, None]).sum(dim=1, keepdim=True) / count
    return (x - mean) / (count * (1 + mean))


def class_distribution(plain: Maps, present: Present, **options: Any) -> Maps:
    """q: the share of each class in the evidence at every location; the classes that are present sum to one."""
    return excess_share(plain, present, **options) + 1 / _count(present, plain)


def _count(present: Present, like: Tensor) -> Float[Tensor, "batch 1 1 1"]:
    return present.sum(dim=1).to(like)[:, None, None, None]


# Sec. 3.3: a class keeps its own evidence


def keep_own(plain: Maps, excess: Maps, present: Present, *, margin: float = 0.0) -> Maps:
    """H': the maps times q, at the locations where a class has more than the uniform share."""
    distribution = excess + 1 / _count(present, excess)
    return plain * distribution * (excess > margin)  # H'_k = H_k ⊙ q_k ⊙ 1[q_k - 1/K > 0]


def shared_evidence(plain: Maps, distribution: Maps, present: Present) -> Float[Tensor, "batch rows cols"]:
    """Positive evidence that all classes have in common, attenuated where one of them dominates."""
    missing = ~present[..., None, None]
    common = plain.masked_fill(missing, torch.inf).relu().amin(dim=1)
    uniform = 1 / present.sum(dim=1).to(plain)[:, None, None]
    return common * (1 - (distribution.amax(dim=1) - uniform) / (1 - uniform))


def won_evidence(plain: Maps, distribution: Maps, present: Present) -> Maps:
    """Positive evidence of the class with the largest share, times its lead over the next one; zero for all others."""
    shares = distribution.masked_fill(~present[..., None, None], 0)
    first, second = shares.topk(2, dim=1).values.split(1, dim=1)
    lead = first - second
    lead = lead.where(lead > 8 * torch.finfo(lead.dtype).eps, 0)  # a tie has no winner
    return plain.relu() * lead * (shares == first)


# The method


@register_method("var", paper="walter2025")
def var(
    model: Classifier,
    images: Images,
    targets: Targets,
    base: Callable[..., Attribution],
    *,
    classes: str | tuple[int | str, ...] = "topk",
    k: Annotated[int, at_least(1)] = 2,
    temperatures: tuple[float, ...] = (1.0, 5.0, 100.0),
    temperature_mode: TemperatureMode = "multiply",
    scale: Literal["max"] | None = None,
    margin: Annotated[float, between(0, 1)] = 0.0,
    use_abs: bool = False,
    at: Literal["image", "native"] = "image",
) -> Attribution:
    """Maps of the base method, each reduced to the locations where its class wins against the others.

    `classes` are the rivals of a single target: the `k` most probable classes and the least probable one ("topk"),
    only the most and the least probable ("best_vs_worst"), or classes by name or index. Softmaxes at all
    `temperatures` are averaged, so the magnitude of the maps matters: `scale="max"` divides all maps of an image by
    their largest value first. To keep a location, a class must exceed the uniform share by `margin`. `use_abs` lets
    negative evidence compete like positive evidence.
    """
    _check_options(classes, temperatures, temperature_mode, several=targets.shape[1] > 1)
    rivals, present = contrast_set(model, images, targets, classes=classes, k=k)  # C'
    width = int(present.sum(dim=1).max())  # no image of this batch needs more
    rivals, present, unused = rivals[:, :width], present[:, :width], rivals.shape[1] - width
    plain = base(model, images, rivals).maps  # H_k
    plain = plain.to(torch.promote_types(plain.dtype, torch.float32))
    plain = resize_maps(plain, (images.shape[-2], images.shape[-1])) if at == "image" else plain
    excess = excess_share(  # q_k - 1/K  Eq. 2
        plain, present, temperatures=temperatures, temperature_mode=temperature_mode, scale=scale, use_abs=use_abs
    )
    refined = keep_own(plain, excess, present, margin=margin)  # H'_k  Sec. 3.3
    distribution = excess + 1 / _count(present, excess)  # q_k
    position = (targets.unsqueeze(2) == rivals.unsqueeze(1)).to(torch.uint8).argmax(dim=2)  # of each target in C'
    extras = {
        "classes": pad(rivals.masked_fill(~present, -1), (0, unused), value=-1),
        "plain": pad(plain, (0, 0, 0, 0, 0, unused)),
        "distribution": pad(distribution, (0, 0, 0, 0, 0, unused)),
        "shared": shared_evidence(plain, distribution, present),
    }
    return Attribution(refined[torch.arange(len(refined), device=refined.device)[:, None], position], extras)


def _check_options(
    classes: str | tuple[int | str, ...], temperatures: tuple[float, ...], mode: TemperatureMode, *, several: bool
) -> None:
    check(
        not several or classes == "topk",
        f"several targets are the contrast set, so classes={classes!r} has no effect. Omit it, or explain one target",
    )
    allowed = "positive numbers" if mode == "divide" else "numbers of at least 0"
    valid = [0 <= t < math.inf and (t > 0 or mode != "divide") for t in temperatures]
    check(bool(valid) and all(valid), f"temperatures must be one or more {allowed}, got {temperatures}")


# Sec. 3.3: the contrast set C'


def contrast_set(
    model: Classifier, images: Images, targets: Targets, *, classes: str | tuple[int | str, ...], k: int
) -> tuple[Int[Tensor, "batch set"], Bool[Tensor, "batch set"]]:
    """The competing classes, targets first, and which entries count: duplicates do not, and come last.

    The width depends on the options and not on the images, so that parts of a batch can be concatenated.
    """
    several = targets.shape[1] > 1
    candidates = targets if several else torch.cat([targets, _rivals(model, images, classes, k)], dim=1)
    present = _first_occurrence(candidates)
    if (present.sum(dim=1) < 2).any():
        raise InputError(
            "VAR contrasts classes: the contrast set must contain a class other than the target, got only "
            f"{'one class, several times. Name two' if several else 'the target'}"
        )
    order = (~present).to(torch.uint8).argsort(dim=1, stable=True)
    return candidates.gather(1, order), present.gather(1, order)


def _rivals(model: Classifier, images: Images, classes: str | tuple[int | str, ...], k: int) -> Tensor:
    if classes not in ("topk", "best_vs_worst"):
        chosen = _class_indices(model, images, (classes,) if isinstance(classes, str) else classes)
        return torch.tensor(chosen, device=images.device, dtype=torch.int64).expand(len(images), -1)
    ranked = model.probabilities(images).argsort(dim=1, descending=True, stable=True)
    best = ranked[:, : k if classes == "topk" else 1]
    return torch.cat([best, ranked[:, -1:]], dim=1)


def _class_indices(model: Classifier, images: Images, classes: tuple[int | str, ...]) -> list[int]:
    try:
        chosen = [class_index(name, model.class_names) for name in classes]
    except TargetError as error:
        raise TargetError(f"classes must be 'topk', 'best_vs_worst' or classes of the model: {error}") from None
    outputs = len(model.class_names or ()) or model.probabilities(images[:1]).shape[1]
    if not all(0 <= index < outputs for index in chosen):
        raise TargetError(f"classes must be between 0 and {outputs - 1}, got {chosen}")
    return chosen


def _first_occurrence(classes: Int[Tensor, "batch set"]) -> Bool[Tensor, "batch set"]:
    """False for an entry whose class already appears to its left."""
    same = classes.unsqueeze(2) == classes.unsqueeze(1)
    return ~same.tril(diagonal=-1).any(dim=2)
