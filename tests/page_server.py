"""Real pages: a server on a free port of this machine, with its worker process."""

import asyncio
import contextlib
import io
import json
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import numpy as np
import uvicorn
from PIL import Image

from seewhy.ui.app import open_app
from seewhy.ui.lane import model_id
from seewhy.ui.settings import ModelSpec, Settings

MODEL = f"{Path(__file__).parent}/page_model.py:make_model"  # 64 pixels, a grid of 8x8 patches, 5 classes
OTHER = f"{Path(__file__).parent}/page_model.py:make_other"  # the same with other weights
ID = model_id(MODEL)
ENDED = ("done", "failed", "cancelled")


class RunningPage:
    """A page that runs in a thread."""

    def __init__(self, settings):
        self.settings, self.problem = settings, None
        self.ready, self.thread = threading.Event(), threading.Thread(target=self._run, daemon=True)

    def _run(self):
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # shown by the fixture, which waits
            self.problem = error
            self.ready.set()

    async def _serve(self):
        async with open_app(self.settings) as app:
            config = uvicorn.Config(app, port=0, log_level="warning", lifespan="off", timeout_graceful_shutdown=1)
            self.page, self.server = app.state.page, uvicorn.Server(config)
            serving = asyncio.create_task(self.server.serve())
            while not self.server.started:
                await asyncio.sleep(0.01)
            self.port = self.server.servers[0].sockets[0].getsockname()[1]
            self.address = f"http://127.0.0.1:{self.port}{self.settings.prefix}/"
            self.ready.set()
            await serving

    # requests

    def request(self, path, body=None, *, method=None, headers=None, raw=False):
        """Status and decoded JSON (or bytes) of a response."""
        data = json.dumps(body).encode() if isinstance(body, dict) else body
        given = {"Content-Type": "application/json"} if isinstance(body, dict) else {}
        request = urllib.request.Request(f"{self.address}{path}", data, given | (headers or {}), method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                content = response.read()
                return response.status, content if raw else json.loads(content)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())

    def get(self, path, **options):
        status, found = self.request(f"api/v1/{path}", **options)
        assert status == 200, found
        return found

    def post(self, path, body):
        status, found = self.request(f"api/v1/{path}", body)
        assert status in (200, 201, 202), found
        return found

    def upload(self, image, name="image.png"):
        return self.request(f"api/v1/images?name={name}", png(image), headers={"Content-Type": "image/png"})[1]

    def wait(self, job, *states, seconds=120):
        """The job once it is in one of the states; by default, once it has ended."""
        end = time.monotonic() + seconds
        while (found := self.get(f"jobs/{job['id']}"))["state"] not in (states or ENDED):
            assert time.monotonic() < end, found
            time.sleep(0.05)
        return found

    def wait_ready(self, seconds=120):
        end = time.monotonic() + seconds
        while self.get("")["worker"]["state"] != "ready":
            assert time.monotonic() < end
            time.sleep(0.05)

    def explain(self, image, *methods, **fields):
        methods = [each if isinstance(each, dict) else {"name": each} for each in methods]
        body = {"kind": "explain", "model": ID, "image": image["id"], "methods": methods, **fields}
        return self.post("jobs", body)


@contextlib.contextmanager
def running_page(models=(MODEL,), **settings):
    page = RunningPage(
        Settings(tuple(each if isinstance(each, ModelSpec) else ModelSpec(each) for each in models), **settings)
    )
    page.thread.start()
    assert page.ready.wait(300)
    if page.problem:
        raise page.problem
    try:
        yield page
    finally:
        page.server.should_exit = True
        page.thread.join(30)


def png(image):
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def as_image(pixels):
    return Image.fromarray((pixels.permute(1, 2, 0).numpy() * 255).round().astype(np.uint8))
