"""Jobs and the stream of events."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from seewhy.ui import explain_jobs, flip_jobs
from seewhy.ui.dataset_jobs import dataset_job
from seewhy.ui.page import Page
from seewhy.ui.requests import only, read_json, take, take_choice

KINDS = {"explain": explain_jobs.explain_job, "flip": flip_jobs.flip_job, "dataset": dataset_job}


async def submit(page: Page, request: Request) -> Response:
    body = await read_json(request, page.limits.json_bytes, page.limits.seconds_per_body)
    make = KINDS[take_choice(body, "kind", tuple(KINDS))]
    job = page.queue.submit(await make(page, body))
    return JSONResponse(page.queue.to_json(job), 202)


async def list_jobs(page: Page, _request: Request) -> Response:
    jobs = [page.queue.to_json(job) for job in reversed(page.queue.jobs.values())]
    return JSONResponse({"jobs": jobs, "queue": len(page.queue.active), "limit": page.limits.queue})


async def show_job(page: Page, request: Request) -> Response:
    return JSONResponse(page.queue.to_json(page.queue.get(request.path_params["job"])))


async def cancel(page: Page, request: Request) -> Response:
    job = page.queue.get(request.path_params["job"])
    page.queue.cancel(job)
    return JSONResponse(page.queue.to_json(job))


async def stop(page: Page, request: Request) -> Response:
    only(await read_json(request, page.limits.json_bytes, page.limits.seconds_per_body))
    job = page.queue.get(request.path_params["job"])
    page.queue.stop(job)
    return JSONResponse(page.queue.to_json(job))


async def events(page: Page, request: Request) -> Response:
    job = take(dict(request.query_params), "job", str, None)
    return StreamingResponse(page.events.open(job), media_type="text/event-stream")


ROUTES = [
    ("GET", "/jobs", list_jobs),
    ("POST", "/jobs", submit),
    ("GET", "/jobs/{job}", show_job),
    ("DELETE", "/jobs/{job}", cancel),
    ("POST", "/jobs/{job}/stop", stop),
    ("GET", "/events", events),
]
