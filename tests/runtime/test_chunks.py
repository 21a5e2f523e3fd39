"""Chunks: sizes are halved when memory runs out, and several tensors are sliced in parallel."""

import pytest
import torch

from seewhy.runtime.chunks import in_chunks


def test_the_size_is_halved_until_it_fits():
    sizes = []

    def function(batch):
        sizes.append(len(batch))
        if len(batch) > 2:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return batch

    parts, size = in_chunks(function, torch.arange(7), 6)
    assert torch.equal(torch.cat(parts), torch.arange(7))
    assert (sizes, size) == ([6, 3, 1, 1, 1, 1, 1, 1, 1], 1)


def test_other_errors_are_raised():
    with pytest.raises(RuntimeError, match="shape"):
        in_chunks(lambda _: torch.ones(2, 3) @ torch.ones(2, 3), torch.arange(4), 2)


def test_several_tensors_are_sliced_in_parallel():
    parts, _ = in_chunks(lambda a, b: a + b, (torch.arange(5), 10 * torch.arange(5)), 2)
    assert [part.tolist() for part in parts] == [[0, 11], [22, 33], [44]]
