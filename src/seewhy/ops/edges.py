"""Maps that follow what is in the picture: the guided filter of He, Sun and Tang (ECCV 2010).

Within every window the map is replaced by the straight line of the picture's brightness that fits it best, so that
edges of the picture become edges of the map, and where the picture is flat the map is smoothed.
"""

from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import avg_pool2d

from seewhy.types import Images

Maps = Float[Tensor, "batch classes height width"]


def follow_edges(maps: Maps, images: Images, *, radius: int = 8, contrast: float = 0.1) -> Maps:
    """The map redrawn along the edges of the image; `contrast` is how strong (in brightness) an edge has to be."""
    guide = images.mean(dim=1, keepdim=True)
    average, square = _box(guide, radius), _box(guide.square(), radius)
    slope = (_box(guide * maps, radius) - average * _box(maps, radius)) / (square - average.square() + contrast**2)
    level = _box(maps, radius) - slope * average
    return _box(slope, radius) * guide + _box(level, radius)


def _box(values: Maps, radius: int) -> Maps:
    """Mean over a window that is cut off at the border."""
    return avg_pool2d(values, 2 * radius + 1, stride=1, padding=radius, count_include_pad=False)
