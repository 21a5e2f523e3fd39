"""Tables of README.md and docs/audit.md from data files, and data files from the results of benchmarks.

    python benchmarks/tables.py collect caap_select     # results/caap_select -> data/caap_select.csv
    python benchmarks/tables.py                         # data/*.csv -> the tables of the pages

A data file has one line per image and method: the means over its classes. In README.md a table stands between
`<!-- scores NAME -->` (or another of `TABLES`) and `<!-- end -->`. Intervals are 95 % (bootstrap over images); gains
are paired, image by image. `<!-- table NAME -->` shows `data/tables/NAME.csv`: results whose rows were not kept, with
`data/tables/index.csv` for the number of images, the protocol, the configuration and the commit that recorded them.
"""

import argparse
import csv
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from scipy.stats import binomtest
from scipy.stats import t as student

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib  # type: ignore[no-redef]

from seewhy.bench import BenchConfig, Results
from seewhy.metrics.information import MEDIAN_METRICS
from seewhy.registry import METRICS

ROOT = Path(__file__).parent
PAGES = ROOT / "README.md", ROOT.parent / "docs" / "audit.md"
DIGITS = 4
RESAMPLES = 2000
VARIANT = " + VAR"
TITLES = {
    "region_attribution": "RA",
    "iou": "IoU",
    "f1": "F1",
    "ins_del": "ins − del",
    "aupr_foreground": "AUPR object",
    "aupr_background": "AUPR rest",
    "pointing_game": "PG",
    "randomization_spearman": "Spearman",
}

Scores = dict[str, dict[str, np.ndarray]]  # method, metric: a score per image, NaN where there is none


# data files


def collect(name: str, folder: Path | None = None) -> Path:
    """Write the scores of a benchmark, one line per image and method."""
    results = Results(folder or ROOT / "results" / name)
    sums: dict[tuple[str, ...], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in results.to_dicts():
        if row["reference"] == "all" and row["score"] is not None:
            sums[row["model"], row["image"], row["method"]][row["metric"]].append(row["score"])
    metrics = [each for each in results.config.metrics or () if any(each in scores for scores in sums.values())]
    numbers = {image: i for i, image in enumerate(dict.fromkeys(image for _, image, _ in sums), start=1)}
    out = ROOT / "data" / f"{name}.csv"
    with out.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["model", "image", "method", *metrics])
        for (model, image, method), scores in sorted(sums.items(), key=lambda pair: pair[0][:2]):
            means = [np.mean(scores[metric]) if scores[metric] else np.nan for metric in metrics]
            known = f"grid {numbers[image]}" if " + " in image else image  # the names of four photos are long
            writer.writerow([model, known, method, *(f"{mean:.{DIGITS}f}" for mean in means)])
    return out


def read(name: str) -> Scores:
    """The scores of a data file by method and metric; every method has all images, in the same order."""
    return by_method(rows_of(name))


