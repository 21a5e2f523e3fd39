"""How good a map is: metrics, the evidence they share, and the protocols that make numbers comparable."""

from seewhy.metrics._evidence import Evidence
from seewhy.metrics._score import choose_metrics, gather_evidence, score_evidence, score_maps
from seewhy.metrics._stream import Cache
from seewhy.metrics.protocols import Protocol, get_protocol, list_protocols

__all__ = [
    "Cache",
    "Evidence",
    "Protocol",
    "choose_metrics",
    "gather_evidence",
    "get_protocol",
    "list_protocols",
    "score_evidence",
    "score_maps",
]
