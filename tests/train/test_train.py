"""Training at tiny scale: it learns, it continues after a kill as if nothing had happened, it survives bad luck."""

import errno
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from PIL import Image
from safetensors.torch import save
from torch.testing import assert_close

import seewhy.runtime.files
from conftest import make_tiny_cnn, make_tiny_vit, save_encoder
from seewhy.errors import InputError, ModelError, OptionError, SeewhyError, UnsupportedModel, WeightsError
from seewhy.explainers.features import target_features
from seewhy.explainers.network import AHAExplainer
from seewhy.train import loop, train_explainer
from seewhy.train.checkpoint import NAME
from seewhy.train.config import make_config
from seewhy.train.log import Log
from seewhy.train.source import choose_targets, open_source

QUICK = {"batch": 4, "grids": (4,), "held_out": 2, "evaluate_every": 1000, "checkpoint_every": 2, "steps": 5}
PICTURES = list(torch.rand(10, 3, 32, 32, generator=torch.Generator().manual_seed(0)))


def logged(folder):
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def losses(folder):
    return [entry["loss"] for entry in logged(folder) if "loss" in entry]


def scored(value):
    """What an evaluation gives."""
    return {"deletion": 0.0, "insertion": value, "ins_del": value}


def save_pictures(folder, pictures=PICTURES):
    """As files 0.png, 1.png …"""
    folder.mkdir(parents=True)
    for number, picture in enumerate(pictures):
        Image.fromarray((picture.permute(1, 2, 0) * 255).byte().numpy()).save(folder / f"{number}.png")
    return folder


def do_steps(run, count):
    with run.model.frozen_eval(), torch.enable_grad():
        for _ in range(count):
            run.step()


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


class Noting(list):
    """Pictures that note which of them were asked for."""

    def __init__(self, pictures):
        super().__init__(pictures)
        self.asked = []

    def __getitem__(self, number):
        self.asked.append(number)
        return super().__getitem__(number)


def test_the_next_pictures_are_read_while_the_model_works(tiny_cnn, tmp_path, monkeypatch):
    """No later than a step begins, somebody is at its successor's; the last step has none."""
    pictures = Noting(PICTURES)
    run = loop.Run(tiny_cnn, pictures, tmp_path, make_config(**(QUICK | {"iterations": 2})))
    first, second = (run.source.at_step(step, 4) for step in range(2))
    pictures.asked.clear()
    learn = loop.Run._learn

    def learn_when_read(*args):
        for _ in range(500):
            if len(pictures.asked) == 8:
                return learn(*args)
            time.sleep(0.02)
        raise AssertionError(f"only {pictures.asked} were read")

    monkeypatch.setattr(loop.Run, "_learn", learn_when_read)
    do_steps(run, 2)
    assert pictures.asked == first + second


def test_at_most_33_forwards_per_image(tiny_vit, tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "evaluate_explainer", lambda *_, **__: scored(0.0))
    with tiny_vit.meter() as cost:
        train_explainer(tiny_vit, PICTURES, out=tmp_path, **(QUICK | {"iterations": 2, "steps": 16}))
    assert cost.forwards / (2 * 4) <= 33
    assert cost.backwards == 2 * 4 * 30


def start_process(folder, before=""):
    """Train in a process of its own; `before` is code that it runs first."""
    here = Path(__file__).parent
    code = (
        f"import sys; sys.path[:0] = [{str(here.parent)!r}, {str(here)!r}]\n"
        "from conftest import make_tiny_cnn\n"
        "from test_train import PICTURES, QUICK\n"
        "from seewhy.train import train_explainer\n"
        f"{before}\n"
        f"train_explainer(make_tiny_cnn(), PICTURES, out={str(folder)!r}, **(QUICK | {{'iterations': 400}}))\n"
    )
    return subprocess.Popen([sys.executable, "-c", code])


def run_in_a_process(folder, *, kill_after):
    """Train in a process of its own and kill it once it has done so many steps."""
    process = start_process(folder)
    limit = time.monotonic() + 300
    while time.monotonic() < limit and process.poll() is None:
        if (folder / "log.jsonl").is_file() and len((folder / "log.jsonl").read_text().splitlines()) >= kill_after:
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert process.returncode == -signal.SIGKILL


