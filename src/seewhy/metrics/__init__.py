"""Evaluation of maps: metrics, the evidence they share, and the protocols that make scores comparable.

| file                                          | content                                                        |
|-----------------------------------------------|----------------------------------------------------------------|
| `scoring`, `evaluation`, `flips`              | entry points: score maps, their result, find flips             |
| `evidence`, `protocols`, `published`          | the evidence behind metrics; options and their keys            |
| `predictions`, `cases`, `references`, `sweep`, `heatmaps` | evidence that several metrics share               |
| all others                                    | metrics, with the evidence that only they need                 |

To follow one score, `deletion`: `scoring.score_maps` → `evidence.run_metric` collects the arguments of
`deletion_insertion.deletion` by name → `curves` is the function registered under that name in `sweep` → reading
`curves.deletion` runs the model (`predictions.query_model`) → `ops.curves.area`.
"""

from seewhy.metrics.evaluation import Evaluation
from seewhy.metrics.evidence import Evidence, score_metrics
from seewhy.metrics.predictions import PredictionCache
from seewhy.metrics.protocols import Options, Protocol, get_protocol, list_protocols
from seewhy.metrics.scoring import choose_metrics, collect_evidence, score_maps

__all__ = [
    "Evaluation",
    "Evidence",
    "Options",
    "PredictionCache",
    "Protocol",
    "choose_metrics",
    "collect_evidence",
    "get_protocol",
    "list_protocols",
    "score_maps",
    "score_metrics",
]
