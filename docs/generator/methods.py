"""A page per method, their index, and the chooser: from registry, docstrings, data files and notes."""

import inspect
import sys
from collections.abc import Iterator
from textwrap import wrap

from facts import (
    NETWORKS,
    facts_of,
    full_name,
    group_of,
    interval,
    notes,
    options_table,
    passes,
    peculiarities,
    recorded,
    runs_on,
    table,
)

from seewhy.models.vit import ViT
from seewhy.papers import bibtex, paper_field
from seewhy.registry import METHODS, Method

MEASURES = {
    "forwards": "forward passes per map",
    "backwards": "backward passes per map",
    "seconds": "processor seconds per map, one thread",
    "relative_seconds": "the same over a forward pass",
    "repeat_difference": "largest difference between two runs (0: deterministic)",
    "seed_similarity": "similarity to the map of another seed",
    "class_similarity": "similarity to the map of another class (1: does not depend on the class)",
    "noise_similarity": "similarity to the map of the image with a little noise",
    "random_weights_similarity": "similarity to the map of the network with random weights (0: depends on the weights)",
    "ins_del": "insertion − deletion ↑",
    "aupr_foreground": "AUPR on the object ↑",
}
FAILING = {  # bounds that a whole interval must exceed (1) or stay below (-1)
    "class_similarity": (0.9, 1, "the map of another class is nearly the same"),
    "noise_similarity": (0.5, -1, "a little noise changes the order of the pixels"),
    "random_weights_similarity": (0.2, 1, "part of the map is there with random weights, too,"),
}
SHOWN_ON = {"vit": "Scenes ViT", "cnn": "EfficientNet-Lite0"}


def method_pages() -> dict[str, str]:
    pages = {f"methods/{method.name}.md": "\n\n".join(method_page(method)) + "\n" for method in METHODS.all()}
    return pages | {"methods/index.md": index_page()}


def networks_of(method: Method) -> list[str]:
    """The bundled networks that a method runs on."""
    return [network for network in NETWORKS if runs_on(method.name, network)]


def method_page(method: Method) -> Iterator[str]:
    module = inspect.getdoc(sys.modules[method.function.__module__]) or ""
    docstring = inspect.getdoc(method.function) or ""
    idea, formula, symbols, differs, known = split_docstring(module)
    yield f"# {method.name}\n\n{method.summary}"
    yield summary_table(method)
    yield f"## Idea\n\n{idea_picture(method)}\n\n{idea}"
    yield f"## The same six images\n\n<!-- pictures {method.name} -->"
    yield use(method)
    yield f"## Options\n\n{docstring.partition(chr(10))[2].strip()}"
    if method.options:
        yield options_table(method.options, docstring)
    if formula or symbols:
        yield f"## Formula\n\n{formula}\n\n{symbols}"
    if differs:
        yield f"## Differs from the paper\n\n{differs}"
    yield measured(method)
    yield f"## Explore\n\n<!-- explorer {method.name} -->"
    yield failures(method, known)
    yield citation(method)


def split_docstring(module: str) -> tuple[str, str, str, str, str]:
    """Idea, formula, table of symbols, differences from the paper, known peculiarities of a module docstring."""
    parts: dict[str, list[str]] = {"formula": [], "|": [], "differs from": [], "known": []}
    rest = []
    for block in module.split("\n\n"):
        parts.get(next((start for start in parts if block.lower().startswith(start)), ""), rest).append(block)
    formula, differs, known = (
        "\n\n".join(parts[start]).partition(":")[2].strip() for start in ("formula", "differs from", "known")
    )
    lines = [
        line
        for part in " ".join(formula.split()).split("; ")
        for line in wrap(part, 76, subsequent_indent="    ", break_on_hyphens=False)
    ]
    code = "\n".join(["```", *lines, "```"]) if lines else ""
    return "\n\n".join(rest), code, "\n\n".join(parts["|"]), differs[:1].upper() + differs[1:], known


def idea_picture(method: Method) -> str:
    """From the image to the map in a few steps: those of the notes, else the sentence of the registry."""
    network = (networks_of(method) or ["vit"])[0]
    steps = notes()["ideas"].get(method.name, [method.summary.rstrip(".")])
    image = f'<img src="../pictures/images-{network}-first.jpg" alt="an image"> image'
    drawn = f"<!-- first {method.name} {network} --> map"
    return f'<ol class="idea">{"".join(f"<li>{step}</li>" for step in (image, *steps, drawn))}</ol>'


