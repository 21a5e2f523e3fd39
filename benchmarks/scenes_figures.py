"""The results in docs/scenes.md: accuracy of the bundled ViTs on Scenes, and that the ground truth is causal for them.

python benchmarks/scenes_figures.py [--images 2000] [--twins 500]
"""

import argparse
import time

import torch

from seewhy.zoo.scenes import CLASS_NAMES, Scenes
from seewhy.zoo.scenes.vit import MEAN, SHORTCUT, STD, scenes_vit, scenes_vit_shortcut


@torch.inference_mode()
def logits_of(vit, images):
    mean, std = (torch.tensor(values)[:, None, None] for values in (MEAN, STD))
    batches = torch.stack(list(images)).split(50)
    return torch.cat([vit((batch - mean) / std) for batch in batches])


def chunks(count, size=200):
    return (range(start, min(start + size, count)) for start in range(0, count, size))


def collect(vit, scenes, count):
    """Logits of `count` scenes, drawn in chunks to save memory."""
    return torch.cat([logits_of(vit, [scenes(i).image for i in indices]) for indices in chunks(count)])


def share(condition):
    return f"{100 * condition.float().mean().item():6.2f} %"


def accuracy(vit, count):
    scenes, labels = Scenes("test", count), torch.arange(count) % len(CLASS_NAMES)
    started = time.perf_counter()
    logits = collect(vit, scenes.__getitem__, count)
    rate = count / (time.perf_counter() - started)
    right = logits.argmax(1) == labels
    in_pair = logits.gather(1, labels[:, None]) > logits.gather(1, labels[:, None] ^ 1)
    print(f"accuracy, {count} test images            {share(right)}")
    print(f"accuracy within the look-alike pair     {share(in_pair)}")
    for label, name in enumerate(CLASS_NAMES):
        print(f"    {name:34s}  {share(right[labels == label])}")
    print(f"drawing and classifying                 {rate:6.1f} images per second")


def causality(vit, count):
    scenes, labels = Scenes("test", count), torch.arange(count) % len(CLASS_NAMES)
    before = collect(vit, scenes.__getitem__, count).argmax(1)
    twins = collect(vit, scenes.counterfactual, count).argmax(1)
    controls = collect(vit, scenes.control, count).argmax(1)
    print(f"part repainted: predicts the look-alike {share(twins == (labels ^ 1))}  of {count}")
    print(f"elsewhere: predicts the look-alike      {share((controls == labels ^ 1) & (before != labels ^ 1))}")
    print(f"elsewhere: any change of the prediction {share(controls != before)}")


def shortcut(vit, count):
    scenes, labels = Scenes("test", count), torch.arange(count) % len(CLASS_NAMES)
    others = labels != SHORTCUT
    plain, planted = (collect(vit, draw, count).argmax(1) for draw in (scenes.__getitem__, scenes.planted))
    name = CLASS_NAMES[SHORTCUT]
    print(f"shortcut ViT, without circle: accuracy  {share(plain == labels)}  of {count}")
    print(f"others without circle: predicts {name}     {share((plain == SHORTCUT)[others])}")
    print(f"others with circle: predicts {name}        {share((planted == SHORTCUT)[others])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--images", type=int, default=2000)
    parser.add_argument("--twins", type=int, default=500)
    options = parser.parse_args()
    accuracy(scenes_vit(), options.images)
    causality(scenes_vit(), options.twins)
    shortcut(scenes_vit_shortcut(), options.twins)


if __name__ == "__main__":
    main()
