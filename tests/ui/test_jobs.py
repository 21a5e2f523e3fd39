"""The queue: progress, cancel, stop, limits; a worker that is killed loses nothing."""

import asyncio
import http.client
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

import seewhy.ui.jobs
from page_server import ENDED, ID, running_page
from seewhy.ui.events import Events
from seewhy.ui.job import Job
from seewhy.ui.jobs import JobQueue
from seewhy.ui.link import Link
from seewhy.ui.settings import Limits

SLOW = {"name": "refine:center", "options": {"steps": 5000}}


def read_events(page, path="events"):
    """Events of a stream, as they come."""
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=60)
    connection.request("GET", f"{page.settings.prefix}/api/v1/{path}")
    response, name = connection.getresponse(), ""
    try:
        while line := response.readline().decode():
            if line.startswith("event: "):
                name = line[7:].strip()
            elif line.startswith("data: "):
                yield name, json.loads(line[6:])
    finally:
        connection.close()


def test_what_was_computed_is_taken_from_the_cache(page, image, result):
    job = page.explain(image, "center", "grad_cam_attention", baselines=False, targets=result["targets"])
    done = page.wait(job)
    assert done["entries"] == 2
    keys = page.page.results.get(done["result"]).keys
    assert keys[1] == page.page.results.get(result["id"]).keys[0]


def test_code_from_the_cache_has_the_latest_name(page, scene_image):
    for name in ("first.png", "second.png"):
        image = page.upload(scene_image, name)
        done = page.wait(page.explain(image, "center", baselines=False, targets=[1]))
        code = page.get(f"results/{done['result']}")["entries"][0]["code"]
        assert f"image = '{name}'  # its path" in code
        assert page.page.results.bundle(page.page.results.get(done["result"])).entries[0].code == code


def test_pages_hear_of_a_job_that_makes_no_progress():
    """The time left is estimated again, although nothing was noted."""

    async def run():
        heard, link, events = [], object.__new__(Link), Events(1)  # without a worker: the job calls none
        link.ready, enough = asyncio.Event(), asyncio.Event()

        def hear(_name, data):
            if data["seconds_left"] is not None:
                heard.append(data["seconds_left"])
            if heard and heard[-1] > heard[0] + 0.5:
                enough.set()

        events.send = hear
        queue = JobQueue(link, events, Limits())

        async def work(job):
            job.share = 0.5
            await asyncio.Event().wait()

        queue.submit(Job("flip", "stuck", {}, work, 600))
        link.ready.set()
        await asyncio.wait_for(enough.wait(), 120)
        queue.runner.cancel()
        return heard

    with ThreadPoolExecutor() as threads:  # the browser's loop runs in this one
        estimates = threads.submit(asyncio.run, run()).result()
    assert estimates == sorted(estimates)


def test_steps_of_refinement_are_streamed_and_stopping_keeps_the_best(page, image):
    job = page.explain(image, SLOW, baselines=False, targets=[1])
    steps, stopped = [], False
    for name, data in read_events(page, f"events?job={job['id']}"):
        if name == "step":
            steps.append(data)
            if len(steps) == 2 and not stopped:
                stopped = page.post(f"jobs/{job['id']}/stop", {})["stoppable"]
        if name == "job" and data["state"] in ENDED:
            break
    assert data["state"] == "done"
    assert stopped
    assert [each["step"] for each in steps] == list(range(len(steps)))
    assert len(steps) < SLOW["options"]["steps"]
    assert steps[1]["target"] == 1
    assert steps[1]["best"] == max(each["objective"] for each in steps[:2])
    assert (steps[0]["map"]["rows"], steps[0]["map"]["cols"]) == (14, 14)
    entry = page.page.results.bundle(page.page.results.get(data["result"])).entries[0]
    assert entry.maps.shape[0] == 1


def test_cancel_a_running_job_and_one_that_waits(page, image, monkeypatch):
    monkeypatch.setattr(seewhy.ui.jobs, "GRACE", 120.0)  # seconds; the machine may be loaded
    running, waiting = (page.explain(image, SLOW, baselines=False, targets=[k]) for k in (3, 4))
    page.wait(running, "running")
    assert page.get(f"jobs/{waiting['id']}")["position"] == 1
    assert page.request(f"api/v1/jobs/{waiting['id']}", method="DELETE")[1]["state"] == "cancelled"
    page.request(f"api/v1/jobs/{running['id']}", method="DELETE")
    assert page.wait(running)["state"] == "cancelled"
    assert page.get("")["worker"]["state"] == "ready"  # interrupted, not killed
    assert page.wait(page.explain(image, "center", baselines=False))["state"] == "done"
    assert page.request(f"api/v1/jobs/{running['id']}", method="DELETE")[0] == 200  # now it is removed
    assert page.request(f"api/v1/jobs/{running['id']}")[0] == 404


