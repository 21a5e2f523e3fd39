"""`train_explainer`: an explainer for one model, trained on pictures without labels.

A step asks the model once for its classes, once for features, and 2 x (S - 1) times for the two curves: 32 forwards
per image for S = 16. Randomness of a step depends on the seed and its number alone, so a run that was killed continues
as if nothing had happened. The explainer that is written is the one with the best true insertion minus deletion on
held-out images; the course of the run is in `log.jsonl`.
"""

import math
import time
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from seewhy.errors import MissingExtra, ModelError
from seewhy.models.classifier import Classifier
from seewhy.models.explainer import AHAExplainer
from seewhy.models.explainer_loss import Loss, draw, explainer_loss
from seewhy.models.loading import to_device
from seewhy.progress import track
from seewhy.train.card import write_card
from seewhy.train.checkpoint import load_checkpoint, save_checkpoint
from seewhy.train.config import TrainConfig, learning_rate_at, make_config, temperature_at
from seewhy.train.evaluation import evaluate_explainer
from seewhy.train.log import Log
from seewhy.train.source import NO_LABEL, Examples, open_source
from seewhy.types import Targets

BAD_STEPS = 5  # in a row, before training gives up
LOG = "log.jsonl"


def train_explainer(
    model: Classifier, source: Any, *, out: str | Path, preset: str = "small", **options: Any
) -> AHAExplainer:
    """Train an explainer for `model` on a folder of images (or a list, or Scenes), and write it to `out`.

    If `out` holds the checkpoint of a run with the same settings, it continues. `preset` is `small`, `official` or
    `paper`; options are fields of `TrainConfig`, `ExplainerConfig`, `Shape` and `LossConfig`.
    """
    config = make_config(preset=preset, **options)
    run = Run(model, source, Path(out), config)
    with run.model.ready(), torch.enable_grad():
        steps = range(run.progress.step, run.progress.step if run.progress.over else run.total)
        for step in track(steps, "training"):
            run.step(step)
            if run.after(step):
                break
    return run.finish()


