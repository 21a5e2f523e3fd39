import torch

from seewhy.explorer.curves import Sweep, flip_count, measure_curves, perturbed_images


def test_deletion_replaces_the_top_pixels_and_insertion_shows_only_them():
    image, reference = torch.ones(1, 3, 2, 2), torch.zeros(1, 3, 2, 2)
    ranks = torch.tensor([[2, 0], [1, 3]])
    deleted = perturbed_images(image, reference, ranks, Sweep("deletion", (0, 1, 4), reference))
    inserted = perturbed_images(image, reference, ranks, Sweep("insertion", (0, 1, 4), reference))
    assert deleted[:, 0].tolist() == [[[1, 1], [1, 1]], [[1, 0], [1, 1]], [[0, 0], [0, 0]]]
    assert torch.equal(deleted, 1 - inserted)


def test_curves_hold_the_watched_classes_at_every_point(tiny_vit, images):
    ranks = torch.arange(32 * 32).view(1, 32, 32)
    references = torch.stack([torch.zeros(3, 32, 32), torch.full((3, 32, 32), 0.5)])
    sweep = Sweep("deletion", (0, 300, 1024), references)
    curves = measure_curves(tiny_vit, images[:1], ranks, [sweep], watched=(3, 1))
    assert curves.probabilities.shape == (1, 1, 2, 3, 2)
    half_gone = images[:1].clone()
    half_gone.flatten(2)[..., :300] = 0.5
    expected = tiny_vit.probabilities(half_gone)[0]
    torch.testing.assert_close(curves.probabilities[0, 0, 1, 1], expected[[3, 1]])
    assert curves.top1[0, 0, 1, 1] == expected.argmax()


def test_flip_is_the_first_measured_change():
    counts = [0, 10, 20, 30]
    assert flip_count(counts, [7, 7, 2, 7], 7) == 20
    assert flip_count(counts, [7, 7, 7, 7], 7) is None
    assert flip_count(counts, [2, 7, 2, 7], 7, direction="insertion") == 10
    assert flip_count(counts, [2, 2, 2, 2], 7, direction="insertion") is None
