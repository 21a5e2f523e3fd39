"""The model card of an explainer: its model, its training, its scores and how to use it."""

from collections.abc import Sequence
from pathlib import Path

from seewhy import __version__
from seewhy.explainers.network import AHAExplainer
from seewhy.runtime.files import write_atomic
from seewhy.train.checkpoint import Progress

CARD = """# AHA explainer for {name}

A network that maps the evidence of **{name}** (fingerprint `{fingerprint}`) for any class, trained
by seewhy {version} on differentiable deletion and insertion (AHA, arXiv 2604.05819). It is valid for that model only;
seewhy refuses other models unless `allow_mismatch=True`.

```python
import seewhy

model = seewhy.load_model("{name}")  # with its weights, or wrap_model(...)
explanation = seewhy.explain(model, "photo.jpg", "aha", explainer="{folder}")
```

| | |
|---|---|
| trained on | {images} images, {steps} steps of {batch}{start} |
| encoder | {encoder} |
| starts from (`prior`), whose passes come on top of one forward pass | {prior} |
| trainable parameters | {parameters:,} |
| insertion - deletion on held-out images that selected it (protocol `aha`) | {best:.4f} after {best_step} steps |
{report}| forward passes of the model per second | {speed:.1f} |
| seconds | {seconds:.0f} |

Only the order of pixels was trained; `aha` gives a map the mean and standard deviation of its prior.
Maps show what this model responds to, not what is true.
`explainer.json` has all settings, `log.jsonl` the training curve.
{problems}"""

REPORT = """| … on {images} other held-out images | {ins_del:.4f} ± {half:.4f} (95 %) |
"""


def write_card(
    folder: Path,
    explainer: AHAExplainer,
    progress: Progress,
    problems: Sequence[str],
    *,
    report: dict[str, float] | None,
    start: str | None,
    images: int,
    batch: int,
) -> None:
    """Write README.md. `images` were trained on, in batches of `batch`; `problems` are errors of unreadable files.

    `report` has the scores on images that did not select the explainer.
    """
    note = f"\n{len(problems)} files could not be read and were skipped, the first: {problems[0]}\n" if problems else ""
    text = CARD.format(
        version=__version__,
        name=explainer.model.name,
        fingerprint=explainer.model.fingerprint,
        encoder=explainer.config.encoder,
        prior=explainer.config.shape.prior or "none",
        parameters=sum(parameter.numel() for parameter in explainer.decoder.parameters()),
        folder=folder.as_posix(),
        start=f", starting from the explainer {start}" if start else "",
        problems=note,
        images=images,
        batch=batch,
        report=REPORT.format(half=1.96 * report["error"], **report) if report else "",
        steps=progress.step,
        best=progress.best,
        best_step=progress.best_step,
        speed=progress.forwards / max(progress.seconds, 1e-9),
        seconds=progress.seconds,
    )
    write_atomic(folder / "README.md", text.encode())
