"""`seewhy evaluate`: scores of maps, computed by seewhy or elsewhere."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seewhy.cli import shared
from seewhy.cli.completion import complete_class
from seewhy.cli.output import Overwrite, emit, free_path, to_json
from seewhy.cli.shared import app

if TYPE_CHECKING:
    from seewhy.data.read import ImageBatch
    from seewhy.explanation import Explanation
    from seewhy.models.classifier import Classifier


@app.command()
def evaluate(
    images: shared.ImageArguments,
    maps: Annotated[
        list[Path],
        typer.Option("--maps", metavar="FILE", help=".npy, .npz, safetensors, or a map store; may be repeated."),
    ],
    model: shared.ModelOption = shared.DEFAULT_MODEL,
    metrics: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="Default: those of the protocol. See `seewhy list metrics`.")
    ] = None,
    protocol: Annotated[str, typer.Option(metavar="NAME", help="See `seewhy list protocols`.")] = "aha",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            metavar="METRIC.OPTION=VALUE",
            help="Option of a metric or its evidence: deletion.rule=mean, curves.references=black. May be repeated.",
        ),
    ] = None,
    target: shared.TargetOption = None,
    masks: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Masks of the objects, named like the images; 0 is background."),
    ] = None,
    label: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CLASS",
            help="True class of each image, in their order; some protocols need it.",
            autocompletion=complete_class,
        ),
    ] = None,
    control: Annotated[bool, typer.Option("--control", help="Add a random map as control.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the rows, as JSON lines.")] = None,
    overwrite: Overwrite = False,
    weights: shared.WeightsOption = None,
    class_names: shared.ClassNamesOption = None,
    prompt: shared.PromptOption = None,
    device: shared.DeviceOption = None,
) -> None:
    """Score maps: one map per image and class, in the order of the images.

    Classes are those stored with the maps, else --target, else the prediction of each image. Of a map store, --target
    takes the maps of these classes; by default those of the prediction where an image has several.
    """
    from seewhy import api
    from seewhy.cli import terminal
    from seewhy.data import read_images
    from seewhy.data.maps import check_frame
    from seewhy.metrics import get_protocol
    from seewhy.registry import METRICS

    out = None if out is None else free_path(out, overwrite=overwrite)
    options = _options(option or [])
    get_protocol(protocol, options)
    chosen = [name.strip() for name in metrics.split(",") if name.strip()] if metrics else None
    for name in chosen or []:
        METRICS.get(name)
    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device, class_names=class_names)
    batch = read_images([str(path) for path in images], classifier.preprocess)
    inputs = batch.images.to(classifier.device)
    explanations = []
    for path, name in zip(maps, _short_names(maps), strict=True):
        if path.is_dir():
            explanations += terminal.stored_maps(path, classifier, target).explanations(batch.names, classifier)
        else:
            explanations.append(_read(path, name, classifier, inputs, target))
            check_frame(explanations[-1].maps, batch.originals, classifier.image_size)
    regions = None if masks is None else _regions(batch, masks, explanations[0])
    labels = None if not label else _labels(label, classifier, len(inputs))
    scores = api.evaluate(
        classifier,
        explanations,
        chosen,
        images=inputs,
        protocol=protocol,
        options=options,
        regions=regions,
        labels=labels,
        control=control,
    )
    header, cells = scores.table()
    rows = [{**row, "image": batch.names[row["image"]]} for row in scores]
    terminal.console().print(
        terminal.table(f"Protocol {' '.join([protocol, *(option or [])])}", header, _in_flags(cells))
    )
    emit(rows)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text("".join(f"{to_json(row)}\n" for row in rows))
        terminal.console().print(f"wrote {out}", style="dim", soft_wrap=True)


def _in_flags(cells: list[list[str]]) -> list[list[str]]:
    """Reasons for missing scores, in terms of flags."""
    return [[shared.in_flags(cell) for cell in row] for row in cells]


def _options(words: list[str]) -> dict[str, dict[str, Any]]:
    """`deletion.rule=mean` words, converted, by metric or evidence."""
    from seewhy.cli.options import parse_options
    from seewhy.metrics.protocols import option_annotation

    options: dict[str, dict[str, Any]] = {}
    for name, value in parse_options(words, option_annotation).items():
        owner, _, key = name.partition(".")
        options.setdefault(owner, {})[key] = value
    return options


def _short_names(paths: list[Path]) -> list[str]:
    """Names of files, or the whole paths where two have the same name."""
    names = [path.name for path in paths]
    return names if len(set(names)) == len(names) else [str(path) for path in paths]


def _regions(batch: "ImageBatch", folder: Path, explanation: "Explanation") -> Any:
    """The masks, cropped and resized like the images, for every explained class."""
    import torch

    from seewhy.data.regions import MaskFile, crop_region

    regions = []
    height, width = batch.images.shape[-2:]
    for name, original, box in zip(batch.names, batch.originals, batch.boxes, strict=True):
        assert original is not None, "images are files here"
        file = next(iter(sorted(folder.glob(f"{Path(name).stem}.*"))), folder / f"{Path(name).stem}.png")
        regions.append(crop_region(MaskFile(file), box, original.size, (height, width)))
    return torch.stack(regions).unsqueeze(1).expand(-1, explanation.targets.shape[1], -1, -1)


def _labels(given: list[str], model: "Classifier", images: int) -> Any:
    import torch

    from seewhy.errors import InputError
    from seewhy.runtime.targets import class_index

    if len(given) != images:
        raise InputError(f"--label: expected one for each of the {images} images, got {len(given)}")
    return torch.tensor([class_index(each, model.class_names) for each in given], device=model.device)


def _read(path: Path, name: str, model: "Classifier", images: Any, target: list[str] | None) -> "Explanation":
    """The maps in a file as an explanation of these images."""
    from dataclasses import replace

    import torch

    from seewhy.data.maps import read_maps
    from seewhy.errors import InputError, ShapeError
    from seewhy.runtime.targets import resolve_targets

    probabilities = model.probabilities(images)
    explanation = read_maps(path, resolve_targets(target or None, probabilities, model.class_names).cpu())
    if len(explanation) != len(images):
        raise ShapeError(f"{path}: images must be as many as its maps, {len(explanation)}, got {len(images)}")
    targets = resolve_targets(explanation.targets, probabilities, None).cpu()
    if target and not torch.equal(targets, resolve_targets(target, probabilities, model.class_names).cpu()):
        raise InputError(f"--target: {path} holds maps of the classes {targets.tolist()}, not of {', '.join(target)}")
    return replace(explanation, method=name, targets=targets)
