"""A convolutional network cut between two of its blocks, for splicing the feature maps of two images.

Blocks are found, not named: the outermost modules of classes that occur at least five times, hold a convolution and
give a feature map (residual blocks, dense layers, inverted residuals), in the order in which they run; where there
are none, the convolutions. What passes between block l and block l+1 is what block l+1 is given, all earlier maps of
a dense block included. Whether everything that matters passes there is tried out once, with a random image.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn

from seewhy.errors import UnsupportedModel
from seewhy.models.classifier import Classifier
from seewhy.models.module import has_places
from seewhy.types import Images, Logits

Blanks = Literal["one", "all"]  # black images to resume with: one, or as many as there are states
MANY = 5  # stages come in fours, blocks in greater numbers
_BLOCKS: WeakKeyDictionary[nn.Module, list[nn.Module]] = WeakKeyDictionary()
_COMPLETE: WeakKeyDictionary[nn.Module, dict[int, Blanks | None]] = WeakKeyDictionary()

State = list[Tensor]  # the feature maps that pass between two blocks; one, except in a dense block


def network_blocks(model: Classifier) -> list[nn.Module]:
    """The blocks of the network, in the order in which they run."""
    if model.module not in _BLOCKS:
        blocks = find_blocks(model.module, lambda: model.forward(model.normalize(_random_images(model))))
        if len(blocks) < 2:
            raise UnsupportedModel(
                f"{model.name} is neither a Vision Transformer that can be taken apart nor a convolutional network "
                "with at least two blocks. Use 'simple_insertion', 'rise' or 'occlusion'."
            )
        _BLOCKS[model.module] = blocks
    return _BLOCKS[model.module]


def find_blocks(module: nn.Module, run: Callable[[], Any]) -> list[nn.Module]:
    ran: dict[nn.Module, None] = {}

    def watch(layer: nn.Module, _inputs: Any, output: Any) -> None:
        if has_places(output):
            ran.setdefault(layer)

    handles = [layer.register_forward_hook(watch) for layer in module.modules()]
    try:
        with torch.no_grad():
            run()
    finally:
        for handle in handles:
            handle.remove()
    made_here = [layer for layer in ran if layer is not module and _is_block(layer)]
    often = Counter(type(layer) for layer in made_here)
    candidates = [layer for layer in made_here if often[type(layer)] >= MANY]
    inner = {part for layer in candidates for part in layer.modules() if part is not layer}
    blocks = [layer for layer in candidates if layer not in inner]
    return blocks or [layer for layer in ran if isinstance(layer, nn.Conv2d)]


def _is_block(layer: nn.Module) -> bool:
    """Of a class that torch does not have, with a convolution or an attention inside."""
    own = not type(layer).__module__.startswith("torch.nn") and not isinstance(layer, nn.Conv2d)
    return own and any(isinstance(part, (nn.Conv2d, nn.Linear)) for part in layer.modules() if part is not layer)


def state_after(model: Classifier, images: Images, level: int) -> State:
    """What passes from block `level` to the next; 0 is what enters the first block."""
    caught: State = []

    def catch(state: State) -> State:
        caught[:] = [part.clone() for part in state]
        return state

    with passing(network_blocks(model), level, catch):
        model.forward(model.normalize(images))
    model.count(forwards=len(images))
    return caught


def resume(model: Classifier, state: State, level: int) -> Logits:
    """The rest of the network; what lies before the cut runs for one black image only.

    Except where a network shapes later tensors by the number of images that came in: then for as many.
    """
    return _resume(model, state, level, _COMPLETE.get(model.module, {}).get(level) or "one")


def _resume(model: Classifier, state: State, level: int, blanks: Blanks) -> Logits:
    blocks, rows = network_blocks(model), len(state[0])
    number = 1 if blanks == "one" else rows
    black = torch.zeros(number, 3, *model.image_size, device=state[0].device, dtype=state[0].dtype)
    with passing(blocks, level, lambda _: state):
        logits = model.as_logits(model.forward(model.normalize(black)))
    before = level / len(blocks)
    model.count(forwards=number * before + rows * (1 - before))
    return logits


@contextmanager
def passing(blocks: list[nn.Module], level: int, change: Callable[[State], State]) -> Iterator[None]:
    """While the block runs, `change` is asked what passes between blocks `level` and `level + 1`."""

    def enter(_layer: nn.Module, inputs: tuple) -> tuple:
        if isinstance(inputs[0], list):  # a dense block hands the same list to all its layers
            inputs[0][:] = change(inputs[0])
            return inputs
        return change([inputs[0]])[0], *inputs[1:]

    def leave(_layer: nn.Module, _inputs: tuple, output: Tensor) -> Tensor:
        return change([output])[0]

    at_end = level == len(blocks)
    handle = blocks[-1].register_forward_hook(leave) if at_end else blocks[level].register_forward_pre_hook(enter)
    try:
        yield
    finally:
        handle.remove()


def complete_level(model: Classifier, level: int) -> int:
    """The last cut not behind `level` through which everything passes that decides the logits."""
    for candidate in range(level, -1, -1):
        if _complete_with(model, candidate):
            return candidate
    raise UnsupportedModel(f"{model.name} has no cut before block {level + 1} through which everything passes")


def _complete_with(model: Classifier, level: int) -> Blanks | None:
    """With how many black images the network resumes to the right logits; None if it does not."""
    known = _COMPLETE.setdefault(model.module, {})
    if level not in known:
        ways: tuple[Blanks, ...] = ("one", "all")
        known[level] = next((blanks for blanks in ways if _resumes(model, level, blanks)), None)
    return known[level]


def _resumes(model: Classifier, level: int, blanks: Blanks) -> bool:
    images = _random_images(model)
    expected = model.as_logits(model.forward(model.normalize(images)))
    try:
        again = _resume(model, state_after(model, images, level), level, blanks)
    except (RuntimeError, TypeError, IndexError):  # parts that were not replaced do not fit the batch
        return False
    return again.shape == expected.shape and torch.allclose(again, expected, rtol=1e-3, atol=1e-4)


def _random_images(model: Classifier) -> Images:
    generator = torch.Generator().manual_seed(0)
    return torch.rand(2, 3, *model.image_size, generator=generator).to(model.device)
