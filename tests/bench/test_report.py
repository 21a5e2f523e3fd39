"""Report, tables and robustness checks of made-up rows."""

import io
import json
import re
from dataclasses import asdict
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from seewhy.bench import Results, benchmark
from seewhy.bench.report import findings, write_report
from seewhy.bench.robustness import held_out_gaps, ranking_stability
from seewhy.bench.store import Store
from seewhy.bench.tables import ScoreCell, ScoreTable, score_tables, to_latex, to_markdown
from seewhy.cli.bench import overview
from seewhy.runtime.files import write_atomic
from tiny_bench import tiny_config, write_images

METHODS = ["gradient", {"name": "random", "label": "Chance & <luck>"}, {"name": "rollout", "optimized_on": ["black"]}]


def made_up(folder: Path, scores: dict, **changes) -> Results:
    """Results whose scores are given: (metric, reference, method) -> one per image."""
    config = tiny_config(folder, folder, **{"methods": METHODS, **changes})
    store = Store(folder)
    rows = [
        {
            "task": f"{method}{metric}{reference}{i}",
            "model": "timm/test_vit",
            "model_key": "m",
            "data": "imagenet",
            "image": f"{i}.png",
            "image_key": str(i),
            "target": 0,
            "target_name": "cat",
            "probability": 0.5,
            "method": method,
            "name": "gradient",
            "options": "{}",
            "protocol": "aha",
            "reference": reference,
            "metric": metric,
            "score": score,
            "forwards": 1.0,
            "backwards": 1.0,
            "seconds": 0.5,
        }
        for (metric, reference, method), values in scores.items()
        for i, score in enumerate(values)
    ]
    with store.locked():
        store.write(rows, [])
    facts = {"config": asdict(config), "protocols": {"aha": {"fingerprint": "f", "about": ""}}, "environment": {}}
    write_atomic(folder / "run.json", json.dumps(facts).encode())
    store.collect({row["task"]: (row["model"], row["data"], row["image"], row["method"]) for row in rows})
    return Results(folder)


def three(metric, reference, gradient, chance, rollout):
    values = {"gradient": gradient, "Chance & <luck>": chance, "rollout": rollout}
    steps = np.linspace(-0.01, 0.01, 8)
    return {(metric, reference, name): list(value + steps) for name, value in values.items()}


def test_best_three_and_tests(tmp_path):
    results = made_up(tmp_path, three("deletion", "all", 0.2, 0.5, 0.1) | three("insertion", "all", 0.7, 0.2, 0.7))
    (table,) = score_tables(results)
    assert table.metrics == ("deletion", "insertion")
    assert [row[0].place for row in table.cells] == [2, 3, 1]
    assert [row[1].place for row in table.cells] == [1, 3, 1]
    assert table.cells[2][0].difference is None  # the best is what others are compared with
    assert table.cells[0][0].difference.mean == pytest.approx(0.1)
    assert table.cells[0][0].p < 0.05
    assert table.cells[2][1].p == 1.0  # equal to the best in every case
    assert table.mean_ranks == (1.75, 3.0, 1.25)
    assert table.seconds == (0.5,) * 3


def test_the_first_place_is_tested_against_the_second_whoever_others_are_compared_with(tmp_path):
    scores = three("ins_del", "all", 0.2, 0.5, 0.5)
    scores["ins_del", "all", "rollout"] = [0.49, 0.505, 0.5, 0.51, 0.49, 0.51, 0.505, 0.48]
    results = made_up(tmp_path, scores, compare="gradient")
    (line,) = findings(results, score_tables(results), [])
    assert "Chance & <luck> has the best ins del" in line
    assert "not distinguishable from rollout" in line


def test_markdown_and_latex(tmp_path):
    (table,) = score_tables(made_up(tmp_path, three("deletion", "all", 0.2, 0.5, 0.1)))
    lines = to_markdown(table).splitlines()
    assert lines[2] == "| method | deletion ↓ | mean rank | s / image |"
    assert lines[4].startswith("| gradient | *0.200* ± 0.002 |")
    assert lines[6].startswith("| rollout | **0.100** ± 0.002 |")
    latex = to_latex(table)
    assert r"Method & deletion $\downarrow$ \\" in latex
    assert r"rollout & \textbf{0.100} \\" in latex
    assert r"Chance \& <luck> & \textit{0.500}" in latex