def test_a_method_that_refuses_says_why_and_the_others_go_on(page, image):
    done = page.wait(page.explain(image, "lrp", "center", baselines=False))
    assert done["state"] == "done"
    assert "lrp" in done["error"]
    failed = page.wait(page.explain(image, "lrp", baselines=False))
    assert failed["state"] == "failed"
    assert "lrp" in failed["error"]


def test_a_method_on_many_images(page, folder, monkeypatch, capsys):
    ids = [item["id"] for item in page.get("dataset/images?limit=2&q=001")["items"]]
    for method in ("center", "random"):
        job = {"kind": "dataset", "model": ID, "method": {"name": method}, "images": ids}
        done = page.wait(page.post("jobs", job))
        assert done["state"] == "done"
    items = {item["id"]: item for item in page.get("dataset/images?sort=-disagreement&method=random")["items"]}
    assert list(items)[:2] == sorted(ids, key=lambda id: -items[id]["disagreement"])
    assert all(items[id]["ins_del"] is not None for id in ids)
    low, high = sorted(items[id]["ins_del"] for id in ids)
    found = page.get(f"dataset/images?method=random&max_ins_del={(low + high) / 2}&min_disagreement=0")["items"]
    assert [item["ins_del"] for item in found] == [low]
    assert [each["label"] for each in page.get("dataset")["methods"]] == ["center", "random"]
    monkeypatch.chdir(folder)
    exec(done["answer"]["code"], {})
    printed = dict(line.rsplit(" ", 1) for line in capsys.readouterr().out.splitlines())
    assert {items[id]["name"]: items[id]["ins_del"] for id in ids} == pytest.approx(
        {name: float(score) for name, score in printed.items()}, abs=1e-6
    )


@pytest.fixture(scope="module")
def small_page():
    limits = Limits(queue=2, seconds_per_job=6.0)
    with running_page(limits=limits) as running:
        yield running


def test_a_full_queue_and_the_time_limit(small_page, scene_image):
    image = small_page.upload(scene_image)
    jobs = [small_page.explain(image, SLOW, baselines=False, targets=[k]) for k in (0, 1)]
    body = {"kind": "explain", "model": ID, "image": image["id"], "methods": [{"name": "center"}]}
    status, refused = small_page.request("api/v1/jobs", body)
    assert (status, refused["error"]["code"]) == (429, "busy")
    small_page.request(f"api/v1/jobs/{jobs[1]['id']}", method="DELETE")
    ended = small_page.wait(jobs[0])
    assert ended["state"] == "failed"
    assert "longer than 6 seconds" in ended["error"]


def test_a_killed_worker_loses_no_job(page, image):
    stream = read_events(page)
    next(stream)  # it is open
    running = page.explain(image, {"name": "refine:center", "options": {"steps": 200}}, baselines=False, targets=[2])
    waiting = page.explain(image, "center", baselines=False, targets=[2])
    next(data for name, data in stream if name == "step" and data["job"] == running["id"])
    os.kill(page.page.link.process.pid, signal.SIGKILL)
    states = []
    for name, data in stream:
        if name == "worker":
            states.append(data)
        if states and states[-1]["state"] == "ready":
            break
    stream.close()
    assert states[0] == {"state": "restarting", "message": "the model's process was killed (signal 9)"}
    assert page.wait(running)["state"] == "done"
    assert page.wait(waiting)["state"] == "done"
    assert page.post("ask", {"model": ID, "image": image["id"], "kind": "delete", "patches": [1]})["before"]


def test_questions_wait_for_the_next_worker(page, image):
    question = {"model": ID, "image": image["id"], "kind": "delete", "patches": [1, 2]}
    before, worker = page.post("ask", question), page.page.link.process
    os.kill(worker.pid, signal.SIGKILL)
    assert page.post("ask", question)["after"] == before["after"]
    assert page.page.link.process is not worker
