"""References of one's own: colors, files, PIL images and tensors give the same maps."""

import pytest
import torch
from PIL import Image

import seewhy
from seewhy.errors import ImageError, OptionError


def test_colors_files_and_images_as_references(tiny_cnn, images, tmp_path):
    Image.new("RGB", (32, 32), (255, 0, 255)).save(tmp_path / "pink.png")
    pink = torch.tensor([1.0, 0.0, 1.0]).view(3, 1, 1).expand(3, 32, 32)
    file = tmp_path / "pink.png"
    given = [pink, (1.0, 0.0, 1.0), "magenta", "#ff00ff", str(file), file, Image.open(file)]
    maps = [seewhy.explain(tiny_cnn, images, "integrated_gradients", reference=each, steps=3).maps for each in given]
    for other in maps[1:]:
        torch.testing.assert_close(other, maps[0])
    black = seewhy.explain(tiny_cnn, images, "integrated_gradients", reference="black", steps=3).maps
    assert not torch.allclose(black, maps[0])


def test_wrong_references_are_refused(tiny_cnn, images):
    with pytest.raises(OptionError, match="reference must be"):
        seewhy.explain(tiny_cnn, images, "occlusion", reference="no color")
    for color in ((255, 0, 0), torch.full((3, 32, 32), 255.0)):
        with pytest.raises(OptionError, match=r"reference must be in \[0, 1\], as images are, got .* to 255"):
            seewhy.explain(tiny_cnn, images, "occlusion", reference=color)
    with pytest.raises(OptionError, match=r"a value for each of the 3 channels, got \(0.5, 0.5\)"):
        seewhy.explain(tiny_cnn, images, "occlusion", reference=(0.5, 0.5))
    with pytest.raises(OptionError, match=r"in \[0, 1\]"):
        seewhy.cover(tiny_cnn, images[:1], (0, 0, 9, 9), reference=(255, 0, 0))
    with pytest.raises(ImageError):
        seewhy.explain(tiny_cnn, images, "occlusion", reference="no-such-file.png")
