import numpy as np
import pytest
import torch

from seewhy.errors import TargetError
from seewhy.runtime.targets import find_class, resolve_targets

NAMES = ["tabby, tabby cat", "tiger cat", "lynx, catamount", "Egyptian cat", "cougar, puma"]
PROBABILITIES = torch.tensor([[0.1, 0.2, 0.5, 0.1, 0.1], [0.6, 0.1, 0.1, 0.1, 0.1]])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, [[2], [0]]),
        (3, [[3], [3]]),
        ("lynx", [[2], [2]]),
        ("TABBY CAT", [[0], [0]]),
        ("Egyptian_cat", [[3], [3]]),
        ("egyptian", [[3], [3]]),
        (["lynx", "cougar"], [[2, 4], [2, 4]]),
        ([["lynx"], ["puma"]], [[2], [4]]),
        (torch.tensor([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (torch.tensor(1), [[1], [1]]),
        ("4", [[4], [4]]),
    ],
)
def test_resolves(given, expected):
    assert resolve_targets(given, PROBABILITIES, NAMES).tolist() == expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("cat", "ambiguous: '0: tabby, tabby cat'"),
        ("linx", "Did you mean '2: lynx, catamount'"),
        ("zebra", "Give an index, or one of tabby, tiger cat, lynx, Egyptian cat, cougar"),
        (5, "between 0 and 4"),
        (-1, "between 0 and 4"),
        (torch.tensor([1, 2]), r"labels\[:, None\]"),
        (torch.tensor([[1.0], [2.0]]), "integers"),
        (torch.tensor([[True], [False]]), r"integers .* got \(2, 1\) torch.bool"),
        ([], "targets is empty"),
        (1.7, "class index or name, got 1.7"),
        (True, "class index or name, got True"),
        ([[2, 2], [1, 2]], r"nest it, as in \[\[0\], \[0\]\]"),
        ([[1], [1, 2]], "same number of targets"),
        ({"a": 1}, "class index or name"),
        (["lynx", "catamount"], r"must differ, got \[2, 2\]: name each once"),
        (torch.tensor([[1, 2], [3, 3]]), r"must differ, got \[3, 3\]"),
    ],
)
def test_says_what_is_wrong(given, message):
    with pytest.raises(TargetError, match=message):
        resolve_targets(given, PROBABILITIES, NAMES)


def test_names_without_names():
    with pytest.raises(TargetError, match="give an index"):
        find_class("lynx", None)


@pytest.mark.parametrize("given", [np.array([1, 2]), range(1, 3), np.array([[1, 2], [1, 2]]), [np.int64(1), 2]])
def test_arrays_and_ranges_are_targets(given):
    probabilities = torch.rand(2, 5)
    assert resolve_targets(given, probabilities, None).tolist() == [[1, 2], [1, 2]]


def test_digits_that_are_names_are_names():
    assert find_class("7", ["9", "7", "zero"]) == 1
    assert find_class("2", ["9", "7", "zero"]) == 2
