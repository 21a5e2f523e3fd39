"""Runs that are killed, files that are damaged, images and weights that change: nothing is lost, nothing doubled."""

import errno
import logging
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

import seewhy
from seewhy.errors import InputError, SeewhyError
from seewhy.store import MapStore, writer
from seewhy.store.index import load_index, shard_names
from tiny_bench import VIT, write_images

N = 12
METHODS = ["gradient", "rollout"]
FORK = multiprocessing.get_context("fork")


def load():
    torch.manual_seed(0)
    return seewhy.load_model("timm/test_vit", weights="random", **VIT)


@pytest.fixture(scope="module")
def model():
    return load()


@pytest.fixture
def folder(tmp_path):
    return write_images(tmp_path / "photos", N)


@pytest.fixture
def fill(model, folder, tmp_path):
    def run(name="maps", methods=METHODS, **options):
        return seewhy.explain_dataset(model, folder, methods, store=tmp_path / name, batch_size=2, **options)

    return run


@pytest.fixture
def forwards(monkeypatch):
    """The number of images of every forward pass from here on."""
    from seewhy.models.classifier import Classifier

    calls, forward = [], Classifier._logits

    def counted(self, images):
        calls.append(len(images))
        return forward(self, images)

    monkeypatch.setattr(Classifier, "_logits", counted)
    return calls


def assert_same(first, second):
    """Equal maps under equal keys, each once."""
    tables = [load_index(store.folder).sort_by("key") for store in (first, second)]
    keys = [table["key"].to_pylist() for table in tables]
    assert keys[0] == keys[1]
    assert len(set(keys[0])) == len(keys[0])
    for method in first.methods:
        names = first.images
        found = [store.refresh().explanation(names, method=method).maps for store in (first, second)]
        torch.testing.assert_close(*found, rtol=1e-5, atol=1e-6)


def test_killed_ten_times(model, tmp_path, monkeypatch):
    monkeypatch.setattr(writer, "FLUSH_INTERVAL", 0.0)
    monkeypatch.setattr(writer, "FULL", 7)  # kills fall between small shards and merged ones, too
    folder, chance = write_images(tmp_path / "photos", 60), random.Random(0)
    expected = seewhy.explain_dataset(model, folder, METHODS, store=tmp_path / "undisturbed")
    for _ in range(10):
        process = FORK.Process(target=slowly, args=(model, folder, tmp_path / "maps", 0.1))
        process.start()
        process.join(chance.uniform(0.05, 0.5))
        assert process.exitcode is None, "it ended before it could be killed"
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        if (tmp_path / "maps" / "format.json").exists():
            MapStore(tmp_path / "maps").index  # noqa: B018 - readable at any moment
    found = seewhy.explain_dataset(model, folder, METHODS, store=tmp_path / "maps")
    assert_same(expected, found)
    assert found.verify() == []


def slowly(model, folder, store, seconds=0.02, **options):
    explain = type(model)._logits

    def slow(self, images):
        time.sleep(seconds)
        return explain(self, images)

    type(model)._logits = slow
    seewhy.explain_dataset(model, folder, METHODS, store=store, batch_size=2, **options)


