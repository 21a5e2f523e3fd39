"""Reading requests: bodies up to a size and a time, fields with their types; everything else is refused."""

import asyncio
import json
import math
from collections.abc import Collection
from typing import Any

from starlette.requests import Request

from seewhy.ui.errors import ApiError, invalid

WORDS = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}
MISSING: Any = object()
DRAINED = 4  # times the limit of a body


async def read_body(request: Request, limit: int, seconds: float) -> bytes:
    """The body; refused if it is too large or too slow.

    What is too large is read and dropped for a while: a browser shows the answer only once it has sent everything.
    """
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > DRAINED * limit:
        raise _too_large(limit)
    parts, size = [], 0

    async def read() -> None:
        nonlocal size
        async for part in request.stream():
            size += len(part)
            if size <= limit:
                parts.append(part)
            elif size > DRAINED * limit:
                break

    try:
        await asyncio.wait_for(read(), seconds)
    except asyncio.TimeoutError:
        raise ApiError(408, f"the body did not arrive within {seconds:.0f} seconds") from None
    if size > limit:
        raise _too_large(limit)
    return b"".join(parts)


def _too_large(limit: int) -> ApiError:
    return ApiError(413, f"at most {limit / 1e6:g} MB are accepted; send a smaller file")


async def read_json(request: Request, limit: int, seconds: float) -> dict[str, Any]:
    """The body as a JSON object."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise ApiError(415, f"Content-Type must be application/json, got {kind or 'none'}")
    body = await read_body(request, limit, seconds)
    try:
        content = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ApiError(400, "the body is not valid JSON") from None
    if not isinstance(content, dict):
        raise ApiError(400, "the body must be a JSON object")
    return content


def _no_constant(name: str) -> None:
    raise ValueError(name)


def take(body: dict[str, Any], name: str, kind: type, default: Any = MISSING) -> Any:
    """A field of the right type; `default` where it is missing or null."""
    value: Any = body.get(name)
    if value is None:
        if default is MISSING:
            raise invalid(name, f"{name} is missing: {WORDS[kind]} is needed")
        return default
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind or (isinstance(value, float) and not math.isfinite(value)):
        raise invalid(name, f"{name} must be {WORDS[kind]}, got {shown(value)}")
    return value


def take_choice(body: dict[str, Any], name: str, choices: Collection[str], default: Any = MISSING) -> str:
    value = take(body, name, str, default)
    if value not in choices:
        raise invalid(name, f"{name} must be one of {', '.join(choices)}; got {shown(value)}")
    return value


def take_integers(
    body: dict[str, Any], name: str, *, below: int, most: int, default: Any = MISSING, ordered: bool = False
) -> list[int]:
    """A list of distinct whole numbers from 0 to `below` - 1; sorted, unless `ordered` keeps their order."""
    values = take(body, name, list, default)
    if len(values) > most or not all(type(each) is int and 0 <= each < below for each in values):
        raise invalid(name, f"{name} must be at most {most} whole numbers from 0 to {below - 1}, got {shown(values)}")
    return list(dict.fromkeys(values)) if ordered else sorted(set(values))


def only(body: dict[str, Any], *names: str) -> None:
    """Refuse fields of other names: a misspelled one must not be ignored."""
    for name in body:
        if name not in names:
            raise invalid(shown(name), f"there is no field {shown(name)} here; the fields are {', '.join(names)}")


def take_number(request: Request, name: str, default: int, *, low: int = 0, high: int) -> int:
    """A whole number of the query string."""
    text = request.query_params.get(name, str(default))
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and low <= int(text) <= high):
        raise invalid(name, f"{name} must be a whole number from {low} to {high}, got {shown(text)}")
    return int(text)


def shown(value: Any) -> str:
    """A value of a client in a message, shortened."""
    text = json.dumps(value, default=str)
    return text if len(text) <= 80 else text[:77] + "..."
