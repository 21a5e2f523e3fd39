"""Explainers on the Hugging Face Hub: a folder of safetensors, JSON and a card with scores and images, never pickle.

`push` uploads an explainer with its card, `pull` downloads one. The Hub is only a place for the files of
`explainers/files.py`; an explainer still refuses a model that it was not trained for.
"""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seewhy.errors import InputError, MissingExtra
from seewhy.explainers.files import METADATA, TENSORS, read_metadata
from seewhy.explainers.network import AHAExplainer

FILES = [METADATA, TENSORS, "README.md", "*.jpg"]
HEADER = """---
library_name: seewhy
tags: [explainability, attribution, image-classification]
---
"""
CARD = """# AHA explainer for {name}

Maps the evidence of **{name}** (fingerprint `{fingerprint}`) for any class in one forward pass. It is valid for that
model only; seewhy refuses other models unless `allow_mismatch=True`.

```python
import seewhy

model = seewhy.load_model("{name}")  # with its weights, or wrap_model(...)
explainer = seewhy.AHAExplainer.from_pretrained("{repository}", model)
maps = explainer(images, targets)  # or, with overlays, scores and the explorer:
explanation = seewhy.explain(model, "photo.jpg", "aha", explainer=str(seewhy.hub.pull("{repository}")))
```
"""
WIDTH = 1200  # of the image on the card, in pixels


def push(
    explainer: AHAExplainer,
    repository: str,
    *,
    card: str | Path | None = None,
    scores: Mapping[str, float] | None = None,
    examples: Any = None,
    private: bool | None = None,
    revision: str | None = None,
    message: str = "Upload an explainer",
    token: str | bool | None = None,
    endpoint: str | None = None,
) -> str:
    """Upload an explainer to `repository` ("user/name"), or copy it to a folder; returns the address.

    `card` is the README that the training wrote, by default a short one. `scores` (such as those of
    `evaluate_explainer`) and the maps of `examples`, images for `explain`, are appended to it.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(repository) if is_folder(repository) else Path(temporary)
        explainer.save(folder, **_training(card))
        write_card(folder, explainer, repository, card=card, scores=scores, examples=examples)
        if is_folder(repository):
            return str(folder)
        api = _hub().HfApi(token=token, endpoint=endpoint)
        api.create_repo(repository, private=private, exist_ok=True)
        upload = {"repo_id": repository, "folder_path": folder, "allow_patterns": FILES}
        api.upload_folder(**upload, revision=revision, commit_message=message)
        return f"{api.endpoint}/{repository}"


def pull(
    repository: str,
    *,
    revision: str | None = None,
    token: str | bool | None = None,
    endpoint: str | None = None,
    cache_dir: str | Path | None = None,
) -> Path:
    """The folder of an explainer: a local one, or one that is downloaded and cached; only the files that are needed."""
    if Path(repository).expanduser().is_dir():
        return Path(repository).expanduser()
    where = {"token": token, "endpoint": endpoint, "cache_dir": cache_dir}
    try:
        found = _hub().snapshot_download(repository, revision=revision, allow_patterns=FILES, **where)
    except (OSError, ValueError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise InputError(
            f"there is no explainer {repository!r} on the Hub, or it cannot be reached: {reason}"
        ) from error
    return Path(found)


def is_folder(repository: str) -> bool:
    """Whether a repository is a path: everything but "user/name"."""
    parts = Path(repository).parts
    return len(parts) != 2 or repository.startswith((".", "/", "~")) or Path(repository).is_dir()


def write_card(
    folder: Path,
    explainer: AHAExplainer,
    repository: str,
    *,
    card: str | Path | None = None,
    scores: Mapping[str, float] | None = None,
    examples: Any = None,
) -> None:
    """The card: what was written at training, or a short one; scores and example maps."""
    model = explainer.model
    text = CARD.format(name=model.name, fingerprint=model.fingerprint, repository=repository)
    text = Path(card).read_text() if card is not None else text
    if scores:
        rows = "".join(f"| {name} | {value:.4f} |\n" for name, value in scores.items())
        text += f"\n## Scores\n\n| metric | mean |\n|---|---|\n{rows}"
    if examples is not None:
        _draw(folder, explainer, examples)
        text += "\n## Examples\n\n![Maps of the predicted class](examples.jpg)\n"
    (folder / "README.md").write_text(text if text.startswith("---") else HEADER + text)


def _draw(folder: Path, explainer: AHAExplainer, examples: Any) -> None:
    import seewhy

    figure = seewhy.explain(explainer.model, examples, "aha", explainer=str(folder), allow_mismatch=True).plot()
    figure.savefig(folder / "examples.jpg", dpi=WIDTH / figure.get_size_inches()[0])


def _training(card: str | Path | None) -> dict[str, Any]:
    """What the training knew, from the metadata beside its card."""
    folder = Path(card).parent if card is not None else None
    if folder is None or not (folder / METADATA).is_file():
        return {}
    metadata = read_metadata(folder)
    return {key: metadata[key] for key in ("training", "held_out_images") if key in metadata}


def _hub() -> Any:
    try:
        import huggingface_hub
    except ImportError as error:
        raise MissingExtra("the Hub", "hf") from error
    return huggingface_hub
