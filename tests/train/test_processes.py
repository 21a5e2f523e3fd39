"""Two processes on the CPU take every decision together, whatever happens to one of them."""

import subprocess
import sys
from pathlib import Path

import torch
from torch.testing import assert_close

from seewhy.train.images import open_images
from tiny_training import logged, save_images

DRIVER = """
import json, os, signal, sys
from pathlib import Path
signal.alarm(150)  # rather than wait for each other forever
sys.path.insert(0, {tests!r})
import torch
from conftest import make_tiny_cnn
from seewhy.errors import InputError
from seewhy.explainers.network import AHAExplainer
from seewhy.train.config import make_config
from seewhy.train.loop import TrainingRun
from tiny_training import QUICK, do_steps, nan_features

rank, folder = int(os.environ["RANK"]), Path({folder!r})
config = make_config(**(QUICK | dict(batch=1, iterations=6, held_out=1, checkpoint_every=3)))
run = TrainingRun(make_tiny_cnn(), folder / "photos", folder / "out", config)
assert run.processes.count == 2
good = AHAExplainer.features
for step in range(6):
    if rank == 1 and step == 2:
        AHAExplainer.features = nan_features
    do_steps(run, 1)
    AHAExplainer.features = good
    run.evaluate_and_checkpoint()
torch.save(run.learner.decoder.state_dict(), folder / f"weights{{rank}}.pt")
progress = run.progress
(folder / f"progress{{rank}}.json").write_text(json.dumps([progress.step, progress.best, progress.problems]))
run.finish()
try:
    TrainingRun(make_tiny_cnn(), folder / "photos", folder / ("out" if rank == 0 else "elsewhere"), config)
except InputError as error:
    (folder / f"error{{rank}}.txt").write_text(str(error))
torch.distributed.destroy_process_group()  # a thread of gloo that outlives the interpreter aborts it
"""


def test_two_processes_stay_together(tiny_cnn, tmp_path):
    """One of them meets an unreadable file, then features that are not finite, then a missing checkpoint."""
    photos = save_images(tmp_path / "photos")
    images = open_images(photos, tiny_cnn.preprocess, held_out=1, seed=42)
    broken = images.at_step(1, 2)[1]
    (photos / images.names([broken])[0]).write_bytes(b"not an image")
    run_twice(tmp_path)
    entries = [entry for entry in logged(tmp_path / "out") if "scores" not in entry]
    assert [entry["step"] for entry in entries if "skipped" in entry] == [
        step + 1 for step in range(6) if broken in images.at_step(step, 2)
    ]
    assert [entry["step"] for entry in entries if entry.get("loss", 0) is None] == [3]
    first, second = (torch.load(tmp_path / f"weights{rank}.pt") for rank in range(2))
    trained = [name for name in first if "running" not in name]  # only the first process's statistics are kept
    assert_close({name: first[name] for name in trained}, {name: second[name] for name in trained})
    assert (tmp_path / "progress0.json").read_text() == (tmp_path / "progress1.json").read_text()
    for rank in range(2):
        assert "different steps" in (tmp_path / f"error{rank}.txt").read_text()


def run_twice(folder):
    script = folder / "driver.py"
    script.write_text(DRIVER.format(tests=str(Path(__file__).parents[1]), folder=str(folder)))
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2", str(script)]
    done = subprocess.run(launch, capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
