import numpy as np
import pytest
import torch

from seewhy.explorer.ranks import predict_ranks, rank_corrections, resize, sort_maps
from seewhy.ops.curves import pixel_order, pixel_ranks
from seewhy.ops.resize import resize_maps


@pytest.mark.parametrize("size", [(7, 7), (14, 14), (5, 9), (56, 60)])
def test_maps_are_resized_as_torch_does(size):
    maps = torch.rand(1, 1, *size, generator=torch.Generator().manual_seed(0)).double()
    expected = resize_maps(maps, (56, 48))[0, 0].numpy()
    np.testing.assert_allclose(resize(maps[0, 0].numpy(), 56, 48), expected, atol=1e-12)


def test_predictions_and_corrections_give_the_ranks_of_the_metrics():
    maps = torch.rand(2, 14, 14, generator=torch.Generator().manual_seed(0)).round(decimals=1)  # with ties
    ranks = pixel_ranks(pixel_order(resize_maps(maps[None], (224, 224))[0])).view(2, 224, 224).numpy()
    corrections = rank_corrections(maps.numpy(), ranks.astype(np.uint16))
    predicted = np.stack([predict_ranks(each, 224, 224) for each in maps.numpy()])
    np.testing.assert_array_equal((predicted + corrections).astype(np.uint16), ranks)
    assert np.abs(corrections).mean() < 50  # of 50,176 ranks; flat areas tie differently


def test_a_map_with_nan_ranks_as_a_flat_one():
    broken = np.array([[1.0, np.nan], [0.0, 2.0]], dtype=np.float32)
    np.testing.assert_array_equal(predict_ranks(broken, 2, 2), [[0, 1], [2, 3]])


def test_sorted_maps_keep_the_order_and_nearly_the_values():
    maps = torch.randn(2, 20, 30, generator=torch.Generator().manual_seed(0)).mul(torch.tensor([[[1.0]], [[30.0]]]))
    maps[0, :5] = 0  # ties
    ranks = pixel_ranks(pixel_order(maps)).view_as(maps).numpy().astype(np.uint16)
    order, levels, step = sort_maps(maps.numpy(), ranks)
    values = levels.view(np.int32).reshape(2, -1) * step[:, None]
    for k in range(2):
        assert np.array_equal(ranks[k].ravel()[order[k].view(np.uint16)], np.arange(600))
        np.testing.assert_allclose(values[k], maps[k].flatten()[order[k].view(np.uint16)], atol=step[k] / 2 * 1.001)


def test_a_map_of_zeros_can_be_sorted():
    order, levels, step = sort_maps(np.zeros((1, 2, 2), np.float32), np.arange(4, dtype=np.uint16).reshape(1, 2, 2))
    assert (order.tolist(), levels.tolist(), step.tolist()) == ([[0, 1, 2, 3]], [0, 0, 0, 0], [0])
