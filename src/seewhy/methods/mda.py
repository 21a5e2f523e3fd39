"""MDA: order the patches by what the insertion and deletion metrics reward, then fit magnitudes to their curves.

First the patches that, shown one after the other on a blurred image, raise the class probability most, until it is
nearly that of the image; then, on a black image, those that raise it least, from the end of the order. A quadratic
program turns the two curves into magnitudes that keep the order (`ops/magnitudes.py`).

| symbol of the paper | name here        | shape                                   |
|---------------------|------------------|-----------------------------------------|
| MR                  | respond          | one number per spliced image            |
| I                   | order            | cases patches, most important first     |
| C                   | insertion.steps  | cases                                   |
| MR_ins, MR_del      | curves           | cases patches+1                         |
| M                   | grid side        | candidates default to 2M                |

differs from the paper: the seed that limits the candidates is used on the patch grid; patches are the model's own, not
nearly-square segments; curves are in steps of a patch and come from the search (the published code runs 452 more
images); the program is solved exactly; any class can be explained; a trace in the magnitudes keeps the order where the
program gives zeros. Differs from the published code also in the deletion reference, black as the text says
(`deletion_reference="zero_normalized"` is the code's).

extras: `order`, `insertion` and `deletion` (the curves), `sparse` (magnitudes by rank): `explanation.with_density`
makes the map denser without the model.
"""

import math
import warnings
from typing import Literal, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seewhy.errors import OptionError
from seewhy.interventions.mosaics import mosaic
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.ops.magnitudes import densify, fill_gaps, fit_density, relative_response, sparse_magnitudes
from seewhy.ops.references import folded_blur, one_color
from seewhy.ops.resize import shrink_maps
from seewhy.ops.search import Found, Respond, search_order
from seewhy.registry import register_method, resolve_method
from seewhy.types import Attribution, Images, Targets

HIDDEN = 0.01  # a blur hides a class when no more of its probability is left
WIDEST = 101  # pixels of the largest blur that is tried


class Pace(NamedTuple):
    """How much a search tries and keeps."""

    choice: float = 1.0  # insertion tries so many times the candidates
    insertion: int = 1  # patches that a round keeps
    deletion: int = 1
    every: int = 1  # patches between two points that are run for a curve alone


EXACT, FAST = Pace(), Pace(choice=1.5, insertion=4, deletion=10, every=4)


class Cases(NamedTuple):
    """One case per image and class."""

    images: Images
    targets: Int[Tensor, "batch 1"]


