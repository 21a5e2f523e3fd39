"""Averages of weights and statistics that make a training smoother, and independent of how it is divided."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from seewhy.train.processes import Processes


class WeightAverage:
    """Exponential moving average of a network's weights and statistics; without a decay, the network itself.

    The decay rises as (1 + n) / (10 + n) with the number of steps, so that the first weights are soon forgotten.
    """

    def __init__(self, module: nn.Module, decay: float) -> None:
        self.module, self.decay = module, decay
        self.tensors = {name: value.clone() for name, value in self._current().items()} if decay else {}

    def _current(self) -> dict[str, Tensor]:
        return {name: value for name, value in self.module.state_dict().items() if value.is_floating_point()}

    def update(self, step: int) -> None:
        decay = min(self.decay, (1 + step) / (10 + step))
        current = self._current() if self.tensors else {}
        for name, value in current.items():
            self.tensors[name].lerp_(value, 1 - decay)

    @contextmanager
    def applied(self) -> Iterator[None]:
        """The network has the averaged weights inside the block."""
        own = {name: value.clone() for name, value in self._current().items()} if self.tensors else {}
        self.module.load_state_dict(self.tensors, strict=False)
        try:
            yield
        finally:
            self.module.load_state_dict(own, strict=False)


class BatchStatistics:
    """Running statistics of batch norm in one step: each share of a batch starts from the same, the mean is kept.

    So they do not depend on the process that computes a share.
    """

    def __init__(self, module: nn.Module) -> None:
        norms = [each for each in module.modules() if isinstance(each, nn.modules.batchnorm._BatchNorm)]
        self.buffers = [buffer for norm in norms for buffer in norm.buffers()]
        self.before = [buffer.clone() for buffer in self.buffers]
        self.after: list[list[Tensor]] = []  # by share

    def restore(self) -> None:
        for buffer, value in zip(self.buffers, self.before, strict=True):
            buffer.copy_(value)

    def collect(self) -> None:
        """Keep the statistics after a share, and go back to those before it."""
        self.after.append([buffer.clone() for buffer in self.buffers])
        self.restore()

    def keep_mean(self, processes: Processes) -> None:
        for buffer, values in zip(self.buffers, zip(*self.after, strict=True), strict=True):
            mean = processes.mean(torch.stack(values).mean(dim=0)) if buffer.is_floating_point() else values[0]
            buffer.copy_(mean)
