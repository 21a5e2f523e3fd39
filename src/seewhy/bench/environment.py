"""The machine and the software of a benchmark."""

import os
import platform
import sys
from importlib import metadata

PACKAGES = ("seewhy", "torch", "timm", "numpy", "scipy", "pillow", "pyarrow")


def describe_environment() -> dict[str, str]:
    """Versions, processor, devices."""
    import torch

    found = {"python": platform.python_version(), "system": platform.platform(terse=True)}
    found |= {"processor": f"{platform.machine()}, {os.cpu_count()} cores, {torch.get_num_threads()} threads"}
    devices = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
    found |= {"devices": ", ".join(devices) or "cpu"}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def peak_memory() -> float:
    """Peak memory of this process in bytes; 0 where the system does not report it."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak if sys.platform == "darwin" else peak * 1024)
