"""The data set: facts, sorted and filtered pages of images, the confusion matrix."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from seewhy.ui.dataset_jobs import need_dataset
from seewhy.ui.errors import invalid
from seewhy.ui.findings import Findings
from seewhy.ui.page import Page, class_facts
from seewhy.ui.requests import shown, take_number

MOST = 1000  # images per page


async def show(page: Page, request: Request) -> Response:
    findings = watched(page, request)
    return JSONResponse(need_dataset(page).to_json(findings.facts["id"]))


def watched(page: Page, request: Request) -> Findings:
    """What the model of a request, by default the first, makes of the images."""
    dataset = need_dataset(page)
    return dataset.watch(page.model(request.query_params.get("model", next(iter(dataset.findings))))["id"])


async def list_images(page: Page, request: Request) -> Response:
    findings, query = watched(page, request), request.query_params
    offset = take_number(request, "offset", 0, high=10**9 - 1)
    limit = take_number(request, "limit", 200, low=1, high=MOST)
    method = query.get("method", "")
    if method and method not in findings.methods:
        raise invalid("method", f"no job has run {shown(method)} on this data set")
    found = findings.sort(findings.find(query_filter(request)), query.get("sort", "name"), method)
    ids = need_dataset(page).ids
    items = [{"id": ids[number], **findings.item(number, method)} for number in found[offset : offset + limit].tolist()]
    return JSONResponse({"total": len(found), "offset": offset, "items": items})


def query_filter(request: Request) -> dict[str, Any]:
    """The filter in the query string."""
    query = request.query_params
    return {
        "label": _integer(request, "label"),
        "prediction": _integer(request, "prediction"),
        "wrong": _truth(query.get("wrong")),
        "min_confidence": _fraction(query.get("min_confidence"), "min_confidence"),
        "max_confidence": _fraction(query.get("max_confidence"), "max_confidence"),
        "q": query.get("q", "")[:200],
    }


def _integer(request: Request, name: str) -> int | None:
    return take_number(request, name, 0, high=10**9 - 1) if name in request.query_params else None


def _truth(text: str | None) -> bool | None:
    if text not in (None, "true", "false"):
        raise invalid("wrong", f"wrong must be true or false, got {shown(text)}")
    return None if text is None else text == "true"


def _fraction(text: str | None, name: str) -> float | None:
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise invalid(name, f"{name} must be from 0 to 1, got {shown(text)}")
    return value


async def confusion(page: Page, request: Request) -> Response:
    findings = watched(page, request)
    found = findings.confusion()
    return JSONResponse({**found, "classes": [class_facts(findings.facts, index) for index in found["classes"]]})


ROUTES = [
    ("GET", "/dataset", show),
    ("GET", "/dataset/images", list_images),
    ("GET", "/dataset/confusion", confusion),
]
