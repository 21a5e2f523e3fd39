"""Find candidates: groups of similar evidence that several images of a predicted class share.

The features under the strongest evidence of a class's images are clustered hierarchically. Every cluster of the tree
is a candidate if enough images have a part in it; candidates are ranked by how tight, exclusive to the class, fixed in
position, agreed on by a second method and common they are, and those that overlap with a better one are dropped. The
best are screened, and those that a screening groups are merged.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from seewhy.audits.config import AuditConfig
from seewhy.audits.describe import Description
from seewhy.errors import MissingExtra

DIMENSIONS = 12  # of the features that are clustered
SAMPLE = 6000  # cells of all classes that the projection is fitted to
OVERLAP = 0.5  # from which two candidates count as one
QUALITIES = "tightness", "exclusivity", "fixed", "agreement"  # beside the share of the images

Cells = dict[int, tuple[int, ...]]  # by index in the data set: cells of the feature grid


@dataclass(frozen=True)
class Candidate:
    """A possible cue: the images that share it, and the cells where it is."""

    name: str  # class and number
    target: int
    cells: Cells
    count: int  # images predicted as the class
    share: float  # of them that have the cue
    tightness: float  # 1: all features equal; 0: as spread as those of the class
    exclusivity: float  # of the evidence like this, the share in images of the class (classes weighted equally)
    fixed: float  # 1: always at the same position
    agreement: float  # share of its cells that a second method also ranks first
    grid: tuple[int, int] = (0, 0)

    @property
    def score(self) -> float:
        """What candidates are ranked by, from 0 to 1."""
        return float(np.mean([self.tightness, self.exclusivity, self.fixed, self.agreement, min(1.0, 2 * self.share)]))

    @property
    def key(self) -> str:
        """A hash of the content."""
        return blake2b(repr((self.target, self.grid, sorted(self.cells.items()))).encode(), digest_size=6).hexdigest()

    def facts(self) -> dict[str, Any]:
        """What the ranking is computed from."""
        return {name: value for name, value in asdict(self).items() if name not in ("cells", "grid")} | {
            "score": self.score
        }


@dataclass(frozen=True)
class _Evidence:
    """The strongest cells of some images of one class."""

    target: int
    count: int  # images predicted as the class
    owner: Int[ndarray, " cells"]  # index of the image in the data set
    cell: Int[ndarray, " cells"]
    agrees: ndarray
    features: Float[ndarray, "cells dims"] = field(repr=False)


def find_candidates(
    described: Description, config: AuditConfig, classes: Sequence[int] | None = None
) -> list[Candidate]:
    """The candidates of every class, best first; at most `config.screened` of each."""
    evidence = [each for each in _load(described, config) if len(np.unique(each.owner)) >= config.min_images]
    projected = _project(evidence, config.seed)
    found = []
    for each in projected:
        if classes is None or each.target in classes:
            candidates = sorted(_candidates(each, projected, described.grid, config), key=lambda c: -c.score)
            found += _distinct(candidates, config.screened)
    return sorted(found, key=lambda candidate: -candidate.score)


def _load(described: Description, config: AuditConfig) -> Iterator[_Evidence]:
    random = np.random.default_rng(config.seed)
    for target in np.unique(described.facts["predicted"]).tolist():
        rows = described.of_class(target)
        chosen = np.sort(random.permutation(rows)[: config.max_images])
        arrays = described.load(chosen, ("cells", "shares", "agrees", "features"))
        has_evidence = arrays["shares"] > 0  # none where a map is flat
        owner = np.broadcast_to(described.facts["index"][chosen][:, None], has_evidence.shape)
        features = arrays["features"][has_evidence].astype(np.float32)
        owner, cells, agrees = (each[has_evidence] for each in (owner, arrays["cells"], arrays["agrees"]))
        yield _Evidence(target, len(rows), owner, cells, agrees, features)


def _project(evidence: Sequence[_Evidence], seed: int) -> list[_Evidence]:
    """Features standardized and projected on their principal components."""
    if not evidence:
        return []
    PCA = sklearn_module("decomposition").PCA
    everything = np.concatenate([each.features for each in evidence])
    random = np.random.default_rng(seed)
    some = everything[random.permutation(len(everything))[:SAMPLE]]
    mean, std = some.mean(0), some.std(0) + 1e-6
    fitted = PCA(min(DIMENSIONS, *some.shape), random_state=seed).fit((some - mean) / std)
    return [_replace(each, fitted.transform((each.features - mean) / std)) for each in evidence]


def _replace(evidence: _Evidence, features: ndarray) -> _Evidence:
    return _Evidence(evidence.target, evidence.count, evidence.owner, evidence.cell, evidence.agrees, features)


def _candidates(
    own: _Evidence, everything: Sequence[_Evidence], grid: tuple[int, int], config: AuditConfig
) -> Iterator[Candidate]:
    images = len(np.unique(own.owner))
    for number, chosen in enumerate(_groups(own.features, max(config.min_images, images // 10))):
        owners = np.unique(own.owner[chosen])
        if len(owners) >= config.min_images:
            cells = {int(owner): tuple(sorted(own.cell[chosen & (own.owner == owner)].tolist())) for owner in owners}
            yield Candidate(
                name=f"{own.target}-{number}",
                target=own.target,
                cells=cells,
                count=own.count,
                share=len(owners) / images,
                **_qualities(own, chosen, everything, grid),
                grid=grid,
            )


def _groups(features: Float[ndarray, "cells dims"], smallest: int) -> Iterator[Bool[ndarray, " cells"]]:
    """The clusters of a hierarchy (average linkage) with some cells and at most half of all: fine and coarse ones."""
    from scipy.cluster.hierarchy import leaves_list, linkage

    tree = linkage(features, "average")
    order = leaves_list(tree)  # the cells of a cluster follow each other
    starts = np.argsort(order).tolist()
    for left, _, _, size in tree:
        starts.append(starts[int(left)])
        if smallest <= size <= len(order) / 2:
            chosen = np.zeros(len(order), dtype=bool)
            chosen[order[starts[-1] : starts[-1] + int(size)]] = True
            yield chosen


def _distinct(ranked: Sequence[Candidate], most: int) -> list[Candidate]:
    """The first candidates, without those that share half of their cells, or of the other's, with a better one."""
    kept: list[Candidate] = []
    for each in ranked:
        if len(kept) < most and all(_overlap(each.cells, other.cells) < OVERLAP for other in kept):
            kept.append(each)
    return kept


