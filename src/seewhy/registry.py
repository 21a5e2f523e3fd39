"""Names to functions: whatever lies as a file in `methods/`, `metrics/` or `zoo/` is found, no list names it.

A method is a decorated function; its signature is the single source of its options:

    @register_method("occlusion", paper="zeiler2014")
    def occlusion(model: Classifier, images: Images, targets: Targets, *, size: int = 16) -> Maps: ...

A wrapper takes another method as its fourth argument and is named in front of it: `var:grad_cam`.
"""

import functools
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import torch

from seewhy.errors import OptionError, UnknownName, UnsupportedModel, nearest, or_list
from seewhy.runtime.options import describe, fits
from seewhy.types import Attribution, Images, Maps, Targets


@runtime_checkable
class Named(Protocol):
    @property
    def name(self) -> str: ...


Entry = TypeVar("Entry", bound=Named)


class Registry(Generic[Entry]):
    """Entries of one kind, found by importing the modules of one package."""

    def __init__(self, kind: str, package: str) -> None:
        self.kind, self.package = kind, package
        self._entries: dict[str, Entry] = {}

    def add(self, entry: Entry) -> None:
        if entry.name in self._entries:
            raise ValueError(f"two {self.kind}s are called {entry.name!r}; give the second another name")
        self._entries[entry.name] = entry

    def get(self, name: str) -> Entry:
        if name not in self._entries:
            self.discover()
        if name not in self._entries:
            raise UnknownName(self.kind, name, self._entries)
        return self._entries[name]

    def names(self) -> list[str]:
        return [entry.name for entry in self.all()]

    def all(self) -> list[Entry]:
        self.discover()
        return sorted(self._entries.values(), key=lambda entry: entry.name)

    def discover(self) -> None:
        """Import every module of the package; importing registers."""
        package = importlib.import_module(self.package)
        for module in pkgutil.iter_modules(package.__path__):
            if not module.name.startswith("_"):
                importlib.import_module(f"{self.package}.{module.name}")


@dataclass(frozen=True)
class Method:
    """One attribution method, or (with `wraps`) one that improves on another."""

    name: str
    function: Callable[..., Maps | Attribution]
    paper: str | None  # key in papers.bib
    class_agnostic: bool  # the same map for every class: controls and raw attention
    wraps: bool
    may_refuse: bool = False  # refuses some models of the right kind, so that it is no advice for whoever was refused

    @property
    def needs(self) -> type:
        """The kind of model in the signature: `Classifier` or `ViT`."""
        return inspect.signature(self.function).parameters["model"].annotation

    @property
    def options(self) -> Mapping[str, inspect.Parameter]:
        return keyword_only(self.function)

    @property
    def summary(self) -> str:
        return (inspect.getdoc(self.function) or "").partition("\n")[0]


@dataclass(frozen=True)
class Model:
    """A bundled model: a function that builds it."""

    name: str
    build: Callable[..., Any]

    @property
    def summary(self) -> str:
        return (inspect.getdoc(self.build) or "").partition("\n")[0]


@dataclass(frozen=True)
class Metric:
    """One score of a map. Its positional parameters name the evidence it needs, its options are protocol fields."""

    name: str
    function: Callable[..., Any]
    higher_is_better: bool
    paper: str | None  # key in papers.bib
    undefined: str  # when the score is NaN, in words

    @property
    def needs(self) -> tuple[str, ...]:
        parameters = inspect.signature(self.function).parameters.values()
        return tuple(p.name for p in parameters if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD)

    @property
    def options(self) -> Mapping[str, inspect.Parameter]:
        return keyword_only(self.function)

    @property
    def summary(self) -> str:
        return (inspect.getdoc(self.function) or "").partition("\n")[0]


METHODS: Registry[Method] = Registry("method", "seewhy.methods")
METRICS: Registry[Metric] = Registry("metric", "seewhy.metrics")
MODELS: Registry[Model] = Registry("bundled model", "seewhy.zoo")


def register_method(
    name: str, *, paper: str | None = None, class_agnostic: bool = False, may_refuse: bool = False
) -> Callable[[Callable], Callable]:
    """Make a function a method. It then runs with the model in evaluation mode, parameters frozen, all undone after."""

    def register(function: Callable) -> Callable:
        @functools.wraps(function)
        def run(model: Any, images: Images, targets: Targets, *base: Callable, **options: Any) -> Maps | Attribution:
            with model.frozen_eval(), torch.enable_grad():
                return function(model, images, targets, *base, **options)

        wraps = "base" in inspect.signature(function).parameters
        METHODS.add(Method(name, run, paper, class_agnostic, wraps, may_refuse))
        return run

    return register


