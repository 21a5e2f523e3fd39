"""`AHAExplainer`: a map for any class of one model, from an encoder and a decoder that reads it at four depths.

The encoder is the explained model itself (`encoder="model"`: one forward pass for everything) or a frozen timm backbone
(`encoder="timm/NAME"`; the paper's is vit_large_patch16_dinov3.lvd1689m with taps 4, 11, 17, 23). Only the decoder is
trained and saved; the files hold the fingerprints of the model and of the encoder.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from seewhy.errors import ModelError, OptionError, WeightsError
from seewhy.explainers.config import DEPTHS, ExplainerConfig
from seewhy.explainers.decoder import Decoder, Sizes
from seewhy.explainers.features import Features, TimmEncoder, class_vectors, model_features
from seewhy.explainers.files import (
    TENSORS,
    config_from_dict,
    config_to_dict,
    read_metadata,
    read_tensors,
    tuples,
    write_explainer,
)
from seewhy.explainers.presets import OFFICIAL
from seewhy.explainers.prior import PriorMaps, head_maps, method_map, standardized
from seewhy.explainers.released import read_released
from seewhy.models.classifier import Classifier
from seewhy.ops.resize import in_unit_of, unit_range
from seewhy.runtime.seeding import seeded
from seewhy.types import Images, Maps, Targets, Tokens


class Reading(NamedTuple):
    """The decoder's inputs: feature maps of every image, prior maps of every image and class."""

    features: Features
    prior: PriorMaps | None
    last: Maps | None = None  # the last prior map of every image and class, in its own unit

    def of_classes(self, image: int, classes: int) -> "list[Reading]":
        """The reading of one image for each of its classes alone."""
        features = [each[image : image + 1] for each in self.features]
        if self.prior is None:
            return [Reading(features, None)] * classes
        return [Reading(features, each) for each in self.prior.unflatten(0, (-1, classes))[image].split(1)]

    def in_unit_of_prior(self, maps: Maps) -> Maps:
        """Maps with the mean and standard deviation of the last prior map; scaled to [0, 1] if there is none."""
        return unit_range(maps) if self.last is None else in_unit_of(self.last.to(maps), maps)


