"""Protocols: frozen options of metrics and evidence. Scores are comparable only if these are equal.

The defaults in the signatures are the settings we recommend; deviations of a publication, including quirks of its
code, are in its protocol and nowhere else.

**Keys.** The key of a metric under a protocol hashes its name and the options, of the metric and of all evidence it is
computed from, that *differ from the defaults* in the signatures, plus every `version` above 1. So registering a metric,
or adding an option with a default, leaves all existing keys as they are. If the same options must now give different
scores (a bug fix, another default), raise the `version` of the metric or evidence: its rows are then recomputed.

    >>> get_protocol("rise").settings(METRICS.get("deletion"))["curves"]["references"]
    ['rise']
"""

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Any

from seewhy.errors import OptionError, UnknownName
from seewhy.registry import EVIDENCE, METRICS, EvidenceFunction, Metric
from seewhy.runtime.options import check, check_names, from_toml, unknown_name

Options = Mapping[str, Mapping[str, Any]]  # by metric or evidence, then by option


@dataclass(frozen=True)
class Protocol:
    """Options of metrics and evidence by name, and the costly evidence that is computed by default.

    By default, the metrics run whose only costly evidence is listed in `runs`.
    """

    name: str
    about: str = ""
    options: Options = field(default_factory=dict)
    runs: tuple[str, ...] = ("curves", "masked")
    keys: dict[str, str] = field(init=False, repr=False, compare=False)  # of metrics and evidence, by name

    def __post_init__(self) -> None:
        """Check and convert: an unknown name or a value out of range raises here."""
        options = {name: _convert(name, given) for name, given in self.options.items()}
        object.__setattr__(self, "options", MappingProxyType(options))
        object.__setattr__(self, "keys", _Keys(self))
        for name in self.runs:
            _find(name)

    def with_options(self, options: Options | None) -> "Protocol":
        """The same protocol with some options changed."""
        if not options:
            return self
        for name, given in options.items():
            check(
                isinstance(given, Mapping),
                f"options must be {{metric: {{option: value}}}}, got {{{name!r}: {given!r}}}",
            )
        names = dict.fromkeys([*self.options, *options])
        merged = {name: {**self.options.get(name, {}), **options.get(name, {})} for name in names}
        return replace(self, options=merged)

    def default_metrics(self) -> list[Metric]:
        """The metrics that run without being requested by name, if all their inputs are given."""
        return [metric for metric in METRICS.all() if self.runs_by_default(metric)]

    def runs_by_default(self, function: EvidenceFunction) -> bool:
        """Whether a metric or evidence is computed without being requested by name."""
        if function.costly:
            return function.name in self.runs
        return all(map(self.runs_by_default, function.needed.values()))

    def settings(self, function: EvidenceFunction) -> dict[str, dict[str, Any]]:
        """Options that differ from their defaults, of a metric or evidence and of all evidence below it."""
        found: dict[str, dict[str, Any]] = {}
        for evidence in function.needed.values():
            found |= self.settings(evidence)
        given = self.options.get(function.name, {})
        given = {name: value for name, value in given.items() if value != function.options[name].default}
        given |= {"version": function.version} if function.version > 1 else {}
        return found | ({function.name: _plain(given)} if given else {})

    @property
    def fingerprint(self) -> str:
        """Hash of all options."""
        return _hash(_plain(self.options))


class _Keys(dict[str, str]):
    """Hashes of metrics and evidence with their settings under a protocol, made on first access."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol

    def __missing__(self, name: str) -> str:
        self[name] = _hash([name, self.protocol.settings(_find(name))])
        return self[name]


@cache
def _published() -> dict[str, Protocol]:
    """All protocols by name; made on first use, since the metrics must be registered."""
    from seewhy.metrics.published import PROTOCOLS

    return {protocol.name: protocol for protocol in PROTOCOLS}


def list_protocols() -> list[str]:
    """Names of all protocols."""
    return sorted(_published())


def get_protocol(protocol: str | Protocol, options: Options | None = None) -> Protocol:
    """A protocol by name, with some options changed."""
    if isinstance(protocol, Protocol):
        return protocol.with_options(options)
    if protocol not in _published():
        raise UnknownName("protocol", protocol, _published())
    return _published()[protocol].with_options(options)


def option_annotation(option: str) -> Any:
    """The annotation of an option such as `deletion.relative`; raises if no metric or evidence has such an option."""
    name, dot, key = option.partition(".")
    if not dot:
        raise OptionError(
            f"options are called METRIC.OPTION or EVIDENCE.OPTION, as in deletion.relative; got {option!r}"
        )
    function = _find(name)
    if key not in function.options:
        raise OptionError(unknown_name(key, function.options, name))
    return function.options[key].annotation


def _find(name: str) -> EvidenceFunction:
    """The metric or evidence of a name."""
    if name in METRICS:
        return METRICS.get(name)
    if name in EVIDENCE:
        return EVIDENCE.get(name)
    raise UnknownName("metric or evidence", name, [*METRICS.names(), *EVIDENCE.names()])


def _convert(name: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Options of one metric or evidence, checked against its signature."""
    function = _find(name)
    check_names(given, function.options, name, "option")
    annotations = {key: option.annotation for key, option in function.options.items()}
    return MappingProxyType({key: from_toml(value, annotations[key], f"{name}.{key}") for key, value in given.items()})


def _hash(value: Any) -> str:
    return hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=8).hexdigest()


def _plain(value: Any) -> Any:
    """JSON of a setting; dataclass fields with their default are left out, so that a new field changes no key."""
    if dataclasses.is_dataclass(value):
        fields = {each.name: (getattr(value, each.name), each.default) for each in dataclasses.fields(value)}
        changed = {name: _plain(current) for name, (current, default) in fields.items() if current != default}
        return {type(value).__name__: changed}
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value
