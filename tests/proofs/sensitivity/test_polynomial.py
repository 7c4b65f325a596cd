from fractions import Fraction

import numpy as np
import pytest

from provado.proofs.kernel import KernelRefusal
from tests.proofs.sensitivity.sharp_bounds.polynomial import (
    combine,
    minus,
    nonnegative,
    nonnegative_from,
    ratio_at_most,
    times,
    variable,
)


def test_true_inequalities_pass():
    assert nonnegative((-6, 1, 1), 2).verdict == "proved"
    # x² − 9x + 18 is below 0 between 3 and 6 only.
    assert nonnegative((18, -9, 1), 6).verdict == "proved"
    # 1/(x + 1) ≤ 1/x.
    assert ratio_at_most(((1,), (1, 1)), ((1,), (0, 1)), 1).verdict == "proved"


@pytest.mark.parametrize(
    ("polynomial", "lower", "tried_to"),
    [((-7, 1, 1), 2, None), ((18, -9, 1), 3, None), ((18, -9, 1), 3, 10), ((0, 0, -1), 1, 5)],
)
def test_false_inequalities_are_refused(polynomial, lower, tried_to):
    with pytest.raises(KernelRefusal):
        nonnegative(polynomial, lower, tried_to=tried_to)


def test_a_denominator_below_zero_is_refused():
    with pytest.raises(KernelRefusal):
        nonnegative((1, 1), 1, over=(-5, 1))
    with pytest.raises(KernelRefusal):
        ratio_at_most(((2,), (0, 1)), ((1,), (0, 1)), 1)


def test_products_and_differences_agree_with_numpy():
    rng = np.random.default_rng(1)
    for _ in range(30):
        p, q = ([int(c) for c in rng.integers(-5, 6, size=rng.integers(1, 6))] for _ in range(2))
        assert np.array_equal(times(p, q), np.convolve(p, q))
        x = Fraction(int(rng.integers(-9, 9)), 7)
        value = [sum(c * x**k for k, c in enumerate(r)) for r in (p, q, minus(p, q))]
        assert value[2] == value[0] - value[1]


def test_polynomials_of_two_variables():
    x, y = variable(0, 2), variable(1, 2)
    assert combine((1, [x, x]), (-1, [y]), (2, [x, y])) == {(2, 0): 1, (0, 1): -1, (1, 1): 2}
    square = combine((1, [x, x]), (-2, [x, y]), (1, [y, y]))
    with pytest.raises(KernelRefusal):
        # True, but not by its coefficients: the check is sufficient, not necessary.
        nonnegative_from(square, (0, 0))
    assert nonnegative_from(combine((1, [x, x]), (1, [y])), (2, -4)).verdict == "proved"