def register_metric(
    name: str, *, higher_is_better: bool, paper: str | None = None, undefined: str = "the map is flat"
) -> Callable[[Callable], Callable]:
    """Make a function of evidence a metric; it gives `batch classes` or, per reference, `batch classes references`."""

    def register(function: Callable) -> Callable:
        METRICS.add(Metric(name, function, higher_is_better, paper, undefined))
        return function

    return register


def register_model(name: str) -> Callable[[Callable], Callable]:
    """Make a function that builds a classifier a bundled model, `seewhy/NAME`."""

    def register(function: Callable) -> Callable:
        MODELS.add(Model(name, function))
        return function

    return register


def keyword_only(function: Callable) -> dict[str, inspect.Parameter]:
    parameters = inspect.signature(function).parameters
    return {name: p for name, p in parameters.items() if p.kind is inspect.Parameter.KEYWORD_ONLY}


def run_method(
    method: Method, model: Any, images: Images, targets: Targets, options: dict[str, Any]
) -> Maps | Attribution:
    return method.function(model, images, targets, **options)


@dataclass(frozen=True)
class Pipeline:
    """A method name taken apart: `var:refine:rollout` is two wrappers around a method, outermost first."""

    name: str
    layers: tuple[Method, ...]
    run: Callable[..., Maps | Attribution] = run_method  # the innermost method; a benchmark remembers its maps

    @property
    def options(self) -> dict[str, inspect.Parameter]:
        """Options of all layers; where two layers share a name, it belongs to the outer one."""
        merged: dict[str, inspect.Parameter] = {}
        for layer in reversed(self.layers):
            merged |= layer.options
        return merged

    def supports(self, model: Any) -> bool:
        return all(isinstance(model, layer.needs) for layer in self.layers)

    def check(self, model: Any, options: Mapping[str, Any]) -> None:
        """Raise if the model is of the wrong kind, or an option or its value does not exist."""
        if not self.supports(model):
            needed = next(layer.needs for layer in self.layers if not isinstance(model, layer.needs)).__name__
            sure = [method for method in METHODS.all() if not method.wraps and not method.may_refuse]
            fitting = [method.name for method in sure if isinstance(model, method.needs)]
            reason = f" ({model.not_vit})" if getattr(model, "not_vit", "") else ""
            raise UnsupportedModel(
                f"{self.name!r} needs a {needed}, but {model.name} is a {type(model).__name__}{reason}. "
                f"Methods that fit: {', '.join(fitting)}."
            )
        self.check_options(options)

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Raise if an option does not exist, or cannot have the value."""
        for option, value in options.items():
            if option not in self.options:
                raise OptionError(unknown_option(self.name, option, self.options))
            annotation = self.options[option].annotation
            if not fits(value, annotation):
                raise OptionError(f"{self.name}: {option} must be {describe(annotation)}, got {value!r}")

    def __call__(self, model: Any, images: Images, targets: Targets, **options: Any) -> Maps | Attribution:
        self.check(model, options)
        return self._run(0, model, images, targets, options)

    def _run(self, depth: int, model: Any, images: Images, targets: Targets, options: dict) -> Maps | Attribution:
        layer = self.layers[depth]
        own = {name: value for name, value in options.items() if name in layer.options}
        if not layer.wraps:
            return self.run(layer, model, images, targets, own)
        rest = {name: value for name, value in options.items() if name not in own}

        def base(model: Any, images: Images, targets: Targets) -> Maps | Attribution:
            return self._run(depth + 1, model, images, targets, rest)

        return layer.function(model, images, targets, base, **own)


def resolve_method(name: str) -> Pipeline:
    """The pipeline behind a method name, wrappers in front: `caap`, `var:grad_cam`, `var:refine:rollout`."""
    *wrappers, last = name.split(":")
    layers = [METHODS.get(part) for part in wrappers] + [METHODS.get(last)]
    if layers[-1].wraps:
        raise OptionError(f"{last!r} improves another method: write {last}:METHOD, for example {last}:grad_cam")
    for layer in layers[:-1]:
        if not layer.wraps:
            raise OptionError(f"{layer.name!r} in {name!r} does not wrap other methods; only the last part may be it")
    return Pipeline(name, tuple(layers))


def unknown_option(name: str, option: str, known: Mapping[str, Any]) -> str:
    near = nearest(option, known)
    hint = f"Did you mean {or_list(near)}?" if near else f"Its options: {', '.join(known) or 'none'}."
    return f"{name} has no option {option!r}. {hint}"
