"""Registry of adapters, each of which decomposes the networks of one family into ViT blocks.

An adapter is a function or a class, registered under a name, that takes a module and returns a `ViT`, or raises
`UnsupportedModel` with the reason why the module is not supported:

    @register_adapter("my_vit")
    class MyViT(ViT):
        def __init__(self, module, preprocess, *, name, class_names=None):
            if not isinstance(module, MyNetwork):
                raise UnsupportedModel(f"{type(module).__name__} is not a MyNetwork")
            super().__init__(module, preprocess, name=name, class_names=class_names)
            self.grid, self.prefix, self.head_tokens, self.pool = (14, 14), 1, (0,), "token"
            self.blocks = [Block(norm1=…, qkv=…, …) for block in module.blocks]

`wrap_model` tries all adapters and takes the first ViT whose pieces reproduce the network's logits (`check_layout`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from torch import nn

from seewhy.errors import UnsupportedModel
from seewhy.models.classifier import Classifier
from seewhy.models.module import ModuleClassifier
from seewhy.models.preprocess import Preprocess
from seewhy.models.vit import ViT, check_layout
from seewhy.registry import Registry

Adapt = TypeVar("Adapt", bound=Callable[..., ViT])
HOW = "If it is a ViT, write an adapter for it: see seewhy.models.register_adapter"


@dataclass(frozen=True)
class Adapter:
    """`adapt(module, preprocess, name=…, class_names=…)` returns a ViT or raises `UnsupportedModel`."""

    name: str
    adapt: Callable[..., ViT]
    library: str | None  # package that a module's class must come from; None for any


ADAPTERS: Registry[Adapter] = Registry("adapter", "seewhy.models")


def register_adapter(name: str, *, library: str | None = None) -> Callable[[Adapt], Adapt]:
    """Register a function or class as an adapter; with `library`, only for modules of classes from that package."""

    def register(adapt: Adapt) -> Adapt:
        ADAPTERS.add(Adapter(name, adapt, library))
        return adapt

    return register


def unregister_adapter(name: str) -> None:
    """Remove an adapter, for example to register another version of it."""
    ADAPTERS.remove(name)


def adapt_module(
    module: nn.Module, preprocess: Preprocess, *, name: str, class_names: Sequence[str] | None = None
) -> Classifier:
    """A ViT if an adapter can decompose the network, else a plain classifier with the reasons in `not_vit`."""
    reasons = []
    for adapter in relevant_adapters(module):
        try:
            vit = adapter.adapt(module, preprocess, name=name, class_names=class_names)
        except UnsupportedModel as error:
            reasons.append(str(error))
            continue
        difference = check_layout(vit)
        if not difference:
            return vit
        reasons.append(difference)
    reason = "; ".join(reasons) or f"no adapter knows {type(module).__name__}"
    return ModuleClassifier(module, preprocess, name=name, class_names=class_names, not_vit=f"{reason}. {HOW}")


def relevant_adapters(module: nn.Module) -> list[Adapter]:
    """Adapters for any library first, then those of the libraries that a module's class comes from.

    Adapters of other libraries are skipped, to avoid importing these libraries.
    """
    origins = {base.__module__.partition(".")[0] for base in type(module).__mro__}
    adapters = [adapter for adapter in ADAPTERS.all() if adapter.library is None or adapter.library in origins]
    return sorted(adapters, key=lambda adapter: adapter.library is not None)
