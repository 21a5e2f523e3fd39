"""Python that gives the same answers as the page: what "copy code" copies. `load` is the code that loads the model."""

from typing import Any


def cover_code(load: str, image: str, question: dict[str, Any]) -> str:
    """A question with deleted or inserted patches."""
    inverse = ", inverse=True" if question["kind"] == "insert" else ""
    return (
        f"{load}answer = seewhy.cover(\n    model, {image!r}, patches={question['patches']!r}, "
        f"reference={question['reference']!r}{inverse}\n)\nprint(answer)\n"
    )


def patch_code(load: str, image: str, question: dict[str, Any]) -> str:
    """A question with patched activations."""
    options = "".join(f", {name}={value!r}" for name, value in question["options"].items())
    return (
        f"{load}answer = seewhy.patch_activations(\n    model, {image!r}, {question['patches']!r}, "
        f"reference={question['reference']!r}{options}\n)\nprint(answer)\n"
    )


def prefix_code(code: str, reference: str) -> str:
    """The flip of an explanation whose code is given."""
    return code.replace("explanation.view()", f"print(explanation.flip(references=({reference!r},)))")


def greedy_code(load: str, image: str, reference: str) -> str:
    """The smallest set of patches."""
    return f"{load}print(seewhy.smallest_flip(model, {image!r}, reference={reference!r}))\n"
