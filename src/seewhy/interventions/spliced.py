"""A convolutional network cut between two of its blocks, for splicing the feature maps of two images.

CAAP for networks without tokens: the feature maps between two blocks are the source's in a window and the reference's
elsewhere; the rest of the network runs as usual, so that the context is always recomputed.

Blocks are detected: the outermost modules of classes that occur at least five times, contain a convolution and
output a feature map (residual blocks, dense layers, inverted residuals), in the order in which they run; where there
are none, the convolutions. The state between block l and block l+1 is the input of block l+1, including all earlier
maps in a dense block. Whether the logits depend on that state alone is tested once, with random images.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import torch
from jaxtyping import Bool
from torch import Tensor, nn

from seewhy.errors import UnsupportedModel
from seewhy.models.classifier import Classifier
from seewhy.models.module import is_channels_last, is_feature_map
from seewhy.ops.references import OneImage
from seewhy.ops.windows import patch_cells, window_cells
from seewhy.types import Images, Logits

PlaceholderCount = Literal["one", "all"]  # black input images of a resumed pass: one, or one per state
MIN_REPEATS = 5  # of a block's class; networks have at most four stages, but more blocks

BlockState = list[Tensor]  # the feature maps that pass between two blocks; one, except in a dense block


def spliced_logits(
    model: Classifier,
    images: Images,
    reference: OneImage,
    windows: Bool[Tensor, "windows patches"],
    grid: tuple[int, int],
    *,
    block: int,
) -> Iterator[Logits]:
    """Per image, the logits (`windows outputs`) with each window of its feature maps spliced into the reference's.

    The cut is after `block`, or after the last earlier block whose state fully determines the logits.
    """
    block = last_complete_cut(model, block)
    reference_state = state_after(model, reference, block)
    channels_last = is_channels_last(model.module, reference_state[0])
    rows, cols = reference_state[0].shape[1:3] if channels_last else reference_state[0].shape[2:]
    cells = window_cells(windows, patch_cells(grid, (rows, cols))).to(images.device)
    cells = cells.unsqueeze(3 if channels_last else 1)
    for image in images:
        source, parts = state_after(model, image[None], block), []
        for part in cells.split(model.chunk):
            spliced = [torch.where(part, x, x_0) for x, x_0 in zip(source, reference_state, strict=True)]  # Eq. 2
            parts.append(resume(model, spliced, block))
        yield torch.cat(parts)


def network_blocks(model: Classifier) -> list[nn.Module]:
    """The blocks of the network, in the order in which they run."""
    if "blocks" not in model.cache:
        blocks = find_blocks(model.module, lambda: model.forward(model.normalize(_random_images(model))))
        if len(blocks) < 2:
            raise UnsupportedModel(
                f"{model.name} is neither a Vision Transformer that seewhy can decompose nor a convolutional network "
                "with at least two blocks. Use 'simple_insertion', 'rise' or 'occlusion'."
            )
        model.cache["blocks"] = blocks
    return model.cache["blocks"]


def find_blocks(module: nn.Module, run: Callable[[], Any]) -> list[nn.Module]:
    """The blocks among the modules that output a feature map during `run`."""
    ran: dict[nn.Module, None] = {}

    def watch(layer: nn.Module, _inputs: Any, output: Any) -> None:
        if is_feature_map(output):
            ran.setdefault(layer)

    handles = [layer.register_forward_hook(watch) for layer in module.modules()]
    try:
        with torch.no_grad():
            run()
    finally:
        for handle in handles:
            handle.remove()
    custom = [layer for layer in ran if layer is not module and _is_block(layer)]
    repeats = Counter(type(layer) for layer in custom)
    candidates = [layer for layer in custom if repeats[type(layer)] >= MIN_REPEATS]
    inner = {part for layer in candidates for part in layer.modules() if part is not layer}
    blocks = [layer for layer in candidates if layer not in inner]
    return blocks or [layer for layer in ran if isinstance(layer, nn.Conv2d)]


def _is_block(layer: nn.Module) -> bool:
    """Whether a module is of a class outside torch.nn and contains a convolution or linear layer."""
    custom = not type(layer).__module__.startswith("torch.nn") and not isinstance(layer, nn.Conv2d)
    return custom and any(isinstance(part, (nn.Conv2d, nn.Linear)) for part in layer.modules() if part is not layer)


def state_after(model: Classifier, images: Images, block: int) -> BlockState:
    """The state after the first `block` blocks; 0: the input of the first block."""
    caught: BlockState = []

    def catch(state: BlockState) -> BlockState:
        caught[:] = [part.clone() for part in state]
        return state

    with replaced_state(network_blocks(model), block, catch):
        model.forward(model.normalize(images))
    model.count(forwards=len(images))
    return caught


def resume(model: Classifier, state: BlockState, block: int) -> Logits:
    """Logits from a state; the blocks before it run for one black placeholder image.

    Networks whose later tensors take their shape from the input batch get one placeholder per state.
    """
    return _resume(model, state, block, _complete_with(model, block) or "one")


def _resume(model: Classifier, state: BlockState, block: int, placeholders: PlaceholderCount) -> Logits:
    blocks, rows = network_blocks(model), len(state[0])
    number = 1 if placeholders == "one" else rows
    black = torch.zeros(number, model.channels, *model.image_size, device=state[0].device, dtype=state[0].dtype)
    with replaced_state(blocks, block, lambda _: state):
        logits = model.as_logits(model.forward(model.normalize(black)))
    before = block / len(blocks)
    model.count(forwards=number * before + rows * (1 - before))
    return logits


@contextmanager
def replaced_state(blocks: list[nn.Module], block: int, change: Callable[[BlockState], BlockState]) -> Iterator[None]:
    """Inside the context, the state after `block` blocks is replaced by `change(state)`."""

    def enter(_layer: nn.Module, inputs: tuple) -> tuple:
        if isinstance(inputs[0], list):  # a dense block hands the same list to all its layers
            inputs[0][:] = change(inputs[0])
            return inputs
        return change([inputs[0]])[0], *inputs[1:]

    def leave(_layer: nn.Module, _inputs: tuple, output: Tensor) -> Tensor:
        return change([output])[0]

    at_end = block == len(blocks)
    handle = blocks[-1].register_forward_hook(leave) if at_end else blocks[block].register_forward_pre_hook(enter)
    try:
        yield
    finally:
        handle.remove()


def last_complete_cut(model: Classifier, block: int) -> int:
    """The last cut, not after `block`, whose state fully determines the logits."""
    for candidate in range(block, -1, -1):
        if _complete_with(model, candidate):
            return candidate
    raise UnsupportedModel(f"{model.name} has no cut before block {block + 1} whose state fully determines the logits")


def _complete_with(model: Classifier, block: int) -> PlaceholderCount | None:
    """The placeholders with which a resumed pass reproduces the logits; None if neither does."""
    known = model.cache.setdefault("complete cuts", {})
    if block not in known:
        ways: tuple[PlaceholderCount, ...] = ("one", "all")
        known[block] = next((way for way in ways if _resumes(model, block, way)), None)
    return known[block]


def _resumes(model: Classifier, block: int, placeholders: PlaceholderCount) -> bool:
    images = _random_images(model)
    expected = model.as_logits(model.forward(model.normalize(images)))
    try:
        again = _resume(model, state_after(model, images, block), block, placeholders)
    except (RuntimeError, TypeError, IndexError):  # tensors that bypass the cut do not fit the batch
        return False
    return again.shape == expected.shape and torch.allclose(again, expected, rtol=1e-3, atol=1e-4)


def _random_images(model: Classifier) -> Images:
    generator = torch.Generator().manual_seed(0)
    return torch.rand(2, model.channels, *model.image_size, generator=generator).to(model.device)
