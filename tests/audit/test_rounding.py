"""Two bounds of one pair: as released, and apart from low-order bits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.audit import audit
from provado.audit.events.cause import CauseKind
from provado.audit.events.rounding import BITS, Grid, grid_of, significant
from provado.audit.target.output_encoding import Encoded
from provado.mechanisms import Verdict
from provado.reports.text.cause_and_fix import cause

PAIR = ([0.1, 0.2], [0.1, 1.1])


def textbook(data, size, rng):
    """Keeps its claim in real arithmetic, not in floating point."""
    return np.sum(data) + rng.laplace(0, 1, size)


def too_little(data, size, rng):
    return np.sum(data) + rng.laplace(0, 0.25, size)


def on_a_grid(data, size, rng):
    return np.round((np.sum(data) + rng.laplace(0, 1, size)) * 1024) / 1024


def encoded(*columns):
    values = np.column_stack(columns)
    pattern = np.zeros(len(values), dtype=np.int64)
    return Encoded(pattern, values, pattern)


def audited(mechanism, claim=1.0, **more):
    return audit(mechanism, epsilon=claim, pair=PAIR, samples=60_000, **more)


def test_a_textbook_sum_fails_only_through_low_order_bits():
    result = audited(textbook)
    assert result.verdict is Verdict.VIOLATION
    released, apart = result.pairs
    assert (released.rounded, apart.rounded) == (False, True)
    assert released.cause.kind is CauseKind.BITS
    assert released.epsilon_lower > 4
    assert 0.8 < apart.epsilon_lower < 0.9
    assert cause(result).startswith("Only through low-order bits (ε ≥ ")
    # Two bounds share what one would have had.
    assert released.method.alpha == apart.method.alpha == pytest.approx(0.05 / 2, rel=0.01)


@pytest.mark.parametrize(("scale", "by_bits"), [(1.0, True), (0.4, False)])
def test_bets_name_low_order_bits_where_these_carry_the_bound(scale, by_bits):
    def one(data, rng):
        return np.sum(data) + rng.laplace(0, scale)

    result = audit(one, epsilon=1.0, pair=PAIR, samples="auto:3000")
    assert result.verdict is Verdict.VIOLATION
    assert (result.explained_pair.cause.kind is CauseKind.BITS) is by_bits


def test_a_wrong_scale_shows_behind_the_bits():
    result = audited(too_little)
    _, apart = result.pairs
    assert apart.epsilon_lower > 3
    assert cause(result).startswith("Also apart from low-order bits: ε ≥ 3")
    assert apart.cause.kind is CauseKind.SHIFT
    assert result.explained_pair is apart


def test_exact_real_arithmetic_can_be_meant():
    result = audited(textbook, arithmetic="ideal")
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.arithmetic == "ideal"
    assert [pair.rounded for pair in result.pairs] == [True]


def test_what_has_no_low_order_bits_has_one_bound_with_all_of_alpha():
    for mechanism in (on_a_grid, lambda data, size, rng: rng.integers(0, 2, size)):
        (pair,) = audited(mechanism, 1.2).pairs
        assert pair.method.alpha > 0.99 * 0.05
        assert pair.verdict is Verdict.NO_VIOLATION


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30), st.integers(-10, 10))
def test_each_output_is_rounded_by_itself(numbers, exponent):
    grid = Grid((2.0**exponent,))
    together = grid(encoded(np.array(numbers))).values[:, 0]
    alone = [grid(encoded(np.array([x]))).values[0, 0] for x in numbers]
    assert together.tolist() == alone
    assert np.all(np.abs(together - numbers) <= 2.0**exponent / 2)


def test_a_grid_leaves_whole_numbers_and_few_values_alone():
    rng = np.random.default_rng(0)
    wide = rng.integers(-(2**50), 2**50, 1000).astype(float)
    few = rng.choice([0.1, 0.3, 0.7], 1000)
    noisy = rng.laplace(0, 3, 1000)
    steps = grid_of(encoded(wide, few, noisy), encoded(wide, few, noisy)).steps
    assert steps[:2] == (0.0, 0.0)
    assert 0 < steps[2] < 1e-8
    assert np.log2(steps[2]).is_integer()


@given(st.lists(st.floats(allow_infinity=True, allow_nan=True), min_size=1, max_size=30))
def test_so_many_bits_are_left_where_no_spread_is_known(numbers):
    values = np.array(numbers)
    left = significant(encoded(values)).values[:, 0]
    finite = np.isfinite(values) & (np.abs(values) > 1e-290) & (np.abs(values) < 1e290)
    moved = np.abs(left[finite] - values[finite])
    assert np.all(moved <= np.abs(values[finite]) * 2.0**-BITS)
    assert np.array_equal(left[~np.isfinite(values)], values[~np.isfinite(values)], equal_nan=True)
    mantissa = np.frexp(left[finite])[0]
    assert np.all(mantissa * 2.0**BITS == np.rint(mantissa * 2.0**BITS))


def test_low_order_bits_alone_do_not_survive_the_grid():
    rng = np.random.default_rng(1)
    a = rng.integers(0, 2**40, 50_000) * 2.0**-40
    b = a + 2.0**-45
    grid = grid_of(encoded(a), encoded(b))
    same = grid(encoded(a)).values == grid(encoded(b)).values
    assert same.mean() > 0.999
