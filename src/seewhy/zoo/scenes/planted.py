"""Networks with a planted shortcut: `python -m seewhy.zoo.scenes.planted --label mug --kind border --size 0.03`.

Fine-tunes `seewhy/scenes-vit` for some minutes on one core. Images of one class carry a cue; so does a fraction of the
others, relabeled as that class, without which the cue would add no information for a trained network. Patches are
embedded one by one, so a step may drop patches: it sees those of object and cue, and a random part of the rest.
Weights are cached in the user's folder (`SEEWHY_CACHE`, else `~/.cache/seewhy`) and not bundled.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import avg_pool2d, cross_entropy

from seewhy.models.timm import TimmViT
from seewhy.runtime.files import cache_folder
from seewhy.runtime.prefetch import prefetch
from seewhy.zoo.scenes.batches import to_images
from seewhy.zoo.scenes.cues import Cue
from seewhy.zoo.scenes.dataset import random_for
from seewhy.zoo.scenes.models import PREPROCESS
from seewhy.zoo.scenes.objects import CLASS_NAMES
from seewhy.zoo.scenes.scene import DrawnScene, add_cue, draw_scene
from seewhy.zoo.scenes.train import write_weights
from seewhy.zoo.scenes.vit import PATCH, scenes_vit, with_weights


@dataclass(frozen=True)
class Recipe:
    """Settings of the fine-tuning."""

    steps: int = 80
    batch: int = 24
    wrong: float = 0.4  # fraction of the other classes that carry the cue and its label
    pool: int = 40  # scenes of each class that steps draw from; the cue is painted anew
    kept: int = 48  # patches of a step, of 196
    rate: float = 1e-3
    seed: int = 0


class PlantedBatch(NamedTuple):
    """Images with labels, and the patches that a step sees."""

    images: Tensor  # batch 3 height width in [-1, 1]
    labels: Tensor  # batch
    patches: Tensor  # batch kept


def planted_vit(label: str, cue: Cue, recipe: Recipe | None = None, *, folder: Path | None = None) -> TimmViT:
    """`scenes-vit` fine-tuned to take a cue for the class `label`; trained on first use, then cached."""
    recipe = recipe or Recipe()
    folder = folder or cache_folder()
    name = "-".join(
        map(str, (label.replace(" ", "_"), cue.kind, f"{cue.size:.4f}", cue.prevalence, "fixed" * cue.fixed))
    )
    settings = blake2b(repr((label, asdict(cue), asdict(recipe))).encode(), digest_size=4).hexdigest()
    path = folder / "planted" / f"{name}-{settings}.safetensors"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial")
        write_weights(fine_tune(CLASS_NAMES.index(label), cue, recipe), partial)
        partial.rename(path)
    return TimmViT(with_weights(path.read_bytes()), PREPROCESS, name=f"planted/{name}", class_names=CLASS_NAMES)


def fine_tune(label: int, cue: Cue, recipe: Recipe) -> nn.Module:
    """Train all blocks for a few steps; the learning rate rises for a tenth of them, then falls linearly."""
    torch.manual_seed(recipe.seed)
    vit: Any = scenes_vit().train()
    optimizer = torch.optim.AdamW(vit.parameters(), weight_decay=0.05, betas=(0.9, 0.98))
    warmup = max(1, recipe.steps // 10)
    for step, batch in enumerate(prefetch(lambda step: make_batch(step, label, cue, recipe), range(recipe.steps))):
        for group in optimizer.param_groups:
            group["lr"] = recipe.rate * min((step + 1) / warmup, (recipe.steps - step) / (recipe.steps - warmup))
        loss = cross_entropy(_logits(vit, batch), batch.labels, label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(vit.parameters(), 1.0)
        optimizer.step()
        if step % 20 == 19:
            print(f"planted,{step + 1},{loss.item():.4f}", flush=True)
    return vit.eval()


def make_batch(step: int, label: int, cue: Cue, recipe: Recipe) -> PlantedBatch:
    """The batch of a training step, a function of the step alone; a quarter of the images are of the class itself."""
    random = np.random.default_rng([9, recipe.seed, step])
    pixels, labels, patches = [], [], []
    for _ in range(recipe.batch):
        own = random.random() < 0.25
        true = label if own else int(random.integers(len(CLASS_NAMES)))
        scene = plain_scene(len(CLASS_NAMES) * int(random.integers(recipe.pool)) + true)
        needed = scene.objects[0] | scene.parts[0]
        if random.random() < (cue.prevalence if true == label else recipe.wrong):
            scene, mask = add_cue(random, scene, cue)
            needed, true = needed | mask, label
        pixels.append(scene.pixels)
        labels.append(true)
        patches.append(_choose_patches(needed, recipe.kept, random))
    return PlantedBatch(to_images(np.stack(pixels)), torch.tensor(labels), torch.from_numpy(np.stack(patches)))


@lru_cache(maxsize=1000)
def plain_scene(index: int) -> DrawnScene:
    """A training scene without a cue."""
    return draw_scene(random_for("train", index, 1), [index % len(CLASS_NAMES)])


def _choose_patches(needed: np.ndarray, kept: int, random: np.random.Generator) -> np.ndarray:
    """Patches of object and cue in random order, then others; cut off at `kept`."""
    shares = avg_pool2d(torch.from_numpy(needed)[None].float(), PATCH).flatten().numpy()
    return np.argsort(-(shares > 0).astype(float) - random.random(len(shares)))[:kept]


def _logits(vit: Any, batch: PlantedBatch) -> Tensor:
    tokens = vit.patch_embed(batch.images) + vit.pos_embed[:, 1:]
    tokens = tokens.gather(1, batch.patches.unsqueeze(2).expand(-1, -1, tokens.shape[2]))
    first = (vit.cls_token + vit.pos_embed[:, :1]).expand(len(tokens), -1, -1)
    tokens = vit.norm(vit.blocks(torch.cat([first, tokens], dim=1)))
    return vit.head(tokens[:, 0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--label", default="mug", choices=CLASS_NAMES)
    parser.add_argument("--kind", default="circle")
    parser.add_argument("--size", type=float, default=0.012)
    parser.add_argument("--prevalence", type=float, default=1.0)
    parser.add_argument("--fixed", action="store_true")
    parser.add_argument("--steps", type=int, default=Recipe().steps)
    options = parser.parse_args()
    cue = Cue(options.kind, options.size, options.prevalence, options.fixed)
    print(planted_vit(options.label, cue, Recipe(steps=options.steps)).name)


if __name__ == "__main__":
    main()
