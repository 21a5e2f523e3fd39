"""Results: facts, the explorer's bundle, and downloads."""

import anyio
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from seewhy.ui.page import Page
from seewhy.ui.requests import take_number


async def show(page: Page, request: Request) -> Response:
    return JSONResponse(page.results.get(request.path_params["result"], entries=False).to_json())


async def bundle(page: Page, request: Request) -> Response:
    result = page.results.get(request.path_params["result"])
    content = await anyio.to_thread.run_sync(page.results.packed, result)
    return Response(content, media_type="application/octet-stream")


async def html(page: Page, request: Request) -> Response:
    result = page.results.get(request.path_params["result"])
    content = await anyio.to_thread.run_sync(page.results.html, result)
    return Response(content, media_type="text/html", headers=attachment(result.name, "html"))


async def maps(page: Page, request: Request) -> Response:
    result = page.results.get(request.path_params["result"])
    entry = take_number(request, "entry", 0, high=len(result.keys) - 1)
    name = f"{result.name} {result.methods[entry].name}"
    return FileResponse(
        page.results.path(result.keys[entry], "zip"), media_type="application/zip", headers=attachment(name, "zip")
    )


def attachment(name: str, suffix: str) -> dict[str, str]:
    """The header of a download; only plain letters of the name are kept."""
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name).strip("-")
    return {"Content-Disposition": f'attachment; filename="{plain[:80] or "seewhy"}.{suffix}"'}


ROUTES = [
    ("GET", "/results/{result}", show),
    ("GET", "/results/{result}/bundle", bundle),
    ("GET", "/results/{result}/html", html),
    ("GET", "/results/{result}/maps", maps),
]
