"""Jobs that run a method on many images of the data set and score the maps."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from seewhy.ui.code import dataset_code
from seewhy.ui.dataset import PageDataset
from seewhy.ui.errors import ApiError, invalid, not_found
from seewhy.ui.explain_jobs import read_method
from seewhy.ui.findings import RANGES, Findings
from seewhy.ui.job import Job
from seewhy.ui.page import Page
from seewhy.ui.requests import only, shown, take
from seewhy.ui.results import MethodChoice

MOST = 10_000  # images of one job
SECONDS = 20.0  # an image may take, besides the limit of every job
GROUP = 4  # images per call of the worker
LISTED = 1000  # images that the code of a job names
FILTERS = ("label", "prediction", "wrong", "q", *(f"{end}_{name}" for name in RANGES for end in ("min", "max")))


async def dataset_job(page: Page, body: dict[str, Any]) -> Job:
    """A job from a request."""
    only(body, "kind", "model", "method", "images", "filter", "limit")
    dataset = need_dataset(page)
    facts = page.model(take(body, "model", str))
    findings = dataset.findings[facts["id"]]
    method = read_method(facts, take(body, "method", dict))
    numbers = read_images(dataset, findings, body)
    if not numbers:
        raise invalid("images", "no image matches")

    async def work(job: Job) -> None:
        await score_all(page, job, dataset, findings, method, numbers)
        if len(numbers) <= LISTED:
            names = [dataset.sources[number].name for number in numbers]
            job.answer = {"code": dataset_code(facts["load"], names, method)}

    title = f"{method.label} on {len(numbers):,} {'image' if len(numbers) == 1 else 'images'}"
    seconds = page.limits.seconds_per_job + SECONDS * len(numbers)
    return Job("dataset", title, body, work, seconds, parts=-(-len(numbers) // GROUP))


def need_dataset(page: Page) -> PageDataset:
    if page.dataset is None:
        raise ApiError(404, "this page has no data set; start it with --folder or --store")
    return page.dataset


def read_images(dataset: PageDataset, findings: Findings, body: dict[str, Any]) -> list[int]:
    """Numbers of the selected images, or of those that match the filter."""
    limit = take(body, "limit", int, MOST)
    if not 1 <= limit <= MOST:
        raise invalid("limit", f"limit must be from 1 to {MOST}, got {shown(limit)}")
    if body.get("images") is None:
        return findings.find(read_filter(take(body, "filter", dict, {})))[:limit].tolist()
    ids = take(body, "images", list)
    if not all(isinstance(id, str) and id in dataset.numbers for id in ids):
        raise not_found("image")
    return list(dict.fromkeys(dataset.numbers[id] for id in ids))[:limit]


def read_filter(given: dict[str, Any]) -> Mapping[str, Any]:
    only(given, *FILTERS)
    kinds = {"label": int, "prediction": int, "wrong": bool, "q": str}
    return {name: take(given, name, kinds.get(name, float), None) for name in FILTERS}


async def score_all(
    page: Page, job: Job, dataset: PageDataset, findings: Findings, method: MethodChoice, numbers: list[int]
) -> None:
    """A few images at a time, with stored maps where there are any; what an earlier worker scored is skipped."""
    done = findings.scores.get(method.label)
    for start in range(0, len(numbers), GROUP):
        group = [n for n in numbers[start : start + GROUP] if job.attempts == 1 or done is None or np.isnan(done[n])]
        images = [dataset.sources[number] for number in group]
        stored = [dataset.stored(findings.facts, image.id, method) for image in images]
        arguments = {"model": findings.facts["id"], "method": method.name, "options": method.options, "stored": stored}
        found = await page.queue.call(job, "score_images", noted=lambda _: None, images=images, **arguments)
        for number, each in zip(group, found, strict=True):
            findings.add_score(method, number, each)
            if "error" in each:
                job.error = each["error"]
        page.queue.finish_part(job)
