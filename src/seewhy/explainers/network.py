"""`AHAExplainer`: a decoder that reads four depths of an encoder and gives a map for any class, and its files.

The encoder is the explained model itself (`encoder="target"`: one forward pass gives everything) or a frozen timm
backbone (`encoder="timm/NAME"`; the paper's is vit_large_patch16_dinov3.lvd1689m with taps 4, 11, 17, 23). Only the
decoder is trained and saved: safetensors for its tensors, JSON for the rest, among it the fingerprints of both.
"""

import json
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor, nn

from seewhy.errors import InputError, ModelError, UnknownName, UnsupportedModel, WeightsError
from seewhy.explainers.decoder import OFFICIAL, PAPER, SMALL, Decoder, Shape
from seewhy.explainers.features import DEPTHS, Features, TimmEncoder, class_vectors, target_features
from seewhy.explainers.loss import LossConfig, preset
from seewhy.models.classifier import Classifier
from seewhy.runtime.files import write_atomic
from seewhy.runtime.options import require
from seewhy.runtime.seeding import seeded
from seewhy.types import Images, Maps, Targets

TENSORS, FACTS = "explainer.safetensors", "explainer.json"
SHAPES = {"official": OFFICIAL, "paper": PAPER, "small": SMALL}
FORMAT = 1  # of explainer.json
NEEDED = {"target": dict, "sizes": dict, "config": dict, "learning_rate": float, "tau": float}  # in it


@dataclass(frozen=True)
class ExplainerConfig:
    """Everything that makes an explainer, apart from its weights and its target."""

    encoder: str = "target"  # what the decoder reads: the explained model itself, or timm/NAME
    encoder_weights: str | None = None  # a file for the timm backbone; none: the library's own, "random": untrained
    backbone_train_mode: bool = False  # as in the authors' code, where the frozen DINOv3 jitters while it is trained on
    taps: tuple[int, ...] | None = None  # up to four blocks, shallow to deep; none: spread over the depth
    shape: Shape = field(default_factory=lambda: SMALL)
    loss: LossConfig = field(default_factory=lambda: preset("ours"))

    def __post_init__(self) -> None:
        fits = self.taps is None or 1 <= len(self.taps) <= DEPTHS
        require({f"taps must be one to {DEPTHS} blocks, got {self.taps}": fits})

    @classmethod
    def preset(cls, name: str) -> "ExplainerConfig":
        """`small` (ours), `official` (the authors' code) or `paper` (as printed)."""
        if name == "small":
            return cls()
        if name not in SHAPES:
            raise UnknownName("preset", name, SHAPES)
        dinov3 = "timm/vit_large_patch16_dinov3.lvd1689m"
        jitter = name == "official"
        return cls(dinov3, backbone_train_mode=jitter, taps=(4, 11, 17, 23), shape=SHAPES[name], loss=preset(name))

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, facts: dict[str, Any]) -> "ExplainerConfig":
        try:
            shape, loss = Shape(**_tuples(facts["shape"])), LossConfig(**_tuples(facts["loss"]))
            return cls(**(_tuples(facts) | {"shape": shape, "loss": loss}))
        except (AttributeError, TypeError, KeyError) as error:
            raise InputError(
                f"the explainer was written by another version of seewhy ({error}): train it again"
            ) from error


def _halved(tensor: Tensor) -> Tensor:
    return tensor.half() if tensor.is_floating_point() else tensor


