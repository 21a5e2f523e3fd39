"""Verdicts: paired effects beyond the controls, corrected for all candidates.

- `confirmed`: pasted into images of other classes, the cue raises the probability of the class and turns decisions,
  both beyond control patches by at least `effect`, and the corrected test agrees.
- `suspected`: a part of that: removing it does more than controls, or pasting it does, but less or not corrected.
- `not supported`: nothing beyond what control regions do.

Where masks of the objects are known, no pixel of a cue lies on one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from seewhy.audits.config import AuditConfig
from seewhy.audits.prove import CUE, RANDOM, REMOVED, SALIENT, Row
from seewhy.bench.statistics import holm, paired_difference

CONFIRMED, SUSPECTED, UNSUPPORTED = "confirmed", "suspected", "not supported"
VERDICTS = (CONFIRMED, SUSPECTED, UNSUPPORTED)


@dataclass(frozen=True)
class Effect:
    """A mean paired difference between the cue and a control, with its bootstrap interval and one-sided p-value."""

    mean: float
    low: float
    high: float
    p: float
    count: int


@dataclass(frozen=True)
class Effects:
    """What removing and inserting a cue does, beyond the controls of the same images."""

    necessary: Effect  # drop of the probability when removed: the smallest over references and controls
    sufficient: Effect  # rise of the probability when pasted
    decisions: Effect  # share of decisions that turn to the class when pasted
    transplanted: Effect | None  # rise when its activations are inserted
    before: float  # mean probability of the class in the recipients
    after: float  # … with the cue
    control: float  # … with the control patch
    turned: float  # share of recipients predicted as the class, with the cue
    accuracy_with: float | None  # of the donors, None without labels
    accuracy_without: float | None  # … with the cue removed (mean over references)

    @property
    def turned_by_control(self) -> float:
        """The share of recipients predicted as the class, with the control patch."""
        return self.turned - self.decisions.mean


def measure_effects(rows: Sequence[Row], target: int) -> Effects:
    """The effects of one candidate from the rows of its tests."""

    def column(test: str, how: str, region: str, name: str = "probability") -> Float[ndarray, " images"]:
        values = [row[name] for row in rows if (row["test"], row["how"], row["region"]) == (test, how, region)]
        return np.array(values, dtype=float)

    necessary = [
        effect(column("remove", how, control), column("remove", how, CUE))
        for how in REMOVED
        for control in (RANDOM, SALIENT)
    ]
    pasted, control = column("paste", "pixels", CUE), column("paste", "pixels", SALIENT)
    turned, kept = (column("paste", "pixels", region, "decision") == target for region in (CUE, SALIENT))
    moved = column("transplant", "activations", CUE)
    return Effects(
        necessary=max(necessary, key=lambda each: (each.p, -each.mean)),  # it must beat every control
        sufficient=effect(pasted, control),
        decisions=effect(turned.astype(float), kept.astype(float)),
        transplanted=effect(moved, column("transplant", "activations", SALIENT)) if len(moved) else None,
        before=float(column("paste", "none", "whole").mean()),
        after=float(pasted.mean()),
        control=float(control.mean()),
        turned=float(turned.mean()),
        accuracy_with=_accuracy(rows, ("none",), "whole"),
        accuracy_without=_accuracy(rows, REMOVED, CUE),
    )


def effect(first: Float[ndarray, " images"], second: Float[ndarray, " images"]) -> Effect:
    """The mean of first minus second, image by image; the p-value is that of no rise (Wilcoxon, one-sided).

    >>> effect(np.array([0.9, 0.8, 0.7, 0.95, 0.6]), np.array([0.1, 0.2, 0.2, 0.1, 0.05])).p  # 1 of 2^5
    0.03125
    """
    found = paired_difference(first, second)
    p = found.p / 2 if found.mean > 0 else 1 - found.p / 2
    return Effect(found.mean, found.low, found.high, p, found.count)


def correct(effects: Sequence[Effects], screened: int = 0) -> list[tuple[float, float]]:
    """The p-values of necessary and sufficient, corrected for all candidates, also those only screened (Holm)."""
    if not effects:
        return []
    ps = np.ones((max(screened, len(effects)), 2))
    ps[: len(effects)] = [[each.necessary.p, each.sufficient.p] for each in effects]
    return [(float(a), float(b)) for a, b in holm(ps.ravel()).reshape(ps.shape)[: len(effects)]]


def judge(effects: Effects, corrected: tuple[float, float], config: AuditConfig) -> tuple[str, str]:
    """The verdict of a candidate, and the reason in a sentence."""
    necessary, sufficient = corrected
    paste, enough, half = effects.sufficient, config.effect, config.effect / 2
    proven = sufficient < config.level and min(paste.mean, effects.decisions.mean) >= enough
    needed = necessary < config.level and effects.necessary.mean >= half
    raised = paste.p < config.level and paste.mean >= half
    if not (proven or needed or raised):
        return UNSUPPORTED, "Neither removing nor pasting it does more than control regions of the same images."
    if proven:
        return CONFIRMED, _removal(needed, effects.necessary.mean >= half)
    if needed:
        return (
            SUSPECTED,
            "Removing it lowers the probability more than controls do, but pasting it turns few decisions.",
        )
    return SUSPECTED, "Pasting it raises the probability, but too little, or not beyond chance after correction."


def _removal(needed: bool, seems: bool) -> str:
    """What removing a confirmed cue does, in a sentence."""
    if needed:
        return "Removing it lowers the probability, too."
    if seems:
        return "Removing it lowers the probability in these images, too; that alone is not significant once corrected."
    return "Without it, the object is enough."


def _accuracy(rows: Sequence[Row], how: Sequence[str], region: str) -> float | None:
    chosen = [row for row in rows if row["test"] == "remove" and row["how"] in how and row["region"] == region]
    known = [row["decision"] == row["label"] for row in chosen if row["label"] is not None]
    return float(np.mean(known)) if known else None
