"""A page per method, their index, and the chooser: from registry, docstrings, data files and notes."""

import inspect
import sys
from collections.abc import Iterator

from facts import (
    BASE,
    facts_of,
    group_of,
    interval,
    notes,
    options_table,
    passes,
    peculiarities,
    recorded,
    runs_on_vit,
    table,
)

from seewhy.models.vit import ViT
from seewhy.papers import bibtex, paper_field
from seewhy.registry import METHODS, Method

MEASURES = {
    "forwards": "forward passes per map",
    "backwards": "backward passes per map",
    "relative_seconds": "time of a map over that of a forward pass",
    "repeat_difference": "largest difference between two runs",
    "seed_similarity": "similarity to the map of another seed",
    "class_similarity": "similarity to the map of the look-alike class",
    "noise_similarity": "similarity to the map of the image with a little noise",
    "random_weights_similarity": "similarity to the map of the network with random weights",
    "ins_del": "insertion − deletion ↑",
    "aupr_foreground": "AUPR on the object ↑",
}


def method_pages() -> dict[str, str]:
    pages = {f"methods/{method.name}.md": "\n\n".join(method_page(method)) + "\n" for method in METHODS.all()}
    return pages | {"methods/index.md": index_page(), "choose.md": chooser_page()}


def full_name(method: Method) -> str:
    return f"{method.name}:{BASE}" if method.wraps else method.name


def method_page(method: Method) -> Iterator[str]:
    module = inspect.getdoc(sys.modules[method.function.__module__]) or ""
    docstring = inspect.getdoc(method.function) or ""
    idea, symbols, differs, known = split_docstring(module)
    yield f"# {method.name}\n\n{method.summary}"
    yield summary_table(method)
    yield f"<!-- picture {method.name} -->"
    yield f"## Idea\n\n{idea}"
    yield use(method)
    yield f"## Options\n\n{docstring.partition(chr(10))[2].strip()}"
    if method.options:
        yield options_table(method.options, docstring)
    if symbols:
        yield f"## Symbols of the paper\n\n{symbols}"
    if differs:
        yield f"## Differs from the paper\n\n{differs}"
    yield measured(method)
    yield f"## Explore\n\n<!-- explorer {method.name} -->"
    yield failures(method, known)
    yield citation(method)


def split_docstring(module: str) -> tuple[str, str, str, str]:
    """Idea, table of symbols, differences from the paper, known peculiarities of a module docstring."""
    blocks = module.split("\n\n")
    lowered = [block.lower() for block in blocks]
    symbols = [block for block in blocks if block.startswith("|")]
    differs = [block for block, low in zip(blocks, lowered, strict=True) if low.startswith("differs from")]
    known = [block for block, low in zip(blocks, lowered, strict=True) if low.startswith("known")]
    rest = [block for block in blocks if block not in (*symbols, *differs, *known)]
    cut = [block.partition(":")[2].strip() for block in (*differs[:1], *known[:1])]
    return (
        "\n\n".join(rest),
        "\n\n".join(symbols),
        cut[0] if differs else "",
        cut[-1] if known else "",
    )


def summary_table(method: Method) -> str:
    taken = passes(method.name)
    models = "any ViT" if method.needs is ViT else "any classifier"
    rows = [
        ("models", f"{models}{', some are refused' if method.may_refuse else ''} ([matrix](../methods.md))"),
        ("group", notes()["groups"].get(group_of(method), {}).get("title", "")),
        ("cost of a map", "not measured" if taken is None else f"{taken:.4g} {'pass' if taken == 1 else 'passes'}"),
        ("depends on the class", "no" if method.class_agnostic else "yes"),
        ("optimizes deletion and insertion", "yes: these scores favor it" if method.optimizes else "no"),
    ]
    return table(["fact", "value"], rows)


def use(method: Method) -> str:
    """Code on a bundled network: some methods refuse a ViT."""
    name, photos = full_name(method), not runs_on_vit(method.name)
    image = 'seewhy.zoo.sample_photos()["cat"]' if photos else 'seewhy.Scenes("test", 12)[0].image'
    return f"""## Use

```python
import seewhy

model = seewhy.load_model("{"seewhy/efficientnet-lite0" if photos else "seewhy/scenes-vit"}")
image = {image}
explanation = seewhy.explain(model, image, "{name}")
explanation.overlay().save("why.png")
```

```
seewhy explain photo.jpg --method {name}
```"""


