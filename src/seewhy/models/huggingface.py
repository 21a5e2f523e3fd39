"""Hugging Face models: ViT, DeiT, BEiT, DINOv2 (with registers), CLIP and SigLIP, and every CNN that outputs logits."""

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from seewhy.errors import InputError, MissingExtra, ModelError, OptionError, UnsupportedModel, WeightsError, or_list
from seewhy.models.adapters import adapt_module, register_adapter
from seewhy.models.classifier import Classifier
from seewhy.models.huggingface_preprocess import huggingface_preprocess
from seewhy.models.huggingface_tower import tower_blocks, tower_embed, tower_grid, tower_prefix
from seewhy.models.preprocess import Preprocess
from seewhy.models.torchvision_operators import declare_operators
from seewhy.models.vit import Pool, ViT, check_layout
from seewhy.models.zero_shot import PromptClassifier, embed_prompts, tokenize_prompts
from seewhy.types import Images, Logits, Tokens


class TowerLayout(NamedTuple):
    """Attribute names of a classifier's image tower and of its last norm, and the tokens that the head reads."""

    tower: str
    norm: str
    pool: Pool
    head_tokens: tuple[int, ...]


_LAYOUTS = {
    "ViTForImageClassification": TowerLayout("vit", "layernorm", "token", (0,)),
    "DeiTForImageClassification": TowerLayout("deit", "layernorm", "token", (0,)),
    "DeiTForImageClassificationWithTeacher": TowerLayout("deit", "layernorm", "token", (0, 1)),
    "Dinov2ForImageClassification": TowerLayout("dinov2", "layernorm", "token+avg", (0,)),
    "Dinov2WithRegistersForImageClassification": TowerLayout("dinov2_with_registers", "layernorm", "token+avg", (0,)),
    "BeitForImageClassification": TowerLayout("beit", "layernorm", "avg", ()),
    "CLIPForImageClassification": TowerLayout("vision_model", "", "avg", ()),
    "SiglipForImageClassification": TowerLayout("vision_model", "post_layernorm", "avg", ()),
}
_TWO_TOWERS = ("CLIPModel", "SiglipModel")
_HUB_OPTIONS = ("cache_dir", "local_files_only", "revision", "subfolder", "token")


@register_adapter("huggingface", library="transformers")
class HuggingFaceViT(ViT):
    """A transformers image classifier with pre-norm blocks."""

    def __init__(
        self,
        module: nn.Module,
        preprocess: Preprocess,
        *,
        name: str,
        class_names: Sequence[str] | None = None,
    ) -> None:
        layout = tower_layout(module)
        super().__init__(module, preprocess, name=name, class_names=class_names)
        self.tower: Any = getattr(module, layout.tower)
        self.norm: Any = getattr(self.tower, layout.norm) if layout.norm else nn.Identity()
        self.grid = tower_grid(self.tower, self.image_size)
        self.prefix = tower_prefix(self.tower)
        self.head_tokens = layout.head_tokens
        self.pool = layout.pool
        self.blocks = tower_blocks(self.tower, self.grid)
        self.pooled_norm: Any = getattr(getattr(self.tower, "pooler", None), "layernorm", None) or nn.Identity()  # BEiT
        self.averaged_from = self.prefix
        if self.pool == "token+avg" and check_layout(self):
            self.averaged_from = 1  # older versions of transformers also average the registers

    def forward(self, normalized: Tensor) -> Any:
        return self.module(normalized)

    def embed(self, images: Images) -> Tokens:
        return tower_embed(self.tower, self.normalize(images))

    def read_out(self, tokens: Tokens) -> Logits:
        net: Any = self.module
        normed = self.norm(tokens)
        if self.head_tokens == (0, 1):
            return self.as_logits((net.cls_classifier(normed[:, 0]) + net.distillation_classifier(normed[:, 1])) / 2)
        parts = [normed[:, token] for token in self.head_tokens]
        if self.pool != "token":
            parts.append(self.pooled_norm(normed[:, self.averaged_from :].mean(dim=1)))
        return self.as_logits(net.classifier(torch.cat(parts, dim=1)))


def tower_layout(module: nn.Module) -> TowerLayout:
    """The layout of a known class of transformers, or of one derived from it; raises `UnsupportedModel` for others."""
    name, bases = type(module).__name__, [base.__name__ for base in type(module).__mro__]
    if any(base in _TWO_TOWERS for base in bases):
        raise InputError(
            f"{name} compares images with texts and has no fixed classes: "
            "load_model('hf/…', classes=['a photo of a cat', …]), or wrap a PromptClassifier of it"
        )
    known = next((base for base in bases if base in _LAYOUTS), None)
    if known is None:
        raise UnsupportedModel(f"{name} is not one of the known Hugging Face transformers ({', '.join(_LAYOUTS)})")
    heads = [head for path, head in module.named_children() if path.endswith("classifier")]
    if any(isinstance(head, nn.Identity) for head in heads):
        raise UnsupportedModel(f"{name} has no classification head")
    if known == "BeitForImageClassification" and not module.config.use_mean_pooling:  # type: ignore[union-attr]
        return TowerLayout("beit", "layernorm", "token", (0,))
    return _LAYOUTS[known]


