"""How far a reader has to walk through the package to follow a call: `benchmarks/walks.py` holds the limits."""

import os
import subprocess
import sys
from pathlib import Path

import seewhy

ROOT = Path(__file__).parents[1]


def test_calls_stay_within_their_limits():
    source = str(Path(seewhy.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": source, "OMP_NUM_THREADS": "1"}
    found = subprocess.run(
        [sys.executable, "benchmarks/walks.py"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert found.returncode == 0, found.stdout + found.stderr
