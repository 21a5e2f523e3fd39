"""Python that gives the same answers as the page: what "copy code" copies. `load` is the code that loads the model."""

from collections.abc import Sequence
from typing import Any

from seewhy.explorer.collect import image_code
from seewhy.ui.results import MethodChoice


def cover_code(load: str, image: str, question: dict[str, Any]) -> str:
    """A question with deleted or inserted patches."""
    inverse = ", inverse=True" if question["kind"] == "insert" else ""
    return (
        f"{load}{image_code(image)}answer = seewhy.cover(\n    model, image, patches={question['patches']!r}, "
        f"reference={question['reference']!r}{inverse}\n)\nprint(answer)\n"
    )


def patch_code(load: str, image: str, question: dict[str, Any]) -> str:
    """A question with patched activations."""
    options = "".join(f", {name}={value!r}" for name, value in question["options"].items())
    return (
        f"{load}{image_code(image)}answer = seewhy.patch_activations(\n    model, image, {question['patches']!r}, "
        f"reference={question['reference']!r}{options}\n)\nprint(answer)\n"
    )


def prefix_code(code: str, reference: str) -> str:
    """The flip of an explanation whose code is given."""
    return code.replace("explanation.view()", f"print(explanation.flip(references=({reference!r},)))")


def dataset_code(load: str, images: Sequence[str], method: MethodChoice) -> str:
    """Scores of a method on many images."""
    options = "".join(f", {name}={value!r}" for name, value in method.options.items())
    return (
        f"{load}images = {list(images)!r}  # their paths\nfor image in images:\n"
        f"    explanation = seewhy.explain(model, image, {method.name!r}{options})\n"
        f'    scores = seewhy.evaluate(model, explanation, metrics=["ins_del"])\n'
        f'    print(image, scores.mean({method.name!r}, "ins_del"))\n'
    )


def greedy_code(load: str, image: str, reference: str) -> str:
    """The smallest set of patches."""
    return f"{load}{image_code(image)}print(seewhy.smallest_flip(model, image, reference={reference!r}))\n"
