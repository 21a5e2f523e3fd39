"""glibc malloc tuning: keep freed memory in the process.

By default glibc returns every large tensor to the operating system and pays page faults for the next one. For batches
of a convolutional network that costs more than the network (64 images of EfficientNet-Lite0: 117 ms each, 32 ms
tuned). The setting is process-wide, so only the command line and benchmark workers make it, never the library.
"""

import ctypes
import sys

TRIM_THRESHOLD, TOP_PAD, MMAP_THRESHOLD = -1, -2, -3  # M_TRIM_THRESHOLD and so on in malloc.h
KEPT = 2**30  # bytes; larger single tensors are still returned


def keep_freed_memory() -> bool:
    """Tell malloc to reuse freed memory instead of returning it; False where the C library cannot."""
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    settings = {MMAP_THRESHOLD: KEPT, TRIM_THRESHOLD: 2 * KEPT - 1, TOP_PAD: KEPT // 4}
    return all([mallopt(name, value) == 1 for name, value in settings.items()])
