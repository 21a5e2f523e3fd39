"""Explanations in other tools: `to_fiftyone` and `card_section`."""

from seewhy.integrations.card import card_section
from seewhy.integrations.fiftyone import to_fiftyone

__all__ = ["card_section", "to_fiftyone"]
