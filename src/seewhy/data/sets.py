"""Data sets by name: `open_dataset("imagenet", path="ILSVRC/val", boxes="Annotations/val", limit=100)`.

| name         | what it is                                                                                  |
|--------------|---------------------------------------------------------------------------------------------|
| `folder`     | pictures in a folder and the folders in it, nothing known about them                        |
| `imagenet`   | a folder per class (WNIDs give ImageNet's numbers); boxes as ILSVRC's XML, or masks beside  |
| `index`      | a file with one JSON object per line: file, label, boxes as fractions                       |
| `masks`      | pictures in one folder, masks of the same names in another                                  |
| `imagenet_s` | ImageNet-S: a folder per class, masks that hold class numbers                               |
| `coco`       | COCO's instances: the union of each category's polygons                                     |
| `scenes`     | drawn pictures whose truth is known: objects, or the parts that decide                      |
| `photos`     | the sample photos                                                                           |

The options of a set are the keyword arguments of its function here.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from seewhy.data.decode import images_below
from seewhy.data.items import Dataset, Part, PictureItem, take
from seewhy.data.regions import Boxes, BoxFile, MaskFile, Region
from seewhy.errors import InputError, OptionError, UnknownName
from seewhy.registry import keyword_only
from seewhy.runtime.options import check_names

WNID = re.compile(r"n\d{8}$")


def open_dataset(
    kind: str,
    *,
    limit: int | None = None,
    seed: int | None = None,
    quad: bool | str = False,
    unseen_by: str | Path | None = None,
    **options: Any,
) -> Dataset:
    """A data set by name; see the table above.

    `limit` keeps so many items, the first ones or with `seed` a random choice; `quad` puts four of different classes
    into each picture (and `limit` counts those). Regions are then the whole cells or, with "truth", each item's own.
    `unseen_by` names an explainer: only what was held out of its training is kept.
    """
    check_dataset(kind, options)
    if quad not in (False, True, "truth"):
        raise OptionError(f"quad must be False, True or 'truth', got {quad!r}")
    found = KINDS[kind](**options)
    if unseen_by is not None:
        found = _unseen(found, unseen_by)
    if quad:
        from seewhy.data.quad import Quads

        return take(Quads(found, seed=seed or 0, truth=quad == "truth"), limit)
    return take(found, limit, seed=seed)


def check_dataset(kind: str, options: Mapping[str, Any]) -> None:
    """Raise if there is no such data set, or not with these options; nothing is opened."""
    if kind not in KINDS:
        raise UnknownName("data set", kind, KINDS)
    known = keyword_only(KINDS[kind])
    check_names(options, known, f"the data set {kind!r}", "option")
    missing = [name for name, p in known.items() if p.default is p.empty and name not in options]
    if missing:
        raise OptionError(f"the data set {kind!r} needs {', '.join(missing)}")


def folder(*, path: str | Path) -> Dataset:
    """Pictures in a folder and the folders in it."""
    root = _folder(path)
    return _listed(PictureItem(str(file.relative_to(root)), file) for file in images_below(root))


def imagenet(*, path: str | Path, boxes: str | Path | None = None, masks: str | Path | None = None) -> Dataset:
    """A folder per class. `boxes` holds ILSVRC's annotations (NAME.xml), `masks` pictures of the same names."""
    root = _folder(path)
    numbers = _class_numbers(sorted(each.name for each in root.iterdir() if each.is_dir()))
    items = []
    for name, number in numbers.items():
        for file in images_below(root / name):
            regions = _beside(file, boxes, masks)
            items.append(PictureItem(f"{name}/{file.name}", file, (number,), regions))
    return _listed(items)


def index(*, path: str | Path) -> Dataset:
    """A file of JSON lines, or the folder with its `index.jsonl`; files are named relative to it."""
    listing = Path(path) / "index.jsonl" if Path(path).is_dir() else Path(path)
    if not listing.is_file():
        raise InputError(f"{listing}: there is no such index. Expected one JSON object per line, with file and label.")
    lines = enumerate(listing.read_text().splitlines(), start=1)
    return _listed(_indexed(listing, number, line) for number, line in lines if line.strip())


def masks(*, images: str | Path, masks: str | Path, values: list[int] | None = None) -> Dataset:
    """Pictures and masks of the same names; `values` are those of the object, left out: anything but 0."""
    root, truth = _folder(images), _folder(masks)
    wanted = tuple(values) if values is not None else None
    by_stem = {file.stem: file for file in images_below(truth)}
    files = [file for file in images_below(root) if file.stem in by_stem]
    return _listed(PictureItem(file.name, file, (), (MaskFile(by_stem[file.stem], wanted),)) for file in files)


