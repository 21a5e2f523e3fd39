"""The data set: the images of a folder or map store, and what every model makes of them."""

import hashlib
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seewhy.data.items import ImageItem
from seewhy.data.whole import open_source
from seewhy.ui.findings import Findings
from seewhy.ui.lane import Source
from seewhy.ui.link import Failed, WorkerGone
from seewhy.ui.results import MethodChoice
from seewhy.ui.stored import PageStore, StoredMap
from seewhy.ui.worker import JOB

if TYPE_CHECKING:
    from seewhy.ui.page import Page

BATCH = 16  # images predicted at once, between two looks at the queue
EVERY = 0.5  # seconds between two events about predictions


class PageDataset:
    """The images of `--folder`, or those that `--store` names."""

    def __init__(self, page: "Page") -> None:
        folder, store = page.settings.folder, page.settings.store
        self.page, self.store = page, None if store is None else PageStore(store)
        items = read_items(folder) if folder is not None else self.store.items() if self.store is not None else []
        self.name = Path(str(folder or store)).resolve().name
        self.ids = [image_id(item) for item in items]
        self.numbers = {id: number for number, id in enumerate(self.ids)}
        shown = [replace(item, name=_unicode(item.name)) for item in items]
        self.sources = [Source(id, item.name, Path(str(item.source))) for id, item in zip(self.ids, shown, strict=True)]
        self.findings = {facts["id"]: Findings(facts, shown) for facts in page.link.models}
        self.watched = next(iter(self.findings))  # the model that was looked at last
        self.told = 0.0  # when the last event was sent
        self._read_cache()
        if self.store is not None:
            self._read_store(self.store, items)
        page.images.files = {source.id: source.path for source in self.sources}
        page.images.names = {source.id: source.name for source in self.sources}

    def _read_cache(self) -> None:
        """Take the predictions of earlier pages."""
        for findings in self.findings.values():
            known = self.page.predictions.load(findings.facts["fingerprint"])
            for id in known.keys() & self.numbers.keys():
                findings.add_prediction(self.numbers[id], known[id])

    def _read_store(self, store: PageStore, items: list[ImageItem]) -> None:
        store.match(items)
        for findings in self.findings.values():
            store.read_into(findings)
        if not any(findings.maps for findings in self.findings.values()):
            store.explain_mismatch([facts["name"] for facts in self.page.link.models])

    def watch(self, model: str) -> Findings:
        """What a model makes of the images; it predicts those that it has not seen next."""
        if model != self.watched:
            self.watched = model
            self.page.queue.wake.set()
        return self.findings[model]

    def to_json(self, model: str) -> dict[str, Any]:
        return {"name": self.name, "stored": self.store is not None, **self.findings[model].to_json()}

    def stored(self, facts: dict[str, Any], image: str, method: MethodChoice, targets: Any = None) -> StoredMap | None:
        """The maps that the store has of an image, by default of the classes that it explains; None if it has none."""
        number = self.numbers.get(image)
        if self.store is None or number is None:
            return None
        classes = targets or self.findings[facts["id"]].stored.get(number, ())
        return self.store.find(facts["fingerprint"], number, method, classes)

    async def predict_some(self) -> bool:
        """Predict the next images; whether there were any. Called while no job waits."""
        findings = self.findings[self.watched]
        numbers = findings.pending[:BATCH].tolist()
        if not numbers:
            return False
        images = [self.sources[number] for number in numbers]
        try:
            found = await self.page.link.call("predict_many", JOB, model=findings.facts["id"], images=images)
        except WorkerGone:
            return True  # again, once there is another worker
        except Failed:
            found = [None] * len(numbers)
        for number, prediction in zip(numbers, found, strict=True):
            findings.add_prediction(number, prediction)
        known = [(image.id, *each) for image, each in zip(images, found, strict=True) if each is not None]
        self.page.predictions.add(findings.facts["fingerprint"], known)
        self._tell(findings)
        return True

    def _tell(self, findings: Findings) -> None:
        """Send the counts to all pages, at most twice a second until everything is predicted."""
        now = time.monotonic()
        if now - self.told >= EVERY or not len(findings.pending):
            self.told = now
            self.page.events.send("dataset", findings.counts())


def _unicode(name: str) -> str:
    """The name of a file with a question mark for every byte that is no text."""
    return name.encode(errors="replace").decode()


def read_items(root: Path) -> list[ImageItem]:
    """The images of a folder that are files."""
    dataset = open_source(root)
    items = [dataset[number] for number in range(len(dataset))]
    return [item for item in items if isinstance(item, ImageItem) and isinstance(item.source, (str, Path))]


def image_id(item: ImageItem) -> str:
    """A hash of a file's name, size and time: its content would take minutes to read for thousands of files."""
    return hashlib.sha256(f"{item.name}\0{item.stamp()}".encode(errors="surrogateescape")).hexdigest()[:32]
