"""VAR (`var:METHOD`): what speaks for one class and not for its rivals, on top of any method.

A map of one logit shows everything that excites the class, also what look-alikes share. VAR takes the maps of a few
classes, lets them compete by a softmax at every location, and leaves each class only what it wins. Two or more targets
are the contrast set ("why a lynx and not a cougar?"); for a single target, `classes` chooses its rivals.

| symbol of the paper | name here    | shape                    |
|---------------------|--------------|--------------------------|
| C'                  | rivals       | batch classes            |
| H_k                 | plain        | batch classes rows cols  |
| q_k                 | distribution | batch classes rows cols  |
| H'_k                | maps         | batch classes rows cols  |

differs from the paper: temperatures multiply, as in the authors' code and as the text means; the printed Eq. 2 divides
(`temperature_mode="divide"`), which leaves q near uniform. The number of rivals is not printed; `k=2` is the code's.
Maps are contrasted at the image's resolution, as in the code; `at="native"` keeps the base's grid.

One target and `classes="topk"` or `"best_vs_worst"` cost one more forward pass, which ranks the classes; a list of
rivals or several targets do not.

extras: `classes` (the contrast set, -1 where an image has fewer), `plain` (their maps before), `distribution` (q) and
`shared` (evidence that all have in common, where none dominates).
"""

import math
from collections.abc import Callable
from typing import Literal

import torch
from jaxtyping import Bool, Int
from torch import Tensor
from torch.nn.functional import pad

from seewhy.errors import InputError, OptionError, TargetError
from seewhy.models.classifier import Classifier
from seewhy.ops.contrast import class_distribution, keep_own, shared_evidence
from seewhy.ops.resize import resize_maps
from seewhy.registry import register_method
from seewhy.runtime.targets import class_index
from seewhy.types import Attribution, Images, Targets


@register_method(
    "var",
    paper="walter2025",
)
def var(
    model: Classifier,
    images: Images,
    targets: Targets,
    base: Callable,
    *,
    classes: str | tuple[int | str, ...] = "topk",
    k: int = 2,
    temperatures: tuple[float, ...] = (1.0, 5.0, 100.0),
    temperature_mode: Literal["multiply", "divide"] = "multiply",
    scale: Literal["max"] | None = None,
    tau: float = 0.0,
    use_abs: bool = False,
    at: Literal["image", "native"] = "image",
) -> Attribution:
    """The base's maps, each reduced to where its class wins against the others.

    `classes` are the rivals of a single target: the `k` likeliest classes and the unlikeliest ("topk"), only the
    likeliest and the unlikeliest ("best_vs_worst"), or classes by name or number. Softmaxes at all `temperatures` are
    averaged, so the size of the maps matters: `scale="max"` divides all maps of an image by their largest value first.
    A class must have more than an even share by `tau` to keep a place. `use_abs` lets evidence against a class compete
    like evidence for it.
    """
    check_options(classes, k, temperatures, temperature_mode, several=targets.shape[1] > 1)
    rivals, present = contrast_set(model, images, targets, classes=classes, k=k)
    width = int(present.sum(dim=1).max())  # no image of this batch needs more
    rivals, present, missing = rivals[:, :width], present[:, :width], rivals.shape[1] - width
    plain = base(model, images, rivals).maps  # H_k
    plain = resize_maps(plain, (images.shape[-2], images.shape[-1])) if at == "image" else plain
    distribution = class_distribution(  # q_k  Eq. 2
        plain,
        present,
        temperatures=temperatures,
        temperature_mode=temperature_mode,
        scale=scale,
        use_abs=use_abs,
    )
    own = keep_own(plain, distribution, present, tau=tau)  # Sec. 3.3
    place = (targets.unsqueeze(2) == rivals.unsqueeze(1)).to(torch.uint8).argmax(dim=2)  # of each target in the set
    extras = {
        "classes": pad(rivals.masked_fill(~present, -1), (0, missing), value=-1),
        "plain": pad(plain, (0, 0, 0, 0, 0, missing)),
        "distribution": pad(distribution, (0, 0, 0, 0, 0, missing)),
        "shared": shared_evidence(plain, distribution, present),
    }
    return Attribution(own[torch.arange(len(own), device=own.device)[:, None], place], extras)


def contrast_set(
    model: Classifier, images: Images, targets: Targets, *, classes: str | tuple[int | str, ...], k: int
) -> tuple[Int[Tensor, "batch set"], Bool[Tensor, "batch set"]]:
    """The classes that compete, targets first, and which of them count: none twice, repetitions stand last.

    The width depends on the options and not on the images, so that parts of a batch can be put together.
    """
    several = targets.shape[1] > 1
    candidates = targets if several else torch.cat([targets, _rivals(model, images, classes, k)], dim=1)
    present = _first_of_its_kind(candidates)
    if (present.sum(dim=1) < 2).any():
        raise InputError(
            "VAR contrasts classes: the set must hold another class than the target, got only "
            f"{'one class, several times. Name two' if several else 'the target'}"
        )
    order = (~present).to(torch.uint8).argsort(dim=1, stable=True)
    return candidates.gather(1, order), present.gather(1, order)


def check_options(
    classes: str | tuple[int | str, ...], k: int, temperatures: tuple[float, ...], mode: str, *, several: bool
) -> None:
    if several and classes != "topk":
        raise OptionError(
            f"several targets are the contrast set, classes={classes!r} would add nothing. "
            "Leave it out, or explain one target"
        )
    if k < 1:
        raise OptionError(f"k must be at least 1, got {k}")
    least = "positive numbers" if mode == "divide" else "numbers of at least 0"
    if not temperatures or not all(0 <= t < math.inf and (t or mode != "divide") for t in temperatures):
        raise OptionError(f"temperatures must be one or more {least}, got {temperatures}")


def _rivals(model: Classifier, images: Images, classes: str | tuple[int | str, ...], k: int) -> Tensor:
    if classes not in ("topk", "best_vs_worst"):
        chosen = _named_classes(model, images, (classes,) if isinstance(classes, str) else classes)
        return torch.tensor(chosen, device=images.device, dtype=torch.int64).expand(len(images), -1)
    ranked = model.probabilities(images).argsort(dim=1, descending=True, stable=True)
    best = ranked[:, : k if classes == "topk" else 1]
    return torch.cat([best, ranked[:, -1:]], dim=1)


def _named_classes(model: Classifier, images: Images, classes: tuple[int | str, ...]) -> list[int]:
    try:
        chosen = [class_index(name, model.class_names) for name in classes]
    except TargetError as error:
        raise TargetError(f"classes must be 'topk', 'best_vs_worst' or classes of the model: {error}") from None
    outputs = len(model.class_names or ()) or model.probabilities(images[:1]).shape[1]
    if not all(0 <= index < outputs for index in chosen):
        raise TargetError(f"classes must be between 0 and {outputs - 1}, got {chosen}")
    return chosen


def _first_of_its_kind(classes: Int[Tensor, "batch set"]) -> Bool[Tensor, "batch set"]:
    """False where a class already stands further left."""
    same = classes.unsqueeze(2) == classes.unsqueeze(1)
    return ~same.tril(diagonal=-1).any(dim=2)