def summary_table(method: Method) -> str:
    models = "any ViT" if method.needs is ViT else "any classifier"
    costs = [f"{cost_of(method, network)} on {SHOWN_ON[network]}" for network in NETWORKS if cost_of(method, network)]
    rows = [
        ("models", f"{models}{', some are refused' if method.may_refuse else ''} ([matrix](../methods.md))"),
        ("group", notes()["groups"].get(group_of(method), {}).get("title", "")),
        ("cost of a map", "; ".join(costs) or "not measured"),
        ("depends on the class", "no" if method.class_agnostic else "yes"),
        ("optimizes deletion and insertion", "yes: these scores favor it" if method.optimizes else "no"),
    ]
    return table(["fact", "value"], rows)


def cost_of(method: Method, network: str) -> str:
    taken = passes(method.name, network)
    return "" if taken is None else f"{taken:.4g} {'pass' if taken == 1 else 'passes'}"


def use(method: Method) -> str:
    """Code and command on a bundled network: some methods refuse a ViT, others a CNN."""
    network = (networks_of(method) or ["vit"])[0]
    name, model = full_name(method, network), NETWORKS[network]
    image = 'seewhy.Scenes("test", 12)[0].image' if network == "vit" else 'seewhy.zoo.sample_photos()["cat"]'
    return f"""## Use

```python
import seewhy

model = seewhy.load_model("{model}")
image = {image}
explanation = seewhy.explain(model, image, "{name}")
explanation.overlay().save("why.png")
```

```
seewhy explain photo.jpg --model {model} --method {name}
```"""


def measured(method: Method) -> str:
    parts = [part for part in (facts_text(method), recorded_text(method)) if part]
    missing = "Not measured yet: `python benchmarks/method_facts.py` does it."
    return "## Measured\n\n" + ("\n\n".join(parts) or missing)


def facts_text(method: Method) -> str:
    found = {network: facts_of(method.name, network) for network in NETWORKS if facts_of(method.name, network)}
    if not found:
        return ""
    firsts = {network: next(iter(facts.values())) for network, facts in found.items()}
    heads = ["measure", *(f"{SHOWN_ON[network]}, {first['data']}" for network, first in firsts.items())]
    measures = [measure for measure in MEASURES if any(measure in facts for facts in found.values())]
    rows = [(MEASURES[each], *(interval(facts.get(each)) for facts in found.values())) for each in measures]
    runs = " and ".join(dict.fromkeys(f"`{first['run']}`" for first in firsts.values()))
    commits = ", ".join(dict.fromkeys(f"{first['commit']} of {first['date']}" for first in firsts.values()))
    return f"""{runs} with default options; means with 95 % intervals over n images. Similarity is the rank correlation
of two maps: 1 the same order of pixels, 0 unrelated. The other class is the look-alike (Scenes) or the second likeliest
(photos). Scores: RISE's protocol with eleven points. Data: `benchmarks/data/method_facts.csv`, by
`benchmarks/method_facts.py` at commit {commits}.

{table(heads, rows)}"""


def recorded_text(method: Method) -> str:
    """Scores of earlier benchmarks, whose rows were not kept; scores compare within one benchmark only."""
    rows = []
    for about, row in recorded(method.name):
        scores = ", ".join(f"{name} {value}" for name, value in row.items() if name[-1:] in "↑↓" and value)
        if not scores:
            continue  # a table of gains, or of methods by columns
        cost = row.get("forwards + backwards", "")
        rows.append((about["table"], about["protocol"], row.get("images", about["n"]), scores, cost, about["date"]))
    if not rows:
        return ""
    heads = ["benchmark", "protocol", "n", "means", "forwards + backwards", "recorded"]
    return (
        f"[Benchmarks](../results.md) with this method; scores compare within one of them only.\n\n{table(heads, rows)}"
    )


def failures(method: Method, known: str) -> str:
    group = notes()["groups"].get(group_of(method), {})
    own = notes().get("methods", {}).get(method.name, {})
    lines = [f"- {known}"] if known else []
    lines += [f"- {each}" for each in (*own.get("fails", ()), *measured_failures(method))]
    lines += [f"- {looks}: {why} ({status})" for looks, why, status in peculiarities().get(method.name, ())]
    avoid = [f"- {text}" for text in (own.get("avoid"), group.get("avoid")) if text]
    text = "## Known failures\n\n" + ("\n".join(lines) or "None recorded; see [the matrix of models](../methods.md).")
    return text + ("\n\n## When not to use it\n\n" + "\n".join(avoid) if avoid else "")


