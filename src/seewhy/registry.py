"""Registries of methods, metrics, evidence and bundled models, filled by importing `methods/`, `metrics/` and `zoo/`.

A method is a decorated function; its signature is the single source of its options:

    @register_method("occlusion", paper="zeiler2014")
    def occlusion(model: Classifier, images: Images, targets: Targets, *, size: int = 16) -> Maps: ...

A wrapper takes another method as its fourth argument and is named in front of it: `var:grad_cam`. Running a
method always returns an `Attribution`.
"""

import functools
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar, cast, runtime_checkable

import torch

from seewhy.errors import InputError, OptionError, UnknownName, UnsupportedModel, or_list
from seewhy.runtime.options import check_value, unknown_name
from seewhy.types import Attribution, Images, Layer, Maps, Targets

Parameters = Mapping[str, inspect.Parameter]


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
        self._complete = False  # whether all modules of the package are imported

    def add(self, entry: Entry) -> None:
        if entry.name in self._entries:
            raise ValueError(f"two {self.kind}s are called {entry.name!r}; give the second another name")
        self._entries[entry.name] = entry

    def remove(self, name: str) -> None:
        del self._entries[name]

    def get(self, name: str) -> Entry:
        if name not in self._entries:
            self.discover()
        if name not in self._entries:
            raise UnknownName(self.kind, name, self._entries)
        return self._entries[name]

    def __contains__(self, name: str) -> bool:
        self.discover()
        return name in self._entries

    def names(self) -> list[str]:
        return [entry.name for entry in self.all()]

    def all(self) -> list[Entry]:
        self.discover()
        return sorted(self._entries.values(), key=lambda entry: entry.name)

    def discover(self) -> None:
        """Import every module of the package; importing registers."""
        if self._complete:
            return
        package = importlib.import_module(self.package)
        for module in pkgutil.iter_modules(package.__path__):
            if not module.name.startswith("_"):
                importlib.import_module(f"{self.package}.{module.name}")
        self._complete = True


class Picklable:
    """A dataclass that is sent to other processes without its cached properties: signatures cannot be pickled."""

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(cast("Any", self))}


@dataclass(frozen=True)
class Method(Picklable):
    """One attribution method, or (with `wraps`) one that takes another as its base."""

    name: str
    function: Callable[..., Maps | Attribution]
    paper: str | None = None  # key in papers.bib
    class_agnostic: bool = False  # the same map for every class: controls and raw attention
    may_refuse: bool = False  # raises for some models of the right kind; never suggested as a fallback
    forward_first: bool = False  # runs the images before it reads `targets`: `explain` takes the prediction from there
    features: bool = False  # reads feature maps (`model.split`): has the option `layer`
    optimizes: bool = False  # optimizes deletion and insertion, which are therefore biased in its favor

    @property
    def is_control(self) -> bool:
        """Whether it is a control, such as `random`: it looks at no class, and there is no paper to cite."""
        return self.class_agnostic and self.paper is None

    @cached_property
    def needs(self) -> type:
        """The kind of model in the signature: `Classifier` or `ViT`."""
        kind: type = inspect.signature(self.function).parameters["model"].annotation
        return kind

    @cached_property
    def wraps(self) -> bool:
        return "base" in inspect.signature(self.function).parameters

    @cached_property
    def options(self) -> Parameters:
        return keyword_only(self.function)

    @cached_property
    def summary(self) -> str:
        return summary_of(self.function)

    def run(
        self, model: Any, images: Images, targets: Targets, *base: Callable[..., Any], **options: Any
    ) -> Attribution:
        """The maps and named extras, detached from any graph; maps of a network in half precision in float32."""
        result = self.function(model, images, targets, *base, **options)
        maps, extras = result if isinstance(result, Attribution) else (result, {})
        half = maps.dtype in (torch.float16, torch.bfloat16)
        return Attribution(maps.detach().float() if half else maps.detach(), extras)


@dataclass(frozen=True)
class Model:
    """A bundled model: a function that builds it."""

    name: str
    build: Callable[..., Any]

    @cached_property
    def summary(self) -> str:
        return summary_of(self.build)


@dataclass(frozen=True, kw_only=True)
class EvidenceFunction(Picklable):
    """A function whose positional parameters name the evidence it needs; its keyword-only parameters are its options.

    A parameter with a default is optional: it may be an input that the caller did not give.
    """

    name: str
    function: Callable[..., Any]
    costly: bool = False  # runs only if a protocol lists it, or if requested by name
    version: int = 1  # part of the key of stored rows; raised when the same options give other values
    lines: Callable[..., Any] | None = None  # converts its value to the lines of a chart

    @cached_property
    def needs(self) -> tuple[str, ...]:
        return tuple(parameter.name for parameter in self._positional)

    @cached_property
    def optional(self) -> frozenset[str]:
        return frozenset(p.name for p in self._positional if p.default is not p.empty)

    @cached_property
    def options(self) -> Parameters:
        return keyword_only(self.function)

    @cached_property
    def summary(self) -> str:
        return summary_of(self.function)

    @cached_property
    def needed(self) -> dict[str, "EvidenceFunction"]:
        """The evidence functions among `needs`; the other names are inputs."""
        return {need: EVIDENCE.get(need) for need in self.needs if need in EVIDENCE}

    @cached_property
    def _positional(self) -> list[inspect.Parameter]:
        parameters = inspect.signature(self.function).parameters.values()
        return [p for p in parameters if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]


