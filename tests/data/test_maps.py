"""Maps made elsewhere: files that hold none, or not what was expected."""

import numpy as np
import pytest
import torch
from PIL import Image

import seewhy
from seewhy.data.maps import read_maps
from seewhy.errors import InputError, ShapeError
from tiny_bench import write_images


def test_files_that_hold_no_maps(tmp_path):
    np.savez(tmp_path / "a.npz", first=np.zeros(2), second=np.zeros(2))
    with pytest.raises(InputError, match="called 'maps', found first, second"):
        read_maps(tmp_path / "a.npz")
    (tmp_path / "b.npy").write_bytes(b"nonsense")
    with pytest.raises(InputError, match="cannot be read"):
        read_maps(tmp_path / "b.npy")
    for wrong, message in ((np.array([["a"]]), "cannot be read"), (np.zeros((2, 2), dtype=complex), "complex")):
        np.save(tmp_path / "c.npy", wrong)
        with pytest.raises(InputError, match=message):
            read_maps(tmp_path / "c.npy")
    np.save(tmp_path / "c.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match="cannot be read"):
        read_maps(tmp_path / "c.npy")
    np.save(tmp_path / "d.npy", np.zeros((2, 3, 4, 4)))
    with pytest.raises(ShapeError, match="batch, classes"):
        read_maps(tmp_path / "d.npy", torch.zeros(2, 1, dtype=torch.int64))
    with pytest.raises(InputError, match="holds no targets"):
        read_maps(tmp_path / "d.npy")
    with pytest.raises(InputError, match=r"must be a file of type \.npy"):
        read_maps(write_images(tmp_path, 1) / "class0" / "000.png")


def test_maps_of_a_photo_whose_crop_the_model_sees_are_refused(tiny_cnn):
    photo = Image.new("RGB", (90, 60), "gray")
    with pytest.raises(ShapeError, match="proportions of the photo, but the model sees a crop of 32x32"):
        seewhy.Explanation.from_maps(torch.rand(60, 90), images=photo, model=tiny_cnn)
    assert len(seewhy.Explanation.from_maps(torch.rand(8, 8), images=photo, model=tiny_cnn)) == 1
