"""Layouts: how an output inside a network is read as feature maps, and the test that a layout is right."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from seewhy.types import FeatureMaps, Images

Order = Literal["channels first", "channels last", "tokens"]
MAX_PREFIX = 8  # tokens before the patches
ALIKE = 1e-3  # relative difference between quadrants that is not significant
QUADRANTS = ((False, False), (False, True), (True, False), (True, True))  # lower, right


@dataclass(frozen=True)
class Layout:
    """How an output is read as feature maps; `prefix` tokens come before those of the grid."""

    order: Order
    grid: tuple[int, int]
    prefix: int = 0

    def fits(self, output: Any) -> bool:
        """Whether an output has this layout; a module that is used several times may output other shapes as well."""
        dims, rows = (3, 1) if self.order == "tokens" else (4, 2 if self.order == "channels first" else 1)
        sizes = (self.prefix + self.grid[0] * self.grid[1],) if self.order == "tokens" else self.grid
        return isinstance(output, Tensor) and output.ndim == dims and output.shape[rows : rows + len(sizes)] == sizes

    def to_maps(self, output: Tensor) -> FeatureMaps:
        if self.order == "tokens":
            return output[:, self.prefix :].transpose(1, 2).unflatten(2, self.grid)
        return output.permute(0, 3, 1, 2) if self.order == "channels last" else output

    def to_output(self, maps: FeatureMaps, prefix: Tensor) -> Tensor:
        """The inverse of `to_maps`, as a copy, because later layers may write into it."""
        if self.order == "tokens":
            return torch.cat([prefix, maps.flatten(2).transpose(1, 2)], dim=1)
        return (maps.permute(0, 2, 3, 1) if self.order == "channels last" else maps).clone()

    def prefix_of(self, output: Tensor) -> Tensor:
        """Class and register tokens; none for other layouts."""
        return output[:, : self.prefix] if self.order == "tokens" else output[:, :0]


def layouts_of(shape: tuple[int, ...], size: tuple[int, int]) -> tuple[Layout, ...]:
    """Possible layouts of an output, for images of this size, most likely first.

    >>> [layout.grid for layout in layouts_of((1, 512, 7, 7), (224, 224))]
    [(7, 7)]
    >>> layouts_of((1, 197, 192), (224, 224))
    (Layout(order='tokens', grid=(14, 14), prefix=1),)
    """
    if len(shape) == 4:
        both = Layout("channels first", (shape[2], shape[3])), Layout("channels last", (shape[1], shape[2]))
        return tuple(layout for layout in both if _is_grid(layout.grid, size))
    if len(shape) != 3:
        return ()
    found = []
    for prefix in range(min(MAX_PREFIX + 1, shape[1])):
        rows = max(1, round(((shape[1] - prefix) * size[0] / size[1]) ** 0.5))
        grid = rows, (shape[1] - prefix) // rows
        if grid[0] * grid[1] == shape[1] - prefix and _is_grid(grid, size):
            found.append(Layout("tokens", grid, prefix))
    return tuple(found)


def _is_grid(grid: tuple[int, int], size: tuple[int, int]) -> bool:
    """Whether this is a grid of several rows and columns with the aspect ratio of the image, up to rounding."""
    (rows, cols), (height, width) = grid, size
    return 2 <= rows <= height and 2 <= cols <= width and abs(rows - cols * height / width) < max(1, height / width)


def find_layout(layouts: Sequence[Layout], output: Float[Tensor, "five ..."]) -> Layout | None:
    """The first layout that is local, else the first for which the test is undecided; output of `quadrant_images`.

    The only layout of a four-dimensional output is not tested: tiny maps of an untrained network would fail.
    """
    if len(layouts) == 1 and layouts[0].order != "tokens":
        return layouts[0]
    found = {layout: is_local(layout.to_maps(output)) for layout in layouts}
    return next((layout for verdict in (True, None) for layout in layouts if found[layout] is verdict), None)


def is_local(maps: Float[Tensor, "five channels rows cols"]) -> bool | None:
    """Whether each quadrant of the maps reacts most to its own quadrant of the image; maps of `quadrant_images`.

    None (undecided) if the network, such as an untrained one, hardly reacts to the images, or equally everywhere.
    """
    change = (maps[1:] - maps[:1]).double().abs().mean(dim=1)  # replaced rows cols
    reaction = torch.stack([_quadrant(change, *each).mean(dim=(1, 2)) for each in QUADRANTS], dim=1)
    relative = reaction / reaction.mean(dim=1, keepdim=True)  # replaced quadrants
    rounding = 100 * torch.finfo(maps.dtype).eps * float(maps.abs().mean())
    if reaction.max() <= rounding or (relative - 1).abs().max() < ALIKE:
        return None
    return bool((relative.argmax(dim=0).cpu() == torch.arange(len(QUADRANTS))).all())


def quadrant_images(size: tuple[int, int], channels: int) -> Images:
    """A noise image, and four copies with other noise in one quadrant each."""
    plain, other = torch.rand(2, channels, *size, generator=torch.Generator().manual_seed(0))
    images = plain.repeat(1 + len(QUADRANTS), 1, 1, 1)
    for image, each in zip(images[1:], QUADRANTS, strict=True):
        _quadrant(image, *each).copy_(_quadrant(other, *each))
    return images


def _quadrant(values: Tensor, lower: bool, right: bool) -> Tensor:
    """One quadrant; a middle row or column belongs to none."""
    rows, cols = values.shape[-2] // 2, values.shape[-1] // 2
    return values[..., slice(-rows, None) if lower else slice(rows), slice(-cols, None) if right else slice(cols)]


def main_tensor(output: Any) -> Any:
    """The output itself, or the first entry of a tuple or list."""
    return output[0] if isinstance(output, (tuple, list)) and output else output


def with_main_tensor(output: Any, tensor: Tensor) -> Any:
    """The output with its main tensor replaced."""
    return type(output)([tensor, *output[1:]]) if isinstance(output, (tuple, list)) else tensor


@contextmanager
def watching(module: nn.Module, watch: Callable[[str, nn.Module, Any], Any]) -> Iterator[None]:
    """Inside the context, `watch(name, layer, output)` is called with every output and may return a replacement."""
    handles = [
        layer.register_forward_hook(lambda layer, _inputs, output, name=name: watch(name, layer, output))
        for name, layer in module.named_modules()
        if name
    ]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()
