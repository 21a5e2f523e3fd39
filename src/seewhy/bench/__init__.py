"""Benchmarks: models x methods x images x metrics, rows on disk, statistics, a report. A killed run resumes.

| word    | meaning                                                                                             |
|---------|-----------------------------------------------------------------------------------------------------|
| item    | an entry of a data set, not read yet                                                                |
| sample  | an item as a model sees it: tensor, labels, regions                                                 |
| case    | one image with one class; statistics are over cases                                                 |
| unit    | one item for one model, with all methods and metrics: what a worker processes at a time             |
| task    | one metric under one protocol, of one method's maps for one unit; its key decides whether it is done |
| job     | the work of one worker process: unit after unit                                                     |
| outcome | the result of a unit: rows, curves, overlays, cost                                                  |
| row     | one score (of a case, method, metric, protocol and reference), or the error in its place            |
"""

from pathlib import Path

from seewhy.bench.config import BenchConfig, DataConfig, MethodConfig, ModelConfig
from seewhy.bench.results import Results
from seewhy.bench.runner import BenchmarkPlan, measure_benchmark, plan_benchmark, run_benchmark

__all__ = [
    "BenchConfig",
    "BenchmarkPlan",
    "DataConfig",
    "MethodConfig",
    "ModelConfig",
    "Results",
    "benchmark",
    "measure_benchmark",
    "plan_benchmark",
]


def benchmark(
    config: BenchConfig | str | Path,
    *,
    workers: int = 1,
    ray: str | None = None,
    retry: bool = False,
) -> Results:
    """Run a benchmark, or its missing tasks: a run that was stopped resumes, a finished one costs nothing.

    `config`: settings, or a TOML file with them. `workers`: processes on this machine; `ray`: address of a cluster, or
    "local". `retry` runs failed tasks again.
    """
    settings = config if isinstance(config, BenchConfig) else BenchConfig.from_toml(config)
    return run_benchmark(settings, workers=workers, ray=ray, retry=retry)
