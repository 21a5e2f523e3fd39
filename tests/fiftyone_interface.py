"""The part of FiftyOne's interface that seewhy uses; `test_fiftyone.py` checks the library the same way."""

from pathlib import Path
from types import SimpleNamespace


class Sample(dict):
    """A file with fields."""

    def __init__(self, path):
        super().__init__()
        self.path, self.saved = str(path), False

    def save(self):
        self.saved = True


class Dataset:
    """`values`, access by id, fields of samples, `save`."""

    def __init__(self, paths):
        self.samples = {f"id{number}": Sample(path) for number, path in enumerate(paths)}

    @classmethod
    def from_images_dir(cls, folder):
        return cls(sorted(Path(folder).iterdir()))

    def values(self, name):
        return list(self.samples) if name == "id" else [sample.path for sample in self.samples.values()]

    def __getitem__(self, id):
        return self.samples[id]


LIBRARY = SimpleNamespace(Dataset=Dataset, Heatmap=SimpleNamespace)
