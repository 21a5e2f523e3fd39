"""The explorer as one HTML file: script, style sheet and data inlined, nothing is requested, opens from `file://`."""

import base64
import gzip
import hashlib
import html
import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from jaxtyping import Float32, Shaped, UInt, UInt32
from numpy import ndarray

from seewhy.errors import InputError
from seewhy.explorer.bundle import DTYPES, Bundle
from seewhy.runtime.files import write_atomic

POLICY = "default-src 'none'; script-src 'sha256-{digest}'; img-src data: blob:; base-uri 'none'; form-action 'none'"
SAFE = str.maketrans("&<>", ",.:")
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{title}</title>
<body>
<main id="explorer">
<p>Reading the images… If nothing follows, this file is incomplete: copy or write it again.</p>
<noscript>The explorer needs JavaScript. It runs in this file alone.</noscript>
</main>
{bundles}
<script type="module">{script}</script>
</body>
</html>
"""


def write_html(bundles: Bundle | Sequence[Bundle], path: str | Path, *, title: str = "seewhy explorer") -> Path:
    """Write one self-contained file that shows one image or several; returns its path."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, page_html(bundles, title=title).encode())
    return path


def notebook_html(bundles: Bundle | Sequence[Bundle], *, height: int = 760) -> str:
    """An iframe that holds the whole explorer, so that a saved notebook keeps it."""
    page = html.escape(page_html(bundles), quote=True)
    style = f"width:100%;height:{int(height)}px;border:0;border-radius:8px"
    return f'<iframe title="seewhy explorer" style="{style}" allow="clipboard-write" srcdoc="{page}"></iframe>'


def page_html(bundles: Bundle | Sequence[Bundle], *, title: str = "seewhy explorer") -> str:
    """The page as text. Names of files and classes appear in it only encoded or escaped."""
    bundles = [bundles] if isinstance(bundles, Bundle) else list(bundles)
    if not bundles:
        raise InputError("the explorer needs at least one bundle, got none")
    script = _script()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = POLICY.format(digest=digest)
    inlined = "\n".join(
        f'<script type="application/octet-stream" data-bundle>{encode(pack(bundle))}</script>' for bundle in bundles
    )
    return PAGE.format(policy=policy, title=html.escape(title), bundles=inlined, script=script)


@cache
def _script() -> str:
    """The bundle of `npm run build` in `frontend/`, with its style sheet; it does not contain `</script>`."""
    return (files("seewhy.explorer") / "explorer.js").read_text(encoding="utf-8").strip()


def pack(bundle: Bundle, *, exact: bool | None = None) -> bytes:
    """The compact safetensors file, gzipped; the bytes of its tensors by significance, most as differences."""
    content = bytearray(bundle.to_bytes(compact=True, exact=exact))
    start = 8 + int.from_bytes(content[:8], "little")
    for name, entry in json.loads(content[8:start]).items():
        if name != "__metadata__":
            first, last = (start + offset for offset in entry["data_offsets"])
            values = np.frombuffer(bytes(content[first:last]), DTYPES[entry["dtype"]])
            content[first:last] = byte_planes(values.reshape(-1, entry["shape"][-1]))
    return gzip.compress(bytes(content), 9, mtime=0)


def encode(content: bytes) -> str:
    """Base 85, a quarter longer than the bytes; without the characters that HTML escapes."""
    return base64.b85encode(content).decode().translate(SAFE)


def decode(text: str) -> bytes:
    """Undo `encode`."""
    return base64.b85decode(text.translate({new: old for old, new in SAFE.items()}))


def byte_planes(values: Shaped[ndarray, "rows cols"]) -> bytes:
    """All low bytes first, the high bytes last; all but signed integers as differences to their neighbors."""
    values = ordered_bits(values) if values.dtype == np.float32 else values
    steps = differences(values) if values.dtype.kind == "u" else values
    return np.ascontiguousarray(steps.view(np.uint8).reshape(-1, values.dtype.itemsize).T).tobytes()


def ordered_bits(values: Float32[ndarray, "rows cols"]) -> UInt32[ndarray, "rows cols"]:
    """Integers in the order of the values: differences between those of close values are small.

    >>> ordered_bits(np.array([[-1.0, 0.0, 1.0]], dtype=np.float32)).tolist()
    [[1082130431, 2147483648, 3212836864]]
    """
    bits = values.view(np.uint32)
    return np.where(bits >> 31, ~bits, bits | 0x80000000).astype(np.uint32)


def differences(values: UInt[ndarray, "rows cols"]) -> UInt[ndarray, "rows cols"]:
    """Differences along rows and columns, small for smooth values; their sign is in the lowest bit.

    >>> differences(np.array([[1, 2, 3], [2, 3, 3]], dtype=np.uint8))
    array([[2, 2, 2],
           [2, 0, 1]], dtype=uint8)
    """
    steps = np.diff(np.diff(values, axis=1, prepend=values.dtype.type(0)), axis=0, prepend=values.dtype.type(0))
    signed = steps.view(values.dtype.str.replace("u", "i"))
    return ((signed << 1) ^ (signed >> (8 * values.dtype.itemsize - 1))).view(values.dtype)
