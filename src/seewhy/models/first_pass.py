"""The prediction from a method's own forward pass, so that `explain` runs the network once and not twice.

`explain` needs the probabilities of the images and, by default, the predicted class as target. Most methods run the
images themselves before they read the targets. So `explain` registers a callback (`on_first_pass`), which the first
pass that computes the logits of those images calls (`notify`).
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import torch
from torch import Tensor

from seewhy.models.outputs import Outputs
from seewhy.types import Images, Logits


class PredictionListener(NamedTuple):
    """A callback for the probabilities of some images."""

    images: Images
    callback: Callable[[Tensor], None]

    def wants(self, images: Images) -> bool:
        """Whether these are the same images: compared by memory address, since methods detach their inputs."""
        return self.images.shape == images.shape and self.images.data_ptr() == images.data_ptr()


class FirstPass:
    """The part of a classifier that calls back after the first pass over some images."""

    listener: PredictionListener | None = None
    outputs: Outputs

    @abstractmethod
    def logits(self, images: Images) -> Logits: ...

    @contextmanager
    def on_first_pass(self, images: Images, callback: Callable[[Tensor], None]) -> Iterator[None]:
        """Call back once, with the probabilities from the first pass over these images inside the context."""
        outer, self.listener = self.listener, PredictionListener(images, callback)
        try:
            yield
        finally:
            self.listener = outer

    def notify(self, images: Images, logits: Logits) -> None:
        """Call back if these are the images that a callback is registered for."""
        listener = self.listener
        if listener is not None and listener.wants(images):
            self.listener = None
            listener.callback(self.outputs.probabilities(logits.detach()))

    def ensure_first_pass(self, images: Images) -> None:
        """Run the images if a callback waits for them: for methods that do not compute their logits otherwise."""
        if self.listener is not None and self.listener.wants(images):
            with torch.no_grad():
                self.logits(images)
