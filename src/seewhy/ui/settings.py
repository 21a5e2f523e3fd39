"""What the command line decided: the models, folders and limits of a page."""

import hmac
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

VERSION = 1  # of the API
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class ModelSpec:
    """A model of the command line, and the options it is loaded with."""

    name: str
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Limits:
    """Bounds of what one page does at once; beyond them requests are refused."""

    upload_bytes: int = 20_000_000
    json_bytes: int = 1_000_000
    pixels: int = 40_000_000
    uploads: int = 8  # at once
    streams: int = 32  # of events
    sessions: int = 64  # that ask at once
    queue: int = 32  # jobs that wait or run
    history: int = 200  # jobs that are listed
    seconds_per_job: float = 600.0
    seconds_per_body: float = 30.0
    seconds_per_answer: float = 60.0
    methods: int = 12  # of one job
    targets: int = 8
    patches: int = 10_000
    instances: int = 8  # of a KServe request
    cache_bytes: int = 512_000_000  # uploads and results, least recently used first out


@dataclass(frozen=True)
class Settings:
    """Everything a page needs to know."""

    models: tuple[ModelSpec, ...]
    folder: Path | None = None
    store: Path | None = None
    reports: tuple[Path, ...] = ()
    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = None
    prefix: str = ""
    hosts: frozenset[str] = frozenset()  # further names that the Host header may have
    cache: Path | None = None  # folder of thumbnails and predictions. Default: a temporary one
    limits: Limits = Limits()

    @property
    def report_key(self) -> str:
        """Part of the addresses of reports: a sandboxed document sends no cookies, so its images need another proof."""
        token = self.token or ""
        return hmac.new(token.encode(), b"reports", "sha256").hexdigest()[:32] if token else "open"

    @property
    def allowed_hosts(self) -> frozenset[str]:
        """Names without port that the Host header may have."""
        return frozenset({*LOOPBACK, self.host, *self.hosts})
