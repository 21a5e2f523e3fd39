"""Training at tiny scale: it learns, it continues after a kill as if nothing had happened, it survives bad luck."""

import errno
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from PIL import Image
from torch.testing import assert_close

import seewhy.models.explainer as explainer_files
from conftest import make_tiny_cnn, make_tiny_vit
from seewhy.errors import InputError, ModelError, SeewhyError
from seewhy.models.explainer import AHAExplainer
from seewhy.models.features import target_features
from seewhy.train import loop, train_explainer
from seewhy.train.checkpoint import NAME
from seewhy.train.loop import choose_targets

QUICK = {"batch": 4, "grids": (4,), "held_out": 2, "evaluate_every": 1000, "checkpoint_every": 2, "steps": 5}
PICTURES = list(torch.rand(10, 3, 32, 32, generator=torch.Generator().manual_seed(0)))


def losses(folder):
    entries = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [entry["loss"] for entry in entries if "loss" in entry]


@pytest.mark.parametrize("make", [make_tiny_vit, make_tiny_cnn])
def test_it_learns(make, tmp_path):
    model = make()
    options = QUICK | {"iterations": 30, "learning_rate": 1e-2, "gumbel": False, "references": ("black",)}
    explainer = train_explainer(model, PICTURES, out=tmp_path, tau=(0.3, 0.3), **options)
    course = losses(tmp_path)
    assert sum(course[-5:]) < sum(course[:5])
    assert isinstance(explainer, AHAExplainer)
    card = (tmp_path / "README.md").read_text()
    assert model.fingerprint in card
    assert "held-out" in card


def test_at_most_33_forwards_per_image(tiny_vit, tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "evaluate_explainer", lambda *_, **__: {"ins_del": 0.0})
    with tiny_vit.meter() as cost:
        train_explainer(tiny_vit, PICTURES, out=tmp_path, **(QUICK | {"iterations": 2, "steps": 16}))
    assert cost.forwards / (2 * 4) <= 33
    assert cost.backwards == 2 * 4 * 30


def run_in_a_process(folder, *, kill_after):
    """Train in a process of its own and kill it once it has done so many steps."""
    here = Path(__file__).parent
    code = (
        f"import sys; sys.path[:0] = [{str(here.parent)!r}, {str(here)!r}]\n"
        "from conftest import make_tiny_cnn\n"
        "from test_train import PICTURES, QUICK\n"
        "from seewhy.train import train_explainer\n"
        f"train_explainer(make_tiny_cnn(), PICTURES, out={str(folder)!r}, **(QUICK | {{'iterations': 400}}))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code])
    limit = time.monotonic() + 300
    while time.monotonic() < limit and process.poll() is None:
        if (folder / NAME).is_file() and len((folder / "log.jsonl").read_text().splitlines()) >= kill_after:
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert process.returncode == -signal.SIGKILL


def test_killed_and_continued_equals_undisturbed(tmp_path, monkeypatch):
    """The process is killed somewhere, the run then goes on to where it is told to stop."""
    monkeypatch.setattr(loop, "evaluate_explainer", lambda *_, **__: {"ins_del": 0.0})
    run_in_a_process(tmp_path / "killed", kill_after=3)
    runs = {}
    for name in ("killed", "whole"):
        run = loop.Run(make_tiny_cnn(), PICTURES, tmp_path / name, loop.make_config(**(QUICK | {"iterations": 400})))
        assert (run.progress.step > 0) == (name == "killed")
        with run.model.ready(), torch.enable_grad():
            stop = run.progress.step + 3 if name == "killed" else runs["killed"].progress.step
            for step in range(run.progress.step, stop):
                run.step(step)
        runs[name] = run
    killed, whole = (run.decoder.state_dict() for run in runs.values())
    assert_close(killed, whole)  # but for the rounding of sums in another process
    assert losses(tmp_path / "killed") == pytest.approx(losses(tmp_path / "whole"), rel=1e-5)


def test_other_settings_do_not_continue_a_run(tiny_cnn, tmp_path):
    train_explainer(tiny_cnn, PICTURES, out=tmp_path, **(QUICK | {"iterations": 2}))
    with pytest.raises(InputError, match=r"other settings \(training\)"):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path, **(QUICK | {"iterations": 2, "learning_rate": 1.0}))


def test_a_full_disk_leaves_the_last_good_checkpoint(tiny_cnn, tmp_path, monkeypatch):
    options = QUICK | {"iterations": 6, "held_out": 2}
    whole, calls = explainer_files.os.fsync, []

    def full(descriptor):
        calls.append(descriptor)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        whole(descriptor)

    monkeypatch.setattr(explainer_files.os, "fsync", full)
    with pytest.raises(SeewhyError, match=r"No space left.*is untouched"):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path, **options)
    assert not list(tmp_path.glob("*.part"))
    train_explainer(tiny_cnn, PICTURES, out=tmp_path, **options)
    assert len(losses(tmp_path)) == 6


def test_a_loss_that_is_not_finite_stops_after_a_few_steps(tiny_cnn, tmp_path, monkeypatch):
    options = QUICK | {"iterations": 40}
    run = loop.Run(tiny_cnn, PICTURES, tmp_path, loop.make_config(**options))
    with tiny_cnn.ready(), torch.enable_grad():
        for step in range(2):
            run.step(step)
            run.after(step)
    good = (tmp_path / NAME).read_bytes()

    def broken(explainer, images):
        return [each * torch.nan for each in target_features(explainer.model, images)]

    monkeypatch.setattr(AHAExplainer, "features", broken)
    with pytest.raises(ModelError, match="not finite in 5 steps"):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path, **options)
    assert (tmp_path / NAME).read_bytes() == good


def test_broken_files_are_skipped_with_a_note(tiny_cnn, tmp_path):
    folder = tmp_path / "photos" / "deeper"
    folder.mkdir(parents=True)
    for number, picture in enumerate(PICTURES):
        Image.fromarray((picture.permute(1, 2, 0) * 255).byte().numpy()).save(folder / f"{number}.png")
    (folder / "broken.png").write_bytes(b"not a picture")
    (folder / "empty.jpg").write_bytes(b"")
    out = tmp_path / "out"
    train_explainer(tiny_cnn, tmp_path / "photos", out=out, **(QUICK | {"iterations": 4, "held_out": 1, "seed": 1}))
    assert "could not be read" in (out / "README.md").read_text()
    with pytest.raises(InputError, match="holds no images"):
        train_explainer(tiny_cnn, out, out=out, iterations=1)


def test_early_stop_keeps_the_best(tiny_cnn, tmp_path, monkeypatch):
    scores = iter([0.1, 0.3, 0.2, 0.25, 0.5])
    monkeypatch.setattr(loop, "evaluate_explainer", lambda *_, **__: {"ins_del": next(scores)})
    options = QUICK | {"iterations": 9, "evaluate_every": 1, "patience": 2}
    train_explainer(tiny_cnn, PICTURES, out=tmp_path, **options)
    assert len(losses(tmp_path)) == 4
    assert json.loads((tmp_path / "explainer.json").read_text())["training"]["step"] == 2


def test_classes_that_are_trained_on():
    probabilities = torch.tensor([[0.1, 0.6, 0.3], [0.5, 0.4, 0.1], [0.2, 0.1, 0.7]])
    assert choose_targets(probabilities, torch.tensor([-1, 0, 1])).tolist() == [[1, 2], [0, 1], [2, 1]]
