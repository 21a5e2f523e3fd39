"""Questions that are answered at once: what if, the next patch, one more point of a curve."""

import time
from collections.abc import Sequence
from typing import Any

import anyio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from seewhy.ui.code import cover_code, patch_code
from seewhy.ui.errors import invalid
from seewhy.ui.page import Facts, Page, class_facts
from seewhy.ui.requests import only, read_json, shown, take, take_choice, take_integers
from seewhy.ui.results import Result
from seewhy.ui.routes.general import REFERENCES
from seewhy.ui.routes.images import FOREVER
from seewhy.ui.worker import ASK, POINT

KINDS = ("delete", "insert", "patch")
PATCHING = ("white", "black", "model_mean", "imagenet_mean", "noise")
AFTER, CONTEXT = ("propagate", "reference", "source"), ("frozen", "recompute")
CLASSES = 32  # that are answered at once


async def ask(page: Page, request: Request) -> Response:
    body = await read_json(request, page.limits.json_bytes, page.limits.seconds_per_body)
    question, facts = read_question(page, body)
    source = await anyio.to_thread.run_sync(page.source, take(body, "image", str))
    session = take(body, "session", str, "")[:64]
    classes = take_integers(body, "classes", below=facts["classes"], most=CLASSES, default=[], ordered=True)
    top = take(body, "top", int, 5)
    if not 1 <= top <= CLASSES:
        raise invalid("top", f"top must be from 1 to {CLASSES}, got {shown(top)}")
    start = time.perf_counter()
    if session:
        async with page.latest.turn(session):
            answer = await _answer(page, question, source)
    else:
        answer = await _answer(page, question, source)
    spent = 1000 * (time.perf_counter() - start)
    return JSONResponse(
        describe(facts, answer, classes, top, question, source.name) | {"milliseconds": round(spent, 1)}
    )


async def _answer(page: Page, question: dict[str, Any], source: Any) -> Any:
    return await page.link.ask("ask", ASK, seconds=page.limits.seconds_per_answer, image=source, **question)


def read_question(page: Page, body: dict[str, Any]) -> tuple[dict[str, Any], Facts]:
    """The arguments of the worker's function."""
    only(body, "model", "image", "kind", "patches", "reference", "session", "classes", "top", *OPTIONS)
    facts, kind = page.model(take(body, "model", str)), take_choice(body, "kind", KINDS)
    rows, cols = facts["grid"]
    patches = take_integers(body, "patches", below=rows * cols, most=page.limits.patches)
    reference = read_reference(body, kind)
    if kind == "patch" and not facts["can_patch"]:
        raise invalid("kind", f"activations of {facts['name']} cannot be patched; ask with delete or insert")
    options = {name: read(body, name) for name, read in OPTIONS.items() if body.get(name) is not None}
    if options and kind != "patch":
        raise invalid(next(iter(options)), f"{', '.join(options)}: options of the kind patch only")
    arguments = {"model": facts["id"], "kind": kind, "patches": patches, "reference": reference, "options": options}
    return arguments, facts


def read_reference(body: dict[str, Any], kind: str) -> str:
    """The reference of a question of this kind."""
    known, default = (PATCHING, "white") if kind == "patch" else (REFERENCES, "blur")
    return take_choice(body, "reference", known, default)


async def view_reference(page: Page, request: Request) -> Response:
    """The reference of an image as the model sees it."""
    words = dict(request.query_params)
    facts, kind = page.model(words.get("model")), take_choice(words, "kind", KINDS, "delete")
    source = await anyio.to_thread.run_sync(page.source, request.path_params["image"])
    arguments = {"model": facts["id"], "image": source, "kind": kind, "reference": read_reference(words, kind)}
    png = await page.link.ask("view_reference", ASK, seconds=page.limits.seconds_per_answer, **arguments)
    return Response(png, media_type="image/png", headers=FOREVER)


