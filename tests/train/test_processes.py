"""Two processes on the CPU take every decision together, whatever happens to one of them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch.testing import assert_close

import tiny_training
from conftest import make_tiny_cnn
from seewhy.errors import InputError
from seewhy.train.config import make_config
from seewhy.train.images import open_images
from seewhy.train.loop import TrainingRun
from tiny_training import IMAGES, do_steps, logged, losses, save_images

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
    assert_close(first, second)
    assert (tmp_path / "progress0.json").read_text() == (tmp_path / "progress1.json").read_text()
    for rank in range(2):
        assert "different steps" in (tmp_path / f"error{rank}.txt").read_text()


DIVIDED = """
import json, os, signal, sys
from pathlib import Path
signal.alarm(400)
sys.path.insert(0, {tests!r})
import torch
from conftest import make_tiny_cnn
from seewhy.train.config import make_config
from seewhy.train.loop import TrainingRun
from tiny_training import DIVIDED, IMAGES, do_steps

rank, folder = int(os.environ["RANK"]), Path({folder!r})
run = TrainingRun(make_tiny_cnn(), IMAGES, folder / "out", make_config(**DIVIDED, accumulate={accumulate}))
scored = []
logits = type(run.model)._logits
type(run.model)._logits = lambda model, images: scored.append(len(images)) or logits(model, images)
do_steps(run, 2)
scored.clear()
run.evaluate_and_checkpoint()
(folder / f"scored{{rank}}.json").write_text(json.dumps(sum(scored)))
torch.distributed.destroy_process_group()
"""


@pytest.mark.parametrize("accumulate", [1, 2])
def test_a_run_resumes_exactly_with_another_number_of_processes(accumulate, tiny_cnn, tmp_path):
    """Two steps by two processes, two by one that accumulates; against one that accumulates all along."""
    run_twice(tmp_path, DIVIDED, accumulate=accumulate)
    shares, alone = 2 * accumulate, tiny_training.DIVIDED | {"accumulate": 2 * accumulate}
    with pytest.raises(InputError, match=f"into {shares} batches.* 1 processes, use accumulate={shares}"):
        TrainingRun(tiny_cnn, IMAGES, tmp_path / "out", make_config(**tiny_training.DIVIDED))
    with pytest.raises(InputError, match=r"other settings \(batch\)"):
        TrainingRun(tiny_cnn, IMAGES, tmp_path / "out", make_config(**alone | {"batch": 4}))
    resumed = TrainingRun(tiny_cnn, IMAGES, tmp_path / "out", make_config(**alone))
    assert resumed.progress.step == 2
    do_steps(resumed, 2)
    whole = TrainingRun(make_tiny_cnn(), IMAGES, tmp_path / "whole", make_config(**alone))
    do_steps(whole, 2)
    whole.evaluate_and_checkpoint()
    do_steps(whole, 2)
    other = TrainingRun(make_tiny_cnn(), IMAGES, tmp_path / "other", make_config(**alone | {"accumulate": shares + 1}))
    do_steps(other, 4)
    # AdamW turns the rounding of a gradient near zero into a step, so single weights differ; others stay where they are
    assert distance(resumed, whole) < distance(other, whole) / 100
    assert losses(tmp_path / "out") == pytest.approx(losses(tmp_path / "whole"), rel=1e-4)
    by_two, by_one = ([entry["scores"] for entry in logged(tmp_path / name) if "scores" in entry] for name in RUNS)
    assert by_two[0] == pytest.approx(by_one[0], abs=1e-3)  # rounding may swap two pixels
    shared = [json.loads((tmp_path / f"scored{rank}.json").read_text()) for rank in range(2)]
    assert shared[0] == shared[1] > 0  # two of the four images each


RUNS = ("out", "whole")


def distance(first, second):
    """Mean absolute difference of all weights and statistics."""
    states = [run.learner.decoder.state_dict() for run in (first, second)]
    flat = [torch.cat([value.double().flatten() for value in state.values()]) for state in states]
    return float((flat[0] - flat[1]).abs().mean())


def run_twice(folder, driver=DRIVER, **options):
    script = folder / "driver.py"
    script.write_text(driver.format(tests=str(Path(__file__).parents[1]), folder=str(folder), **options))
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2", str(script)]
    done = subprocess.run(launch, capture_output=True, text=True, timeout=420, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
