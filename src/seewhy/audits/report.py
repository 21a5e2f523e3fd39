"""The report: one offline HTML file with a card per finding; example images open in the explorer beside it."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from seewhy import __version__, api
from seewhy.audits.config import AuditConfig
from seewhy.audits.findings import Finding, Findings
from seewhy.audits.judge import CONFIRMED, UNSUPPORTED, Effect
from seewhy.audits.pictures import CROP, SIDE, crop, data_url, effects_chart, outline, where_map
from seewhy.audits.proofs import StoredProof
from seewhy.data.items import Dataset
from seewhy.errors import SeewhyError
from seewhy.explorer.view import view
from seewhy.models.classifier import Classifier
from seewhy.runtime.files import write_atomic
from seewhy.runtime.targets import class_name

CROPS, EXAMPLES, PASTED = 8, 3, 3
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Picture:
    """An image of a card: its data, a caption, and the address of its explorer."""

    data: str
    caption: str = ""
    link: str = ""


@dataclass(frozen=True)
class Card:
    """What the report shows about a finding."""

    finding: Finding
    crops: list[str]
    where: str
    chart: Any
    examples: list[Picture]
    pasted: list[tuple[str, str, str]]  # picture, decision before and after


def write_report(
    findings: Findings,
    proofs: Mapping[str, StoredProof],
    model: Classifier,
    dataset: Dataset,
    config: AuditConfig,
) -> Path:
    """Write `report.html` and the explorers of example images; returns the path of the page."""
    from jinja2 import Environment, PackageLoader

    shown = [each for each in findings if each.verdict != UNSUPPORTED]
    links = _write_explorers(findings, shown, model, dataset, config)
    cards = [make_card(each, proofs[each.name], model, links) for each in shown]
    page = Environment(loader=PackageLoader("seewhy.audits"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    text = page.get_template("audit.html").render(
        findings=findings,
        cards=cards,
        others=[each for each in findings if each.verdict == UNSUPPORTED],
        about=findings.about,
        headline=headline(findings),
        chance=chance,
        version=__version__,
    )
    write_atomic(findings.report, text.encode())
    return findings.report


def headline(findings: Findings) -> str:
    """The result in one sentence."""
    confirmed, suspected = len(findings.confirmed), len(findings.suspected)
    if confirmed:
        classes = ", ".join(dict.fromkeys(f"“{each.short_name}”" for each in findings.confirmed))
        cues = _one_cue(findings[0]) if confirmed == 1 else "Cues make"
        return f"{cues} the model say {classes} in images of other classes, too."
    if suspected:
        return f"No shortcut is confirmed; {suspected} {'cue is' if suspected == 1 else 'cues are'} worth a look."
    return "No shortcut was found."


def _one_cue(finding: Finding) -> str:
    """A cue and its position, as the subject of a sentence."""
    place = "" if finding.position == "varies" else f" at the {finding.position}"
    return f"A cue{place} makes"


def chance(finding: Finding, screened: int, level: float) -> str:
    """How likely the effect of pasting is by chance, in a sentence."""
    corrected = f"p, corrected for {screened} candidates"
    if finding.p_sufficient >= level:
        return f"It could be chance: {corrected}, is {finding.p_sufficient:.2g}."
    share = f"{100 * finding.p_sufficient:.1f} %" if finding.p_sufficient >= 0.001 else "less than 0.1 %"
    return f"Where no cue does anything, {share} of audits show this by chance ({corrected})."


def make_card(finding: Finding, proof: StoredProof, model: Classifier, links: Mapping[str, str]) -> Card:
    """The pictures of a finding."""
    from markupsafe import Markup

    masks = {name: proof.mask(name) for name in proof.masks}
    images = {name: np.asarray(Image.open(path)) for name, path in proof.images.items()}
    examples = [
        Picture(data_url(outline(images[name], masks[name]), SIDE), name, links.get(f"{finding.name}/{name}", ""))
        for name in list(masks)[:EXAMPLES]
    ]
    return Card(
        finding,
        [data_url(crop(images[name], masks[name]), CROP) for name in list(masks)[:CROPS]],
        data_url(where_map(list(masks.values())), SIDE),
        Markup(effects_chart(_shown_effects(finding))),
        examples,
        _pasted(proof, model),
    )


def _shown_effects(finding: Finding) -> list[tuple[str, Effect]]:
    effects = finding.effects
    shown = [
        ("Paste: decisions turned", effects.decisions),
        ("Paste: probability", effects.sufficient),
        ("Remove: drop in probability", effects.necessary),
    ]
    return shown + ([("Insert activations", effects.transplanted)] if effects.transplanted else [])


def _pasted(proof: StoredProof, model: Classifier) -> list[tuple[str, str, str]]:
    """The first recipients with the cue, and the decisions before and after."""
    before, after = (
        [row for row in proof.rows if (row["test"], row["how"], row["region"]) == ("paste", *kind)]
        for kind in (("none", "whole"), ("pixels", "cue"))
    )
    pictures = [data_url(np.asarray(Image.open(path)), SIDE) for path in proof.pasted]
    named = [[class_name(row["decision"], model.class_names) for row in rows] for rows in (before, after)]
    return list(zip(pictures, *named, strict=False))[:PASTED]


def _write_explorers(
    findings: Findings, shown: Sequence[Finding], model: Classifier, dataset: Dataset, config: AuditConfig
) -> dict[str, str]:
    """Explorers of the first images of the confirmed findings; an explorer that exists is kept."""
    method, links = findings.about["choice"]["method"], {}
    wanted = {name for each in shown if each.verdict == CONFIRMED for name in list(each.masks)[: config.explorers]}
    items = (
        {item.name: item for item in map(dataset.__getitem__, range(len(dataset))) if item.name in wanted}
        if wanted
        else {}
    )
    for finding in shown:
        for number, name in enumerate(list(finding.masks)[: config.explorers]):
            path = findings.folder / "explorer" / f"{finding.name}-{number}.html"
            if name in items and (path.is_file() or _write_explorer(path, items[name], finding, model, config, method)):
                links[f"{finding.name}/{name}"] = f"explorer/{path.name}"
    return links


def _write_explorer(
    path: Path, item: Any, finding: Finding, model: Classifier, config: AuditConfig, method: str
) -> bool:
    images = item.read(model.preprocess).image.unsqueeze(0).to(model.device)
    try:
        explanation = api.explain(model, images, method, [finding.target], **config.options(method))
        view(explanation, model=model, baselines=False, references=["blur"]).save(path, title=f"{item.name} · seewhy")
    except SeewhyError as error:
        logger.warning("no explorer of %s: %s", item.name, error)
        return False
    return True
