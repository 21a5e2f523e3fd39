"""Small Vision Transformers of every kind that a method meets, and one of which everybody knows what it looks at."""

import torch
from torch import Tensor

from conftest import TINY, make_tiny_vit, shake
from seewhy.models.huggingface import HuggingFaceViT, import_transformers
from seewhy.models.timm import TimmViT, import_timm
from seewhy.models.torchvision import TorchvisionViT, import_torchvision
from seewhy.models.vit import ViT
from seewhy.models.zero_shot import PromptClassifier, ZeroShotViT


def make_eva(**options) -> TimmViT:
    """Rotary positions, gated MLP with a norm inside, LayerScale, mean pooling."""
    import_timm()
    from timm.models.eva import Eva

    settings = {"use_rot_pos_emb": True, "swiglu_mlp": True, "scale_mlp": True, "init_values": 0.5} | options
    with torch.random.fork_rng():
        torch.manual_seed(0)
        net = Eva(img_size=32, patch_size=8, embed_dim=16, depth=3, num_heads=2, num_classes=5, **settings)
    return TimmViT(shake(net), TINY, name="tiny-eva")


def make_distilled() -> TimmViT:
    import_timm()
    from timm.models.deit import VisionTransformerDistilled

    with torch.random.fork_rng():
        torch.manual_seed(0)
        net = VisionTransformerDistilled(
            img_size=32, patch_size=8, embed_dim=16, depth=3, num_heads=2, num_classes=5, global_pool="token"
        )
    return TimmViT(shake(net), TINY, name="tiny-distilled")