@dataclass(frozen=True, kw_only=True)
class Metric(EvidenceFunction):
    """One score of a map, as a function of evidence."""

    higher_is_better: bool
    paper: str | None = None  # key in papers.bib
    undefined: str = "the map is flat"  # when the score is NaN, in words
    headline: int = 0  # rank among the metrics that summaries show first; 0: not among them

    @property
    def arrow(self) -> str:
        """The direction in which scores are better."""
        return "↑" if self.higher_is_better else "↓"


METHODS: Registry[Method] = Registry("method", "seewhy.methods")
METRICS: Registry[Metric] = Registry("metric", "seewhy.metrics")
EVIDENCE: Registry[EvidenceFunction] = Registry("evidence", "seewhy.metrics")
MODELS: Registry[Model] = Registry("bundled model", "seewhy.zoo")


Function = TypeVar("Function", bound=Callable[..., Any])


def register_method(
    name: str,
    *,
    paper: str | None = None,
    class_agnostic: bool = False,
    may_refuse: bool = False,
    forward_first: bool = False,
    features: bool = False,
    optimizes: bool = False,
) -> Callable[[Function], Function]:
    """Register a function as a method, which runs with the model in evaluation mode and its parameters frozen.

    With `forward_first`, `explain` takes the predictions from the method's own forward pass: the method must run the
    images before it reads the values of `targets`. With `features`, it reads the model's feature maps and gets the
    option `layer` that says which. One that `optimizes` deletion and insertion is marked in reports.
    """

    def register(function: Function) -> Function:
        check_annotations(function, "model", *keyword_only(function))

        @functools.wraps(function)
        def run(model: Any, *inputs: Any, layer: Layer = None, **options: Any) -> Any:
            with model.method_context(layer):
                return function(model, *inputs, **options)

        if features:
            run.__signature__ = _with_layer(inspect.signature(function))  # type: ignore[attr-defined]
        METHODS.add(Method(name, run, paper, class_agnostic, may_refuse, forward_first, features, optimizes))
        return cast("Function", run)

    return register


def _with_layer(signature: inspect.Signature) -> inspect.Signature:
    layer = inspect.Parameter("layer", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Layer)
    return signature.replace(parameters=[*signature.parameters.values(), layer])


def register_metric(
    name: str,
    *,
    higher_is_better: bool,
    paper: str | None = None,
    undefined: str = "the map is flat",
    headline: int = 0,
    costly: bool = False,
    version: int = 1,
) -> Callable[[Function], Function]:
    """Register a function of evidence as a metric; it returns `batch classes`, or `batch classes references`.

    `paper` is a key in papers.bib, `undefined` says when a score is NaN, `headline` is the rank among the metrics that
    reports show first, a `costly` metric runs only if requested, and `version` is raised when the same options give
    different scores than before.
    """

    def register(function: Function) -> Function:
        check_annotations(function, *keyword_only(function))
        METRICS.add(
            Metric(
                name=name,
                function=function,
                higher_is_better=higher_is_better,
                paper=paper,
                undefined=undefined,
                headline=headline,
                costly=costly,
                version=version,
            )
        )
        return function

    return register


def register_evidence(
    name: str, *, costly: bool = False, version: int = 1, lines: Callable[..., Any] | None = None
) -> Callable[[Function], Function]:
    """Make a function evidence: metrics and other evidence receive its value through a parameter of that name."""

    def register(function: Function) -> Function:
        EVIDENCE.add(EvidenceFunction(name=name, function=function, costly=costly, version=version, lines=lines))
        return function

    return register


def register_model(name: str) -> Callable[[Function], Function]:
    """Register a function that builds a classifier as a bundled model, `seewhy/NAME`."""

    def register(function: Function) -> Function:
        MODELS.add(Model(name, function))
        return function

    return register


