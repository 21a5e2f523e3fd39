"""The audit from start to end: describe, find, prove, judge, report; every step resumes."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from torch import nn

from seewhy.audits.choose import Choice, choose_methods, choose_stored
from seewhy.audits.config import AuditConfig
from seewhy.audits.describe import DescribeJob, Description, describe_images
from seewhy.audits.find import Candidate, find_candidates
from seewhy.audits.findings import Findings
from seewhy.audits.proofs import open_proofs, prove_candidates
from seewhy.audits.prove import ProofJob, Task
from seewhy.audits.report import write_report
from seewhy.audits.screen import ScreenJob, draw_recipients, make_screenings, merge_screened, screen_candidates
from seewhy.audits.source import SampleCache, open_images, open_store
from seewhy.audits.summary import summarize_run, to_findings
from seewhy.data.items import Dataset
from seewhy.errors import InputError
from seewhy.models.classifier import Classifier
from seewhy.models.wrapping import as_classifier
from seewhy.runtime.files import write_atomic
from seewhy.runtime.pool import keep_workers
from seewhy.runtime.targets import class_index, class_name
from seewhy.store import MapStore, explain_dataset
from seewhy.store.schema import as_text

logger = logging.getLogger(__name__)


@keep_workers()
def audit(
    model: Classifier | nn.Module,
    source: Any,
    *,
    out: str | Path,
    limit: int | None = None,
    classes: Sequence[int | str] | None = None,
    workers: int = 1,
    ray: str | None = None,
    **options: Any,
) -> Findings:
    """Find cues that a model relies on over a whole data set, and prove which of them cause its decisions.

    `source`: whatever `explain_dataset` takes, folders named like classes, or a map store, whose maps are then used.
    The folder `out` gets the report (`report.html`), `findings.json`, `effects.parquet` with a row per test, and the
    cues' masks; a run that was killed resumes there. `limit` audits random images, `classes` looks for cues of these
    predicted classes only. Other options are those of `AuditConfig`: `method`, `effect`, `donors`, `seed` …
    """
    model, config, folder = as_classifier(model), AuditConfig(**options), Path(out)
    dataset = open_images(source, model, limit=limit, seed=config.seed)
    wanted = None if classes is None else [class_index(each, model.class_names) for each in classes]
    _open_folder(folder, model, dataset, config, wanted)
    stored = open_store(source, model)
    choice = _choose(folder, model, dataset, stored, config, workers=workers, ray=ray)
    methods = [choice.method, *([choice.second] if choice.second else [])]
    recipes = [(name, config.options(name)) for name in methods]
    store = stored or explain_dataset(model, dataset, recipes, store=folder / "maps", workers=workers, ray=ray)
    job = DescribeJob(model, dataset)
    described = describe_images(job, store, methods, folder / "described", workers=workers, ray=ray)
    images = SampleCache(dataset, model.preprocess)
    screenings = make_screenings(find_candidates(described, config, wanted), described, config)
    screener = ScreenJob(model, images, config)
    screened = screen_candidates(screener, screenings, folder / "screened", workers=workers, ray=ray)
    candidates = merge_screened(screenings, screened)
    logger.info("%d candidates in %d images", len(candidates), len(described))
    tasks = [make_task(each, described, config) for each in candidates]
    prove_candidates(ProofJob(model, images, config), tasks, folder, workers=workers, ray=ray)
    proofs = open_proofs(tasks, folder)
    about = summarize_run(model, described, choice, store, proofs, screened, config)
    about["searched"] = None if wanted is None else [class_name(each, model.class_names) for each in wanted]
    findings = to_findings(model, candidates, proofs, config, folder, about)
    findings.save()
    named = {each.name: proof for each, proof in zip(candidates, proofs, strict=True) if proof is not None}
    write_report(findings, named, model, dataset, config)
    return findings


def make_task(candidate: Candidate, described: Description, config: AuditConfig) -> Task:
    """Choose the images of the tests: donors with most evidence in the cue, random recipients of other classes."""
    facts = described.facts
    owners = np.flatnonzero(np.isin(facts["index"], list(candidate.cells)))
    arrays = described.load(owners, ("cells", "shares", "evidence"))
    evidence = [
        share[np.isin(cells, candidate.cells[int(facts["index"][row])])].sum()
        for row, cells, share in zip(owners, arrays["cells"], arrays["shares"], strict=True)
    ]
    best = np.argsort(evidence)[::-1][: config.donors]
    recipients = draw_recipients(candidate.target, described, config)[: config.recipients]
    donors = facts["index"][owners[best]].tolist()
    return Task(candidate, tuple(donors), tuple(recipients), arrays["evidence"][best].tobytes())


def _open_folder(
    folder: Path, model: Classifier, dataset: Dataset, config: AuditConfig, classes: Sequence[int] | None
) -> None:
    """Create the folder of a run, or check that the run in it is this one."""
    folder.mkdir(parents=True, exist_ok=True)
    names = blake2b(digest_size=8)
    for index in range(len(dataset)):
        names.update(as_text(dataset[index].name).encode())
    settings: Mapping[str, Any] = {
        "model": model.fingerprint,
        "images": len(dataset),
        "names": names.hexdigest(),
        "classes": classes,
        **asdict(config),
    }
    path = folder / "settings.json"
    if path.is_file() and (found := json.loads(path.read_text())) != settings:
        changed = ", ".join(name for name in settings if found.get(name) != settings[name])
        raise InputError(f"{folder} holds an audit with other settings ({changed}). Choose another folder for out.")
    write_atomic(path, json.dumps(settings).encode(), resumes=True)


def _choose(
    folder: Path,
    model: Classifier,
    dataset: Dataset,
    stored: MapStore | None,
    config: AuditConfig,
    **where: Any,  # workers and ray
) -> Choice:
    """The methods of the maps; a resumed run keeps its choice."""
    path = folder / "choice.json"
    if path.is_file():
        return Choice(**json.loads(path.read_text()))
    if stored is not None:
        choice = choose_stored(model, stored, config)
    else:
        choice = choose_methods(model, dataset, config, **where)
    logger.info("maps by %s: %s", choice.method, choice.reason)
    write_atomic(path, json.dumps(asdict(choice)).encode(), resumes=True)
    return choice
