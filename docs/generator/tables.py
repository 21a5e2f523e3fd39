"""Generate the tables in README.md and docs/: `python docs/generator/tables.py`.

The tables: all registered methods; which method supports which model, measured by running it (tests/model_families.py,
needs the extras [test], [hf] and [demo]); the settings of a training; measurements of data sets and peers, from
benchmarks/data.
"""

import csv
import inspect
import re
import shlex
import sys
from pathlib import Path

from seewhy.data.sets import KINDS
from seewhy.models.vit import ViT
from seewhy.papers import paper_field
from seewhy.registry import METHODS, Method, keyword_only
from seewhy.train.config import make_config, settings

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def methods_table() -> str:
    rows = ["| method | models | description | paper |", "|---|---|---|---|"]
    return "\n".join(rows + [_row(method) for method in METHODS.all()])


def _row(method: Method) -> str:
    name = f"`{method.name}:…`" if method.wraps else f"`{method.name}`"
    models = "ViT" if method.needs is ViT else "any"
    source = _cited(method.paper) if method.paper else ""
    return f"| {name} | {models} | {method.summary.rstrip('.')} | {source} |"


def _cited(key: str) -> str:
    """First author and year, linked if the entry has a URL."""
    name, url = f"{paper_field(key, 'author').split(',')[0]} {paper_field(key, 'year')}", paper_field(key, "url")
    return f"[{name}]({url})" if url else name


def families_table() -> str:
    sys.path.insert(0, str(ROOT / "tests"))
    from model_families import FAMILIES, NAMES, cell, outcomes

    heads = ["method", *FAMILIES]
    rows = [[f"`{name}`", *(cell(outcomes(family)[name]) for family in FAMILIES)] for name in NAMES]
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def architectures_table() -> str:
    """The rows of benchmarks/sweep_models.py."""
    with (ROOT / "benchmarks" / "data" / "sweep_models.csv").open() as file:
        found = list(csv.DictReader(file))
    methods = [name for name in found[0] if name in METHODS]
    heads = ["architecture", "pixels", "layer that CAM methods read", "read as", "network after it", *methods]
    rows = [
        [
            f"{row['library']}/{row['name']}",
            row["pixels"],
            f"`{row['layer']}`",
            row["layout"],
            f"{float(row['after'] or 0):.1%}",
            *(row[name] for name in methods),
        ]
        for row in found
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in [heads, ["---"] * len(heads), *rows])


def default_method_table() -> str:
    """The rows of benchmarks/default_method.py."""
    with (ROOT / "benchmarks" / "data" / "default_method.csv").open() as file:
        found = [row for row in csv.DictReader(file) if float(row["passes"]) < 250]
    rows = ["| network | method | insertion − deletion (95 % interval, n) | passes |", "|---|---|---|---|"]
    for row in found:
        score, low, high = (f"{float(row[key]):.3f}" for key in ("ins_del", "low", "high"))
        rows.append(
            f"| {row['model']} | `{row['method']}` | {score} ({low} to {high}, {row['images']}) | {row['passes']} |"
        )
    return "\n".join(rows)


def joint_table() -> str:
    """The rows of benchmarks/speed_joint.py."""
    with (ROOT / "benchmarks" / "data" / "speed_joint.csv").open() as file:
        found = list(csv.DictReader(file))
    rows = [
        "| network | images | joint over two graphs (95 %, n) | logits differ by | maps differ by |",
        "|---|---|---|---|---|",
    ]
    for row in found:
        ratio = f"{row['joint over two graphs']} ({row['low']} to {row['high']}, {row['n']})"
        rows.append(
            f"| {row['model']} | {row['images']} | {ratio} | {row['logits differ by']} | {row['maps differ by']} |"
        )
    return "\n".join(rows)


def training_table() -> str:
    """Fields of the configuration with their defaults and comments."""
    config = make_config()
    objects = {type(each): each for each in (config, config.explainer, config.explainer.shape, config.explainer.loss)}
    rows = ["| option | default | description |", "|---|---|---|"]
    for name, (kind, _) in settings().items():
        comment = re.search(rf"^    {name}: .*  # (.*)$", inspect.getsource(kind), re.MULTILINE)
        rows.append(f"| `{name}` | {_shown(getattr(objects[kind], name))} | {comment[1] if comment else ''} |")
    return "\n".join(rows)


def _shown(value: object) -> str:
    """A value as written on the command line."""
    if isinstance(value, tuple):
        numbers = len(value) > 3 and value == tuple(range(value[0], value[-1] + 1))
        return f"{value[0]}, …, {value[-1]}" if numbers else ", ".join(map(str, value))
    return {"None": "none", "True": "yes", "False": "no"}.get(str(value), str(value))


