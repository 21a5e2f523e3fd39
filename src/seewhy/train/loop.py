"""`train_explainer`: an explainer for one model, trained on images without labels.

Images of the next steps are prefetched while the model runs. A killed run resumes from its last checkpoint as if it had
not been interrupted. The explainer with the best insertion minus deletion on held-out images is written; `log.jsonl`
has the loss of every step and the scores of every evaluation.
"""

import logging
import math
from pathlib import Path
from typing import Any

import torch

from seewhy.errors import InputError, ModelError, OptionError, UnsupportedModel
from seewhy.explainers.files import read_metadata
from seewhy.explainers.network import AHAExplainer
from seewhy.models.classifier import Classifier
from seewhy.models.loading import to_device
from seewhy.runtime.prefetch import prefetch
from seewhy.runtime.progress import track
from seewhy.train.card import write_card
from seewhy.train.checkpoint import NAME as CHECKPOINT
from seewhy.train.checkpoint import load_checkpoint, make_folder, save_checkpoint
from seewhy.train.config import TrainConfig, make_config
from seewhy.train.evaluation import evaluate_explainer
from seewhy.train.images import Examples, open_images
from seewhy.train.learner import Learner
from seewhy.train.log import TrainingLog
from seewhy.train.processes import Processes

BAD_STEPS = 5  # consecutive steps without a finite loss that end a training
LOG = "log.jsonl"

logger = logging.getLogger(__name__)


def train_explainer(
    model: Classifier, source: Any, *, out: str | Path, preset: str = "small", **options: Any
) -> AHAExplainer:
    """Train an explainer for `model` on a folder of images (or a list, or Scenes), and write it to `out`.

    If `out` holds the checkpoint of a run with the same settings, that run is resumed; several machines need an `out`
    on a shared disk. `preset` is `small`, `official` or `paper`; options are fields of `TrainConfig`,
    `ExplainerConfig`, `DecoderShape` and `LossConfig`. Evaluations are logged (`logging`, level INFO).
    """
    run = TrainingRun(model, source, Path(out), make_config(preset=preset, **options))
    with run.model.frozen_eval(), torch.enable_grad():
        for _ in track(range(run.remaining), "training"):
            run.step()
            if run.evaluate_and_checkpoint():
                break
    return run.finish()


