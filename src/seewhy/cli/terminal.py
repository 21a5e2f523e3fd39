"""Terminal output: predictions with bars, the cost and checks of an explanation, tables."""

import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seewhy.cli.output import OUTPUT
from seewhy.cli.shared import print_error
from seewhy.errors import ImageError, InputError, OptionError

if TYPE_CHECKING:
    from seewhy.explanation import Explanation
    from seewhy.models.classifier import Classifier
    from seewhy.store import MapStore

WIDE = 200  # columns if stdout is not a terminal
BAR = 24  # characters of a bar for probability 1


def console() -> Console:
    """A new console, for the current stdout; wide if that is not a terminal."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDE
    return Console(highlight=False, quiet=OUTPUT.silent, width=width)


def load(
    name: str,
    *,
    weights: str | None,
    prompts: Sequence[str] | None,
    device: str | None,
    class_names: Path | None = None,
) -> "Classifier":
    """Load the model of the shared arguments."""
    from seewhy import api

    options: dict[str, Any] = {"classes": list(prompts)} if prompts else {}
    if class_names is not None:
        options["class_names"] = read_class_names(class_names)
    with console().status(f"loading {name}"):
        return api.load_model(name, weights=weights, device=pick_device(device), **options)


def read_class_names(path: Path) -> list[str]:
    """The names in a text file, one per line, or in a JSON file, as a list or by index."""
    if not path.is_file():
        raise InputError(f"--class-names {path}: there is no such file")
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix.lower() != ".json":
            return [line.strip() for line in text.splitlines() if line.strip()]
        content = json.loads(text)
        if isinstance(content, dict):
            content = [content[index] for index in sorted(content, key=int)]
        return [str(name[-1] if isinstance(name, list) else name) for name in content]
    except (ValueError, TypeError) as error:
        raise InputError(
            f'--class-names {path}: expected a name per line or, in JSON, ["tench", …] or {{"0": "tench", …}} ({error})'
        ) from error


def pick_device(device: str | None) -> str:
    """The device of `--device`; by default, the GPU if there is one."""
    from seewhy.models.loading import pick_device as pick

    try:
        return str(pick(device))
    except OptionError as error:
        raise OptionError(f"--{error}") from error


def files_in(paths: Iterable[Path]) -> tuple[list[Path], list[ImageError]]:
    """The image files of the arguments, with folders and patterns expanded, and errors for those without images."""
    from seewhy.data.sources import single_images

    found = [each for path in paths for each in single_images(path)]
    problems = [each for each in found if isinstance(each, ImageError)]
    return [Path(each) for each in found if not isinstance(each, ImageError)], problems


def stored_maps(folder: Path, model: "Classifier", targets: list[str] | None) -> "MapStore":
    """A map store, or with targets its maps of exactly these classes."""
    from seewhy.runtime.targets import class_index
    from seewhy.store import MapStore

    store = MapStore(folder)
    if not targets:
        return store
    part = store.filter(classes=[class_index(each, model.class_names) for each in targets])
    if not len(part):
        raise InputError(f"{folder}: no image was explained for these classes together: {', '.join(targets)}")
    return part


def print_errors(errors: Sequence[ImageError]) -> None:
    for error in errors:
        print_error(error)


def print_line(line: object, *, style: str = "") -> None:
    """Print a line without wrapping or markup, so that paths can be copied."""
    console().print(line, style=style, markup=False, soft_wrap=True)


def print_explanation(explanation: "Explanation", title: str) -> None:
    """Print the predictions, the cost and the checks of an explanation."""
    print_line(f"\n{title}", style="bold")
    console().print(predictions(explanation))
    print_line(summary_line(explanation))


def predictions(explanation: "Explanation", *, most: int = 5) -> Table:
    """The most probable classes with bars; triangles mark the explained ones."""
    assert explanation.probabilities is not None
    probabilities = explanation.probabilities[0].float().cpu()
    explained = set(explanation.targets[0].tolist())
    top = probabilities.topk(min(most, len(probabilities))).indices.tolist()
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1))
    for index in [*top, *sorted(explained - set(top))]:
        probability = float(probabilities[index])
        style = "bold green" if index in explained else ""
        bar = Text("█" * round(probability * BAR), style="green" if index in explained else "blue")
        table.add_row(
            "▸" if index in explained else " ", Text(class_label(explanation, index), style), bar, f"{probability:6.1%}"
        )
    return table


def class_label(explanation: "Explanation", index: int) -> str:
    names = explanation.class_names
    return f"{names[index].partition(',')[0]} [{index}]" if names else f"class {index}"


def summary_line(explanation: "Explanation") -> Text:
    """Method, cost and checks of an explanation in one line."""
    from seewhy.drawing import SAME

    line = Text.assemble((explanation.method, "bold"), f": {explanation.cost}; ")
    for name in explanation.checks:
        failed = name in explanation.failed_checks
        line.append(f"{'✗' if failed else '✓'} {name}  ", "bold red" if failed else "green")
    if explanation.class_agnostic:
        line.append(f" {SAME}", "bold")
    if explanation.layer:
        line.append(f" layer {explanation.layer}", "dim")
    return line


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """A table whose first column is highlighted."""
    result = Table(title=title, title_justify="left", title_style="bold", box=None, header_style="dim", pad_edge=False)
    for number, column in enumerate(columns):
        result.add_column(column, style="cyan" if number == 0 else "", no_wrap=number == 0)
    for row in rows:
        result.add_row(*(_cell(str(cell)) for cell in row))
    return result


def _cell(text: str) -> Text:
    """A cell; lines after the first are dimmed."""
    first, line, rest = text.partition("\n")
    return Text.assemble(first, line, (rest, "dim"))