def test_two_runs_on_one_store(fill, model, folder, tmp_path, monkeypatch):
    monkeypatch.setattr("seewhy.store.plan.BLOCK", 3)
    expected = fill("undisturbed")
    both = [FORK.Process(target=slowly, args=(model, folder, tmp_path / "maps")) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join()
        assert process.exitcode == 0
    assert_same(expected, MapStore(tmp_path / "maps"))


def test_a_full_disk_says_so_and_the_run_resumes(fill, monkeypatch):
    expected = fill("undisturbed")
    monkeypatch.setattr(writer, "FLUSH_INTERVAL", 0.0)
    sync, count = os.fsync, iter(range(1000))

    def full(file):
        if next(count) > 6:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(file)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(SeewhyError, match=r"No space left on device\. Free disk space and rerun; the run resumes"):
            fill()
    assert_same(expected, fill())


def test_a_truncated_shard_is_found_and_replaced(fill, tmp_path):
    expected, store = fill("undisturbed"), fill()
    shard = tmp_path / "maps" / "shards" / f"{shard_names(store.folder)[0]}.safetensors"
    shard.write_bytes(shard.read_bytes()[:-100])
    with pytest.raises(InputError, match=r"damaged.*verify --repair"):
        list(MapStore(store.folder).filter(method="gradient").batches())
    assert len(store.verify()) == 1
    store.verify(repair=True)
    assert len(store) == N
    assert_same(expected, fill())
    assert store.verify() == []


def test_a_changed_byte_is_found(fill, tmp_path):
    store = fill()
    shard = tmp_path / "maps" / "shards" / f"{shard_names(store.folder)[0]}.safetensors"
    content = bytearray(shard.read_bytes())
    content[-5] ^= 1
    shard.write_bytes(bytes(content))
    assert "not what was written" in store.verify()[0]


@pytest.mark.parametrize("damage", [b"", b"PAR1 nonsense", None])
def test_a_damaged_index_costs_nothing(fill, tmp_path, forwards, caplog, damage):
    expected = fill("undisturbed")
    store, path = fill(), tmp_path / "maps" / "index.parquet"
    path.unlink() if damage is None else path.write_bytes(damage)
    done = len(forwards)
    with caplog.at_level(logging.WARNING):
        assert_same(expected, fill())
    assert len(forwards) == done
    assert damage is None or "nothing is lost" in caplog.text
    assert store.verify() == []


def test_an_image_that_changes_is_explained_again(fill, folder, model, forwards, caplog):
    fill()
    name = "class0/000.png"
    Image.fromarray(np.random.default_rng(9).integers(0, 256, (80, 96, 3), dtype=np.uint8)).save(folder / name)
    done = len(forwards)
    store = fill()
    assert sum(forwards[done:]) == 1 + 1  # one image, two methods
    assert len(store) == N * len(METHODS)
    assert f"1 images have changed since an earlier run, the first is {name}" in caplog.text
    expected = seewhy.explain(model, folder / name, "rollout")
    torch.testing.assert_close(store.explanation(name, method="rollout").maps, expected.maps, rtol=1e-5, atol=1e-6)


def test_a_clock_that_goes_backwards_changes_nothing(fill, folder, forwards):
    fill()
    for path in folder.rglob("*.png"):
        os.utime(path, (0, 0))
    done = len(forwards)
    assert len(fill()) == N * len(METHODS)
    assert len(forwards) == done


def test_weights_that_change_give_maps_of_their_own(fill, folder, tmp_path, caplog):
    fill(methods="rollout")
    torch.manual_seed(1)
    other = seewhy.load_model("timm/test_vit", weights="random", **VIT)
    with caplog.at_level(logging.WARNING):
        store = seewhy.explain_dataset(other, folder, "rollout", store=tmp_path / "maps")
    assert "with other weights" in caplog.text
    assert len(store) == 2 * N
    assert len(store.filter(model_key=other.fingerprint)) == N
    with pytest.raises(InputError, match="pass model_key= one of"):
        store.explanation("class0/000.png")


def test_memory_that_runs_out_makes_batches_smaller(fill, model, folder, tmp_path, monkeypatch):
    expected, forward = fill("undisturbed"), type(model)._logits

    def limited(self, images):
        if len(images) > 2:
            raise MemoryError("not enough memory")
        return forward(self, images)

    monkeypatch.setattr(type(model), "_logits", limited)
    store = seewhy.explain_dataset(model, folder, METHODS, store=tmp_path / "maps", batch_size=8)
    assert store.failures == []
    assert_same(expected, store)


def test_a_worker_that_is_killed_costs_nothing(fill):
    expected = fill("undisturbed")
    killer = threading.Thread(target=kill_one_child, daemon=True)
    killer.start()
    assert_same(expected, fill(workers=2))
    killer.join()


def kill_one_child():
    while not multiprocessing.active_children():
        time.sleep(0.01)
    time.sleep(3)  # while it starts or works
    os.kill(multiprocessing.active_children()[0].pid, signal.SIGKILL)


def test_no_permission_is_said_before_the_work(fill, forwards, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(InputError, match="no store can be written there"):
        fill()
    assert forwards == []


def test_a_store_of_somebody_else_is_not_written(fill, forwards, tmp_path):
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "index.lock").mkdir()  # a lock that cannot be opened, also not by an administrator
    with pytest.raises(InputError, match=r"no store can be written there \(.*\)\. Choose another folder"):
        fill()
    assert forwards == []


def test_images_that_cannot_be_read_are_rows_and_are_tried_again_on_request(fill, folder, caplog):
    good = (folder / "class0/000.png").read_bytes()
    (folder / "class0/000.png").write_bytes(good[:200])
    store = fill()
    assert "2 maps failed, the first of class0/000.png by gradient" in caplog.text
    assert "2 failed)" in repr(store)
    assert len(store) == (N - 1) * len(METHODS)
    assert [row["image"] for row in store.failures] == ["class0/000.png"] * len(METHODS)
    assert "truncated or corrupt" in store.failures[0]["error"]
    again = fill(retry=True)
    assert len(again.failures) == len(METHODS)
    (folder / "class0/000.png").write_bytes(good)
    mended = fill()
    assert (len(mended), mended.failures) == (N * len(METHODS), [])


def test_a_broken_tar_says_so(model, tmp_path):
    (tmp_path / "a.tar").write_bytes(b"not a tar file")
    with pytest.raises(InputError, match="the tar file is broken or compressed"):
        seewhy.explain_dataset(model, str(tmp_path / "a.tar"), "gradient", store=tmp_path / "maps")


def test_a_tar_that_ends_early_says_so(model, folder, tmp_path):
    import tarfile

    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        tar.add(folder / "class0/000.png", "000.png")
    content = (tmp_path / "a.tar").read_bytes()
    (tmp_path / "a.tar").write_bytes(content[:2000])
    with pytest.raises(InputError, match="unexpected end of data"):
        seewhy.explain_dataset(model, str(tmp_path / "a.tar"), "gradient", store=tmp_path / "maps")


def test_stores_of_several_machines_are_merged(fill, model, folder, tmp_path):
    expected, files = fill("undisturbed"), sorted(folder.rglob("*.png"))
    parts = []
    for number in range(2):
        part = tmp_path / f"part{number}"
        for file in files[number * 5 : number * 5 + 7]:  # they overlap
            target = part / file.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
        parts.append(seewhy.explain_dataset(model, part, METHODS, store=tmp_path / f"maps{number}"))
    merged = MapStore(tmp_path / "all", create=True).merge(*parts)
    assert merged.verify() == []
    assert_same(expected, merged)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds processes below /proc")
def test_readers_end_with_a_run_that_is_killed(tmp_path):
    code = "import sys, seewhy, test_faults as t; t.slowly(t.load(), sys.argv[1], sys.argv[2], 1.0, readers=1)"
    folder = write_images(tmp_path / "photos", 30)
    paths = os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parents[1]), *sys.path])
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(folder), str(tmp_path / "maps")], env=os.environ | {"PYTHONPATH": paths}
    )
    children = wait_for(lambda: children_of(process.pid), 120)
    process.kill()
    process.wait()
    wait_for(lambda: not any(map(is_running, children)), 60)


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children_of(pid):
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split() if Path(f"/proc/{pid}").exists() else []
    return [child for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def wait_for(condition, seconds):
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)
    return found
