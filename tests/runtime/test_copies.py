"""Files of another machine: copied when they are first read, with their time, and deleted when they take much room."""

from pathlib import Path

import pytest

from seewhy.data.items import ImageItem, file_stamp
from seewhy.models.preprocess import Preprocess
from seewhy.runtime import copies
from seewhy.runtime.copies import LocalFiles, copy_missing_files, local_path
from tiny_bench import write_images


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A folder whose files are found below it, but not from here: as on another machine."""
    monkeypatch.setattr(copies, "_copies", [])
    copy_missing_files(LocalFiles(str(tmp_path)))
    yield tmp_path
    copies._copies[0].close()


def test_an_image_is_copied_with_its_time(elsewhere):
    write_images(elsewhere / "photos", 1)
    name = "photos/class0/000.png"
    here, there = ImageItem(name, elsewhere / name), ImageItem(name, name)
    size = Preprocess(size=(32, 32))
    assert there.pixels(size).equal(here.pixels(size))
    assert there.image_key() == here.image_key()
    assert there.stamp() == here.stamp() != ""


def test_a_large_file_is_sent_in_pieces(elsewhere, monkeypatch):
    monkeypatch.setattr(copies, "CHUNK", 7)
    (elsewhere / "large").write_bytes(bytes(range(100)))
    assert local_path("large").read_bytes() == bytes(range(100))


def test_the_oldest_copies_are_deleted(elsewhere, monkeypatch):
    monkeypatch.setattr(copies, "LIMIT", 250)
    for name in "abc":
        (elsewhere / name).write_bytes(name.encode() * 100)
    first, second, third = (local_path(name) for name in "abc")
    assert [path.exists() for path in (first, second, third)] == [False, True, True]
    assert local_path("a").read_bytes() == b"a" * 100


def test_files_of_this_machine_are_not_copied(elsewhere):
    path = elsewhere / "here"
    path.write_bytes(b"here")
    assert local_path(path) == path


def test_a_file_that_no_machine_has_stays_missing(elsewhere):
    assert not (elsewhere / "nowhere.png").exists()
    assert local_path("nowhere.png") == Path("nowhere.png")
    assert file_stamp("nowhere.png") == ""
