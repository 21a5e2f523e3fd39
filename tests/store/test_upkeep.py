"""Stores that are read, tidied and merged while others write: no map is lost, and none is taken for another."""

import pytest
import torch

import seewhy
from seewhy.errors import InputError
from seewhy.runtime.locks import try_lock
from seewhy.store import MapStore, index, upkeep
from seewhy.store.index import shard_names
from seewhy.store.lookup import MapLookup
from seewhy.store.schema import Recipe
from tiny_bench import VIT, write_images

N = 4


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return seewhy.load_model("timm/test_vit", weights="random", **VIT)


@pytest.fixture
def folders(tmp_path):
    return [write_images(tmp_path / name, N, seed=seed) for seed, name in enumerate(("photos", "a"))]


@pytest.fixture
def fill(model, tmp_path):
    def run(source, methods="rollout", name="maps", **options):
        return seewhy.explain_dataset(model, source, methods, store=tmp_path / name, **options)

    return run


def test_an_open_store_follows_maps_that_were_merged(fill, folders):
    fill(folders[0])
    reader = MapStore(fill(folders[0], targets=[1]).folder)
    lookup, rows = MapLookup(reader), list(reader)
    before = [reader[row["key"]].maps for row in rows]
    names = shard_names(reader.folder)
    fill(folders[1])  # whose names sort before
    assert not set(names) & set(shard_names(reader.folder))
    for row, maps in zip(rows, before, strict=True):
        recipe = Recipe(row["method"], row["options"], row["model_key"])
        found = lookup.find(recipe, row["image_key"], row["classes"])
        assert torch.equal(found[0][0], maps)
    assert [row["key"] for row in reader] == [row["key"] for row in rows]
    assert torch.equal(torch.cat([maps for _, maps in reader.batches(3)]), torch.cat(before))


def test_maps_that_were_replaced_say_so(fill, folders):
    reader = fill(folders[0])
    len(reader)
    for file in folders[0].rglob("*.png"):
        file.write_bytes(next(folders[1].rglob("*1.png")).read_bytes())
    fill(folders[0])
    with pytest.raises(InputError, match=r"have been replaced since\. Open the store again"):
        reader.read(range(N))
    assert len(reader.refresh().read(range(N)).maps) == N


def test_a_shard_that_could_not_be_read_for_a_moment_is_kept(fill, folders, monkeypatch):
    store = fill(folders[0], ["rollout", "gradient"])
    keys = sorted(store.index["key"].to_pylist())
    (store.folder / "index.parquet").unlink()
    read, calls = index.read_index, []

    def busy(path):
        calls.append(path)
        if len(calls) == 1:
            raise InputError("too many open files")
        return read(path)

    monkeypatch.setattr(index, "read_index", busy)
    upkeep.tidy_store(store.folder)
    assert len(calls) > 1
    assert sorted(store.refresh().index["key"].to_pylist()) == keys
    assert len(store.read(range(N)).maps) == N


def test_a_merge_is_not_tidied_away(fill, folders, monkeypatch):
    store, merge, others = fill(folders[0]), upkeep._merge, []

    def held(folder, other):
        with try_lock(folder / "lock") as alone:
            others.append(alone)
        merge(folder, other)

    monkeypatch.setattr(upkeep, "_merge", held)
    assert len(store.merge(fill(folders[1], name="other"))) == 2 * N
    assert others == [False]


def test_maps_of_both_precisions_share_a_store(fill, folders):
    whole = fill(folders[0], name="whole").explanation().maps
    fill(folders[0], precision="float16")
    store = fill(folders[1])
    assert len(shard_names(store.folder)) == 1
    found = store.filter(source=str(folders[0])).explanation().maps
    torch.testing.assert_close(found, whole, rtol=1e-3, atol=1e-3)
    assert store.verify() == []
