"""Clustering: k-means on the device of the points, and complete linkage."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

Points = Float[Tensor, "points dim"]


def k_means(
    points: Points, clusters: int, *, iterations: int = 100, tolerance: float = 1e-4, seed: int = 0
) -> Float[Tensor, "clusters dim"]:
    """Cluster centers by Lloyd's algorithm, initialized with random points; an empty cluster keeps its center.

    Stops when the total squared shift of the centers is at most `tolerance`. At most as many clusters as points.

    >>> k_means(torch.tensor([[0.0], [1.0], [10.0], [11.0]]), 2).sort(dim=0).values
    tensor([[ 0.5000],
            [10.5000]])
    """
    generator = torch.Generator().manual_seed(seed)
    start = torch.randperm(len(points), generator=generator)[:clusters].to(points.device)
    centers = points[start]
    for _ in range(iterations):
        nearest = nearest_center(points, centers)
        sums = torch.zeros_like(centers).index_add_(0, nearest, points)
        counts = torch.bincount(nearest, minlength=len(centers)).unsqueeze(1)
        moved = torch.where(counts > 0, sums / counts.clamp(min=1), centers)
        shift, centers = (moved - centers).square().sum(), moved
        if shift <= tolerance:
            break
    return centers


def nearest_center(points: Points, centers: Float[Tensor, "clusters dim"]) -> Int[Tensor, " points"]:
    """Index of the nearest center in Euclidean distance (without |p|², which is the same for all centers)."""
    return (centers.square().sum(dim=1) - 2 * points @ centers.T).argmin(dim=1)


def complete_linkage(distances: Float[Tensor, "points points"], threshold: float) -> Int[Tensor, " points"]:
    """Cluster index of each point: clusters merge while their farthest members are within `threshold`.

    scipy builds the tree on the CPU; only the upper triangle of the distances is copied.
    """
    from scipy.cluster.hierarchy import fcluster, linkage

    if len(distances) < 2:
        return torch.zeros(len(distances), dtype=torch.long, device=distances.device)
    rows, cols = torch.triu_indices(len(distances), len(distances), offset=1, device=distances.device)
    condensed = distances[rows, cols].clamp(min=0).double().cpu().numpy()
    labels = fcluster(linkage(condensed, method="complete"), threshold, criterion="distance")
    return torch.as_tensor(labels, dtype=torch.long, device=distances.device) - 1
