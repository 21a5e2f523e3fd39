"""What the page can do: limits, models, classes, methods with the forms of their options."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

import seewhy
from seewhy.errors import SeewhyError
from seewhy.registry import METHODS
from seewhy.ui.errors import ApiError
from seewhy.ui.images import FORMATS
from seewhy.ui.page import Facts, Page, class_facts
from seewhy.ui.requests import take_number
from seewhy.ui.schema import method_form
from seewhy.ui.settings import VERSION

REFERENCES = ("black", "imagenet_mean", "model_mean", "blur")


async def about(page: Page, _request: Request) -> Response:
    limits = page.limits
    return JSONResponse(
        {
            "version": VERSION,
            "seewhy": seewhy.__version__,
            "worker": page.worker,
            "limits": {
                "upload_bytes": limits.upload_bytes,
                "megapixels": limits.pixels // 1_000_000,
                "queue": limits.queue,
                "seconds_per_job": limits.seconds_per_job,
                "methods": limits.methods,
                "targets": limits.targets,
            },
            "formats": FORMATS,
            "references": REFERENCES,
            "dataset": page.dataset is not None,
            "reports": len(page.settings.reports),
        }
    )


async def list_models(page: Page, _request: Request) -> Response:
    hidden = ("type", "class_names", "load")
    models = [
        {key: value for key, value in facts.items() if key not in hidden} | {"named": bool(facts["class_names"])}
        for facts in page.link.models
    ]
    return JSONResponse({"models": models})


async def search_classes(page: Page, request: Request) -> Response:
    facts = page.model(request.path_params["model"])
    limit = take_number(request, "limit", 20, low=1, high=1000)
    found = find_classes(facts, request.query_params.get("q", ""))
    return JSONResponse({"total": len(found), "classes": [class_facts(facts, index) for index in found[:limit]]})


def find_classes(facts: Facts, query: str) -> list[int]:
    """Classes whose name holds every word of the query, or the one with that index; exact names first."""
    names = facts["class_names"] or [f"class {index}" for index in range(facts["classes"])]
    text = query.strip().lower()
    if text.isascii() and text.isdecimal():
        return [int(text)] if int(text[:9]) < len(names) else []
    found = [index for index, name in enumerate(names) if all(word in name.lower() for word in text.split())]
    exact = {index for index in found if text in [part.strip().lower() for part in names[index].split(",")]}
    return sorted(found, key=lambda index: (index not in exact, index))


async def list_methods(page: Page, request: Request) -> Response:
    facts = page.model(request.query_params.get("model"))
    return JSONResponse({"methods": [method_form(name, facts["type"]) for name in METHODS.names()]})


async def show_method(page: Page, request: Request) -> Response:
    facts = page.model(request.query_params.get("model"))
    try:
        return JSONResponse(method_form(request.path_params["name"], facts["type"]))
    except SeewhyError as error:
        raise ApiError(404, str(error)) from None


ROUTES = [
    ("GET", "/", about),
    ("GET", "/models", list_models),
    ("GET", "/models/{model}/classes", search_classes),
    ("GET", "/methods", list_methods),
    ("GET", "/methods/{name}", show_method),
]
