"""`seewhy ui`: the explorer with a model behind it, in a browser."""

import os
import re
import secrets
from pathlib import Path
from typing import Annotated, Any

import typer

from seewhy.cli import shared
from seewhy.cli.output import emit
from seewhy.cli.shared import app
from seewhy.errors import InputError, MissingExtra

PREFIX = re.compile(r"(/[\w.\-]+)*")


@app.command()
def ui(
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model", "-m", metavar="NAME", help="Model to ask; repeatable.", show_default=shared.DEFAULT_MODEL
        ),
    ] = None,
    weights: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Weights of the models, in their order; repeatable.", show_default=False),
    ] = None,
    folder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Images to browse, sort and filter.", show_default=False)
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Map store of these images, or of those that it names.", show_default=False),
    ] = None,
    report: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="Folder of a benchmark report or an audit; repeatable.", show_default=False),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to bind; others than this machine's need a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8765,
    token: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Token to ask for.", show_default="a random one, with --host")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Further name of this page, behind a proxy; repeatable.", show_default=False),
    ] = None,
    prefix: Annotated[str, typer.Option(metavar="PATH", help="Path of the page, such as /seewhy.")] = "",
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
    class_names: shared.ClassNamesOption = None,
    device: shared.DeviceOption = None,
) -> None:
    """Open a page that explains images: upload one, choose methods, ask what changes the decision.

    Everything stays on this machine. docs/page-api.md describes the page's JSON API.
    """
    from seewhy.cli import terminal
    from seewhy.explorer.view import open_in_browser

    try:
        from seewhy.ui.server import serve
        from seewhy.ui.settings import LOOPBACK, Settings
    except ModuleNotFoundError as error:
        raise MissingExtra("seewhy ui", "ui") from error
    if not PREFIX.fullmatch(prefix):
        raise InputError(f"--prefix must be a path such as /seewhy, got {prefix!r}")
    settings = Settings(
        models=_specs(model or [shared.DEFAULT_MODEL], weights or [], device, class_names),
        folder=folder,
        store=store,
        reports=tuple(report or ()),
        host=host,
        port=port,
        token=token or (None if host in LOOPBACK else secrets.token_urlsafe(24)),
        prefix=prefix,
        hosts=frozenset(name.lower() for name in allow_host or ()),
        cache=_cache(),
    )

    def on_ready(address: str) -> None:
        emit({"address": address})
        terminal.print_line(f"{address}   (Ctrl-C ends it)")
        if show:
            open_in_browser(address)

    terminal.print_line(f"loading {', '.join(spec.name for spec in settings.models)}", style="dim")
    serve(settings, on_ready)


def _cache() -> Path | None:
    """The folder for thumbnails and predictions; None where it cannot be written, so that they end with the page."""
    from seewhy.runtime.files import cache_folder

    folder = cache_folder() / "page"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def _specs(names: list[str], weights: list[str], device: str | None, class_names: Path | None) -> tuple[Any, ...]:
    """The models with what they are loaded with."""
    from seewhy.cli import terminal
    from seewhy.ui.settings import ModelSpec

    if len(weights) > len(names):
        raise InputError(f"there are {len(weights)} --weights for {len(names)} --model")
    shared_options: dict[str, Any] = {"device": terminal.pick_device(device)}
    if class_names is not None:
        shared_options["class_names"] = terminal.read_class_names(class_names)
    padded = [*weights, *[None] * (len(names) - len(weights))]
    return tuple(
        ModelSpec(name, shared_options | ({"weights": file} if file else {}))
        for name, file in zip(names, padded, strict=True)
    )
