"""`train_explainer`: an explainer for one model, trained on pictures without labels.

A step asks the model once for its classes, once for features, and 2 x (S - 1) times for the two curves: 32 forwards
per image for S = 16; the pictures of the next one are read meanwhile. Randomness of a step depends on the seed and its
number alone, so a run that was killed continues as if nothing had happened. The explainer that is written is the one
with the best true insertion minus deletion on held-out images; the course of the run is in `log.jsonl`.

Several processes share each step and take every decision together (`processes.py`).
"""

import logging
import math
import warnings
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from seewhy.errors import InputError, ModelError, OptionError, UnsupportedModel
from seewhy.explainers.loss import Loss, draw, explainer_loss
from seewhy.explainers.network import AHAExplainer
from seewhy.interventions.perturbed import model_precision, precision_named
from seewhy.models.classifier import Classifier
from seewhy.models.loading import to_device
from seewhy.runtime.prefetch import prefetch
from seewhy.runtime.progress import track
from seewhy.runtime.seeding import combine_seeds, seeded
from seewhy.train.card import write_card
from seewhy.train.checkpoint import NAME as CHECKPOINT
from seewhy.train.checkpoint import load_checkpoint, make_folder, save_checkpoint
from seewhy.train.config import TrainConfig, learning_rate_at, make_config, temperature_at
from seewhy.train.evaluation import evaluate_explainer, read_held_out
from seewhy.train.log import Log
from seewhy.train.processes import Processes
from seewhy.train.source import Examples, choose_targets, open_source
from seewhy.types import Images

BAD_STEPS = 5  # in a row, before training gives up
LOG = "log.jsonl"

logger = logging.getLogger(__name__)


def train_explainer(
    model: Classifier, source: Any, *, out: str | Path, preset: str = "small", **options: Any
) -> AHAExplainer:
    """Train an explainer for `model` on a folder of images (or a list, or Scenes), and write it to `out`.

    If `out` holds the checkpoint of a run with the same settings, it continues; several machines need an `out` on a
    disk that they share. `preset` is `small`, `official` or `paper`; options are fields of `TrainConfig`,
    `ExplainerConfig`, `Shape` and `LossConfig`. Evaluations are logged (`logging`, level INFO).
    """
    config = make_config(preset=preset, **options)
    run = Run(model, source, Path(out), config)
    with run.model.frozen_eval(), torch.enable_grad():
        for _ in track(range(0 if run.progress.over else run.total - run.progress.step), "training"):
            run.step()
            if run.after():
                break
    return run.finish()


