"""Forms of noise and the cheapest shifts of it, each against a slow twin."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from provado.audit.experiments.replay.alignment import Demands, cheapest
from provado.audit.experiments.replay.record.linear import (
    Linear,
    constant,
    fresh,
    joined,
    places_of,
)


def dense(form, variables=12):
    """Return the form as a matrix, the slow way."""
    matrix = np.zeros((form.base.size, variables))
    for row, variable, weight in zip(form.rows, form.variables, form.weights, strict=True):
        matrix[row, variable] += weight
    return form.base.ravel(), matrix


def same(form, base, matrix):
    found = dense(form, matrix.shape[-1])
    return np.allclose(found[0], np.ravel(base)) and np.allclose(
        found[1], np.reshape(matrix, (form.base.size, -1))
    )


@pytest.fixture
def forms(rng=None):
    rng = np.random.default_rng(0)
    one = fresh(rng.normal(size=(2, 3)), 0).times(rng.normal(size=3))
    other = fresh(rng.normal(size=3), 6).plus(fresh(rng.normal(size=()), 9))
    return one, other


def test_sums_are_those_of_matrices(forms):
    one, other = forms
    (a, m), (b, n) = dense(one), dense(other)
    spread = np.broadcast_to(n, (2, 3, 12))
    assert same(one.plus(other), a.reshape(2, 3) + b, m.reshape(2, 3, 12) + spread)
    assert same(one.times(3.0), 3 * a, 3 * m)
    assert same(one.plus(constant(1.5)), a + 1.5, m)


@pytest.mark.parametrize("places", [[[5, 0], [0, 0]], [4], 2, [[0, 1, 2], [3, 4, 5]]])
def test_selections_are_those_of_matrices(forms, places):
    for one in (forms[0], forms[0].plus(forms[1]), constant(np.arange(6.0).reshape(2, 3))):
        base, matrix = dense(one)
        flat = np.ravel(places).astype(int)
        taken = one.take(places)
        assert taken.shape == np.shape(places)
        assert same(taken, base[flat], matrix[flat])


def test_reductions_and_joins_are_those_of_matrices(forms):
    one = forms[0].plus(forms[1])
    base, matrix = dense(one)
    groups = np.broadcast_to(np.arange(3), (2, 3))
    added = one.added(groups, (3,))
    assert same(added, base.reshape(2, 3).sum(0), matrix.reshape(2, 3, 12).sum(0))
    both = joined(forms)
    assert same(
        both,
        np.r_[dense(forms[0])[0], dense(forms[1])[0]],
        np.vstack([dense(forms[0])[1], dense(forms[1])[1]]),
    )
    assert places_of((2, 2)).tolist() == [[0, 1], [2, 3]]


def test_a_variable_stands_once_when_summed():
    form = Linear(
        np.zeros(2),
        np.array([1, 0, 1, 1]),
        np.array([3, 2, 3, 1]),
        np.array([1.0, 5.0, 2.0, -1.0]),
    )
    summed = form.summed()
    assert summed.rows.tolist() == [0, 1, 1]
    assert summed.variables.tolist() == [2, 1, 3]
    assert summed.weights.tolist() == [5.0, -1.0, 3.0]
    assert form.plus(form.times(-1.0)).summed().rows.size == 0


def demands(rows, equal, moves):
    entries = [(i, v, w) for i, row in enumerate(rows) for v, w in row.items()]
    r, v, w = zip(*entries, strict=True)
    return Demands(
        np.array(r), np.array(v), np.array(w, float), np.array(moves, float), np.array(equal)
    )


def slow(asked, scales):
    """Return the least cost by the plain linear program on dense matrices."""
    matrix = np.zeros((asked.moves.size, scales.size))
    for row, variable, weight in zip(asked.rows, asked.variables, asked.weights, strict=True):
        matrix[row, variable] += weight
    both, equal = np.hstack([matrix, -matrix]), asked.equal
    found = linprog(
        np.concatenate([1 / scales, 1 / scales]),
        A_ub=-both[~equal],
        b_ub=-asked.moves[~equal],
        A_eq=both[equal],
        b_eq=asked.moves[equal],
    )
    return found.fun if found.status == 0 else None


def test_the_cheapest_shift_costs_what_a_plain_linear_program_says():
    rng = np.random.default_rng(1)
    solved = 0
    for _ in range(60):
        scales = rng.uniform(0.5, 3, size=4)
        rows = [
            {
                int(v): float(w)
                for v, w in zip(rng.permutation(4)[:n], rng.choice([-1, 1, 2], n), strict=True)
            }
            for n in rng.integers(1, 3, size=rng.integers(1, 5))
        ]
        equal = rng.random(len(rows)) < 0.5
        asked = demands(rows, equal, rng.integers(-2, 3, len(rows)))
        found = cheapest(asked, scales, np.full(4, "laplace"))
        expected = slow(asked, scales)
        if expected is None:
            assert found.contradictory.size
        else:
            solved += 1
            assert found.contradictory.size == 0
            assert found.costs.sum() == pytest.approx(expected, abs=1e-6)
    assert 20 < solved < 60


def test_families_are_shifted_as_they_may():
    scales = np.ones(2)
    both = demands([{0: 1.0, 1: -1.0}], [True], [-3.0])
    up = cheapest(both, scales, np.array(["exponential", "exponential"]))
    assert dict(zip(up.variables.tolist(), up.shift.tolist(), strict=True)) == {0: 0.0, 1: 3.0}
    one = demands([{0: 1.0}], [True], [-1.0])
    assert cheapest(one, scales, np.array(["exponential"] * 2)).contradictory.tolist() == [0]
    assert cheapest(one, scales, np.array(["laplace"] * 2)).contradictory.size == 0
    held = demands([{0: 1.0, 1: 1.0}], [False], [1.0])
    assert cheapest(held, scales, np.array(["uniform"] * 2)).contradictory.tolist() == [0]


@pytest.mark.parametrize("above", [None, 0, 3])
def test_a_sparse_vector_costs_its_budget_and_no_more(above):
    # Threshold noise of scale 2/ε and answers' noise of scale 4/ε; all answers move, either way.
    number = 5
    scales, families = np.array([2.0, *[4.0] * number]), np.full(number + 1, "laplace")
    signs = [1 if i == above else -1 for i in range(number)]
    rows = [{1 + i: float(sign), 0: -float(sign)} for i, sign in enumerate(signs)]
    costs = []
    for moves in itertools.product([-1, 1], repeat=number):
        asked = [-move * sign for move, sign in zip(moves, signs, strict=True)]
        found = cheapest(demands(rows, [False] * number, asked), scales, families)
        assert found.contradictory.size == 0
        costs.append(found.costs.sum())
    assert max(costs) == pytest.approx(0.5 if above is None else 1.0, abs=1e-6)
