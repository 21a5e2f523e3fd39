"""The images of each step: how they are divided, and who reads them."""

import os

import pytest
import torch
from torch.testing import assert_close
from torch.utils.data import DataLoader, Dataset

from seewhy.errors import OptionError
from seewhy.models.loading import device_for, pick_device
from seewhy.train.batches import Division, StepImages, read_ahead
from seewhy.train.config import make_config
from seewhy.train.images import open_images
from seewhy.train.loop import TrainingRun
from tiny_training import IMAGES, QUICK, do_steps, losses


class Signed(Dataset):
    """Images whose first pixel is the process that read them."""

    def __len__(self):
        return len(IMAGES)

    def __getitem__(self, index):
        image = IMAGES[index].clone()
        image[0, 0, 0] = os.getpid() / 2**32
        return image, index


@pytest.mark.parametrize("readers", [0, 2])
def test_several_processes_read_the_same_images_in_the_same_order(readers, tiny_cnn):
    images = open_images(Signed(), tiny_cnn.preprocess, held_out=2, seed=0, labels=True)
    steps = list(read_ahead(StepImages(images, Division(2, 2, 1, 0), 3, 7), readers))
    labels = [[share.labels.tolist() for share in shares] for shares in steps]
    expected = [images.at_step(step, 4) for step in range(3, 7)]
    assert labels == [[indices[0::2], indices[1::2]] for indices in expected]
    pixels = torch.stack([share.images[0, 0, 0, 0] for shares in steps for share in shares])
    assert len(pixels.unique()) == max(1, readers)
    assert (round(float(pixels[0]) * 2**32) == os.getpid()) == (readers == 0)


def test_processes_divide_a_step_without_overlap(tiny_cnn):
    images = open_images(IMAGES, tiny_cnn.preprocess, held_out=2, seed=0)
    whole = StepImages(images, Division(1, 4, 1, 0), 0, 2)[1]
    halves = [StepImages(images, Division(1, 2, 2, process), 0, 2)[1] for process in range(2)]
    assert_close([share.images for half in halves for share in half], [share.images for share in whole])


def test_readers_change_no_step(tiny_cnn, tmp_path):
    loader = DataLoader(IMAGES, num_workers=1)
    for name, source, readers in (("thread", IMAGES, 0), ("option", IMAGES, 2), ("loader", loader, 0)):
        run = TrainingRun(
            tiny_cnn, source, tmp_path / name, make_config(**(QUICK | {"iterations": 2, "readers": readers}))
        )
        assert run.readers == {"thread": 0, "option": 2, "loader": 1}[name]
        do_steps(run, 2)
    assert losses(tmp_path / "thread") == losses(tmp_path / "option") == losses(tmp_path / "loader")


def test_the_device_is_chosen_as_on_the_command_line(tiny_cnn, tmp_path, monkeypatch):
    with pytest.raises(OptionError, match="device cuda:7 cannot be used"):
        TrainingRun(tiny_cnn, IMAGES, tmp_path, make_config(**QUICK), device="cuda:7")
    assert device_for(tiny_cnn, None) == pick_device() == torch.device("cpu")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setenv("LOCAL_RANK", "1")
    assert device_for(tiny_cnn, None) == torch.device("cuda:1")
    assert device_for(tiny_cnn, "cpu") == torch.device("cpu")
