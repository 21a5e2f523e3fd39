"""The command line: one module per command.

Heavy modules are imported inside the commands, so that `seewhy --help` does not wait for torch.
"""

from seewhy.cli import explain, compare, view, ui, cover, evaluate, store, audit  # noqa: I001 - the order of `seewhy --help`
from seewhy.cli import bench, card, train, demo, lists, doctor
from seewhy.cli.shared import app, main

__all__ = [
    "app",
    "audit",
    "bench",
    "card",
    "compare",
    "cover",
    "demo",
    "doctor",
    "evaluate",
    "explain",
    "lists",
    "main",
    "store",
    "train",
    "ui",
    "view",
]
