"""Flips: the smallest fraction of the pixels whose deletion, or whose insertion, changes the decision.

The decision is the top class of the image. Deletion removes the most important pixels until it changes; insertion puts
them into the reference until it is back. Both are measured at fixed fractions, most of them small. A later point may
change the decision back; the first change counts.
"""

import itertools
from dataclasses import dataclass
from typing import Any

from seewhy.errors import OptionError
from seewhy.metrics.cases import Cases
from seewhy.metrics.heatmaps import heatmaps
from seewhy.metrics.predictions import PredictionCache
from seewhy.metrics.references import DEFAULT_REFERENCES, References, find_references
from seewhy.metrics.sweep import Direction, DirectionCurves, SweepSettings, run_sweep
from seewhy.models.classifier import Classifier
from seewhy.ops.flips import flip_count
from seewhy.runtime.tables import html_table, text_table, to_dataframe
from seewhy.runtime.targets import class_name
from seewhy.types import Images, Maps, Targets

FINE = (0, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12.5, 15, 17.5, 20, 22.5, 25)  # percent
FRACTIONS = tuple(percent / 100 for percent in (*FINE, *range(30, 101, 5)))


@dataclass(frozen=True)
class Flip:
    """The change of the decision on one image, by one map and one reference; None where it does not change."""

    image: int
    target: str  # the class whose map it is
    decision: str  # the top class of the image
    reference: str
    deletion: float | None  # smallest fraction of the pixels whose removal changes the decision
    becomes: str | None  # the decision then
    insertion: float | None  # smallest fraction whose insertion into the reference restores it
    instead_of: str | None  # the decision just before; None if the bare reference already gives it


class Flips(tuple[Flip, ...]):
    """Flips by image, class and reference; prints as a table, `to_dataframe()` gives a DataFrame."""

    COLUMNS = ("image", "map of", "decision", "reference", "removing", "makes it", "inserting", "restores it from")

    def to_dataframe(self) -> Any:
        """All rows as a pandas DataFrame."""
        return to_dataframe([vars(flip) for flip in self])

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Header and cells."""
        return list(self.COLUMNS), [_cells(flip) for flip in self]

    def __repr__(self) -> str:
        return text_table(*self.table())

    def _repr_html_(self) -> str:
        return html_table(*self.table())


@dataclass(frozen=True)
class FlipPoint:
    """The same by indices: `target` and `reference` are positions."""

    image: int
    target: int
    reference: int
    decision: int
    deletion: float | None
    becomes: int | None
    insertion: float | None
    instead_of: int | None


def find_flips(
    model: Classifier,
    images: Images,
    maps: Maps,
    targets: Targets,
    *,
    references: References = DEFAULT_REFERENCES,
    fractions: tuple[float, ...] = FRACTIONS,
) -> Flips:
    """Flips by image, class and reference, from a deletion and an insertion sweep over `fractions` of the pixels."""
    names = [pair.name for pair in find_references(references)]

    def named(index: int | None) -> str | None:
        return None if index is None else class_name(index, model.class_names)

    def flip(point: FlipPoint) -> Flip:
        target, decision = named(int(targets[point.image, point.target])), named(point.decision)
        deletion, insertion = (point.deletion, named(point.becomes)), (point.insertion, named(point.instead_of))
        return Flip(point.image, str(target), str(decision), names[point.reference], *deletion, *insertion)

    return Flips(map(flip, find_flip_points(model, images, maps, targets, references=references, fractions=fractions)))


def find_flip_points(
    model: Classifier,
    images: Images,
    maps: Maps,
    targets: Targets,
    *,
    references: References = DEFAULT_REFERENCES,
    fractions: tuple[float, ...] = FRACTIONS,
) -> list[FlipPoint]:
    """Flips as by `find_flips`, with indices of classes and references instead of names."""
    fractions = tuple(fractions)
    if not fractions or not 0 <= fractions[0] <= fractions[-1] <= 1 or list(fractions) != sorted(fractions):
        raise OptionError(f"fractions must be from 0 to 1, ascending; got {fractions}")
    cases = Cases(model, images, targets, PredictionCache())
    pairs, resized = find_references(references), heatmaps(maps.to(images), images)
    mirrored = tuple(1 - fraction for fraction in reversed(fractions))  # insertion counts are the complements
    deletion = run_sweep(cases, resized, SweepSettings(pairs, fractions)).deletion
    insertion = run_sweep(cases, resized, SweepSettings(pairs, mirrored)).insertion
    decisions, pixels = model.probabilities(images).argmax(dim=1).tolist(), images.shape[-2] * images.shape[-1]

    def point(where: tuple[int, int, int]) -> FlipPoint:
        decision = decisions[where[0]]
        deleted = _first_change(deletion, "deletion", where, decision, pixels)
        inserted = _first_change(insertion, "insertion", where, decision, pixels)
        return FlipPoint(*where, decision, *deleted, *inserted)

    rows, classes = map(range, targets.shape)
    return [point(where) for where in itertools.product(rows, classes, range(len(pairs)))]


def _first_change(
    curves: DirectionCurves, direction: Direction, where: tuple[int, int, int], decision: int, pixels: int
) -> tuple[float | None, int | None]:
    """The fraction at which the decision changes, and the other class: the new one, or the one before insertion."""
    counts, top1 = curves.counts.tolist(), curves.top1[where].tolist()
    count = flip_count(counts, top1, decision, direction=direction)
    if count is None:
        return None, None
    point = counts.index(count) - (direction == "insertion")
    return count / pixels, top1[point] if point >= 0 else None


def _cells(flip: Flip) -> list[str]:
    deletion, insertion = (
        "never" if fraction is None else f"{fraction:.1%}" for fraction in (flip.deletion, flip.insertion)
    )
    known = [str(flip.image), flip.target, flip.decision, flip.reference]
    return [*known, deletion, flip.becomes or "–", insertion, flip.instead_of or "–"]
