"""Maps at the size of the images."""

from typing import Literal

from jaxtyping import Float
from torch import Tensor

from seewhy.ops.resize import resize_maps, unit_range
from seewhy.registry import register_evidence
from seewhy.types import Images, Maps

Heatmaps = Float[Tensor, "batch classes height width"]


@register_evidence("heatmaps")
def heatmaps(maps: Maps, images: Images, *, upsampling: Literal["bilinear", "nearest"] = "bilinear") -> Heatmaps:
    """Maps resized to the images; with `nearest` all pixels of a patch have its value."""
    height, width = images.shape[-2:]
    return resize_maps(maps, (height, width), mode=upsampling)


@register_evidence("ranked_maps")
def ranked_maps(
    heatmaps: Heatmaps,
    *,
    sign: Literal["signed", "absolute", "positive"] = "signed",
    scale: Literal["raw", "unit"] = "raw",
) -> Heatmaps:
    """Heatmaps with the sign and scale by which pixels are ranked and weighted; `unit` maps each map to [0, 1]."""
    signed = {"signed": heatmaps, "absolute": heatmaps.abs(), "positive": heatmaps.clamp(min=0)}[sign]
    return signed if scale == "raw" else unit_range(signed)
