"""Files of an explainer: the decoder's tensors (safetensors) and its metadata (JSON); and the bundled explainers.

`explainer.json`, format 4:

| key                                     | value                                                              |
|-----------------------------------------|--------------------------------------------------------------------|
| `model`                                 | name, fingerprint and image_size of the explained model            |
| `sizes`, `config`, `encoder_fingerprint`| the network: `Sizes`, `ExplainerConfig`, hash of a timm encoder     |
| `learning_rate`, `tau`                  | peak learning rate and final temperature (default of refinement)  |
| `training`                              | `config`, data and `step` of the training, held-out `scores`       |
| `held_out_images`                       | names of the images that were not trained on                       |

Formats 1 to 3 are still read. Format 3 had other names for some options. In formats 1 and 2 the class embedding was
always learned, and there was at most one prior map. Format 1 called the model `target`, and used `held_out` for names,
a number of images and scores alike; the `training` entry of an old file is not converted.
"""

import json
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from seewhy.errors import InputError, UnsupportedModel, WeightsError
from seewhy.explainers.config import DecoderShape, ExplainerConfig, LossConfig
from seewhy.explainers.decoder import Sizes
from seewhy.models.classifier import Classifier
from seewhy.runtime.files import write_atomic

TENSORS, METADATA = "explainer.safetensors", "explainer.json"
FORMAT = 4
REQUIRED = {"model": dict, "sizes": dict, "config": dict, "learning_rate": float, "tau": float}
REQUIRED_KEYS = {"model": ("name", "fingerprint"), "sizes": Sizes._fields, "config": ("shape", "loss")}
FORMAT_1_KEYS = {"target": "model", "held_out": "held_out_images"}
FORMAT_3_NAMES = {"steps": "points", "sample_steps": "sample_points", "spread": "score_std", "evidence": "prior"}
FORMAT_3_NAMES |= {"mean": "imagenet_mean"}


# writing and reading


def write_explainer(folder: Path, tensors: dict[str, Tensor], metadata: dict[str, Any]) -> None:
    """Write both files, each atomically."""
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(folder / TENSORS, save(tensors))
    write_atomic(folder / METADATA, json.dumps({"format": FORMAT, **metadata}, indent=2).encode())


def read_tensors(source: str | Path) -> dict[str, Tensor]:
    """The decoder's tensors of a saved explainer."""
    try:
        tensors = load((find_folder(source) / TENSORS).read_bytes())
    except SafetensorError as error:
        raise WeightsError(f"{source}/{TENSORS} is damaged ({error}); restore it or train again") from error
    renamed = {name.replace("by_evidence", "by_prior"): tensor for name, tensor in tensors.items()}  # format 3
    return {name: _with_maps(name, tensor) for name, tensor in renamed.items()}


def _with_maps(name: str, tensor: Tensor) -> Tensor:
    """The weights of the prior with a dimension for its maps, which formats 1 and 2 did not have."""
    dimensions = 1 if name == "gain" else 2 if name.endswith("by_prior") else tensor.ndim
    return tensor if tensor.ndim == dimensions else tensor.unsqueeze(-1)


def read_metadata(source: str | Path) -> dict[str, Any]:
    """The metadata of a saved explainer, in the current format."""
    metadata = _read_json(find_folder(source), source)
    missing = [key for key, kind in REQUIRED.items() if not isinstance(metadata.get(key), kind)]
    missing = missing or [key for part, keys in REQUIRED_KEYS.items() for key in keys if key not in metadata[part]]
    if missing:
        raise InputError(f"{source}/{METADATA} is damaged (no {', '.join(missing)}); restore it or train again")
    return metadata


def _read_json(folder: Any, source: str | Path) -> dict[str, Any]:
    try:
        metadata = json.loads((folder / METADATA).read_text())
    except ValueError as error:
        raise InputError(f"{source}/{METADATA} is damaged ({error}); restore it or train again") from error
    found = metadata.get("format") if isinstance(metadata, dict) else None
    if not isinstance(found, int) or not 1 <= found <= FORMAT:
        raise InputError(
            f"{source}/{METADATA} has format {found}, this version of seewhy reads 1 to {FORMAT}: train the explainer "
            "again, or use the version it was trained with"
        )
    for version, migrate in enumerate((_from_format_1, _from_format_2, _from_format_3), start=1):
        metadata = migrate(metadata) if found <= version else metadata
    return metadata