def test_a_ranking_that_turns_around_is_unstable(tmp_path):
    scores = three("deletion", "all", 0.2, 0.5, 0.1)
    stable = three("deletion", "black", 0.2, 0.5, 0.1) | three("deletion", "blur", 0.3, 0.6, 0.15)
    (stability,) = ranking_stability(made_up(tmp_path / "a", scores | stable))
    assert stability.settings == ("aha / black", "aha / blur")
    assert (stability.verdict, stability.weakest, stability.winners) == ("stable", 1.0, ("rollout",))
    turned = three("deletion", "black", 0.2, 0.5, 0.1) | three("deletion", "blur", 0.2, 0.1, 0.5)
    results = made_up(tmp_path / "b", scores | turned)
    (stability,) = ranking_stability(results)
    assert (stability.verdict, stability.weakest) == ("unstable", -1.0)
    assert stability.winners == ("rollout", "Chance & <luck>")
    assert "One table alone would mislead" in findings(results, score_tables(results), [stability])[-1]


def test_the_gap_between_optimized_and_held_out_references(tmp_path):
    scores = three("deletion", "all", 0.2, 0.5, 0.1)
    scores |= three("deletion", "black", 0.2, 0.5, 0.05) | three("deletion", "blur", 0.3, 0.6, 0.35)
    (gap,) = held_out_gaps(made_up(tmp_path, scores))
    assert (gap.method, gap.optimized_on, gap.held_out) == ("rollout", ("aha / black",), ("aha / blur",))
    assert gap.excess == pytest.approx(0.3 - 0.1)  # all others are better by 0.1 on black as well


class Outside(HTMLParser):
    """Everything that a page would fetch."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("src", "href", "xlink:href", "srcset") and not value.startswith(("data:", "#")):
                self.found.append((tag, value))


def test_the_page_needs_nothing_else(tmp_path):
    images = write_images(tmp_path / "photos", 4)
    (images / "class0" / "bad.png").write_text("no image")
    config = tiny_config(
        images,
        tmp_path / "out",
        methods=METHODS,
        metrics=["insertion", "deletion"],
        about="A <b>test</b>",
        published=[{"method": "gradient", "metric": "deletion", "score": 0.123}],
    )
    page = write_report(benchmark(config)).read_text()
    outside = Outside()
    outside.feed(page)
    assert {tag for tag, _ in outside.found} == {"a"}  # nothing is fetched; each image links to its explorer
    assert [address.partition("/")[0] for _, address in outside.found] == ["explorer", "explorer"]
    assert all((tmp_path / "out" / address).is_file() for _, address in outside.found)
    assert not re.search(r"@import|url\((?!#|&)", page)
    assert page.count("data:image/jpeg;base64,") == 2 * (1 + 3)
    assert page.count('<svg class="chart"') + page.count('class="chart"') >= 5
    assert "Chance &amp; &lt;luck&gt;" in page
    assert "<b>test</b>" not in page
    assert "paper 0.123" in page
    assert "not an image" in page
    assert "{{" not in page
    headings = re.findall(r"<h2>(.*?)</h2>", page)
    assert headings[:6] == ["Summary", "Results", "Confidence intervals", "Curves", "Examples", "Cost"]
    assert headings[-1] == "Settings"
    assert (tmp_path / "out" / "tables.md").stat().st_size > 100
    assert (tmp_path / "out" / "tables.tex").stat().st_size > 100


LONG = "A method whose title is longer than a phone is wide"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The page of a small benchmark with many columns, long titles and two equal methods."""
    folder = tmp_path_factory.mktemp("report")
    methods = ["gradient", "rollout", {"name": "raw_attention", "label": LONG, "optimized_on": ["black"]}]
    results = benchmark(tiny_config(write_images(folder / "photos", 3), folder / "out", methods=methods, examples=1))
    return write_report(results).as_uri()


@pytest.mark.parametrize("width", [390, 1400])
def test_the_report_fits_its_screen_and_scores_are_seen(report, open_page, width):
    page = open_page(report, selector="main", width=width)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    color = "each => getComputedStyle(each).backgroundColor"
    assert {each.evaluate(color) for each in page.locator(".card").all()} == {"rgb(255, 255, 255)"}
    score = page.locator(".sortable").first.locator("tr").nth(1).locator("td").nth(1).bounding_box()
    assert score["x"] + score["width"] < width  # beside the longest title
    for chart in page.locator(".curves svg, #cost svg").all() if width == 390 else ():
        assert chart.bounding_box()["width"] > 550  # scrolls on a phone instead of shrinking