def page_speed_table() -> str:
    """The rows of benchmarks/page_speed.py."""
    with (ROOT / "benchmarks" / "data" / "page_speed.csv").open() as file:
        rows = [
            f"| {row['measure']} | {row['n']} | {row['median']} {row['unit']} | {row['low']} to {row['high']} |"
            for row in csv.DictReader(file)
        ]
    return "\n".join(["| measure | n | median | 95 % interval |", "|---|---|---|---|", *rows])


def measured(name: str) -> list[dict[str, str]]:
    with (ROOT / "benchmarks" / "data" / f"{name}.csv").open() as file:
        return list(csv.DictReader(file))


def as_table(rows: list[dict[str, str]]) -> str:
    lines = [list(rows[0]), ["---"] * len(rows[0]), *(list(row.values()) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


COARSE, FINE = ("grad_cam", "hires_cam"), ("gradient", "smooth_grad", "integrated_gradients")  # maps of pixels


def passes_of(method: str, network: str = "seewhy/efficientnet-lite0") -> float:
    """Forward passes of a method for an image, a backward pass counted as two: measured, or as many as its samples."""
    rows = [row for row in measured("method_facts") if (row["run"], row["model"]) == (method, network)]
    facts = {row["measure"]: float(row["value"]) for row in rows}
    if "forwards" in facts:
        return facts["forwards"] + 2 * facts["backwards"]
    options = METHODS.get(method).options
    return 3 * next(options[name].default for name in ("samples", "steps") if name in options)


def scaling_table() -> str:
    """What large stores cost: images, maps of each size and forward passes an image, times the measured constants."""
    scales = {
        "ImageNet, five methods": (1_281_167, len(COARSE), len(FINE), sum(map(passes_of, COARSE + FINE))),
        "a billion maps": (100_000_000, 10, 0, 20.0),
    }
    coarse, fine = (
        {name: float(value) for name, value in row.items() if name != "kind"}
        for row in measured("store_size")
        if row["kind"] in ("14x14 float16", "224x224 float16")
    )
    of_row, in_memory = coarse["bytes of a row"], coarse["bytes of a row in memory"]
    opening = coarse["CPU s to open"] / coarse["maps"]
    rows = []
    for name, (images, small, large, passes) in scales.items():
        maps, hours = images * (small + large), images * passes / 1000 / 3600
        of_maps, writing = (
            images * (small * coarse[name] + large * fine[name]) for name in ("bytes of a map", "CPU ms to write a map")
        )
        rows.append(
            {
                "plan": name,
                "maps": f"{maps:,}",
                "shards": f"{of_maps / 1e9:,.1f} GB in {maps // 512:,} files",
                "index": f"{maps * of_row / 1e9:,.2f} GB on disk, {maps * in_memory / 1e9:,.1f} GB in memory, "
                f"opens in {maps * opening:,.0f} s",
                "forward passes": f"{images * passes:.2g}",
                "GPU hours": f"{hours:,.0f}",
                "with 8 GPUs": f"{hours / 8:,.1f} h",
                "writing": f"{writing / 3.6e6:,.2f} h of one core",
            }
        )
    return as_table(rows)


def fill_store_table() -> str:
    names = {
        "images": "images",
        "compared": "of them compared",
        "rounds": "rounds",
        "speed of plain": "share of the speed",
        "95 %": "95 % interval",
        "speed of plain, CPU": "in CPU time",
        "95 %, CPU": "95 % interval (CPU)",
        "MB at 1000": "MB after 1,000 images",
        "MB at the end": "MB at the end",
        "index opens in s": "index opens in s",
    }
    return as_table([{title: row[name] for name, title in names.items()} for row in measured("fill_store")])


def peers_table() -> str:
    """Ratios above 1 mean that seewhy is faster."""
    rows = []
    for row in measured("peers"):
        equal = row["compared by"] == "correlation"
        agreement = f"correlation {row['agreement']}" if equal else f"areas differ by {float(row['agreement']):.3%}"
        rows.append(
            {
                "network": row["network"],
                "work": row["work"],
                "peer": row["peer"],
                "peer's time over ours": f"{row['ratio']} ({row['quartiles']})",
                "over `explain`": row["ratio to explain"],
                "agreement": agreement,
                "images": row["images"],
                "rounds": row["rounds"],
            }
        )
    return as_table(rows)


def scenes_vit_table() -> str:
    """The rows of benchmarks/scenes_figures.py."""
    return as_table(
        [
            {
                "network": f"`seewhy/{row['network']}`",
                "measurement": row["measure"],
                "share of the images": f"{float(row['value']):.1%}",
                "95 % interval (Wilson)": f"{float(row['low']):.1%} to {float(row['high']):.1%}",
                "n": row["n"],
                "recorded in": row["commit"],
            }
            for row in measured("scenes_vit")
        ]
    )


def aha_scores_table() -> str:
    """Insertion minus deletion of every method on DeiT-Tiny, and what the explainer gains over each, image by image."""
    wanted = {"model": "deit-tiny", "protocol": "aha", "reference": "all"}
    rows = [row for row in measured("aha_scores_summary") if wanted.items() <= row.items()]
    found = {(row["class"], row["method"], row["metric"]): row for row in rows}

    def gain(row: dict[str, str], method: str) -> str:
        """The mean of the paired differences, with its interval and the number of images."""
        gained = found.get((row["class"], method, f"ins_del minus {row['method']}"))
        low_to_high = "{mean:+.3f} ({low:+.3f} to {high:+.3f})"
        numbers = {key: float(gained[key]) for key in ("mean", "low", "high")} if gained else {}
        return f"{low_to_high.format(**numbers)}, n = {gained['n']}" if gained else "–"

    means = [row for row in rows if row["metric"] == "ins_del"]
    return as_table(
        [
            {
                "class": row["class"],
                "maps by": row["method"],
                "n": row["n"],
                "Ins-Del": f"{float(row['mean']):.3f}",
                "95 % interval": f"{float(row['low']):.3f} to {float(row['high']):.3f}",
                "`aha` is ahead by": gain(row, "aha"),
                "T = 3 is ahead by": gain(row, "aha:refine_steps=3"),
            }
            for row in sorted(means, key=lambda row: row["class"], reverse=True)
        ]
    )


def kinds_table() -> str:
    """Every kind of data set: its description, and its options with their defaults."""
    rows = []
    for name, function in KINDS.items():
        options = [
            f"`{key}`" if each.default is each.empty else f"`{key}={each.default!r}`"
            for key, each in keyword_only(function).items()
        ]
        about = " ".join((function.__doc__ or "").split()).replace("|", "or")
        rows.append({"kind": f"`{name}`", "images and ground truth": about, "options": ", ".join(options)})
    return as_table(rows)


TABLES = {
    "scenes_vit": scenes_vit_table,
    "kinds": kinds_table,
    "kill_explain": lambda: as_table(measured("kill_explain")),
    "speed_compile": lambda: as_table(measured("speed_compile")),
    "scaling": scaling_table,
    "store_size": lambda: as_table(measured("store_size")),
    "fill_store": fill_store_table,
    "peers": peers_table,
    "methods": methods_table,
    "default_method": default_method_table,
    "joint": joint_table,
    "architectures": architectures_table,
    "families": families_table,
    "training": training_table,
    "page_speed": page_speed_table,
    "explorer_frames": lambda: as_table(measured("explorer_frames")),
    "two_objects": lambda: as_table(measured("two_objects")),
    "speed_aha": lambda: as_table(measured("speed_aha")),
    "aha_scores": aha_scores_table,
    "aha_shortcut": lambda: as_table(measured("aha_shortcut")),
}


def with_tables(text: str) -> str:
    """The text with its tables and values replaced.

    `<!-- = FILE COLUMN KEY=VALUE … -->number<!-- / -->` is a cell of `benchmarks/data/FILE.csv`, in the row that has
    these values; a last word such as `.2f` formats it.
    """
    for name, build in TABLES.items():
        start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        if start in text:
            text = f"{text.partition(start)[0]}{start}\n{build()}\n{end}{text.partition(end)[2]}"
    return re.sub(
        r"<!-- = (.*?) -->.*?<!-- / -->", lambda found: f"<!-- = {found[1]} -->{cell(found[1])}<!-- / -->", text
    )


def cell(query: str) -> str:
    """The value that a comment in a page asks for."""
    file, column, *words = shlex.split(query)
    wanted = dict(word.split("=", 1) for word in words if "=" in word)
    rows = [row for row in measured(file) if all(row[key] == value for key, value in wanted.items())]
    if len(rows) != 1:
        raise ValueError(f"{len(rows)} rows of {file}.csv have {wanted}")
    formats = [word for word in words if "=" not in word]
    return format(float(rows[0][column]), formats[0]) if formats else rows[0][column]


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(with_tables(page.read_text()))
