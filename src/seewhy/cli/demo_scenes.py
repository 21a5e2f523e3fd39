"""The Scenes part of `seewhy demo`: pictures whose truth is known, and how much of each map lies on it."""

from pathlib import Path
from statistics import mean

PICTURES = range(0, 12, 2)  # one of each pair of look-alikes


def explain_scenes(out: Path, device: str | None) -> Path:
    """A figure of maps on Scenes, and per method the share of the map on the part that decides the class."""
    import torch

    from seewhy import api
    from seewhy.cli import terminal
    from seewhy.cli.compare import showcase
    from seewhy.pictures import compare_figure
    from seewhy.progress import track
    from seewhy.zoo.scenes import Scenes

    model = terminal.load("seewhy/scenes-vit", weights=None, prompts=None, device=device)
    scenes = [Scenes("test", len(PICTURES) * 2)[index] for index in PICTURES]
    images = torch.stack([scene.image for scene in scenes])
    targets = torch.tensor([[scene.label, scene.pair] for scene in scenes])  # each beside its look-alike
    explanations = [api.explain(model, images, name, targets) for name in track(showcase(model), "explaining Scenes")]
    parts = torch.stack([scene.part for scene in scenes]).unsqueeze(1).expand(-1, 2, -1, -1)
    rows = api.evaluate(model, images, explanations, ["region_attribution"], regions=parts)
    labels = {(image, int(targets[image, 0])) for image in range(len(scenes))}
    shares = {
        each.method: mean(row["score"] for row in rows if row["method"] == each.method and _own(row, labels))
        for each in explanations
    }
    best_first = sorted(shares.items(), key=lambda entry: -entry[1])
    chance = float(parts.float().mean())
    terminal.console().print(
        terminal.listing(
            f"Share of the map on the part that decides the class (the part is {chance:.1%} of the picture)",
            ["method", "share"],
            [(name, f"{share:.1%}") for name, share in best_first],
        )
    )
    compare_figure(explanations, out / "scenes.png")
    return out / "scenes.png"


def _own(row: dict, labels: set[tuple[int, int]]) -> bool:
    """A row of the picture's own class, not of the look-alike."""
    return (row["image"], row["target"]) in labels
