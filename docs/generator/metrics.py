"""A page per metric, and one of protocols: from the registry, docstrings and notes."""

import inspect
import sys
from collections.abc import Iterator
from typing import Any

from facts import notes, options_table, shown, table

from seewhy.metrics import list_protocols
from seewhy.metrics.protocols import get_protocol
from seewhy.papers import bibtex
from seewhy.registry import METRICS, EvidenceFunction, Metric

INPUTS = {
    "regions": "ground-truth regions",
    "explain": "explaining again",
}


def metric_pages() -> dict[str, str]:
    pages = {f"metrics/{metric.name}.md": "\n\n".join(metric_page(metric)) + "\n" for metric in METRICS.all()}
    return pages | {"metrics/index.md": index_page(), "protocols.md": protocols_page()}


def metric_page(metric: Metric) -> Iterator[str]:
    docstring, own = inspect.getdoc(metric.function) or "", notes().get("metrics", {}).get(metric.name, {})
    yield f"# {metric.name}\n\n{docstring}"
    module = inspect.getdoc(sys.modules[metric.function.__module__]) or ""
    needed = [*metric.needed, *(words for need, words in INPUTS.items() if need in all_needs(metric))]
    rows = [
        ("better", "higher ↑" if metric.higher_is_better else "lower ↓"),
        ("range", own.get("range", "see the definition")),
        ("computed from", ", ".join(needed) or "the maps alone"),
        ("runs by default", "only if asked for" if metric.costly else "with the protocols that compute its evidence"),
        ("NaN if", metric.undefined),
        ("protocols that change it", ", ".join(changing(metric)) or "none"),
    ]
    yield table(["fact", "value"], rows)
    yield f"## Definition\n\n{module}"
    if own.get("example"):
        yield f"## Worked example\n\n{setting(metric, own)}{own['example']}"
    if own.get("fooled") or notes()["metrics_fooled"].get(family(metric)):
        yield f"## What fools it\n\n{own.get('fooled') or notes()['metrics_fooled'][family(metric)]}"
    yield use(metric)
    usual = notes()["metric_options"]
    if metric.options:
        yield f"## Options\n\n{options_table(metric.options, docstring + ' ' + module, usual)}"
    for name, evidence in metric.needed.items():
        if evidence.options:
            about = inspect.getdoc(evidence.function) or ""
            options = options_table(evidence.options, about, usual)
            yield f"### Of its evidence `{name}`\n\n{evidence.summary}\n\n{options}"
    if metric.paper:
        yield f"## Citation\n\n```\n{bibtex(metric.paper)}\n```"


def setting(metric: Metric, own: dict[str, Any]) -> str:
    """What the examples with a `value` have in common."""
    if "value" not in own:
        return ""
    if family(metric) == "regions":
        return "A 2 × 2 map of .4 .1 above .3 .2, and the top row as region: "
    network = "A network whose probability is the sum of four pixels, " if family(metric) != "maps" else ""
    return f"{network}{'an' if network else 'An'} image of .4 .3 above .2 .1, and a map equal to the image: "


def family(metric: Metric) -> str:
    """What a metric is computed from, as the notes group them."""
    needs = all_needs(metric)
    return next((name for name in ("curves", "masked", "regions", "explain", "information") if name in needs), "maps")


def all_needs(function: EvidenceFunction) -> set[str]:
    """What a metric needs, and what its evidence needs."""
    return set(function.needs).union(*(all_needs(each) for each in function.needed.values()))


def changing(metric: Metric) -> list[str]:
    return [f"`{name}`" for name in list_protocols() if get_protocol(name).settings(metric)]


def use(metric: Metric) -> str:
    given = ", regions=scene.object[None, None]" if "regions" in all_needs(metric) else ""
    return f"""## Use

```python
import seewhy

model = seewhy.load_model("seewhy/scenes-vit")
scene = seewhy.Scenes("test", 12)[0]
explanation = seewhy.explain(model, scene.image, "libra_ixg_plus")
print(seewhy.evaluate(model, explanation, ["{metric.name}"]{given}))
```"""


def index_page() -> str:
    rows = [
        (f"[{metric.name}]({metric.name}.md) {metric.arrow}", metric.summary, ", ".join(metric.needs))
        for metric in METRICS.all()
    ]
    advice = "[Which metric?](../choose.md#which-metric) Scores compare only under one [protocol](../protocols.md)."
    return f"# Metrics\n\n{advice}\n\n{table(['metric', 'score', 'needs'], rows)}\n"


def protocols_page() -> str:
    parts = [f"# Protocols\n\n{inspect.getdoc(sys.modules['seewhy.metrics.protocols']).split('    >>>')[0].strip()}"]
    for name in list_protocols():
        protocol = get_protocol(name)
        rows = [(f"`{owner}.{option}`", f"`{shown(value)}`") for owner, given in protocol.options.items()
                for option, value in given.items()]  # fmt: skip
        metrics = ", ".join(f"[{each.name}](metrics/{each.name}.md)" for each in protocol.default_metrics())
        settings = table(["option", "value"], rows) if rows else "All options at their defaults."
        parts.append(f"## {name}\n\n{protocol.about}\n\n{settings}\n\nMetrics by default: {metrics}.")
    return "\n\n".join(parts) + "\n"