def import_transformers() -> ModuleType:
    declare_operators()  # its image processors import torchvision
    try:
        import transformers
    except ImportError as error:
        raise MissingExtra("Hugging Face models", "hf") from error
    return transformers


def load_huggingface(name: str, *, classes: Sequence[str] | None = None, **options: Any) -> Classifier:
    """Load a model from the hub or a `save_pretrained()` folder: safetensors only, never remote code.

    `classes`: the prompts of a CLIP or SigLIP model, one per class. `options` are those of `from_pretrained`:
    `revision`, `cache_dir`, `local_files_only`, `subfolder`, `token`.
    """
    transformers = import_transformers()
    _check_options(classes, options)
    where = {**options, "trust_remote_code": False}
    config = _fetch("configuration", name, lambda: transformers.AutoConfig.from_pretrained(name, **where))
    zero_shot = _is_zero_shot(config, name, classes)
    processor = _fetch("image processor", name, lambda: transformers.AutoImageProcessor.from_pretrained(name, **where))
    kind = transformers.AutoModel if zero_shot else transformers.AutoModelForImageClassification
    module = _load_module(kind, name, where)
    names = huggingface_class_names(config)
    if zero_shot:
        tokenizer = _fetch("tokenizer", name, lambda: transformers.AutoTokenizer.from_pretrained(name, **where))
        names = list(classes or ())
        module = PromptClassifier(module, embed_prompts(module, tokenize_prompts(module, tokenizer, names)))
    preprocess = huggingface_preprocess(processor.to_dict())
    return adapt_module(module.eval(), preprocess, name=f"hf/{name}", class_names=names)


def _check_options(classes: Sequence[str] | None, options: dict[str, Any]) -> None:
    unknown = [option for option in options if option not in _HUB_OPTIONS]
    if unknown:
        raise OptionError(f"hf/… models take no option {or_list(unknown)}; known: classes, {', '.join(_HUB_OPTIONS)}")
    if classes is not None and (isinstance(classes, str) or not classes):
        raise InputError(f"classes must be a list of prompts such as ['a photo of a cat', …], got {classes!r}")


def _is_zero_shot(config: Any, name: str, classes: Sequence[str] | None) -> bool:
    """Whether the model's classes are prompts; raises if prompts are missing or not applicable."""
    architectures = config.architectures or []
    has_head = any(architecture.endswith("ForImageClassification") for architecture in architectures)
    zero_shot = config.model_type in ("clip", "siglip") and not has_head
    if zero_shot and classes is None:
        raise InputError(f"hf/{name} compares images with texts: pass classes=['a photo of a cat', …]")
    if classes is not None and not zero_shot:
        raise InputError(f"hf/{name} has fixed classes; classes=… is for CLIP and SigLIP only")
    return zero_shot


def _load_module(kind: Any, name: str, where: dict[str, Any]) -> nn.Module:
    """The network in float32; raises if weights are missing, so that no head is random."""
    how = {"use_safetensors": True, "output_loading_info": True, **where}
    module, info = _fetch("weights", name, lambda: kind.from_pretrained(name, **how))
    missing = sorted(info["missing_keys"])
    if missing:
        raise WeightsError(
            f"hf/{name} has no weights for {', '.join(missing[:5])}{' …' if len(missing) > 5 else ''}. "
            "Choose a checkpoint that was trained for image classification."
        )
    return module.float()


def _fetch(what: str, name: str, get: Callable[[], Any]) -> Any:
    try:
        return get()
    except Exception as error:
        reason = str(error).strip().partition("\n")[0]
        raise ModelError(
            f"the {what} of hf/{name} could not be loaded ({type(error).__name__}: {reason}). "
            "Looked for a folder of that name, then in the cache and on the Hugging Face hub. Check the spelling and "
            "the connection, or pass a folder that holds config.json, preprocessor_config.json and model.safetensors. "
            "Without the second: wrap_model(AutoModelForImageClassification.from_pretrained(folder), mean=…, std=…)."
        ) from error


def huggingface_class_names(config: Any) -> list[str] | None:
    """The names in a configuration, by index; None where they are the placeholders LABEL_0, LABEL_1 …"""
    names = {int(index): str(label) for index, label in (getattr(config, "id2label", None) or {}).items()}
    placeholders = all(label == f"LABEL_{index}" for index, label in names.items())
    return None if placeholders else [names[index] for index in sorted(names)]
