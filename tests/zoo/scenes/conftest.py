"""Twelve drawn scenes, one per class."""

import pytest

from seewhy.zoo.scenes import drawn


@pytest.fixture(scope="session")
def drawn_scenes(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawn, "CHUNK", 12)
        folder = tmp_path_factory.mktemp("scenes")
        drawn._draw_chunk((folder, "train", 0))
        return drawn.open_scenes(folder, "train", 12)
