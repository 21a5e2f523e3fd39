"""The maps of a whole data set on disk: read by key, by filter, in batches, lazily."""

import json
import logging
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import torch
from jaxtyping import Float
from torch import Tensor

from seewhy import __version__
from seewhy.errors import InputError, OptionError, or_list
from seewhy.explanation import Explanation
from seewhy.models.classifier import Classifier
from seewhy.runtime.files import write_atomic
from seewhy.runtime.locks import try_lock
from seewhy.runtime.options import check_names
from seewhy.store.index import load_index
from seewhy.store.lookup import explanations_of, names_of, sum_costs
from seewhy.store.schema import SCHEMA, Row
from seewhy.store.shards import SUFFIX, read_maps
from seewhy.store.upkeep import merge_stores, verify_store

FORMAT = 1  # of the folder
BATCH = 256  # maps read at once by default
logger = logging.getLogger(__name__)


class StoredMaps(NamedTuple):
    """Some maps and their rows of the index, in the same order."""

    rows: list[Row]
    maps: Float[Tensor, "maps rows cols"]


class MapStore:
    """A folder of maps, or with `filter` a part of it. Opening reads only the index; maps are read on demand.

    >>> import seewhy, torch, tempfile
    >>> model = seewhy.load_model("timm/test_vit", weights="random")
    >>> folder = tempfile.mkdtemp()
    >>> store = seewhy.explain_dataset(model, torch.rand(3, 3, 160, 160), "grad_cam", store=folder)
    >>> len(store), store.methods
    (3, ['grad_cam'])
    >>> store.explanation("image 1").maps.shape
    torch.Size([1, 1, 10, 10])
    """

    def __init__(self, folder: str | Path, *, create: bool = False) -> None:
        self.folder = Path(folder)
        self._filters: list[Any] = []
        if create:
            _create(self.folder)
        _check_format(self.folder)

    # the index

    @cached_property
    def index(self) -> pa.Table:
        """One row per map: see docs/datasets.md for the columns."""
        return self._filtered(pc.is_null(self._all["error"]))

    @property
    def failures(self) -> list[Row]:
        """Rows of images and methods that failed; `error` says why."""
        return self._filtered(pc.is_valid(self._all["error"])).to_pylist()

    def __len__(self) -> int:
        return len(self.index)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.index.to_pylist())

    def __repr__(self) -> str:
        failed = f", {count:,} failed" if (count := len(self.failures)) else ""
        held = f"{len(self):,} maps of {self.image_count:,} images by {self.methods}"
        return f"MapStore({str(self.folder)!r}: {held}{failed})"

    @property
    def images(self) -> list[str]:
        """Names of the images, in order; images of several folders may share a name."""
        return sorted(self.unique("image"))

    @property
    def image_count(self) -> int:
        """The number of images: of names with different contents."""
        return len(self.index.group_by(["image", "image_key"]).aggregate([]))

    @property
    def methods(self) -> list[str]:
        return sorted(self.unique("method"))

    def unique(self, column: str) -> list[Any]:
        """The different values of a column."""
        check_names([column], dict.fromkeys(SCHEMA.names), "the index", "column")
        values = self.index[column]
        if pa.types.is_list(values.type):
            return [list(each) for each in dict.fromkeys(map(tuple, values.to_pylist()))]
        return pc.unique(values).to_pylist()

    def refresh(self) -> "MapStore":
        """Read the index again, for maps that were written since."""
        for name in ("_all", "index"):
            self.__dict__.pop(name, None)
        return self

    def filter(self, where: Any = None, **columns: Any) -> "MapStore":
        """The maps whose columns have these values (or one of several), or that fulfil a pyarrow expression.

        `store.filter(method="grad_cam", target=[3, 7])`, `store.filter(pc.field("probability") < 0.5)`. `classes` is
        one list: the classes that were explained together.
        """
        check_names(columns, dict.fromkeys(SCHEMA.names), "the index", "column")
        part = MapStore(self.folder)
        if "_all" in self.__dict__:
            part.__dict__["_all"] = self._all
        given = [each for name, value in columns.items() for each in _conditions(name, value)]
        part._filters = [*self._filters, *given, *([] if where is None else [where])]
        return part

    # maps

    def __getitem__(self, key: str) -> StoredMaps:
        """One map, by its key."""
        positions = pc.indices_nonzero(pc.equal(self.index["key"], key)).to_pylist()
        if not positions:
            raise InputError(f"{self.folder}: there is no map with the key {key!r}.")
        return self.read(positions)

    def read(self, positions: Sequence[int]) -> StoredMaps:
        """The maps of some rows of `index`; all must have the same grid."""
        if not len(positions):
            return StoredMaps([], torch.empty(0, 0, 0))
        for _ in range(3):
            try:
                return _read(self.folder, self.index.take(pa.array(positions)))
            except FileNotFoundError:
                self._follow()
        raise InputError(f"{self.folder}: some of these maps have been replaced since. Open the store again.")

    def _follow(self) -> None:
        """Find the maps again after a writer has merged small shards; the order of `index` stays."""
        fresh = load_index(self.folder)
        at = {key: number for number, key in enumerate(fresh["key"].to_pylist())}
        order = [at.get(key, len(fresh) + old) for old, key in enumerate(self.index["key"].to_pylist())]
        self.__dict__["index"] = pa.concat_tables([fresh, self.index]).unify_dictionaries().take(pa.array(order))

    def batches(self, size: int = BATCH) -> Iterator[StoredMaps]:
        """All maps, `size` at a time, in the order of the index."""
        for start in range(0, len(self), size):
            yield self.read(range(start, min(start + size, len(self))))

    def explanation(self, images: str | Sequence[str] | None = None, **columns: Any) -> Explanation:
        """The maps of one or several images (by default all) by one method as an `Explanation`, without the images.

        `columns` are those of `filter`; they are needed where the store holds several methods, models, sets of classes,
        or images of this name: `store.explanation("cat.jpg", method="grad_cam")`.
        """
        names = None if images is None else [images] if isinstance(images, str) else list(images)
        part = self.filter(**columns) if names is None else self.filter(image=names, **columns)
        contents: dict[str, list[str]] = {}
        for row in part.index.select(["image", "image_key"]).group_by(["image", "image_key"]).aggregate([]).to_pylist():
            contents.setdefault(row["image"], []).append(row["image_key"])
        missing = [name for name in names or () if name not in contents]
        if names and missing and (known := names_of(self, names)) != names:
            return self.explanation(known, **columns)
        if missing or not contents:
            raise InputError(f"{self.folder}: there is no such map of {', '.join(missing[:3]) or 'any image'}.")
        if names is None:
            return part.explanation_of([(name, key) for name in sorted(contents) for key in sorted(contents[name])])
        part._check_names({name for name in names if len(contents[name]) > 1})
        return part.explanation_of([(name, contents[name][0]) for name in names])

    def explanation_of(self, images: Sequence[tuple[str, str]]) -> Explanation:
        """The maps of images, given by name and content (`image_key`), by one method."""
        rows = self.index.to_pylist()
        wanted = set(images)
        rows_of: dict[tuple[str, str], list[int]] = {}
        for place, row in enumerate(rows):
            if (image := (row["image"], row["image_key"])) in wanted:
                rows_of.setdefault(image, []).append(place)
        self._check_single([[rows[place] for place in rows_of[image]] for image in images])
        order = [place for image in images for place in sorted(rows_of[image], key=lambda at: _rank(rows[at]))]
        first = rows[order[0]]
        return Explanation(
            maps=self.read(order).maps.unflatten(0, (len(images), -1)),
            targets=torch.tensor([rows[place]["target"] for place in order]).unflatten(0, (len(images), -1)),
            method=first["method"],
            options=json.loads(first["options"]),
            model=first["model"],
            fingerprint=first["model_key"],
            names=tuple(name for name, _ in images),
            cost=sum_costs([rows[place] for place in order]),
        )

    def explanations(self, files: Sequence[str | Path], model: Classifier) -> list[Explanation]:
        """The stored maps of these files by this model, found by content: one explanation per method and options."""
        return explanations_of(self, files, model)

    # upkeep

    def verify(self, *, repair: bool = False) -> list[str]:
        """Read every shard and list what is wrong; `repair` moves damaged ones away, so that a rerun replaces them."""
        problems = verify_store(self.folder, repair=repair)
        self.refresh()
        return problems

    def merge(self, *others: "str | Path | MapStore") -> "MapStore":
        """Copy the maps of other stores that this one lacks."""
        stores = [each if isinstance(each, MapStore) else MapStore(each) for each in others]
        merge_stores(self.folder, [each.folder for each in stores])
        return self.refresh()

    def _check_single(self, groups: Sequence[Sequence[Row]]) -> None:
        """Raise if the rows, by image, are of several methods, options, models or sets of classes."""
        for column in ("method", "options", "model_key"):
            values = sorted({row[column] for rows in groups for row in rows})
            if len(values) > 1:
                raise OptionError(f"{self.folder}: there are maps of several; pass {column}= one of {or_list(values)}")
        for rows in groups:
            if len(sets := sorted({tuple(row["classes"]) for row in rows})) > 1:
                raise OptionError(
                    f"{self.folder}: {rows[0]['image']} was explained for several sets of classes; pass target= or, "
                    f"as one list, classes={or_list(list(each) for each in sets)}"
                )
        if len(set(map(len, groups))) > 1:
            raise OptionError(
                f"{self.folder}: the images were explained for different numbers of classes; pass target="
            )

    def _check_names(self, names: set[str]) -> None:
        """Raise, because several images have one of these names."""
        if not names:
            return
        name = sorted(names)[0]
        rows = self.filter(image=name).index.select(["source", "image_key"]).to_pylist()
        sources, contents = (sorted({row[column] or "" for row in rows}) for column in ("source", "image_key"))
        column, values = ("source", sources) if len(sources) == len(contents) else ("image_key", contents)
        raise OptionError(
            f"{self.folder}: {len(contents)} images are called {name}; pass {column}= one of {or_list(values)}"
        )

    @cached_property
    def _all(self) -> pa.Table:
        return load_index(self.folder)

    def _filtered(self, mask: Any) -> pa.Table:
        table = self._all.filter(mask)
        for condition in self._filters:
            table = table.filter(condition)
        return table


