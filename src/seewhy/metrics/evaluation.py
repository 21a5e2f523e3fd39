"""The result of `evaluate`: a list of rows that prints as a table of means."""

import math
from collections.abc import Iterable
from typing import Any

from seewhy.metrics.evidence import Row
from seewhy.registry import METRICS
from seewhy.runtime.tables import html_table, show_number, text_table, to_dataframe


class Evaluation(list[Row]):
    """One row per image, class, method, metric and reference; the reference "all" is the mean over references.

    Iterate it as a list of dicts. It prints as a table of means over images and classes, metrics by methods;
    `mean("caap", "deletion")` is one of them, `to_dataframe()` has all rows.
    """

    @property
    def methods(self) -> list[str]:
        return list(dict.fromkeys(row["method"] for row in self))

    @property
    def metrics(self) -> list[str]:
        return list(dict.fromkeys(row["metric"] for row in self))

    @property
    def cases(self) -> int:
        """Images times classes."""
        return len({(row["image"], row["target"]) for row in self})

    def scores(self, method: str, metric: str, *, reference: str = "all") -> list[float]:
        """The scores of one method and metric by image and class; NaN where one is undefined."""
        return [row["score"] for row in self._select(method, metric) if row["reference"] == reference]

    def mean(self, method: str, metric: str, *, reference: str = "all") -> float:
        """Mean over images and classes with a score; NaN if there is none."""
        scores = [score for score in self.scores(method, metric, reference=reference) if not math.isnan(score)]
        return sum(scores) / len(scores) if scores else math.nan

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Header and cells of the table of means: metrics down, methods across."""
        lines = [
            [f"{metric} {METRICS.get(metric).arrow}", *(self._cell(method, metric) for method in self.methods)]
            for metric in self.metrics
        ]
        return ["metric", *self.methods], lines

    @property
    def note(self) -> str:
        """The number of cases, references and protocol that the means are over."""
        references = dict.fromkeys(row["reference"] for row in self if row["reference"] != "all")
        over = f" and the references {', '.join(references)}" if references else ""
        protocols = ", ".join(dict.fromkeys(row["protocol"] for row in self))
        number = "1 image and class" if self.cases == 1 else f"{self.cases} images and classes"
        return f"mean over {number}{over}; protocol {protocols}"

    def to_dataframe(self) -> Any:
        """All rows as a pandas DataFrame."""
        return to_dataframe(self)

    def __repr__(self) -> str:
        return f"{text_table(*self.table())}\n{self.note}" if self else "Evaluation of no maps"

    def _repr_html_(self) -> str:
        return f"{html_table(*self.table())}<p>{self.note}</p>"

    def _select(self, method: str, metric: str) -> Iterable[Row]:
        return (row for row in self if row["method"] == method and row["metric"] == metric)

    def _cell(self, method: str, metric: str) -> str:
        mean = self.mean(method, metric)
        reason = next((row["error"] for row in self._select(method, metric) if row["error"]), "")
        return reason if math.isnan(mean) and reason else show_number(mean)
