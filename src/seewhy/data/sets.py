"""Data sets by name: `open_dataset("imagenet", path="ILSVRC/val", boxes="Annotations/val", limit=100)`.

Each kind of data set is a function of this module; its keyword arguments are the options.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from seewhy.data.coco import ClassNames, read_coco
from seewhy.data.decode import images_below
from seewhy.data.items import Dataset, ImageItem, Subset, take
from seewhy.data.regions import Boxes, BoxFile, MaskFile, Region
from seewhy.data.tars import read_tars
from seewhy.errors import InputError, OptionError, UnknownName
from seewhy.registry import keyword_only
from seewhy.runtime.options import check_names

WNID = re.compile(r"n\d{8}$")
INDEX = ("index.jsonl", "index.csv")


def open_dataset(
    kind: str,
    *,
    limit: int | None = None,
    seed: int | None = None,
    quad: bool | str = False,
    unseen_by: str | Path | None = None,
    **options: Any,
) -> Dataset:
    """Open a data set by name, with the options of its kind: see "Kinds of data sets" in docs/datasets.md.

    `limit` keeps the first items or, with `seed`, random ones. `quad=True` combines images of four classes into 2x2
    grids (`limit` counts grids) whose regions are the cells; with "truth" they are the items' regions in their cells.
    With "squashed" cells show whole images, squashed to a square, instead of their centers.
    `unseen_by` names an explainer and keeps only images that were held out of its training.
    """
    check_dataset(kind, options)
    if quad not in (False, True, "truth", "squashed"):
        raise OptionError(f"quad must be False, True, 'truth' or 'squashed', got {quad!r}")
    dataset = KINDS[kind](**options)
    if unseen_by is not None:
        dataset = _held_out(dataset, unseen_by)
    if quad:
        from seewhy.data.quad import Quads

        return take(Quads(dataset, seed=seed or 0, truth=quad == "truth", squash=quad == "squashed"), limit)
    return take(dataset, limit, seed=seed)


def check_dataset(kind: str, options: Mapping[str, Any]) -> None:
    """Raise unless there is such a data set with these options; no file is opened."""
    if kind not in KINDS:
        raise UnknownName("data set", kind, KINDS)
    known = keyword_only(KINDS[kind])
    check_names(options, known, f"the data set {kind!r}", "option")
    missing = [name for name, p in known.items() if p.default is p.empty and name not in options]
    if missing:
        raise OptionError(f"the data set {kind!r} needs {', '.join(missing)}")


def folder(*, path: str | Path) -> Dataset:
    """Images in a folder and its subfolders."""
    root = _folder(path)
    return _listed((ImageItem(str(file.relative_to(root)), file) for file in images_below(root)), root)


def imagenet(*, path: str | Path, boxes: str | Path | None = None, masks: str | Path | None = None) -> Dataset:
    """One folder per class. `boxes`: folder of ILSVRC annotations (NAME.xml); `masks`: folder of masks (NAME.png)."""
    root = _folder(path)
    labels = class_indices(sorted(each.name for each in root.iterdir() if each.is_dir()))
    items = []
    for name, label in labels.items():
        for file in images_below(root / name):
            items.append(ImageItem(str(file.relative_to(root)), file, (label,), _regions_of(file, boxes, masks)))
    return _listed(items, f"{root}, one folder per class")


def index(*, path: str | Path) -> Dataset:
    """A JSON Lines or CSV file, or a folder with `index.jsonl` or `index.csv`: file, label, and boxes or mask."""
    listing = index_in(path) if Path(path).is_dir() else Path(path)
    if listing is None:
        raise InputError(
            f"{path}: expected {' or '.join(INDEX)} in this folder: one image per line, with file and label."
        )
    if not listing.is_file():
        raise InputError(f"{listing}: there is no such file")
    return _listed((_indexed(listing, number, entry) for number, entry in _entries(listing)), listing)


def index_in(folder: str | Path) -> Path | None:
    """The index of a folder, if it has one."""
    return next((file for name in INDEX if (file := Path(folder) / name).is_file()), None)


def masks(*, images: str | Path, masks: str | Path, values: list[int] | None = None) -> Dataset:
    """Images and masks with the same names; `values` are the mask values of the object. Default: any value but 0."""
    root = _folder(images)
    wanted = tuple(values) if values is not None else None
    by_stem = {file.stem: file for file in images_below(_folder(masks))}
    files = [file for file in images_below(root) if file.stem in by_stem]
    items = [
        ImageItem(str(file.relative_to(root)), file, (), (MaskFile(by_stem[file.stem], wanted),)) for file in files
    ]
    return _listed(items, f"{root}, with masks of the same names in {masks}")


def imagenet_s(*, images: str | Path, masks: str | Path) -> Dataset:
    """ImageNet-S: mask values are the position of the class among those of the set, counted from 1."""
    root, truth = _folder(images), _folder(masks)
    names = sorted(each.name for each in truth.iterdir() if each.is_dir())
    labels = class_indices(names)
    items = []
    for position, name in enumerate(names, start=1):
        for mask in images_below(truth / name):
            file = next(iter(sorted((root / name).glob(f"{mask.stem}.*"))), root / name / f"{mask.stem}.JPEG")
            region = MaskFile(mask, (position,), wide=True)
            items.append(ImageItem(f"{name}/{file.name}", file, (labels[name],), (region,)))
    return _listed(items, f"{truth}, one folder of masks per class")


def scenes(
    *,
    split: str = "test",
    size: int = 2000,
    objects: int = 1,
    truth: str = "object",
    contrast: bool = False,
    shortcut: str | None = None,
    cue: str = "circle",
    cue_size: float | None = None,
    prevalence: float = 1.0,
    fixed: bool = False,
) -> Dataset:
    """Scenes. `truth`: "object" or "part"; `contrast` adds the look-alike as a second label with the same region.

    `shortcut` names a class whose images get a planted cue: see `seewhy.zoo.scenes.Cue`.
    """
    from seewhy.data.scenes import ScenesData
    from seewhy.zoo.scenes import Cue

    planted = None
    if shortcut is not None:
        sizes = {} if cue_size is None else {"size": cue_size}
        planted = shortcut, Cue(cue, prevalence=prevalence, fixed=fixed, **sizes)
    return ScenesData(split, size, objects, truth, contrast, planted)


def photos() -> Dataset:
    """The sample photos."""
    from seewhy.zoo.photos import sample_photos

    return _listed((ImageItem(name, photo) for name, photo in sample_photos().items()), "photos")


def coco(
    *,
    images: str | Path,
    annotations: str | Path,
    classes: dict[str, ClassNames] | None = None,
    min_area: float = 0.01,
) -> Dataset:
    """COCO. Objects below the fraction `min_area` of the image are ignored.

    `classes` maps categories to classes: an index, an ImageNet-1k name, a range such as "151-268", or a list of these.
    By default all images are taken, without labels.
    """
    return _listed(read_coco(_folder(images), Path(annotations), classes, min_area=min_area), annotations)


def webdataset(*, path: str | Path | list[str]) -> Dataset:
    """Tar files of a WebDataset: a path, a pattern (`shards/*.tar`), or a list of them."""
    return read_tars(path)


def huggingface(*, name: str, split: str = "test", image: str = "image", label: str = "label") -> Dataset:
    """A data set from Hugging Face by its name there, or its folder; `image` and `label` are its columns."""
    from seewhy.data.whole import ForeignDataset

    try:
        from datasets import load_dataset
    except ModuleNotFoundError as error:
        raise InputError("data sets from Hugging Face need the package datasets: pip install datasets") from error
    try:
        found = load_dataset(name, split=split)
    except Exception as error:  # of many kinds: no such data set, no such split, no network
        raise InputError(f"the data set {name!r} from Hugging Face cannot be loaded: {error}") from error
    columns = {image: "image", label: "label"}
    missing = [column for column in columns if column not in (*found.column_names, "label")]  # labels are optional
    if missing:
        known = ", ".join(found.column_names)
        raise InputError(f"the data set {name!r} from Hugging Face has no column {missing[0]!r}; it has {known}")
    renamed = {old: new for old, new in columns.items() if old != new}
    return ForeignDataset(found.rename_columns(renamed) if renamed else found)


KINDS: dict[str, Callable[..., Dataset]] = {
    function.__name__: function
    for function in (folder, imagenet, index, masks, imagenet_s, coco, scenes, photos, webdataset, huggingface)
}


def _listed(items: Iterable[ImageItem], where: object) -> Dataset:
    dataset = list(items)
    if not dataset:
        raise InputError(f"{where}: no images were found")
    return Subset(dataset, tuple(range(len(dataset))))


def _held_out(dataset: Dataset, explainer: str | Path) -> Dataset:
    """The items held out of training: those whose path ends with the name of a held-out image."""
    from seewhy.explainers.files import read_metadata

    names = {Path(name).parts for name in read_metadata(explainer).get("held_out_images", ())}
    if names and all(len(name) == 1 and name[0].isdigit() for name in names):
        raise InputError(
            f"the explainer {explainer} was trained on a data set whose images have no names, so that those it was not "
            "trained on cannot be found here. Choose another split of that data set, without unseen_by."
        )

    def held_out(item: Any) -> bool:
        source = getattr(item, "source", None)
        parts = (Path(source).absolute() if isinstance(source, (str, Path)) else Path(item.name)).parts
        return any(parts[start:] in names for start in range(len(parts)))

    kept = tuple(index for index in range(len(dataset)) if held_out(dataset[index]))
    if not kept:
        raise InputError(
            f"none of these {len(dataset)} images was held out of the training of the explainer {explainer}"
        )
    return Subset(dataset, kept)


def _folder(path: str | Path) -> Path:
    if not Path(path).is_dir():
        raise InputError(f"{path}: there is no such folder")
    return Path(path)


def class_indices(names: list[str]) -> dict[str, int]:
    """ImageNet indices if all names are WNIDs, else their positions."""
    if not names or not all(WNID.match(name) for name in names):
        return {name: index for index, name in enumerate(names)}
    from seewhy.models.timm import import_timm

    import_timm()
    from timm.data import ImageNetInfo

    known = {wnid: index for index, wnid in enumerate(ImageNetInfo().label_names())}
    missing = [name for name in names if name not in known]
    if missing:
        raise InputError(f"{', '.join(missing[:3])}: not among the 1,000 classes of ImageNet-1k")
    return {name: known[name] for name in names}


def _regions_of(file: Path, boxes: str | Path | None, masks: str | Path | None) -> tuple[Region, ...]:
    """The region of an image, from the folder of boxes or masks or its subfolder of the class."""
    for root, suffix in ((boxes, ".xml"), (masks, ".png")):
        if root is not None:
            name = f"{file.stem}{suffix}"
            in_class = Path(root) / file.parent.name / name
            found = in_class if in_class.is_file() else Path(root) / name
            return (BoxFile(found),) if suffix == ".xml" else (MaskFile(found),)
    return ()


def _entries(listing: Path) -> Iterator[tuple[int, Any]]:
    """The lines of an index, with their numbers."""
    text = listing.read_text(encoding="utf-8-sig")
    if listing.suffix.lower() == ".csv":
        lines = csv.DictReader(io.StringIO(text, newline=""))
        if "file" not in (lines.fieldnames or ()):
            found = ",".join(lines.fieldnames or ())
            raise InputError(f"{listing}: the first line must name the columns, such as file,label; got {found!r}")
        for entry in lines:
            yield lines.line_num, {name: value.strip() for name, value in entry.items() if name and value}
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except ValueError as error:
                raise InputError(f"{listing}, line {number}: expected a JSON object; got {line[:60]!r}") from error


def _indexed(listing: Path, number: int, entry: Any) -> ImageItem:
    try:
        name, labels = entry["file"], (int(entry["label"]),) if entry.get("label") is not None else ()
        boxes = tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in entry.get("boxes", ()))
        mask = entry.get("mask")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        expected = "file and, optionally, label (the number of a class), and boxes or mask"
        raise InputError(f"{listing}, line {number}: expected {expected}; got {str(entry)[:80]}") from error
    if any(side > 1.001 or side < -0.001 for box in boxes for side in box):
        raise InputError(f"{listing}, line {number}: boxes must be fractions of width and height, got {boxes[0]}")
    if boxes and mask:
        raise InputError(f"{listing}, line {number}: give boxes or a mask, not both")
    region: tuple[Region, ...] = (Boxes(boxes),) if boxes else (MaskFile(listing.parent / mask),) if mask else ()
    return ImageItem(name, listing.parent / name, labels, region)
