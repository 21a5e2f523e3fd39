"""The settings of an audit."""

from dataclasses import dataclass
from typing import Annotated, Any

from seewhy.errors import OptionError
from seewhy.runtime.options import above, at_least, between, check_fields

EXPLAINED = "aha"  # the method of trained explainers


@dataclass(frozen=True)
class AuditConfig:
    """How an audit describes, finds and proves; the defaults fit some hundred images of some dozen classes."""

    method: str | None = None  # of the maps; default: a trained explainer, else the best of a trial
    explainer: str | None = None  # folder of a trained explainer, or the name of a bundled one: makes the maps
    second: str | None = None  # a method of another kind, for agreement; default: one that fits
    trial: Annotated[int, at_least(1)] = 64  # images on which methods compete
    seed: int = 0
    min_images: Annotated[int, at_least(3)] = 4  # images that must share a cue
    max_images: Annotated[int, at_least(8)] = 200  # images of a class that are clustered
    screened: Annotated[int, at_least(1)] = 24  # candidates of a class that are pasted into a few images
    per_class: Annotated[int, at_least(1)] = 2  # of them that are tested
    donors: Annotated[int, at_least(3)] = 12  # images whose cue is removed and copied
    recipients: Annotated[int, at_least(6)] = 24  # images of other classes that it is pasted into
    effect: Annotated[float, between(0, 1)] = 0.2  # smallest effect, beyond controls, that is called confirmed
    level: Annotated[float, above(0)] = 0.05  # of the corrected tests
    explorers: Annotated[int, at_least(0)] = 1  # example images per finding that open in the explorer

    def __post_init__(self) -> None:
        check_fields(self)
        if self.explainer is not None and self.method not in (None, EXPLAINED):
            raise OptionError(
                f"explainer makes the maps by {EXPLAINED}, but method is {self.method!r}: drop one of them"
            )

    def options(self, method: str) -> dict[str, Any]:
        """The options of a method of the maps."""
        return {"explainer": self.explainer} if method == EXPLAINED and self.explainer is not None else {}
