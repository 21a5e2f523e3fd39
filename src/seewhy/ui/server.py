"""Runs the page with uvicorn."""

import asyncio
import socket
from collections.abc import Callable

import uvicorn

from seewhy.errors import InputError
from seewhy.ui.app import open_app
from seewhy.ui.settings import LOOPBACK, Settings

CONNECTIONS = 256  # at once; further ones are refused with 503


def serve(settings: Settings, on_ready: Callable[[str], None]) -> None:
    """Serve until interrupted; `on_ready` gets the address once the models are loaded."""
    asyncio.run(_serve(settings, on_ready))


async def _serve(settings: Settings, on_ready: Callable[[str], None]) -> None:
    listening = bind(settings.host, settings.port)  # before models are loaded, which takes a while
    async with open_app(settings) as app:
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=CONNECTIONS,
            timeout_graceful_shutdown=2,
            lifespan="off",
        )
        on_ready(address(settings))
        await uvicorn.Server(config).serve(sockets=[listening])


def bind(host: str, port: int) -> socket.socket:
    """A listening socket at this address; raises where it is taken or not ours."""
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen()  # several can bind to an address where none listens yet
    except OSError as error:
        made.close()
        raise InputError(f"{host}, port {port}: {error.strerror or error}. Choose another one with --port.") from error
    return made


def address(settings: Settings) -> str:
    """What to open in a browser."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    shown = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else host
    token = f"?token={settings.token}" if settings.token and settings.host not in LOOPBACK else ""
    return f"http://{shown}:{settings.port}{settings.prefix}/{token}"