def make_dinov2() -> ViT:
    """Hugging Face: registers, gated MLP, LayerScale, a head that reads class token and mean."""
    transformers = import_transformers()
    sizes = {"image_size": 32, "patch_size": 8, "hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2}
    config = transformers.Dinov2WithRegistersConfig(
        **sizes, mlp_ratio=2, num_register_tokens=3, use_swiglu_ffn=True, num_labels=5
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        net = shake(transformers.Dinov2WithRegistersForImageClassification(config))
    return HuggingFaceViT(net, TINY, name="tiny-dinov2")


def make_zero_shot(family: str) -> ViT:
    """Two towers; five prompts whose embeddings are random."""
    transformers = import_transformers()
    sizes = {"hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2, "intermediate_size": 24}
    text = {"vocab_size": 9, "max_position_embeddings": 9, "bos_token_id": 1, "eos_token_id": 3, "pad_token_id": 0}
    config = getattr(transformers, f"{family}Config")(
        text_config=sizes | text | ({} if family == "CLIP" else {"projection_size": 16}),
        vision_config=sizes | {"image_size": 32, "patch_size": 8},
        **({"projection_dim": 16} if family == "CLIP" else {}),
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        net = shake(getattr(transformers, f"{family}Model")(config), scale=0.6)
        prompts = torch.nn.functional.normalize(torch.randn(5, 16), dim=-1)
    net.logit_scale.data.fill_(2.0)
    return ZeroShotViT(PromptClassifier(net, prompts), TINY, name=f"tiny-{family}", class_names=list("abcde"))


def make_beit(**options) -> TimmViT:
    """Relative positions as a bias of the attention logits, per block and shared, LayerScale."""
    import_timm()
    from timm.models.beit import Beit

    settings = {"use_rel_pos_bias": True, "use_abs_pos_emb": False, "init_values": 0.5} | options
    with torch.random.fork_rng():
        torch.manual_seed(0)
        net = Beit(img_size=32, patch_size=8, embed_dim=32, depth=3, num_heads=2, num_classes=5, **settings)
    return TimmViT(shake(net), TINY, name="tiny-beit")


def make_relpos(**options) -> TimmViT:
    """Relative positions by an MLP of log coordinates; no class token by default."""
    import_timm()
    from timm.models.vision_transformer_relpos import VisionTransformerRelPos

    settings = {"init_values": 0.5} | options
    with torch.random.fork_rng():
        torch.manual_seed(0)
        net = VisionTransformerRelPos(
            img_size=32, patch_size=8, embed_dim=32, depth=3, num_heads=2, num_classes=5, **settings
        )
    return TimmViT(shake(net), TINY, name="tiny-relpos")


def make_huggingface_beit(**options) -> ViT:
    transformers = import_transformers()
    sizes = {"image_size": 32, "patch_size": 8, "hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2}
    settings = {"use_relative_position_bias": True, "layer_scale_init_value": 0.5} | options
    config = transformers.BeitConfig(**sizes, intermediate_size=24, num_labels=5, **settings)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        net = shake(transformers.BeitForImageClassification(config))
    return HuggingFaceViT(net, TINY, name="tiny-hf-beit")


def make_torchvision() -> ViT:
    import_torchvision()
    from torchvision.models import VisionTransformer

    with torch.random.fork_rng():
        torch.manual_seed(0)
        net = VisionTransformer(32, 8, num_layers=3, num_heads=2, hidden_dim=16, mlp_dim=24, num_classes=5)
    return TorchvisionViT(shake(net), TINY, name="tiny-torchvision")


FAMILIES = {
    "plain": lambda: make_tiny_vit(embed_dim=32),
    "oblong": lambda: make_tiny_vit(img_size=(32, 24)),
    "layer-scale": lambda: make_tiny_vit(init_values=0.3),
    "qk-norm": lambda: make_tiny_vit(qk_norm=True),
    "mean-pooling": lambda: make_tiny_vit(global_pool="avg", class_token=False),
    "attention-pooling": lambda: make_tiny_vit(global_pool="map", class_token=False),
    "registers": lambda: make_tiny_vit(reg_tokens=2),
    "distilled": make_distilled,
    "eva": make_eva,
    "beit": make_beit,
    "beit-shared-bias": lambda: make_beit(use_shared_rel_pos_bias=True, global_pool="token"),
    "relative-positions": make_relpos,
    "relative-positions-class-token": lambda: make_relpos(
        rel_pos_type="bias", class_token=True, global_pool="token", shared_rel_pos=True
    ),
    "huggingface-beit": make_huggingface_beit,
    "huggingface-beit-class-token": lambda: make_huggingface_beit(
        use_shared_relative_position_bias=True, use_mean_pooling=False
    ),
    "torchvision": make_torchvision,
    "dinov2": make_dinov2,
    "clip": lambda: make_zero_shot("CLIP"),
    "siglip": lambda: make_zero_shot("Siglip"),
}

PLACE = (1, 2)  # row and column of the patch that `make_looking_vit` looks at


def make_looking_vit() -> TimmViT:
    """The class token attends to one patch and takes its brightness over; class 0 rises with it, class 1 falls.

    Channels come in pairs of opposite sign: 0, 1 mark the place, 2, 3 hold the brightness, 4, 5 mark the class token.
    The norms' epsilon is so large that they leave tokens as they are: behind a true layer norm, state times gradient
    of a token is 0 in all, whatever the token is worth. The MLPs add nothing.
    """
    vit = make_tiny_vit(embed_dim=8, num_heads=1, num_classes=2)
    net = vit.module
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.zero_()
        net.patch_embed.proj.weight[2], net.patch_embed.proj.weight[3] = 0.004, -0.004
        net.cls_token[0, 0, 4], net.cls_token[0, 0, 5] = 1.0, -1.0
        token = 1 + PLACE[0] * 4 + PLACE[1]
        net.pos_embed[0, token, 0], net.pos_embed[0, token, 1] = 1.0, -1.0
        for block in net.blocks:
            block.attn.qkv.weight[0, 4] = 4.0  # the query is the class token's mark
            block.attn.qkv.weight[8, 0] = 4.0  # the key is the place's mark
            block.attn.qkv.weight[16 + 2, 2] = block.attn.qkv.weight[16 + 3, 3] = 1.0  # the value is the brightness
            block.attn.proj.weight.copy_(0.2 * torch.eye(8))
        for norm in [net.norm, *(norm for block in net.blocks for norm in (block.norm1, block.norm2))]:
            norm.eps = 1e4
            norm.weight.fill_(1e2)
        net.head.weight[0, 2], net.head.weight[0, 3] = 0.5, -0.5
        net.head.weight[1] = -net.head.weight[0]
    return vit


def bright_patch() -> Tensor:
    """The mean color everywhere, and a bright patch at the place."""
    image = torch.tensor(TINY.mean).view(1, 3, 1, 1).repeat(1, 1, 32, 32)
    row, col = PLACE[0] * 8, PLACE[1] * 8
    image[..., row : row + 8, col : col + 8] = 0.95
    return image
