"""The server's end of the worker: starts it, sends calls, notices when it is gone and starts another."""

import asyncio
import contextlib
import itertools
import multiprocessing
from collections.abc import Callable
from typing import Any

from seewhy.errors import InputError
from seewhy.ui.errors import ApiError
from seewhy.ui.settings import ModelSpec
from seewhy.ui.worker import run_worker, start_thread

PAUSE = 1.0  # seconds before a worker that did not come up is started again
Noted = Callable[[dict[str, Any]], None]


class WorkerGone(Exception):
    """The worker stopped while the call was under way."""


class Failed(Exception):
    """A call that the worker could not answer: `kind` is refused, interrupted or bug."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Link:
    """One worker process after the other; calls are awaited."""

    def __init__(self, specs: tuple[ModelSpec, ...], on_state: Callable[[], None] = lambda: None) -> None:
        self.specs, self.on_state = specs, on_state
        self.state, self.message = "starting", ""
        self.models: list[dict[str, Any]] = []
        self.ready, self.closed = asyncio.Event(), False
        self.calls: dict[int, tuple[asyncio.Future[Any], Noted | None]] = {}
        self.numbers = itertools.count(1)
        self.loop = asyncio.get_running_loop()
        self.unable: asyncio.Future[str] = self.loop.create_future()
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=run_worker, args=(theirs, self.specs), name="seewhy worker", daemon=True)
        self.process.start()
        theirs.close()
        connection, process = self.connection, self.process

        def read() -> None:
            try:
                while True:
                    self._in_loop(self._receive, *connection.recv())
            except (EOFError, OSError):
                process.join()
                self._in_loop(self._gone, process)

        start_thread(read)

    def _in_loop(self, function: Callable[..., None], *arguments: Any) -> None:
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(function, *arguments)

    def _set_state(self, state: str, message: str = "") -> None:
        self.state, self.message = state, message
        (self.ready.set if state == "ready" else self.ready.clear)()
        self.on_state()

    def _receive(self, kind: str, *rest: Any) -> None:
        if kind == "ready":
            self.models = rest[0]
            self._set_state("ready", self.message)
        elif kind == "unable":
            if not self.unable.done():
                self.unable.set_result(rest[0])
        elif kind == "note":
            noted = self.calls[rest[0]][1] if rest[0] in self.calls else None
            if noted is not None:
                noted(rest[1])
        elif rest[0] in self.calls:
            future, _ = self.calls.pop(rest[0])
            if not future.done():
                future.set_result(rest[1]) if kind == "done" else future.set_exception(Failed(*rest[1:]))

    def _gone(self, process: Any) -> None:
        """Tell those who wait, and start another worker."""
        if self.closed or process is not self.process:
            return
        code = process.exitcode
        why = f"was killed (signal {-code})" if code is not None and code < 0 else f"ended (exit code {code})"
        early = self.state != "ready"
        self._set_state("restarting", f"the model's process {why}")
        for future, _ in self.calls.values():
            if not future.done():
                future.set_exception(WorkerGone(self.message))
        self.calls.clear()
        self.loop.call_later(PAUSE if early else 0, self._restart)

    def _restart(self) -> None:
        if not self.closed:
            self._start()

    async def started(self) -> None:
        """Wait for the first worker; raises if a model cannot be loaded."""
        ready = asyncio.ensure_future(self.ready.wait())
        waiting: list[asyncio.Future[Any]] = [ready, self.unable]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if self.unable.done():
            ready.cancel()
            raise InputError(self.unable.result())

    def send(self, *message: Any) -> None:
        with contextlib.suppress(OSError):  # the reader notices and tells everyone who waits
            self.connection.send(message)

    async def call(self, function: str, priority: int, *, noted: Noted | None = None, **arguments: Any) -> Any:
        """The worker's answer; raises `Failed` or `WorkerGone`."""
        id, future = self.begin(function, priority, noted=noted, **arguments)
        try:
            return await future
        finally:
            self.calls.pop(id, None)

    def begin(self, function: str, priority: int, *, noted: Noted | None = None, **arguments: Any) -> tuple[int, Any]:
        """Send a call; its number, for `interrupt` and `stop`, and the future answer."""
        id, future = next(self.numbers), self.loop.create_future()
        if self.state != "ready":
            future.set_exception(WorkerGone(self.message))
        else:
            self.calls[id] = future, noted
            self.send("call", id, priority, function, arguments)
        return id, future

    async def ask(self, function: str, priority: int, *, seconds: float, **arguments: Any) -> Any:
        """A question of a request: failures become responses."""
        try:
            return await asyncio.wait_for(self._call_again(function, priority, **arguments), seconds)
        except WorkerGone as error:
            raise ApiError(503, f"{error}; ask again") from None
        except asyncio.TimeoutError:
            if self.state != "ready":
                raise ApiError(503, f"{self.message or 'the model is loading'}; ask again") from None
            raise ApiError(504, f"no answer within {seconds:.0f} seconds") from None
        except Failed as error:
            raise (ApiError(422, str(error)) if error.kind == "refused" else ApiError(500, str(error))) from None

    async def _call_again(self, function: str, priority: int, **arguments: Any) -> Any:
        """The worker's answer; of the next one where this one is lost."""
        try:
            return await self.call(function, priority, **arguments)
        except WorkerGone:
            await self.ready.wait()
            return await self.call(function, priority, **arguments)

    def kill(self, message: str) -> None:
        """End a worker that no longer listens; another is started."""
        self.message = message
        self.process.kill()

    def close(self) -> None:
        self.closed = True
        self.connection.close()
        self.process.terminate()
        self.process.join(5)
        if self.process.is_alive():
            self.process.kill()