def _rank(row: Row) -> int:
    """The position of a map among those that were explained together."""
    return int(row["classes"].index(row["target"]))


def _conditions(column: str, value: Any) -> list[Any]:
    """That a column has a value or one of several; `classes` has a list as its value."""
    field = pc.field(column)
    if column == "classes":
        together = _listed(value)
        each = [pc.list_element(field, k) == number for k, number in enumerate(together)]
        return [pc.list_value_length(field) == len(together), *each]
    return [field.isin(_listed(value))]


def _listed(value: Any) -> list[Any]:
    return [value] if isinstance(value, (str, int, float)) or value is None else list(value)


def _read(folder: Path, table: pa.Table) -> StoredMaps:
    """The maps of some rows, each shard opened once, in float32 and in the order of the rows."""
    rows = table.to_pylist()
    grids = {(row["rows"], row["cols"]) for row in rows}
    if len(grids) > 1:
        raise InputError(f"maps on different grids cannot be read at once: {sorted(grids)}. Filter by method first.")
    by_shard: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        by_shard.setdefault(row["shard"], []).append(number)
    maps = torch.empty(len(rows), *grids.pop())
    for shard, numbers in by_shard.items():
        found = read_maps(folder / "shards" / f"{shard}{SUFFIX}", [rows[number]["position"] for number in numbers])
        scales = torch.tensor([rows[number]["scale"] for number in numbers])
        maps[numbers] = found.float() * scales[:, None, None]
    return StoredMaps(rows, maps)


