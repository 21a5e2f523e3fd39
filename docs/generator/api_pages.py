"""The reference of the Python interface and of the command line, and llms.txt: from signatures and docstrings."""

import ast
import inspect
import re
from typing import Annotated, Any, get_args, get_origin

import typer
from facts import ROOT, table

import seewhy
from seewhy.cli import app


def reference_pages() -> dict[str, str]:
    return {"api.md": api_page(), "commands.md": commands_page()}


def api_page() -> str:
    parts = ["# Python API\n\nWhat `import seewhy` offers. Everything else is internal."]
    for name in sorted(set(seewhy.__all__) - {"__version__"}):
        value = getattr(seewhy, name)
        parts.append(module_entry(name, value) if inspect.ismodule(value) else entry(f"seewhy.{name}", value, level=2))
    return "\n\n".join(parts) + "\n"


def module_entry(name: str, module: Any) -> str:
    """A public module: its docstring, and its names if it lists them."""
    text = f"## seewhy.{name}\n\n{prose(inspect.getdoc(module) or '')}"
    members = [getattr(module, each) for each in getattr(module, "__all__", ())]
    entries = [entry(f"seewhy.{name}.{each.__name__}", each, level=3) for each in members if callable(each)]
    return "\n\n".join([text, *entries])


def entry(title: str, value: Any, *, level: int) -> str:
    text = f"{'#' * level} {title}\n\n```\n{signature(title, value)}\n```\n\n{prose(inspect.getdoc(value) or '')}"
    if not inspect.isclass(value):
        return text
    methods = [
        (name, member)
        for name, member in vars(value).items()
        if not name.startswith("_") and (inspect.isroutine(member) or isinstance(member, (property, classmethod)))
    ]
    rows = [(f"`{name}`", first_line(member)) for name, member in methods if first_line(member)]
    return text + (f"\n\n{table(['member', ''], rows)}" if rows else "")


def signature(title: str, value: Any) -> str:
    """One parameter per line where the signature is long."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return title
    parameters = [shortened(each) for each in found.parameters.values()]
    kinds = [each.kind for each in found.parameters.values()]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        parameters.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    short = f"{title}({', '.join(parameters)})"
    return short if len(short) < 90 else f"{title}(\n    " + ",\n    ".join(parameters) + ",\n)"


def shortened(parameter: inspect.Parameter) -> str:
    """A parameter with the names of its types alone: no modules, no conditions.

    >>> shortened(inspect.Parameter("x", inspect.Parameter.KEYWORD_ONLY, annotation=Annotated[Any, "at least 1"]))
    'x: Any'
    """
    kind = parameter.annotation
    plain = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    return re.sub(r"\b(?:[a-z_]\w*\.)+(?=[A-Z])", "", str(parameter.replace(annotation=plain)))


def prose(docstring: str) -> str:
    """A docstring as Markdown: examples and drawings as code."""
    blocks = docstring.split("\n\n")
    return "\n\n".join(
        f"```\n{block}\n```" if block.startswith((">>>", "    ", "SeewhyError")) else block for block in blocks
    )


def first_line(member: Any) -> str:
    inner = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
    return (inspect.getdoc(inner) or "").partition("\n")[0]


def commands_page() -> str:
    parts = [
        "# Command line\n\n`--json`, `-q` and `-v` work with every command; `seewhy COMMAND --help` has the same text."
    ]
    for name, command in typer.main.get_command(app).commands.items():
        rows = [option_row(parameter) for parameter in command.params if parameter.name != "help"]
        help_text = (command.help or "").split("\f")[0].strip()
        parts.append(f"## seewhy {name}\n\n{help_text}\n\n{table(['argument', 'meaning', 'default'], rows)}")
    return "\n\n".join(parts) + "\n"


def option_row(parameter: Any) -> tuple[str, str, str]:
    names = ", ".join(f"`{each}`" for each in parameter.opts) if parameter.param_type_name == "option" else ""
    shown = names or f"`{parameter.metavar or parameter.name.upper()}`"
    special = getattr(parameter, "show_default", None)
    default = special if isinstance(special, str) else parameter.default
    return (
        shown,
        getattr(parameter, "help", "") or "",
        "" if default in (None, False, ()) or callable(default) else f"{default}",
    )


def llms_text(pages: dict[str, str]) -> str:
    """An index for language models: every page with its first sentence."""
    lines = [
        "# seewhy",
        "",
        f"> {ast.get_docstring(ast.parse((ROOT / 'src/seewhy/__init__.py').read_text())).splitlines()[0]}",
        "",
    ]
    for path, text in sorted(pages.items()):
        title, _, rest = text.strip().partition("\n")
        paragraphs = (" ".join(each.split()) for each in rest.split("\n\n"))
        first = next(
            (each for each in paragraphs if each[:1].isalpha() or (each[:1] in "`*[" and not each.startswith("```"))),
            "",
        )
        sentence = re.split(r"(?<=[.?]) ", first)[0]
        lines.append(f"- [{title.lstrip('# ')}]({path}): {sentence}")
    return "\n".join(lines) + "\n"
