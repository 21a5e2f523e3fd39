"""Jobs: a bounded queue, one job at a time on the worker, with progress, time left, cancel and stop.

A job is an async function that calls the worker as often as it needs. When the worker is lost, the job waits in front
of the queue and runs again on the next worker; what it has finished is in the cache of results.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Any

from seewhy.ui.errors import ApiError, not_found
from seewhy.ui.events import Events
from seewhy.ui.job import ENDED, Job
from seewhy.ui.link import Failed, Link, WorkerGone
from seewhy.ui.settings import Limits
from seewhy.ui.worker import JOB

GRACE = 5.0  # seconds that an interrupted worker has before it is killed
ATTEMPTS = 3  # runs of a job that takes the worker down
EVERY = 0.1  # seconds between two events about one job
BEAT = 1.0  # seconds after which a running job is told again, so that the time left does not freeze
STEPS, FILMS = 500, 4  # of refinement that are kept: steps of a job, and jobs


class JobQueue:
    """All jobs, oldest first, and the task that runs them."""

    def __init__(self, link: Link, events: Events, limits: Limits) -> None:
        self.link, self.events, self.limits = link, events, limits
        self.jobs: dict[str, Job] = {}
        self.wake = asyncio.Event()
        self.idle: Callable[[], Awaitable[bool]] | None = None  # work for when no job waits; whether there was any
        self.runner = asyncio.create_task(self._run())

    @property
    def active(self) -> list[Job]:
        return [job for job in self.jobs.values() if job.state not in ENDED]

    def get(self, id: str) -> Job:
        if id not in self.jobs:
            raise not_found("job")
        return self.jobs[id]

    def to_json(self, job: Job) -> dict[str, Any]:
        queued = [each for each in self.jobs.values() if each.state == "queued"]
        running = any(each.state == "running" for each in self.jobs.values())
        left = job.seconds_left
        return {
            "id": job.id,
            "kind": job.kind,
            "state": job.state,
            "position": queued.index(job) + running if job in queued else 0,
            "progress": round(job.progress, 4),
            "seconds_left": None if left is None else round(left, 1),
            "seconds": round(job.elapsed, 1),
            "stage": job.stage,
            "title": job.title,
            "error": job.error,
            "result": job.result,
            "answer": job.answer,
            "entries": job.entries,
            "stoppable": job.stoppable,
            "request": job.request,
        }

    def submit(self, job: Job) -> Job:
        if len(self.active) >= self.limits.queue:
            raise ApiError(429, f"{self.limits.queue} jobs wait already; cancel one or wait")
        self.jobs[job.id] = job
        ended = [each.id for each in self.jobs.values() if each.state in ENDED]
        for id in ended[: max(0, len(self.jobs) - self.limits.history)]:
            self._remove(id)
        self.tell(job)
        self.wake.set()
        return job

    def tell(self, job: Job, *, sparingly: bool = False) -> None:
        """Send the job to all pages; `sparingly` for progress, which the next event repeats."""
        now = time.monotonic()
        if not sparingly or now - job.told >= EVERY:
            job.told = now
            self.events.send("job", self.to_json(job))

    def cancel(self, job: Job) -> None:
        """Cancel a job that waits or runs; remove one that has ended."""
        if job.state in ENDED:
            self._remove(job.id)
        elif job.state == "queued":
            self._end(job, "cancelled")
        else:
            self._interrupt(job, "cancelled")

    def stop(self, job: Job) -> None:
        """End refinement and keep the best so far."""
        if not job.stoppable or job.call is None:
            raise ApiError(409, "only refinement that runs can be stopped; DELETE cancels any job")
        self.link.send("stop", job.call)

    async def call(self, job: Job, function: str, *, noted: Callable[[dict[str, Any]], None], **arguments: Any) -> Any:
        """One call of the worker on behalf of a job; progress that it notes is passed on."""

        def on_note(event: dict[str, Any]) -> None:
            if "stage" in event:
                job.stage, job.share = event["stage"], max(job.share, event["share"])
                self.tell(job, sparingly=True)
            else:
                noted(event)

        if job.interrupted:
            raise Failed("interrupted", job.interrupted)
        job.call, future = self.link.begin(function, JOB, noted=on_note, **arguments)
        try:
            return await future
        finally:
            self.link.calls.pop(job.call, None)
            job.call, job.share = None, 0.0

    def tell_step(self, job: Job, step: dict[str, Any]) -> None:
        """Send a step of refinement to all pages, and keep it."""
        event = {"job": job.id, **step}
        if not job.steps:  # memory is bounded: older jobs forget theirs
            for other in [each for each in self.jobs.values() if each.steps][: -FILMS + 1]:
                other.steps = []
        job.steps = [*job.steps[-STEPS:], event]
        self.events.send("step", event)

    def finish_part(self, job: Job) -> None:
        job.finished_parts, job.share = job.finished_parts + 1, 0.0
        self.tell(job)

    # running

    async def _run(self) -> None:
        while True:
            self.wake.clear()
            await self.link.ready.wait()
            job = next((each for each in self.jobs.values() if each.state == "queued"), None)
            if job is not None:
                await self._run_job(job)
            elif self.idle is None or not await self.idle():
                await self.wake.wait()

    async def _run_job(self, job: Job) -> None:
        job.state, job.started, job.attempts = "running", time.monotonic(), job.attempts + 1
        timer = asyncio.get_running_loop().call_later(job.seconds, self._interrupt, job, "time limit")
        self.tell(job)
        beat = asyncio.create_task(self._tell_while_running(job))
        try:
            await job.work(job)
        except WorkerGone as error:
            self._retry(job, str(error))
        except Failed as error:
            self._end(job, "failed", str(error))
        except ApiError as error:
            self._end(job, "failed", error.message)
        except Exception as error:
            self._end(job, "failed", f"this is a bug: {type(error).__name__}")
            asyncio.get_running_loop().call_exception_handler({"message": "a job failed", "exception": error})
        else:
            self._end(job, "done", job.error)
        finally:
            timer.cancel()
            beat.cancel()

    async def _tell_while_running(self, job: Job) -> None:
        """A job that makes no progress takes longer than was estimated; pages hear of it."""
        while job.state == "running":
            await asyncio.sleep(BEAT)
            self.tell(job, sparingly=True)

    def _retry(self, job: Job, why: str) -> None:
        """Run the job again on the next worker, unless it took down several."""
        if job.interrupted or job.attempts >= ATTEMPTS:
            self._end(job, "failed", f"{why}, {job.attempts} times in a row")
        else:
            job.restart()
            self.tell(job)

    def _interrupt(self, job: Job, reason: str) -> None:
        """Interrupt the worker's call; one that does not react is killed with the worker."""
        if job.state != "running" or job.interrupted:
            return
        job.interrupted = reason
        if job.call is not None:
            self.link.send("interrupt", job.call, reason)
            asyncio.get_running_loop().call_later(GRACE, self._kill, job, job.call)

    def _kill(self, job: Job, call: int) -> None:
        if job.state == "running" and job.call == call:
            self.link.kill(f"ended, because a job did not react ({job.interrupted})")

    def _end(self, job: Job, state: str, error: str | None = None) -> None:
        if job.interrupted == "cancelled":
            state, error = "cancelled", None
        elif job.interrupted:
            state, error = "failed", f"it took longer than {job.seconds:.0f} seconds, the limit of a job"
        job.state, job.error, job.stage, job.stoppable = state, error, "", False
        job.ended = time.monotonic()
        job.over.set()
        self.tell(job)
        for each in self.active:  # their positions changed
            self.tell(each)

    def _remove(self, id: str) -> None:
        del self.jobs[id]
        self.events.send("removed", {"job": id})

    async def close(self) -> None:
        self.runner.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.runner