class Run:
    """One training run: what it works on, and what it writes."""

    def __init__(self, model: Classifier, source: Any, out: Path, config: TrainConfig) -> None:
        self.accelerator = _accelerator(model, config)
        self.model, self.config, self.out = to_device(model, self.accelerator.device), config, out
        self.source = open_source(source, model.preprocess, held_out=config.held_out, seed=config.seed)
        self.batch = config.batch * self.accelerator.num_processes
        self.total = config.iterations or max(1, math.floor(config.epochs * len(self.source.training) / self.batch))
        self.explainer = AHAExplainer(self.model, config.explainer, seed=config.seed)
        if self.accelerator.num_processes > 1:
            self.explainer.decoder = nn.SyncBatchNorm.convert_sync_batchnorm(self.explainer.decoder)
        self.decoder = self.explainer.decoder
        optimizer = torch.optim.AdamW(
            self.decoder.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay
        )
        facts = {"training": config.to_dict(), "total": self.total, "images": len(self.source.training)}
        self.facts = facts | {"target": self.model.fingerprint}
        out.mkdir(parents=True, exist_ok=True)
        self.progress = load_checkpoint(out, self.decoder, optimizer, self.facts)
        self.log = Log(out / LOG, writes=self.accelerator.is_main_process)
        self.log.cut(self.progress.step)
        self.wrapped, self.optimizer = self.accelerator.prepare(self.decoder, optimizer)

    def step(self, step: int) -> None:
        """One batch; a loss that is not finite leaves the weights alone."""
        began = time.monotonic()
        examples = self._examples(step)
        self.progress.problems += [each for each in examples.problems if each not in self.progress.problems]
        entry: dict[str, Any] = {"step": step + 1}
        if len(examples.images):
            loss, norm = self._update(step, examples)
            self._judge(step, loss, norm)
            entry |= {"loss": float(loss.total.detach())} if loss else {"loss": None}
            entry |= {name: float(getattr(loss, name)) for name in ("deletion", "insertion", "peak")} if loss else {}
        self.progress.step = step + 1
        self.progress.seconds += time.monotonic() - began
        self.log.add(entry | {"seconds": round(self.progress.seconds, 2)})

    def after(self, step: int) -> bool:
        """Evaluate and write where it is time; whether training is over."""
        done, config = step + 1, self.config
        if done % config.evaluate_every == 0 or done == self.total:
            self.progress.over = self._evaluate(done) or done == self.total
        if done % config.checkpoint_every == 0 or self.progress.over:
            self._save()
        return self.progress.over

    def finish(self) -> AHAExplainer:
        """The best explainer of the run, as written."""
        progress, best = self.progress, self.progress.best
        if self.accelerator.is_main_process:
            forwards = progress.step * self.batch * 2 * self.config.explainer.loss.steps
            write_card(
                self.out,
                self.explainer,
                progress.problems,
                images=len(self.source.training),
                steps=progress.step,
                batch=self.batch,
                held_out=min(len(self.source.held_out), self.config.evaluated),
                best="not measured" if best is None else f"{best:.4f}",
                best_step=progress.best_step,
                speed=forwards / max(progress.seconds, 1e-9),
                seconds=progress.seconds,
                version=_version(),
            )
        self.accelerator.wait_for_everyone()
        return AHAExplainer.load(self.out, self.model)

    # inside a step

    def _examples(self, step: int) -> Examples:
        numbers = self.source.at_step(step, self.batch)
        mine = numbers[self.accelerator.process_index :: self.accelerator.num_processes]
        images, labels, problems = self.source.read(mine)
        return Examples(images.to(self.accelerator.device), labels.to(self.accelerator.device), problems)

    def _update(self, step: int, examples: Examples) -> tuple[Loss | None, float]:
        config, images = self.config, examples.images
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate_at(step, self.total, peak=config.learning_rate, warmup=config.warmup)
        shared = torch.Generator().manual_seed(_mix(config.seed, step))  # the same on every device
        drawn = draw(config.explainer.loss, (images.shape[-2], images.shape[-1]), shared)
        own = torch.Generator().manual_seed(_mix(config.seed, step, 1 + self.accelerator.process_index))
        probabilities = self.model.probabilities(images)
        targets = choose_targets(probabilities, examples.labels)
        clean, features = probabilities.gather(1, targets), self.explainer.features(images)
        self.wrapped.train()
        self.optimizer.zero_grad()
        with torch.random.fork_rng(devices=[]), self.accelerator.autocast():
            torch.manual_seed(_mix(config.seed, step, 1 + self.accelerator.process_index))  # for dropout
            maps = self.wrapped(features, images, targets if config.targets == "per_target" else targets[:, :1])
            if config.targets == "per_target":
                images, targets, clean = (
                    images.repeat_interleave(2, dim=0),
                    targets.reshape(-1, 1),
                    clean.reshape(-1, 1),
                )
            try:
                loss = explainer_loss(
                    self.model,
                    images,
                    maps.flatten(0, 1).float(),
                    targets,
                    clean,
                    config=config.explainer.loss,
                    drawn=drawn,
                    tau=temperature_at(step, self.total, ends=config.tau),
                    generator=own,
                )
            except ModelError:
                return None, math.nan
        self.accelerator.backward(loss.total)
        norm = self.accelerator.clip_grad_norm_(self.wrapped.parameters(), config.clip)
        if norm is not None and torch.isfinite(norm) and torch.isfinite(loss.total):
            self.optimizer.step()
        return loss, float(norm) if norm is not None else 0.0

    def _judge(self, step: int, loss: Loss | None, norm: float) -> None:
        """Count steps without a finite loss; give up after a few in a row."""
        good = loss is not None and math.isfinite(norm) and bool(torch.isfinite(loss.total))
        self.progress.bad_steps = 0 if good else self.progress.bad_steps + 1
        if self.progress.bad_steps >= BAD_STEPS:
            raise ModelError(
                f"the loss was not finite in {BAD_STEPS} steps in a row, up to step {step + 1}; training stopped. The "
                f"last good checkpoint and explainer in {self.out} are untouched. Lower learning_rate, or use "
                "precision='no'."
            )

    # what is written

    def _evaluate(self, step: int) -> bool:
        """The true deletion and insertion; keeps the explainer if it is the best so far, says whether to stop."""
        scores = evaluate_explainer(self.explainer, self.source, most=self.config.evaluated)
        better = self.progress.best is None or scores["ins_del"] > self.progress.best
        self.progress.stale = 0 if better else self.progress.stale + 1
        self.log.add({"step": step, "held_out": scores})
        if better:
            self.progress.best, self.progress.best_step = scores["ins_del"], step
            self._write_best(scores)
        return 0 < self.config.patience <= self.progress.stale

    def _write_best(self, scores: dict[str, float]) -> None:
        if self.accelerator.is_main_process:
            training = self.facts | {"step": self.progress.step, "held_out": scores}
            self.explainer.save(
                self.out, half=True, training=training, held_out=self.source.names(self.source.held_out)
            )

    def _save(self) -> None:
        if self.accelerator.is_main_process and self.progress.bad_steps == 0:
            save_checkpoint(self.out, self.decoder, _inner(self.optimizer), self.progress, self.facts)


def choose_targets(probabilities: Tensor, labels: Tensor) -> Targets:
    """The prediction, and beside it the label where that is another class, else the runner-up."""
    first, second = probabilities.topk(2, dim=1).indices.unbind(dim=1)
    wrong = (labels != NO_LABEL) & (labels != first)
    return torch.stack([first, torch.where(wrong, labels, second)], dim=1)


def _accelerator(model: Classifier, config: TrainConfig) -> Any:
    try:
        from accelerate import Accelerator
    except ImportError as error:
        raise MissingExtra("training explainers", "train") from error
    return Accelerator(mixed_precision=config.precision, cpu=model.device.type == "cpu")


def _inner(optimizer: Any) -> torch.optim.Optimizer:
    return getattr(optimizer, "optimizer", optimizer)


def _mix(*numbers: int) -> int:
    """One seed out of several numbers."""
    seed = 0
    for number in numbers:
        seed = (seed * 1_000_003 + number + 1) % 2**63
    return seed


def _version() -> str:
    from seewhy import __version__

    return __version__
