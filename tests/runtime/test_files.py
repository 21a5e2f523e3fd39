"""Atomic writes: the old content or the new, never a part."""

import errno
import os

import pytest

from seewhy.errors import SeewhyError
from seewhy.runtime.files import write_atomic


def test_a_file_is_replaced_as_a_whole(tmp_path):
    for content in (b"old", b"new"):
        write_atomic(tmp_path / "file", content)
        assert [path.read_bytes() for path in tmp_path.iterdir()] == [content]


@pytest.mark.parametrize(("code", "remedy"), [(errno.ENOSPC, "Free disk space"), (errno.EIO, "Fix the cause")])
def test_a_failed_write_keeps_the_old_content(tmp_path, monkeypatch, code, remedy):
    def fail(_):
        raise OSError(code, os.strerror(code))

    write_atomic(tmp_path / "file", b"old")
    monkeypatch.setattr(os, "fsync", fail)
    message = f"cannot write .*file: {os.strerror(code)}. {remedy} and rerun"
    for resumes, end in ((False, r"\.$"), (True, r"; the run resumes\.$")):
        with pytest.raises(SeewhyError, match=message + end):
            write_atomic(tmp_path / "file", b"new", resumes=resumes)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]