def measured(method: Method) -> str:
    parts = [part for part in (facts_text(method), recorded_text(method)) if part]
    missing = "Not measured yet: `python benchmarks/method_facts.py` does it."
    return "## Measured\n\n" + ("\n\n".join(parts) or missing)


def facts_text(method: Method) -> str:
    facts = facts_of(method.name)
    if not facts:
        return ""
    first = next(iter(facts.values()))
    rows = [(title, interval(facts[measure])) for measure, title in MEASURES.items() if measure in facts]
    return f"""`{first["run"]}` with its defaults on {first["model"]}, {first["data"]}; means with 95 % intervals.
Similarity is the rank correlation of two maps: 1 the same order of pixels, 0 unrelated. Scores: RISE's protocol with
eleven points. Data: `benchmarks/data/method_facts.csv`, commit {first["commit"]}, {first["date"]}.

{table(["measure", "value"], rows)}"""


def recorded_text(method: Method) -> str:
    """Scores of earlier benchmarks, whose rows were not kept; scores compare within one benchmark only."""
    rows = []
    for about, row in recorded(method.name):
        scores = ", ".join(f"{name} {value}" for name, value in row.items() if name[-1:] in "↑↓" and value)
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
    lines += [f"- {looks}: {why} ({status})" for looks, why, status in peculiarities().get(method.name, ())]
    avoid = [f"- {text}" for text in (own.get("avoid"), group.get("avoid")) if text]
    text = "## Known failures\n\n" + ("\n".join(lines) or "None recorded; see [the matrix of models](../methods.md).")
    return text + ("\n\n## When not to use it\n\n" + "\n".join(avoid) if avoid else "")


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


def scene_scores(method: Method) -> list[str]:
    """Insertion minus deletion and AUPR of the largest benchmark on Scenes."""
    rows = [row for about, row in recorded(method.name) if about["table"] == "aha_scenes"]
    return [rows[0]["ins − del ↑"], rows[0]["AUPR ↑"]] if rows else ["–", "–"]


def chooser_page() -> str:
    """Advice and a matrix that choices filter."""
    columns = ["class_similarity", "noise_similarity", "random_weights_similarity", "ins_del", "aupr_foreground"]
    rows = []
    for method in METHODS.all():
        facts, taken = facts_of(method.name), passes(method.name)
        kind = "vit" if method.needs is ViT else "black" if group_of(method) in ("perturbation", "control") else "any"
        cells = [f"{float(facts[each]['value']):.2f}" if each in facts else "–" for each in columns]
        cells[-2:] = scene_scores(method) if "ins_del" not in facts else cells[-2:]
        questions = "contrast" if method.name == "var" else "agnostic" if method.class_agnostic else "why"
        data = f'data-model="{kind}" data-passes="{taken or 1e9:g}" data-question="{questions}"'
        cost = "–" if taken is None else f"{taken:.4g}"
        link = f'<a href="methods/{method.name}.html">{method.name}</a>'
        cells = [link, {"vit": "ViT", "black": "any, also ONNX", "any": "any"}[kind], cost, *cells]
        rows.append(f"<tr {data}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    heads = ["method", "models", "passes", "other class", "noise", "random weights", "ins − del ↑", "AUPR ↑"]
    head = "".join(f"<th>{each}</th>" for each in heads)
    text = (notes()["chooser"]["text"]).strip()
    return f"""# Choose a method

{text}

<div id="chooser" hidden></div>

<table id="methods"><thead><tr>{head}</tr></thead>
<tbody>
{chr(10).join(rows)}
</tbody></table>

Scores are those of `aha_scenes` (Scenes, the bundled ViT, 500 images; 60 for some: [Results](results.md)), or of
`benchmarks/method_facts.py` where that was run, whose other columns are rank correlations with the map of the
look-alike class, of the image with a little noise, and of the network with random weights. "–" is not measured. A
method whose map hardly changes with random weights does not explain the network.
"""