def measured_failures(method: Method) -> Iterator[str]:
    """What the measured facts say against a method, on each network; nothing against controls."""
    for network in NETWORKS if method.paper else ():
        facts, control = facts_of(method.name, network), facts_of("random", network).get("ins_del")
        where, score = f"on {SHOWN_ON[network]} (measured)", facts.get("ins_del")
        for measure, (bound, sign, text) in FAILING.items():
            row = facts.get(measure)
            if row and sign * (float(row["low" if sign > 0 else "high"]) - bound) > 0:
                yield f"{text} {where}: similarity {interval(row)}"
        if control and score and float(score["value"]) < float(control["value"]):
            both = f"{interval(score)}, {interval(control)}"
            yield f"mean insertion − deletion below that of a random map {where}: {both}"


def citation(method: Method) -> str:
    if not method.paper:
        return "## Citation\n\nThere is no paper to cite."
    return f"## Citation\n\n```\n{bibtex(method.paper)}\n```\n\n`seewhy cite {method.name}` prints it."


def index_page() -> str:
    parts = [
        "# Methods\n\nThe same interface for all of them; [choose one](../choose.md) by model, question and budget."
    ]
    groups = {name: group.get("title", name) for name, group in notes()["groups"].items()} | {"other": "Other"}
    for key, title in groups.items():
        members = [method for method in METHODS.all() if group_of(method) == key]
        rows = [(f"[{each.name}]({each.name}.md)", "ViT" if each.needs is ViT else "any", each.summary, paper(each))
                for each in members]  # fmt: skip
        if rows:
            parts.append(f"## {title}\n\n{table(['method', 'models', 'what the map shows', 'paper'], rows)}")
    return "\n\n".join(parts) + "\n"


def paper(method: Method) -> str:
    if not method.paper:
        return ""
    return f"{paper_field(method.paper, 'author').split(',')[0]} {paper_field(method.paper, 'year')}"


def comparison() -> str:
    """All methods on the networks they were measured on; the choices of the page filter it."""
    heads = ["method", "models", "measured on", "n", *MATRIX.values()]
    head = "".join(f"<th>{each}</th>" for each in heads)
    rows = [row for method in METHODS.all() for row in matrix_rows(method)]
    return f"""<div id="chooser" hidden></div>

<div class="matrix"><table id="methods"><thead><tr>{head}</tr></thead>
<tbody>
{chr(10).join(rows)}
</tbody></table></div>

Measured by `benchmarks/method_facts.py` with the default options of each method, on the bundled networks: the ViT of
[Scenes](scenes.md), and EfficientNet-Lite0 on photos; the page of a method has the intervals. *Time* is processor time
over that of a forward pass, on one thread. *Other class*, *noise* and *random weights* are rank correlations of the map
with that of another class, of the image with a little noise, and of the network with random weights: a method whose map
hardly changes with random weights does not explain the network. *ins − del* is insertion minus deletion (RISE's
protocol, eleven points), *AUPR* asks whether the map is on the object, where its mask is known. "–" is not
measured: methods of many passes so far, and random weights where a method refuses them. Few images: for methods that
are close, measure on your own network."""


MATRIX = {
    "passes": "passes",
    "relative_seconds": "time",
    "class_similarity": "other class",
    "noise_similarity": "noise",
    "random_weights_similarity": "random weights",
    "ins_del": "ins − del ↑",
    "aupr_foreground": "AUPR ↑",
}


def matrix_rows(method: Method) -> list[str]:
    """A line per network that a method was measured on; one without numbers if it was not."""
    kind = "vit" if method.needs is ViT else "black" if group_of(method) in ("perturbation", "control") else "any"
    question = "contrast" if method.name == "var" else "agnostic" if method.class_agnostic else "why"
    link = f'<a href="methods/{method.name}.html">{method.name}</a>'
    rows = []
    for network in [each for each in NETWORKS if facts_of(method.name, each)] or [""]:
        facts, taken = (facts_of(method.name, network), passes(method.name, network)) if network else ({}, None)
        numbers = {each: f"{round(float(row['value']), 2) + 0:.2f}" for each, row in facts.items()}
        numbers["passes"] = "–" if taken is None else f"{taken:.4g}"
        cells = [link, {"vit": "ViT", "black": "any, also ONNX", "any": "any"}[kind], SHOWN_ON.get(network, "–")]
        cells += [facts.get("class_similarity", {}).get("n", "–"), *(numbers.get(each, "–") for each in MATRIX)]
        cost = "" if taken is None else f"{taken:g}"
        data = f'data-model="{kind}" data-network="{network}" data-passes="{cost}" data-question="{question}"'
        rows.append(f"<tr {data}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    return rows
