"""A file, or an opened picture of any kind, becomes what a viewer would show: upright RGB with 8 bits.

| kind                                  | what happens                                                       |
|---------------------------------------|--------------------------------------------------------------------|
| EXIF orientation                      | applied                                                            |
| transparency (RGBA, LA, palette, tRNS) | laid over white, as viewers do                                    |
| CMYK, YCbCr, LAB, HSV, grey, palette  | converted; color profiles are not applied                          |
| 16-bit grey (I;16, I)                 | 65535 is white; in I, the 32-bit range if anything is brighter     |
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

# Raster formats only: others (EPS, for one) start programs to be drawn.
FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF", "PPM", "AVIF", "JPEG2000", "TGA", "ICO", "DIB", "QOI")
SUFFIXES = re.compile(r"\.(png|jpe?g|jpe|jfif|webp|bmp|gif|tiff?|p[pgbn]m|avif|jp2|tga|ico|dib|qoi)$", re.IGNORECASE)
WHITES = {"I": (65535.0, 2.0**31 - 1), "F": (1.0, 255.0, 65535.0)}  # of modes that do not say how bright white is


def open_picture(path: str | Path) -> Image.Image:
    """Read one file; whatever is wrong with it becomes one `ImageError` that names it."""
    path = Path(path)
    if not path.is_file():
        raise ImageError(_why_no_file(path))
    if path.stat().st_size == 0:
        raise ImageError(f"{path}: the file is empty (0 bytes).")
    with decoding(str(path)), Image.open(path, formats=_formats()) as picture:
        picture.load()
        return as_rgb(picture)


def as_rgb(picture: Image.Image) -> Image.Image:
    """Upright, opaque RGB; see the table above."""
    upright = ImageOps.exif_transpose(picture)
    if upright.mode in WHITES or upright.mode.startswith("I;16"):
        return Image.fromarray(_to_bytes(np.asarray(upright), upright.mode)).convert("RGB")
    if upright.has_transparency_data:
        white = Image.new("RGBA", upright.size, "white")
        return Image.alpha_composite(white, upright.convert("RGBA")).convert("RGB")
    return upright.convert("RGB")


@contextmanager
def decoding(name: str) -> Iterator[None]:
    """Turn whatever goes wrong in a decoder into an `ImageError` that names the picture."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            yield
    except ImageError as error:
        raise ImageError(f"{name}: {error}") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ImageError(
            f"{name}: the picture has more than {Image.MAX_IMAGE_PIXELS:,} pixels, which may be a decompression bomb. "
            "Make it smaller, or raise PIL.Image.MAX_IMAGE_PIXELS if you trust it."
        ) from error
    except UnidentifiedImageError as error:
        raise ImageError(f"{name}: not an image. Expected one of {', '.join(_formats())}.") from error
    except PermissionError as error:
        raise ImageError(f"{name}: no permission to read the file.") from error
    except Exception as error:  # damaged bytes make decoders raise almost anything
        raise ImageError(f"{name}: the picture is truncated or damaged ({error or type(error).__name__}).") from error


def images_in(folder: Path) -> list[Path]:
    """The pictures that lie in a folder, by name; hidden files and folders inside it are left out."""
    found = [path for path in folder.iterdir() if SUFFIXES.search(path.name) and path.name[0] != "."]
    if not found:
        raise ImageError(f"{folder}: the folder holds no images. Expected files such as .jpg, .png or .webp in it.")
    return sorted(path for path in found if path.is_file())


def images_below(folder: Path) -> list[Path]:
    """Those in the folders inside it, too, by path; whatever is hidden, or lies in a hidden folder, is left out."""
    found = (path for path in folder.rglob("*") if SUFFIXES.search(path.name))
    seen = (path for path in found if not any(part[0] == "." for part in path.relative_to(folder).parts))
    return sorted(path for path in seen if path.is_file())


def _to_bytes(values: np.ndarray, mode: str) -> np.ndarray:
    """Grey with 8 bits from 16, 32 or floating-point ones."""
    values = values.astype(np.float64)
    if not np.isfinite(values).all() or values.min() < 0:
        raise ImageError(
            f"values of a picture of mode {mode} must be finite and not negative. Scale them to 0...1 first."
        )
    whites = WHITES.get(mode, (65535.0,))
    white = next((white for white in whites if values.max() <= white), None)
    if white is None:
        raise ImageError(f"values of a picture of mode {mode} reach {values.max():.6g}. Scale them to 0...1 first.")
    return (values / white * 255).round().astype(np.uint8)


def _formats() -> list[str]:
    """Those of `FORMATS` that this Pillow can read."""
    Image.init()
    return [name for name in FORMATS if name in Image.OPEN]


def _why_no_file(path: Path) -> str:
    if str(path).startswith(("http:/", "https:/")):
        return f"{path}: addresses are not opened. Download the picture and give the file."
    return f"{path}: not a file." if path.exists() else f"{path}: there is no such file."
