"""One optimizer step of a training: the loss of a batch, its gradient, and the update of the decoder.

A step evaluates the model once for its classes, once for its features and 2 x (S - 1) times for the two curves
(`explainers/loss.py`): 32 forward passes per image for S = 16. All randomness of a step derives from the seed and the
step's number, so a resumed run is the same as an uninterrupted one.
"""

from functools import cached_property
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor, nn

from seewhy.errors import ModelError
from seewhy.explainers.loss import Loss, explainer_loss, sample_perturbation
from seewhy.explainers.network import AHAExplainer
from seewhy.interventions.perturbed import model_precision, precision_named
from seewhy.runtime.seeding import combine_seeds, seeded
from seewhy.train.config import TrainConfig, learning_rate_at, temperature_at
from seewhy.train.images import Examples, choose_targets, make_mosaics
from seewhy.train.processes import Processes
from seewhy.train.sources import NO_LABEL
from seewhy.types import Images, Scores, Targets


class Learner:
    """Trains the decoder of an explainer, in all processes together."""

    def __init__(self, explainer: AHAExplainer, config: TrainConfig, processes: Processes, total: int) -> None:
        """`total` is the number of steps of the training, for its schedules."""
        self.explainer, self.config, self.processes, self.total = explainer, config, processes, total
        self.precision = precision_named(config.precision, processes.device)
        if processes.count > 1 and processes.device.type == "cuda":
            # SyncBatchNorm needs CUDA. Elsewhere each process normalizes its own share of the batch, and the running
            # statistics of the first one are kept.
            explainer.decoder = nn.SyncBatchNorm.convert_sync_batchnorm(explainer.decoder)
        self.decoder = explainer.decoder
        rate, decay = config.learning_rate, config.weight_decay
        self.optimizer = torch.optim.AdamW(self.decoder.parameters(), lr=rate, weight_decay=decay)
        self.failure = ""  # why the last loss was not finite

    @cached_property
    def distributed_decoder(self) -> Any:
        """The decoder with gradients averaged over processes; from the first step on, after a checkpoint was loaded."""
        return self.processes.accelerator.prepare(self.decoder)

    def step(self, step: int, examples: Examples) -> Loss | None:
        """Update the decoder; None if the loss or gradient is not finite, which leaves weights and statistics as is."""
        statistics = [buffer.clone() for buffer in self.decoder.buffers()]
        loss = self._loss(step, examples)
        finite = self.processes.all_true(loss is not None and bool(loss.total.isfinite()))
        if finite and loss is not None and self._update(step, loss.total):
            return loss
        for buffer, value in zip(self.decoder.buffers(), statistics, strict=True):
            buffer.copy_(value)
        return None

    def _loss(self, step: int, examples: Examples) -> Loss | None:
        """The loss of this process's share of a batch; None if a map or a probability is not finite."""
        config, model, images = self.config, self.explainer.model, examples.images
        self.failure = ""
        self.explainer.train()
        self.distributed_decoder.train()
        shared = torch.Generator().manual_seed(combine_seeds(config.seed, step))  # the same in all processes
        perturbation = sample_perturbation(config.explainer.loss, (images.shape[-2], images.shape[-1]), shared)
        own_seed = combine_seeds(config.seed, step, 1 + self.processes.index)
        images, targets, clean = self._classes(examples, own_seed)
        with seeded(own_seed, images.device), model_precision(self.precision):  # for dropout and jitter
            asked = targets if self.config.map_per_class else targets[:, :1]
            features, prior = self.explainer.read(images, asked)
            maps = self.distributed_decoder(features, images, asked, prior).flatten(0, 1)
            if self.config.map_per_class:
                cases = self._cases(clean)
                images, maps = images[cases // 2], maps[cases]
                targets, clean = targets.reshape(-1, 1)[cases], clean.reshape(-1, 1)[cases]
            try:
                return explainer_loss(
                    model,
                    images,
                    maps,
                    targets,
                    clean,
                    config=config.explainer.loss,
                    perturbation=perturbation,
                    tau=temperature_at(step, self.total, ends=config.tau),
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
        model, images = self.explainer.model, examples.images
        probabilities = model.probabilities(images)
        targets = choose_targets(probabilities, examples.labels)
        clean = probabilities.gather(1, targets)
        count = round(self.config.mosaics * len(images))
        if count == 0:
            return images, targets, clean
        mosaics, cells = make_mosaics(images, count, torch.Generator().manual_seed(seed))
        shown = targets[cells.to(targets.device), 0]  # the prediction for each cell, alone
        probabilities = model.probabilities(mosaics)
        candidates = probabilities.scatter_add(1, shown, torch.ones_like(shown, dtype=probabilities.dtype))
        classes = choose_targets(candidates, torch.full((count,), NO_LABEL, device=images.device))
        kept = len(images) - count
        return (
            torch.cat([images[:kept], mosaics]),
            torch.cat([targets[:kept], classes]),
            torch.cat([clean[:kept], probabilities.gather(1, classes)]),
        )

    def _update(self, step: int, loss: Tensor) -> bool:
        """Update the weights, unless the gradient is not finite; returns whether it is."""
        config, accelerator = self.config, self.processes.accelerator
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate_at(step, self.total, peak=config.learning_rate, warmup=config.warmup)
        self.optimizer.zero_grad()
        accelerator.backward(loss)
        norm = accelerator.clip_grad_norm_(self.distributed_decoder.parameters(), config.clip)
        if not norm.isfinite():
            return False
        self.optimizer.step()
        return True
