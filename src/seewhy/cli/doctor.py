"""`seewhy doctor`: versions, devices, extras and a self-test."""

import platform
import re
from importlib import metadata

import typer

from seewhy.cli.output import emit
from seewhy.cli.shared import app

PACKAGES = (
    "torch",
    "timm",
    "torchvision",
    "numpy",
    "scipy",
    "pillow",
    "safetensors",
    "matplotlib",
    "pyarrow",
)
DEVELOPMENT = {"test", "check"}


@app.command()
def doctor() -> None:
    """Check the installation: versions, devices, extras and a self-test."""
    from seewhy.cli import terminal

    screen = terminal.console()
    screen.print(terminal.table("Versions", ["package", "version"], versions()))
    screen.print()
    screen.print(terminal.table("Devices", ["device", ""], devices()))
    screen.print()
    screen.print(terminal.table("Extras", ["extra", "state"], extras()))
    screen.print()
    problem = self_test()
    found = {"versions": versions(), "devices": devices(), "extras": extras()}
    emit({name: dict(rows) for name, rows in found.items()} | {"self_test": problem or "passed"})
    if problem:
        screen.print(f"✗ self-test: {problem}", style="bold red", markup=False)
        raise typer.Exit(1)
    screen.print("✓ self-test: a random image was explained with a tiny ViT", style="green")


def versions() -> list[tuple[str, str]]:
    own = [("seewhy", version_of("seewhy") or "not installed"), ("python", platform.python_version())]
    return own + [(name, version_of(name) or "missing") for name in PACKAGES]


def version_of(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def devices() -> list[tuple[str, str]]:
    import torch

    found = [("cpu", f"{platform.machine()}, {torch.get_num_threads()} threads")]
    found += [(f"cuda:{index}", torch.cuda.get_device_name(index)) for index in range(torch.cuda.device_count())]
    if torch.backends.mps.is_available():
        found.append(("mps", "Apple GPU"))
    return found


def extras() -> list[tuple[str, str]]:
    """Every extra that the installed package declares, and its missing packages."""
    required: dict[str, list[str]] = {}
    for requirement in (metadata.requires("seewhy") or []) if version_of("seewhy") else []:
        extra = re.search(r"extra\s*==\s*['\"](\w+)['\"]", requirement)
        if extra and extra[1] not in DEVELOPMENT:
            required.setdefault(extra[1], []).append(re.split(r"[\s\[<>=!~;]", requirement, maxsplit=1)[0])
    return [(name, _state(name, packages)) for name, packages in sorted(required.items())]


def _state(extra: str, packages: list[str]) -> str:
    missing = [package for package in packages if version_of(package) is None]
    return f"missing {', '.join(missing)}: pip install 'seewhy[{extra}]'" if missing else f"✓ {', '.join(packages)}"


def self_test() -> str:
    """Explain a random image with a tiny ViT; returns a description of the failure, empty if there is none."""
    import torch

    from seewhy import api
    from seewhy.models.vit import ViT

    try:
        model = api.load_model("timm/test_vit", weights="random")
        if not isinstance(model, ViT):
            return f"timm's test_vit was wrapped as {type(model).__name__}, not as a ViT"
        image = torch.rand(1, model.channels, *model.image_size, generator=torch.Generator().manual_seed(0))
        failed = {name: api.explain(model, image, name).failed_checks for name in ("gradient", "grad_cam", "rollout")}
    except Exception as error:  # any failure is the result
        return f"{type(error).__name__}: {error}"
    return "; ".join(f"{name}: {', '.join(checks)}" for name, checks in failed.items() if checks)
