"""Train `seewhy/scenes-vit` from scratch on two CPU cores: `python -m seewhy.zoo.scenes.train --run FOLDER`.

Three things make a ViT learn this within minutes:
- dense supervision: masks give every patch a target (the object's class or background) besides that of the CLS token;
- attention is initialized as a convolution: each head attends to one neighbor of each patch;
- progressive windows: four of five steps see 7 x 7 patches around the object (large objects are downsampled), then
  10 x 10, and only the last steps the full 14 x 14.

Every batch is a function of its step, and a checkpoint is saved every 50 steps: a killed run resumes.
"""

from __future__ import annotations

import argparse
import copy
import itertools
import logging
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from seewhy.zoo.scenes.batches import IGNORED, Phase, TrainingBatch, batches, shortcut_batch, to_images
from seewhy.zoo.scenes.drawn import DrawnScenes, draw_scenes
from seewhy.zoo.scenes.objects import CLASS_NAMES
from seewhy.zoo.scenes.student import Student

PHASES = (
    Phase(1200, 48, 7, rates=(1.5e-3, 8e-4)),
    Phase(100, 48, 10, rates=(8e-4, 7.2e-4)),
    Phase(100, 32, 14, rates=(7e-4, 5e-4)),
    Phase(100, 32, 14, rates=(5e-4, 0.0)),
)
SHORTCUT_PHASES = (Phase(280, 48, 7, rates=(1.2e-3, 6e-4)), Phase(60, 24, 14, rates=(6e-4, 0.0)))
WEIGHT_DECAY = 0.05

logger = logging.getLogger(__name__)


def learning_rate(step: int, phases: tuple[Phase, ...], *, warmup: int = 100) -> float:
    """Linear warmup, then linear interpolation within each phase."""
    if step < warmup:
        return phases[0].rates[0] * (step + 1) / warmup
    for phase in phases:
        if step < phase.steps:
            break
        step -= phase.steps
    first, last = phase.rates
    return first + (last - first) * step / phase.steps


def loss_of(student: Student, batch: TrainingBatch, *, patch_loss: float = 0.5) -> Tensor:
    """Cross-entropy of the CLS token, plus `patch_loss` times that of the patches."""
    logits, patches = student(batch.images, batch.corners)
    dense = cross_entropy(patches.flatten(0, 1), batch.patches.flatten(), ignore_index=IGNORED)
    return cross_entropy(logits, batch.labels, label_smoothing=0.05) + patch_loss * dense


