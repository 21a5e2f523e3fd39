"""Proofs on disk: one folder per candidate with the rows of its tests and the masks of its cue, written atomically."""

import io
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from PIL import Image

from seewhy.audits.prove import Proof, ProofJob, Row, Task
from seewhy.runtime.files import parquet_bytes, write_atomic
from seewhy.runtime.pool import run_units
from seewhy.runtime.progress import track

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class StoredProof:
    """The rows of a candidate's tests, and the files of its masks and images by name of the image."""

    rows: list[Row]
    masks: dict[str, Path]
    images: dict[str, Path]
    pasted: list[Path]  # the first recipients, with the cue
    off_object: bool
    forwards: float

    def mask(self, name: str) -> np.ndarray:
        """The pixels of the cue in an image."""
        return np.asarray(Image.open(self.masks[name])) > 0


def prove_candidates(
    job: ProofJob, tasks: Sequence[Task], folder: Path, *, workers: int = 1, ray: str | None = None
) -> None:
    """Test the candidates that have no proof yet, and write the rows of all to `effects.parquet`."""
    missing = [task for task in tasks if not _facts(folder, task).is_file()]
    finished = run_units(job, missing, workers=workers, ray=ray) if missing else iter(())
    for task, proof, _, error in track(finished, "testing candidates", total=len(missing)):
        if error:
            logger.warning("candidate %s could not be tested: %s", task.candidate.name, error)
        else:
            _write(folder, task, proof)
    rows = [row for proof in open_proofs(tasks, folder) if proof for row in proof.rows]
    if rows:
        write_atomic(folder / "effects.parquet", parquet_bytes(pa.Table.from_pylist(rows)), resumes=True)


def open_proofs(tasks: Sequence[Task], folder: Path) -> list[StoredProof | None]:
    """The proofs of some candidates; None for those that could not be tested."""
    return [_read(folder, task) for task in tasks]


def proof_folder(folder: Path, task: Task) -> Path:
    return folder / "masks" / f"{task.candidate.name}-{task.candidate.key}"


def _facts(folder: Path, task: Task) -> Path:
    return proof_folder(folder, task) / "proof.json"


def _write(folder: Path, task: Task, proof: Proof) -> None:
    """The pictures first, then the facts, which make it a proof."""
    target = proof_folder(folder, task)
    target.mkdir(parents=True, exist_ok=True)
    for number, (mask, image) in enumerate(zip(proof.masks, proof.images, strict=True)):
        write_atomic(target / f"{number:02d}.png", _png(mask.astype(np.uint8) * 255), resumes=True)
        write_atomic(target / f"{number:02d}-image.jpg", _jpeg(image), resumes=True)
    for number, image in enumerate(proof.pasted):
        write_atomic(target / f"pasted-{number}.jpg", _jpeg(image), resumes=True)
    facts = {
        "rows": proof.rows,
        "names": proof.names,
        "off_object": proof.off_object,
        "forwards": proof.forwards,
    }
    write_atomic(_facts(folder, task), json.dumps(facts).encode(), resumes=True)


def _read(folder: Path, task: Task) -> StoredProof | None:
    if not _facts(folder, task).is_file():
        return None
    facts, target = json.loads(_facts(folder, task).read_text()), proof_folder(folder, task)
    masks = {name: target / f"{number:02d}.png" for number, name in enumerate(facts["names"])}
    images = {name: target / f"{number:02d}-image.jpg" for number, name in enumerate(facts["names"])}
    pasted = sorted(target.glob("pasted-*.jpg"))
    return StoredProof(facts["rows"], masks, images, pasted, facts["off_object"], facts["forwards"])


def _png(pixels: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _jpeg(pixels: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "JPEG", quality=90)
    return buffer.getvalue()
