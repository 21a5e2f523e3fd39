"""The prediction from the hidden states of some patches alone: CAAP's patching of a chosen set of patches."""

from collections.abc import Sequence
from typing import Any

import torch

from seewhy.data.references import read_references
from seewhy.interventions.patch_sets import Context, patch_pixels, patch_set, patched_set_logits
from seewhy.interventions.patched import After
from seewhy.models.classifier import Classifier
from seewhy.ops.references import AnyReference, reference_image
from seewhy.questions.covering import PredictionChange, kind_of_change, read_one


class Patched(PredictionChange):
    """The prediction from some patches alone; `images` holds the image and the reference."""

    def __repr__(self) -> str:
        return self.describe("patched into the reference")


def patch_activations(
    model: Classifier,
    image: Any,
    patches: Sequence[int],
    *,
    reference: AnyReference = "white",
    blocks: Sequence[int] | str | None = None,
    after: After = "propagate",
    context: Context = "frozen",
) -> Patched:
    """Predict from the reference with the image's hidden states of some patches patched in, all at once.

    `patches` are numbers, row by row, of a ViT's grid or of about 16 pixels each. CAAP does this for each window in
    turn; the options are those of the method `caap`.

    >>> import seewhy, torch
    >>> model = seewhy.load_model("timm/test_vit", weights="random")
    >>> answer = seewhy.patch_activations(model, torch.rand(1, 3, 160, 160), [44, 45, 54, 55])
    >>> round(answer.share, 3)
    0.04
    """
    images = read_one(model, image, "patch_activations").images.to(model.device)
    chosen = read_references({"reference": reference}, model)["reference"]
    x_0 = reference_image(chosen, images, mean=model.mean, std=model.std)
    logits = patched_set_logits(
        model, images, x_0, patch_set(model, patches), blocks=blocks, after=after, context=context
    )
    both = torch.cat([model.probabilities(images), model.to_probabilities(logits)]).cpu()
    share = float(patch_pixels(model, patches).float().mean())
    kind = kind_of_change(model, both)
    return Patched(both[0], both[1], share, torch.cat([images, x_0]).cpu(), model.class_names, *kind)
