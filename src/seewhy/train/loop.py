"""`train_explainer`: an explainer for one model, trained on images without labels.

Images of the next steps are read while the model runs. A killed run resumes from its last checkpoint as if it had not
been interrupted. The explainer with the best insertion minus deletion on held-out images is kept (`best.py`);
`log.jsonl` has the loss of every step and the scores of every evaluation.
"""

import math
from pathlib import Path
from typing import Any

import torch
from torch.utils.data import DataLoader

from seewhy.errors import InputError, ModelError, OptionError, UnsupportedModel
from seewhy.explainers.files import read_metadata
from seewhy.explainers.network import AHAExplainer
from seewhy.models.classifier import Classifier
from seewhy.models.loading import device_for, to_device
from seewhy.runtime.progress import track
from seewhy.train.batches import Division, StepImages, read_ahead
from seewhy.train.best import BestExplainer, HeldOut
from seewhy.train.checkpoint import NAME as CHECKPOINT
from seewhy.train.checkpoint import flat, load_checkpoint, make_folder, save_checkpoint
from seewhy.train.config import TrainConfig, make_config
from seewhy.train.images import Examples, TrainingImages, open_images
from seewhy.train.learner import Learner
from seewhy.train.log import TrainingLog
from seewhy.train.processes import Processes
from seewhy.train.tracking import Tracker, check_tracker

BAD_STEPS = 5  # consecutive steps without a finite loss that end a training
LOG = "log.jsonl"


def train_explainer(
    model: Classifier,
    source: Any,
    *,
    out: str | Path,
    preset: str = "small",
    device: str | torch.device | None = None,
    **options: Any,
) -> AHAExplainer:
    """Train an explainer for `model` on a folder of images, a list or a data set, and write it to `out`.

    If `out` holds the checkpoint of a run with the same settings, that run is resumed; several machines need an `out`
    on a shared disk. `preset` is `small`, `official` or `paper`; options are fields of `TrainConfig`,
    `ExplainerConfig`, `DecoderShape` and `LossConfig`. Default of `device`, to which the model is moved: the GPU it is
    on, else one if there is one. Evaluations are logged (`logging`, level INFO).
    """
    run = TrainingRun(model, source, Path(out), make_config(preset=preset, **options), device=device)
    with run.model.frozen_eval(), torch.enable_grad():
        for _ in track(range(run.remaining), "training"):
            run.step()
            if run.evaluate_and_checkpoint():
                break
        return run.finish()


