"""Maps as heatmaps of the samples of a FiftyOne dataset."""

from pathlib import Path
from typing import Any

from seewhy.errors import InputError, MissingExtra
from seewhy.explanation import Explanation
from seewhy.models.preprocess import Box
from seewhy.runtime.targets import class_name


def to_fiftyone(explanation: Explanation, dataset: Any, field: str = "explanation") -> int:
    """Add the maps to the samples of the same files as `fiftyone.Heatmap`; returns how many samples got one.

    A map is on its method's grid, raw, with its own range, and covers the image as FiftyOne shows it: the part that the
    model did not see is zero. For several classes the field is `FIELD_CLASS`.
    """
    try:
        import fiftyone
    except ImportError as error:
        raise MissingExtra("to_fiftyone", "fiftyone") from error
    samples = {
        Path(path).resolve(): id for path, id in zip(dataset.values("filepath"), dataset.values("id"), strict=True)
    }
    found = [(index, samples.get(Path(name).resolve())) for index, name in enumerate(explanation.names)]
    if not any(id for _, id in found):
        raise InputError("no image of the explanation is a file of the dataset; explain its files by their paths")
    for index, id in ((index, id) for index, id in found if id):
        sample = dataset[id]
        for target in range(explanation.maps.shape[1]):
            heat = whole_map(explanation, index, target)
            limits = [float(heat.min()), float(heat.max())]
            sample[field_name(explanation, field, index, target)] = fiftyone.Heatmap(map=heat, range=limits)
        sample.save()
    return sum(id is not None for _, id in found)


def field_name(explanation: Explanation, field: str, image: int, target: int) -> str:
    """The field itself for one class, else with the class, in characters that FiftyOne accepts."""
    if explanation.maps.shape[1] == 1:
        return field
    name = class_name(int(explanation.targets[image, target]), explanation.class_names)
    return f"{field}_{''.join(each if each.isalnum() else '_' for each in name)}"


def whole_map(explanation: Explanation, image: int, target: int) -> Any:
    """The map, with zeros for what was cropped away before the model saw the image."""
    heat = explanation.maps[image, target].float().cpu()
    original = explanation.originals[image] if explanation.originals else None
    if original is None or not explanation.boxes:
        return heat.numpy()
    top, bottom, left, right = margins(explanation.boxes[image], original.size, tuple(heat.shape))
    whole = heat.new_zeros(top + heat.shape[0] + bottom, left + heat.shape[1] + right)
    whole[top : top + heat.shape[0], left : left + heat.shape[1]] = heat
    return whole.numpy()


def margins(box: Box, size: tuple[int, int], grid: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Rows above and below, and columns left and right of the crop, in cells of the map.

    >>> margins((50.0, 0.0, 150.0, 100.0), (200, 100), (10, 10))
    (0, 0, 5, 5)
    """
    left, top, right, bottom = box
    row, col = (bottom - top) / grid[0], (right - left) / grid[1]
    edges = (top / row, (size[1] - bottom) / row, left / col, (size[0] - right) / col)
    above, below, before, after = (max(0, round(edge)) for edge in edges)
    return above, below, before, after
