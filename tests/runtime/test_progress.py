"""Progress of slow loops where there is no terminal: lines in a log, nothing if it is switched off."""

import pytest

from seewhy.runtime import progress


@pytest.fixture
def clock(monkeypatch):
    """A clock that a loop moves, so that no test waits."""
    time = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: time[0])
    return time


def run(clock, items, seconds):
    for _ in progress.track(items, "explaining"):
        clock[0] += seconds


@pytest.mark.parametrize(("items", "total"), [(range(5), 5), (iter(range(5)), None)])
def test_slow_loops_print_lines_when_piped(clock, monkeypatch, capsys, items, total):
    monkeypatch.setattr(progress, "MODE", "lines")
    run(clock, items, 20)
    of = f" of {total}" if total else ""
    lines = ["explaining: 2{} (40 s)", "explaining: 4{} (80 s)", "explaining: 5{} (100 s)"]
    assert capsys.readouterr().err.splitlines() == [line.format(of) for line in lines]


@pytest.mark.parametrize(("mode", "seconds"), [("lines", 1), ("off", 20), ("auto", 20)])
def test_nothing_is_printed_for_fast_loops_or_with_quiet(clock, monkeypatch, capsys, mode, seconds):
    monkeypatch.setattr(progress, "MODE", mode)
    run(clock, range(5), seconds)
    assert capsys.readouterr().err == ""