class TrainingRun:
    """A training: its images, its learner, its progress, and the files in `out`."""

    def __init__(self, model: Classifier, source: Any, out: Path, config: TrainConfig) -> None:
        """Check everything that can be checked before hours of training, and resume from a checkpoint in `out`."""
        self.config, self.out = config, out
        self.processes = Processes(model)
        self.model = to_device(model, self.processes.device)
        others = read_metadata(config.held_out_by).get("held_out_images") if config.held_out_by else None
        self.images = open_images(
            source,
            model.preprocess,
            held_out=config.held_out,
            seed=config.seed,
            class_names=model.class_names,
            held_out_names=others,
        )
        self.held_out = self.images.read_held_out(config.evaluated)
        self.batch = config.batch * self.processes.count
        self.total = config.iterations or max(1, math.floor(config.epochs * len(self.images.training) / self.batch))
        self._check_probabilities()
        self.explainer = self._build_explainer()
        self._check_model()
        self.learner = Learner(self.explainer, config, self.processes, self.total)
        self.settings = self._settings()
        self._resume()

    # setup

    def _build_explainer(self) -> AHAExplainer:
        config = self.config
        explainer = AHAExplainer(self.model, config.explainer, seed=config.seed)
        explainer.learning_rate, explainer.tau = config.learning_rate, config.tau[-1]
        if config.start and not (self.out / CHECKPOINT).is_file():
            explainer.load_decoder(config.start)
        return explainer

    def _check_model(self) -> None:
        """Raise if the model cannot be trained for."""
        if self.explainer.sizes.classes < 2:
            raise UnsupportedModel(f"{self.model.name} has a single class; training needs at least two")
        side, grids = min(self.model.image_size), self.config.explainer.loss.grids
        if max(grids) > side:
            raise OptionError(f"grids must be at most {side}, the image size of {self.model.name}; got {grids}")

    def _check_probabilities(self) -> None:
        if not self.model.probabilities(self.held_out.images.to(self.processes.device)).isfinite().any():
            raise ModelError(f"{self.model.name} gives no finite probability for held-out images; check its weights")

    def _settings(self) -> dict[str, Any]:
        """Everything that must be the same to resume a run."""
        return {
            "config": self.config.to_dict(),
            "total_steps": self.total,
            "training_images": len(self.images.training),
            "images": self.images.digest(),
            "processes": self.processes.count,
            "model_fingerprint": self.model.fingerprint,
            "encoder_fingerprint": self.explainer.encoder_fingerprint,
        }

    def _resume(self) -> None:
        """Load the checkpoint in `out`, if there is one, and open the log."""
        make_folder(self.out)
        self.progress = load_checkpoint(self.out, self.learner.decoder, self.learner.optimizer, self.settings)
        highest = max(self.explainer.learning_rate, self.progress.learning_rate)
        self.explainer.learning_rate = self.progress.learning_rate = highest
        self.processes.check_same_step(self.progress.step, self.out)
        self.log = TrainingLog(self.out / LOG, enabled=self.processes.is_first)
        self.log.truncate(self.progress.step)
        self.batches = prefetch(self._read, range(self.progress.step, self.total))
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
            examples = self._to_device(next(self.batches))
            if self.processes.all_true(len(examples.images) > 0):
                entry |= self._learn(examples)
            else:
                entry["skipped"] = "no image of this step could be read"
        self.progress.step += 1
        self.progress.seconds += cost.seconds
        self.progress.forwards += cost.forwards * self.processes.count
        self.log.append(entry | {"seconds": round(self.progress.seconds, 2)})

    def _read(self, step: int) -> Examples:
        """This process's share of a batch."""
        indices = self.images.at_step(step, self.batch)
        return self.images.read(indices[self.processes.index :: self.processes.count])

    def _to_device(self, examples: Examples) -> Examples:
        """The examples on the training device; every process records the unreadable images of all."""
        known, device = self.progress.problems, self.processes.device
        known += [each for each in dict.fromkeys(self.processes.gather(examples.problems)) if each not in known]
        return Examples(examples.images.to(device), examples.labels.to(device), examples.problems)

    def _learn(self, examples: Examples) -> dict[str, float | None]:
        """The log entry of a learning step; raises after several in a row without a finite loss."""
        progress = self.progress
        loss = self.learner.step(progress.step, examples)
        progress.bad_steps = 0 if loss is not None else progress.bad_steps + 1
        if progress.bad_steps >= BAD_STEPS:
            raise ModelError(
                f"the loss was not finite in {BAD_STEPS} consecutive steps, up to step {progress.step + 1}"
                f"{self.learner.failure}; training stopped. The last good checkpoint in {self.out}, and the explainer "
                "if there is one already, are untouched. Lower learning_rate, or use precision='no', with another out "
                f"(and start={str(self.out)!r} to keep what the explainer has learned)."
            )
        if loss is None:
            return {"loss": None}
        parts = {name: float(getattr(loss, name)) for name in ("deletion", "insertion", "peak")}
        return {"loss": float(loss.total.detach()), **parts}

    # evaluations and files

    def evaluate_and_checkpoint(self) -> bool:
        """Evaluate and save a checkpoint when due; returns whether the training is over."""
        step, config = self.progress.step, self.config
        if step % config.evaluate_every == 0 or step == self.total:
            self._evaluate()
            self.progress.over = step == self.total or 0 < config.patience <= self.progress.stale
        if step % config.checkpoint_every == 0 or self.progress.over:
            self._save_checkpoint()
        return self.progress.over

    def _evaluate(self) -> None:
        """Score the held-out images, in the first process only, and write the explainer if it is the best so far."""
        self._check_learned()
        first, progress = self.processes.is_first, self.progress
        scores = self.processes.broadcast(evaluate_explainer(self.explainer, self.held_out.images) if first else None)
        score = scores["ins_del"]
        better = math.isfinite(score) and (progress.best is None or score > progress.best)
        progress.stale = 0 if better else progress.stale + 1
        self.log.append({"step": progress.step, "scores": scores})
        if better:
            progress.best, progress.best_step = score, progress.step
        if better and first:
            self._save_explainer(scores)
        if first:
            self._log_scores(scores)

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
        return min(self.progress.step * self.batch, len(self.images.training)) - len(self.progress.problems)

    def _save_explainer(self, scores: dict[str, float]) -> None:
        training = self.settings | {"step": self.progress.step, "scores": scores}
        names = self.images.names(self.images.held_out)
        self.explainer.save(self.out, half=True, training=training, held_out_images=names)

    def _log_scores(self, scores: dict[str, float]) -> None:
        best, problems = self.progress.best, self.progress.problems
        logger.info(
            "step %d of %d: deletion %.4f, insertion %.4f, ins-del %.4f, best %s%s",
            *(self.progress.step, self.total, scores["deletion"], scores["insertion"], scores["ins_del"]),
            "none yet" if best is None else f"{best:.4f} (step {self.progress.best_step})",
            f"; {len(problems)} files could not be read" if problems else "",
        )

    def _save_checkpoint(self) -> None:
        if self.processes.is_first and self.progress.bad_steps == 0:
            save_checkpoint(self.out, self.learner.decoder, self.learner.optimizer, self.progress, self.settings)

    def finish(self) -> AHAExplainer:
        """Write the model card, and load the best explainer of the run."""
        if self.progress.best is None:
            raise ModelError(
                f"no explainer was written to {self.out}: insertion and deletion on the held-out images were never "
                f"finite. Check that {self.model.name} gives finite probabilities for them."
            )
        if self.processes.is_first:
            self._write_card()
        self.processes.accelerator.wait_for_everyone()
        return AHAExplainer.load(self.out, self.model)

    def _write_card(self) -> None:
        problems = [*self.held_out.problems, *self.progress.problems]
        if problems:
            logger.warning("%d files could not be read and were skipped, the first: %s", len(problems), problems[0])
        write_card(
            self.out,
            self.explainer,
            self.progress,
            problems,
            start=self.config.start,
            images=self._images_seen(),
            batch=self.batch,
            evaluated=len(self.held_out.images),
        )
