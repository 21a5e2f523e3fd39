"""Memory of the CPU. An allocator that returns every large tensor to the system fetches it back page by page.

For batches of a convolutional network that costs more than the network (64 images of EfficientNet-Lite0: 117 ms each,
32 without). It is a setting of the whole process, so only programs of our own make it: the command line and workers.
"""

import ctypes
import sys

TRIM_THRESHOLD, TOP_PAD, MMAP_THRESHOLD = -1, -2, -3  # names of glibc's settings
KEPT = 2**30  # bytes: a single tensor above it is still returned


def keep_freed_memory() -> bool:
    """Let this process keep what it frees for what comes next; False where the C library has no such setting."""
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    settings = {MMAP_THRESHOLD: KEPT, TRIM_THRESHOLD: 2 * KEPT - 1, TOP_PAD: KEPT // 4}
    return all([mallopt(name, value) == 1 for name, value in settings.items()])