def test_killed_and_continued_equals_undisturbed(tmp_path, monkeypatch):
    """The process is killed somewhere, the run then goes on to where it is told to stop."""
    monkeypatch.setattr(loop, "evaluate_explainer", lambda *_, **__: scored(0.0))
    run_in_a_process(tmp_path / "killed", kill_after=3)
    runs = {}
    for name in ("killed", "whole"):
        run = loop.Run(make_tiny_cnn(), PICTURES, tmp_path / name, make_config(**(QUICK | {"iterations": 400})))
        assert (run.progress.step > 0) == (name == "killed")
        do_steps(run, 3 if name == "killed" else runs["killed"].progress.step)
        runs[name] = run
    killed, whole = (run.decoder.state_dict() for run in runs.values())
    assert_close(killed, whole)  # but for the rounding of sums in another process
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
    """Half a file lies there; the run goes on from the checkpoint before it."""
    assert start_process(tmp_path, DIE_IN_THE_THIRD_CHECKPOINT).wait(timeout=120) == 9
    assert (tmp_path / f"{NAME}.part").stat().st_size == 1000
    assert [entry["step"] for entry in logged(tmp_path)] == [1, 2, 3, 4]
    run = loop.Run(make_tiny_cnn(), PICTURES, tmp_path, make_config(**(QUICK | {"iterations": 400})))
    assert run.progress.step == 2
    do_steps(run, 2)
    run.after()
    assert [entry["step"] for entry in logged(tmp_path)] == [1, 2, 3, 4]
    assert not list(tmp_path.glob("*.part"))


def test_other_settings_do_not_continue_a_run(tiny_cnn, tmp_path):
    options = QUICK | {"iterations": 2}
    train_explainer(tiny_cnn, PICTURES, out=tmp_path, **options)
    with pytest.raises(InputError, match=r"other settings \(learning_rate, steps\)"):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path, **(options | {"learning_rate": 1.0, "steps": 6}))


def test_other_pictures_do_not_continue_a_run(tiny_cnn, tmp_path):
    """What was held out would be trained on."""
    photos, out = save_pictures(tmp_path / "photos"), tmp_path / "out"
    train_explainer(tiny_cnn, photos, out=out, **(QUICK | {"iterations": 2}))
    (photos / "3.png").rename(photos / "77.png")
    with pytest.raises(InputError, match=r"other settings \(names_of_images\)"):
        train_explainer(tiny_cnn, photos, out=out, **(QUICK | {"iterations": 2}))


def test_names_do_not_draw_the_pictures_of_a_data_set(tiny_cnn):
    """Thousands, before the first step. Another one is still told apart."""

    class Drawn:
        def __init__(self, split):
            self.split = split

        def __len__(self):
            return 12000

        def __getitem__(self, number):
            raise AssertionError(f"picture {number} was asked for")

    first, same, other = (
        open_source(Drawn(split), tiny_cnn.preprocess, held_out=2, seed=0) for split in ("train", "train", "test")
    )
    assert first.digest() == same.digest() != other.digest()
    assert first.names([3, 7]) == ["3", "7"]


def test_it_can_begin_with_a_trained_explainer(tiny_cnn, tiny_vit, tmp_path):
    """Of the same model or another one of its kind; one that does not fit is named."""
    first, out = tmp_path / "first", tmp_path / "out"
    begun = AHAExplainer(tiny_cnn, make_config(**QUICK).explainer, seed=5)
    begun.learning_rate = 0.5
    begun.save(first)
    run = loop.Run(tiny_cnn, PICTURES, out, make_config(start=str(first), iterations=1, **QUICK))
    assert_close(run.decoder.state_dict(), begun.decoder.state_dict())
    train_explainer(tiny_cnn, PICTURES, out=out, start=str(first), **(QUICK | {"iterations": 1}))
    assert str(first) in (out / "README.md").read_text()
    assert AHAExplainer.load(out, tiny_cnn).learning_rate == 0.5  # the largest: refinement goes by it
    with pytest.raises(WeightsError, match=r"first/explainer.safetensors .* does not fit"):
        loop.Run(tiny_vit, PICTURES, tmp_path / "other", make_config(start=str(first), **QUICK))
    first.rename(tmp_path / "moved")  # a run that goes on has all it needs
    run = loop.Run(tiny_cnn, PICTURES, out, make_config(start=str(first), **(QUICK | {"iterations": 1})))
    assert (run.progress.step, run.explainer.learning_rate) == (1, 0.5)


