"""The smallest measured prefix of a map that changes the decision."""

from collections.abc import Sequence


def flip_count(
    counts: Sequence[int], top1: Sequence[int], prediction: int, *, direction: str = "deletion"
) -> int | None:
    """Smallest measured count at which deletion changes the top-1 class, or insertion restores it; None if none does.

    >>> flip_count([0, 10, 20, 30], [7, 7, 2, 2], prediction=7)
    20
    """
    wanted = direction == "insertion"
    return next((count for count, top in zip(counts, top1, strict=True) if (top == prediction) == wanted), None)
