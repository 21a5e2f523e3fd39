import pickle

import pytest
import torch
from safetensors.torch import save_file

import seewhy
from conftest import TinyCNN
from seewhy.errors import WeightsError
from seewhy.models.weights import load_weights


def same(first, second):
    torch.testing.assert_close(first.state_dict(), second.state_dict(), rtol=0, atol=0)


@pytest.mark.parametrize(
    "nest", [lambda s: s, lambda s: {"state_dict": s}, lambda s: {"model": {"module." + k: v for k, v in s.items()}}]
)
def test_checkpoints(tmp_path, nest):
    source, path = TinyCNN(), tmp_path / "weights.pth"
    torch.save(nest(source.state_dict()), path)
    same(load_weights(TinyCNN(), path), source)


def test_safetensors_in_half_precision(tmp_path):
    source, path = TinyCNN(), tmp_path / "weights.safetensors"
    save_file({name: tensor.half() for name, tensor in source.state_dict().items()}, path)
    loaded = load_weights(TinyCNN(), path)
    assert loaded.head.weight.dtype == torch.float32
    torch.testing.assert_close(loaded.head.weight, source.head.weight, rtol=1e-3, atol=1e-3)


def test_differences_are_listed(tmp_path):
    state, path = TinyCNN().state_dict(), tmp_path / "weights.safetensors"
    state["extra.weight"] = torch.zeros(2)
    state["head.weight"] = torch.zeros(7, 12)
    del state["head.bias"]
    save_file(state, path)
    with pytest.raises(WeightsError) as caught:
        load_weights(TinyCNN(), path)
    message = str(caught.value)
    assert "missing: head.bias" in message
    assert "not expected: extra.weight" in message
    assert "head.weight (7, 12) instead of (5, 12)" in message


class Code:
    def __reduce__(self):
        return print, ("this ran",)


def test_nothing_that_can_run_code_is_loaded(tmp_path, capsys):
    path = tmp_path / "weights.pth"
    torch.save({"state_dict": Code()}, path)
    with pytest.raises(WeightsError, match="could execute code"):
        load_weights(TinyCNN(), path)
    path.write_bytes(pickle.dumps(Code(), protocol=2))
    with pytest.raises(WeightsError):
        load_weights(TinyCNN(), path)
    assert "this ran" not in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"", b"not weights", b"hello", b"\x08\x00\x00\x00\x00\x00\x00\x00{}"])
@pytest.mark.parametrize("suffix", ["pth", "safetensors"])
def test_broken_files(tmp_path, content, suffix):
    path = tmp_path / f"weights.{suffix}"
    path.write_bytes(content)
    with pytest.raises(WeightsError):
        load_weights(TinyCNN(), path)


def test_through_load_model(tmp_path):
    with pytest.raises(WeightsError, match="no weights file"):
        seewhy.load_model("timm/test_vit", weights=tmp_path / "none.pth")
    first = seewhy.load_model("timm/test_vit", weights="random")
    save_file(first.module.state_dict(), tmp_path / "vit.safetensors")
    assert seewhy.load_model("timm/test_vit", weights=tmp_path / "vit.safetensors").fingerprint == first.fingerprint


def test_pretrained_weights_that_cannot_be_downloaded(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(seewhy.errors.ModelError, match="could not be downloaded"):
        seewhy.load_model("timm/test_vit2.r160_in1k")