def test_a_finished_explainer_is_not_written_over(tiny_cnn, tmp_path):
    AHAExplainer(tiny_cnn).save(tmp_path)
    (tmp_path / "log.jsonl").write_text("its course")
    with pytest.raises(InputError, match="holds an explainer, but no checkpoint"):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path, **QUICK)
    assert (tmp_path / "log.jsonl").read_text() == "its course"


def test_a_checkpoint_of_something_else(tiny_cnn, tmp_path):
    (tmp_path / NAME).write_bytes(save({"weights": torch.zeros(1)}))
    with pytest.raises(InputError, match="no checkpoint of seewhy"):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path, **QUICK)


def test_what_cannot_be_trained_is_refused_at_once(tiny_cnn, tmp_path):
    for source in (None, (picture for picture in PICTURES)):
        with pytest.raises(InputError, match="a folder of images, a list"):
            train_explainer(tiny_cnn, source, out=tmp_path, **QUICK)
    with pytest.raises(OptionError, match="grids must be at most 32"):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path, **(QUICK | {"grids": (4, 33)}))
    with pytest.raises(OptionError, match="taps must be from 0 to 3"):
        train_explainer(make_tiny_vit(), PICTURES, out=tmp_path, **(QUICK | {"taps": (0, 1, 2, 99)}))
    with pytest.raises(UnsupportedModel, match="one class only"):
        train_explainer(make_tiny_vit(num_classes=1), PICTURES, out=tmp_path, **QUICK)


def test_labels_count_where_the_classes_are_the_models():
    class Labeled(list):
        class_names = ("ant", "bee")

    data = Labeled(SimpleNamespace(image=picture, label=1) for picture in PICTURES)
    for names, expected in ((("ant", "bee"), 1), (("ant", "cat"), -1), (None, -1)):
        source = open_source(data, make_tiny_cnn().preprocess, held_out=2, seed=0, class_names=names)
        assert source.read([0, 1]).labels.tolist() == [expected] * 2


def test_a_full_disk_leaves_the_last_good_checkpoint(tiny_cnn, tmp_path, monkeypatch):
    options = QUICK | {"iterations": 6, "held_out": 2}
    whole, calls = seewhy.runtime.files.os.fsync, []

    def full(descriptor):
        calls.append(descriptor)
        if len(calls) == 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        whole(descriptor)

    monkeypatch.setattr(seewhy.runtime.files.os, "fsync", full)
    with pytest.raises(SeewhyError, match=r"No space left.*is untouched"):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path, **options)
    assert not list(tmp_path.glob("*.part"))
    train_explainer(tiny_cnn, PICTURES, out=tmp_path, **options)
    assert len(losses(tmp_path)) == 6


def test_a_full_disk_at_the_log(tiny_cnn, tmp_path, monkeypatch):
    log, opened = Log(tmp_path / "log.jsonl"), Path.open
    for step in (1, 2, 3):
        log.add({"step": step})

    def full(path, mode="r", **options):
        if path.name.startswith("log.jsonl") and mode != "r":
            raise OSError(errno.ENOSPC, "No space left on device")
        return opened(path, mode, **options)

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(SeewhyError, match=r"cannot write .*log.jsonl: No space left"):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path / "out", **(QUICK | {"iterations": 1}))
    with pytest.raises(SeewhyError, match="is untouched"):
        log.cut(1)
    monkeypatch.undo()
    assert len(logged(tmp_path)) == 3
    log.cut(1)
    assert len(logged(tmp_path)) == 1


def broken_features(explainer, images):
    return [each * torch.nan for each in target_features(explainer.model, images, last=explainer.sizes.evidence)]


def test_a_loss_that_is_not_finite_stops_after_a_few_steps(tiny_cnn, tmp_path, monkeypatch):
    options = QUICK | {"iterations": 40}
    run = loop.Run(tiny_cnn, PICTURES, tmp_path, make_config(**options))
    do_steps(run, 2)
    run.after()
    good = (tmp_path / NAME).read_bytes()
    monkeypatch.setattr(AHAExplainer, "features", broken_features)
    with pytest.raises(ModelError, match=r"not finite in 5 steps.*\(the explainer's map is not finite"):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path, **options)
    assert (tmp_path / NAME).read_bytes() == good