def merge(parts: Sequence[Candidate]) -> Candidate:
    """The candidate with the cells of all; its qualities are means, weighted by cells."""
    first = parts[0]
    if len(parts) == 1:
        return first
    owners = sorted({owner for part in parts for owner in part.cells})
    cells = {owner: tuple(sorted({c for part in parts for c in part.cells.get(owner, ())})) for owner in owners}
    weights = [sum(map(len, part.cells.values())) for part in parts]
    means: Any = {
        name: float(np.average([getattr(part, name) for part in parts], weights=weights)) for name in QUALITIES
    }
    return replace(first, cells=cells, share=len(owners) * first.share / len(first.cells), **means)


def touch(first: Candidate, second: Candidate) -> bool:
    """Whether two candidates are neighbors in most of the images that both have."""
    near = []
    for image in first.cells.keys() & second.cells.keys():
        one, other = (np.stack(np.divmod(each.cells[image], each.grid[1])) for each in (first, second))
        near.append((abs(one[:, :, None] - other[:, None]).max(0) <= 1).any())
    return bool(near) and bool(np.mean(near) >= 0.5)


def _overlap(first: Cells, second: Cells) -> float:
    """The cells that both have, as a fraction of those of the smaller.

    >>> _overlap({0: (3, 4), 1: (5,)}, {0: (4,), 2: (5,)})
    0.5
    """
    common = sum(len({*cells} & {*second.get(image, ())}) for image, cells in first.items())
    return common / min(sum(map(len, each.values())) for each in (first, second))


def _qualities(
    own: _Evidence, chosen: ndarray, everything: Sequence[_Evidence], grid: tuple[int, int]
) -> dict[str, float]:
    features = own.features[chosen]
    center = features.mean(0)
    distances = np.linalg.norm(features - center, axis=1)
    radius = np.quantile(distances, 0.9)
    spread = np.linalg.norm(own.features - own.features.mean(0), axis=1).mean()
    alike = {
        each.target: float((np.linalg.norm(each.features - center, axis=1) <= radius).mean()) for each in everything
    }
    rows, cols = own.cell[chosen] // grid[1], own.cell[chosen] % grid[1]
    scatter = float(np.hypot(rows.std() / grid[0], cols.std() / grid[1]))
    return {
        "tightness": float(np.clip(1 - distances.mean() / max(spread, 1e-9), 0, 1)),
        "exclusivity": alike[own.target] / max(sum(alike.values()), 1e-9),
        "fixed": float(np.clip(1 - scatter / 0.4, 0, 1)),  # 0.41 is the scatter of cells all over the image
        "agreement": float(own.agrees[chosen].mean()),
    }


def sklearn_module(name: str) -> Any:
    """A module of scikit-learn."""
    import importlib

    try:
        return importlib.import_module(f"sklearn.{name}")
    except ModuleNotFoundError as error:
        raise MissingExtra("audits", "audit") from error
