"""The settings of a benchmark: frozen dataclasses, filled from a TOML file.

    protocols = ["aha", "rise"]
    methods = ["grad_cam", {name = "caap", label = "CAAP"}]

    [model]
    name = "timm/deit_tiny_patch16_224"
    weights = "$SEEWHY_DATA/models/deit_tiny_patch16_224.safetensors"

    [data]
    kind = "index"
    path = "$SEEWHY_DATA/imagenet-val"
    limit = 100

    [options.deletion]
    rule = "mean"

`[[models]]` and `[[data]]` may be repeated. Options of metrics and evidence apply under every protocol. Paths are
relative to the file; environment variables are expanded. Unknown keys are errors.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from seewhy.bench.toml import expand_variables
from seewhy.data.sets import check_dataset
from seewhy.errors import InputError, OptionError, or_list
from seewhy.metrics import get_protocol, list_protocols
from seewhy.metrics.references import REFERENCES
from seewhy.registry import METRICS, resolve_method
from seewhy.runtime.options import at_least, between, build, check, check_fields

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib  # type: ignore[no-redef]

TargetChoice = Literal["predicted", "label", "labels"]


@dataclass(frozen=True)
class ModelConfig:
    """A model as `seewhy.load_model` takes it."""

    name: str
    weights: str | None = None
    label: str = ""  # title in tables; default: the name
    image_size: int | None = None  # for networks that take any size
    device: str | None = None
    options: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def title(self) -> str:
        return self.label or self.name


@dataclass(frozen=True)
class DataConfig:
    """A data set as `seewhy.data.open_dataset` takes it."""

    kind: str
    limit: Annotated[int, at_least(1)] | None = None
    seed: int | None = None
    # four items per image; regions: their cells, or each item's own ("truth"); "squashed": cells show whole images
    quad: Literal[False, True, "truth", "squashed"] = False
    unseen_by: str | None = None  # an explainer: only items held out of its training
    confidence: Annotated[float, between(0, 1)] | None = None  # only items whose label is predicted at least so
    per_class: Annotated[int, at_least(1)] | None = None  # of these, at most this many per label
    label: str = ""
    model: str = ""  # title of the only model it is for; default: all models
    options: dict[str, Any] = field(default_factory=dict)  # all other keys of the table

    @cached_property
    def title(self) -> str:
        return self.label or f"{self.kind}{' grids' if self.quad else ''}"


@dataclass(frozen=True)
class MethodConfig:
    """A method with options. `optimized_on`: references on which it optimizes the metric, for the held-out check."""

    name: str
    label: str = ""
    optimized_on: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def title(self) -> str:
        options = ", ".join(f"{name}={value}" for name, value in self.options.items())
        return self.label or (f"{self.name} ({options})" if options else self.name)

    @property
    def arguments(self) -> dict[str, Any]:
        """The options as the method takes them: TOML has no tuples."""
        return {name: tuple(value) if isinstance(value, list) else value for name, value in self.options.items()}


@dataclass(frozen=True)
class PublishedScore:
    """A score of a paper, shown beside ours."""

    method: str  # title of a method of this benchmark
    metric: str
    score: float
    reference: str = "all"


@dataclass(frozen=True)
class BenchConfig:
    """Models x data x methods x protocols x metrics."""

    models: tuple[ModelConfig, ...]
    data: tuple[DataConfig, ...]
    methods: tuple[MethodConfig, ...]
    name: str = "benchmark"
    about: str = ""
    out: str = "seewhy-bench"  # folder for rows, examples and report
    maps: str = ""  # folder of a map store: maps that it holds are read instead of computed
    protocols: tuple[str, ...] = ("aha",)
    metrics: tuple[str, ...] | None = None  # None: those of each protocol
    targets: TargetChoice = "predicted"  # or the first label of the image, or all its labels at once
    min_confidence: Annotated[float, between(0, 1)] = 0.0  # labels with a lower probability are not explained
    options: dict[str, Any] = field(default_factory=dict)  # of metrics and evidence, by name
    examples: Annotated[int, at_least(0)] = 6  # images per model that the report shows
    compare: str = ""  # title of the method that others are tested against; default: the best
    published: tuple[PublishedScore, ...] = ()

    def __post_init__(self) -> None:
        """Raise on mistakes before anything runs."""
        check_fields(self)
        for method in self.methods:
            resolve_method(method.name, **method.arguments)
        for entry in self.data:
            check_dataset(entry.kind, entry.options)
        for name, table in self.options.items():
            check(isinstance(table, Mapping), f"options of {name} must be a table, got {table!r}")
        for protocol in self.protocols:
            get_protocol(protocol, self.options)
        for metric in [*(self.metrics or ()), *(each.metric for each in self.published)]:
            METRICS.get(metric)
        for part in ("models", "data", "methods", "protocols"):
            if not getattr(self, part):
                raise OptionError(f"a benchmark needs {part}, this one has none")
        self._check_titles()
        self._check_selection()
        self._check_repetitions()
        self._check_references()

    @property
    def target_rule(self) -> str:
        """The rule that chooses the classes to explain, as part of the rows' keys."""
        return self.targets + (f" from {self.min_confidence:g}" if self.min_confidence else "")

    def _check_selection(self) -> None:
        for each in self.data:
            chosen, known = each.confidence is not None, bool(each.model) or len(self.models) == 1
            check(chosen or each.per_class is None, f"data {each.title!r}: per_class needs confidence")
            check(known or not chosen, f"data {each.title!r}: confidence needs a single model: set model")

    def _check_repetitions(self) -> None:
        """Raise if anything is listed twice: rows are identified by what they come from."""
        for part, entries in (("metrics", self.metrics or ()), ("protocols", self.protocols)):
            twice = [entry for entry in entries if entries.count(entry) > 1]
            if twice:
                raise OptionError(f"{part}: {twice[0]!r} is listed twice")
        seen: dict[str, str] = {}
        for method in self.methods:
            same = seen.setdefault(f"{method.name} {sorted(method.options.items())}", method.title)
            if same != method.title:
                raise OptionError(f"methods: {same!r} and {method.title!r} are the same method with the same options")

    def _check_references(self) -> None:
        known = ["all", *list_protocols(), *REFERENCES]
        named = [(f"published {each.method!r}", each.reference) for each in self.published]
        named += [(f"method {method.title!r}", word) for method in self.methods for word in method.optimized_on]
        for where, word in named:
            check(word in known, f"{where}: there is no reference {word!r}; known are {or_list(dict.fromkeys(known))}")

    def _check_titles(self) -> None:
        for part in ("models", "data", "methods"):
            titles = [entry.title for entry in getattr(self, part)]
            for title in titles:
                if titles.count(title) > 1:
                    raise OptionError(f"two of {part} are called {title!r}: give one a label")
        named = [("compare", "method", self.compare)]
        named += [("published", "method", each.method) for each in self.published]
        named += [(f"data {each.title!r}", "model", each.model) for each in self.data]
        for key, part, title in named:
            titles = [each.title for each in getattr(self, f"{part}s")]
            if title and title not in titles:
                raise OptionError(f"{key}: no {part} here is called {title!r}; there are {or_list(titles)}")

    @classmethod
    def from_toml(cls, path: str | Path) -> "BenchConfig":
        """Read a file; a mistake in it raises an `InputError` that names file and key."""
        path = Path(path)
        if not path.is_file():
            raise InputError(f"{path}: there is no such file. Expected a benchmark's settings as TOML.")
        try:
            table = tomllib.loads(path.read_text())
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise OptionError(f"{path}: not valid TOML: {error}") from error
        try:
            return cls.from_dict(expand_variables(table), folder=path.parent)
        except InputError as error:
            error.args = (f"{path}: {error}",)
            raise

    @classmethod
    def from_dict(cls, table: Mapping[str, Any], *, folder: Path = Path()) -> "BenchConfig":
        """A configuration from nested dicts; a single `model`, `method`, `protocol` or `data` means a list of one."""
        table = dict(table)
        for one, many in (("model", "models"), ("method", "methods"), ("protocol", "protocols")):
            if one in table and many in table:
                raise OptionError(f"both {one!r} and {many!r} are given; put everything into {many!r}")
            if one in table:
                table[many] = table.pop(one)
        table = {key: _as_list(value) if key in LISTS else value for key, value in table.items()}
        table["models"] = [_resolve_paths(_as_table(each), ("weights",), folder) for each in table.get("models", [])]
        table["published"] = [line for each in table.get("published", []) for line in _expand_scores(each)]
        table["methods"] = [_as_table(each) for each in table.get("methods", [])]
        table["data"] = [_resolve_paths(_split_options(each), PATHS, folder) for each in table.get("data", [])]
        if table.get("maps"):
            table["maps"] = str(folder / str(table["maps"]))
        table["out"] = str(folder / str(table.get("out", f"results/{table.get('name', cls.name)}")))
        config: BenchConfig = build(cls, table, "")
        return config


