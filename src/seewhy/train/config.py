"""Settings of a training run, and how learning rate and temperature move along it."""

import math
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, get_type_hints

from seewhy.explainers.decoder import Shape
from seewhy.explainers.loss import LossConfig
from seewhy.explainers.network import ExplainerConfig
from seewhy.runtime.options import check_names, check_value, require

PARTS: tuple[str, ...] = ("explainer", "shape", "loss")  # fields that are settings themselves
PAPER = {"batch": 32, "learning_rate": 3e-4}  # of paper and code, for trainings of 40,000 steps
PRESETS: dict[str, dict[str, Any]] = {"small": {}, "official": PAPER, "paper": PAPER | {"targets": "per_target"}}


@dataclass(frozen=True)
class TrainConfig:
    """How an explainer is trained; the defaults are AHA's, but for the small decoder and what suits short trainings."""

    explainer: ExplainerConfig = field(default_factory=ExplainerConfig)
    start: str | None = None  # the explainer to begin with, a folder or a bundled one; left out: an untrained one
    epochs: float = 1.0  # how often every picture is seen
    iterations: int | None = None  # steps in all; left out: as many as the epochs take
    batch: int = 8  # images per device and step
    learning_rate: float = 2e-3  # the largest; it rises to it during the warmup, then falls
    weight_decay: float = 1e-3  # of AdamW
    warmup: float = 0.06  # share of the run
    tau: tuple[float, float] = (1.0, 0.3)  # temperature, first and last
    clip: float = 1.0  # largest norm of the gradient
    targets: Literal["shared", "per_target"] = "shared"  # one map for both classes (the authors' code), or one each
    precision: Literal["no", "fp16", "bf16"] = "no"  # half precision for the model, and nothing else
    seed: int = 42  # of all that is drawn
    held_out: int = 16  # images kept out of training; their names are in explainer.json
    evaluated: int = 16  # so many of them are used for the true deletion and insertion on the way
    evaluate_every: int = 250  # steps
    checkpoint_every: int = 50  # steps
    patience: int = 0  # evaluations without a better one after which training ends; 0: never

    def __post_init__(self) -> None:
        for name in ("batch", "iterations", "held_out", "evaluated", "evaluate_every", "checkpoint_every"):
            value = getattr(self, name)
            require({f"{name} must be at least 1, got {value}": value is None or value >= 1})
        for name in ("epochs", "learning_rate", "clip"):
            value = getattr(self, name)
            require({f"{name} must be a number above 0, got {value}": 0 < value < math.inf})
        require(
            {
                f"tau must be above 0, first and last; got {self.tau}": min(self.tau) > 0,
                f"warmup is a share of the run, from 0 to below 1; got {self.warmup}": 0 <= self.warmup < 1,
                f"weight_decay must not be negative, got {self.weight_decay}": 0 <= self.weight_decay < math.inf,
                f"patience must not be negative, got {self.patience}": self.patience >= 0,
                f"seed must be from 0 to 2^63 - 1, got {self.seed}": 0 <= self.seed < 2**63,
            }
        )

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


KINDS = (TrainConfig, ExplainerConfig, Shape, LossConfig)


def settings() -> dict[str, tuple[type, Any]]:
    """Every option of a training by its name: the class it is a field of, and its annotation."""
    return {
        name: (kind, annotation)
        for kind in KINDS
        for name, annotation in get_type_hints(kind).items()
        if name not in PARTS
    }


def annotation_of(name: str) -> Any:
    """What a setting may be; raises with the nearest names if there is none."""
    known = settings()
    check_names([name], known, "train_explainer", "option")
    return known[name][1]


def make_config(*, preset: str = "small", **options: Any) -> TrainConfig:
    """A preset of the explainer, changed by any field of `TrainConfig`, `ExplainerConfig`, `Shape` or `LossConfig`."""
    base, known = ExplainerConfig.preset(preset), settings()
    parts: dict[type, dict[str, Any]] = {kind: {} for kind in KINDS}
    for name, value in (PRESETS[preset] | options).items():
        check_value(name, value, annotation_of(name))
        kind = known[name][0]
        parts[kind][name] = tuple(value) if isinstance(value, list) else value
    explainer = replace(base, shape=replace(base.shape, **parts[Shape]), loss=replace(base.loss, **parts[LossConfig]))
    return TrainConfig(explainer=replace(explainer, **parts[ExplainerConfig]), **parts[TrainConfig])


def learning_rate_at(step: int, total: int, *, peak: float = 3e-4, warmup: float = 0.06) -> float:
    """A straight line from peak / 25 to the peak, then half a cosine down to peak / 250,000.

    >>> [f"{learning_rate_at(step, 101):.6e}" for step in (0, 3, 6, 53, 100)]
    ['1.200000e-05', '1.560000e-04', '3.000000e-04', '1.500006e-04', '1.200000e-09']
    """
    first, last, done = peak / 25, peak / 25e4, step / max(total - 1, 1)
    if done <= warmup:
        return first + (peak - first) * (done / warmup if warmup else 1)
    return last + (peak - last) * (1 + math.cos(math.pi * (done - warmup) / (1 - warmup))) / 2


def temperature_at(step: int, total: int, *, ends: tuple[float, float] = (1.0, 0.3)) -> float:
    """
    >>> [round(temperature_at(step, 101), 2) for step in (0, 50, 100)]
    [1.0, 0.65, 0.3]
    """
    return ends[0] + (ends[1] - ends[0]) * step / max(total - 1, 1)
