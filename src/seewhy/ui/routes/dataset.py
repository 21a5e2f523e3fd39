"""The data set: facts, sorted and filtered pages of images, the confusion matrix."""

import csv
import io
import math
from typing import Any

from numpy import ndarray
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from seewhy.ui.dataset_jobs import need_dataset
from seewhy.ui.errors import invalid
from seewhy.ui.findings import FIELDS, RANGES, Findings
from seewhy.ui.page import Facts, Page, class_facts
from seewhy.ui.requests import shown, take_number
from seewhy.ui.routes.results import attachment

MOST = 1000  # images per page


async def show(page: Page, request: Request) -> Response:
    findings = watched(page, request)
    return JSONResponse(need_dataset(page).to_json(findings.facts["id"]))


def watched(page: Page, request: Request) -> Findings:
    """What the model of a request, by default the first, makes of the images."""
    dataset = need_dataset(page)
    return dataset.watch(page.model(request.query_params.get("model", next(iter(dataset.findings))))["id"])


async def list_images(page: Page, request: Request) -> Response:
    findings, method, found = read_query(page, request)
    offset = take_number(request, "offset", 0, high=10**9 - 1)
    limit = take_number(request, "limit", 200, low=1, high=MOST)
    ids = need_dataset(page).ids
    items = [{"id": ids[number], **findings.item(number, method)} for number in found[offset : offset + limit].tolist()]
    return JSONResponse({"total": len(found), "offset": offset, "items": items})


def read_query(page: Page, request: Request) -> tuple[Findings, str, ndarray]:
    """What a model makes of the images, the method whose scores count, and the numbers of those that match, sorted."""
    findings, query = watched(page, request), request.query_params
    method = query.get("method", "")
    if method and method not in findings.methods:
        raise invalid("method", f"no job has run {shown(method)} on this data set")
    found = findings.find(query_filter(request), method)
    return findings, method, findings.sort(found, query.get("sort", "name"), method)


def query_filter(request: Request) -> dict[str, Any]:
    """The filter in the query string."""
    query = request.query_params
    return {
        "label": _integer(request, "label"),
        "prediction": _integer(request, "prediction"),
        "wrong": _truth(query.get("wrong")),
        "q": query.get("q", "")[:200],
        **{name: _number(query.get(name), name) for field in RANGES for name in (f"min_{field}", f"max_{field}")},
    }


def _integer(request: Request, name: str) -> int | None:
    return take_number(request, name, 0, high=10**9 - 1) if name in request.query_params else None


def _truth(text: str | None) -> bool | None:
    if text not in (None, "true", "false"):
        raise invalid("wrong", f"wrong must be true or false, got {shown(text)}")
    return None if text is None else text == "true"


def _number(text: str | None, name: str) -> float | None:
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise invalid(name, f"{name} must be a number, got {shown(text)}")
    return value


async def table(page: Page, request: Request) -> Response:
    """The images that match as a CSV file."""
    findings, method, found = read_query(page, request)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(FIELDS)
    for number in found.tolist():
        item = findings.item(number, method)
        classes = {name: class_name(findings.facts, item[name]) for name in ("label", "prediction")}
        writer.writerow([plain(value) for value in ({**item, **classes}[name] for name in FIELDS)])
    name = need_dataset(page).name
    return Response(out.getvalue(), media_type="text/csv", headers=attachment(name, "csv"))


def class_name(facts: Facts, index: int | None) -> str | None:
    return None if index is None else str(class_facts(facts, index)["name"])


def plain(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula: names are chosen by others.

    >>> plain("=1+1.png"), plain(-0.5)
    ("'=1+1.png", -0.5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@")) else value


async def confusion(page: Page, request: Request) -> Response:
    findings = watched(page, request)
    found = findings.confusion()
    return JSONResponse({**found, "classes": [class_facts(findings.facts, index) for index in found["classes"]]})


ROUTES = [
    ("GET", "/dataset", show),
    ("GET", "/dataset/images", list_images),
    ("GET", "/dataset/table", table),
    ("GET", "/dataset/confusion", confusion),
]
