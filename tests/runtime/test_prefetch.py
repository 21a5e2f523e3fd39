"""Prefetching: in order, at most `depth` ahead, and the thread ends with the consumer."""

import threading

import pytest

from seewhy.runtime.prefetch import prefetch


class Maker:
    """Squares numbers, and records which."""

    def __init__(self):
        self.made, self.done = [], {number: threading.Event() for number in range(10)}

    def __call__(self, number):
        self.made.append(number)
        self.done[number].set()
        return number * number


def test_the_next_one_is_made_while_the_first_is_in_use():
    maker = Maker()
    squares = prefetch(maker, range(10))
    assert maker.made == []  # nothing before it is asked for
    assert next(squares) == 0
    assert maker.done[1].wait(timeout=10)
    assert maker.made == [0, 1]  # and no more
    assert list(squares) == [number * number for number in range(1, 10)]
    assert maker.made == list(range(10))


def test_an_error_comes_up_where_its_result_would():
    squares = prefetch(lambda number: 1 // (2 - number), range(5))
    assert [next(squares), next(squares)] == [0, 1]
    with pytest.raises(ZeroDivisionError):
        next(squares)


def test_the_thread_ends_with_whoever_takes():
    before, hold = threading.active_count(), threading.Event()
    squares = prefetch(lambda number: number == 0 or hold.wait(10), range(10), depth=4)
    assert next(squares)
    assert threading.active_count() == before + 1
    hold.set()
    squares.close()
    assert threading.active_count() == before
