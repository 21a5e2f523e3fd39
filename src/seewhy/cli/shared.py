"""The application, error handling, and the arguments that several commands share.

| error                                        | output                                    | exit code |
|----------------------------------------------|-------------------------------------------|-----------|
| wrong usage (`InputError`, `MissingExtra`)   | a message                                 | 2         |
| failure (any other `SeewhyError`, `OSError`) | a message                                 | 1         |
| bug (any other exception)                    | a message; `--debug` prints the traceback | 1         |
"""

import logging
import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from seewhy import __version__
from seewhy.cli.completion import complete_class, complete_method
from seewhy.cli.output import OUTPUT, choose_output
from seewhy.errors import InputError, MissingExtra, SeewhyError, SeewhyWarning
from seewhy.runtime.malloc import keep_freed_memory

DEBUG = "--debug"
GLOBAL_FLAGS = (DEBUG, "--json", "--quiet", "-q", "--verbose", "-v")  # before or after the command


class Commands(TyperGroup):
    """Accepts some options anywhere, and turns a `SeewhyError` into a message and an exit code."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ours = args[: args.index("--")] if "--" in args else args
        first = [arg for arg in ours if arg in GLOBAL_FLAGS]
        return super().parse_args(ctx, [*first, *(arg for arg in ours if arg not in GLOBAL_FLAGS), *args[len(ours) :]])

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except SeewhyError as error:
            if ctx.params.get("debug"):
                raise
            print_error(error)
            raise typer.Exit(exit_code(error)) from error
        except OSError as error:  # a full disk, no permission
            if ctx.params.get("debug") or error.filename is None:
                raise
            print_error(f"{error.filename}: {error.strerror}")
            raise typer.Exit(1) from error


app = typer.Typer(
    name="seewhy",
    cls=Commands,
    help="Explain the decisions of image classifiers.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show_version(requested: bool) -> bool:
    if requested:
        typer.echo(f"seewhy {__version__}")
        raise typer.Exit
    return requested


@app.callback()
def every_command(
    version: Annotated[  # noqa: ARG001 - its callback acts
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print log messages.")] = False,
    debug: Annotated[bool, typer.Option(DEBUG, help="Print the traceback of an error.")] = False,  # noqa: ARG001 - read from the context
) -> None:
    """Explain the decisions of image classifiers. These options may also follow the command."""
    choose_output(json=json, quiet=quiet)
    if verbose:
        print_log()


def main() -> None:
    """Entry point of the command `seewhy`."""
    keep_freed_memory()
    warnings.formatwarning = lambda message, *_: f"note: {in_flags(str(message))}\n"  # without the source line
    warnings.simplefilter("ignore", SeewhyWarning)  # failed checks are printed with each result
    try:
        app()
    except Exception as error:
        if DEBUG in sys.argv:
            raise
        print_error(f"{type(error).__name__}: {error}\nThis is a bug. Rerun with {DEBUG} for a traceback.")
        sys.exit(1)


def exit_code(error: SeewhyError) -> int:
    return 2 if isinstance(error, (InputError, MissingExtra)) else 1


def print_error(error: object) -> None:
    """Print a message in red on stderr."""
    from rich.console import Console
    from rich.text import Text

    message = in_flags(str(error))
    Console(stderr=True).print(Text.assemble(("error: ", "bold red"), (message, "red")), soft_wrap=True)


def in_flags(message: str) -> str:
    """A message of the library, in terms of flags.

    >>> in_flags("this metric needs regions: pass regions=…, or choose other metrics")
    'this metric needs regions: pass --masks FOLDER, or choose other metrics'
    """
    for argument, flag in FLAGS.items():
        message = message.replace(argument, flag)
    return message


FLAGS = {  # phrase in an error of the library -> the same in terms of flags
    "pass regions=…": "pass --masks FOLDER",
    "pass labels=…": "pass --label CLASS",
    "pass targets=, or model= and images= for the predicted class": "pass --target CLASS",
    "pass targets=": "pass --target CLASS",
    'targets="label"': "--target label",
    "pass target= or, as one list, classes=": "choose with --target: ",
    'pass weights="FILE"': "pass --weights FILE",
    'weights="random"': "--weights random",
    "pass weights=": "pass --weights ",
    "pass model=": "pass --model ",
    'on_error="skip"': "other files",
    "store.failures lists them; retry=True tries": "--json lists them; --retry tries",
    "Pass image_size=, and mean= and std= with one value per channel.": (
        "Let FILE.py:FUNCTION return seewhy.wrap_model(network, image_size=…, mean=…, std=…), with a value per channel."
    ),
    "Say which one holds them: wrap_model(": "Let FILE.py:FUNCTION return seewhy.wrap_model(network, ",
    "class_names has": "--class-names has",
    "To name classes: class_names=[…]; prompts (classes=) are": "To name classes: --class-names FILE; --prompt is",
    "omit weights=": "omit --weights",
    "then pass explainer=DIR": "then pass -o explainer=DIR",
    "To score them by their own: evaluate(explanation.classifier, …)": "Give the same --model and --weights.",
    " Resize it, or let seewhy.explain() read the file.": "",
}


class _EchoHandler(logging.Handler):
    """Prints records to the current stderr, which tests may replace."""

    def emit(self, record: logging.LogRecord) -> None:
        if not OUTPUT.quiet:
            typer.echo(in_flags(self.format(record)), err=True)


def print_log() -> None:
    """Print the log messages of the library."""
    logger = logging.getLogger("seewhy")
    if not logger.handlers:
        logger.addHandler(_EchoHandler())
        logger.setLevel(logging.INFO)


# arguments of several commands

ImageArguments = Annotated[list[Path], typer.Argument(metavar="IMAGE", help="Image files or folders.")]
_model = typer.Option(
    "--model",
    "-m",
    metavar="NAME",
    help="timm/NAME, torchvision/NAME, hf/NAME, seewhy/NAME (`seewhy list models`), or FILE.py:FUNCTION.",
)
ModelOption = Annotated[str, _model]
OptionalModel = Annotated[str | None, _model]  # the default depends on the other arguments
WeightsOption = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help='Safetensors file or torch checkpoint, or "random" for an untrained network.',
        show_default="pretrained weights",
    ),
]
ClassNamesOption = Annotated[
    Path | None,
    typer.Option(
        "--class-names",
        metavar="FILE",
        help="Names of the classes: a text file with one per line, or JSON.",
        show_default="the library's",
    ),
]
PromptOption = Annotated[
    list[str] | None,
    typer.Option("--prompt", metavar="TEXT", help="Class prompt of a zero-shot model such as CLIP; once per class."),
]
TargetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--target",
        "-t",
        metavar="CLASS",
        help="Class to explain, by name or index; repeatable.",
        show_default="predicted class",
        autocompletion=complete_class,
    ),
]
MethodOption = Annotated[
    str | None,
    typer.Option(
        "--method",
        metavar="NAME",
        help="See `seewhy list methods`.",
        show_default="one that fits the model",
        autocompletion=complete_method,
    ),
]
MethodOptions = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="KEY=VALUE", help="Option of the method; repeatable."),
]
DeviceOption = Annotated[
    str | None, typer.Option(metavar="DEVICE", help="cpu, cuda, cuda:1 or mps.", show_default="GPU if available")
]

DEFAULT_MODEL = "seewhy/efficientnet-lite0"
