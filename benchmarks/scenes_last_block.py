"""Why methods that use only the last block (Grad-CAM on tokens, attention gradients) fail on seewhy/scenes-vit.

    python benchmarks/scenes_last_block.py --images 24

For each block: the class logit when the class token cannot attend to the object's patches in it, or to all others; and
the class probability that the head reads from a single patch token after it, on the object and outside.
"""

import argparse

import torch
from torch import Tensor
from torch.nn.functional import avg_pool2d

import seewhy
from seewhy.models.vit import ViT
from seewhy.types import Images, Targets
from seewhy.zoo.scenes import Scenes

COVERED = 0.25  # fraction of a patch that the object must cover


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--images", type=int, default=24)
    scenes = list(Scenes("test", parser.parse_args().images))
    model = seewhy.load_model("seewhy/scenes-vit")
    assert isinstance(model, ViT)
    images = torch.stack([scene.image for scene in scenes])
    targets = torch.tensor([[scene.label] for scene in scenes])
    masks = torch.stack([scene.object for scene in scenes]).unsqueeze(1).float()
    on_object = avg_pool2d(masks, masks.shape[-1] // model.grid[-1]).flatten(1) > COVERED  # images patches
    with torch.no_grad(), model.frozen_eval():
        print(f"class logit {model.scores(model.logits(images), targets).mean():.2f}")
        for number in range(len(model.blocks)):
            report_block(model, images, targets, on_object, number)


def report_block(model: ViT, images: Images, targets: Targets, on_object: Tensor, number: int) -> None:
    hidden = {
        name: model.scores(logits_without(model, images, patches, number), targets).mean()
        for name, patches in (("object", on_object), ("rest", ~on_object))
    }
    tokens = model.run(model.embed(images), stop=number + 1)[0][-1][:, model.prefix :]
    read = model.to_probabilities(model.token_logits(tokens).flatten(0, 1)).unflatten(0, tokens.shape[:2])
    alone = read.gather(2, targets.unsqueeze(1).expand(-1, tokens.shape[1], -1)).squeeze(2)
    print(
        f"block {number + 1}: logit without the object {hidden['object']:.2f}, without the rest {hidden['rest']:.2f}; "
        f"single token: on the object {alone[on_object].mean():.2f}, outside {alone[~on_object].mean():.2f}"
    )


def logits_without(model: ViT, images: Images, patches: Tensor, number: int) -> Tensor:
    """Logits when the class token cannot attend to some patches in one block."""
    tokens = model.embed(images)
    masked = torch.cat([patches.new_zeros(len(patches), model.prefix), patches], dim=1)
    for index, block in enumerate(model.blocks):
        normed = block.norm1(tokens)
        q, k, v = block.qkv(normed, None)
        logits = block.attention_logits(q, k)
        if index == number:
            logits[:, :, : model.prefix] = logits[:, :, : model.prefix].masked_fill(masked[:, None, None], -torch.inf)
        tokens = block.feed_forward(
            tokens + block.layer_scale1(block.attention_out(logits.softmax(dim=-1) @ v, normed))
        )
    return model.read_out(tokens)


if __name__ == "__main__":
    main()
