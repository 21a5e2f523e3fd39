"""Benchmarks that survive anything: models x methods x pictures x metrics, rows on disk, statistics, a report."""

from pathlib import Path

from seewhy.bench.config import BenchConfig, DataConfig, MethodConfig, ModelConfig
from seewhy.bench.results import Results
from seewhy.bench.runner import run_benchmark

__all__ = ["BenchConfig", "DataConfig", "MethodConfig", "ModelConfig", "Results", "benchmark"]


def benchmark(
    config: BenchConfig | str | Path,
    *,
    workers: int = 1,
    ray: str | None = None,
    retry: bool = False,
) -> Results:
    """Run a benchmark, or what is left of it: a run that was stopped continues, a finished one costs nothing.

    `config`: settings, or a TOML file with them. `workers`: processes on this machine; `ray`: address of a cluster, or
    "local". `retry` does again what failed before.
    """
    settings = config if isinstance(config, BenchConfig) else BenchConfig.from_toml(config)
    return run_benchmark(settings, workers=workers, ray=ray, retry=retry)
