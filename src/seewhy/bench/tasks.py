"""Tasks and their keys: pure functions of the configuration and the identity of a unit.

The key of a task hashes model, data set, image, method with its options, targets, protocol, and the key of the metric
(its options and those of its evidence that differ from the defaults, see `seewhy.metrics.protocols`). A new metric, or
a new option with a default, changes no key.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from seewhy.bench.config import BenchConfig, MethodConfig
from seewhy.metrics import Protocol, get_protocol
from seewhy.registry import METRICS, Metric


class Unit(NamedTuple):
    """An item for a model: positions in the configuration and in the data set."""

    model: int
    data: int
    item: int


Block = tuple[Unit, ...]  # of one model: units that a worker gets at once


class UnitIdentity(NamedTuple):
    """Everything that identifies a unit's rows, besides method and metric."""

    model: str  # title
    model_key: str  # fingerprint of the weights
    data: str
    image: str  # name
    image_key: str  # hash of its content
    label: int | None
    targets: str  # the rule that chooses them

    def key(self, *parts: Any) -> str:
        """Key of something about this unit; includes the image's name, so duplicate images get separate rows."""
        content = [self.model_key, self.data, self.image, self.image_key, self.targets, *parts]
        return hashlib.blake2b(json.dumps(content).encode(), digest_size=10).hexdigest()


@dataclass(frozen=True)
class Measurement:
    """A metric under a protocol."""

    protocol: Protocol
    metric: Metric

    @cached_property
    def key(self) -> list[str]:
        return [self.protocol.name, self.protocol.keys[self.metric.name]]

    @cached_property
    def curve_keys(self) -> dict[str, list[str]]:
        """Keys of the evidence whose curves are stored, by its name."""
        drawn = {name: function for name, function in self.metric.needed.items() if function.lines}
        return {name: [self.protocol.name, self.protocol.keys[name]] for name in drawn}


class Task(NamedTuple):
    """One measurement of one method's maps."""

    key: str
    method: int
    measurement: Measurement
    curve_keys: Mapping[str, str]  # of the curves that belong to it, by evidence


def measurements(config: BenchConfig) -> list[Measurement]:
    """All metrics under all protocols; without a request by name, those that each protocol runs by default."""
    protocols = [get_protocol(name, config.options) for name in config.protocols]
    named = None if config.metrics is None else [METRICS.get(name) for name in config.metrics]
    return [Measurement(protocol, metric) for protocol in protocols for metric in named or protocol.default_metrics()]


def method_tasks(
    unit: UnitIdentity, index: int, method: MethodConfig, wanted: list[Measurement], options: str
) -> list[Task]:
    """The tasks of one method for a unit."""
    name = method.name, options
    return [
        Task(
            unit.key(*name, *each.key),
            index,
            each,
            {evidence: unit.key(*name, *key) for evidence, key in each.curve_keys.items()},
        )
        for each in wanted
    ]