def _from_format_1(metadata: dict[str, Any]) -> dict[str, Any]:
    """Metadata of format 1 with the names of format 2."""
    metadata = {FORMAT_1_KEYS.get(key, key): value for key, value in metadata.items()}
    config = metadata.get("config")
    if isinstance(config, dict) and config.get("encoder") == "target":
        metadata["config"] = config | {"encoder": "model"}
    return metadata


def _from_format_2(metadata: dict[str, Any]) -> dict[str, Any]:
    """Metadata of format 2 as format 3, with a learned class embedding and at most one prior map."""
    config, sizes = metadata.get("config"), metadata.get("sizes")
    if isinstance(config, dict) and isinstance(config.get("shape"), dict):
        evidence = "head" if config["shape"].get("evidence") else None
        metadata = metadata | {"config": config | {"shape": config["shape"] | {"vectors": False, "evidence": evidence}}}
    if isinstance(sizes, dict):
        metadata = metadata | {"sizes": {**sizes, "vectors": 0}}
    return metadata


def _from_format_3(metadata: dict[str, Any]) -> dict[str, Any]:
    """Metadata of format 3 with the current names of options."""
    return metadata | {key: _renamed(metadata[key]) for key in ("config", "sizes") if key in metadata}


def _renamed(value: Any) -> Any:
    if isinstance(value, dict):
        return {FORMAT_3_NAMES.get(key, key): _renamed(part) for key, part in value.items()}
    return [FORMAT_3_NAMES.get(each, each) for each in value] if isinstance(value, list) else value


def config_to_dict(config: ExplainerConfig) -> dict[str, Any]:
    return asdict(config)


def config_from_dict(fields: dict[str, Any]) -> ExplainerConfig:
    """The config of a saved explainer."""
    try:
        shape, loss = DecoderShape(**tuples(fields["shape"])), LossConfig(**tuples(fields["loss"]))
        return ExplainerConfig(**(tuples(fields) | {"shape": shape, "loss": loss}))
    except (AttributeError, TypeError, KeyError) as error:
        raise InputError(f"the explainer was written by another version of seewhy ({error}): train it again") from error


def tuples(fields: dict[str, Any]) -> dict[str, Any]:
    """Lists, which JSON has in place of tuples, as tuples."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()}


# finding


def find_folder(source: str | Path) -> Any:
    """The folder of an explainer, given as a path or as the name of a bundled one."""
    for folder in (Path(source).expanduser(), _bundled() / str(source)):
        if (folder / METADATA).is_file() and (folder / TENSORS).is_file():
            return folder
    raise InputError(
        f"there is no explainer {str(source)!r}: expected a folder with {TENSORS} and {METADATA} (seewhy train writes "
        f"one), or the name of a bundled one ({', '.join(bundled_explainers()) or 'none'})"
    )


def find_explainer(model: Classifier) -> Any:
    """The folder of the explainer bundled for a model; not looked up in the working directory."""
    names = {fingerprint: name for name, fingerprint in bundled_explainers().items()}
    if name := names.get(model.fingerprint):
        return _bundled() / name
    raise UnsupportedModel(
        f"there is no bundled explainer for {model.name}. Train one: seewhy train FOLDER --model {model.name} --out "
        "DIR (and --weights FILE, if the model was loaded with one), then pass explainer=DIR. Without training, "
        "'refine:grad_cam' optimizes the same objective."
    )


@cache
def bundled_explainers() -> dict[str, str]:
    """Names of the bundled explainers, and the fingerprints of their models."""
    folder = _bundled()
    if not folder.is_dir():
        return {}
    found = (each for each in folder.iterdir() if (each / METADATA).is_file())
    return {each.name: _read_json(each, each.name)["model"]["fingerprint"] for each in found}


def _bundled() -> Any:
    return files("seewhy") / "zoo" / "explainers"
