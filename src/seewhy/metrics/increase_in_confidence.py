"""Increase in confidence: how often hiding what the map calls unimportant makes the model more certain."""

from seewhy.metrics._sweep import Ends, Masked
from seewhy.registry import register_metric


@register_metric(
    "increase_in_confidence", higher_is_better=True, paper="chattopadhay2018", undefined="no blur hides the class"
)
def increase_in_confidence(masked: Masked) -> Ends:
    """100 where the faded image scores strictly higher than the clean one, else 0; in percent over images.

    Some papers call this PIC, a name that others use for performance information curves (`aic`, `sic`).
    """
    more = (masked.masked > masked.clean.unsqueeze(-1)).to(masked.masked.dtype)
    return (100 * more).where(masked.masked.isfinite(), masked.masked)
