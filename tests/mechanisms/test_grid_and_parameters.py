import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.mechanisms import UsageError
from provado.mechanisms.definitions import parameters
from provado.mechanisms.noise.exact_noise import round_to_grid, to_grid


def test_halves_go_up_and_nothing_below_a_half_does():
    assert to_grid([0.5, 1.5, -0.5, -1.5], 1.0).tolist() == [1, 2, 0, -1]
    # 0.49999999999999994 + 0.5 is 1.0 in floating point.
    assert to_grid(0.49999999999999994, 1.0) == 0
    assert to_grid(-0.5000000000000001, 1.0) == -1


@given(
    value=st.floats(-1e6, 1e6),
    exponent=st.integers(-20, 3),
)
def test_rounding_is_the_exact_one(value, exponent):
    grid = 2.0**exponent
    exact = math.floor(Fraction(value) / Fraction(grid) + Fraction(1, 2))
    assert to_grid(value, grid) == exact
    assert Fraction(float(round_to_grid(value, grid))) == exact * Fraction(grid)


@given(a=st.floats(-1e6, 1e6), b=st.floats(-1e6, 1e6))
def test_numbers_a_whole_number_of_steps_apart_stay_so(a, b):
    steps = math.ceil(abs(Fraction(a) - Fraction(b)))
    assert abs(int(to_grid(a, 1.0)) - int(to_grid(b, 1.0))) <= steps


@pytest.mark.parametrize("grid", [0.1, 0.0, -1.0, math.inf, 3.0])
def test_a_grid_is_a_power_of_two(grid):
    with pytest.raises(UsageError, match="grid is"):
        to_grid(1.0, grid)


def test_values_too_large_for_the_grid_are_refused():
    with pytest.raises(UsageError, match=r"2\*\*62"):
        to_grid(1e18, 2.0**-10)


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (parameters.positive, [1, 0.5], [0, -1, math.nan, math.inf]),
        (parameters.rational, [Fraction(1, 3), 2, 0.5], [0, -1, math.nan, math.inf, "x"]),
        (parameters.probability, [0.5], [0, 1, math.nan, -0.1, 1.5]),
        (parameters.natural, [1, np.int64(7)], [0, -3, 1.0, True, "2"]),
        (parameters.power_of_two, [1, 2.0**-20, 8], [0.3, 0, 6]),
        (parameters.answers, [1, [1, 2.5], [[1.0]]], [math.nan, [1, math.inf], "x", [[1], [1, 2]]]),
        (parameters.vector, [[1, 2.5]], [1, [], [[1.0]], [math.nan]]),
        (parameters.integers, [3, [1, 2], 4.0, True], [0.5, [1.5], 2**62, math.nan, "x"]),
    ],
)
def test_each_check_takes_the_good_and_names_the_bad(check, good, bad):
    for value in good:
        assert np.array_equal(check(value, "thing"), value)
    for value in bad:
        with pytest.raises(UsageError, match="thing is"):
            check(value, "thing")
