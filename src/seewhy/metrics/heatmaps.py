"""Maps at the size of the images."""

from typing import Literal

from seewhy.ops.resize import resize_maps
from seewhy.registry import register_evidence
from seewhy.types import Images, Maps


@register_evidence("heatmaps")
def heatmaps(maps: Maps, images: Images) -> Maps:
    """Maps resized to the images, bilinear."""
    height, width = images.shape[-2:]
    return resize_maps(maps, (height, width))


@register_evidence("ranked_maps")
def ranked_maps(heatmaps: Maps, *, sign: Literal["signed", "absolute", "positive"] = "signed") -> Maps:
    """Heatmaps with the sign by which pixels are ranked and weighted."""
    return {"signed": heatmaps, "absolute": heatmaps.abs(), "positive": heatmaps.clamp(min=0)}[sign]
