"""Decode image files and convert images of any mode to upright 8-bit RGB, as an image viewer shows them.

| image                                 | conversion                                                         |
|---------------------------------------|--------------------------------------------------------------------|
| EXIF orientation                      | applied                                                            |
| transparency (RGBA, LA, palette, tRNS) | composited over white, as viewers do                              |
| CMYK, YCbCr, LAB, HSV, gray, palette  | converted; color profiles are not applied                          |
| 16-bit gray (I;16, I)                 | 65535 is white; in I, the 32-bit range if anything is brighter     |
| floating point (F)                    | 1 is white; 255 or 65535 if anything is brighter                   |
| animation                             | the first frame                                                    |
"""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from seewhy.errors import ImageError

# Raster formats only: decoding others, such as EPS, starts external programs.
FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF", "PPM", "AVIF", "JPEG2000", "TGA", "ICO", "DIB", "QOI")
SUFFIXES = re.compile(r"\.(png|jpe?g|jpe|jfif|webp|bmp|gif|tiff?|p[pgbn]m|avif|jp2|tga|ico|dib|qoi)$", re.IGNORECASE)
WHITES = {"I": (65535.0, 2.0**31 - 1), "F": (1.0, 255.0, 65535.0)}  # candidates for modes without a defined white point


def open_image(path: str | Path) -> Image.Image:
    """Read an image file; raises `ImageError`, with the path in its message, if that fails."""
    path = Path(path)
    if not path.is_file():
        raise ImageError(_not_a_file(path))
    if path.stat().st_size == 0:
        raise ImageError(f"{path}: the file is empty (0 bytes).")
    with decoding(str(path)), Image.open(path, formats=_formats()) as image:
        image.load()
        return as_rgb(image)


def as_rgb(image: Image.Image) -> Image.Image:
    """The image as upright, opaque RGB; see the table above."""
    upright = ImageOps.exif_transpose(image)
    if upright.mode in WHITES or upright.mode.startswith("I;16"):
        return Image.fromarray(_to_bytes(np.asarray(upright), upright.mode)).convert("RGB")
    if upright.has_transparency_data:
        white = Image.new("RGBA", upright.size, "white")
        return Image.alpha_composite(white, upright.convert("RGBA")).convert("RGB")
    return upright.convert("RGB")


@contextmanager
def decoding(name: str) -> Iterator[None]:
    """Convert exceptions of decoders into an `ImageError` with the image's name."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            yield
    except ImageError as error:
        raise ImageError(f"{name}: {error}") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ImageError(
            f"{name}: the image has more than {Image.MAX_IMAGE_PIXELS:,} pixels, which may be a decompression bomb. "
            "Resize it, or raise PIL.Image.MAX_IMAGE_PIXELS if you trust it."
        ) from error
    except UnidentifiedImageError as error:
        raise ImageError(f"{name}: not an image. Expected one of {', '.join(_formats())}.") from error
    except PermissionError as error:
        raise ImageError(f"{name}: no permission to read the file.") from error
    except Exception as error:  # corrupt files make decoders raise almost anything
        raise ImageError(f"{name}: the image is truncated or corrupt ({error or type(error).__name__}).") from error


def images_in(folder: Path) -> list[Path]:
    """Image files directly in a folder, sorted by name, without hidden ones."""
    found = [path for path in folder.iterdir() if SUFFIXES.search(path.name) and path.name[0] != "."]
    if not found:
        raise ImageError(f"{folder}: no images in this folder. Expected files such as .jpg, .png or .webp.")
    return sorted(path for path in found if path.is_file())


def images_below(folder: Path) -> list[Path]:
    """Image files in a folder and its subfolders, sorted by path, without hidden ones."""
    found = (path for path in folder.rglob("*") if SUFFIXES.search(path.name))
    visible = (path for path in found if not any(part[0] == "." for part in path.relative_to(folder).parts))
    return sorted(path for path in visible if path.is_file())


def _to_bytes(values: np.ndarray, mode: str) -> np.ndarray:
    """8-bit gray values from 16-bit, 32-bit or floating-point ones."""
    values = values.astype(np.float64)
    if not np.isfinite(values).all() or values.min() < 0:
        raise ImageError(
            f"values of an image of mode {mode} must be finite and not negative. Scale them to [0, 1] first."
        )
    whites = WHITES.get(mode, (65535.0,))
    white = next((white for white in whites if values.max() <= white), None)
    if white is None:
        raise ImageError(f"values of an image of mode {mode} reach {values.max():.6g}. Scale them to [0, 1] first.")
    return (values / white * 255).round().astype(np.uint8)


def _formats() -> list[str]:
    """The formats that the installed Pillow can read."""
    Image.init()
    return [name for name in FORMATS if name in Image.OPEN]


def _not_a_file(path: Path) -> str:
    if str(path).startswith(("http:/", "https:/")):
        return f"{path}: URLs are not supported. Download the image and pass the file."
    return f"{path}: not a file." if path.exists() else f"{path}: there is no such file."
