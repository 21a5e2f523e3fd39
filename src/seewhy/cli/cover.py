"""`seewhy cover`: the prediction when a region of an image is covered."""

from pathlib import Path
from typing import Annotated

import typer

from seewhy.cli import shared
from seewhy.cli.output import IMAGE_TYPES, Overwrite, check_suffix, emit, free_path
from seewhy.cli.shared import app


@app.command()
def cover(
    image: Annotated[Path, typer.Argument(metavar="IMAGE", help="Image file.")],
    box: Annotated[str, typer.Option(metavar="LEFT,TOP,RIGHT,BOTTOM", help="Region in pixels of the image.")],
    model: shared.ModelOption = shared.DEFAULT_MODEL,
    reference: Annotated[
        str, typer.Option(metavar="NAME", help="Replacement for the region: blur, black, model_mean …")
    ] = "blur",
    inverse: Annotated[bool, typer.Option("--inverse", help="Cover everything else.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the covered image.")] = None,
    overwrite: Overwrite = False,
    weights: shared.WeightsOption = None,
    class_names: shared.ClassNamesOption = None,
    prompt: shared.PromptOption = None,
    device: shared.DeviceOption = None,
) -> None:
    """Cover a region of an image, and see how the prediction changes."""
    from PIL import Image

    from seewhy import questions
    from seewhy.cli import terminal

    corners = parse_box(box)
    if out is not None:
        check_suffix(out, IMAGE_TYPES)
        out = free_path(out, overwrite=overwrite)
    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device, class_names=class_names)
    answer = questions.cover(classifier, image, corners, reference=reference, inverse=inverse)
    terminal.print_line(answer)
    if out is not None:
        pixels = (answer.images[1].permute(1, 2, 0).clamp(0, 1) * 255).round().byte().numpy()
        out.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels).save(out)
        terminal.print_line(f"wrote {out}", style="dim")
    classes = [dict(zip(("class", "before", "after"), row, strict=True)) for row in answer.top()]
    before, after = answer.decisions
    found: dict[str, object] = {"share": answer.share, "flipped": answer.flipped, "before": before, "after": after}
    emit(found | {"classes": classes, "file": out})


def parse_box(text: str) -> tuple[float, ...]:
    """The corners of `--box`.

    >>> parse_box("10, 20,30,40")
    (10.0, 20.0, 30.0, 40.0)
    """
    from seewhy.errors import OptionError

    try:
        corners = tuple(float(word) for word in text.split(","))
    except ValueError:
        corners = ()
    if len(corners) != 4:
        raise OptionError(f"--box must be LEFT,TOP,RIGHT,BOTTOM in pixels, as in 10,20,200,180; got {text!r}")
    return corners
