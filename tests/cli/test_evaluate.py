"""`seewhy evaluate`: maps from files, options, masks and labels."""

import json

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import save_file
from typer.testing import CliRunner

import seewhy
from seewhy.cli import app
from tiny_bench import write_images

MODEL = ("--model", "timm/test_vit", "--weights", "random", "--device", "cpu")


def run(*words: object):
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200", "NO_COLOR": "1"})


@pytest.mark.parametrize("kind", ["npy", "npz", "safetensors"])
def test_evaluate_maps_made_elsewhere(tmp_path, kind):
    images = sorted(write_images(tmp_path / "photos", 2).rglob("*.png"))
    maps = np.random.default_rng(0).random((2, 10, 10), dtype=np.float32)
    file = tmp_path / f"mine.{kind}"
    if kind == "npy":
        np.save(file, maps)
    elif kind == "npz":
        np.savez(file, maps=maps, targets=np.array([[3], [4]]))
    else:
        save_file({"maps": torch.from_numpy(maps)}, file)
    result = run(
        "evaluate", *images, "--maps", file, *MODEL, "--metrics", "deletion,insertion", "--out", tmp_path / "r.jsonl"
    )
    assert result.exit_code == 0, result.output
    assert "deletion ↓" in result.output
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert {row["method"] for row in rows} == {f"mine.{kind}"}
    assert len([row for row in rows if row["reference"] == "all"]) == 4
    if kind == "npz":
        assert {row["target"] for row in rows} == {3, 4}


def test_evaluate_takes_options_of_metrics_and_evidence(tmp_path):
    images = sorted(write_images(tmp_path / "photos", 1).rglob("*.png"))
    np.save(tmp_path / "mine.npy", np.random.default_rng(0).random((1, 10, 10), dtype=np.float32))
    common = ("evaluate", *images, "--maps", tmp_path / "mine.npy", *MODEL, "--metrics", "deletion,average_drop")

    def fingerprints(*words):
        result = run(*common, *words, "--out", tmp_path / "r.jsonl", "--overwrite")
        assert result.exit_code == 0, result.output
        rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
        return {(row["metric"], row["reference"]): row["metric_key"] for row in rows}

    plain, changed = fingerprints(), fingerprints("-o", "deletion.rule=mean", "-o", "curves.references=black,blur")
    assert set(plain) - set(changed) == {("deletion", "imagenet_mean")}
    assert plain["deletion", "black"] != changed["deletion", "black"]
    assert plain["average_drop", "all"] == changed["average_drop", "all"]
    for wrong in ("deletion.rul=mean", "rule=mean", "deletion.rule=median", "curves.references=blakc", "deletion.rule"):
        assert run(*common, "-o", wrong).exit_code == 2, wrong


@pytest.mark.filterwarnings("ignore:.*NaN or infinity:UserWarning")
def test_json_of_undefined_scores_is_json(tmp_path):
    """NaN is not JSON: jq, browsers and most languages refuse it."""
    (image,) = write_images(tmp_path / "photos", 1).rglob("*.png")
    np.save(tmp_path / "flat.npy", np.full((1, 4, 4), np.nan))
    words = ("--maps", tmp_path / "flat.npy", "--metrics", "deletion", "--out", tmp_path / "r.jsonl", "--json")
    result = run("evaluate", image, *MODEL, *words)
    assert result.exit_code == 0, result.output
    for text in (result.stdout, *(tmp_path / "r.jsonl").read_text().splitlines()):
        found = json.loads(text, parse_constant=lambda name: pytest.fail(name))
    assert found["score"] is None


def test_evaluate_says_what_does_not_fit(tmp_path):
    images = sorted(write_images(tmp_path / "photos", 2).rglob("*.png"))
    np.save(tmp_path / "mine.npy", np.zeros((3, 4, 4)))
    result = run("evaluate", *images, "--maps", tmp_path / "mine.npy", *MODEL)
    assert result.exit_code == 2
    assert run("evaluate", *images, "--maps", tmp_path / "mine.npy", *MODEL, "--metrics", "deltion").exit_code == 2