def _blocks(body: dict[str, Any], name: str) -> list[int]:
    values = take(body, name, list)
    if len(values) != 2 or not all(type(each) is int for each in values):
        raise invalid(name, f"{name} must be the first and the last block, such as [1, 8]; got {shown(values)}")
    return values


OPTIONS = {
    "blocks": _blocks,
    "after": lambda body, name: take_choice(body, name, AFTER),
    "context": lambda body, name: take_choice(body, name, CONTEXT),
}


def describe(
    facts: Facts,
    answer: tuple[list[float], list[float], float],
    classes: Sequence[int],
    top: int,
    question: dict[str, Any],
    name: str,
) -> dict[str, Any]:
    """Both sides with the same classes: those that were asked for, then the likeliest before and after."""
    before, after, share = answer
    shown_classes = list(dict.fromkeys([*classes, *likeliest(before, top), *likeliest(after, top)]))

    def side(values: list[float]) -> dict[str, Any]:
        listed = [class_facts(facts, index) | {"probability": values[index]} for index in shown_classes]
        return {"prediction": likeliest(values, 1)[0], "classes": listed}

    code = (patch_code if question["kind"] == "patch" else cover_code)(facts["load"], name, question)
    flipped = likeliest(before, 1) != likeliest(after, 1)
    return {"before": side(before), "after": side(after), "flipped": flipped, "share": share, "code": code}


def likeliest(values: list[float], top: int) -> list[int]:
    return sorted(range(len(values)), key=lambda index: -values[index])[:top]


async def suggest(page: Page, request: Request) -> Response:
    body = await read_json(request, page.limits.json_bytes, page.limits.seconds_per_body)
    only(body, "result", "entry", "target", "patches")
    result, entry, target = read_entry(page, body)
    rows, cols = page.model(result.model)["grid"]
    patches = take_integers(body, "patches", below=rows * cols, most=page.limits.patches)
    stored = page.results.path(result.keys[entry], "bundle").read_bytes()
    seconds = page.limits.seconds_per_answer
    arguments = {"model": result.model, "bundle": stored, "target": target, "patches": patches}
    return JSONResponse(await page.link.ask("suggest", ASK, seconds=seconds, **arguments))


async def measure(page: Page, request: Request) -> Response:
    body = await read_json(request, page.limits.json_bytes, page.limits.seconds_per_body)
    only(body, "result", "entry", "target", "direction", "reference", "count")
    result, entry, target = read_entry(page, body)
    height, width = page.model(result.model)["image_size"]
    count = take(body, "count", int)
    if not 0 <= count <= height * width:
        raise invalid("count", f"count must be from 0 to {height * width} pixels, got {shown(count)}")
    arguments = {
        "model": result.model,
        "bundle": page.results.path(result.keys[entry], "bundle").read_bytes(),
        "protocol": result.request["protocol"],
        "target": target,
        "direction": take_choice(body, "direction", ("deletion", "insertion")),
        "reference": take_choice(body, "reference", result.references),
        "count": count,
    }
    source = await anyio.to_thread.run_sync(page.source, result.image)
    seconds = page.limits.seconds_per_answer
    return JSONResponse(await page.link.ask("measure", POINT, seconds=seconds, image=source, **arguments))


def read_entry(page: Page, body: dict[str, Any]) -> tuple[Result, int, int]:
    """A result of a request, the number of one of its methods, and the position of a class."""
    result = page.results.get(take(body, "result", str))
    entry = take(body, "entry", int, 0)
    if not 0 <= entry < len(result.keys):
        raise invalid("entry", f"entry must be from 0 to {len(result.keys) - 1}, got {shown(entry)}")
    target = take(body, "target", int, result.targets[0])
    if target not in result.targets:
        raise invalid("target", f"target must be one of {list(result.targets)}, the explained classes; got {target}")
    return result, entry, result.targets.index(target)


ROUTES = [
    ("POST", "/ask", ask),
    ("POST", "/suggest", suggest),
    ("POST", "/measure", measure),
    ("GET", "/images/{image}/reference", view_reference),
]
