"""Cells of one feature and the bits of a double, each against a naive twin."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from provado.audit.events.features.feature import float_bits
from provado.audit.events.threshold import merge_cells, monotone_edges, rank_grid, tally

COUNTS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=0, max_size=12)


def naive_bits(x):
    """Return sign, exponent and place of the lowest set bit by exact arithmetic."""
    if x == 0:
        return (0, 0, 0)
    exact, place = abs(Fraction(x)), 0
    while exact.denominator > 1:
        exact, place = exact * 2, place - 1
    while exact.numerator % 2 == 0:
        exact, place = exact / 2, place + 1
    exponent = math.frexp(x)[1] - 1
    # Numbers below the normal range share the exponent of its border.
    return (int(x < 0), max(exponent, -1022) + 1100, place + 1100)


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(5e-324)
@example(-0.0)
@example(2.0**-1022)
@example(1.7976931348623157e308)
@example(1.5)
def test_float_bits_equal_exact_arithmetic(x):
    assert tuple(int(part[0]) for part in float_bits(np.array([x]))) == naive_bits(x)


def test_float_bits_of_a_column_that_is_not_contiguous():
    column = np.array([[0.5, 1.0], [3.0, 2.0]])[:, 0]
    assert [part.tolist() for part in float_bits(column)] == [[0, 0], [1099, 1101], [1099, 1100]]


def log_likelihood(a, b):
    n = a + b
    return (a * math.log(a / n) if a else 0.0) + (b * math.log(b / n) if b else 0.0)


def naive_merge(a, b, penalty):
    """Merge the pair of neighbors that loses least, again and again, all losses computed anew."""
    cells = [(float(x), float(y), i) for i, (x, y) in enumerate(zip(a, b, strict=True))]
    while len(cells) > 1:
        losses = [
            log_likelihood(p[0], p[1])
            + log_likelihood(q[0], q[1])
            - log_likelihood(p[0] + q[0], p[1] + q[1])
            for p, q in pairwise(cells)
        ]
        i = losses.index(min(losses))
        if losses[i] >= penalty:
            break
        p, q = cells[i], cells[i + 1]
        cells[i : i + 2] = [(p[0] + q[0], p[1] + q[1], p[2])]
    starts = {cell[2] for cell in cells}
    return [i in starts for i in range(1, len(a))]


@given(COUNTS, st.sampled_from([0.5, 2.0, 4.0, 10.0]))
def test_merge_cells_equals_a_greedy_twin(counts, penalty):
    a, b = (np.array([c[side] for c in counts], dtype=np.int64) for side in (0, 1))
    assert merge_cells(a, b, penalty).tolist() == naive_merge(a, b, penalty)


def test_merge_cells_keeps_the_steps_and_only_them():
    rng = np.random.default_rng(1)
    rate = np.repeat([0.2, 0.5, 0.8], 20)
    a = rng.binomial(1000, rate)
    kept = merge_cells(a, 1000 - a, 4.0)
    assert kept[19]
    assert kept[39]
    assert kept.sum() <= 4


def test_merge_cells_merges_all_of_what_does_not_differ():
    assert not merge_cells(np.full(30, 50), np.full(30, 50), 4.0).any()
    assert merge_cells(np.array([100, 0]), np.array([0, 100]), 4.0).all()
    assert merge_cells(np.array([3]), np.array([3]), 4.0).size == 0


def naive_monotone(a, b):
    """Return the likeliest rising proportions: min over ends, max over starts of averages."""
    m, total = len(a), [max(x + y, 1) for x, y in zip(a, b, strict=True)]
    return [
        max(
            min(sum(a[s : e + 1]) / sum(total[s : e + 1]) for e in range(i, m))
            for s in range(i + 1)
        )
        for i in range(m)
    ]


@given(COUNTS.filter(len))
@example([(24, 23)] * 4)
def test_monotone_edges_equal_the_max_min_formula(counts):
    a, b = [c[0] for c in counts], [c[1] for c in counts]
    found = monotone_edges(np.array(a), np.array(b)).tolist()
    ways = []
    for rising in (True, False):
        order = slice(None) if rising else slice(None, None, -1)
        fit = naive_monotone(a[order], b[order])[order]
        ways.append([abs(x - y) > 1e-12 for x, y in pairwise(fit)])
    assert found in ways


def test_monotone_edges_take_the_likelier_direction():
    up = np.array([10, 20, 30, 40])
    assert monotone_edges(up, 50 - up).all()
    assert monotone_edges(50 - up, up).all()
    assert not monotone_edges(np.array([5, 5, 5]), np.array([5, 5, 5])).any()


@given(
    st.lists(st.integers(-5, 5), max_size=20),
    st.lists(st.integers(-5, 5), max_size=6, unique=True),
)
def test_tally_counts_half_open_cells(x, edges):
    edges = sorted(edges)
    limits = [-math.inf, *edges, math.inf]
    expected = [sum(low <= v < high for v in x) for low, high in pairwise(limits)]
    assert tally(np.array(edges, dtype=float), np.sort(np.array(x, float))).tolist() == expected


@pytest.mark.parametrize("n", [0, 1, 2, 3, 10, 64, 1000, 10**6])
def test_the_rank_grid_is_sorted_inside_and_symmetric_in_the_tails(n):
    ranks = rank_grid(n)
    assert np.all(np.diff(ranks) > 0)
    assert np.all((ranks > 0) & (ranks < n))
    if n >= 64:
        assert {1, 2, 3, n - 3, n - 2, n - 1} <= set(ranks.tolist())
        gaps = np.diff(ranks)
        assert gaps.max() <= max(n / 128 + 1, 1)
    assert len(ranks) < 500


def test_the_rank_grid_of_a_small_sample_is_every_rank():
    assert rank_grid(60, 6, 64).tolist() == list(range(1, 60))
