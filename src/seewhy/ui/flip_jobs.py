"""Jobs that look for what changes the decision: a share of a map, or the fewest patches."""

from typing import Any

import anyio

from seewhy.ui.code import greedy_code, prefix_code
from seewhy.ui.job import Job
from seewhy.ui.page import Page
from seewhy.ui.requests import only, take, take_choice
from seewhy.ui.routes.asking import read_entry
from seewhy.ui.routes.general import REFERENCES


async def flip_job(page: Page, body: dict[str, Any]) -> Job:
    """A job from a request."""
    make = {"prefix": prefix_job, "greedy": greedy_job}[take_choice(body, "search", ("prefix", "greedy"), "prefix")]
    return await make(page, body, take_choice(body, "reference", REFERENCES, "blur"))


async def prefix_job(page: Page, body: dict[str, Any], reference: str) -> Job:
    """The smallest share of a map."""
    only(body, "kind", "search", "result", "entry", "target", "reference")
    result, entry, target = read_entry(page, body)
    source = await anyio.to_thread.run_sync(page.source, result.image)
    code = prefix_code(result.codes[entry], reference)
    arguments = {"model": result.model, "image": source, "target": target, "reference": reference}

    async def work(job: Job) -> None:
        stored = page.results.path(result.keys[entry], "bundle").read_bytes()
        found = await page.queue.call(job, "flip_prefix", noted=lambda _: None, bundle=stored, **arguments)
        job.answer = {"search": "prefix", **found, "code": code}

    title = f"{source.name}: what share of {result.labels[entry]} changes the decision?"
    return Job("flip", title, body, work, page.limits.seconds_per_job, result=result.id)


async def greedy_job(page: Page, body: dict[str, Any], reference: str) -> Job:
    """The fewest patches, without a map."""
    only(body, "kind", "search", "model", "image", "reference")
    facts = page.model(take(body, "model", str))
    source = await anyio.to_thread.run_sync(page.source, take(body, "image", str))
    code = greedy_code(facts["load"], source.name, reference)

    async def work(job: Job) -> None:
        arguments = {"model": facts["id"], "image": source, "reference": reference}
        found = await page.queue.call(job, "smallest_flip", noted=lambda _: None, **arguments)
        job.answer = {"search": "greedy", **found, "code": code}

    title = f"{source.name}: the fewest patches that change the decision"
    return Job("flip", title, body, work, page.limits.seconds_per_job)
