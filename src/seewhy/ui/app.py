"""The application: routes of the page, of its API (docs/page-api.md) and of KServe."""

import contextlib
import functools
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from seewhy.ui import reports
from seewhy.ui.errors import ApiError, answer_error, not_found
from seewhy.ui.guard import Guard
from seewhy.ui.page import Page
from seewhy.ui.routes import asking, dataset, general, images, jobs, kserve, results
from seewhy.ui.settings import Settings

STATIC = Path(str(files("seewhy.ui") / "static"))
API = [
    *general.ROUTES,
    *images.ROUTES,
    *jobs.ROUTES,
    *results.ROUTES,
    *asking.ROUTES,
    *dataset.ROUTES,
    *reports.ROUTES,
]


async def show_page(_request: Request) -> Response:
    return FileResponse(STATIC / "index.html", media_type="text/html")


async def show_static(request: Request) -> Response:
    """A file that was shipped; names are compared, never joined."""
    known = {path.name: path for path in STATIC.iterdir() if path.is_file()}
    if request.path_params["name"] not in known:
        raise not_found("file")
    return FileResponse(known[request.path_params["name"]])


def bind(page: Page, routes: Sequence[tuple[str, str, Callable[..., Any]]]) -> list[Route]:
    """Routes whose handlers get the page."""
    return [Route(path, functools.partial(handler, page), methods=[method]) for method, path, handler in routes]


def build_app(page: Page) -> Starlette:
    inner = [
        Route("/", show_page),
        Route("/static/{name}", show_static),
        *bind(page, [("GET", "/api/v1", general.about), *reports.FILES]),
        Mount("/api/v1", routes=bind(page, API)),
        Mount("/v1", routes=bind(page, kserve.ROUTES)),
    ]
    prefix = page.settings.prefix
    routes = [Mount(prefix, routes=inner), Route("/", lambda _: RedirectResponse(f"{prefix}/"))] if prefix else inner
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Guard, settings=page.settings)],
        exception_handlers={ApiError: answer_error, HTTPException: answer_error, Exception: answer_error},
    )
    app.state.page = page
    return app


@contextlib.asynccontextmanager
async def open_app(settings: Settings) -> AsyncIterator[Starlette]:
    """The application with its worker running; raises if a model cannot be loaded."""
    with tempfile.TemporaryDirectory(prefix="seewhy-page-") as folder:
        page = Page(settings, Path(folder))
        try:
            await page.start()
            yield build_app(page)
        finally:
            await page.close()
