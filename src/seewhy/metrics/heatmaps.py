"""Maps at the size of the images."""

from typing import Literal

from jaxtyping import Float
from torch import Tensor

from seewhy.ops.resize import resize_maps
from seewhy.registry import register_evidence
from seewhy.types import Images, Maps

Heatmaps = Float[Tensor, "batch classes height width"]


@register_evidence("heatmaps")
def heatmaps(maps: Maps, images: Images) -> Heatmaps:
    """Maps resized to the images, bilinear."""
    height, width = images.shape[-2:]
    return resize_maps(maps, (height, width))


@register_evidence("ranked_maps")
def ranked_maps(heatmaps: Heatmaps, *, sign: Literal["signed", "absolute", "positive"] = "signed") -> Heatmaps:
    """Heatmaps with the sign by which pixels are ranked and weighted."""
    return {"signed": heatmaps, "absolute": heatmaps.abs(), "positive": heatmaps.clamp(min=0)}[sign]
