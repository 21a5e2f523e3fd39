"""Images by hash: uploads, checked before they are decoded, and files of the data set's folder."""

import hashlib
import io
import warnings
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from PIL import Image, UnidentifiedImageError

from seewhy.data.decode import open_stream
from seewhy.errors import ImageError
from seewhy.ui.errors import ApiError, not_found
from seewhy.ui.files import FileCache
from seewhy.ui.settings import Limits

FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF")
THUMBNAIL = 160  # pixels of the longer side
NAME = 120  # characters of a name that are kept


@dataclass(frozen=True)
class PageImage:
    """One image, and where the worker finds it."""

    id: str
    name: str
    width: int
    height: int
    bytes: int
    format: str
    source: str  # "upload" or "folder"
    path: Path

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "path"}


class Images:
    """Uploads, which end with the page, and images of a folder, which are only read; their thumbnails are kept."""

    def __init__(self, temporary: Path, thumbnails: FileCache, limits: Limits) -> None:
        self.thumbnails, self.limits = thumbnails, limits
        self.cache = FileCache(temporary / "uploads", limits.cache_bytes * 3 // 8)
        self.upload_thumbnails = FileCache(temporary / "thumbnails of uploads", limits.cache_bytes // 8)
        self.uploads: dict[str, PageImage] = {}
        self.files: dict[str, Path] = {}  # of the folder
        self.names: dict[str, str] = {}  # their paths below it
        self.checked: dict[str, PageImage] = {}  # of these files

    def add(self, name: str, content: bytes) -> PageImage:
        """Check and keep an upload; the same bytes give the same image, under its latest name."""
        id = hashlib.sha256(content).hexdigest()[:32]
        if id in self.uploads and self.cache.get(id):
            self.uploads[id] = replace(self.uploads[id], name=clean_name(name))
            return self.uploads[id]
        width, height, kind = check_image(content, self.limits)
        self.upload_thumbnails.put(id, thumbnail(content))  # decodes: a truncated image is refused here
        path = self.cache.put(id, content)
        self.uploads[id] = PageImage(id, clean_name(name), width, height, len(content), kind, "upload", path)
        self.uploads = {key: image for key, image in self.uploads.items() if key in self.cache}
        return self.uploads[id]

    def get(self, id: str) -> PageImage:
        if id in self.files:
            return self.checked.get(id) or self.checked.setdefault(id, self._file(id))
        if id not in self.uploads or self.cache.get(id) is None:
            raise not_found("image")
        return self.uploads[id]

    def _file(self, id: str) -> PageImage:
        """A file of the folder; checked like an upload before anyone decodes it."""
        path = self.files[id]
        try:
            content = path.read_bytes()
        except OSError:
            raise ApiError(404, f"{self.names[id]} cannot be read any more") from None
        facts = check_image(content, self.limits)
        return PageImage(id, self.names[id], *facts[:2], len(content), facts[2], "folder", path)

    def thumbnail(self, id: str) -> Path:
        """A small WebP of an image, made once."""
        if id not in self.files and id not in self.uploads:
            raise not_found("image")
        cache = self.thumbnails if id in self.files else self.upload_thumbnails
        return cache.get(id) or cache.put(id, thumbnail(self.get(id).path.read_bytes()))


def check_image(content: bytes, limits: Limits) -> tuple[int, int, str]:
    """Width, height and format from the header; raises before anything is decoded."""
    if not content:
        raise ApiError(400, "the body is empty; send the image file itself", code="bad_image")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=FORMATS) as image:
                width, height, kind = *image.size, str(image.format)
    except UnidentifiedImageError:
        raise ApiError(415, f"not an image in a format that is accepted: {', '.join(FORMATS)}") from None
    except Image.DecompressionBombError:
        raise _too_many_pixels(limits) from None
    except Exception:  # hostile headers make decoders raise almost anything
        raise ApiError(400, "the image is truncated or corrupt", code="bad_image") from None
    if width * height > limits.pixels:
        raise _too_many_pixels(limits)
    return width, height, kind


def _too_many_pixels(limits: Limits) -> ApiError:
    return ApiError(413, f"the image has more than {limits.pixels // 1_000_000} megapixels; send a smaller one")


def thumbnail(content: bytes) -> bytes:
    """A small WebP; raises where the image cannot be decoded."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # animations: the first frame
            image = open_stream("image", content)
    except ImageError as error:
        raise ApiError(400, str(error).removeprefix("image: "), code="bad_image") from error
    image.thumbnail((THUMBNAIL, THUMBNAIL))
    out = io.BytesIO()
    image.save(out, "WEBP", quality=80, method=2)
    return out.getvalue()


def clean_name(name: str) -> str:
    """The last part of an upload's name without control characters; shown as text, used for nothing else.

    >>> clean_name("../../etc/cat.png"), clean_name("")
    ('cat.png', 'image')
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(letter for letter in last if letter.isprintable())[:NAME].strip() or "image"