def _tuples(facts: dict[str, Any]) -> dict[str, Any]:
    """JSON knows lists only."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in facts.items()}


class Sizes(NamedTuple):
    """What a decoder has to fit: channels of the four feature maps, classes, and whether the maps shrink by stages."""

    widths: tuple[int, ...]
    classes: int
    pyramid: bool
    evidence: bool = False  # whether there is a last map, which the classes' weights belong to


INSIDE = {"target": ("name", "fingerprint"), "sizes": Sizes._fields, "config": ("shape", "loss")}  # NEEDED's parts


class AHAExplainer(nn.Module):
    """Maps for any class of one model. `model` is not a submodule: it is neither trained nor saved here."""

    learning_rate, tau = 3e-4, 0.3  # the largest of its training, and that at its end: AHA's until it is trained

    def __init__(
        self,
        model: Classifier,
        config: ExplainerConfig | None = None,
        *,
        seed: int = 0,
        sizes: Sizes | None = None,
    ) -> None:
        """`sizes` left out are those of the features of a blank image."""
        super().__init__()
        self.config = config or ExplainerConfig()
        self._model = [model]  # in a list, so that it is no submodule and copies are cheap
        library, _, name = self.config.encoder.partition("/")
        if self.config.encoder != "target" and (library != "timm" or not name):
            raise InputError(f"encoder must be 'target' or 'timm/NAME', got {self.config.encoder!r}")
        with seeded(0, model.device):  # untrained ones are the same again whenever they are built
            self._encoder = [self._timm_encoder(name).to(model.device) if name else None]
        self.sizes = sizes or self._measure()
        with seeded(seed, model.device):
            self.decoder = Decoder(
                self.sizes.widths,
                self.sizes.classes,
                shape=self.config.shape,
                pyramid=self.sizes.pyramid,
                vectors=class_vectors(model, self.sizes.classes) if self.sizes.evidence else None,
            )
        self.decoder.to(model.device)

    @property
    def model(self) -> Classifier:
        return self._model[0]

    @property
    def encoder_fingerprint(self) -> str | None:
        """Hash of the encoder's weights, unless it is the target."""
        encoder = self._encoder[0]
        return encoder.fingerprint if encoder else None

    def train(self, mode: bool = True) -> "AHAExplainer":
        if self.config.backbone_train_mode and self._encoder[0] is not None:
            self._encoder[0].backbone.train(mode)
        return super().train(mode)

    def _timm_encoder(self, name: str) -> TimmEncoder:
        config = self.config
        return TimmEncoder(name, taps=config.taps, weights=config.encoder_weights, jitter=config.backbone_train_mode)

    def _measure(self) -> Sizes:
        model = self.model
        blank = torch.zeros(1, 3, *model.image_size, device=model.device, dtype=model.dtype)
        with torch.no_grad(), model.frozen_eval(), model.unmetered():
            classes = model.logits(blank).shape[1]
            vectors = class_vectors(model, classes) if self.config.shape.evidence and not self._encoder[0] else None
            features = self._read(blank, last=vectors is not None)
        depths, last = features[:DEPTHS], features[DEPTHS:]
        return Sizes(
            tuple(each.shape[1] for each in depths),
            classes,
            pyramid=len({each.shape[-2:] for each in depths}) > 1,
            evidence=vectors is not None and vectors.shape[1] == last[0].shape[1],
        )

    def features(self, images: Images) -> Features:
        """What the encoder sees, in the decoder's precision; constant while the decoder is trained or refined.

        The model has to be `ready`.
        """
        return self._read(images, last=self.sizes.evidence)

    def _read(self, images: Images, *, last: bool) -> Features:
        encoder = self._encoder[0]
        found = encoder(images) if encoder else target_features(self.model, images, self.config.taps, last=last)
        return [each.float() for each in found]

    def forward(self, images: Images, targets: Targets, features: Features | None = None) -> Maps:
        """Unbounded scores per pixel, a map for each image and class."""
        if features is None:
            with self.model.frozen_eval():
                features = self.features(images)
        return self.decoder(features, images.float(), targets).to(images.dtype)

    def save(self, folder: str | Path, *, half: bool = False, **facts: Any) -> Path:
        """Write decoder and facts; each file appears whole or not at all."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        tensors = {key: value.detach().cpu().contiguous() for key, value in self.decoder.state_dict().items()}
        if half:
            tensors = {key: value if "running" in key else _halved(value) for key, value in tensors.items()}
        model = self.model
        target = {"name": model.name, "fingerprint": model.fingerprint, "image_size": list(model.image_size)}
        sizes = self.sizes._asdict()
        everything = {"format": FORMAT, "target": target, "sizes": sizes, "config": self.config.to_dict()}
        everything |= {"encoder_fingerprint": self.encoder_fingerprint}
        everything |= {"learning_rate": float(self.learning_rate), "tau": float(self.tau)}
        write_atomic(folder / TENSORS, save(tensors))
        write_atomic(folder / FACTS, json.dumps(everything | facts, indent=2).encode())
        return folder

    def take_weights(self, source: str | Path) -> None:
        """Those of a saved explainer of the same shape, whatever model it is for, and its learning rate if larger."""
        try:
            self.decoder.load_state_dict(load((find_folder(source) / TENSORS).read_bytes()))
        except (RuntimeError, SafetensorError) as error:
            raise WeightsError(f"{source}/{TENSORS} is damaged or does not fit {self.model.name}: {error}") from error
        self.learning_rate = max(self.learning_rate, read_facts(source)["learning_rate"])

    @classmethod
    def load(
        cls,
        source: str | Path,
        model: Classifier,
        *,
        allow_mismatch: bool = False,
        encoder_weights: str | None = None,
    ) -> "AHAExplainer":
        """From a folder, or a bundled one by name; refuses a model or an encoder that it was not trained with.

        `encoder_weights` says where those of a timm encoder lie now, if no longer where they were.
        """
        facts = read_facts(source)
        target = facts["target"]
        its_own = target["fingerprint"] == model.fingerprint
        if not its_own and not allow_mismatch:
            raise ModelError(
                f"the explainer {source} was trained for {target['name']} (fingerprint {target['fingerprint']}), but "
                f"{model.name} has fingerprint {model.fingerprint}. Give it the model it was trained for, train one "
                "for this model (seewhy train), or accept maps made for another one with allow_mismatch=True."
            )
        known = {key: facts["sizes"][key] for key in Sizes._fields}
        sizes = Sizes(**_tuples(known)) if its_own else None  # of another model they are not known
        config = ExplainerConfig.from_dict(facts["config"])
        config = replace(config, encoder_weights=encoder_weights) if encoder_weights else config
        explainer = cls(model, config, sizes=sizes)
        if facts.get("encoder_fingerprint") not in (None, explainer.encoder_fingerprint) and not allow_mismatch:
            raise ModelError(
                f"the explainer {source} was trained with other weights of its encoder {config.encoder} (fingerprint "
                f"{facts['encoder_fingerprint']}, these have {explainer.encoder_fingerprint}). Name the file of those "
                "with encoder_weights, or accept these with allow_mismatch=True."
            )
        explainer.take_weights(source)
        explainer.learning_rate, explainer.tau = facts["learning_rate"], facts["tau"]
        return explainer.eval()


def find_folder(source: str | Path) -> Any:
    """The folder of an explainer, or of a bundled one by name."""
    for folder in (Path(source).expanduser(), _bundled() / str(source)):
        if (folder / FACTS).is_file() and (folder / TENSORS).is_file():
            return folder
    raise InputError(
        f"there is no explainer {str(source)!r}: expected a folder with {TENSORS} and {FACTS} (seewhy train writes "
        f"one), or the name of a bundled one ({', '.join(bundled_explainers()) or 'none yet'})"
    )


def read_facts(source: str | Path) -> dict[str, Any]:
    """What is written beside the tensors of an explainer."""
    folder = find_folder(source)
    try:
        facts = json.loads((folder / FACTS).read_text())
    except ValueError as error:
        raise InputError(f"{source}/{FACTS} is damaged ({error}); restore it or train again") from error
    number = facts.get("format") if isinstance(facts, dict) else None
    if number != FORMAT:
        raise InputError(
            f"{source}/{FACTS} has format {number}, this seewhy reads {FORMAT}: train the explainer again, or "
            "use the version it was trained with"
        )
    missing = [key for key, kind in NEEDED.items() if not isinstance(facts.get(key), kind)]
    missing = missing or [key for part, keys in INSIDE.items() for key in keys if key not in facts[part]]
    if missing:
        raise InputError(f"{source}/{FACTS} is damaged (no {', '.join(missing)}); restore it or train again")
    return facts


@cache
def bundled_explainers() -> dict[str, str]:
    """Names of the explainers that come with seewhy, and the fingerprints of their models."""
    folder = _bundled()
    if not folder.is_dir():
        return {}
    found = (each for each in folder.iterdir() if (each / FACTS).is_file())
    return {each.name: json.loads((each / FACTS).read_text())["target"]["fingerprint"] for each in found}


def find_explainer(model: Classifier) -> Any:
    """The folder of a model's bundled explainer, whatever lies in the working directory."""
    names = {fingerprint: name for name, fingerprint in bundled_explainers().items()}
    if name := names.get(model.fingerprint):
        return _bundled() / name
    raise UnsupportedModel(
        f"no explainer for {model.name} comes with seewhy. Train one: seewhy train FOLDER --model {model.name} "
        "--out DIR (and --weights, if it has a file of its own), then use the option explainer=DIR. Without training, "
        "'refine:grad_cam' follows the same objective."
    )


def _bundled() -> Any:
    return files("seewhy") / "zoo" / "explainers"
