"""The model card of an explainer: what it is, for which model, trained on what, how good, how to use it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from seewhy import __version__
from seewhy.explainers.network import AHAExplainer
from seewhy.runtime.files import write_atomic
from seewhy.train.checkpoint import Progress

CARD = """# AHA explainer for {name}

A network that gives a map of what matters to **{name}** (fingerprint `{fingerprint}`) in one forward pass, trained
by seewhy {version} on differentiable deletion and insertion (AHA, arXiv 2604.05819). It is valid for that model alone;
seewhy refuses to use it on another one unless told to (`allow_mismatch=True`).

```python
import seewhy
model = seewhy.load_model("{name}")  # with its weights, or wrap_model(...)
explanation = seewhy.explain(model, "photo.jpg", "aha", explainer="{folder}")
```

| | |
|---|---|
| trained on | {images} images, {steps} steps of {batch}{start} |
| encoder | {encoder} |
| trainable parameters | {parameters:,} |
| insertion - deletion on {held_out} held-out images (protocol `aha`) | {best:.4f} after {best_step} steps |
| target forwards per second | {speed:.1f} |
| seconds | {seconds:.0f} |

Maps are unbounded scores: only their order was trained. They show what this model reacts to, not what is true.
The settings are in `explainer.json`, the course of the training in `log.jsonl`.
{problems}"""


def write_card(
    folder: Path,
    explainer: AHAExplainer,
    progress: Progress,
    problems: Sequence[str],
    *,
    start: str | None,
    **facts: Any,
) -> None:
    note = (
        f"\n{len(problems)} files could not be read and were left out, the first: {problems[0]}\n" if problems else ""
    )
    text = CARD.format(
        version=__version__,
        name=explainer.model.name,
        fingerprint=explainer.model.fingerprint,
        encoder=explainer.config.encoder,
        parameters=sum(parameter.numel() for parameter in explainer.decoder.parameters()),
        folder=folder.as_posix(),
        start=f", beginning with the explainer {start}" if start else "",
        problems=note,
        steps=progress.step,
        best=progress.best,
        best_step=progress.best_step,
        speed=progress.forwards / max(progress.seconds, 1e-9),
        seconds=progress.seconds,
        **facts,
    )
    write_atomic(folder / "README.md", text.encode())
