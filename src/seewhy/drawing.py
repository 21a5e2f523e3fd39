"""Draw one map: its color scale, smoothing and caption."""

import base64
import html
import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from torch import Tensor

from seewhy.ops.colors import Range, display_range, is_signed, paint, smooth_pixel_maps
from seewhy.ops.resize import draw_maps

if TYPE_CHECKING:
    from seewhy.explanation import Explanation

THUMBNAIL = 320  # pixels of a side, in a notebook
SAME = "the same map for every class"
MIN_WIDTH = 360  # of a captioned overlay, so that its caption fits


def shown_maps(explanation: "Explanation", image: int) -> tuple[Tensor, float]:
    """The maps of an image as drawn (`1 classes rows cols`), and the sigma, in cells, by which they were smoothed."""
    maps, sigma = smooth_pixel_maps(explanation.maps[image].detach().float().cpu())
    return maps.unsqueeze(0), sigma


def drawn_range(explanation: "Explanation", image: int) -> Range:
    """The limits of the color scale, which all classes of an image share."""
    return display_range(shown_maps(explanation, image)[0][0])


def show_range(low: float, high: float) -> tuple[str, str]:
    """The numbers at the ends of a color bar.

    >>> show_range(0.0, 0.1234), show_range(-0.5, 0.25)
    (('0', '0.12'), ('-0.5', '0.5'))
    """
    if is_signed(low, high):
        most = max(high, -low)
        return f"-{most:.2g}", f"{most:.2g}"
    return f"{low:.2g}", f"{high:.2g}"


def smoothing_note(explanation: "Explanation", image: int) -> str:
    """A note if the map is smoothed for display, else empty."""
    sigma = shown_maps(explanation, image)[1]
    return f"smoothed for display (sigma {sigma:.2g} px)" if sigma else ""


def question(explanation: "Explanation", image: int, target: int) -> str:
    """The title of a map: why this class, unless the method answers the same for every class."""
    label = explanation.label(image, target)
    return f"{label}\n{SAME}" if explanation.class_agnostic else f"why {label}"


def drawable(
    explanation: "Explanation", image: int, maps: Tensor, scale: Callable[[Tensor], np.ndarray], *, full: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The pixels to draw on, and the scaled maps; on an original, NaN outside the crop that the model saw."""
    original = explanation.originals[image] if full and explanation.originals else None
    if original is None:
        pixels = explanation.pixels(image)
        return pixels, scale(draw_maps(maps, pixels.shape[:2])[0])
    pixels = np.asarray(original.convert("RGB"))
    left, top, right, bottom = (round(edge) for edge in explanation.boxes[image])
    right, bottom = max(right, left + 1), max(bottom, top + 1)  # very thin images
    inside = scale(draw_maps(maps, (bottom - top, right - left))[0])
    canvas = np.full((len(inside), *pixels.shape[:2]), np.nan)
    canvas[:, max(top, 0) : bottom, max(left, 0) : right] = inside[:, max(-top, 0) :, max(-left, 0) :][
        :, : len(pixels) - max(top, 0), : pixels.shape[1] - max(left, 0)
    ]
    return pixels, canvas


def captioned(explanation: "Explanation", image: int = 0, target: int = 0) -> Image.Image:
    """The overlay with a caption: class and probability, method, model, and the color scale with its numbers."""
    overlay = explanation.overlay(image, target)
    if overlay.width < MIN_WIDTH:
        height = round(overlay.height * MIN_WIDTH / overlay.width)
        overlay = overlay.resize((MIN_WIDTH, height), Image.Resampling.BICUBIC)
    size = max(13, round(overlay.width / 32))
    source = " · ".join(filter(None, [explanation.method, explanation.model, smoothing_note(explanation, image)]))
    lines = [question(explanation, image, target).replace("\n", ": "), source]
    step = round(1.45 * size)
    canvas = Image.new("RGB", (overlay.width, overlay.height + step * 3 + size), "white")
    canvas.paste(overlay)
    draw = ImageDraw.Draw(canvas)
    for number, line in enumerate(lines):
        font = _fitting(draw, line, size if number else round(1.15 * size), overlay.width - size)
        draw.text((size // 2, overlay.height + size // 2 + number * step), line, "black", font)
    _draw_scale(canvas, draw, drawn_range(explanation, image), top=overlay.height + size // 2 + 2 * step, size=size)
    return canvas


def _fitting(draw: ImageDraw.ImageDraw, line: str, size: int, width: int) -> Any:
    """The font, smaller where the line would not fit."""
    while size > 8 and draw.textlength(line, ImageFont.load_default(size)) > width:
        size -= 1
    return ImageFont.load_default(size)


def _draw_scale(canvas: Image.Image, draw: ImageDraw.ImageDraw, limits: Range, *, top: int, size: int) -> None:
    """A color bar between its labeled ends."""
    signed = is_signed(*limits)
    low, high = show_range(*limits)
    low, high = (f"against {low}", f"{high} for") if signed else (f"evidence {low}", high)
    font = ImageFont.load_default(size)
    left = size // 2 + round(draw.textlength(low, font)) + size // 2
    length = max(4 * size, canvas.width // 4)
    values = np.linspace(-1 if signed else 0, 1, length)[None].repeat(size, axis=0)
    share = np.abs(values)[..., None] if signed else 1.0
    bar = share * paint(values) + (1 - share) * 235
    draw.text((size // 2, top), low, "black", font)
    canvas.paste(Image.fromarray(bar.round().astype(np.uint8)), (left, top + 1))
    draw.text((left + length + size // 2, top), high, "black", font)


def notebook_cells(explanation: "Explanation") -> str:
    """HTML of all maps, with method, model, cost and checks."""
    pairs = [(i, k) for i in range(len(explanation)) for k in range(explanation.targets.shape[1])]
    cells = "".join(_cell(explanation, image, target) for image, target in pairs)
    failed = explanation.failed_checks
    warning = f"<b>failed: {', '.join(failed)}</b>" if failed else "checks passed"
    names = f"<b>{html.escape(explanation.method)}</b> on {html.escape(explanation.model)}"
    title = f"{names} · {explanation.cost} · {warning}"
    return f"<div>{title}</div><div style='display:flex;flex-wrap:wrap;gap:8px'>{cells}</div>"


def _cell(explanation: "Explanation", image: int, target: int) -> str:
    label = html.escape(explanation.label(image, target))
    if explanation.images is None and not explanation.originals:
        return f"<span>{label}</span>"
    overlay, buffer = explanation.overlay(image, target), io.BytesIO()
    overlay.thumbnail((THUMBNAIL, THUMBNAIL))
    overlay.save(buffer, "PNG")
    source = f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"
    low, high = show_range(*drawn_range(explanation, image))
    same = SAME if explanation.class_agnostic else ""
    note = " · ".join(filter(None, [label, same, f"{low} to {high}", smoothing_note(explanation, image)]))
    return f"<figure style='margin:4px'><img src='{source}'><figcaption>{note}</figcaption></figure>"
