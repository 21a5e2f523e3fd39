"""`seewhy demo`: explain sample photos and benchmark methods on photos and Scenes, offline."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seewhy.cli import shared
from seewhy.cli.bench import show_results
from seewhy.cli.output import check_folder, emit
from seewhy.cli.shared import DEFAULT_MODEL, app, print_log

if TYPE_CHECKING:
    from PIL import Image
    from torch import Tensor

    from seewhy.models.classifier import Classifier

TOP = 3  # classes explained per photo
PHOTOS, SCENES = 2, 2  # images in the benchmark
POINTS = 11  # of each curve; the protocol has 21
METHODS: list[dict[str, Any]] = [
    {"name": "aha", "label": "AHA", "optimized_on": ["black", "imagenet_mean", "blur"]},
    {"name": "caap", "label": "CAAP"},
    {
        "name": "mda",
        "label": "MDA, fast, 4 x 4 patches",  # its own grid takes minutes for a CNN
        "options": {"fast": True, "grid": 4},
        "optimized_on": ["model_mean", "blur"],
    },
    {"name": "var:grad_cam", "label": "VAR on Grad-CAM"},
    {
        "name": "refine:grad_cam",
        "label": "AHA's objective on Grad-CAM, 2 steps",
        "options": {"refine.steps": 2},
        "optimized_on": ["black", "imagenet_mean", "blur"],
    },
    {"name": "grad_cam", "label": "Grad-CAM"},
    {"name": "layer_cam", "label": "LayerCAM"},
    {"name": "input_x_gradient", "label": "Input x Gradient"},
    {"name": "occlusion", "label": "Occlusion", "options": {"window": 32, "stride": 32}},
    {"name": "random", "label": "Random"},
]


@app.command()
def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Output folder.")] = Path("seewhy-demo"),
    device: shared.DeviceOption = None,
) -> None:
    """Explain sample photos, compare methods on photos and Scenes, and open an explorer of some; works offline."""
    from seewhy.bench import BenchConfig, benchmark
    from seewhy.cli import terminal
    from seewhy.cli.demo_explorer import write_demo_explorer
    from seewhy.explorer.view import open_in_browser
    from seewhy.runtime.progress import track
    from seewhy.zoo.photos import sample_photos

    check_folder(out)
    terminal.print_line(f"This takes about four minutes of CPU time. Results go to {out}; a killed demo resumes.")
    model = terminal.load(DEFAULT_MODEL, weights=None, prompts=None, device=device)
    photos = sample_photos()
    written = [explain_photo(model, name, photo, out) for name, photo in track(photos.items(), "explaining photos")]
    written += compare_classes(model, photos, out)
    terminal.print_line(
        f"\nBenchmark of {len(METHODS)} methods on photos and on Scenes, where the ground truth is known", style="bold"
    )
    print_log()
    scored = show_results(benchmark(BenchConfig.from_dict(demo_benchmark(out, device))))
    explorer = write_demo_explorer(model, photos, out / "explorer.html", device)
    terminal.print_line(f"\nResults are in {out.resolve()}", style="bold")
    for path in [*written, out / "report" / "report.html", explorer]:
        terminal.print_line(f"  {path}")
    emit({"files": [*written, out / "report" / "report.html", explorer], "benchmark": scored})
    open_in_browser(explorer)


def explain_photo(model: "Classifier", name: str, photo: "Image.Image", out: Path) -> Path:
    """Write a figure of the maps of the top predictions for a photo."""
    from seewhy import api
    from seewhy.cli import terminal

    explanation = api.explain(model, photo, "aha", targets=_predicted(model, photo, TOP))
    explanation.plot(out / f"{name}.png")
    terminal.print_explanation(explanation, name)
    return out / f"{name}.png"


def compare_classes(model: "Classifier", photos: dict[str, "Image.Image"], out: Path) -> list[Path]:
    """Write figures of what depends on the class: four photos in one image, and a contrast of look-alike classes."""
    from seewhy import api
    from seewhy.cli import terminal
    from seewhy.data import quad

    terminal.print_line("\nMaps of similar classes are similar: they share the evidence of one object.", style="bold")
    first, photo = next(iter(photos.items()))
    contrast = api.explain(model, photo, "var:grad_cam", _predicted(model, photo, TOP))
    contrast.plot(out / f"{first}-contrast.png")
    written = [out / f"{first}-contrast.png"]
    terminal.print_line(f"{written[0]}: where each class wins against the others")
    if len(photos) >= 4:
        grids = quad(list(photos.values()), [int(_predicted(model, each, 1)) for each in photos.values()], model)
        mosaic = api.explain(grids.model, grids.images, "grad_cam", grids.targets)
        mosaic.plot(out / "mosaic.png")
        written.append(out / "mosaic.png")
        terminal.print_line(f"{written[1]}: four photos in one image, each class has its own map")
    return written


def _predicted(model: "Classifier", photo: "Image.Image", count: int) -> "Tensor":
    """The most probable classes."""
    from seewhy.data import read_images

    return model.probabilities(read_images(photo, model.preprocess).images.to(model.device)).topk(count).indices


def demo_benchmark(out: Path, device: str | None) -> dict[str, Any]:
    """The configuration: four systems and five baselines; on Scenes the region is the discriminative part."""
    models = [
        {"name": DEFAULT_MODEL, "label": "EfficientNet-Lite0"},
        {"name": "seewhy/scenes-vit", "label": "Scenes ViT"},
    ]
    return {
        "name": "demo",
        "about": "Four systems and five baselines on sample photos and on Scenes.",
        "out": str(out / "report"),
        "models": [model | ({"device": device} if device else {}) for model in models],
        "data": [
            {"kind": "photos", "model": "EfficientNet-Lite0", "limit": PHOTOS},
            {"kind": "scenes", "model": "Scenes ViT", "limit": SCENES, "truth": "part"},
        ],
        "methods": METHODS,
        "protocols": ["aha"],
        "options": {"curves": {"fractions": [point / (POINTS - 1) for point in range(POINTS)]}},
    }