def test_evaluate_against_masks_and_labels(tmp_path):
    images = sorted(write_images(tmp_path / "photos", 2).rglob("*.png"))
    half = np.zeros((80, 96), dtype=np.uint8)
    half[:, :48] = 1
    (tmp_path / "masks").mkdir()
    for image in images:
        Image.fromarray(half).save(tmp_path / "masks" / image.name)
    np.save(tmp_path / "left.npy", np.repeat([[[1.0, 0.0]]], 2, axis=0))
    (tmp_path / "other").mkdir()
    np.save(tmp_path / "other" / "left.npy", np.repeat([[[0.0, 1.0]]], 2, axis=0))
    files = ("--maps", tmp_path / "left.npy", "--maps", tmp_path / "other" / "left.npy")
    out = ("--out", tmp_path / "r.jsonl")
    masks = ("--masks", tmp_path / "masks", "--metrics", "pointing_game,region_attribution")
    result = run("evaluate", *images, *files, *MODEL, *masks, *out)
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    found = {(row["method"], row["metric"]): row["score"] for row in rows}
    assert found[str(tmp_path / "left.npy"), "pointing_game"] == 1
    assert found[str(tmp_path / "other" / "left.npy"), "pointing_game"] == 0
    assert found[str(tmp_path / "left.npy"), "region_attribution"] > 0.8
    labels = ("--label", "0", "--label", "1", "--protocol", "chefer", "--metrics", "positive")
    assert run("evaluate", *images, *files[:2], *MODEL, *labels, *out).exit_code == 0
    assert run("evaluate", *images, *files[:2], *MODEL, *labels[2:], *out).exit_code == 2  # one label for two images


def test_a_target_that_the_maps_do_not_explain_is_refused(tmp_path):
    (image,) = write_images(tmp_path / "photos", 1).rglob("*.png")
    np.savez(tmp_path / "mine.npz", maps=np.random.default_rng(0).random((1, 4, 4)), targets=np.array([[3]]))
    words = ("evaluate", image, "--maps", tmp_path / "mine.npz", *MODEL, "--metrics", "sparseness", "-t")
    assert run(*words, 3).exit_code == 0
    result = run(*words, 4)
    assert (result.exit_code, "holds maps of the classes [[3]], not of 4" in result.output) == (2, True)


def test_evaluate_checks_targets_and_places_first(tmp_path):
    images = sorted(write_images(tmp_path / "photos", 1).rglob("*.png"))
    for wrong in (-1, 99_999, 0.5):
        np.savez(tmp_path / "mine.npz", maps=np.zeros((1, 4, 4)), targets=np.array([[wrong]]))
        assert run("evaluate", *images, "--maps", tmp_path / "mine.npz", *MODEL).exit_code == 2
    np.save(tmp_path / "mine.npy", np.zeros((1, 4, 4)))
    result = run(
        "evaluate", *images, "--maps", tmp_path / "mine.npy", *MODEL, "--out", tmp_path / "mine.npy" / "r.jsonl"
    )
    assert result.exit_code == 2


def test_evaluate_says_when_maps_are_of_another_model(tmp_path):
    (image,) = write_images(tmp_path / "photos", 1).rglob("*.png")
    save_file(seewhy.load_model("timm/test_vit", weights="random").module.state_dict(), tmp_path / "own.safetensors")
    own = ("--model", "timm/test_vit", "--weights", tmp_path / "own.safetensors", "--device", "cpu")
    done = run("explain", image, *own, "--method", "gradient", "--out", tmp_path / "maps")
    assert done.exit_code == 0, done.output
    (maps,) = (tmp_path / "maps").glob("*.safetensors")
    assert run("evaluate", image, "--maps", maps, *own, "--metrics", "deletion").exit_code == 0
    with pytest.warns(UserWarning, match=r"of another model or other weights \(timm/test_vit\)"):
        run("evaluate", image, "--maps", maps, *MODEL, "--metrics", "deletion")


def test_evaluate_refuses_maps_of_the_whole_photo(tmp_path):
    Image.new("RGB", (90, 60), "gray").save(tmp_path / "photo.png")
    np.save(tmp_path / "maps.npy", np.random.default_rng(0).random((1, 60, 90)))
    result = run("evaluate", tmp_path / "photo.png", "--maps", tmp_path / "maps.npy", *MODEL, "--metrics", "deletion")
    assert result.exit_code == 2
    assert "proportions of the photo" in " ".join(result.output.split())
