"""Areas, orders and MAS: worked examples and closed forms."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.slow_metrics import mas, ranking
from seewhy.ops.curves import (
    area,
    falling_response,
    mas_deletion_curve,
    mas_insertion_curve,
    pixel_counts,
    pixel_order,
    pixel_ranks,
    rising_response,
)

values = st.lists(st.integers(-5, 5), min_size=4, max_size=24)
shares = st.lists(st.floats(0, 1, width=32), min_size=5, max_size=5)


def double(numbers):
    return torch.tensor(numbers, dtype=torch.float64)


def close(found, expected):
    torch.testing.assert_close(found, double(expected), rtol=0, atol=1e-9)


@pytest.mark.parametrize(("rule", "expected"), [("trapezoid", 0.3375), ("mean", 0.37), ("mean_after_first", 0.2125)])
def test_area_of_the_worked_curve(rule, expected):
    close(area(double([1, 0.5, 0.25, 0.1, 0]), rule=rule), expected)


@pytest.mark.parametrize("rule", ["trapezoid", "mean", "mean_after_first"])
def test_area_of_a_constant_is_the_constant(rule):
    close(area(torch.full((3, 7), 0.4, dtype=torch.float64), rule=rule), [0.4] * 3)


@given(values)
@settings(max_examples=30, deadline=None)
def test_order_is_by_value_then_by_index(numbers):
    order = pixel_order(double(numbers).view(1, -1))
    assert order.tolist() == ranking(numbers)
    ranks = pixel_ranks(order)
    assert ranks[order].tolist() == list(range(len(numbers)))


def test_equal_values_go_in_reading_order():
    assert pixel_order(torch.zeros(2, 3, 3)).tolist() == [list(range(9))] * 2


def test_counts_of_the_21_points():
    counts = pixel_counts(tuple(i / 20 for i in range(21)), 50176)
    assert counts[:6] == [0, 2509, 5018, 7526, 10035, 12544]
    assert counts[-1] == 50176


INSERTION = [0.1, 0.5, 0.4, 0.8, 0.9]
DELETION = [0.9, 0.5, 0.6, 0.2, 0.1]
DENSITY = [0, 0.4, 0.7, 0.9, 1]


def insertion_parts(curve, density):
    response = rising_response(double(curve), double(curve[0]), double(curve[-1]))
    return response, mas_insertion_curve(response, double(density))


def deletion_parts(curve, density):
    response = falling_response(double(curve), double(curve[-1]), double(curve[0]))
    return response, mas_deletion_curve(response, 1 - double(density))


def test_mas_insertion_by_hand():
    response, curve = insertion_parts(INSERTION, DENSITY)
    close(response, [0, 0.5, 0.5, 0.875, 1])
    close((response - double(DENSITY)).abs(), [0, 0.1, 0.2, 0.025, 0])
    close(curve, [0, 0.4, 0.3, 0.85, 1])
    close(area(response), 0.59375)
    close(area(curve), 0.5125)


def test_mas_deletion_by_hand():
    response, curve = deletion_parts(DELETION, DENSITY)
    close(response, [1, 0.5, 0.5, 0.125, 0])
    close(curve, [1, 0.6, 0.7, 0.15, 0])
    close(area(response), 0.40625)
    close(area(curve), 0.4875)


def test_mas_does_not_reward_saturation():
    response, curve = insertion_parts([0.1, 0.9, 0.9, 0.9, 0.9], [0, 0.25, 0.5, 0.75, 1])
    close(area(response), 0.875)
    close(area(curve), 0.5)


def test_mas_of_perfect_alignment_is_the_area():
    response, curve = insertion_parts([0, 0.4, 0.7, 0.9, 1], DENSITY)
    close(area(response), 0.625)
    close(area(curve), 0.625)


def test_a_flat_response_is_undefined_and_scores_one_half():
    for parts in (insertion_parts, deletion_parts):
        response, curve = parts([0.3] * 5, DENSITY)
        assert response.isnan().all()
        close(area(curve), 0.5)


@given(shares, st.lists(st.floats(0.0625, 1, width=32), min_size=4, max_size=4))
@settings(max_examples=60, deadline=None)
def test_mas_against_the_slow_writing(curve, attributions):
    density = [sum(attributions[:step]) / sum(attributions) for step in range(5)]
    for rising, parts in ((True, insertion_parts), (False, deletion_parts)):
        floor, clean = (curve[0], curve[-1]) if rising else (curve[-1], curve[0])
        if clean - floor < 1e-6:
            continue  # nothing but rounding is left of such a curve
        found = float(area(parts(curve, density)[1]))
        assert found == pytest.approx(mas(curve, floor, clean, attributions, rising), abs=1e-6)


@given(shares, shares)
@settings(max_examples=40, deadline=None)
def test_closed_form_of_mas(response, density):
    """Before clipping: the density where the response is at least as high, else 2·MR - DR; mirrored for deletion."""
    moved, dense = double(response), double(density)
    for curve, aligned in ((mas_insertion_curve, moved >= dense), (mas_deletion_curve, moved <= dense)):
        clipped = torch.where(aligned, dense, 2 * moved - dense).clamp(0, 1)
        width = clipped.max() - clipped.min()
        if width > 1e-6:
            close(curve(moved, dense), ((clipped - clipped.min()) / width).tolist())