def test_a_short_training_without_a_good_step_writes_nothing(tiny_cnn, tmp_path, monkeypatch):
    monkeypatch.setattr(AHAExplainer, "features", broken_features)
    with pytest.raises(ModelError, match="not finite in any of the 3 steps"):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path, **(QUICK | {"iterations": 3}))
    assert not (tmp_path / "explainer.json").exists()


def test_a_model_that_answers_nan_is_refused_at_once(tmp_path):
    model = make_tiny_cnn()
    with torch.no_grad():
        next(model.module.parameters()).fill_(torch.nan)
    with pytest.raises(ModelError, match="gives no finite probability"):
        train_explainer(model, PICTURES, out=tmp_path / "out", **(QUICK | {"iterations": 3}))
    assert not (tmp_path / "out").exists()


def test_a_damaged_checkpoint_says_what_can_be_kept(tiny_cnn, tmp_path):
    options = QUICK | {"iterations": 1}
    train_explainer(tiny_cnn, PICTURES, out=tmp_path, **options)
    (tmp_path / NAME).write_bytes((tmp_path / NAME).read_bytes()[:-100])
    with pytest.raises(InputError, match=r"damaged.*name another folder, with start="):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path, **options)
    (tmp_path / "explainer.json").unlink()
    with pytest.raises(InputError, match=r"damaged.*remove it to start anew"):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path, **options)
    (tmp_path / NAME).unlink()
    train_explainer(tiny_cnn, PICTURES, out=tmp_path, **options)


def test_another_encoder_does_not_continue_a_run(tiny_cnn, tmp_path):
    options = QUICK | {"iterations": 1, "encoder": "timm/test_vit", "encoder_weights": str(tmp_path / "encoder.pt")}
    save_encoder(tmp_path / "encoder.pt", seed=0)
    train_explainer(tiny_cnn, PICTURES, out=tmp_path / "out", **options)
    save_encoder(tmp_path / "encoder.pt", seed=1)
    with pytest.raises(InputError, match=r"other settings \(encoder_fingerprint\)"):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path / "out", **options)


def test_a_bad_batch_leaves_weights_and_statistics_alone(tiny_cnn, tmp_path, monkeypatch):
    run = loop.Run(tiny_cnn, PICTURES, tmp_path, make_config(**(QUICK | {"iterations": 4})))
    do_steps(run, 1)
    before = {name: value.clone() for name, value in run.decoder.state_dict().items()}
    monkeypatch.setattr(AHAExplainer, "features", broken_features)
    do_steps(run, 1)
    assert_close(run.decoder.state_dict(), before, rtol=0, atol=0)
    assert losses(tmp_path)[1] is None
    monkeypatch.undo()
    do_steps(run, 1)
    assert losses(tmp_path)[2] is not None
    assert run.decoder.state_dict()["stages.0.to_stage.0.num_batches_tracked"] == 2


def test_a_score_that_is_no_number_is_never_the_best(tiny_cnn, tmp_path, monkeypatch):
    scores = iter([torch.nan, 0.1, torch.nan, torch.nan])
    monkeypatch.setattr(loop, "evaluate_explainer", lambda *_, **__: scored(next(scores)))
    options = QUICK | {"evaluate_every": 1}
    train_explainer(tiny_cnn, PICTURES, out=tmp_path / "one", **options, iterations=3)
    assert json.loads((tmp_path / "one" / "explainer.json").read_text())["training"]["step"] == 2
    with pytest.raises(ModelError, match="never finite"):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path / "none", **options, iterations=1)


@pytest.mark.parametrize("make", [make_tiny_vit, make_tiny_cnn])
def test_bf16_is_nearly_full_precision(make, tmp_path):
    """Both in one process; the references include the blur, which knows no half precision."""
    for precision in ("no", "bf16"):
        options = QUICK | {"iterations": 3, "precision": precision, "references": ("blur",)}
        run = loop.Run(make(), PICTURES, tmp_path / precision, make_config(**options))
        do_steps(run, 3)
        assert {value.dtype for value in run.decoder.parameters()} == {torch.float32}
    full, half = (torch.tensor(losses(tmp_path / precision)) for precision in ("no", "bf16"))
    assert_close(half, full, rtol=2e-2, atol=0)
    assert not torch.equal(half, full)


