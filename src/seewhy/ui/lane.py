"""The models of one thread of the worker, and what it keeps about the images that they saw last."""

import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy import api
from seewhy.data.read import ImageBatch, read_images
from seewhy.defaults import default_method
from seewhy.errors import SeewhyError
from seewhy.explorer.collect import load_code
from seewhy.interventions.patch_sets import patch_grid, patch_set, patched_set_logits
from seewhy.interventions.spliced import network_blocks
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.questions.covering import reference_pixels
from seewhy.ui.settings import ModelSpec

Note = Callable[..., bool]  # reports an event; whether the job shall stop
KEPT = 16  # decoded images, and as many predictions and references

Value = TypeVar("Value")


@dataclass(frozen=True)
class Source:
    """An image that the server vouches for."""

    id: str
    name: str
    path: Path


class Lane:
    """The models of one thread, and the images they saw last."""

    def __init__(self, specs: Sequence[ModelSpec], share: "Lane | None" = None) -> None:
        self.specs = {model_id(spec.name): spec for spec in specs}
        self.models: dict[str, Classifier] = {}
        self.kept: dict[str, OrderedDict[Hashable, Any]] = {}
        for id in self.specs:
            self.reload(id, share=share)

    def reload(self, id: str | None, share: "Lane | None" = None) -> None:
        """Load a model again; its weights are those of the other lane, which are in memory once."""
        if id not in self.specs:
            return
        spec = self.specs[id]
        model = api.load_model(spec.name, **spec.options)
        if share is not None:
            model.module.load_state_dict(share.models[id].module.state_dict(), assign=True)
        model.module.eval().requires_grad_(False)
        model.name = spec.name  # what "copy code" loads
        self.models[id] = model

    def facts(self) -> list[dict[str, Any]]:
        return [self._facts(id, model) for id, model in self.models.items()]

    def _facts(self, id: str, model: Classifier) -> dict[str, Any]:
        probabilities = model.probabilities(torch.rand(1, model.channels, *model.image_size).to(model.device))
        blocks = patchable_blocks(model)
        return {
            "id": id,
            "name": model.name,
            "load": load_code(model),
            "fingerprint": model.fingerprint,
            "kind": "ViT" if isinstance(model, ViT) else "Classifier",
            "type": ViT if isinstance(model, ViT) else Classifier,
            "image_size": list(model.image_size),
            "grid": list(patch_grid(model)),
            "classes": probabilities.shape[1],
            "class_names": model.class_names,
            "default_method": default_method(model),
            "can_patch": blocks is not None,
            "blocks": blocks,
        }

    def keep(self, kind: str, key: Hashable, make: Callable[[], Value]) -> Value:
        """A value that is made once; the least recently used are dropped."""
        kept = self.kept.setdefault(kind, OrderedDict())
        if key not in kept:
            kept[key] = make()
            while len(kept) > KEPT:
                kept.popitem(last=False)
        kept.move_to_end(key)
        return kept[key]

    def grid(self, model: str) -> tuple[int, int]:
        return patch_grid(self.models[model])

    def read(self, model: str, image: Source) -> ImageBatch:
        """The image as the model sees it."""
        return replace(read_images(image.path, self.models[model].preprocess), names=(image.name,))

    def batch(self, model: str, image: Source) -> ImageBatch:
        """The same, kept."""
        return self.keep("batches", (model, image.id), lambda: self.read(model, image))

    def pixels(self, model: str, image: Source) -> Float[Tensor, "1 colors height width"]:
        return self.batch(model, image).images.to(self.models[model].device)

    def clean(self, model: str, image: Source) -> list[float]:
        """Probabilities of all classes for the image itself."""
        loaded = self.models[model]
        return self.keep(
            "clean", (model, image.id), lambda: loaded.probabilities(self.pixels(model, image))[0].tolist()
        )

    def reference(self, model: str, image: Source, name: str) -> Float[Tensor, "1 colors height width"]:
        loaded, pixels = self.models[model], self.pixels(model, image)
        return self.keep("references", (model, image.id, name), lambda: reference_pixels(name, loaded, pixels))


def patchable_blocks(model: Classifier) -> int | None:
    """The number of blocks if activations can be patched, else None."""
    image = torch.zeros(1, model.channels, *model.image_size).to(model.device)
    try:
        patched_set_logits(model, image, image, patch_set(model, [0]))
    except SeewhyError:
        return None
    return len(model.blocks) if isinstance(model, ViT) else len(network_blocks(model))


def model_id(name: str) -> str:
    """A name that fits into a path.

    >>> model_id("timm/deit_tiny_patch16_224")
    'timm-deit_tiny_patch16_224'
    """
    return re.sub(r"[^\w.\-]+", "-", name).strip("-.")
