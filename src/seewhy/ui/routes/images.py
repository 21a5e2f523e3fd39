"""Images: uploads, thumbnails, the view of the model and its prediction."""

from typing import Any

import anyio
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from seewhy.ui.errors import ApiError
from seewhy.ui.images import FORMATS
from seewhy.ui.page import Page, class_facts
from seewhy.ui.requests import read_body, take_number
from seewhy.ui.worker import ASK

FOREVER = {"Cache-Control": "private, max-age=31536000, immutable"}


async def upload(page: Page, request: Request) -> Response:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/octet-stream" and (not kind.startswith("image/") or "svg" in kind):
        raise ApiError(415, f"not an image in a format that is accepted: {', '.join(FORMATS)}; got {kind or 'no type'}")
    if page.uploading >= page.limits.uploads:
        raise ApiError(429, f"{page.limits.uploads} images are being uploaded already; send this one again")
    page.uploading += 1
    try:
        content = await read_body(request, page.limits.upload_bytes, page.limits.seconds_per_body)
        image = await anyio.to_thread.run_sync(page.images.add, request.query_params.get("name", ""), content)
    finally:
        page.uploading -= 1
    return JSONResponse(image.to_json(), 201)


async def list_images(page: Page, _request: Request) -> Response:
    uploads = reversed(list(page.images.uploads.values()))
    return JSONResponse({"images": [image.to_json() for image in uploads]})


async def show_image(page: Page, request: Request) -> Response:
    image = await anyio.to_thread.run_sync(page.images.get, request.path_params["image"])
    return JSONResponse(image.to_json())


async def thumbnail(page: Page, request: Request) -> Response:
    path = await anyio.to_thread.run_sync(page.images.thumbnail, request.path_params["image"])
    return FileResponse(path, media_type="image/webp", headers=FOREVER)


async def view_image(page: Page, request: Request) -> Response:
    return Response(await _ask(page, request, "view"), media_type="image/png", headers=FOREVER)


async def predict(page: Page, request: Request) -> Response:
    facts = page.model(request.query_params.get("model"))
    top = take_number(request, "top", 5, low=1, high=1000)
    probabilities = await _ask(page, request, "predict")
    likeliest = sorted(range(len(probabilities)), key=lambda index: -probabilities[index])
    classes = [class_facts(facts, index) | {"probability": probabilities[index]} for index in likeliest[:top]]
    return JSONResponse({"prediction": likeliest[0], "classes": classes})


async def _ask(page: Page, request: Request, function: str) -> Any:
    """Ask the worker about the image and model of a request."""
    facts = page.model(request.query_params.get("model"))
    source = await anyio.to_thread.run_sync(page.source, request.path_params["image"])
    seconds = page.limits.seconds_per_answer
    return await page.link.ask(function, ASK, seconds=seconds, model=facts["id"], image=source)


ROUTES = [
    ("GET", "/images", list_images),
    ("POST", "/images", upload),
    ("GET", "/images/{image}", show_image),
    ("GET", "/images/{image}/thumbnail", thumbnail),
    ("GET", "/images/{image}/view", view_image),
    ("GET", "/images/{image}/prediction", predict),
]
