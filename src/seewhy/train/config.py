"""Settings of a training, and its schedules of learning rate and temperature.

The comment of each field is its line in the table of docs/explainers.md.
"""

import math
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any, Literal

from seewhy.explainers.config import DecoderShape, ExplainerConfig, LossConfig
from seewhy.explainers.presets import find_preset
from seewhy.interventions.perturbed import Precision
from seewhy.runtime.options import above, at_least, between, check, check_fields, check_names, check_value, hints

Count = Annotated[int, at_least(1)]
Temperature = Annotated[float, above(0)]


@dataclass(frozen=True)
class TrainConfig:
    """How an explainer is trained; the defaults are the preset `small`."""

    explainer: ExplainerConfig = field(default_factory=ExplainerConfig)
    start: str | None = None  # explainer to start from, a folder or a bundled one; none: untrained
    adapt: bool = False  # of the explainer to start from, take only the weights that fit: it is of another model
    epochs: Annotated[float, above(0)] = 1.0  # passes over the training images
    iterations: Count | None = None  # training steps; none: as many as the epochs take
    batch: Count = 8  # images per forward and backward pass of the explainer, on each device
    accumulate: Count = 1  # batches per device and step, whose gradients are averaged
    learning_rate: Annotated[float, above(0)] = 2e-3  # peak learning rate (linear warmup, cosine decay)
    weight_decay: Annotated[float, at_least(0)] = 1e-3  # weight decay of AdamW
    warmup: float = 0.06  # fraction of the steps with a rising learning rate
    tau: tuple[Temperature, Temperature] = (1.0, 0.3)  # temperature of the sort at the first and the last step
    clip: Annotated[float, above(0)] = 1.0  # gradient clipping norm
    ema: float = 0.0  # decay of an exponential moving average of the weights, which is what is kept; 0: none
    map_per_class: bool = True  # one map for each class of an image (paper), or one for both (official)
    mosaics: Annotated[float, between(0, 1)] = 0.25  # fraction of a batch replaced by 2x2 mosaics of its images
    min_probability: Annotated[float, between(0, 1)] = 0.05  # skip less probable classes of an image (map_per_class)
    precision: Precision = "no"  # of all passes of the explained model: tf32 and fp16 need a GPU
    chunk: Count | None = None  # images per pass of the explained model; none: grows and shrinks to fit the memory
    readers: Annotated[int, at_least(0)] = 0  # processes that read images; 0: a thread
    labels: bool | None = None  # labels are the model's classes; none: only those of the same name or WNID
    seed: Annotated[int, between(0, 2**63 - 1)] = 42  # random seed
    held_out: Count = 128  # images excluded from training; explainer.json lists them
    held_out_by: str | None = None  # explainer whose held-out images are held out instead, for comparisons
    evaluated: Count = 64  # held-out images scored at each evaluation, which select the explainer
    reported: Count = 64  # other held-out images, scored once at the end: the scores of the card
    evaluate_every: Count = 250  # steps between evaluations (deletion and insertion on held-out images)
    checkpoint_every: Count = 50  # steps between checkpoints
    patience: Annotated[int, at_least(0)] = 0  # stop after this many evaluations without improvement; 0: never
    tracker: Literal["tensorboard", "wandb"] | None = None  # where curves and maps are shown besides log.jsonl

    def __post_init__(self) -> None:
        check_fields(self)
        for name in ("warmup", "ema"):
            value = getattr(self, name)
            check(0 <= value < 1, f"{name} must be a number of at least 0 and below 1, got {value}")

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


PARTS = (TrainConfig, ExplainerConfig, DecoderShape, LossConfig)  # of the settings, by the class that has the field


def settings() -> dict[str, tuple[type, Any]]:
    """Every option of a training by its name: the class that has the field, and its annotation."""
    return {
        name: (part, annotation)
        for part in PARTS
        for name, annotation in hints(part).items()
        if annotation not in PARTS
    }


def annotation_of(name: str) -> Any:
    """The annotation of an option; raises with the nearest names if there is none."""
    known = settings()
    check_names([name], known, "train_explainer", "option")
    return known[name][1]


def make_config(*, preset: str = "small", **options: Any) -> TrainConfig:
    """A preset, with any field of `TrainConfig`, `ExplainerConfig`, `DecoderShape` or `LossConfig` replaced."""
    base, training = find_preset(preset)
    known = settings()
    fields: dict[type, dict[str, Any]] = {part: {} for part in PARTS}
    for name, value in {**training, **options}.items():
        check_value(name, value, annotation_of(name))
        fields[known[name][0]][name] = tuple(value) if isinstance(value, list) else value
    shape, loss = replace(base.shape, **fields[DecoderShape]), replace(base.loss, **fields[LossConfig])
    explainer = replace(base, shape=shape, loss=loss, **fields[ExplainerConfig])
    return TrainConfig(explainer=explainer, **fields[TrainConfig])


# schedules


def learning_rate_at(step: int, total: int, *, peak: float = 3e-4, warmup: float = 0.06) -> float:
    """Linear warmup from peak / 25 to the peak, then cosine decay to peak / 250,000.

    >>> [f"{learning_rate_at(step, 101):.6e}" for step in (0, 3, 6, 53, 100)]
    ['1.200000e-05', '1.560000e-04', '3.000000e-04', '1.500006e-04', '1.200000e-09']
    """
    first, last, progress = peak / 25, peak / 25e4, step / max(total - 1, 1)
    if progress <= warmup:
        return first + (peak - first) * (progress / warmup if warmup else 1)
    return last + (peak - last) * (1 + math.cos(math.pi * (progress - warmup) / (1 - warmup))) / 2


def temperature_at(step: int, total: int, *, ends: tuple[float, float] = (1.0, 0.3)) -> float:
    """Linear interpolation from the first to the last temperature.

    >>> [round(temperature_at(step, 101), 2) for step in (0, 50, 100)]
    [1.0, 0.65, 0.3]
    """
    return ends[0] + (ends[1] - ends[0]) * step / max(total - 1, 1)
