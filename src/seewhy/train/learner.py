"""One optimizer step of a training: the loss of a batch, its gradient, and the update of the decoder.

A step evaluates the model once for its classes, once for its features, once for the reference and 2 x (S - 2) times for
the two curves (`explainers/loss.py`): 31 forward passes per image for S = 16.

The images of a step are divided into shares of `batch` images: `accumulate` for each process. All randomness of a share
derives from the seed, the step and the number of the share, and gradients and statistics of all shares are averaged. So
a resumed run is the same as an uninterrupted one, also if other processes compute the shares.
"""

from contextlib import nullcontext
from functools import cached_property
from typing import Any, NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from seewhy.errors import ModelError
from seewhy.explainers.loss import Loss, explainer_loss, sample_perturbation
from seewhy.explainers.network import AHAExplainer
from seewhy.interventions.perturbed import autocast, check_precision, model_precision
from seewhy.runtime.seeding import combine_seeds, seeded
from seewhy.train.average import BatchStatistics, WeightAverage
from seewhy.train.config import TrainConfig, learning_rate_at, temperature_at
from seewhy.train.images import Examples, choose_targets, make_mosaics
from seewhy.train.processes import Processes
from seewhy.train.sources import NO_LABEL
from seewhy.types import Images, Scores, Targets


class Update(NamedTuple):
    """What a step did: its loss and parts of it, averaged over all shares, and the norm of its gradient."""

    loss: float
    deletion: float
    insertion: float
    peak: float
    gradient_norm: float  # before clipping


class Learner:
    """Trains the decoder of an explainer, in all processes together."""

    def __init__(self, explainer: AHAExplainer, config: TrainConfig, processes: Processes, total: int) -> None:
        """`total` is the number of steps of the training, for its schedules."""
        self.explainer, self.config, self.processes, self.total = explainer, config, processes, total
        self.precision = check_precision(config.precision, processes.device)
        self.decoder = explainer.decoder
        rate, decay = config.learning_rate, config.weight_decay
        self.optimizer = torch.optim.AdamW(self.decoder.parameters(), lr=rate, weight_decay=decay)
        self.average = WeightAverage(self.decoder, config.ema)
        self.failure = ""  # why the last loss was not finite

    @cached_property
    def distributed_decoder(self) -> Any:
        """The decoder with gradients averaged over processes; from the first step on, after a checkpoint was loaded."""
        return self.processes.accelerator.prepare(self.decoder)

    def learning_rate(self, step: int) -> float:
        return learning_rate_at(step, self.total, peak=self.config.learning_rate, warmup=self.config.warmup)

    def tau(self, step: int) -> float:
        return temperature_at(step, self.total, ends=self.config.tau)

    def step(self, step: int, shares: list[Examples]) -> Update | None:
        """Update the decoder; None if a loss or gradient is not finite, which leaves weights and statistics as is."""
        statistics, losses = BatchStatistics(self.decoder), []
        self.optimizer.zero_grad()
        for number, examples in enumerate(shares):
            loss = self._backward(step, examples, number, len(shares))
            if loss is None:
                statistics.restore()
                return None
            statistics.collect()
            losses.append(loss)
        norm = self.processes.accelerator.clip_grad_norm_(self.distributed_decoder.parameters(), self.config.clip)
        if not norm.isfinite():
            return None
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate(step)
        self.optimizer.step()
        statistics.keep_mean(self.processes)
        self.average.update(step)
        means = self.processes.mean(torch.stack([torch.stack(loss).detach() for loss in losses]).mean(dim=0))
        return Update._make([*means.tolist(), float(norm)])

    def _backward(self, step: int, examples: Examples, number: int, count: int) -> Loss | None:
        """Add the gradient of one of `count` shares; None if the loss of any process's is not finite."""
        accelerator, last = self.processes.accelerator, number == count - 1
        with nullcontext() if last else accelerator.no_sync(self.distributed_decoder):
            loss = self._loss(step, examples, self.processes.index * count + number)
            if not self.processes.all_true(loss is not None and bool(loss.total.isfinite())):
                return None
            accelerator.backward(loss.total / count)  # type: ignore[union-attr]
        return loss

    def _loss(self, step: int, examples: Examples, share: int) -> Loss | None:
        """The loss of a share of the images; None if a map or a probability is not finite."""
        config, model, images = self.config, self.explainer.model, examples.images
        self.failure = ""
        self.explainer.train()
        self.distributed_decoder.train()
        shared = torch.Generator().manual_seed(combine_seeds(config.seed, step))  # the same for all shares
        perturbation = sample_perturbation(config.explainer.loss, (images.shape[-2], images.shape[-1]), shared)
        own_seed = combine_seeds(config.seed, step, 1 + share)
        with model_precision(self.precision):
            images, targets, clean = self._classes(examples, own_seed)
        with seeded(own_seed, images.device):  # for dropout and jitter
            asked = targets if config.map_per_class else targets[:, :1]
            with model_precision(self.precision), autocast(images.device):
                features, prior, _ = self.explainer.read(images, asked)
            maps = self.distributed_decoder(features, images, asked, prior).flatten(0, 1)
        if config.map_per_class:
            cases = self._cases(clean)
            images, maps = images[cases // 2], maps[cases]
            targets, clean = targets.reshape(-1, 1)[cases], clean.reshape(-1, 1)[cases]
        try:
            with model_precision(self.precision):
                return explainer_loss(
                    model,
                    images,
                    maps,
                    targets,
                    clean,
                    config=config.explainer.loss,
                    perturbation=perturbation,
                    tau=self.tau(step),
                    generator=torch.Generator(images.device).manual_seed(own_seed),
                )
        except ModelError as error:
            self.failure = f" ({error})"
            return None

    def _cases(self, clean: Scores) -> Int[Tensor, " cases"]:
        """Images and classes to learn from: the gradient of a class that is hardly there is hardly worth its cost."""
        flat = clean.flatten()
        return (flat >= min(self.config.min_probability, float(flat.max()))).nonzero().squeeze(1)

    def _classes(self, examples: Examples, seed: int) -> tuple[Images, Targets, Scores]:
        """Images with mosaics among them, two classes for each, and the probabilities of these."""
        images = examples.images
        probabilities = self._probabilities(images)
        targets = choose_targets(probabilities, examples.labels)
        clean = probabilities.gather(1, targets)
        count = round(self.config.mosaics * len(images))
        if count == 0:
            return images, targets, clean
        mosaics, cells = make_mosaics(images, count, torch.Generator().manual_seed(seed))
        shown = targets[cells.to(targets.device), 0]  # the prediction for each cell, alone
        probabilities = self._probabilities(mosaics)
        candidates = probabilities.scatter_add(1, shown, torch.ones_like(shown, dtype=probabilities.dtype))
        classes = choose_targets(candidates, torch.full((count,), NO_LABEL, device=images.device))
        kept = len(images) - count
        return (
            torch.cat([images[:kept], mosaics]),
            torch.cat([targets[:kept], classes]),
            torch.cat([clean[:kept], probabilities.gather(1, classes)]),
        )

    def _probabilities(self, images: Images) -> Tensor:
        with autocast(images.device):
            return self.explainer.model.probabilities(images)
