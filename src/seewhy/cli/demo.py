"""`seewhy demo`: real photos and drawn ones, real networks, everything offline."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seewhy.cli import shared
from seewhy.cli.shared import DEFAULT_MODEL, app

if TYPE_CHECKING:
    from PIL import Image

    from seewhy.models.classifier import Classifier

GUESSES = 3  # classes explained per photo
COMPARED = ["caap", "grad_cam", "var:grad_cam", "layer_cam", "input_x_gradient"]  # each of another kind, none slow


@app.command()
def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the pictures go.")] = Path("seewhy-demo"),
    device: shared.Device = None,
) -> None:
    """Explain sample photos and Scenes with real networks, offline; writes sheets and comparisons of methods."""
    from seewhy.cli import terminal
    from seewhy.cli.compare import compare_methods
    from seewhy.cli.demo_scenes import explain_scenes
    from seewhy.data import read_images
    from seewhy.progress import track
    from seewhy.zoo.photos import sample_photos

    photos = sample_photos()
    model = terminal.load(DEFAULT_MODEL, weights=None, prompts=None, device=device)
    written = [explain_photo(model, name, photo, out) for name, photo in track(photos.items(), "explaining photos")]
    written.append(out / "compare.png")
    batch = read_images(list(photos.values()), model.preprocess)
    compare_methods(model, batch, COMPARED, None, written[-1])
    written.append(explain_scenes(out, device))
    terminal.say(f"\nThe pictures are in {out.resolve()}", style="bold")
    for path in written:
        terminal.say(f"  {path}")


def explain_photo(model: "Classifier", name: str, photo: "Image.Image", out: Path) -> Path:
    """A sheet that shows why the model sees each of its best guesses in a photo."""
    from seewhy import api
    from seewhy.cli import terminal
    from seewhy.data import read_images

    probabilities = model.probabilities(read_images(photo, model.preprocess).images.to(model.device))
    explanation = api.explain(model, photo, "grad_cam", targets=probabilities.topk(GUESSES).indices)
    explanation.plot(out / f"{name}.png")
    terminal.show(explanation, name)
    return out / f"{name}.png"
