"""Compare methods on the same images: maps, scores, a random control, and the significance of differences."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from seewhy import api
from seewhy.bench.statistics import SIGNIFICANT, Difference, holm, paired_difference
from seewhy.data import read_images
from seewhy.data.read import ImageBatch
from seewhy.errors import ImageError, ModelError, SeewhyError, TargetError
from seewhy.explanation import Explanation
from seewhy.metrics import Protocol
from seewhy.metrics.evaluation import Evaluation
from seewhy.models.classifier import Classifier
from seewhy.registry import resolve_method
from seewhy.runtime.progress import track
from seewhy.runtime.tables import html_table, show_number, text_table

# By default, the first of these that the model supports: fast methods of different kinds.
DEFAULT_METHODS = (
    "caap",
    "var:caap",
    "t_attr",
    "rollout",
    "grad_cam",
    "var:grad_cam",
    "layer_cam",
    "integrated_gradients",
)
MAX_METHODS = 6  # chosen by default
RANKED_BY = "ins_del"
METRICS = (RANKED_BY, "insertion", "deletion")
CONTROL = "random"


@dataclass(frozen=True)
class Comparison:
    """Explanations of the same images by several methods, and their scores; prints as a table with a verdict."""

    explanations: tuple[Explanation, ...]
    scores: Evaluation | None  # of all methods and the control; None if not requested
    skipped: dict[str, str]  # methods that do not fit the model, and why

    def plot(self, path: str | Path | None = None) -> Any:
        """A matplotlib figure, saved if a path is given: images (rows) by methods (columns)."""
        from seewhy.figures import compare_figure

        return compare_figure(self.explanations, path)

    def rows(self) -> list[dict[str, Any]]:
        """Scores and cost of every method, the best first: NaN for an undefined score, None for an unknown cost."""
        costs = {each.method: each.cost * (1 / len(each)) for each in self.explanations}
        rows = []
        for name in self._ranked() if self.scores is not None else costs:
            means = {} if self.scores is None else {metric: self.scores.mean(name, metric) for metric in METRICS}
            cost = costs.get(name)
            spent = (None, None) if cost is None else (cost.forwards + cost.backwards, cost.seconds)
            rows.append({"method": name, **means, "passes": spent[0], "seconds": spent[1]})
        return rows

    def table(self) -> tuple[list[str], list[list[str]]]:
        """`rows` as text."""
        shown = {"passes": "{:.3g}".format, "seconds": "{:.2f}".format}
        cells = [
            [
                str(value) if key == "method" else "–" if value is None else shown.get(key, show_number)(value)
                for key, value in row.items()
            ]
            for row in self.rows()
        ]
        return ["method", *(METRICS if self.scores is not None else ()), "passes", "s / image"], cells

    @property
    def verdict(self) -> str:
        """The best method, and whether its lead is significant for this number of images."""
        if self.scores is None:
            return "no scores were requested"
        if not self._scored():
            reasons = dict.fromkeys(row["error"] for row in self.scores if row["error"])
            return f"No method has a score: {'; '.join(reasons)}."
        return " ".join(filter(None, [self._winner(), self._not_better_than_control(), self._limits()]))

    def __repr__(self) -> str:
        return f"{text_table(*self.table())}\n{self.verdict}"

    def _repr_html_(self) -> str:
        return f"{html_table(*self.table())}<p>{self.verdict}</p>"

    def _ranked(self) -> list[str]:
        assert self.scores is not None
        means = {name: self.scores.mean(name, RANKED_BY) for name in self.scores.methods}
        return sorted(means, key=lambda name: -means[name] if not math.isnan(means[name]) else math.inf)

    def _scored(self) -> list[str]:
        """The methods, and the control, that have a score, the best first."""
        assert self.scores is not None
        return [name for name in self._ranked() if not math.isnan(self.scores.mean(name, RANKED_BY))]

    def _winner(self) -> str:
        ranked = [name for name in self._scored() if name != CONTROL]
        if len(ranked) < 2:
            return ""
        best, second = ranked[:2]
        gap = self._gap(best, second)
        return f"{best} scores highest (insertion − deletion), {show_number(gap.mean)} above {second}" + (
            self._by_reference(best, second) if gap.count == 1 else self._significance(best, ranked[1:])
        )

    def _by_reference(self, best: str, second: str) -> str:
        assert self.scores is not None
        references = dict.fromkeys(row["reference"] for row in self.scores if row["reference"] != "all")
        ahead = [r for r in references if self._mean(best, r) > self._mean(second, r)]
        return f", ahead with {len(ahead)} of {len(references)} references." if references else "."

    def _significance(self, best: str, others: Sequence[str]) -> str:
        """Methods that the best one beats significantly: Wilcoxon's test with Holm's correction."""
        gaps = [self._gap(best, other) for other in others]
        ps = holm(np.array([gap.p for gap in gaps]))
        inconclusive = [other for other, p in zip(others, ps, strict=True) if not p < SIGNIFICANT]
        interval = f" (95% interval {show_number(gaps[0].low)} to {show_number(gaps[0].high)}"
        if not inconclusive:
            return f"{interval}); the difference to every other method is significant."
        excludes = gaps[0].low > 0 and others[0] in inconclusive
        test = ", but not significant by Wilcoxon's test with Holm's correction" if excludes else ""
        return f"{interval}{test}); the difference to {', '.join(inconclusive)} may be due to chance."

    def _not_better_than_control(self) -> str:
        ranked = self._scored()
        worse = ranked[ranked.index(CONTROL) + 1 :] if CONTROL in ranked else []
        return f"No better than a random map: {', '.join(worse)}." if worse else ""

    def _limits(self) -> str:
        assert self.scores is not None
        cases = self.scores.cases
        if cases >= 20:
            return ""
        number = "One image cannot" if cases == 1 else f"{cases} images can hardly"
        return f"{number} rank methods: {ONE_IMAGE} Compare at least 20."

    def _gap(self, first: str, second: str) -> Difference:
        assert self.scores is not None
        return paired_difference(*(np.array(self.scores.scores(name, RANKED_BY)) for name in (first, second)))

    def _mean(self, method: str, reference: str) -> float:
        assert self.scores is not None
        return self.scores.mean(method, RANKED_BY, reference=reference)


# Measured by benchmarks/default_method.py: the median of 56 pairs of methods on 40 images each (data/one_image.csv).
ONE_IMAGE = "of two methods, the one that is better on average is ahead on about 62% of single images."


def compare(
    model: Classifier,
    images: Any,
    methods: Sequence[str] | str | None = None,
    targets: Any = None,
    *,
    scores: bool = True,
    protocol: str | Protocol = "aha",
) -> Comparison:
    """Explain the same images with several methods and score the maps, with a random map as control.

    `methods` default to a selection of fast ones. Methods that do not fit the model or fail are skipped; `skipped` says
    why.
    `scores=False` only makes the maps: scoring takes about 120 forward passes per method, image and class.
    """
    chosen = [methods] if isinstance(methods, str) else methods
    names = list(dict.fromkeys(chosen or DEFAULT_METHODS))
    for name in names:
        resolve_method(name)
    batch = images if isinstance(images, ImageBatch) else read_images(images, model.preprocess)
    explanations: list[Explanation] = []
    skipped: dict[str, str] = {}
    for name in track(names, "comparing"):
        try:
            explanations.append(_explain(model, batch, name, targets))
        except (TargetError, ImageError):  # wrong for every method
            raise
        except SeewhyError as error:
            reason = str(error).removeprefix(f"{name} on {model.name}, ")
            skipped[name] = reason.partition(" Methods that fit:")[0]
        if methods is None and len(explanations) == MAX_METHODS:
            break
    if not explanations:
        raise ModelError("none of the methods fits the model: " + "; ".join(f"{k}: {v}" for k, v in skipped.items()))
    rows = _score(model, explanations, protocol) if scores else None
    return Comparison(tuple(explanations), rows, skipped if methods else {})


def _explain(model: Classifier, batch: ImageBatch, method: str, targets: Any) -> Explanation:
    explanation = api.explain(model, batch.images, method, targets)
    return replace(explanation, names=batch.names, originals=batch.originals, boxes=batch.boxes)


def _score(model: Classifier, explanations: Sequence[Explanation], protocol: str | Protocol) -> Evaluation:
    control = any(each.method == CONTROL for each in explanations)
    return api.evaluate(model, explanations, METRICS, protocol=protocol, control=not control)
