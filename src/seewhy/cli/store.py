"""`seewhy store`: verify and merge map stores; `seewhy explain --store` fills them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seewhy.cli.output import emit
from seewhy.cli.shared import app, print_log

if TYPE_CHECKING:
    from seewhy.models.classifier import Classifier
    from seewhy.store import MapStore

stores = typer.Typer(help="Check and merge map stores, which `seewhy explain --store` fills.", no_args_is_help=True)
app.add_typer(stores, name="store")

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the store.")]


@stores.command()
def show(store: Folder) -> None:
    """Print a summary of a store."""
    from seewhy.store import MapStore

    _print_summary(MapStore(store))


@stores.command()
def verify(
    store: Folder,
    repair: Annotated[
        bool, typer.Option("--repair", help="Move damaged shards aside; the next run recomputes their maps.")
    ] = False,
) -> None:
    """Check every shard and print problems; the exit code is 1 if there are any."""
    from seewhy.cli import terminal
    from seewhy.store import MapStore

    opened = MapStore(store)
    problems = opened.verify(repair=repair)
    for problem in problems:
        terminal.print_line(problem, style="red")
    if problems and repair:
        terminal.print_line(
            f"repaired: damaged shards are in {store / 'damaged'}; the next run computes their maps again"
        )
    terminal.print_line(_summary(opened))
    emit({"maps": len(opened), "problems": problems})
    if problems and not repair:
        raise typer.Exit(1)


@stores.command()
def merge(
    store: Annotated[Path, typer.Argument(metavar="DIR", help="Store that the others are copied into.")],
    others: Annotated[list[Path], typer.Argument(metavar="OTHER", help="Stores to copy from.")],
) -> None:
    """Copy the maps of other stores into one."""
    from seewhy.store import MapStore

    sources = [MapStore(other) for other in others]
    _print_summary(MapStore(store, create=True).merge(*sources))


def fill(
    model: "Classifier",
    images: list[Path],
    method: str | None,
    target: list[str] | None,
    option: list[str],
    **settings: Any,
) -> None:
    """Explain images into a store and print its summary."""
    from seewhy.cli.options import parse_options
    from seewhy.errors import OptionError
    from seewhy.registry import resolve_method
    from seewhy.store import explain_dataset

    names = [name.strip() for name in method.split(",")] if method else []
    if option and len(names) != 1:
        raise OptionError("--option needs a single --method")
    chosen = {name: parse_options(option, resolve_method(name).annotation) for name in names}
    print_log()
    source = str(images[0]) if len(images) == 1 else [str(each) for each in images]
    targets = "label" if target == ["label"] else target
    _print_summary(explain_dataset(model, source, chosen or None, targets=targets, **settings))


def _print_summary(store: "MapStore") -> None:
    """Print a summary of a store; exit with 2 if anything failed."""
    from seewhy.cli import terminal

    failures = store.failures
    terminal.print_line(_summary(store))
    for row in failures[:5]:
        terminal.print_line(f"{row['image']}, {row['method']}: {row['error']}", style="red")
    if len(failures) > 5:
        terminal.print_line(f"… and {len(failures) - 5:,} more failures", style="red")
    about = {"store": store.folder, "maps": len(store), "images": store.image_count, "methods": store.methods}
    emit({**about, "failures": failures})
    if failures:
        raise typer.Exit(2)


def _summary(store: "MapStore") -> str:
    methods = ", ".join(store.methods) or "no method"
    return f"{store.folder}: {len(store):,} maps of {store.image_count:,} images by {methods}"
