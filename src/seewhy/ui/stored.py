"""Maps of a map store, for comparing methods on the images of the data set."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from numpy import ndarray

from seewhy.errors import InputError
from seewhy.ops.resize import shrink_maps
from seewhy.store import MapStore
from seewhy.ui.results import MethodChoice


def stored_maps(
    folder: Path, fingerprint: str, numbers: Mapping[str, int], grid: tuple[int, int]
) -> Iterator[tuple[str, int, ndarray]]:
    """Method, number of the image and small map of everything that the model explained; one class per image."""
    own = MapStore(folder).filter(model_key=fingerprint)
    if not len(own):
        raise InputError(f"{folder}: the store holds no maps of the page's first model")
    for method, options in sorted({(row["method"], row["options"]) for row in own}):
        label = MethodChoice(method, json.loads(options)).label
        for rows, maps in own.filter(method=method, options=options).batches():
            small = shrink_maps(maps.unsqueeze(1), grid).flatten(1).numpy()
            for row, values in zip(rows, small, strict=True):
                if row["image"] in numbers and row["target"] == row["classes"][0]:
                    yield label, numbers[row["image"]], values
