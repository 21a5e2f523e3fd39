"""The images of each step, read ahead: by a thread, or by several processes."""

from collections.abc import Iterator
from typing import NamedTuple

from torch.utils.data import DataLoader, Dataset

from seewhy.runtime.prefetch import prefetch
from seewhy.train.images import Examples, TrainingImages


class Division(NamedTuple):
    """How the images of a step are divided: `processes` x `accumulate` shares of `batch` images."""

    batch: int
    accumulate: int
    processes: int
    process: int  # index of this one

    @property
    def shares(self) -> int:
        return self.processes * self.accumulate

    @property
    def images(self) -> int:
        return self.shares * self.batch

    @property
    def own(self) -> range:
        """The shares of this process."""
        return range(self.process * self.accumulate, (self.process + 1) * self.accumulate)


class StepImages(Dataset[list[Examples]]):
    """The shares of this process at each step, from the step `first` on."""

    def __init__(self, images: TrainingImages, division: Division, first: int, total: int) -> None:
        self.images, self.division, self.first, self.total = images, division, first, total

    def __len__(self) -> int:
        return self.total - self.first

    def __getitem__(self, index: int) -> list[Examples]:
        indices = self.images.at_step(self.first + index, self.division.images)
        return [self.images.read(indices[share :: self.division.shares]) for share in self.division.own]


def read_ahead(steps: StepImages, readers: int) -> Iterator[list[Examples]]:
    """The images of each step, in order; `readers` processes read them, or a thread if there are none."""
    if readers == 0 or len(steps) == 0:
        return prefetch(steps.__getitem__, range(len(steps)))
    return iter(DataLoader(steps, batch_size=None, num_workers=readers))