def test_fp16_is_refused_where_it_would_do_nothing(tiny_cnn, tmp_path):
    with pytest.raises(OptionError, match=r"needs a CUDA device.*'bf16'"):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path, precision="fp16")


@pytest.mark.parametrize("name", ["held_out", "evaluated"])
def test_nothing_to_evaluate_on_is_refused_at_once(name, tiny_cnn, tmp_path):
    with pytest.raises(OptionError, match=f"{name} must be at least 1, got 0"):
        train_explainer(tiny_cnn, PICTURES, out=tmp_path, **(QUICK | {name: 0}))


def test_held_out_files_that_cannot_be_read_are_found_at_once(tiny_cnn, tmp_path):
    photos = save_pictures(tmp_path / "photos")
    source = open_source(photos, tiny_cnn.preprocess, held_out=1, seed=42)
    (photos / source.names(source.held_out)[0]).write_bytes(b"not a picture")
    with pytest.raises(InputError, match="none of the 1 held-out images can be read"):
        train_explainer(tiny_cnn, photos, out=tmp_path / "out", **(QUICK | {"held_out": 1}))
    assert not (tmp_path / "out").exists()


def test_broken_files_are_skipped_with_a_note(tiny_cnn, tmp_path, caplog):
    folder = save_pictures(tmp_path / "photos" / "deeper")
    (folder / "broken.png").write_bytes(b"not a picture")
    (folder / "empty.jpg").write_bytes(b"")
    out = tmp_path / "out"
    options = QUICK | {"iterations": 11, "batch": 1, "held_out": 1, "seed": 1}
    caplog.set_level("INFO", logger="seewhy.train")
    with pytest.warns(UserWarning, match=r"2 files could not be read and were left out, the first: .*(broken|empty)"):
        train_explainer(tiny_cnn, tmp_path / "photos", out=out, **options)
    assert "; 2 files could not be read" in caplog.messages[-1]
    skipped = [entry for entry in logged(out) if "skipped" in entry]
    assert (len(skipped), len(losses(out))) == (2, 9)
    card = (out / "README.md").read_text()
    assert "2 files could not be read" in card
    assert "trained on | 9 images" in card
    with pytest.raises(InputError, match="holds no images"):
        train_explainer(tiny_cnn, out, out=out, iterations=1)


def test_only_broken_files_train_nothing(tiny_cnn, tmp_path):
    photos = save_pictures(tmp_path / "photos", PICTURES[:4])
    source = open_source(photos, tiny_cnn.preprocess, held_out=1, seed=42)
    for name in source.names(source.training):
        (photos / name).write_bytes(b"not a picture")
    with pytest.raises(InputError, match="none of the first 3 training images can be read"):
        train_explainer(tiny_cnn, photos, out=tmp_path / "out", **(QUICK | {"held_out": 1, "iterations": 2}))


def test_every_evaluation_is_told(tiny_cnn, tmp_path, monkeypatch, caplog):
    scores = iter([0.3, 0.2])
    monkeypatch.setattr(loop, "evaluate_explainer", lambda *_, **__: scored(next(scores)))
    caplog.set_level("INFO", logger="seewhy.train")
    train_explainer(tiny_cnn, PICTURES, out=tmp_path, **(QUICK | {"iterations": 2, "evaluate_every": 1}))
    assert caplog.messages == [
        "step 1 of 2: deletion 0.0000, insertion 0.3000, ins-del 0.3000, best 0.3000 (step 1)",
        "step 2 of 2: deletion 0.0000, insertion 0.2000, ins-del 0.2000, best 0.3000 (step 1)",
    ]


@pytest.mark.parametrize("targets", ["shared", "per_target"])
def test_the_card_counts_forwards_and_names_the_folder(targets, tiny_vit, tmp_path):
    config = make_config(**(QUICK | {"iterations": 1, "targets": targets}))
    run = loop.Run(tiny_vit, PICTURES, tmp_path / "a b", config)
    do_steps(run, 1)
    assert run.progress.forwards == 4 * (2 + 2 * 4 * (2 if targets == "per_target" else 1))
    run.after()
    run.finish()
    card = (tmp_path / "a b" / "README.md").read_text()
    assert f"second | {run.progress.forwards / run.progress.seconds:.1f} |" in card
    assert f'explainer="{(tmp_path / "a b").as_posix()}"' in card


