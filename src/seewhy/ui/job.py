"""A job: what was asked for, how far it is, and what came out."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

ENDED = ("done", "failed", "cancelled")

Work = Callable[["Job"], Awaitable[None]]


@dataclass(eq=False)
class Job:
    """One job and what is known about it."""

    kind: str
    title: str
    request: dict[str, Any]
    work: Work = field(repr=False)
    seconds: float  # it may take
    parts: int = 1  # calls of the worker that it consists of
    result: str | None = None
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    state: str = "queued"
    stage: str = ""
    error: str | None = None
    answer: Any = None
    entries: int = 0
    stoppable: bool = False
    finished_parts: int = 0
    share: float = 0.0  # of the current part
    attempts: int = 0
    interrupted: str = ""  # why: "cancelled" or "time limit"
    call: int | None = None  # of the worker
    started: float | None = None
    ended: float | None = None
    told: float = 0.0  # when the last event was sent
    steps: list[dict[str, Any]] = field(default_factory=list, repr=False)  # of refinement, for pages that open later
    over: asyncio.Event = field(default_factory=asyncio.Event, repr=False)

    @property
    def progress(self) -> float:
        return 1.0 if self.state == "done" else min(1.0, (self.finished_parts + self.share) / max(1, self.parts))

    @property
    def elapsed(self) -> float:
        return 0.0 if self.started is None else (self.ended or time.monotonic()) - self.started

    @property
    def seconds_left(self) -> float | None:
        """From the progress so far; None until there is something to estimate from."""
        if self.state != "running" or self.progress < 0.02 or self.elapsed < 1:
            return None
        return self.elapsed * (1 - self.progress) / self.progress

    def restart(self) -> None:
        self.state, self.stage, self.entries, self.finished_parts, self.share = "queued", "", 0, 0, 0.0
        self.call, self.stoppable, self.started, self.steps = None, False, None, []
