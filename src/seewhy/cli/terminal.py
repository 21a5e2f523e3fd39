"""What commands print: predictions with bars, what an explanation cost, tables."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seewhy.cli.shared import complain
from seewhy.errors import ImageError, OptionError

if TYPE_CHECKING:
    from seewhy.explanation import Explanation
    from seewhy.models.classifier import Classifier

BAR = 24  # characters of a probability of one


def console() -> Console:
    """Made when needed: it notices where the output goes at that moment."""
    return Console(highlight=False)


def load(name: str, *, weights: str | None, prompts: Sequence[str] | None, device: str | None) -> "Classifier":
    """The model that the shared arguments name."""
    from seewhy import api

    options = {"classes": list(prompts)} if prompts else {}
    with console().status(f"loading {name}"):
        return api.load_model(name, weights=weights, device=pick_device(device), **options)


def pick_device(wanted: str | None) -> str:
    import torch

    if wanted is None:
        own = os.environ.get("LOCAL_RANK", "0")  # of several processes on one machine, each has a device
        return f"cuda:{own}" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(0, device=wanted)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).partition("\n")[0]
        raise OptionError(f"the device {wanted!r} cannot be used: {reason}") from error
    return wanted


def files_in(paths: Iterable[Path]) -> tuple[list[Path], list[ImageError]]:
    """The files that the arguments name, folders opened; and what is wrong with folders that hold no images."""
    from seewhy.data.decode import images_in

    files: list[Path] = []
    problems: list[ImageError] = []
    for path in paths:
        try:
            files += images_in(path) if path.is_dir() else [path]
        except ImageError as error:
            problems.append(error)
    return files, problems


def report(problems: Sequence[ImageError]) -> None:
    for problem in problems:
        complain(problem)


def say(line: object, *, style: str = "") -> None:
    """A line as it is, however long; paths in it can be copied."""
    console().print(line, style=style, markup=False, soft_wrap=True)


def show(explanation: "Explanation", title: str) -> None:
    """What the model says about an image, and what explaining it took."""
    say(f"\n{title}", style="bold")
    console().print(predictions(explanation))
    say(facts(explanation))


def predictions(explanation: "Explanation", *, most: int = 5) -> Table:
    """The likeliest classes with bars; a triangle marks those that were explained."""
    assert explanation.probabilities is not None
    probabilities = explanation.probabilities[0].float().cpu()
    explained = set(explanation.targets[0].tolist())
    top = probabilities.topk(min(most, len(probabilities))).indices.tolist()
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1))
    for index in [*top, *sorted(explained - set(top))]:
        share = float(probabilities[index])
        style = "bold green" if index in explained else ""
        bar = Text("█" * round(share * BAR), style="green" if index in explained else "blue")
        table.add_row(
            "▸" if index in explained else " ", Text(class_name(explanation, index), style), bar, f"{share:6.1%}"
        )
    return table


def class_name(explanation: "Explanation", index: int) -> str:
    names = explanation.class_names
    return f"{names[index].partition(',')[0]} [{index}]" if names else f"class {index}"


def facts(explanation: "Explanation") -> Text:
    """Method, cost and checks in one line."""
    line = Text.assemble((explanation.method, "bold"), f": {explanation.cost}; ")
    for name in explanation.checks:
        failed = name in explanation.failed_checks
        line.append(f"{'✗' if failed else '✓'} {name}  ", "bold red" if failed else "green")
    return line


def listing(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, header_style="dim", pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, style="cyan" if number == 0 else "", no_wrap=number == 0)
    for row in rows:
        table.add_row(*(_cell(str(cell)) for cell in row))
    return table


def _cell(text: str) -> Text:
    """Lines after the first are details."""
    first, line, rest = text.partition("\n")
    return Text.assemble(first, line, (rest, "dim"))