PARTS = {"shards", "index", "index.lock", "format.json.part"}  # what a run killed at its very start leaves


def _create(folder: Path) -> None:
    if folder.is_dir() and not (folder / "format.json").is_file():
        others = sorted({path.name for path in folder.iterdir()} - PARTS)
        if others:
            raise InputError(f"{folder} holds other files, such as {others[0]}. A store needs a folder of its own.")
    try:
        for name in ("shards", "index"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        with try_lock(folder / "index.lock", wait=True):
            if not (folder / "format.json").is_file():
                about = json.dumps({"maps": FORMAT, "seewhy": __version__})
                write_atomic(folder / "format.json", about.encode(), resumes=True)
    except OSError as error:
        raise InputError(
            f"{folder}: no store can be written there ({error.strerror}). Choose another folder."
        ) from error


def _check_format(folder: Path) -> None:
    """Raise unless the folder is a map store of this layout."""
    file = folder / "format.json"
    if not file.is_file():
        raise InputError(f"{folder}: there is no map store. `seewhy explain IMAGES --store {folder}` makes one.")
    try:
        found = json.loads(file.read_text()).get("maps")
    except ValueError as error:
        raise InputError(f"{file} is damaged. Restore it: {json.dumps({'maps': FORMAT})}") from error
    if found is None:
        raise InputError(f"{folder} is the folder of a benchmark, not a map store.")
    if found != FORMAT:
        raise InputError(f"{folder}: written by another version of seewhy, with layout {found}; this one is {FORMAT}.")