LISTS = ("models", "data", "methods", "protocols", "metrics", "published")
PATHS = ("path", "images", "masks", "boxes", "annotations")


def _as_list(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


def _as_table(entry: Any) -> Any:
    return {"name": entry} if isinstance(entry, str) else entry


def _expand_scores(entry: Any) -> list[Any]:
    """Expand `"Grad-CAM" = {deletion = 0.29, insertion = 0.50}` into one published score per metric."""
    if not isinstance(entry, dict) or not all(isinstance(scores, dict) for scores in entry.values()):
        return [entry]
    return [
        {"method": method, "metric": metric, "score": score}
        for method, scores in entry.items()
        for metric, score in scores.items()
    ]


def _split_options(table: Any) -> Any:
    """Split a data table: keys that are not common to all kinds are options of its kind."""
    if not isinstance(table, dict):
        return table
    common = {entry.name for entry in fields(DataConfig)} - {"options"}
    return {key: value for key, value in table.items() if key in common} | {
        "options": {key: value for key, value in table.items() if key not in common}
    }


def _resolve_paths(table: Any, keys: tuple[str, ...], folder: Path) -> Any:
    """Resolve relative paths against the folder of the configuration."""
    if not isinstance(table, dict):
        return table
    table = {key: _resolve_paths(value, keys, folder) if key == "options" else value for key, value in table.items()}
    for key in keys:
        if isinstance(table.get(key), str) and table[key] != "random":
            table[key] = str(folder / table[key])
    return table
