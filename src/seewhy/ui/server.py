"""Runs the page with uvicorn."""

import asyncio
from collections.abc import Callable

import uvicorn

from seewhy.ui.app import open_app
from seewhy.ui.settings import LOOPBACK, Settings

CONNECTIONS = 256  # at once; further ones are refused with 503


def serve(settings: Settings, on_ready: Callable[[str], None]) -> None:
    """Serve until interrupted; `on_ready` gets the address once the models are loaded."""
    asyncio.run(_serve(settings, on_ready))


async def _serve(settings: Settings, on_ready: Callable[[str], None]) -> None:
    async with open_app(settings) as app:
        config = uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=CONNECTIONS,
            timeout_graceful_shutdown=2,
            lifespan="off",
        )
        on_ready(address(settings))
        await uvicorn.Server(config).serve()


def address(settings: Settings) -> str:
    """What to open in a browser."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    shown = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else host
    token = f"?token={settings.token}" if settings.token and settings.host not in LOOPBACK else ""
    return f"http://{shown}:{settings.port}{settings.prefix}/{token}"
