"""The prediction from a method's own forward pass, so that `explain` runs the network once and not twice.

`explain` needs the probabilities of the images and, where no target is given, the predicted class. Most methods run the
images themselves before they need the targets: whatever computes their logits first hands them over (`deliver`).
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import torch

from seewhy.types import Images, Logits


class Awaited(NamedTuple):
    """Images whose logits someone wants, from whichever pass computes them first."""

    images: Images
    on_logits: Callable[[Logits], None]


class FirstPass:
    """The part of a classifier that hands over the logits of the first pass over some images."""

    _awaited: Awaited | None = None

    @abstractmethod
    def logits(self, images: Images) -> Logits: ...

    @contextmanager
    def awaiting(self, images: Images, on_logits: Callable[[Logits], None]) -> Iterator[None]:
        """Call `on_logits` once, with the logits of the first pass over these very images inside the block."""
        outer, self._awaited = self._awaited, Awaited(images, on_logits)
        try:
            yield
        finally:
            self._awaited = outer

    def awaits(self, images: Images) -> bool:
        """Whether someone waits for the logits of these very images (the same memory)."""
        wanted = self._awaited
        return (
            wanted is not None and wanted.images.shape == images.shape and wanted.images.data_ptr() == images.data_ptr()
        )

    def deliver(self, images: Images, logits: Logits) -> None:
        """Hand over the logits of a pass if someone waits for them."""
        if self._awaited is not None and self.awaits(images):
            on_logits, self._awaited = self._awaited.on_logits, None
            on_logits(logits.detach())

    def deliver_plain(self, images: Images) -> None:
        """Hand over the logits of a plain pass, where a method's own passes do not give those of the whole images."""
        if self.awaits(images):
            with torch.no_grad():
                self.logits(images)
