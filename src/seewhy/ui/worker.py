"""The worker: one process that owns the models. Jobs run in its main thread, questions in a second one.

Each thread has networks of its own with shared weights, so that a question is answered while a job runs and neither
meets the other's hooks. A job is interrupted the way Ctrl-C interrupts a program; its network is then loaded again,
because an interruption may leave anything behind.

| to the worker                                | from the worker                              |
|----------------------------------------------|----------------------------------------------|
| ("call", id, priority, function, arguments)  | ("ready", facts), ("unable", message)        |
| ("interrupt", id, reason), ("stop", id)      | ("note", id, event), ("done", id, value)     |
|                                              | ("failed", id, kind, message)                |
"""

import _thread
import inspect
import itertools
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from seewhy.errors import SeewhyError
from seewhy.ui.settings import ModelSpec

ASK, POINT, JOB = 0, 1, 2  # priorities: questions, points of curves, then jobs (which the server orders)


class Interrupted(BaseException):
    """Raised in the main thread in the middle of a job; no `except Exception` may catch it."""


@dataclass(order=True)
class Call:
    priority: int
    number: int
    id: int = field(compare=False)
    function: str = field(compare=False)
    arguments: dict[str, Any] = field(compare=False)


class Worker:
    """Reads calls, runs them and answers."""

    def __init__(self, connection: Connection, specs: tuple[ModelSpec, ...]) -> None:
        from seewhy.ui.functions import FUNCTIONS
        from seewhy.ui.lane import Lane

        self.functions = FUNCTIONS
        self.connection, self.sending = connection, threading.Lock()
        self.jobs: queue.Queue[Call] = queue.Queue()
        self.questions: queue.PriorityQueue[Call] = queue.PriorityQueue()
        self.running: int | None = None
        self.reason: tuple[int, str] | None = None  # the job to interrupt, and why
        self.stopped: set[int] = set()
        self.shielded = False  # the main thread is sending: half a message must not be left behind
        self.numbers = itertools.count()
        self.job_lane = Lane(specs)
        self.question_lane = Lane(specs, share=self.job_lane)

    def send(self, *message: Any) -> None:
        with self.sending:
            self.connection.send(message)

    def send_shielded(self, *message: Any) -> None:
        """Send from the main thread; an interruption waits until the message is complete."""
        self.shielded = True
        try:
            self.send(*message)
        finally:
            self.shielded = False
        self.on_interrupt()

    def listen(self) -> None:
        """Sort incoming messages; ends the process with the server."""
        try:
            while True:
                self.receive(*self.connection.recv())
        except (EOFError, OSError):
            _exit()

    def receive(self, kind: str, id: int, *rest: Any) -> None:
        if kind == "call":
            call = Call(rest[0], next(self.numbers), id, *rest[1:])
            (self.jobs if call.priority == JOB else self.questions).put(call)
        elif kind == "interrupt" and self.running == id:
            self.reason = (id, rest[0])
            _thread.interrupt_main()
        elif kind == "stop":
            self.stopped.add(id)

    def on_interrupt(self, *_: Any) -> None:
        """Also called by Ctrl-C in the terminal, which the server handles."""
        if self.reason is not None and self.reason[0] == self.running and not self.shielded:
            raise Interrupted

    def answer_questions(self) -> None:
        while True:
            call = self.questions.get()
            self.run(call, self.question_lane)

    def run_jobs(self) -> None:
        while True:
            call = self.jobs.get()
            try:
                self.running = call.id
                self.run(call, self.job_lane)
            except Interrupted:
                self.running, reason = None, self.reason
                self.send("failed", call.id, "interrupted", reason[1] if reason else "")
                self.job_lane.reload(call.arguments.get("model"), share=self.question_lane)
            finally:
                self.running = None
                self.stopped.discard(call.id)

    def run(self, call: Call, lane: Any) -> None:
        send = self.send_shielded if call.priority == JOB else self.send

        def note(**event: Any) -> bool:
            """Report an event; whether the job shall stop."""
            send("note", call.id, event)
            return call.id in self.stopped

        answer: tuple[Any, ...]
        function = self.functions[call.function]
        noting = {"note": note} if "note" in inspect.signature(function).parameters else {}
        try:
            answer = ("done", call.id, function(lane, **call.arguments, **noting))
        except SeewhyError as error:
            answer = ("failed", call.id, "refused", str(error))
        except Exception as error:
            traceback.print_exc()
            answer = ("failed", call.id, "bug", f"{type(error).__name__}: {error}")
        send(*answer)


def run_worker(connection: Connection, specs: tuple[ModelSpec, ...]) -> None:
    """The main function of the process."""
    signal.signal(signal.SIGINT, lambda *_: None)
    try:
        worker = Worker(connection, specs)
    except SeewhyError as error:
        connection.send(("unable", str(error)))
        return
    signal.signal(signal.SIGINT, worker.on_interrupt)
    worker.send("ready", worker.job_lane.facts())
    for loop in (worker.listen, worker.answer_questions):
        start_thread(loop)
    worker.run_jobs()


def start_thread(function: Callable[[], None]) -> None:
    threading.Thread(target=function, daemon=True).start()


def _exit() -> None:
    """Leave at once, whatever the other threads do."""
    import os

    sys.stderr.flush()
    os._exit(0)
