"""The state of a running page: what the routes work with."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio

from seewhy.ui.dataset import PageDataset
from seewhy.ui.errors import ApiError, not_found
from seewhy.ui.events import Events
from seewhy.ui.files import FileCache
from seewhy.ui.images import Images, PageImage
from seewhy.ui.jobs import JobQueue
from seewhy.ui.lane import Source
from seewhy.ui.latest import Latest
from seewhy.ui.link import Link
from seewhy.ui.predictions import Predictions
from seewhy.ui.results import MethodChoice, Results
from seewhy.ui.settings import Settings
from seewhy.ui.stored import StoredMap

Facts = dict[str, Any]  # of a model


class Page:
    """One page: its worker, images, jobs, results and data set."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings, self.limits = settings, settings.limits
        half = settings.limits.cache_bytes // 2
        kept = settings.cache or folder  # what is made once and for all
        thumbnails = FileCache(kept / "thumbnails", half)
        self.predictions = Predictions(kept / "predictions.sqlite")
        self.images = Images(folder, thumbnails, settings.limits)
        self.results = Results(FileCache(folder / "results", half), settings.limits.history)
        self.events = Events(settings.limits.streams)
        self.link = Link(settings.models, self.tell_worker)
        self.queue = JobQueue(self.link, self.events, settings.limits)
        self.latest = Latest(settings.limits.sessions)
        self.dataset: PageDataset | None = None
        self.uploading = 0
        self.events.greeting = self.greet

    async def start(self) -> None:
        """Wait for the worker, then list the images."""
        await self.link.started()
        if self.settings.folder is not None or self.settings.store is not None:
            self.dataset = await anyio.to_thread.run_sync(PageDataset, self)
            self.queue.idle = self.dataset.predict_some
            self.queue.wake.set()

    async def close(self) -> None:
        self.events.close()
        await self.queue.close()
        self.link.close()
        self.predictions.close()

    # the worker

    @property
    def worker(self) -> dict[str, str]:
        return {"state": self.link.state, "message": self.link.message}

    def tell_worker(self) -> None:
        self.events.send("worker", self.worker)

    def greet(self) -> list[tuple[str, dict[str, Any]]]:
        jobs = [("job", self.queue.to_json(job)) for job in self.queue.jobs.values()]
        steps = [("step", step) for job in self.queue.jobs.values() for step in job.steps]
        findings = self.dataset.findings.values() if self.dataset is not None else ()
        data = [("dataset", each.counts()) for each in findings]
        return [("worker", self.worker), *jobs, *steps, *data]

    # what requests name

    @property
    def models(self) -> dict[str, Facts]:
        return {facts["id"]: facts for facts in self.link.models}

    def model(self, id: str | None) -> Facts:
        if id not in self.models:
            raise not_found("model") if self.models else ApiError(503, "the model is loading; ask again")
        return self.models[id]

    def source(self, id: str) -> Source:
        """An image, as the worker finds it."""
        image: PageImage = self.images.get(id)
        return Source(image.id, image.name, image.path)

    def stored(self, facts: Facts, source: Source, method: MethodChoice, targets: Sequence[int]) -> StoredMap | None:
        """The maps of these classes, if a map store has them."""
        return None if self.dataset is None else self.dataset.stored(facts, source.id, method, targets)


def class_facts(facts: Facts, index: int) -> dict[str, Any]:
    return {"index": index, "name": facts["class_names"][index] if facts["class_names"] else f"class {index}"}
