"""One Ray for all tests of a process: it takes seconds to start."""

import os

import pytest


@pytest.fixture(scope="session", autouse=True)
def shut_ray_down():
    os.environ.setdefault("RAY_AUTH_MODE", "disabled")  # a cluster of this machine alone
    os.environ.setdefault("RAY_worker_niceness", "0")  # else workers get no time on a busy machine
    yield
    import sys

    if "ray" in sys.modules:
        sys.modules["ray"].shutdown()
