"""What the worker can be asked: each public method of `Lane` is one function of the protocol."""

import io
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from PIL import Image
from torch import Tensor

from seewhy import api
from seewhy.data.read import ImageBatch, read_images
from seewhy.defaults import default_method
from seewhy.models.classifier import Classifier
from seewhy.ui.settings import ModelSpec

Note = Callable[..., bool]  # reports an event; whether the job shall stop
KEPT = 64  # decoded images


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
        self.batches: OrderedDict[tuple[str, str], ImageBatch] = OrderedDict()
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
        self.models[id] = model

    def facts(self) -> list[dict[str, Any]]:
        return [self._facts(id, model) for id, model in self.models.items()]

    def _facts(self, id: str, model: Classifier) -> dict[str, Any]:
        probabilities = model.probabilities(torch.rand(1, model.channels, *model.image_size).to(model.device))
        return {
            "id": id,
            "name": model.name,
            "fingerprint": model.fingerprint,
            "kind": type(model).__name__,
            "type": type(model),
            "image_size": list(model.image_size),
            "classes": probabilities.shape[1],
            "class_names": model.class_names,
            "default_method": default_method(model),
        }

    def batch(self, model: str, image: Source) -> ImageBatch:
        """The image as the model sees it."""
        key = model, image.id
        if key not in self.batches:
            found = read_images(image.path, self.models[model].preprocess)
            self.batches[key] = replace(found, names=(image.name,))
            while len(self.batches) > KEPT:
                self.batches.popitem(last=False)
        self.batches.move_to_end(key)
        return self.batches[key]

    def pixels(self, model: str, image: Source) -> Float[Tensor, "1 colors height width"]:
        return self.batch(model, image).images.to(self.models[model].device)

    # the functions of the protocol

    def predict(self, model: str, image: Source, note: Note) -> list[float]:  # noqa: ARG002 - every function has it
        """Probabilities of all classes."""
        return self.models[model].probabilities(self.pixels(model, image))[0].tolist()

    def view(self, model: str, image: Source, note: Note) -> bytes:  # noqa: ARG002
        """A PNG of the image as the model sees it."""
        pixels = (self.batch(model, image).images[0, :3].clamp(0, 1) * 255).round().byte()
        out = io.BytesIO()
        Image.fromarray(pixels.permute(1, 2, 0).squeeze(2).numpy()).save(out, "PNG")
        return out.getvalue()


def model_id(name: str) -> str:
    """A name that fits into a path.

    >>> model_id("timm/deit_tiny_patch16_224")
    'timm-deit_tiny_patch16_224'
    """
    return re.sub(r"[^\w.\-]+", "-", name).strip("-.")