def test_the_report_sorts_and_zooms(report, open_page):
    page = open_page(report, selector="main")
    table = page.locator(".sortable").first
    heading = table.locator("th", has_text="deletion").first
    column = heading.evaluate("each => each.cellIndex")
    for sign in (1, -1):
        heading.click()
        values = [float(each) for each in table.locator(f"td:nth-child({column + 1})").evaluate_all(VALUES)]
        assert values == sorted(values, key=lambda value: sign * value)
    small = page.locator(".photos img").first
    before = small.bounding_box()["width"]
    small.click()
    assert page.locator("dialog[open] img").bounding_box()["width"] > 4 * before
    page.locator("dialog[open]").click()
    page.locator("svg.chart").first.click()
    assert page.locator("dialog[open] svg").count() == 1


VALUES = "cells => cells.map(cell => cell.dataset.value)"


def render(table) -> list[str]:
    console = Console(width=80, file=io.StringIO())
    console.print(table)
    return [line.rstrip() for line in console.file.getvalue().splitlines() if line.strip()]


def test_a_shared_place_is_not_marked():
    cells = [[ScoreCell(1.0, 0, 1, 1, 4, place, None, 0.01)] for place in (1, 1, 3)]
    ones = (1.0,) * 3
    table = ScoreTable("m", "d", "aha", ("ins_del",), ("a", "b", "c"), tuple(map(tuple, cells)), ones, ones, ones, 4)
    assert [table.place(row, 0) for row in range(3)] == [0, 0, 3]
    lines = render(overview(table, ["b"]))
    assert any(line.split()[:2] == ["b", "*"] for line in lines)
    assert "* optimizes the metric itself; too few cases to rank methods" in " ".join(map(str.strip, lines))
    assert "**" not in to_markdown(table).splitlines()[-2]
    assert r"\textbf" not in to_latex(table)


def test_nothing_is_marked_where_no_difference_is_significant(tmp_path):
    """Three methods take turns: the best mean is luck."""
    scores = three("deletion", "all", 0.2, 0.2, 0.2)
    for start, name in enumerate(("gradient", "Chance & <luck>", "rollout")):
        scores["deletion", "all", name] = [0.1 * ((start + case) % 3) + 0.01 * case for case in range(8)]
    (chance,) = score_tables(made_up(tmp_path, scores))
    assert sorted(cells[0].place for cells in chance.cells) == [1, 2, 3]
    assert [chance.place(row, 0) for row in range(3)] == [0, 0, 0]
    assert "**" not in to_markdown(chance).partition("mean rank")[2]


def test_the_terminal_shows_the_main_metrics_beside_a_long_title():
    names = ("average_drop", "deletion", "ins_del", "insertion", "negative")
    row = tuple(ScoreCell(0.5, 0, 1, 1, 4, 0, None, 1.0) for _ in names)
    title = "AHA's objective on Grad-CAM, 4 steps"
    table = ScoreTable("model", "data", "aha", names, (title,), (row,), (1,), (1,), (1,), 4)
    lines = render(overview(table, width=80))
    assert max(map(len, lines)) <= 80
    assert lines[1].split()[1::2][:3] == ["ins_del", "insertion", "deletion"]
    assert [line.split("  ")[0].strip() for line in lines[2:4]] == ["AHA's objective on", "Grad-CAM, 4 steps"]


def test_the_terminal_table_fits_its_width():
    names = ("insertion", "deletion", "ins_del", "positive", "negative", "average_drop", "increase_in_confidence")
    row = tuple(ScoreCell(0.5, 0, 1, 1, 4, 0, None, 1.0) for _ in names)
    table = ScoreTable("model", "data", "aha", names, ("AHA's objective on Grad-CAM",), (row,), (1,), (1,), (1,), 4)
    lines = render(overview(table, width=80))
    assert max(map(len, lines)) <= 80
    assert "more metrics in the report" in " ".join(map(str.strip, lines[-2:]))
    assert lines[1].split()[:3] == ["method", "ins_del", "↑"]  # no header is broken