def rows_of(name: str) -> list[dict[str, str]]:
    with (ROOT / "data" / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def by_method(rows: list[dict[str, str]]) -> Scores:
    metrics = [column for column in rows[0] if column not in ("model", "image", "method")]
    images = {key: i for i, key in enumerate(dict.fromkeys((row["model"], row["image"]) for row in rows))}
    scores: Scores = {}
    for row in rows:
        columns = scores.setdefault(row["method"], {each: np.full(len(images), np.nan) for each in metrics})
        for metric in metrics:
            columns[metric][images[row["model"], row["image"]]] = float(row[metric])
    return scores


# tables


def scores_table(name: str) -> str:
    """Scores with intervals; in brackets those that the configuration has of the paper."""
    known = _config(name).published if (ROOT / f"{name}.toml").is_file() else ()
    return score_lines(read(name), {(each.method, each.metric): each.score for each in known})


def networks_table(name: str) -> str:
    """A table of scores per network."""
    rows = rows_of(name)
    titles = dict.fromkeys(row["model"] for row in rows)
    return "\n\n".join(
        f"{title}:\n\n{score_lines(by_method([row for row in rows if row['model'] == title]))}" for title in titles
    )


def attention_table(name: str) -> str:
    """Mean ± half width per block, a line per network and kind of pair."""
    rows = rows_of(name)
    lines: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        cell = f"{float(row['mean']):.2f} ± {float(row['half width']):.2f}"
        lines.setdefault((row["network"], row["pair"]), []).append(cell)
    width = max(map(len, lines.values()))
    heads = ["network", "pair", *map(str, range(1, width + 1))]
    return _markdown([heads, *([*key, *cells, *[""] * (width - len(cells))] for key, cells in lines.items())])


def ratios_table(name: str) -> str:
    """Median ratios with their range over rounds (`ratios.py`)."""
    lines = []
    for row in rows_of(name):
        ratio = f"{row['median']} ({row['low']} to {row['high']}, {row['rounds']})"
        lines.append([row["model"], row["measurement"], row["threads"], ratio, row["limit"]])
    return _markdown([["model", "ratio", "threads", "median (range, rounds)", "limit"], *lines])


def score_lines(scores: Scores, paper: Mapping[tuple[str, str], float] = MappingProxyType({})) -> str:
    """Mean of every method and metric with its interval; the best of a column is bold, of those with all images."""
    metrics = list(next(iter(scores.values())))
    counts = [max(int(np.isfinite(columns[each]).sum()) for each in metrics) for columns in scores.values()]
    lines = [["method", "n", *(TITLES.get(each, each) + _arrow(each) for each in metrics)]]
    whole = [columns if count == max(counts) else None for count, columns in zip(counts, scores.values(), strict=True)]
    best = {each: _best([np.nanmean(own[each]) if own else np.nan for own in whole], each) for each in metrics}
    for position, (method, columns) in enumerate(scores.items()):
        cells = [_cell(columns[each], bold=position == best[each]) for each in metrics]
        theirs = [f" ({paper[method, each]:.3f})" if (method, each) in paper else "" for each in metrics]
        cells = [cell + other for cell, other in zip(cells, theirs, strict=True)]
        lines.append([method, str(counts[position]), *cells])
    return _markdown(lines)


def gains_table(name: str) -> str:
    """Score with VAR and gain over the plain method, beside the paper's, of the metrics that it has; the mean gain."""
    scores, config = read(name), _config(name)
    paper = {(each.method, each.metric): each.score for each in config.published}
    metrics = [each for each in next(iter(scores.values())) if any(metric == each for _, metric in paper)]
    lines = [["method", "n", *(head for each in metrics for head in (TITLES.get(each, each), "paper"))]]
    bases = [method for method in scores if f"{method}{VARIANT}" in scores]
    for base in bases:
        cells = []
        for metric in metrics:
            plain, refined = scores[base][metric], scores[f"{base}{VARIANT}"][metric]
            gain = f"{_percent(_gain(plain, refined, metric))} ± {_gain_error(plain, refined, metric):.0f}"
            cells.append(f"{_center(refined, metric):.2f} {gain}")
            known = paper.get((base, metric)), paper.get((f"{base}{VARIANT}", metric))
            cells.append(f"{known[1]:.2f} {_percent(known[1] / known[0] - 1)}" if all(known) else "–")
        lines.append([base, str(int(np.isfinite(scores[base][metrics[0]]).sum())), *cells])
    lines.append(["mean gain of the paper's rows", "", *_mean_gains(scores, paper, metrics)])
    return _markdown(lines)


def stored_table(name: str) -> str:
    """A table as it was recorded; where all rows have the same images, the best by the arrow in a title is bold."""
    with (ROOT / "data" / "tables" / f"{name}.csv").open(newline="") as file:
        heads, *rows = csv.reader(file)
    same = "images" not in heads or len({row[heads.index("images")] for row in rows}) == 1
    for column, head in enumerate(heads):
        direction = {"↑": 1, "↓": -1}.get(head[-1:]) if same else None
        numbers = [_leading_number(row[column]) for row in rows]
        known = [number for number in numbers if number is not None]
        if direction is None or not known:
            continue
        best = direction * max(direction * number for number in known)
        for row, number in zip(rows, numbers, strict=True):
            if number == best:
                row[column] = re.sub(r"^[−\-\d.,]+", r"**\g<0>**", row[column])
    return f"{_markdown([heads, *rows])}\n\n{_record(name)}"


def _record(name: str) -> str:
    """Where a recorded table comes from, and why it has no intervals."""
    with (ROOT / "data" / "tables" / "index.csv").open(newline="") as file:
        (about,) = [row for row in csv.DictReader(file) if row["table"] == name]
    count = f"n = {about['n']}; " if about["n"] else ""
    kept = about["rows"] or "single measurements"
    kept = "rows not kept, so no intervals can be computed" if kept == "rows not kept" else f"rows: {kept}"
    return f"*Recorded in {about['recorded in commit']}, {about['date']}; {count}{kept}.*"


def rows_table(name: str, *words: str) -> str:
    """Columns of a data file as they are, all by default; of the rows that have all of `column=value`."""
    wanted = dict(word.split("=") for word in words if "=" in word)
    rows = [row for row in rows_of(name) if wanted.items() <= row.items()]
    heads = [word for word in words if "=" not in word] or list(rows[0])
    return _markdown(
        [[head.replace("_", " ") for head in heads], *([row[head] or "–" for head in heads] for row in rows)]
    )


def recall_table(name: str, *words: str) -> str:
    """Of the planted networks whose cue turns at least half of the decisions, by method of maps.

    The last column compares a method with maps at random: the networks that only one of them finds, and an exact sign
    test.
    """
    wanted = dict(word.split("=") for word in words)
    heads = [
        "maps by",
        "networks",
        "confirmed",
        "recall (95 % interval)",
        "median IoU",
        "false alarms",
        "CPU s",
        "passes",
    ]
    lines = [[*heads, "it alone, random alone"]]
    rows = [row for row in rows_of(name) if wanted.items() <= row.items() and float(row["flips"]) >= 0.5]
    for method in dict.fromkeys(row["method"] for row in rows):
        counted = [row for row in rows if row["method"] == method]
        found = [row for row in counted if row["confirmed"] == "True"]
        interval = binomtest(len(found), len(counted)).proportion_ci()
        overlap = f"{np.median([float(row['iou']) for row in found]):.2f}" if found else "–"
        false = sum(int(row["false_alarms"]) for row in counted), sum(int(row["tested"]) for row in counted)
        means = [
            f"{np.mean([float(row[each]) for row in counted]):.0f}" for each in ("cpu_seconds", "forwards_per_image")
        ]
        recall = f"{len(found) / len(counted):.2f} ({interval.low:.2f} to {interval.high:.2f})"
        cells = [method, str(len(counted)), str(len(found)), recall, overlap, f"{false[0]} of {false[1]}", *means]
        lines.append([*cells, _beside_random(rows, method)])
    return _markdown(lines)


def _beside_random(rows: list[dict[str, str]], method: str) -> str:
    """The networks whose cue only this method, and only random maps, confirm, with the p-value of a sign test."""
    this, other = (
        {row["network"] for row in rows if row["method"] == each and row["confirmed"] == "True"}
        for each in (method, "random")
    )
    alone = len(this - other), len(other - this)
    if method == "random" or not sum(alone):
        return "–"
    return f"{alone[0]}, {alone[1]} (p = {binomtest(alone[0], sum(alone)).pvalue:.2f})"


def losses_table(name: str) -> str:
    """Means by search, and its loss of ins − del against the exact one (paired; 95 % interval by Student's t)."""
    rows = rows_of(name)
    exact = {row["image"]: float(row["ins_del"]) for row in rows if row["search"] == "exact"}
    lines = [["search", "n", "passes", "CPU s", "insertion ↑", "deletion ↓", "ins − del ↑", "loss"]]
    for search in dict.fromkeys(row["search"] for row in rows):
        own = [row for row in rows if row["search"] == search and row["image"] in exact]
        means = {each: np.mean([float(row[each]) for row in own]) for each in list(own[0])[2:]}
        losses = np.array([exact[row["image"]] - float(row["ins_del"]) for row in own])
        half = student.ppf(0.975, len(own) - 1) * losses.std(ddof=1) / len(own) ** 0.5
        cells = [f"{means['passes']:,.0f}", f"{means['seconds']:.1f}"]
        cells += [f"{means[each]:.3f}" for each in ("insertion", "deletion", "ins_del")]
        loss = "–" if search == "exact" else f"{losses.mean():.3f} ± {half:.3f}"
        lines.append([search, str(len(own)), *cells, loss])
    return _markdown(lines)


def _leading_number(text: str) -> float | None:
    """The number that a cell begins with."""
    found = re.match(r"[−-]?[\d,]*\.?\d+", text)
    return float(found[0].replace("−", "-").replace(",", "")) if found else None


def settings_table(name: str) -> str:
    """Mean gains of VAR's settings over all methods of a data file."""
    scores = read(name)
    metrics = list(next(iter(scores.values())))
    suffixes = list(dict.fromkeys(method.partition(VARIANT)[2] for method in scores if VARIANT in method))
    lines = [["setting", *(f"mean gain in {TITLES.get(each, each)}" for each in metrics), "methods it is best for"]]
    bases = [method for method in scores if VARIANT not in method]
    leads = [max(suffixes, key=lambda suffix: _total(scores[f"{base}{VARIANT}{suffix}"])) for base in bases]
    for suffix in suffixes:
        gains = [_mean_gain(scores, bases, metric, suffix) for metric in metrics]
        lines.append([suffix.strip(", ") or "default", *gains, f"{leads.count(suffix)} of {len(bases)}"])
    return _markdown(lines)


def _total(columns: dict[str, np.ndarray]) -> float:
    return float(sum(np.nanmean(column) for column in columns.values()))


def _mean_gain(scores: Scores, bases: list[str], metric: str, suffix: str = "") -> str:
    """Mean gain over the methods, with the bootstrap interval over images."""
    pairs = np.stack([[scores[base][metric], scores[f"{base}{VARIANT}{suffix}"][metric]] for base in bases])

    def gain(sample: np.ndarray) -> float:
        plain, refined = _center(sample, metric).T
        return float((refined / plain - 1).mean())

    resampled = [gain(pairs[:, :, draw]) for draw in _draws(pairs.shape[2])]
    return f"{_percent(gain(pairs))} ± {100 * _half_width(resampled):.0f}"


def _mean_gains(scores: Scores, paper: dict[tuple[str, str], float], metrics: list[str]) -> list[str]:
    cells = []
    for metric in metrics:
        bases = [base for base in scores if (base, metric) in paper and f"{base}{VARIANT}" in scores]
        theirs = [paper[f"{base}{VARIANT}", metric] / paper[base, metric] - 1 for base in bases]
        cells += [_mean_gain(scores, bases, metric), _percent(float(np.mean(theirs)))]
    return cells


def _center(values: np.ndarray, metric: str) -> np.ndarray:
    """The mean over images; for AIC and SIC the median, which nearly is the area under their paper's median curve."""
    return np.nanmedian(values, axis=-1) if metric in MEDIAN_METRICS else np.nanmean(values, axis=-1)


def _gain(plain: np.ndarray, refined: np.ndarray, metric: str) -> float:
    return float(_center(refined, metric) / _center(plain, metric) - 1)


def _gain_error(plain: np.ndarray, refined: np.ndarray, metric: str) -> float:
    return 100 * _half_width([_gain(plain[draw], refined[draw], metric) for draw in _draws(len(plain))])


def _cell(values: np.ndarray, *, bold: bool) -> str:
    known = values[np.isfinite(values)]
    text = f"{known.mean():.3f}"
    return f"{f'**{text}**' if bold else text} ± {_half_width([known[draw].mean() for draw in _draws(len(known))]):.3f}"


def _draws(count: int) -> np.ndarray:
    return np.random.default_rng(0).integers(count, size=(RESAMPLES, count))


def _half_width(resampled: list[float]) -> float:
    low, high = np.quantile(resampled, [0.025, 0.975])
    return float(high - low) / 2


def _best(means: list[float], metric: str) -> int:
    return int(np.nanargmax(means) if METRICS.get(metric).higher_is_better else np.nanargmin(means))


def _arrow(metric: str) -> str:
    return " ↑" if METRICS.get(metric).higher_is_better else " ↓"


def _percent(gain: float) -> str:
    return f"{100 * gain:+.0f} %"


def _markdown(lines: list[list[str]]) -> str:
    lines = [lines[0], ["---"] * len(lines[0]), *lines[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _config(name: str) -> BenchConfig:
    text = re.sub(r"\$SEEWHY_\w+", ".", (ROOT / f"{name}.toml").read_text())
    return BenchConfig.from_dict(tomllib.loads(text), folder=ROOT)


TABLES = {
    "scores": scores_table,
    "networks": networks_table,
    "gains": gains_table,
    "settings": settings_table,
    "attention": attention_table,
    "ratios": ratios_table,
    "table": stored_table,
    "rows": rows_table,
    "recall": recall_table,
    "losses": losses_table,
}


def with_tables(text: str) -> str:
    """The text with its tables replaced."""

    def build(found: re.Match[str]) -> str:
        return f"{found[1]}\n{TABLES[found[2]](*found[3].split())}\n{found[4]}"

    kinds = "|".join(TABLES)
    return re.sub(rf"(<!-- ({kinds}) ([\w= -]+?) -->)\n.*?(<!-- end -->)", build, text, flags=re.DOTALL)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("command", nargs="?", choices=["collect", "fill"], default="fill")
    parser.add_argument("name", nargs="?")
    parser.add_argument("--results", type=Path, help="folder of the results; default: results/NAME")
    options = parser.parse_args()
    if options.command == "collect":
        print(collect(options.name, options.results))
    else:
        for page in PAGES:
            page.write_text(with_tables(page.read_text()))
