"""Freed memory is reused: counted in page faults, in a subprocess because the setting cannot be undone."""

import subprocess
import sys

import pytest

CHURN = """
import resource, torch
from seewhy.runtime.malloc import keep_freed_memory
if {keep}:
    assert keep_freed_memory()
torch.ones(2**24)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(60):
    torch.ones(2**24)  # 64 MB
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a setting of glibc")
def test_large_tensors_are_seldom_fetched_anew():
    faults = [
        int(subprocess.run([sys.executable, "-c", CHURN.format(keep=keep)], check=True, capture_output=True).stdout)
        for keep in (False, True)
    ]
    assert faults[1] * 3 < faults[0]
