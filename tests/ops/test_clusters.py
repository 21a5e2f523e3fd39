"""Points in groups: k-means and complete linkage on points one can group by eye."""

import torch

from seewhy.ops.clusters import complete_linkage, k_means


def test_every_point_its_own_center_when_there_are_enough():
    points = torch.tensor([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
    centers = k_means(points, 10)
    torch.testing.assert_close(centers.sort(dim=0).values, points)


def test_far_groups_are_found_from_every_start():
    generator = torch.Generator().manual_seed(0)
    points = torch.cat([center + torch.rand(20, 2, generator=generator) for center in (0.0, 100.0)])
    expected = torch.stack([points[:20].mean(dim=0), points[20:].mean(dim=0)])
    for seed in range(5):
        torch.testing.assert_close(k_means(points, 2, seed=seed).sort(dim=0).values, expected)


def test_the_same_seed_gives_the_same_centers():
    points = torch.rand(50, 3, generator=torch.Generator().manual_seed(1))
    assert torch.equal(k_means(points, 7, seed=2), k_means(points, 7, seed=2))
    assert not torch.equal(k_means(points, 7, seed=2), k_means(points, 7, seed=3))


def test_complete_linkage_asks_the_farthest_members():
    """A chain 0, 1, 2 on a line: neighbors are within 1, the ends are not."""
    places = torch.tensor([0.0, 1.0, 2.1, 50.0])
    groups = complete_linkage((places[:, None] - places[None]).abs(), 1.05)
    assert groups[0] == groups[1]
    assert len(set(groups.tolist())) == 3
    assert len(set(complete_linkage((places[:, None] - places[None]).abs(), 3.0).tolist())) == 2
    assert complete_linkage(torch.zeros(1, 1), 0.1).tolist() == [0]