class TrainingRun:
    """A training: its images, its learner, its progress, and the files in `out`."""

    def __init__(
        self,
        model: Classifier,
        source: Any,
        out: Path,
        config: TrainConfig,
        *,
        device: str | torch.device | None = None,
    ) -> None:
        """Check everything that can be checked before hours of training, and resume from a checkpoint in `out`."""
        self.config, self.out = config, out
        check_tracker(config.tracker)
        self.processes = Processes(device_for(model, device), tracker=config.tracker, folder=out)
        self.model = to_device(model, self.processes.device)
        if config.chunk is not None:
            self.model.chunk = self.model.chunk_limit = config.chunk
        self.images = self._open(source)
        self.readers = config.readers or (source.num_workers if isinstance(source, DataLoader) else 0)
        held_out = HeldOut.of(self.images, evaluated=config.evaluated, reported=config.reported)
        self.division = Division(config.batch, config.accumulate, self.processes.count, self.processes.index)
        images = config.epochs * len(self.images.training)
        self.total = config.iterations or max(1, math.floor(images / self.division.images))
        self._check_probabilities(held_out.selection)
        self.explainer = self._build_explainer()
        self._check_model()
        self.learner = Learner(self.explainer, config, self.processes, self.total)
        self.settings = self._settings()
        self._resume()
        self.tracker = Tracker(self.processes, config.tracker, out, flat(self.settings))
        self.best = BestExplainer(
            out,
            self.explainer,
            self.learner.average,
            held_out,
            self.processes,
            self.progress,
            self.log,
            self.tracker,
            self.settings | {"selected_on": len(held_out.selection.images) + len(held_out.selection.problems)},
            self.total,
        )

    # setup

    def _open(self, source: Any) -> TrainingImages:
        config, model = self.config, self.model
        others = read_metadata(config.held_out_by).get("held_out_images") if config.held_out_by else None
        return open_images(
            source,
            model.preprocess,
            held_out=config.held_out,
            seed=config.seed,
            class_names=model.class_names,
            labels=config.labels,
            held_out_names=others,
        )

    def _build_explainer(self) -> AHAExplainer:
        config = self.config
        explainer = AHAExplainer(self.model, config.explainer, seed=config.seed)
        explainer.learning_rate, explainer.tau = config.learning_rate, config.tau[-1]
        if config.start and not (self.out / CHECKPOINT).is_file():
            explainer.load_decoder(config.start, adapt=config.adapt)
        return explainer

    def _check_model(self) -> None:
        """Raise if the model cannot be trained for."""
        if self.explainer.sizes.classes < 2:
            raise UnsupportedModel(f"{self.model.name} has a single class; training needs at least two")
        side, grids = min(self.model.image_size), self.config.explainer.loss.grids
        if max(grids) > side:
            raise OptionError(f"grids must be at most {side}, the image size of {self.model.name}; got {grids}")

    def _check_probabilities(self, examples: Examples) -> None:
        if not self.model.probabilities(examples.images.to(self.processes.device)).isfinite().any():
            raise ModelError(f"{self.model.name} gives no finite probability for held-out images; check its weights")

    def _settings(self) -> dict[str, Any]:
        """Everything that must be the same to resume a run, apart from `checkpoint.FREE`."""
        return {
            "config": self.config.to_dict(),
            "total_steps": self.total,
            "training_images": len(self.images.training),
            "images": self.images.digest(),
            "processes": self.processes.count,
            "shares": self.division.shares,
            "model_fingerprint": self.model.fingerprint,
            "encoder_fingerprint": self.explainer.encoder_fingerprint,
        }

    def _resume(self) -> None:
        """Load the checkpoint in `out`, if there is one, and open the log."""
        make_folder(self.out)
        learner, average = self.learner, self.learner.average.tensors
        self.progress = load_checkpoint(self.out, learner.decoder, learner.optimizer, average, self.settings)
        highest = max(self.explainer.learning_rate, self.progress.learning_rate)
        self.explainer.learning_rate = self.progress.learning_rate = highest
        self.processes.check_same_step(self.progress.step, self.out)
        self.log = TrainingLog(self.out / LOG, enabled=self.processes.is_first)
        self.log.truncate(self.progress.step)
        self.batches = read_ahead(StepImages(self.images, self.division, self.progress.step, self.total), self.readers)
        if self.progress.step == 0:
            self._save_checkpoint()  # a folder that is not writable fails now, not after an hour

    # a step

    @property
    def remaining(self) -> int:
        """Steps until the end of the training."""
        return 0 if self.progress.over else self.total - self.progress.step

    def step(self) -> None:
        """Train on the next batch and log it."""
        entry: dict[str, Any] = {"step": self.progress.step + 1}
        with self.model.meter() as cost:
            shares = [self._to_device(examples) for examples in next(self.batches)]
            if self.processes.all_true(all(len(examples.images) > 0 for examples in shares)):
                entry |= self._learn(shares)
            else:
                entry["skipped"] = "no image of this step could be read"
        self.progress.step += 1
        self.progress.seconds += cost.seconds
        self.progress.forwards += cost.forwards * self.processes.count
        entry["seconds"] = round(self.progress.seconds, 2)
        self.log.append(entry)
        self.tracker.log(entry, self.progress.step)

    def _to_device(self, examples: Examples) -> Examples:
        """The examples on the training device; every process records the unreadable images of all."""
        known, device = self.progress.problems, self.processes.device
        known += [each for each in dict.fromkeys(self.processes.gather(examples.problems)) if each not in known]
        return Examples(examples.images.to(device), examples.labels.to(device), examples.problems)

    def _learn(self, shares: list[Examples]) -> dict[str, float | None]:
        """The log entry of a learning step; raises after several in a row without a finite loss."""
        progress = self.progress
        update = self.learner.step(progress.step, shares)
        progress.bad_steps = 0 if update is not None else progress.bad_steps + 1
        if progress.bad_steps >= BAD_STEPS:
            raise ModelError(
                f"the loss was not finite in {BAD_STEPS} consecutive steps, up to step {progress.step + 1}"
                f"{self.learner.failure}; training stopped. The last good checkpoint in {self.out}, and the explainer "
                "if there is one already, are untouched. Lower learning_rate, or use precision='no', with another out "
                f"(and start={str(self.out)!r} to keep what the explainer has learned)."
            )
        if update is None:
            return {"loss": None}
        schedule = {"learning_rate": self.learner.learning_rate(progress.step), "tau": self.learner.tau(progress.step)}
        return update._asdict() | schedule

    # evaluations and files

    def evaluate_and_checkpoint(self) -> bool:
        """Evaluate and save a checkpoint when due; returns whether the training is over."""
        step, config = self.progress.step, self.config
        if step % config.evaluate_every == 0 or step == self.total:
            self._check_learned()
            self.best.evaluate()
            self.progress.over = step == self.total or 0 < config.patience <= self.progress.stale
        if step % config.checkpoint_every == 0 or self.progress.over:
            self._save_checkpoint()
        return self.progress.over

    def _check_learned(self) -> None:
        """Raise if no step has changed the decoder."""
        problems = self.progress.problems
        if self.progress.bad_steps == self.progress.step:
            raise ModelError(
                f"the loss was not finite in any of the {self.progress.step} steps{self.learner.failure}, so "
                f"no explainer is written. Check that {self.model.name} gives finite probabilities, or lower "
                "learning_rate."
            )
        if self._images_seen() <= 0:
            raise InputError(
                f"none of the first {len(problems)} training images can be read, the first: {problems[0]}. Expected a "
                "folder of images."
            )

    def _images_seen(self) -> int:
        """Training images seen so far, without those that could not be read."""
        return min(self.progress.step * self.division.images, len(self.images.training)) - len(self.progress.problems)

    def _save_checkpoint(self) -> None:
        if self.processes.is_first and self.progress.bad_steps == 0:
            learner, average = self.learner, self.learner.average.tensors
            save_checkpoint(self.out, learner.decoder, learner.optimizer, average, self.progress, self.settings)

    def finish(self) -> AHAExplainer:
        """Write the model card, and load the best explainer of the run."""
        images, batch = self._images_seen(), self.division.images
        return self.best.finish(start=self.config.start, images=images, batch=batch)
