"""The training log on a full disk."""

import errno
from pathlib import Path

import pytest

from seewhy.errors import SeewhyError
from seewhy.train import train_explainer
from seewhy.train.log import TrainingLog
from tiny_training import IMAGES, QUICK, logged


def test_a_full_disk(tiny_cnn, tmp_path, monkeypatch):
    log, opened = TrainingLog(tmp_path / "log.jsonl"), Path.open
    for step in (1, 2, 3):
        log.append({"step": step})

    def full(path, mode="r", **options):
        if path.name.startswith("log.jsonl") and mode != "r":
            raise OSError(errno.ENOSPC, "No space left on device")
        return opened(path, mode, **options)

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(SeewhyError, match=r"cannot write .*log.jsonl: No space left"):
        train_explainer(tiny_cnn, IMAGES, out=tmp_path / "out", **(QUICK | {"iterations": 1}))
    with pytest.raises(SeewhyError, match="cannot write"):
        log.truncate(1)
    monkeypatch.undo()
    assert len(logged(tmp_path)) == 3
    log.truncate(1)
    assert len(logged(tmp_path)) == 1
