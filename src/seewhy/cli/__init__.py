"""The command line. A command is a function in a file of its own here that calls `seewhy.api`.

Nothing heavy is imported before a command runs: `seewhy --help` must not wait for torch.
"""

from seewhy.cli import explain, compare, evaluate, bench, train, demo, lists, doctor  # noqa: I001 - the order of `seewhy --help`
from seewhy.cli.shared import app, main

__all__ = ["app", "bench", "compare", "demo", "doctor", "evaluate", "explain", "lists", "main", "train"]
