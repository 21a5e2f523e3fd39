"""`seewhy card`: a section of a model card."""

from pathlib import Path
from typing import Annotated

import typer

from seewhy.cli.output import emit, free_path
from seewhy.cli.shared import app


@app.command()
def card(
    results: Annotated[Path, typer.Argument(metavar="DIR", help="Output folder of `seewhy bench` or `seewhy audit`.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A card: the section replaces an older one, else it is appended."),
    ] = None,
) -> None:
    """Print a section for a model card from a benchmark or an audit, or write it into the card."""
    from seewhy.cli import terminal
    from seewhy.integrations.card import card_section, insert_section
    from seewhy.runtime.files import write_atomic

    if out is not None:
        free_path(out, overwrite=True)
    section = card_section(results)
    if out is None:
        terminal.print_line(section)
    else:
        write_atomic(out, insert_section(out.read_text() if out.is_file() else "", section).lstrip().encode())
        terminal.print_line(f"wrote the section into {out}")
    emit({"section": section, "file": out})
