"""Server-sent events: what changes on the server reaches every open page."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

from seewhy.ui.errors import ApiError

WAITING = 1000  # events that a slow client may be behind; then its stream ends, and it connects again
HEARTBEAT = 15.0  # seconds between comments, by which a dead connection is noticed

Event = tuple[str, dict[str, Any]]


class Events:
    """All open streams. `greeting` gives the events that a new one starts with."""

    def __init__(self, limit: int) -> None:
        self.limit, self.streams = limit, set[asyncio.Queue[Event | None]]()
        self.greeting: Callable[[], Iterable[Event]] = lambda: ()

    def send(self, name: str, data: dict[str, Any]) -> None:
        for stream in list(self.streams):
            if stream.qsize() < WAITING:
                stream.put_nowait((name, data))
            else:
                self.streams.discard(stream)
                stream.put_nowait(None)

    def close(self) -> None:
        """End all streams, so that the server can."""
        for stream in self.streams:
            stream.put_nowait(None)
        self.streams.clear()

    def open(self, job: str | None) -> AsyncIterator[str]:
        """A stream; of `job` and `step` events only those of one job, if it is given."""
        if len(self.streams) >= self.limit:
            raise ApiError(429, f"{self.limit} pages are open already; close one")
        stream: asyncio.Queue[Event | None] = asyncio.Queue()
        self.streams.add(stream)
        for event in self.greeting():
            stream.put_nowait(event)
        return self._read(stream, job)

    async def _read(self, stream: asyncio.Queue[Event | None], job: str | None) -> AsyncIterator[str]:
        try:
            yield ": seewhy\n\n"
            while True:
                try:
                    event = await asyncio.wait_for(stream.get(), HEARTBEAT)
                except asyncio.TimeoutError:
                    yield ": still here\n\n"
                    continue
                if event is None:
                    return
                if _concerns(event, job):
                    yield f"event: {event[0]}\ndata: {json.dumps(event[1])}\n\n"
        finally:
            self.streams.discard(stream)


def _concerns(event: Event, job: str | None) -> bool:
    name, data = event
    if job is None or name not in ("job", "step"):
        return True
    return data["id" if name == "job" else "job"] == job
