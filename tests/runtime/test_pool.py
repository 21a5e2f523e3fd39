"""Workers that die: every unit has one result, and a unit that kills its workers has an error."""

import os
import time

import pytest

from deadly_job import ProcessIds, Squares
from seewhy.runtime.pool import keep_workers, run_units


@pytest.fixture(params=["here", "processes", "ray"])
def options(request):
    if request.param == "here":
        return {}
    if request.param == "processes":
        return {"workers": 2}
    pytest.importorskip("ray", reason="the extra [ray] is not installed")
    return {"workers": 2, "ray": "local"}


def test_every_unit_has_its_result(tmp_path, options):
    found = {each.unit: each.result for each in run_units(Squares(tmp_path), range(20), **options)}
    assert found == {number: number**2 for number in range(20)}


def test_an_error_of_the_job_reaches_the_caller(tmp_path, options):
    with pytest.raises(ValueError, match="a negative number"):
        list(run_units(Squares(tmp_path), [1, -1, 2], **options))


def test_units_are_taken_as_workers_get_free(tmp_path, options):
    taken = []

    def units():
        for number in range(100):
            taken.append(number)
            yield number

    for done, _ in enumerate(run_units(Squares(tmp_path), units(), **options), start=1):
        assert len(taken) <= done + 4 + 1


@pytest.mark.parametrize("options", ["processes", "ray"], indirect=True)
def test_workers_serve_the_next_pool(tmp_path, options):
    """Other jobs, and another one after a worker has died; nothing is left running."""
    with keep_workers():
        first = {each.result for each in run_units(ProcessIds(), range(8), **options)}
        assert {each.result for each in run_units(ProcessIds(), range(8), **options)} <= first
        found = run_units(Squares(tmp_path, once=5), range(12), **options)
        assert {each.unit: each.result for each in found} == {number: number**2 for number in range(12)}
        with pytest.raises(ValueError, match="a negative number"):
            list(run_units(Squares(tmp_path), [1, -1, 2, 3, 4], **options))
        last = {each.result for each in run_units(ProcessIds(), range(8), **options)}
        assert all(_runs(each) for each in last)
    end = time.monotonic() + 20  # Ray kills a little later
    while any(_runs(each) for each in first | last):
        assert time.monotonic() < end
        time.sleep(0.05)


def _runs(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("ray", [None, "local"])
def test_a_worker_that_dies_costs_nothing(tmp_path, ray):
    if ray:
        pytest.importorskip("ray", reason="the extra [ray] is not installed")
    found = list(run_units(Squares(tmp_path, once=5), range(12), workers=2, ray=ray))
    assert sorted((each.unit, each.result) for each in found) == [(number, number**2) for number in range(12)]
    assert (tmp_path / "died").exists()


@pytest.mark.parametrize("ray", [None, "local"])
def test_a_unit_that_kills_its_workers_is_given_up(tmp_path, ray):
    if ray:
        pytest.importorskip("ray", reason="the extra [ray] is not installed")
    found = list(run_units(Squares(tmp_path, deadly=3), range(8), workers=2, ray=ray))
    assert sorted(each.unit for each in found) == list(range(8))
    (lost,) = [each for each in found if each.error]
    assert lost.unit == 3
    assert "died" in lost.error or "lost" in lost.error
