"""Map stores: the maps of whole data sets on disk."""

from seewhy.store.explaining import explain_dataset
from seewhy.store.map_store import MapStore, StoredMaps

__all__ = ["MapStore", "StoredMaps", "explain_dataset"]
