"""Jobs that explain an image with several methods; the result grows with every method."""

import secrets
from collections.abc import Mapping
from typing import Any

import anyio

from seewhy.errors import SeewhyError
from seewhy.explorer.collect import protocol_references, rename_image
from seewhy.metrics import get_protocol, list_protocols
from seewhy.registry import Pipeline, resolve_method
from seewhy.runtime.targets import class_index
from seewhy.ui.errors import ApiError, invalid
from seewhy.ui.job import Job
from seewhy.ui.lane import Source
from seewhy.ui.link import Failed
from seewhy.ui.page import Facts, Page
from seewhy.ui.requests import only, shown, take, take_choice
from seewhy.ui.results import BASELINES, MethodChoice, Result, entry_key
from seewhy.ui.schema import check_options

FIELDS = ("kind", "model", "image", "targets", "methods", "baselines", "protocol")


async def explain_job(page: Page, body: dict[str, Any]) -> Job:
    """A job from a request."""
    only(body, *FIELDS)
    facts = page.model(take(body, "model", str))
    source = await anyio.to_thread.run_sync(page.source, take(body, "image", str))
    targets = read_targets(facts, body, page.limits.targets)
    methods = read_methods(facts, take(body, "methods", list), page.limits.methods)
    protocol = take_choice(body, "protocol", list_protocols(), "aha")
    added = [MethodChoice(name) for name in BASELINES] if take(body, "baselines", bool, True) else []
    everything = list({each.label: each for each in [*methods, *added]}.values())
    result = Result(
        secrets.token_hex(8),
        facts["id"],
        source.id,
        source.name,
        {**body, "protocol": protocol},
        references=tuple(protocol_references(get_protocol(protocol))),
    )
    page.results.add(result)

    async def work(job: Job) -> None:
        await explain_all(page, job, facts, source, result, everything, targets)

    title = f"{source.name}: {', '.join(each.label for each in methods)}"
    limit = page.limits.seconds_per_job
    return Job("explain", title, body, work, limit, parts=len(everything), result=result.id)


def read_methods(facts: Facts, values: list[Any], most: int) -> list[MethodChoice]:
    """The methods of a request, checked against the model and their signatures."""
    if not 1 <= len(values) <= most:
        raise invalid("methods", f"methods must name from 1 to {most} methods, got {shown(values)}")
    return [read_method(facts, value) for value in values]


def read_method(facts: Facts, value: Any) -> MethodChoice:
    if not isinstance(value, dict):
        raise invalid("methods", f'a method must be an object such as {{"name": "caap"}}, got {shown(value)}')
    only(value, "name", "options")
    name, options = take(value, "name", str), take(value, "options", dict, {})
    try:
        pipeline = resolve_method(name)
        check_options(pipeline, options)
        pipeline.with_options(**options)
    except (SeewhyError, ValueError) as error:
        raise invalid("methods", str(error)) from None
    if not all(issubclass(facts["type"], method.needs) for method in pipeline.methods):
        raise invalid("methods", f"{name} needs another kind of model than {facts['name']}, a {facts['kind']}")
    return MethodChoice(name, dict(options))


def read_targets(facts: Facts, body: Mapping[str, Any], most: int) -> tuple[int, ...]:
    """The classes of a request by index or name; empty for the two likeliest."""
    values = take(dict(body), "targets", list, [])
    if len(values) > most or not all(type(each) in (int, str) for each in values):
        raise invalid("targets", f"targets must be at most {most} class indices or names, got {shown(values)}")
    try:
        found = [class_index(each, facts["class_names"]) for each in values]
    except SeewhyError as error:
        raise invalid("targets", str(error)) from None
    if not all(0 <= each < facts["classes"] for each in found) or len(set(found)) < len(found):
        expected = f"different classes from 0 to {facts['classes'] - 1}"
        raise invalid("targets", f"targets must be {expected}, got {shown(values)}")
    return tuple(found)


async def explain_all(
    page: Page,
    job: Job,
    facts: Facts,
    source: Source,
    result: Result,
    methods: list[MethodChoice],
    targets: tuple[int, ...],
) -> None:
    """One method after the other; one that fails is named at the end, and the others go on."""
    result.methods, result.keys, result.codes, failures = [], [], [], []
    result.targets = targets or await likeliest_two(page, job, facts, source)
    for method in methods:
        try:
            await explain_one(page, job, facts, source, result, method)
        except Failed as error:
            if error.kind == "interrupted":
                raise
            failures.append(str(error) if method.name in str(error) else f"{method.name}: {error}")
        page.queue.finish_part(job)
    result.complete = True
    job.error = " ".join(failures) or None
    asked_for = {each["name"] for each in result.request["methods"]}
    if job.error and not any(each.name in asked_for for each in result.methods):
        raise ApiError(422, job.error)


async def likeliest_two(page: Page, job: Job, facts: Facts, source: Source) -> tuple[int, ...]:
    values = await page.queue.call(job, "predict", noted=lambda _: None, model=facts["id"], image=source)
    return tuple(sorted(range(len(values)), key=lambda index: -values[index])[:2])


async def explain_one(page: Page, job: Job, facts: Facts, source: Source, result: Result, method: MethodChoice) -> None:
    """Compute one method, unless its files are in the cache."""
    protocol = result.request["protocol"]
    key = entry_key(facts["fingerprint"], source.id, result.targets, method, protocol)
    files = page.results.files
    if f"{key}.bundle" not in files or f"{key}.zip" not in files or f"{key}.code" not in files:
        job.stoppable = refines(resolve_method(method.name), method.options)
        found = await page.queue.call(
            job,
            "explain",
            noted=lambda event: page.queue.tell_step(job, {"method": method.name, **event}),
            model=facts["id"],
            image=source,
            targets=result.targets,
            method=method.name,
            options=method.options,
            protocol=protocol,
            stored=page.stored(facts, source, method, result.targets),
        )
        job.stoppable = False
        for kind in ("bundle", "zip"):
            files.put(f"{key}.{kind}", found[kind])
        files.put(f"{key}.code", found["code"].encode())
    code = page.results.path(key, "code").read_text()
    result.codes.append(rename_image(code, source.name))  # the cache knows the image by its content
    result.methods.append(method)
    result.keys.append(key)
    job.entries = len(result.keys)


def refines(pipeline: Pipeline, options: Mapping[str, Any]) -> bool:
    """Whether a method optimizes its map in steps that are reported."""
    names = [method.name for method in pipeline.methods]
    return "refine" in names or (names[-1] == "aha" and options.get("refine_steps", 0) != 0)
