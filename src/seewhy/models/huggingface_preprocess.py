"""From the settings of a Hugging Face image processor to `Preprocess`."""

from collections.abc import Mapping
from typing import Any

from seewhy.errors import ModelError
from seewhy.models.preprocess import Preprocess
from seewhy.types import Color

_INTERPOLATIONS = {0: "nearest", 1: "lanczos", 2: "bilinear", 3: "bicubic", 4: "box", 5: "hamming"}  # as in PIL


def huggingface_preprocess(settings: Mapping[str, Any]) -> Preprocess:
    """The preprocessing of `processor.to_dict()`, or of the content of `preprocessor_config.json`.

    >>> clip = {"size": {"shortest_edge": 256}, "do_center_crop": True, "crop_size": {"height": 224, "width": 224}}
    >>> huggingface_preprocess(clip | {"image_mean": [0.5] * 3, "image_std": [0.25] * 3}).crop
    0.875
    """
    if settings.get("do_flip_channel_order"):
        raise ModelError("the model takes BGR input. Wrap a module that flips the channels itself.")
    size, crop, squash = _geometry(settings)
    mean, std = _colors(settings)
    resample = settings.get("resample")
    name = _INTERPOLATIONS.get(int(resample), "bicubic") if resample is not None else "bicubic"
    return Preprocess(size=size, mean=mean, std=std, crop=crop, squash=squash, interpolation=name)


def _geometry(settings: Mapping[str, Any]) -> tuple[tuple[int, int], float, bool]:
    """Input size of the network, crop fraction, and whether the image is stretched to that size."""
    size, share = _sides(settings.get("size")), settings.get("crop_pct")
    cut = _sides(settings.get("crop_size")) if settings.get("do_center_crop") else {}
    edge = size.get("shortest_edge")
    if edge and share:  # ConvNeXt: cropped below 384 pixels, stretched from there on
        return (edge, edge), share if edge < 384 else 1.0, edge >= 384
    if edge and not cut:
        return (edge, edge), 1.0, False
    if edge:
        return (cut["height"], cut["width"]), min(cut.values()) / edge, False
    if "height" in size:
        inner = cut or size
        return (inner["height"], inner["width"]), inner["height"] / size["height"], True
    raise ModelError(
        f"the image processor resizes to {settings.get('size')!r}, which is not a fixed size. "
        "Use seewhy.wrap_model(module, image_size=…, mean=…, std=…)."
    )


def _sides(size: Any) -> dict[str, int]:
    """A size as a dict; old files have a bare number."""
    if isinstance(size, int):
        return {"height": size, "width": size}
    return {key: value for key, value in dict(size or {}).items() if value is not None}


def _colors(settings: Mapping[str, Any]) -> tuple[Color, Color]:
    """Mean and std for images in [0, 1], of x -> (255 factor x + offset - mean) / std."""
    mean, std = [0.0] * 3, [1.0] * 3
    if settings.get("do_normalize", True):
        mean, std = settings["image_mean"], settings["image_std"]
        if settings.get("include_top"):  # EfficientNet divides twice
            std = [value * value for value in std]
    factor = 255 * settings.get("rescale_factor", 1 / 255) if settings.get("do_rescale", True) else 255.0
    offset = -1.0 if settings.get("rescale_offset") else 0.0
    return _triple((value - offset) / factor for value in mean), _triple(value / factor for value in std)


def _triple(values: Any) -> Color:
    red, green, blue = (round(float(value), 10) for value in values)
    return red, green, blue
