"""Types shared by all of seewhy.

| type      | shape                         | convention                                                      |
|-----------|-------------------------------|-----------------------------------------------------------------|
| `Images`  | batch colors height width     | in [0, 1]; only the model knows mean and std                    |
| `Targets` | batch classes                 | always two-dimensional: one or several classes per image        |
| `Maps`    | batch classes rows cols       | raw and signed on the method's grid; larger means more evidence |
| `Regions` | batch classes height width    | ground truth, where available                                   |
"""

from dataclasses import dataclass
from typing import NamedTuple

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

Images = Float[Tensor, "batch colors height width"]
Targets = Int[Tensor, "batch classes"]
Maps = Float[Tensor, "batch classes rows cols"]
Regions = Bool[Tensor, "batch classes height width"]

Color = tuple[float, ...]  # red, green, blue (or the channels of other images) in [0, 1]
IMAGENET_MEAN: Color = (0.485, 0.456, 0.406)
IMAGENET_STD: Color = (0.229, 0.224, 0.225)

Logits = Float[Tensor, "batch outputs"]
Scores = Float[Tensor, "batch classes"]  # the logits or probabilities of the targets
FeatureMaps = Float[Tensor, "features channels feature_rows feature_cols"]
Tokens = Float[Tensor, "batch tokens dim"]
Layer = str | int | nn.Module | None  # that a CAM method reads: name, index of a block, submodule; None: the last
Weights = Float[Tensor, "batch heads queries keys"]  # attention, rows sum to one


class Attribution(NamedTuple):
    """Maps, and further tensors by name. A method returns this or just the maps; callers always get this."""

    maps: Maps
    extras: dict[str, Tensor] = {}  # noqa: RUF012 - never modified


@dataclass
class Cost:
    """Cost of a computation: forward and backward passes per image (partial passes count fractionally) and time."""

    forwards: float = 0.0
    backwards: float = 0.0
    seconds: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        seconds = self.seconds + other.seconds
        return Cost(self.forwards + other.forwards, self.backwards + other.backwards, seconds)

    def __mul__(self, factor: float) -> "Cost":
        return Cost(self.forwards * factor, self.backwards * factor, self.seconds * factor)

    def __str__(self) -> str:
        passes = ((self.forwards, "forward"), (self.backwards, "backward"))
        shown = [f"{_count(number)} {name}{'' if 0 < number <= 1 else 's'}" for number, name in passes]
        return f"{', '.join(shown)}, {self.seconds:.2f} s"


def _count(passes: float) -> str:
    """A number of passes: a partial one with a single digit.

    >>> _count(205), _count(0.006646), _count(0)
    ('205', '0.007', '0')
    """
    return f"{passes:.1g}" if passes < 1 else f"{passes:.4g}"
