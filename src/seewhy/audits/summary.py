"""From proofs to findings, and facts about the run: accuracy, confusion, where the evidence lies, cost."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from seewhy.audits.choose import Choice
from seewhy.audits.config import AuditConfig
from seewhy.audits.describe import Description
from seewhy.audits.find import Candidate
from seewhy.audits.findings import Finding, Findings
from seewhy.audits.judge import VERDICTS, Effects, correct, judge, measure_effects
from seewhy.audits.proofs import StoredProof
from seewhy.audits.prove import iou
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
        for (candidate, proof), each, ps in zip(tested, effects, correct(effects), strict=True)
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
    verdict, reason = judge(effects, ps, proof.object_share, config)
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
        object_share=None if math.isnan(proof.object_share) else proof.object_share,
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
        "tests": sum(proof.forwards for proof in proofs if proof),
    }
    return {
        "images": count,
        "failed": len(store.failures),
        "labeled": int(known.sum()),
        "accuracy": float(right[known].mean()) if known.any() else None,
        "confidence": float(facts["confidence"].mean()),
        "confusions": _confusions(model, facts["label"][known], facts["predicted"][known]),
        "border": float(facts["border"].mean()),
        "off_object": None if np.isnan(off).all() else float(np.nanmean(off)),
        "choice": asdict(choice),
        "forwards": forwards,
        "forwards_per_image": sum(forwards.values()) / max(count, 1),
        "settings": asdict(config),
    }


def _confusions(model: Classifier, labels: np.ndarray, predicted: np.ndarray) -> list[dict[str, Any]]:
    pairs = Counter((int(a), int(b)) for a, b in zip(labels, predicted, strict=True) if a != b)
    named = [
        (class_name(a, model.class_names), class_name(b, model.class_names), n)
        for (a, b), n in pairs.most_common(CONFUSIONS)
    ]
    return [{"label": a, "predicted": b, "images": n} for a, b, n in named]
