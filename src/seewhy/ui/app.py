"""The routes of the page: see docs/page-api.md."""

import contextlib
import tempfile
from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

import seewhy
from seewhy.errors import SeewhyError
from seewhy.registry import METHODS
from seewhy.ui.errors import ApiError, answer_error, not_found
from seewhy.ui.files import FileCache
from seewhy.ui.guard import Guard
from seewhy.ui.images import FORMATS, Images, PageImage
from seewhy.ui.link import Link
from seewhy.ui.requests import read_body, take_number
from seewhy.ui.schema import method_form
from seewhy.ui.settings import VERSION, Settings
from seewhy.ui.tasks import Source
from seewhy.ui.worker import ASK

STATIC = Path(str(files("seewhy.ui") / "static"))
REFERENCES = ("black", "imagenet_mean", "model_mean", "blur")


class Page:
    """The state of a running page, and its handlers."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings, self.limits = settings, settings.limits
        uploads = FileCache(folder / "uploads", settings.limits.cache_bytes // 2)
        thumbnails = FileCache((settings.cache or folder) / "thumbnails", settings.limits.cache_bytes)
        self.images = Images(uploads, thumbnails, settings.limits)
        self.uploading = 0
        self.link = Link(settings.models)

    @property
    def models(self) -> dict[str, dict[str, Any]]:
        return {facts["id"]: facts for facts in self.link.models}

    def model(self, id: str | None) -> dict[str, Any]:
        if id not in self.models:
            raise not_found("model") if self.models else ApiError(503, "the model is loading; ask again")
        return self.models[id]

    def source(self, image: PageImage) -> Source:
        return Source(image.id, image.name, image.path)

    # general

    async def about(self, _request: Request) -> Response:
        limits = self.limits
        return JSONResponse(
            {
                "version": VERSION,
                "seewhy": seewhy.__version__,
                "worker": {"state": self.link.state, "message": self.link.message},
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
            }
        )

    async def list_models(self, _request: Request) -> Response:
        hidden = ("type", "class_names")
        models = [
            {key: value for key, value in facts.items() if key not in hidden} | {"named": bool(facts["class_names"])}
            for facts in self.link.models
        ]
        return JSONResponse({"models": models})

    async def search_classes(self, request: Request) -> Response:
        facts = self.model(request.path_params["model"])
        limit = take_number(request, "limit", 20, low=1, high=1000)
        found = find_classes(facts, request.query_params.get("q", ""))
        return JSONResponse({"total": len(found), "classes": [class_facts(facts, index) for index in found[:limit]]})

    async def list_methods(self, request: Request) -> Response:
        facts = self.model(request.query_params.get("model"))
        return JSONResponse({"methods": [method_form(name, facts["type"]) for name in METHODS.names()]})

    async def show_method(self, request: Request) -> Response:
        facts = self.model(request.query_params.get("model"))
        try:
            return JSONResponse(method_form(request.path_params["name"], facts["type"]))
        except SeewhyError as error:
            raise ApiError(404, str(error)) from None

    # images

    async def upload(self, request: Request) -> Response:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/octet-stream" and (not kind.startswith("image/") or "svg" in kind):
            raise ApiError(415, f"Content-Type must be that of an image, or application/octet-stream; got {kind!r}")
        if self.uploading >= self.limits.uploads:
            raise ApiError(429, f"{self.limits.uploads} images are being uploaded already; send this one again")
        self.uploading += 1
        try:
            content = await read_body(request, self.limits.upload_bytes, self.limits.seconds_per_body)
            name = request.query_params.get("name", "")
            image = await anyio.to_thread.run_sync(self.images.add, name, content)
        finally:
            self.uploading -= 1
        return JSONResponse(image.to_json(), 201)

    async def list_images(self, _request: Request) -> Response:
        uploads = reversed(list(self.images.uploads.values()))
        return JSONResponse({"images": [image.to_json() for image in uploads]})

    async def show_image(self, request: Request) -> Response:
        return JSONResponse(self.images.get(request.path_params["image"]).to_json())

    async def thumbnail(self, request: Request) -> Response:
        path = await anyio.to_thread.run_sync(self.images.thumbnail, request.path_params["image"])
        headers = {"Cache-Control": "private, max-age=31536000, immutable"}
        return FileResponse(path, media_type="image/webp", headers=headers)

    async def view_image(self, request: Request) -> Response:
        return Response(await self.about_image(request, "view"), media_type="image/png")

    async def predict(self, request: Request) -> Response:
        facts = self.model(request.query_params.get("model"))
        top = take_number(request, "top", 5, low=1, high=facts["classes"])
        probabilities = await self.about_image(request, "predict")
        likeliest = sorted(range(len(probabilities)), key=lambda index: -probabilities[index])
        classes = [class_facts(facts, index) | {"probability": probabilities[index]} for index in likeliest[:top]]
        return JSONResponse({"prediction": likeliest[0], "classes": classes})

    async def about_image(self, request: Request, function: str) -> Any:
        facts = self.model(request.query_params.get("model"))
        source = self.source(self.images.get(request.path_params["image"]))
        seconds = self.limits.seconds_per_answer
        return await self.link.ask(function, ASK, seconds=seconds, model=facts["id"], image=source)


def find_classes(facts: dict[str, Any], query: str) -> list[int]:
    """Classes whose name holds every word of the query, or the one with that index; exact names first."""
    names = facts["class_names"] or [f"class {index}" for index in range(facts["classes"])]
    text = query.strip().lower()
    if text.isascii() and text.isdecimal():
        return [int(text)] if int(text[:9]) < len(names) else []
    found = [index for index, name in enumerate(names) if all(word in name.lower() for word in text.split())]
    exact = {index for index in found if text in [part.strip().lower() for part in names[index].split(",")]}
    return sorted(found, key=lambda index: (index not in exact, index))


def class_facts(facts: dict[str, Any], index: int) -> dict[str, Any]:
    return {"index": index, "name": facts["class_names"][index] if facts["class_names"] else f"class {index}"}


async def show_page(_request: Request) -> Response:
    return FileResponse(STATIC / "index.html", media_type="text/html")


async def show_static(request: Request) -> Response:
    """A file that was shipped; names are compared, never joined."""
    known = {path.name: path for path in STATIC.iterdir() if path.is_file()}
    if request.path_params["name"] not in known:
        raise not_found("file")
    return FileResponse(known[request.path_params["name"]])


def api_routes(page: Page) -> list[Route]:
    return [
        Route("/", page.about),
        Route("/models", page.list_models),
        Route("/models/{model}/classes", page.search_classes),
        Route("/methods", page.list_methods),
        Route("/methods/{name}", page.show_method),
        Route("/images", page.list_images),
        Route("/images", page.upload, methods=["POST"]),
        Route("/images/{image}", page.show_image),
        Route("/images/{image}/thumbnail", page.thumbnail),
        Route("/images/{image}/view", page.view_image),
        Route("/images/{image}/prediction", page.predict),
    ]


@contextlib.asynccontextmanager
async def open_app(settings: Settings) -> AsyncIterator[Starlette]:
    """The application with its worker running; raises if a model cannot be loaded."""
    with tempfile.TemporaryDirectory(prefix="seewhy-page-") as folder:
        page = Page(settings, Path(folder))
        try:
            await page.link.started()
            yield build_app(page)
        finally:
            page.link.close()


def build_app(page: Page) -> Starlette:
    api = api_routes(page)
    inner = [
        Route("/", show_page),
        Route("/static/{name}", show_static),
        Route("/api/v1", page.about),
        Mount("/api/v1", routes=api),
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
