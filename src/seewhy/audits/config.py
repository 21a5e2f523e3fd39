"""The settings of an audit."""

from dataclasses import dataclass
from typing import Annotated

from seewhy.runtime.options import above, at_least, between, check_fields


@dataclass(frozen=True)
class AuditConfig:
    """How an audit describes, finds and proves; the defaults fit some hundred images of some dozen classes."""

    method: str | None = None  # of the maps; default: a trained explainer, else the best of a trial
    second: str | None = None  # a method of another kind, for agreement; default: one that fits
    trial: Annotated[int, at_least(1)] = 64  # images on which methods compete
    seed: int = 0
    min_images: Annotated[int, at_least(3)] = 4  # images that must share a cue
    max_images: Annotated[int, at_least(8)] = 200  # images of a class that are clustered
    per_class: Annotated[int, at_least(1)] = 2  # candidates of a class that are tested
    donors: Annotated[int, at_least(3)] = 12  # images whose cue is removed and copied
    recipients: Annotated[int, at_least(6)] = 24  # images of other classes that it is pasted into
    effect: Annotated[float, between(0, 1)] = 0.2  # smallest effect, beyond controls, that is called confirmed
    level: Annotated[float, above(0)] = 0.05  # of the corrected tests
    explorers: Annotated[int, at_least(0)] = 1  # example images per finding that open in the explorer

    def __post_init__(self) -> None:
        check_fields(self)
