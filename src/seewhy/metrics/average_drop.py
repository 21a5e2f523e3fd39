"""Average drop (ADP): how much of the score is lost when the map decides what is shown."""

from seewhy.metrics._sweep import Ends, Masked
from seewhy.registry import register_metric


@register_metric("average_drop", higher_is_better=False, paper="chattopadhay2018", undefined="no blur hides the class")
def average_drop(masked: Masked) -> Ends:
    """100 · max(0, y - o) / y with y of the clean and o of the faded image; the mean over images is ADP, in percent.

    A constant map shows nothing and drops nearly everything.
    """
    clean = masked.clean.unsqueeze(-1)
    drop = (clean - masked.masked).clamp(min=0)
    return 100 * drop / clean.clamp(min=1e-12)
