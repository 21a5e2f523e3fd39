"""Checkpoints: a killed run resumes exactly; other settings, images and damaged files are refused."""

import errno
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from safetensors.torch import save
from torch.testing import assert_close

import seewhy.runtime.files
from conftest import make_tiny_cnn, save_encoder
from seewhy.errors import InputError, SeewhyError
from seewhy.explainers.network import AHAExplainer
from seewhy.train import best, train_explainer
from seewhy.train.checkpoint import NAME
from seewhy.train.config import make_config
from seewhy.train.loop import TrainingRun
from tiny_training import IMAGES, QUICK, do_steps, logged, losses, save_images, scores

TESTS = Path(__file__).parents[1]


def start_process(folder, before=""):
    """Train in another process, which first runs the code `before`."""
    code = (
        f"import sys; sys.path.insert(0, {str(TESTS)!r})\n"
        "from conftest import make_tiny_cnn\n"
        "from tiny_training import IMAGES, QUICK\n"
        "from seewhy.train import train_explainer\n"
        f"{before}\n"
        f"train_explainer(make_tiny_cnn(), IMAGES, out={str(folder)!r}, **(QUICK | {{'iterations': 400}}))\n"
    )
    return subprocess.Popen([sys.executable, "-c", code])


def train_and_kill(folder, *, kill_after):
    """Train in another process and kill it after this many steps."""
    process = start_process(folder)
    limit = time.monotonic() + 300
    while time.monotonic() < limit and process.poll() is None:
        if (folder / "log.jsonl").is_file() and len((folder / "log.jsonl").read_text().splitlines()) >= kill_after:
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert process.returncode == -signal.SIGKILL


def test_killed_and_resumed_equals_uninterrupted(tmp_path, monkeypatch):
    monkeypatch.setattr(best, "evaluate_explainer", lambda *_, **__: scores(0.0))
    train_and_kill(tmp_path / "killed", kill_after=3)
    runs = {}
    for name in ("killed", "whole"):
        run = TrainingRun(make_tiny_cnn(), IMAGES, tmp_path / name, make_config(**(QUICK | {"iterations": 400})))
        assert (run.progress.step > 0) == (name == "killed")
        do_steps(run, 3 if name == "killed" else runs["killed"].progress.step)
        runs[name] = run
    killed, whole = (run.learner.decoder.state_dict() for run in runs.values())
    assert_close(killed, whole)  # up to rounding in another process
    assert losses(tmp_path / "killed") == pytest.approx(losses(tmp_path / "whole"), rel=1e-5)


DIE_IN_THE_THIRD_CHECKPOINT = """
import os, pathlib
replace, written = pathlib.Path.replace, []
def die(part, path):
    written.append(path)
    if len(written) == 3:
        os.truncate(part, 1000)
        os._exit(9)
    return replace(part, path)
pathlib.Path.replace = die
"""


def test_killed_while_a_checkpoint_is_written(tmp_path):
    """Half a file is left behind; the run resumes from the checkpoint before it."""
    assert start_process(tmp_path, DIE_IN_THE_THIRD_CHECKPOINT).wait(timeout=120) == 9
    assert (tmp_path / f"{NAME}.part").stat().st_size == 1000
    assert [entry["step"] for entry in logged(tmp_path)] == [1, 2, 3, 4]
    run = TrainingRun(make_tiny_cnn(), IMAGES, tmp_path, make_config(**(QUICK | {"iterations": 400})))
    assert run.progress.step == 2
    do_steps(run, 2)
    run.evaluate_and_checkpoint()
    assert [entry["step"] for entry in logged(tmp_path)] == [1, 2, 3, 4]
    assert not list(tmp_path.glob("*.part"))


def test_other_settings_are_refused(tiny_cnn, tmp_path):
    options = QUICK | {"iterations": 2}
    train_explainer(tiny_cnn, IMAGES, out=tmp_path, **options)
    with pytest.raises(InputError, match=r"other settings \(learning_rate, points\)"):
        train_explainer(tiny_cnn, IMAGES, out=tmp_path, **(options | {"learning_rate": 1.0, "points": 6}))


def test_other_images_are_refused(tiny_cnn, tmp_path):
    """Held-out images would be trained on."""
    photos, out = save_images(tmp_path / "photos"), tmp_path / "out"
    train_explainer(tiny_cnn, photos, out=out, **(QUICK | {"iterations": 2}))
    (photos / "3.png").rename(photos / "77.png")
    with pytest.raises(InputError, match=r"other settings \(images\)"):
        train_explainer(tiny_cnn, photos, out=out, **(QUICK | {"iterations": 2}))


def test_a_finished_explainer_is_not_overwritten(tiny_cnn, tmp_path):
    AHAExplainer(tiny_cnn).save(tmp_path)
    (tmp_path / "log.jsonl").write_text("its log")
    with pytest.raises(InputError, match="holds an explainer, but no checkpoint"):
        train_explainer(tiny_cnn, IMAGES, out=tmp_path, **QUICK)
    assert (tmp_path / "log.jsonl").read_text() == "its log"


def test_a_file_that_is_not_a_checkpoint(tiny_cnn, tmp_path):
    (tmp_path / NAME).write_bytes(save({"weights": torch.zeros(1)}))
    with pytest.raises(InputError, match="not a checkpoint"):
        train_explainer(tiny_cnn, IMAGES, out=tmp_path, **QUICK)


def test_a_full_disk_leaves_the_last_good_checkpoint(tiny_cnn, tmp_path, monkeypatch):
    options = QUICK | {"iterations": 6, "held_out": 2}
    whole, calls = seewhy.runtime.files.os.fsync, []

    def full(descriptor):
        calls.append(descriptor)
        if len(calls) == 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        whole(descriptor)

    monkeypatch.setattr(seewhy.runtime.files.os, "fsync", full)
    with pytest.raises(SeewhyError, match=r"cannot write .*No space left.*the run resumes"):
        train_explainer(tiny_cnn, IMAGES, out=tmp_path, **options)
    assert not list(tmp_path.glob("*.part"))
    train_explainer(tiny_cnn, IMAGES, out=tmp_path, **options)
    assert len(losses(tmp_path)) == 6


def test_a_damaged_checkpoint(tiny_cnn, tmp_path):
    options = QUICK | {"iterations": 1}
    train_explainer(tiny_cnn, IMAGES, out=tmp_path, **options)
    (tmp_path / NAME).write_bytes((tmp_path / NAME).read_bytes()[:-100])
    with pytest.raises(InputError, match=r"damaged.*choose another folder, with start="):
        train_explainer(tiny_cnn, IMAGES, out=tmp_path, **options)
    (tmp_path / "explainer.json").unlink()
    with pytest.raises(InputError, match=r"damaged.*remove it to start over"):
        train_explainer(tiny_cnn, IMAGES, out=tmp_path, **options)
    (tmp_path / NAME).unlink()
    train_explainer(tiny_cnn, IMAGES, out=tmp_path, **options)


def test_another_encoder_is_refused(tiny_cnn, tmp_path):
    options = QUICK | {"iterations": 1, "encoder": "timm/test_vit", "encoder_weights": str(tmp_path / "encoder.pt")}
    save_encoder(tmp_path / "encoder.pt", seed=0)
    train_explainer(tiny_cnn, IMAGES, out=tmp_path / "out", **options)
    save_encoder(tmp_path / "encoder.pt", seed=1)
    with pytest.raises(InputError, match=r"other settings \(encoder_fingerprint\)"):
        train_explainer(tiny_cnn, IMAGES, out=tmp_path / "out", **options)
