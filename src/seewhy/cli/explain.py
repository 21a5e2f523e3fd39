"""`seewhy explain`: overlays and maps of images."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seewhy.cli import shared
from seewhy.cli.output import Overwrite, check_folder, emit, free_base, slug
from seewhy.cli.shared import app
from seewhy.cli.store import fill
from seewhy.errors import ImageError

if TYPE_CHECKING:
    from seewhy.explanation import Explanation


@app.command()
def explain(
    images: shared.ImageArguments,
    model: shared.ModelOption = shared.DEFAULT_MODEL,
    method: shared.MethodOption = None,
    target: shared.TargetOption = None,
    option: shared.MethodOptions = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Output folder.")] = Path("seewhy-out"),
    overwrite: Overwrite = False,
    store: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write the maps of a whole data set to a map store instead; resumes."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, metavar="N", help="Worker processes, with --store.")] = 1,
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS", help='A Ray cluster, or "local", with --store.')] = None,
    readers: Annotated[int, typer.Option(min=0, metavar="N", help="Processes that decode images, with --store.")] = 0,
    precision: Annotated[
        str, typer.Option(metavar="TYPE", help="float32 or float16: how maps are stored, with --store.")
    ] = "float32",
    autocast: Annotated[
        bool, typer.Option("--autocast", help="Compute in bfloat16 where that is safe, with --store.")
    ] = False,
    batch_size: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Images at once, with --store.", show_default="16; 256 on a GPU"),
    ] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Retry failed images, with --store.")] = False,
    weights: shared.WeightsOption = None,
    class_names: shared.ClassNamesOption = None,
    prompt: shared.PromptOption = None,
    device: shared.DeviceOption = None,
) -> None:
    """Explain images: writes an overlay per class (PNG) and the maps (safetensors and JSON) of each image.

    To contrast classes, name several: --method var:grad_cam -t lynx -t cougar.

    With --store, IMAGE may also be a CSV of file and label, tar files, or a data set such as scenes:size=500.

    With --store, --method A,B names several methods, and --target label explains the label of each image.

    Files that cannot be read are reported and skipped; the exit code is then 2.
    """
    from seewhy.cli import terminal
    from seewhy.cli.options import parse_options
    from seewhy.defaults import default_method
    from seewhy.registry import resolve_method
    from seewhy.runtime.progress import track

    check_folder(store or out, "--store" if store else "--out")
    settings: dict[str, Any] = {
        "workers": workers,
        "ray": ray,
        "readers": readers,
        "precision": precision,
        "autocast": autocast,
        "batch_size": batch_size,
        "retry": retry,
    }
    if store is None:
        check_plain(settings)
    else:
        classifier = terminal.load(model, weights=weights, prompts=prompt, device=device, class_names=class_names)
        fill(classifier, images, method, target, option or [], store=store, **settings)
        return
    if method is not None:
        check_single(method)
        parse_options(option or [], resolve_method(method).annotation)  # fails before the model is loaded
    files, errors = terminal.files_in(images)
    files = without_outputs(files, images, out)
    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device, class_names=class_names)
    method = method or default_method(classifier)
    options = parse_options(option or [], resolve_method(method).annotation)
    resolve_method(method, **options).check_model(classifier)
    taken = [path.name for path in out.iterdir()] if out.is_dir() else []
    bases = [out / f"{name}.{method.replace(':', '-')}" for name in distinct_names(files)]
    results = []
    for file, base in track(list(zip(files, bases, strict=True)), "explaining"):
        try:
            free = free_base(base, taken, overwrite=overwrite)
            results.append(_explain_one(classifier, file, method, target, options, free))
        except ImageError as error:
            errors.append(error)
    terminal.print_errors(errors)
    emit({"results": results, "errors": errors})
    if errors:
        raise typer.Exit(2)


def without_outputs(files: Sequence[Path], images: Sequence[Path], out: Path) -> list[Path]:
    """The files without those in the output folder, unless that is the folder of the images."""
    folder = out.resolve()
    if any(each.resolve().is_relative_to(folder) for each in images):
        return list(files)
    return [file for file in files if not file.resolve().is_relative_to(folder)]


def _explain_one(
    model: Any, file: Path, method: str, targets: list[str] | None, options: dict[str, Any], base: Path
) -> dict[str, Any]:
    from seewhy import api
    from seewhy.cli import terminal

    explanation = api.explain(model, file, method, targets or None, **options)
    terminal.print_explanation(explanation, str(file))
    written = write(explanation, base)
    terminal.print_line(f"wrote {', '.join(map(str, written))}", style="dim")
    (about,) = explanation.summaries()
    return about | {"files": written, "cost": vars(explanation.cost), "failed_checks": explanation.failed_checks}


def write(explanation: "Explanation", base: Path) -> list[Path]:
    """Write overlays (`NAME.tabby.png` …), winning classes (`NAME.classes.png`) if contrasted, and maps."""
    from seewhy.figures import contrasts

    base.parent.mkdir(parents=True, exist_ok=True)
    overlays = [Path(f"{base}.{name}.png") for name in _class_slugs(explanation)]
    for k, overlay in enumerate(overlays):
        explanation.captioned(0, k).save(overlay)
    if contrasts(explanation):
        overlays.append(Path(f"{base}.classes.png"))
        explanation.plot_classes(overlays[-1])
    maps = explanation.save(f"{base}.safetensors")
    return [*overlays, maps, maps.with_suffix(".json")]


def _class_slugs(explanation: "Explanation") -> list[str]:
    """File names of the explained classes, with their indices where two names are equal."""
    from seewhy.runtime.targets import class_name

    indices = explanation.targets[0].tolist()
    names = [slug(class_name(index, explanation.class_names)) for index in indices]
    return [f"{name}_{index}" if names.count(name) > 1 else name for name, index in zip(names, indices, strict=True)]


def check_plain(settings: dict[str, Any]) -> None:
    """Raise if settings of a store are given without one."""
    from seewhy.errors import OptionError

    plain = {"workers": 1, "ray": None, "readers": 0, "precision": "float32"}
    plain |= {"autocast": False, "batch_size": None, "retry": False}
    changed = [name for name, value in settings.items() if value != plain[name]]
    if changed:
        raise OptionError(
            f"--{changed[0].replace('_', '-')} needs --store DIR: without it, images are explained one after the other"
        )


def check_single(method: str) -> None:
    """Raise if several methods are named."""
    from seewhy.errors import OptionError

    if "," in method:
        raise OptionError(
            f"--method {method}: several methods need --store DIR; `seewhy compare IMAGE --methods {method}` draws "
            "them side by side"
        )


def distinct_names(files: Sequence[Path]) -> list[str]:
    """Output names of files: their stems, numbered where several are equal.

    >>> distinct_names([Path("a/cat.png"), Path("b/cat.jpg"), Path("cat-2.png")])
    ['cat', 'cat-2', 'cat-2-2']
    """
    names: dict[str, None] = {}
    last: Counter[str] = Counter()  # number of each stem
    for file in files:
        last[file.stem] += 1
        while (name := file.stem if last[file.stem] == 1 else f"{file.stem}-{last[file.stem]}") in names:
            last[file.stem] += 1
        names[name] = None
    return list(names)
