"""Write the pages of the site: `python docs/generator`, then `mkdocs build` or `zensical build` on `build/mkdocs.yml`.

Hand-written pages are `docs/*.md`; everything that registries, docstrings and data files can tell is generated. Nothing
below `build/` is committed.
"""

import argparse
import re
import shutil

from api_pages import llms_text, reference_pages
from equations import equations_page
from facts import NETWORKS, ROOT
from pictures import Drawn, picture_options, write_pictures

from methods import SHOWN_ON, comparison, method_pages
from metrics import metric_pages
from seewhy.registry import METHODS, METRICS

BUILD = ROOT / "build"
WRITTEN = ROOT / "docs"
SOURCES = {  # what hand-written pages link to, so that links work in the repository, and the page that shows it
    "../src/seewhy/methods": "papers.md",
    "../src/seewhy/metrics": "metrics/index.md",
    "../src/seewhy/metrics/protocols.py": "protocols.md",
}
LINKED = ("index.md", "choose.md", "troubleshooting.md")  # names of methods and metrics become links
OUTSIDE = {"results.md": "benchmarks/README.md", "changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--explorers", type=int, help="embed at most so many explorers; default: all")
    parser.add_argument("--quick", action="store_true", help="draw nothing new: pages, and pictures of earlier builds")
    options = parser.parse_args()
    out = BUILD / "docs"
    pages = all_pages()
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(WRITTEN / "images", out / "images")
    shutil.copytree(WRITTEN / "assets", out / "assets")
    drawn = write_pictures(
        out / "pictures", BUILD / "pictures", BUILD / "explorers", most=options.explorers, quick=options.quick
    )
    shutil.copytree(BUILD / "explorers", out / "explorers")
    for path, text in pages.items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_text(illustrated(text, drawn))
    (out / "llms.txt").write_text(llms_text(pages))
    (BUILD / "mkdocs.yml").write_text((ROOT / "mkdocs.yml").read_text() + navigation(pages))


def all_pages() -> dict[str, str]:
    """Every page of the site by its path."""
    pages = {path.name: path.read_text() for path in WRITTEN.glob("*.md")}
    pages |= {name: (ROOT / path).read_text() for name, path in OUTSIDE.items() if (ROOT / path).is_file()}
    pages["choose.md"] = re.sub(
        r"<!-- comparison -->.*<!-- /comparison -->", lambda _: comparison(), pages["choose.md"], flags=re.DOTALL
    )
    pages |= method_pages() | metric_pages() | equations_page() | reference_pages()
    return {path: relinked(path, text) for path, text in pages.items()}


def relinked(path: str, text: str) -> str:
    """Links to files of the repository lead to their pages, or are only named where there is none."""
    for page, source in OUTSIDE.items():
        text = text.replace(f"](../{source})", f"]({page})").replace(f"]({source})", f"]({page})")
    for source, page in SOURCES.items():
        text = text.replace(f"]({source})", f"]({page})")
    if path in LINKED:
        text = re.sub(r"(?<!\[)`(\w+)`(?!\])", linked_name, text)
    text = text.replace("](docs/", "](")
    text = re.sub(r"\[([^\]]*)\]\(\.\./README\.md(#[\w-]*)?\)", r"[\1](index.md)", text)
    outside = r"\[([^\]]*)\]\(((?:\.\./)?(?:LICENSE|CITATION\.cff|README\.md|benchmarks|src|tests|frontend)[^)]*)\)"
    return text if path.startswith(("methods/", "metrics/")) else re.sub(outside, r"\1 (`\2`)", text)


def linked_name(match: re.Match[str]) -> str:
    """A method's or metric's name in code, as a link to its page."""
    name = match[1]
    folder = "methods" if name in METHODS else "metrics" if name in METRICS else ""
    return f"[`{name}`]({folder}/{name}.md)" if folder else match[0]


def illustrated(text: str, drawn: Drawn) -> str:
    """The text with the strips, the first map and the explorer of a method, or sentences in their place."""

    def pictures(match: re.Match[str]) -> str:
        name, missing = match[1], "No picture: a map takes too many passes to be drawn at the build of this page."
        lines = [
            f"""Top: images; below: maps for the predicted class, {SHOWN_ON[network]}{with_options(name)}.

![Six images](../pictures/images-{network}.jpg)
![Maps of {name} for the predicted class of each](../pictures/{name}-{network}.jpg)"""
            for network in NETWORKS
            if (name, network) in drawn.strips
        ]
        return "\n\n".join(lines) or missing

    def first(match: re.Match[str]) -> str:
        source = f"../pictures/{match[1]}-{match[2]}-first.jpg"
        return f'<img src="{source}" alt="its map">' if (match[1], match[2]) in drawn.strips else ""

    def explorer(match: re.Match[str]) -> str:
        name = match[1]
        frame = (
            f'<iframe class="explorer" src="../explorers/{name}.html" title="Explorer: {name}" loading="lazy"></iframe>'
        )
        alone = "`explanation.view()` opens the explorer: delete along the map, and watch the decision change."
        return frame if name in drawn.explorers else alone

    for marker, replace in {
        r"pictures (\w+)": pictures,
        r"first (\w+) (\w+)": first,
        r"explorer (\w+)": explorer,
    }.items():
        text = re.sub(f"<!-- {marker} -->", replace, text)
    return text


def with_options(method: str) -> str:
    options = picture_options(method)
    return ", with " + ", ".join(f"`{name}={value!r}`" for name, value in options.items()) if options else ""


def navigation(pages: dict[str, str]) -> str:
    """The nav of mkdocs.yml: `nav.txt` with the pages of methods and metrics in place of `METHODS` and `METRICS`."""
    lines = ["nav:"]
    for line in (WRITTEN / "nav.txt").read_text().splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        if line.strip() in ("METHODS", "METRICS"):
            folder, names = line.strip().lower(), (METHODS if line.strip() == "METHODS" else METRICS).names()
            lines += [f"{indent}- {name}: {folder}/{name}.md" for name in names]
        elif not line.endswith(".md") or line.split()[-1] in pages:  # a page that is not written yet is left out
            lines.append(line)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