class Run:
    """One training run: what it works on, and what it writes."""

    def __init__(self, model: Classifier, source: Any, out: Path, config: TrainConfig) -> None:
        self.processes = Processes(model)
        self.accelerator = self.processes.accelerator
        self.model, self.config, self.out = to_device(model, self.processes.device), config, out
        self.precision = precision_named(config.precision, self.processes.device)
        self.source = open_source(
            source, model.preprocess, held_out=config.held_out, seed=config.seed, class_names=model.class_names
        )
        images, _, self.not_evaluated = read_held_out(self.source, config.evaluated)  # now, not after hours
        self.evaluated = len(images)
        self.batch = config.batch * self.processes.count
        self.total = config.iterations or max(1, math.floor(config.epochs * len(self.source.training) / self.batch))
        self.explainer = AHAExplainer(self.model, config.explainer, seed=config.seed)
        self.explainer.learning_rate, self.explainer.tau = config.learning_rate, config.tau[-1]
        if config.start and not (out / CHECKPOINT).is_file():
            self.explainer.take_weights(config.start)
        self._check_fit(images.to(self.processes.device))
        if self.processes.count > 1 and self.processes.device.type == "cuda":
            # elsewhere it does not exist: each process normalizes its own share, the first one's statistics are kept
            self.explainer.decoder = nn.SyncBatchNorm.convert_sync_batchnorm(self.explainer.decoder)
        self.decoder = self.explainer.decoder
        rate, decay = config.learning_rate, config.weight_decay
        optimizer = torch.optim.AdamW(self.decoder.parameters(), lr=rate, weight_decay=decay)
        facts = {"training": config.to_dict(), "total": self.total, "images": len(self.source.training)}
        facts |= {"names_of_images": self.source.digest(), "processes": self.processes.count}
        facts |= {"target": self.model.fingerprint, "encoder_fingerprint": self.explainer.encoder_fingerprint}
        self.facts = facts
        make_folder(out)
        self.progress = load_checkpoint(out, self.decoder, optimizer, self.facts)
        highest = max(self.explainer.learning_rate, self.progress.learning_rate)
        self.explainer.learning_rate = self.progress.learning_rate = highest
        self.processes.check_same_step(self.progress.step, out)
        self.log = Log(out / LOG, writes=self.processes.is_first)
        self.log.cut(self.progress.step)
        self.trouble = ""  # what was wrong with the last step
        self.reading = prefetch(self._read, range(self.progress.step, self.total))
        self.wrapped, self.optimizer = self.accelerator.prepare(self.decoder, optimizer)
        if self.progress.step == 0:
            self._save()  # now: a folder that cannot be written is better found before than after an hour

    def _check_fit(self, images: Images) -> None:
        """What the loss asks of the model, and whether it answers at all."""
        if self.explainer.sizes.classes < 2:
            raise UnsupportedModel(f"{self.model.name} has one class only; training needs two, to tell them apart")
        side, grids = min(self.model.image_size), self.config.explainer.loss.grids
        if max(grids) > side:
            raise OptionError(f"grids must be at most {side}, the pixels of {self.model.name}'s images; got {grids}")
        if not self.model.probabilities(images).isfinite().any():
            raise ModelError(f"{self.model.name} gives no finite probability for held-out images; see to its weights")

    def step(self) -> None:
        """The next batch; a loss that is not finite leaves the decoder alone."""
        step = self.progress.step
        entry: dict[str, Any] = {"step": step + 1}
        with self.model.meter() as cost:
            examples = self._examples(next(self.reading))
            if self.processes.everywhere(len(examples.images) > 0):
                entry |= self._learn(step, examples)
            else:
                entry["skipped"] = "no picture of this step could be read"
        self.progress.step = step + 1
        self.progress.seconds += cost.seconds
        self.progress.forwards += cost.forwards * self.processes.count
        self.log.add(entry | {"seconds": round(self.progress.seconds, 2)})

    def after(self) -> bool:
        """Evaluate and write where it is time; whether training is over."""
        done, config = self.progress.step, self.config
        if done % config.evaluate_every == 0 or done == self.total:
            self.progress.over = self._evaluate(done) or done == self.total
        if done % config.checkpoint_every == 0 or self.progress.over:
            self._save()
        return self.progress.over

    def finish(self) -> AHAExplainer:
        """The best explainer of the run, as written."""
        if self.progress.best is None:
            raise ModelError(
                f"no explainer was written to {self.out}: insertion and deletion on the held-out images were never "
                f"finite numbers. See whether {self.model.name} gives finite probabilities for them."
            )
        if self.processes.is_first:
            self._write_card()
        self.accelerator.wait_for_everyone()
        explainer = AHAExplainer.load(self.out, self.model)
        self._warn_of_files()
        return explainer

    # inside a step

    def _read(self, step: int) -> Examples:
        """What this process can read of its share."""
        numbers = self.source.at_step(step, self.batch)
        return self.source.read(numbers[self.processes.index :: self.processes.count])

    def _examples(self, read: Examples) -> Examples:
        """On the device; what one process cannot read, all of them note."""
        images, labels, problems = read
        known = self.progress.problems
        known += [each for each in dict.fromkeys(self.processes.of_all(problems)) if each not in known]
        return Examples(images.to(self.processes.device), labels.to(self.processes.device), problems)

    def _learn(self, step: int, examples: Examples) -> dict[str, float | None]:
        """Move the weights, or leave weights and running statistics as they were; what the log says about it."""
        before = [buffer.clone() for buffer in self.decoder.buffers()]
        loss = self._loss(step, examples)
        good = self.processes.everywhere(loss is not None and bool(loss.total.isfinite()))
        good = good and loss is not None and self._update(step, loss.total)
        if not good:
            for buffer, value in zip(self.decoder.buffers(), before, strict=True):
                buffer.copy_(value)
        self._count_bad(step, good=good)
        if loss is None or not good:
            return {"loss": None}
        parts = {name: float(getattr(loss, name)) for name in ("deletion", "insertion", "peak")}
        return {"loss": float(loss.total.detach()), **parts}

    def _loss(self, step: int, examples: Examples) -> Loss | None:
        """None if the decoder's map or what the model says is not finite."""
        config, images, self.trouble = self.config, examples.images, ""
        self.explainer.train()
        self.wrapped.train()
        shared = torch.Generator().manual_seed(combine_seeds(config.seed, step))  # the same on every device
        drawn = draw(config.explainer.loss, (images.shape[-2], images.shape[-1]), shared)
        own_seed = combine_seeds(config.seed, step, 1 + self.processes.index)
        probabilities = self.model.probabilities(images)
        targets = choose_targets(probabilities, examples.labels)
        clean = probabilities.gather(1, targets)
        with seeded(own_seed, images.device), model_precision(self.precision):  # for dropout and a backbone's jitter
            features = self.explainer.features(images)
            maps = self.wrapped(features, images, targets if config.targets == "per_target" else targets[:, :1])
            if config.targets == "per_target":
                images = images.repeat_interleave(2, dim=0)
                targets, clean = targets.reshape(-1, 1), clean.reshape(-1, 1)
            try:
                return explainer_loss(
                    self.model,
                    images,
                    maps.flatten(0, 1),
                    targets,
                    clean,
                    config=config.explainer.loss,
                    drawn=drawn,
                    tau=temperature_at(step, self.total, ends=config.tau),
                    generator=torch.Generator(images.device).manual_seed(own_seed),
                )
            except ModelError as error:
                self.trouble = f" ({error})"
                return None

    def _update(self, step: int, loss: Tensor) -> bool:
        """Whether the gradient is finite, and the weights have moved."""
        config = self.config
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate_at(step, self.total, peak=config.learning_rate, warmup=config.warmup)
        self.optimizer.zero_grad()
        self.accelerator.backward(loss)
        norm = self.accelerator.clip_grad_norm_(self.wrapped.parameters(), config.clip)
        if not norm.isfinite():
            return False
        self.optimizer.step()
        return True

    def _count_bad(self, step: int, *, good: bool) -> None:
        """Count steps without a finite loss; give up after a few in a row."""
        self.progress.bad_steps = 0 if good else self.progress.bad_steps + 1
        if self.progress.bad_steps >= BAD_STEPS:
            raise ModelError(
                f"the loss was not finite in {BAD_STEPS} steps in a row, up to step {step + 1}{self.trouble}; training "
                f"stopped. The last good checkpoint in {self.out}, and the explainer if there is one already, are "
                f"untouched. Lower learning_rate, or use precision='no', with another out (and start={str(self.out)!r} "
                "to keep what the explainer has learned)."
            )

    # what is written

    def _evaluate(self, step: int) -> bool:
        """The true deletion and insertion; keeps the explainer if it is the best so far, says whether to stop."""
        self._check_anything_learned()
        scores = self.processes.of_first(evaluate_explainer(self.explainer, self.source, most=self.config.evaluated))
        progress, score = self.progress, scores["ins_del"]
        better = math.isfinite(score) and (progress.best is None or score > progress.best)
        progress.stale = 0 if better else progress.stale + 1
        self.log.add({"step": step, "held_out": scores})
        if better:
            progress.best, progress.best_step = score, step
            self._write_best(scores)
        self._tell(step, scores)
        return 0 < self.config.patience <= progress.stale

    def _tell(self, step: int, scores: dict[str, float]) -> None:
        """One line about an evaluation."""
        if not self.processes.is_first:
            return
        best, problems = self.progress.best, self.progress.problems
        logger.info(
            "step %d of %d: deletion %.4f, insertion %.4f, ins-del %.4f, best %s%s",
            *(step, self.total, scores["deletion"], scores["insertion"], scores["ins_del"]),
            "none yet" if best is None else f"{best:.4f} (step {self.progress.best_step})",
            f"; {len(problems)} files could not be read" if problems else "",
        )

    def _check_anything_learned(self) -> None:
        problems = self.progress.problems
        if self.progress.bad_steps == self.progress.step:
            raise ModelError(
                f"the loss was not finite in any of the {self.progress.step} steps{self.trouble}, so there is nothing "
                f"to write. See whether {self.model.name} gives finite probabilities, and lower learning_rate."
            )
        if self._trained_on() <= 0:
            raise InputError(
                f"none of the first {len(problems)} training images can be read, the first: {problems[0]}. Expected a "
                "folder of photos."
            )

    def _trained_on(self) -> int:
        """Images seen so far, without those that could not be read."""
        return min(self.progress.step * self.batch, len(self.source.training)) - len(self.progress.problems)

    def _write_best(self, scores: dict[str, float]) -> None:
        if self.processes.is_first:
            training = self.facts | {"step": self.progress.step, "held_out": scores}
            names = self.source.names(self.source.held_out)
            self.explainer.save(self.out, half=True, training=training, held_out=names)

    def _save(self) -> None:
        if self.processes.is_first and self.progress.bad_steps == 0:
            own = getattr(self.optimizer, "optimizer", self.optimizer)  # accelerate wraps it
            save_checkpoint(self.out, self.decoder, own, self.progress, self.facts)

    def _problems(self) -> list[str]:
        return [*self.not_evaluated, *self.progress.problems]

    def _warn_of_files(self) -> None:
        problems = self._problems()
        if problems and self.processes.is_first:
            note = f"{len(problems)} files could not be read and were left out, the first: {problems[0]}"
            warnings.warn(note, stacklevel=4)

    def _write_card(self) -> None:
        write_card(
            self.out,
            self.explainer,
            self.progress,
            self._problems(),
            start=self.config.start,
            images=self._trained_on(),
            batch=self.batch,
            held_out=self.evaluated,
        )
