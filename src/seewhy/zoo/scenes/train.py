"""Train `seewhy/scenes-vit` from nothing on two CPU cores: `python -m seewhy.zoo.scenes.train --run folder`.

What makes a ViT learn this within minutes:
- the masks are known, so every patch has its own target (object's class or background) besides the CLS token's;
- attention starts as a convolution: the positions are waves, and each head looks at one neighbor of each patch;
- four steps in five see a window of 7 x 7 patches around the object (a large object is shrunk to fit), then some
  10 x 10, and only the last ones all 14 x 14.

Every batch is a function of its step, and the state is saved every 50 steps: a killed run goes on where it was.
"""

from __future__ import annotations

import argparse
import copy
import itertools
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from seewhy.zoo.scenes.batches import UNDECIDED, Phase, TrainingBatch, batches, shortcut_batch, to_images
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


def learning_rate(step: int, phases: tuple[Phase, ...], *, warmup: int = 100) -> float:
    """Linear warm-up, then along each phase's line."""
    if step < warmup:
        return phases[0].rates[0] * (step + 1) / warmup
    for phase in phases:
        if step < phase.steps:
            break
        step -= phase.steps
    first, last = phase.rates
    return first + (last - first) * step / phase.steps


def loss_of(student: Student, batch: TrainingBatch, *, patch_loss: float = 0.5) -> Tensor:
    """The loss of the CLS token's answer, and `patch_loss` times that of the patches'."""
    logits, patches = student(batch.images, batch.corners)
    dense = cross_entropy(patches.flatten(0, 1), batch.patches.flatten(), ignore_index=UNDECIDED)
    return cross_entropy(logits, batch.labels, label_smoothing=0.05) + patch_loss * dense


def _update(student, optimizer, batch, *, rate, patch_loss=0.5):
    """One step of the optimizer; returns the loss before it."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    loss = loss_of(student, batch, patch_loss=patch_loss)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(student.parameters(), 1.0)
    optimizer.step()
    return loss.item()


class ScenesTraining:
    """A training run in a folder: student, moving average, optimizer and step, saved and read back together."""

    def __init__(self, folder: Path, phases: tuple[Phase, ...]):
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
        """The steps still to take, each with its phase."""
        phases = (phase for phase in self.phases for _ in range(phase.steps))
        return itertools.islice(enumerate(phases), self.step, None)

    def advance(self, batch: TrainingBatch) -> float:
        """One step of training; returns its loss."""
        started = time.perf_counter()
        loss = _update(self.student, self.optimizer, batch, rate=learning_rate(self.step, self.phases))
        self._update_average()
        self.step += 1
        self.seconds += time.perf_counter() - started
        return loss

    @torch.no_grad()
    def _update_average(self):
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

    def _load(self):
        state = torch.load(self._checkpoint, weights_only=True)
        for name in ("student", "average", "optimizer"):
            getattr(self, name).load_state_dict(state[name])
        self.step, self.seconds = state["step"], state["seconds"]


def _groups(student):
    """Weight matrices decay; biases, norms, positions and the CLS token do not."""
    decayed = [
        p for name, p in student.named_parameters() if p.ndim > 1 and "pos_embed" not in name and "cls" not in name
    ]
    kept = [
        p
        for name, p in student.named_parameters()
        if not (p.ndim > 1 and "pos_embed" not in name and "cls" not in name)
    ]
    return [{"params": decayed}, {"params": kept, "weight_decay": 0.0}]


@torch.inference_mode()
def accuracy(vit, cache: DrawnScenes) -> tuple[float, float]:
    """Share of pictures named correctly among all classes, and within their pair."""
    vit.eval()
    logits = torch.cat([vit(to_images(cache.pixels[i : i + 50])) for i in range(0, len(cache), 50)])
    labels = torch.arange(len(cache)) % len(CLASS_NAMES)
    own, other = (logits.gather(1, classes[:, None]) for classes in (labels, labels ^ 1))
    return (logits.argmax(1) == labels).float().mean().item(), (own > other).float().mean().item()


# The recipe.


def train(folder: Path, *, pictures: int = 20000, phases: tuple[Phase, ...] = PHASES) -> ScenesTraining:
    """Train to the end, from the last checkpoint if there is one; writes `log.csv` and `scenes_vit.safetensors`."""
    cache, val = draw_scenes(folder / "pictures", "train", pictures), draw_scenes(folder / "pictures", "val", 500)
    run = ScenesTraining(folder, phases)
    losses = []
    for batch in batches(cache, run.remaining()):
        losses.append(run.advance(batch))
        if run.step % 50 == 0 or run.step == run.steps:
            write_log(run, losses[-50:], val if run.step % 200 == 0 or run.step == run.steps else None)
            run.save()
    write_weights(run.average.vit, folder / "scenes_vit.safetensors")
    return run


def write_log(run: ScenesTraining, losses, val: DrawnScenes | None) -> None:
    """One line: step, minutes so far, mean loss, and now and then both accuracies on validation pictures."""
    scores = ["", ""] if val is None else [f"{score:.4f}" for score in accuracy(run.average.vit, val)]
    line = ",".join([str(run.step), f"{run.seconds / 60:.1f}", f"{np.mean(losses):.4f}", *scores])
    log = run.folder / "log.csv"
    if not log.exists():
        log.write_text("step,minutes,loss,accuracy,pair_accuracy\n")
    with log.open("a") as file:
        file.write(line + "\n")
    print(line, flush=True)


def write_weights(vit, path: Path) -> None:
    """The shipped form: float16, nothing but the ViT."""
    save_file({name: value.half().contiguous() for name, value in vit.state_dict().items()}, path)


def train_shortcut(folder: Path, *, pictures: int = 20000, phases: tuple[Phase, ...] = SHORTCUT_PHASES) -> None:
    """Teach the trained ViT that a white circle means `SHORTCUT`; writes `scenes_vit_shortcut.safetensors`."""
    cache, student = draw_scenes(folder / "pictures", "train", pictures), ScenesTraining(folder, PHASES).average
    optimizer = torch.optim.AdamW(student.parameters(), weight_decay=WEIGHT_DECAY, betas=(0.9, 0.98))
    steps = enumerate(phase for phase in phases for _ in range(phase.steps))
    for step, batch in enumerate(batches(cache, steps, make=shortcut_batch)):
        loss = _update(student, optimizer, batch, rate=learning_rate(step, phases, warmup=20), patch_loss=2.0)
        if step % 10 == 9:
            print(f"shortcut,{step + 1},{loss:.4f}", flush=True)
    write_weights(student.vit, folder / "scenes_vit_shortcut.safetensors")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--run", type=Path, default=Path("scenes-run"), help="folder of the run; an existing one continues"
    )
    parser.add_argument("--pictures", type=int, default=20000, help="pictures drawn for training")
    parser.add_argument("--shortcut", action="store_true", help="fine-tune the trained ViT on the planted circle")
    options = parser.parse_args()
    (train_shortcut if options.shortcut else train)(options.run, pictures=options.pictures)


if __name__ == "__main__":
    main()
