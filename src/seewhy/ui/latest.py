"""The latest question of a session wins: one is under way, at most one waits, and a newer one replaces it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from seewhy.ui.errors import ApiError


@dataclass
class _Session:
    busy: bool = False
    waiting: asyncio.Future[bool] | None = None  # of the question that waits: whether it may go on
    users: int = 0


class Latest:
    """The sessions that have questions."""

    def __init__(self, limit: int) -> None:
        self.limit, self.sessions = limit, dict[str, _Session]()

    @asynccontextmanager
    async def turn(self, name: str) -> AsyncIterator[None]:
        """Wait for this session's turn; raises 409 if a newer question comes in meanwhile."""
        if name not in self.sessions and len(self.sessions) >= self.limit:
            raise ApiError(429, f"{self.limit} sessions ask at once; ask again")
        session = self.sessions.setdefault(name, _Session())
        session.users += 1
        try:
            await self._wait(session)
            try:
                yield
            finally:
                self._pass_on(session)
        finally:
            session.users -= 1
            if not session.users:
                del self.sessions[name]

    async def _wait(self, session: _Session) -> None:
        if session.waiting is not None and not session.waiting.done():
            session.waiting.set_result(False)
        if not session.busy:
            session.busy = True
            return
        session.waiting = waiting = asyncio.get_running_loop().create_future()
        try:
            if not await waiting:
                raise ApiError(409, "a newer question replaced this one", code="superseded")
        except asyncio.CancelledError:
            if session.waiting is waiting:
                session.waiting = None
            elif not waiting.cancelled() and waiting.result():  # its turn had come
                self._pass_on(session)
            raise

    @staticmethod
    def _pass_on(session: _Session) -> None:
        """Let the question that waits go on, if there is one."""
        waiting, session.waiting = session.waiting, None
        session.busy = waiting is not None and not waiting.done()
        if session.busy and waiting is not None:
            waiting.set_result(True)
