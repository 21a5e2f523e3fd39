"""Python that gives the same answers as the page: what "copy code" copies."""

from typing import Any


def _load(model: str) -> str:
    return f"import seewhy\n\nmodel = seewhy.load_model({model!r})\n"


def cover_code(model: str, image: str, question: dict[str, Any]) -> str:
    """A question with deleted or inserted patches."""
    inverse = ", inverse=True" if question["kind"] == "insert" else ""
    return (
        f"{_load(model)}answer = seewhy.cover(\n    model, {image!r}, patches={question['patches']!r}, "
        f"reference={question['reference']!r}{inverse}\n)\nprint(answer)\n"
    )


def patch_code(model: str, image: str, question: dict[str, Any]) -> str:
    """A question with patched activations."""
    options = "".join(f", {name}={value!r}" for name, value in question["options"].items())
    return (
        f"{_load(model)}answer = seewhy.patch_activations(\n    model, {image!r}, {question['patches']!r}, "
        f"reference={question['reference']!r}{options}\n)\nprint(answer)\n"
    )


def prefix_code(code: str, reference: str) -> str:
    """The flip of an explanation whose code is given."""
    return code.replace("explanation.view()", f"print(explanation.flip(references=({reference!r},)))")


def greedy_code(model: str, image: str, reference: str) -> str:
    """The smallest set of patches."""
    return f"{_load(model)}print(seewhy.smallest_flip(model, {image!r}, reference={reference!r}))\n"
