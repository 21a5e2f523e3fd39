"""From proofs to findings, and facts about the run: accuracy, confusion, where the evidence lies, cost."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from seewhy.audits.choose import Choice
from seewhy.audits.config import AuditConfig
from seewhy.audits.describe import Arrays, Description
from seewhy.audits.find import Candidate
from seewhy.audits.findings import Finding, Findings
from seewhy.audits.judge import VERDICTS, Effects, correct, judge, measure_effects
from seewhy.audits.proofs import StoredProof
from seewhy.audits.prove import iou
from seewhy.audits.screen import Screened
from seewhy.models.classifier import Classifier
from seewhy.runtime.targets import class_name
from seewhy.store import MapStore

CONFUSIONS = 8  # shown
SAME = 0.4  # overlap from which two findings are about one cue
SCATTER = 0.1  # of the cue's centers, as a fraction of the image, up to which its position is called fixed


def to_findings(
    model: Classifier,
    candidates: Sequence[Candidate],
    proofs: Sequence[StoredProof | None],
    config: AuditConfig,
    folder: Path,
    about: dict[str, Any],
) -> Findings:
    """Findings of all tested candidates: by verdict, then by effect."""
    tested = [(candidate, proof) for candidate, proof in zip(candidates, proofs, strict=True) if proof is not None]
    effects = [measure_effects(proof.rows, candidate.target) for candidate, proof in tested]
    found = [
        _finding(model, candidate, proof, each, ps, config, folder)
        for (candidate, proof), each, ps in zip(tested, effects, correct(effects, about["screened"]), strict=True)
    ]
    found.sort(key=lambda each: (VERDICTS.index(each.verdict), -each.effects.sufficient.mean))
    stored = {candidate.name: proof for candidate, proof in tested}
    return Findings(tuple(drop_duplicates(found, stored)), folder, model.name, about)


def drop_duplicates(found: Sequence[Finding], proofs: Mapping[str, StoredProof]) -> list[Finding]:
    """Without findings whose masks are those of a stronger one of the same class: parts of one cue in two clusters."""
    kept: list[Finding] = []
    for finding in found:
        rivals = [each for each in kept if each.target == finding.target]
        if not any(_overlap(proofs[finding.name], proofs[each.name]) > SAME for each in rivals):
            kept.append(finding)
    return kept


def _overlap(first: StoredProof, second: StoredProof) -> float:
    """Median intersection over union of the masks in the images that both have."""
    common = [name for name in first.masks if name in second.masks]
    return float(np.median([iou(first.mask(name), second.mask(name)) for name in common])) if common else 0.0


def _finding(
    model: Classifier,
    candidate: Candidate,
    proof: StoredProof,
    effects: Effects,
    ps: tuple[float, float],
    config: AuditConfig,
    folder: Path,
) -> Finding:
    verdict, reason = judge(effects, ps, config)
    masks = np.stack([proof.mask(name) for name in proof.masks])
    centers = np.array([cue_center(mask) for mask in masks])
    where = float(centers[:, 0].mean()), float(centers[:, 1].mean())
    facts = candidate.facts()
    return Finding(
        name=candidate.name,
        target=candidate.target,
        class_name=class_name(candidate.target, model.class_names),
        verdict=verdict,
        reason=reason,
        effects=effects,
        p_necessary=ps[0],
        p_sufficient=ps[1],
        images=len(candidate.cells),
        prevalence=candidate.share,
        area=float(np.median(masks.mean((1, 2)))),
        position=position_words(where, float(np.hypot(*centers.std(0)))),
        off_object=proof.off_object,
        quality={name: facts[name] for name in ("tightness", "exclusivity", "fixed", "agreement", "score")},
        masks={name: str(path.relative_to(folder)) for name, path in proof.masks.items()},
        where=where,
    )


def cue_center(mask: np.ndarray) -> tuple[float, float]:
    """The center of a mask: row and column, from 0 to 1."""
    rows, cols = np.nonzero(mask)
    return float(rows.mean() / mask.shape[0]), float(cols.mean() / mask.shape[1])


def position_words(where: tuple[float, float], scatter: float) -> str:
    """A position in words.

    >>> position_words((0.1, 0.9), 0.02), position_words((0.5, 0.5), 0.3)
    ('top right', 'varies')
    """
    if scatter > SCATTER:
        return "varies"
    row, col = (min(2, int(3 * value)) for value in where)
    return f"{('top', '', 'bottom')[row]} {('left', '', 'right')[col]}".strip() or "center"


def summarize_run(
    model: Classifier,
    described: Description,
    choice: Choice,
    store: MapStore,
    proofs: Sequence[StoredProof | None],
    screenings: Sequence[Screened],
    config: AuditConfig,
) -> dict[str, Any]:
    """Facts about the run, as JSON."""
    facts, count = described.facts, len(described)
    known, off = described.labeled, facts["off_object"]
    right = facts["label"] == facts["predicted"]
    maps = float(sum(store.index["forwards"].to_pylist())), float(sum(store.index["backwards"].to_pylist()))
    forwards = {
        "maps": maps[0],
        "backwards of maps": maps[1],
        "trial": choice.forwards,
        "features": float(count),
        "screening": sum(each.forwards for each in screenings),
        "tests": sum(proof.forwards for proof in proofs if proof),
    }
    return {
        "images": count,
        "failed": len(store.failures),
        "screened": sum(each.tried for each in screenings),
        "labeled": int(known.sum()),
        "accuracy": float(right[known].mean()) if known.any() else None,
        "confidence": float(facts["confidence"].mean()),
        "classes": [_describe_class(model, facts, target) for target in np.unique(facts["predicted"]).tolist()],
        "confusions": _confusions(model, facts),
        "border": float(facts["border"].mean()),
        "off_object": None if np.isnan(off).all() else float(np.nanmean(off)),
        "choice": asdict(choice),
        "forwards": forwards,
        "forwards_per_image": sum(forwards.values()) / max(count, 1),
        "settings": asdict(config),
    }


def _describe_class(model: Classifier, facts: Arrays, target: int) -> dict[str, Any]:
    """The images predicted as a class: how many, how many of them rightly, and where the evidence lies."""
    rows = facts["predicted"] == target
    labels = facts["label"][rows]
    return {
        "class": class_name(target, model.class_names),
        "images": int(rows.sum()),
        "right": float((labels == target)[labels >= 0].mean()) if (labels >= 0).any() else None,
        **_describe_evidence(facts, rows),
    }


def _describe_evidence(facts: Arrays, rows: np.ndarray) -> dict[str, Any]:
    """Confidence, and where the evidence of some images lies; position and spread as fractions of the image."""
    centers, off = facts["center"][rows], facts["off_object"][rows]
    row, col = centers.mean(0).tolist()
    return {
        "confidence": float(facts["confidence"][rows].mean()),
        "where": [row, col],
        "position": position_words((row, col), float(np.hypot(*centers.std(0)))),
        "spread": float(facts["spread"][rows].mean()),
        "border": float(facts["border"][rows].mean()),
        "off_object": None if np.isnan(off).all() else float(np.nanmean(off)),
    }


def _confusions(model: Classifier, facts: Arrays) -> list[dict[str, Any]]:
    """The most frequent wrong predictions, with where their evidence lies."""
    pairs = [(int(a), int(b)) for a, b in zip(facts["label"], facts["predicted"], strict=True)]
    wrong = Counter((label, predicted) for label, predicted in pairs if label not in (-1, predicted))
    return [
        {
            "label": class_name(label, model.class_names),
            "predicted": class_name(predicted, model.class_names),
            "images": count,
            **_describe_evidence(facts, np.array([pair == (label, predicted) for pair in pairs])),
        }
        for (label, predicted), count in wrong.most_common(CONFUSIONS)
    ]