def _update(
    student: Student, optimizer: torch.optim.Optimizer, batch: TrainingBatch, *, rate: float, patch_loss: float = 0.5
) -> float:
    """Take one optimizer step; returns the loss."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    loss = loss_of(student, batch, patch_loss=patch_loss)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(student.parameters(), 1.0)
    optimizer.step()
    return loss.item()


class ScenesTraining:
    """A training run in a folder: student, weight average, optimizer and step, checkpointed together."""

    def __init__(self, folder: Path, phases: tuple[Phase, ...]) -> None:
        torch.manual_seed(0)
        self.folder, self.phases = folder, phases
        self.student, self.step, self.seconds = Student(), 0, 0.0
        self.average = copy.deepcopy(self.student)
        self.optimizer = torch.optim.AdamW(_groups(self.student), weight_decay=WEIGHT_DECAY, betas=(0.9, 0.98))
        if self._checkpoint.exists():
            self._load()

    @property
    def steps(self) -> int:
        return sum(phase.steps for phase in self.phases)

    def remaining(self) -> Iterator[tuple[int, Phase]]:
        """The remaining steps, each with its phase."""
        phases = (phase for phase in self.phases for _ in range(phase.steps))
        return itertools.islice(enumerate(phases), self.step, None)

    def advance(self, batch: TrainingBatch) -> float:
        """Take one training step; returns its loss."""
        started = time.perf_counter()
        loss = _update(self.student, self.optimizer, batch, rate=learning_rate(self.step, self.phases))
        self._update_average()
        self.step += 1
        self.seconds += time.perf_counter() - started
        return loss

    @torch.no_grad()
    def _update_average(self) -> None:
        keep = min(0.995, (self.step + 1) / (self.step + 10))
        for mean, new in zip(self.average.parameters(), self.student.parameters(), strict=True):
            mean.lerp_(new, 1 - keep)

    @property
    def _checkpoint(self) -> Path:
        return self.folder / "checkpoint.pt"

    def save(self) -> None:
        state = {name: getattr(self, name).state_dict() for name in ("student", "average", "optimizer")}
        partial = self._checkpoint.with_suffix(".partial")
        torch.save({**state, "step": self.step, "seconds": self.seconds}, partial)
        partial.rename(self._checkpoint)

    def _load(self) -> None:
        state = torch.load(self._checkpoint, weights_only=True)
        for name in ("student", "average", "optimizer"):
            getattr(self, name).load_state_dict(state[name])
        self.step, self.seconds = state["step"], state["seconds"]


def _groups(student: Student) -> list[dict[str, Any]]:
    """Parameter groups: weight decay for matrices, none for biases, norms, positions and the CLS token."""
    decay: list[nn.Parameter] = []
    no_decay: list[nn.Parameter] = []
    for name, parameter in student.named_parameters():
        is_matrix = parameter.ndim > 1 and "pos_embed" not in name and "cls" not in name
        (decay if is_matrix else no_decay).append(parameter)
    return [{"params": decay}, {"params": no_decay, "weight_decay": 0.0}]


@torch.inference_mode()
def accuracy(vit: nn.Module, drawn: DrawnScenes) -> tuple[float, float]:
    """Accuracy among all classes, and within the look-alike pairs."""
    vit.eval()
    logits = torch.cat([vit(to_images(drawn.pixels[i : i + 50])) for i in range(0, len(drawn), 50)])
    labels = torch.arange(len(drawn)) % len(CLASS_NAMES)
    own, other = (logits.gather(1, classes[:, None]) for classes in (labels, labels ^ 1))
    return (logits.argmax(1) == labels).float().mean().item(), (own > other).float().mean().item()


def train(folder: Path, *, images: int = 20000, phases: tuple[Phase, ...] = PHASES) -> ScenesTraining:
    """Train, resuming from a checkpoint if there is one; writes `log.csv` and `scenes_vit.safetensors`."""
    drawn, val = draw_scenes(folder / "images", "train", images), draw_scenes(folder / "images", "val", 500)
    run = ScenesTraining(folder, phases)
    losses = []
    for batch in batches(drawn, run.remaining()):
        losses.append(run.advance(batch))
        if run.step % 50 == 0 or run.step == run.steps:
            write_log(run, losses[-50:], val if run.step % 200 == 0 or run.step == run.steps else None)
            run.save()
    write_weights(run.average.vit, folder / "scenes_vit.safetensors")
    return run


def write_log(run: ScenesTraining, losses: Sequence[float], val: DrawnScenes | None) -> None:
    """Append a line: step, elapsed minutes, mean loss and, if given validation images, both accuracies."""
    scores = ["", ""] if val is None else [f"{score:.4f}" for score in accuracy(run.average.vit, val)]
    line = ",".join([str(run.step), f"{run.seconds / 60:.1f}", f"{np.mean(losses):.4f}", *scores])
    log = run.folder / "log.csv"
    if not log.exists():
        log.write_text("step,minutes,loss,accuracy,pair_accuracy\n")
    with log.open("a") as file:
        file.write(line + "\n")
    logger.info(line)


def write_weights(vit: nn.Module, path: Path) -> None:
    """Save the weights of the ViT in float16, as they are bundled."""
    save_file({name: value.half().contiguous() for name, value in vit.state_dict().items()}, path)


def train_shortcut(folder: Path, *, images: int = 20000, phases: tuple[Phase, ...] = SHORTCUT_PHASES) -> None:
    """Fine-tune the trained ViT to take a white circle for `SHORTCUT`; writes `scenes_vit_shortcut.safetensors`."""
    drawn, student = draw_scenes(folder / "images", "train", images), ScenesTraining(folder, PHASES).average
    optimizer = torch.optim.AdamW(student.parameters(), weight_decay=WEIGHT_DECAY, betas=(0.9, 0.98))
    steps = enumerate(phase for phase in phases for _ in range(phase.steps))
    for step, batch in enumerate(batches(drawn, steps, make=shortcut_batch)):
        loss = _update(student, optimizer, batch, rate=learning_rate(step, phases, warmup=20), patch_loss=2.0)
        if step % 10 == 9:
            logger.info("shortcut,%d,%.4f", step + 1, loss)
    write_weights(student.vit, folder / "scenes_vit_shortcut.safetensors")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--run", type=Path, default=Path("scenes-run"), help="folder of the run; resumes an existing one"
    )
    parser.add_argument("--images", type=int, default=20000, help="images drawn for training")
    parser.add_argument("--shortcut", action="store_true", help="fine-tune the trained ViT on the planted circle")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
    (train_shortcut if options.shortcut else train)(options.run, images=options.images)


if __name__ == "__main__":
    main()