def keyword_only(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """The options of a function."""
    parameters = inspect.signature(function).parameters
    return {name: p for name, p in parameters.items() if p.kind is inspect.Parameter.KEYWORD_ONLY}


def check_annotations(function: Callable[..., Any], *names: str) -> None:
    """Raise unless these parameters are annotated: checks, flags and documentation derive from annotations."""
    for name in names:
        parameter = inspect.signature(function).parameters.get(name)
        if parameter is None or parameter.annotation is inspect.Parameter.empty:
            expected = "model: Classifier (or ViT)" if name == "model" else f"{name}: int = …"
            raise TypeError(f"{function.__name__} needs an annotated parameter {name!r}, as in `{expected}`")


def summary_of(function: Callable[..., Any]) -> str:
    """First line of the docstring."""
    return (inspect.getdoc(function) or "").partition("\n")[0]


@dataclass(frozen=True)
class Pipeline:
    """A parsed method name: `var:refine:rollout` is two wrappers around a method, outermost first."""

    name: str
    methods: tuple[Method, ...]
    values: tuple[Mapping[str, Any], ...]  # options of each method, outermost first
    run_base: Callable[..., Attribution] = Method.run  # runs the innermost method; a benchmark shares its maps

    @property
    def options(self) -> dict[str, inspect.Parameter]:
        """Every option by the shortest name that is unique to it: bare, or `refine.steps` and `base.steps`."""
        return _option_names(self.methods)

    def annotation(self, option: str) -> Any:
        """The annotation of an option; raises if it is unknown or ambiguous."""
        index, name = _find_option(self.name, self.methods, option)
        return self.methods[index].options[name].annotation

    @property
    def optimizes(self) -> bool:
        return any(method.optimizes for method in self.methods)

    def supports(self, model: Any) -> bool:
        return all(isinstance(model, method.needs) for method in self.methods)

    def check_model(self, model: Any) -> None:
        """Raise unless the model is of the kind that all methods need."""
        if self.supports(model):
            return
        needed = next(method.needs for method in self.methods if not isinstance(model, method.needs)).__name__
        candidates = [method for method in METHODS.all() if not method.wraps and not method.may_refuse]
        fitting = [method.name for method in candidates if isinstance(model, method.needs)]
        reason = f" ({model.not_vit})" if getattr(model, "not_vit", "") else ""
        raise UnsupportedModel(
            f"{self.name!r} needs a {needed}, but {model.name} is not one{reason}. "
            f"Methods that fit: {', '.join(fitting)}."
        )

    def with_options(self, **options: Any) -> "Pipeline":
        """The same methods with options, checked against their annotations."""
        values: list[dict[str, Any]] = [{} for _ in self.methods]
        for option, value in options.items():
            index, name = _find_option(self.name, self.methods, option)
            check_value(f"{self.name}: {option}", value, self.methods[index].options[name].annotation)
            values[index][name] = value
        return replace(self, values=tuple(values))

    def __call__(self, model: Any, images: Images, targets: Targets, **options: Any) -> Attribution:
        pipeline = self.with_options(**options) if options else self
        pipeline.check_model(model)
        return pipeline._run(0, model, images, targets)

    def _run(self, depth: int, model: Any, images: Images, targets: Targets) -> Attribution:
        method, options = self.methods[depth], self.values[depth]
        if not method.wraps:
            return self.run_base(method, model, images, targets, **options)
        base = functools.partial(self._run, depth + 1)
        return method.run(model, images, targets, base, **options)


def resolve_method(name: str, **options: Any) -> Pipeline:
    """The pipeline behind a method name, wrappers in front (`caap`, `var:grad_cam`), with its options checked."""
    if not isinstance(name, str):
        raise InputError(f"method must be a name such as 'grad_cam', got {name!r:.80}; several: seewhy.compare(…)")
    methods = tuple(METHODS.get(part) for part in name.split(":"))
    last = methods[-1].name
    if methods[-1].wraps:
        raise OptionError(f"{last!r} wraps another method: write {last}:METHOD, for example {last}:grad_cam")
    for method in methods[:-1]:
        if not method.wraps:
            raise OptionError(f"{method.name!r} in {name!r} wraps no other method: it can only be the last name")
    return Pipeline(name, methods, ({},) * len(methods)).with_options(**options)


def fit_method(model: Any, name: str, **options: Any) -> Pipeline:
    """The pipeline behind a method name; raises unless it supports the model."""
    pipeline = resolve_method(name, **options)
    pipeline.check_model(model)
    return pipeline


def _prefixes(methods: tuple[Method, ...]) -> list[str]:
    """The qualifier of each method's options: a wrapper's name, or `base` for the innermost method."""
    return [*(method.name for method in methods[:-1]), "base"]


def _owners(methods: tuple[Method, ...], name: str) -> list[int]:
    return [index for index, method in enumerate(methods) if name in method.options]


def _option_names(methods: tuple[Method, ...]) -> dict[str, inspect.Parameter]:
    return {
        name if len(_owners(methods, name)) == 1 else f"{prefix}.{name}": parameter
        for method, prefix in zip(methods, _prefixes(methods), strict=True)
        for name, parameter in method.options.items()
    }


def _find_option(pipeline: str, methods: tuple[Method, ...], option: str) -> tuple[int, str]:
    """The index of the method that an option belongs to, and its bare name."""
    prefixes = _prefixes(methods)
    prefix, _, name = option.rpartition(".")
    owners = [index for index in _owners(methods, name) if prefix in ("", prefixes[index], methods[index].name)]
    if len(owners) == 1:
        return owners[0], name
    if owners:
        choices = or_list(f"{prefixes[index]}.{name}" for index in owners)
        raise OptionError(f"{pipeline}: option {name!r} is ambiguous; use {choices}")
    raise OptionError(unknown_name(option, _option_names(methods), pipeline))
