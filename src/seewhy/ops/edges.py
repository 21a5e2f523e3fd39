"""Edge-aware smoothing of maps: the guided filter of He, Sun and Tang (ECCV 2010).

In every window the map is replaced by its least-squares fit as a linear function of the image's brightness: edges of
the image become edges of the map, and where the image is flat the map is smoothed.
"""

from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import avg_pool2d

from seewhy.types import Images

Heatmaps = Float[Tensor, "batch classes height width"]


def follow_edges(maps: Heatmaps, images: Images, *, radius: int = 8, contrast: float = 0.1) -> Heatmaps:
    """The maps after the guided filter; `contrast` is the smallest brightness step that is preserved as an edge."""
    guide = images.mean(dim=1, keepdim=True)
    average, square = _box(guide, radius), _box(guide.square(), radius)
    slope = (_box(guide * maps, radius) - average * _box(maps, radius)) / (square - average.square() + contrast**2)
    intercept = _box(maps, radius) - slope * average
    return _box(slope, radius) * guide + _box(intercept, radius)


def _box(values: Heatmaps, radius: int) -> Heatmaps:
    """Mean over a window that is cropped at the border."""
    return avg_pool2d(values, 2 * radius + 1, stride=1, padding=radius, count_include_pad=False)