class AHAExplainer(nn.Module):
    """Maps for any class of one model. `model` is not a submodule: it is neither trained nor saved here."""

    learning_rate, tau = 3e-4, 0.3  # peak learning rate and final temperature of training; before training, AHA's

    def __init__(
        self,
        model: Classifier,
        config: ExplainerConfig | None = None,
        *,
        seed: int = 0,
        sizes: Sizes | None = None,
    ) -> None:
        """Build an untrained explainer; `sizes` are measured with a forward pass by default."""
        super().__init__()
        self.config = config or ExplainerConfig()
        self._model = [model]  # in a list, so that it is not registered as a submodule and copies are cheap
        self._encoder = [self._build_encoder()]
        self.sizes = sizes or self._measure()
        vectors = class_vectors(model, self.sizes.classes) if self.sizes.vectors else None
        with seeded(seed, model.device):
            self.decoder = Decoder(self.sizes, shape=self.config.shape, vectors=vectors)
        self.decoder.to(model.device)

    @property
    def model(self) -> Classifier:
        return self._model[0]

    @property
    def encoder_fingerprint(self) -> str | None:
        """Hash of the weights of a timm encoder; None if the encoder is the model."""
        encoder = self._encoder[0]
        return encoder.fingerprint if encoder else None

    def train(self, mode: bool = True) -> "AHAExplainer":
        if self.config.backbone_train_mode and self._encoder[0] is not None:
            self._encoder[0].backbone.train(mode)
        return super().train(mode)

    def _build_encoder(self) -> TimmEncoder | None:
        config, (_, _, name) = self.config, self.config.encoder.partition("/")
        if not name:
            return None
        with seeded(0, self.model.device):  # so that an untrained encoder is reproducible
            encoder = TimmEncoder(
                name, taps=config.taps, weights=config.encoder_weights, jitter=config.backbone_train_mode
            )
        return encoder.to(self.model.device)

    def _measure(self) -> Sizes:
        """The sizes of the decoder's inputs, measured with a black image."""
        model = self.model
        image = torch.zeros(1, model.channels, *model.image_size, device=model.device, dtype=model.dtype)
        shape, first = self.config.shape, torch.zeros(1, 1, dtype=torch.long, device=model.device)
        with torch.no_grad(), model.frozen_eval(), model.unmetered():
            classes = model.logits(image).shape[1]
            features = self._read(image, last=shape.prior is not None)
            heads = head_maps(model, features[DEPTHS:], first, classes=classes)
        vectors, depths = class_vectors(model, classes) if shape.vectors else None, features[:DEPTHS]
        pyramid = len({each.shape[-2:] for each in depths}) > 1
        if shape.patchwise and pyramid:
            raise OptionError(f"patchwise is for ViTs: {model.name} has features of several resolutions, not patches")
        return Sizes(
            tuple(each.shape[1] for each in depths),
            classes,
            pyramid=pyramid,
            prior=len(heads) + (self.method is not None),
            vectors=0 if vectors is None else vectors.shape[1],
        )

    @property
    def method(self) -> str | None:
        """The method whose map is a prior, if any."""
        return None if self.config.shape.prior == "head" else self.config.shape.prior

    def read(self, images: Images, targets: Targets, features: Features | None = None) -> Reading:
        """The inputs of the decoder, in its precision; they stay constant during training and refinement.

        `features` are those of `self.features`, if already computed. Must be called inside `model.frozen_eval()`.
        """
        maps, tokens = method_map(self.model, images, targets, self.method) if self.method else ([], None)
        features = self.features(images, tokens) if features is None else features
        heads = head_maps(self.model, features[DEPTHS:], targets, classes=self.sizes.classes)
        maps = [*heads, *maps]  # in the order of `decoder.gain`
        if not maps:
            return Reading(features[:DEPTHS], None)
        return Reading(features[:DEPTHS], standardized(maps, root=self.config.shape.patchwise), maps[-1])

    def features(self, images: Images, tokens: list[Tokens] | None = None) -> Features:
        """Feature maps of the encoder, followed by those for the model's head if its maps are a prior."""
        return self._read(images, last=self.sizes.prior > (self.method is not None), tokens=tokens)

    def _read(self, images: Images, *, last: bool, tokens: list[Tokens] | None = None) -> Features:
        encoder, taps = self._encoder[0], self.config.taps
        features = encoder(images) if encoder else model_features(self.model, images, taps, last=last, tokens=tokens)
        return [each.float() for each in features]

    def forward(self, images: Images, targets: Targets, reading: Reading | None = None) -> Maps:
        """Unbounded scores per pixel, a map for each image and class."""
        if reading is None:
            with self.model.frozen_eval():
                reading = self.read(images, targets)
        return self.decoder(reading.features, images.float(), targets, reading.prior).to(images.dtype)

    # files

    def save(self, folder: str | Path, *, half: bool = False, **metadata: Any) -> Path:
        """Write the explainer to a folder, with further metadata; `half` stores the weights in float16."""
        tensors = {key: value.detach().cpu().contiguous() for key, value in self.decoder.state_dict().items()}
        if half:
            tensors = {key: value if "running" in key else _halved(value) for key, value in tensors.items()}
        model = self.model
        own = {
            "model": {"name": model.name, "fingerprint": model.fingerprint, "image_size": list(model.image_size)},
            "sizes": self.sizes._asdict(),
            "config": config_to_dict(self.config),
            "encoder_fingerprint": self.encoder_fingerprint,
            "learning_rate": float(self.learning_rate),
            "tau": float(self.tau),
        }
        write_explainer(Path(folder), tensors, own | metadata)
        return Path(folder)

    def load_decoder(self, source: str | Path, *, adapt: bool = False) -> None:
        """Load the decoder of a saved explainer, of this model or another; keep the larger learning rate.

        Its shape must match; with `adapt`, only weights whose name and shape match are loaded.
        """
        tensors = read_tensors(source)
        if adapt:
            own = self.decoder.state_dict()
            fit = {key: each for key, each in tensors.items() if key in own and own[key].shape == each.shape}
            tensors = own | fit
        try:
            self.decoder.load_state_dict(tensors)
        except RuntimeError as error:
            raise WeightsError(f"{source}/{TENSORS} does not fit {self.model.name}: {error}") from error
        self.learning_rate = max(self.learning_rate, read_metadata(source)["learning_rate"])

    @classmethod
    def load(
        cls,
        source: str | Path,
        model: Classifier,
        *,
        allow_mismatch: bool = False,
        encoder_weights: str | None = None,
    ) -> "AHAExplainer":
        """Load an explainer from a folder, a bundled one by name, or the authors' from their released file.

        Raises if it was trained with another model or encoder, unless `allow_mismatch`. `encoder_weights` is the
        weights file of a timm encoder, if it has moved since training.
        """
        if Path(source).expanduser().is_file():
            return cls.load_released(source, model, encoder_weights=encoder_weights)
        metadata = read_metadata(source)
        matches = metadata["model"]["fingerprint"] == model.fingerprint
        if not matches and not allow_mismatch:
            raise _other_model(source, metadata["model"], model)
        config = config_from_dict(metadata["config"])
        config = replace(config, encoder_weights=encoder_weights) if encoder_weights else config
        known = Sizes(**tuples({key: metadata["sizes"][key] for key in Sizes._fields}))
        explainer = cls(model, config, sizes=known if matches else None)
        if not matches:  # an older explainer may use fewer inputs than the model offers
            sizes = explainer.sizes
            prior, vectors = min(sizes.prior, known.prior), min(sizes.vectors, known.vectors)
            explainer = cls(model, config, sizes=sizes._replace(prior=prior, vectors=vectors))
        expected = metadata.get("encoder_fingerprint")
        if expected not in (None, explainer.encoder_fingerprint) and not allow_mismatch:
            raise _other_encoder(source, expected, explainer)
        explainer.load_decoder(source)
        explainer.learning_rate, explainer.tau = metadata["learning_rate"], metadata["tau"]
        return explainer.eval()

    def push_to_hub(self, repository: str, **options: Any) -> str:
        """Upload to the Hugging Face Hub with a card; options are those of `seewhy.hub.push`."""
        import seewhy  # the Hub is built on top of explainers

        return seewhy.hub.push(self, repository, **options)

    @classmethod
    def from_pretrained(
        cls, repository: str, model: Classifier | None = None, *, revision: str | None = None, **options: Any
    ) -> "AHAExplainer":
        """Load an explainer from the Hub ("user/name") or a folder; default: for the model of the same name.

        Options are those of `load`, and `token`, `endpoint` and `cache_dir` of `seewhy.hub.pull`.
        """
        import seewhy  # the Hub is built on top of explainers

        where = {name: options.pop(name) for name in ("token", "endpoint", "cache_dir") if name in options}
        folder = seewhy.hub.pull(repository, revision=revision, **where)
        return cls.load(folder, model or seewhy.load_model(read_metadata(folder)["model"]["name"]), **options)

    @classmethod
    def load_released(
        cls, path: str | Path, model: Classifier, *, encoder_weights: str | None = None
    ) -> "AHAExplainer":
        """Load the file that AHA's authors released, which does not record the model it was trained for."""
        explainer = cls(model, replace(OFFICIAL.explainer, encoder_weights=encoder_weights))
        try:
            explainer.decoder.load_state_dict(read_released(path))
        except RuntimeError as error:
            raise WeightsError(f"{path} does not fit {model.name}: {error}") from error
        explainer.learning_rate = OFFICIAL.training["learning_rate"]
        return explainer.eval()


def _halved(tensor: Tensor) -> Tensor:
    return tensor.half() if tensor.is_floating_point() else tensor


def _other_model(source: str | Path, trained_for: dict[str, Any], model: Classifier) -> ModelError:
    return ModelError(
        f"the explainer {source} was trained for {trained_for['name']} (fingerprint {trained_for['fingerprint']}), but "
        f"{model.name} has fingerprint {model.fingerprint}. Use the model it was trained for, train an explainer for "
        "this one (seewhy train), or accept maps made for another model with allow_mismatch=True."
    )


def _other_encoder(source: str | Path, expected: str, explainer: AHAExplainer) -> ModelError:
    return ModelError(
        f"the explainer {source} was trained with other weights of its encoder {explainer.config.encoder} (fingerprint "
        f"{expected}; these have {explainer.encoder_fingerprint}). Pass the file of those weights as encoder_weights, "
        "or accept these with allow_mismatch=True."
    )