def test_an_epochs_order_is_drawn_once(tiny_cnn, monkeypatch):
    source = open_source(PICTURES, tiny_cnn.preprocess, held_out=2, seed=0)
    expected = [source.at_step(step, 6) for step in range(4)]  # three epochs of eight
    assert sorted(number for numbers in expected for number in numbers) == sorted(source.training * 3)
    drawn, order = [], torch.randperm
    monkeypatch.setattr(torch, "randperm", lambda *given, **named: drawn.append(given) or order(*given, **named))
    fresh = open_source(PICTURES, tiny_cnn.preprocess, held_out=2, seed=0)
    assert [fresh.at_step(step, 6) for step in range(4)] == expected
    assert len(drawn) == 3


def test_a_growing_folder_holds_out_nothing_that_was_trained_on(tiny_cnn, tmp_path):
    photos = save_pictures(tmp_path / "photos")
    before = open_source(photos, tiny_cnn.preprocess, held_out=4, seed=0)
    trained, held_out = before.names(before.training), before.names(before.held_out)
    save_pictures(photos / "a", PICTURES)
    after = open_source(photos, tiny_cnn.preprocess, held_out=4, seed=0)
    assert not set(after.names(after.held_out)) & set(trained)
    assert len(after.held_out) == 4
    other = open_source(photos, tiny_cnn.preprocess, held_out=4, seed=1)
    assert after.names(after.held_out) != other.names(other.held_out) != held_out


def test_no_more_than_half_is_held_out_and_that_is_said(tiny_cnn, caplog):
    caplog.set_level("INFO", logger="seewhy.train")
    source = open_source(PICTURES, tiny_cnn.preprocess, held_out=9, seed=0)
    assert (len(source.held_out), len(source.training)) == (5, 5)
    assert caplog.messages == ["5 of the 10 pictures are held out, not 9: half of them at most"]


def test_hidden_files_are_no_pictures(tiny_cnn, tmp_path):
    photos = save_pictures(tmp_path / ".hidden itself" / "photos", PICTURES[:2])
    save_pictures(photos / ".thumbnails", PICTURES[:1])
    (photos / "._0.png").write_bytes(b"of a Mac")
    assert open_source(photos, tiny_cnn.preprocess, held_out=1, seed=0).names([0, 1]) == ["0.png", "1.png"]
    assert len(open_source(photos, tiny_cnn.preprocess, held_out=1, seed=0).items) == 2


def test_held_out_files_are_named_from_the_folder_on(tiny_cnn, tmp_path):
    for name in "ab":
        save_pictures(tmp_path / "photos" / name, PICTURES[:2])
    source = open_source(tmp_path / "photos", tiny_cnn.preprocess, held_out=2, seed=0)
    assert sorted(source.names([*source.held_out, *source.training])) == ["a/0.png", "a/1.png", "b/0.png", "b/1.png"]
    assert open_source(PICTURES, tiny_cnn.preprocess, held_out=2, seed=0).names([3]) == ["3"]


def test_early_stop_keeps_the_best(tiny_cnn, tmp_path, monkeypatch):
    scores = iter([0.1, 0.3, 0.2, 0.25, 0.5])
    monkeypatch.setattr(loop, "evaluate_explainer", lambda *_, **__: scored(next(scores)))
    options = QUICK | {"iterations": 9, "evaluate_every": 1, "patience": 2}
    train_explainer(tiny_cnn, PICTURES, out=tmp_path, **options)
    assert len(losses(tmp_path)) == 4
    assert json.loads((tmp_path / "explainer.json").read_text())["training"]["step"] == 2


def test_classes_that_are_trained_on():
    probabilities = torch.tensor([[0.1, 0.6, 0.3], [0.5, 0.4, 0.1], [0.2, 0.1, 0.7]])
    assert choose_targets(probabilities, torch.tensor([-1, 0, 1])).tolist() == [[1, 2], [0, 1], [2, 1]]
