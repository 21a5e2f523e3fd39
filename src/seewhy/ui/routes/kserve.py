"""KServe's protocol (v1): models, `:predict` and `:explain`."""

import asyncio
import base64
import binascii
from typing import Any

import anyio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from seewhy.ui.errors import ApiError, invalid, not_found
from seewhy.ui.explain_jobs import read_method, read_targets
from seewhy.ui.job import Job
from seewhy.ui.lane import Source
from seewhy.ui.page import Facts, Page
from seewhy.ui.requests import only, read_json, shown, take
from seewhy.ui.worker import ASK

Instance = tuple[Source, tuple[int, ...]]


async def list_models(page: Page, _request: Request) -> Response:
    return JSONResponse({"models": list(page.models)})


async def show_model(page: Page, request: Request) -> Response:
    facts = page.model(request.path_params["model"])
    return JSONResponse({"name": facts["id"], "ready": page.link.state == "ready"})


async def call_model(page: Page, request: Request) -> Response:
    """`MODEL:predict` or `MODEL:explain`."""
    id, _, verb = request.path_params["model"].rpartition(":")
    if verb not in ("predict", "explain"):
        raise not_found("path")
    facts = page.model(id)
    limit = page.limits.upload_bytes * 3 // 2  # base64, and room for the rest
    body = await read_json(request, limit, page.limits.seconds_per_body)
    only(body, "instances", *(["parameters"] if verb == "explain" else []))
    instances = await read_instances(page, facts, take(body, "instances", list))
    return await (predict(page, facts, instances) if verb == "predict" else explain(page, facts, instances, body))


async def read_instances(page: Page, facts: Facts, values: list[Any]) -> list[Instance]:
    most = page.limits.instances
    if not 1 <= len(values) <= most or not all(isinstance(each, dict) for each in values):
        raise invalid("instances", f"instances must be from 1 to {most} objects, got {shown(values)}")
    found = []
    for each in values:
        only(each, "image", "targets")
        image = take(each, "image", dict)
        only(image, "b64")
        try:
            content = base64.b64decode(take(image, "b64", str), validate=True)
        except binascii.Error:
            raise invalid("image", "b64 must be the image file in base64") from None
        if len(content) > page.limits.upload_bytes:
            raise ApiError(413, f"an image may have at most {page.limits.upload_bytes:,} bytes")
        stored = await anyio.to_thread.run_sync(page.images.add, "KServe image", content)
        found.append((page.source(stored.id), read_targets(facts, each, page.limits.targets)))
    return found


async def predict(page: Page, facts: Facts, instances: list[Instance]) -> Response:
    seconds, found = page.limits.seconds_per_answer, []
    for source, _ in instances:
        values = await page.link.ask("predict", ASK, seconds=seconds, model=facts["id"], image=source)
        best = max(range(len(values)), key=values.__getitem__)
        found.append({"prediction": best, "probabilities": values})
    return JSONResponse({"predictions": found})


async def explain(page: Page, facts: Facts, instances: list[Instance], body: dict[str, Any]) -> Response:
    """Explain all instances in one job, and wait for it."""
    parameters = take(body, "parameters", dict, {})
    only(parameters, "method", "options")
    name = take(parameters, "method", str, facts["default_method"])
    method = read_method(facts, {"name": name, "options": take(parameters, "options", dict, {})})

    async def work(job: Job) -> None:
        job.answer = []
        for source, targets in instances:
            arguments = {"model": facts["id"], "image": source, "targets": targets or None}
            choice = {"method": method.name, "options": method.options}
            found = await page.queue.call(job, "explain_instance", noted=lambda _: None, **arguments, **choice)
            job.answer.append(found)
            page.queue.finish_part(job)

    title, limit = f"KServe: {method.label}, {len(instances)} images", page.limits.seconds_per_job
    job = page.queue.submit(Job("kserve", title, {}, work, limit, parts=len(instances)))
    try:
        await asyncio.wait_for(job.over.wait(), limit)
    except asyncio.TimeoutError:
        page.queue.cancel(job)
        raise ApiError(504, f"no answer within {limit:.0f} seconds") from None
    answer, job.answer = job.answer, None  # the maps are large: only this response holds them
    if job.state != "done":
        raise ApiError(422, job.error or f"the job was {job.state}")
    return JSONResponse({"explanations": answer})


ROUTES = [
    ("GET", "/models", list_models),
    ("GET", "/models/{model}", show_model),
    ("POST", "/models/{model}", call_model),
]