@register_method("mda", paper="walker2025")
def mda(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    seed: str | None = "auto",
    tau: float = 0.9,
    candidates: int | None = None,
    gamma: float = 0.0,
    kappa: float = 0.005,
    blur: Literal["adaptive"] | int = "adaptive",
    deletion_reference: Literal["black", "zero_normalized"] = "black",
    tie_term: Literal["paper", "official"] = "paper",
    fast: bool = False,
    grid: int = 14,
) -> Attribution:
    """Patches ordered by the metrics themselves, magnitudes fitted to the curves; `fast` needs a sixth of the passes.

    `fast` needs more if insertion has to show many patches (a fifth for 48 of 196). On 40 photos of DeiT-Tiny it lost
    0.007 of 0.682 in insertion minus deletion.
    `seed` is the method whose map limits the candidates ("auto": bi_attn, or grad_cam for a CNN; None: all patches
    are candidates). `grid` is the side of the patch grid of networks that have none.
    """
    check_options(tau, candidates, gamma, blur, grid)
    images = images.detach()
    cells = model.grid if isinstance(model, ViT) else (grid, grid)
    flat = Cases(images.repeat_interleave(targets.shape[1], dim=0), targets.reshape(-1, 1))
    preferred = _preferred(model, images, targets, seed, cells)
    candidates = candidates or (2 * int(math.sqrt(math.prod(cells))) if seed else math.prod(cells))
    blurred = _blurred(model, flat, blur)
    black = one_color(flat.images, (0.0, 0.0, 0.0) if deletion_reference == "black" else model.mean)
    clean = _response(model, flat.targets, flat.images)
    on_blur, on_black = (_respond(model, flat, hidden, cells) for hidden in (blurred, black))
    order, curves = _search(on_blur, on_black, preferred, clean, candidates=candidates, tau=tau, fast=fast)
    sparse = _magnitudes(curves, tie_term, images.shape[-2] * images.shape[-1] // math.prod(cells))
    ranked = densify(sparse.to(images), gamma=gamma, kappa=kappa)
    maps = torch.zeros_like(ranked).scatter(1, order, ranked)
    extras = {"order": order, "insertion": curves[0], "deletion": curves[1], "sparse": sparse.to(images)}
    shaped = {name: value.unflatten(0, targets.shape) for name, value in extras.items()}
    return Attribution(maps.unflatten(0, targets.shape).unflatten(-1, cells), shaped)


def check_options(tau: float, candidates: int | None, gamma: float, blur: str | int, grid: int) -> None:
    if not 0 <= tau <= 1:
        raise OptionError(f"tau is a share of the response, from 0 to 1; got {tau}")
    if candidates is not None and candidates < 1:
        raise OptionError(f"candidates must be at least 1, got {candidates}; leave it out for twice the grid's side")
    if not 0 <= gamma <= 1:
        raise OptionError(f"gamma goes from 0 (sparse) to 1 (dense), got {gamma}")
    if blur != "adaptive" and (int(blur) < 1 or int(blur) % 2 == 0):
        raise OptionError(f"blur is the side of a box with a pixel at its center: an odd number from 1, got {blur}")
    if grid < 1:
        raise OptionError(f"grid must be at least 1, got {grid}")


def _search(
    on_blur: Respond,
    on_black: Respond,
    preferred: Int[Tensor, "cases patches"],
    clean: Float[Tensor, " cases"],
    *,
    candidates: int,
    tau: float,
    fast: bool,
) -> tuple[Int[Tensor, "cases patches"], tuple[Tensor, Tensor]]:
    """The order I, and both curves relative to their ends."""
    everything = torch.ones_like(preferred, dtype=torch.bool)
    blank, void = (_nothing_shown(respond, everything) for respond in (on_blur, on_black))
    pace = FAST if fast else EXACT
    insertion = search_order(  # arg max MR(P_k + X_i)  Eq. 4
        on_blur, preferred, everything, blank, candidates=int(candidates * pace.choice), largest=True,
        enough=blank + tau * (clean - blank).abs(), take=pace.insertion, description="MDA insertion",
    )  # fmt: skip
    rest = _ranks(insertion.order, insertion.steps) < 0
    deletion = search_order(  # arg min MR(P_k + X_i)  Eq. 5
        on_black, preferred.flip(1), rest, void, candidates=candidates, largest=False,
        take=pace.deletion, description="MDA deletion",
    )  # fmt: skip
    order = _joined(insertion, deletion)
    ins, dele = _curves(on_blur, on_black, order, insertion, deletion, clean, every=pace.every)
    rising = relative_response(ins, blank, clean, rising=True)
    falling = relative_response(dele, void, clean, rising=False)
    return order, (rising, falling)


def _joined(insertion: Found, deletion: Found) -> Int[Tensor, "cases patches"]:
    """Insertion's picks, then deletion's from the last to the first: deletion begins with the least important."""
    patches = insertion.order.shape[1]
    place = torch.arange(patches, device=insertion.order.device).expand_as(insertion.order)
    return torch.where(place < insertion.steps[:, None], insertion.order, deletion.order.flip(1))


def _ranks(order: Int[Tensor, "cases patches"], steps: Int[Tensor, " cases"]) -> Int[Tensor, "cases patches"]:
    """Place of every patch in the order, -1 where it has none."""
    case, place = (torch.arange(order.shape[1], device=order.device) < steps[:, None]).nonzero(as_tuple=True)
    ranks = torch.full_like(order, -1)
    ranks[case, order[case, place]] = place
    return ranks


def _curves(
    on_blur: Respond,
    on_black: Respond,
    order: Int[Tensor, "cases patches"],
    insertion: Found,
    deletion: Found,
    clean: Float[Tensor, " cases"],
    *,
    every: int,
) -> tuple[Float[Tensor, "cases points"], Float[Tensor, "cases points"]]:
    """MR_ins and MR_del for the whole order: what the searches saw, and the rest of it run now."""
    patches, steps = order.shape[1], insertion.steps[:, None]
    ranks = _ranks(order, torch.full_like(insertion.steps, patches))
    count = torch.arange(patches + 1, device=order.device).expand(len(order), -1)
    ins, dele = insertion.responses.clone(), deletion.responses.flip(1)
    ins[:, -1] = dele[:, 0] = clean
    case, shown = ((count > steps) & (count < patches) & (count % every == 0)).nonzero(as_tuple=True)
    ins[case, shown] = on_blur(case, ranks[case] < shown[:, None])
    case, gone = ((count > 0) & (count < steps) & (count % every == 0)).nonzero(as_tuple=True)
    dele[case, gone] = on_black(case, ranks[case] >= gone[:, None])
    return fill_gaps(ins), fill_gaps(dele)


def _magnitudes(curves: tuple[Tensor, Tensor], tie_term: Literal["paper", "official"], pixels: int) -> Tensor:
    """Per case, fit the mean curve and turn its steps into magnitudes by rank."""
    mean = (curves[0] + (1 - curves[1])) / 2  # MR_mean  Eq. 7
    densities = [fit_density(curve) for curve in mean.cpu().double().numpy()]  # AD  Eq. 9
    fitted = [sparse_magnitudes(each, tie_term=tie_term, patch_pixels=pixels) for each in densities]
    return torch.stack([torch.from_numpy(each) for each in fitted])


def _preferred(
    model: Classifier, images: Images, targets: Targets, seed: str | None, cells: tuple[int, int]
) -> Int[Tensor, "cases patches"]:
    """Patches from most to least promising, by the seed's map on the grid."""
    cases = targets.numel()
    if seed is None:
        return torch.arange(math.prod(cells), device=images.device).expand(cases, -1)
    name = seed if seed != "auto" else "bi_attn" if isinstance(model, ViT) else "grad_cam"
    maps = resolve_method(name)(model, images, targets).maps
    return shrink_maps(maps, cells).flatten(0, 1).flatten(1).argsort(dim=1, descending=True, stable=True)


def _blurred(model: Classifier, cases: Cases, blur: Literal["adaptive"] | int) -> Images:
    """Every image under the first blur that hides its class; the widest where none does."""
    if blur != "adaptive":
        return folded_blur(cases.images, model.mean, size=blur, sigma=blur)
    result = cases.images.clone()
    waiting = torch.arange(len(result), device=result.device)
    for size in range(31, WIDEST + 1, 2):
        result[waiting] = folded_blur(cases.images[waiting], model.mean, size=size, sigma=size)
        seen = _response(model, cases.targets[waiting], result[waiting])
        waiting = waiting[seen > HIDDEN]
        if len(waiting) == 0:
            return result
    warnings.warn(
        f"no blur up to {WIDEST} pixels hides the class in {len(waiting)} of {len(result)} cases", stacklevel=4
    )
    return result


def _probability(model: Classifier, targets: Int[Tensor, "rows 1"], logits: Tensor) -> Float[Tensor, " rows"]:
    return model.scores(logits, targets, kind="prob").squeeze(1)  # MR  Eq. 1


def _response(model: Classifier, targets: Int[Tensor, "rows 1"], images: Images) -> Float[Tensor, " rows"]:
    with torch.no_grad():
        return _probability(model, targets, model.logits(images))


def _respond(model: Classifier, cases: Cases, hidden: Images, cells: tuple[int, int]) -> Respond:
    show = mosaic(model, cases.images, hidden, cells)
    return lambda case, shown: _probability(model, cases.targets[case], show(case, shown))


def _nothing_shown(respond: Respond, everything: Tensor) -> Float[Tensor, " cases"]:
    return respond(torch.arange(len(everything), device=everything.device), ~everything)