def imagenet_s(*, images: str | Path, masks: str | Path) -> Dataset:
    """ImageNet-S: pixels of a class hold its number among the set's classes, counted from 1."""
    root, truth = _folder(images), _folder(masks)
    names = sorted(each.name for each in truth.iterdir() if each.is_dir())
    numbers = _class_numbers(names)
    items = []
    for position, name in enumerate(names, start=1):
        for mask in images_below(truth / name):
            file = next(iter(sorted((root / name).glob(f"{mask.stem}.*"))), root / name / f"{mask.stem}.JPEG")
            region = MaskFile(mask, (position,), wide=True)
            items.append(PictureItem(f"{name}/{file.name}", file, (numbers[name],), (region,)))
    return _listed(items)


def scenes(
    *, split: str = "test", size: int = 2000, objects: int = 1, truth: str = "object", contrast: bool = False
) -> Dataset:
    """Scenes. `truth`: "object" or "part"; `contrast` names the look-alike as a second label with the same region."""
    from seewhy.data.scenes import ScenesData

    return ScenesData(split=split, size=size, objects=objects, truth=truth, contrast=contrast)


def photos() -> Dataset:
    """The sample photos."""
    from seewhy.zoo.photos import sample_photos

    return _listed(PictureItem(name, photo) for name, photo in sample_photos().items())


def coco(*, images: str | Path, annotations: str | Path, classes: dict[str, int], smallest: float = 0.01) -> Dataset:
    """COCO: `classes` says which class of the model a category's name is; smaller objects are left out."""
    from seewhy.data.coco import read_coco

    return _listed(read_coco(_folder(images), Path(annotations), classes, smallest=smallest))


KINDS: dict[str, Callable[..., Dataset]] = {
    function.__name__: function for function in (folder, imagenet, index, masks, imagenet_s, coco, scenes, photos)
}


def _listed(items: Iterable[PictureItem]) -> Dataset:
    found = list(items)
    if not found:
        raise InputError("the data set is empty: no pictures were found where it should lie")
    return Part(found, tuple(range(len(found))))


def _unseen(dataset: Dataset, explainer: str | Path) -> Dataset:
    """What was held out: files whose whole path ends in the name of a held-out one, which may begin at any folder."""
    from seewhy.explainers.files import read_metadata

    held_out = {Path(name).parts for name in read_metadata(explainer).get("held_out_images", ())}

    def unseen(item: Any) -> bool:
        source = getattr(item, "source", None)
        parts = (Path(source).absolute() if isinstance(source, (str, Path)) else Path(item.name)).parts
        return any(parts[start:] in held_out for start in range(len(parts)))

    kept = tuple(number for number in range(len(dataset)) if unseen(dataset[number]))
    if not kept:
        raise InputError(
            f"none of these {len(dataset)} pictures was held out when the explainer {explainer} was trained"
        )
    return Part(dataset, kept)


def _folder(path: str | Path) -> Path:
    if not Path(path).is_dir():
        raise InputError(f"{path}: there is no such folder")
    return Path(path)


def _class_numbers(names: list[str]) -> dict[str, int]:
    """ImageNet's numbers where all names are WNIDs, else the positions."""
    if not names or not all(WNID.match(name) for name in names):
        return {name: number for number, name in enumerate(names)}
    from seewhy.models.timm import import_timm

    import_timm()
    from timm.data import ImageNetInfo

    known = {wnid: number for number, wnid in enumerate(ImageNetInfo().label_names())}
    missing = [name for name in names if name not in known]
    if missing:
        raise InputError(f"{', '.join(missing[:3])}: not among the 1000 classes of ImageNet-1k")
    return {name: known[name] for name in names}


def _beside(file: Path, boxes: str | Path | None, masks: str | Path | None) -> tuple[Region, ...]:
    """The region that lies in the folder of boxes or masks, at the same place or directly in it."""
    for root, suffix in ((boxes, ".xml"), (masks, ".png")):
        if root is not None:
            near, far = Path(root) / file.parent.name / f"{file.stem}{suffix}", Path(root) / f"{file.stem}{suffix}"
            found = near if near.is_file() else far
            return (BoxFile(found),) if suffix == ".xml" else (MaskFile(found),)
    return ()


def _indexed(listing: Path, number: int, line: str) -> PictureItem:
    try:
        entry = json.loads(line)
        name, labels = entry["file"], (int(entry["label"]),) if "label" in entry else ()
        boxes = tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in entry.get("boxes", ()))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{listing}, line {number}: expected a JSON object with file, perhaps label and boxes; got {line[:60]!r}"
        ) from error
    if any(side > 1.001 or side < -0.001 for box in boxes for side in box):
        raise InputError(f"{listing}, line {number}: boxes are fractions of width and height, got {boxes[0]}")
    return PictureItem(name, listing.parent / name, labels, (Boxes(boxes),) if boxes else ())
