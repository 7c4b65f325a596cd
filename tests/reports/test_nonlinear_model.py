from __future__ import annotations

import math

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.reports.commands.reproduce.sources.networks import (
    FUNCTIONS,
    NonlinearEquation,
    NonlinearModel,
    common_causes,
    nonlinear_model,
)

DIAMOND = {"d": ["b", "c"], "b": ["a"], "c": ["a"], "a": []}


def naive_sample(model, n, rng):
    """The equations record by record, from the noise that the model draws column by column."""
    noise = {name: rng.uniform(-0.5, 0.5, n) for name in model.equations}
    functions = {
        "sin": math.sin,
        "cos": math.cos,
        "tanh": math.tanh,
        "square": lambda v: v * v,
        "exp": math.exp,
    }
    rows = []
    for i in range(n):
        row = {}
        for name, e in model.equations.items():
            inside = sum(a * row[p] for a, p in zip(e.weights, e.parents, strict=True))
            row[name] = functions[e.function](inside) + e.noise * noise[name][i]
        rows.append(row)
    return rows


@pytest.mark.parametrize("seed", range(4))
def test_records_satisfy_their_equations(seed):
    model = nonlinear_model(DIAMOND, np.random.default_rng(seed))
    found = model.sample(20, np.random.default_rng(seed + 50))
    naive = naive_sample(model, 20, np.random.default_rng(seed + 50))
    for name, column in found.items():
        assert column == pytest.approx([row[name] for row in naive], rel=1e-12, abs=1e-12)


def test_parents_come_first_and_coefficients_lie_in_their_ranges():
    model = nonlinear_model(DIAMOND, np.random.default_rng(0))
    order = list(model.equations)
    assert set(order) == set(DIAMOND)
    for name, equation in model.equations.items():
        assert list(equation.parents) == DIAMOND[name]
        assert all(order.index(p) < order.index(name) for p in equation.parents)
        assert all(0.5 <= a <= 1 for a in (*equation.weights, equation.noise))


def test_each_function_is_as_likely_as_the_others():
    rng = np.random.default_rng(3)
    roots = {str(i): [] for i in range(4000)}
    drawn = [e.function for e in nonlinear_model(roots, rng).equations.values()]
    counts = [drawn.count(name) for name in FUNCTIONS]
    # Five standard deviations of a binomial with 4,000 draws at 1/5.
    assert all(abs(count - 800) < 5 * math.sqrt(640) for count in counts)
    assert sum(counts) == 4000


def test_the_seed_settles_model_and_sample():
    first, again = (nonlinear_model(DIAMOND, np.random.default_rng(5)) for _ in range(2))
    assert dict(first.equations) == dict(again.equations)
    columns = [model.sample(9, np.random.default_rng(6)) for model in (first, again)]
    assert all(np.array_equal(columns[0][name], columns[1][name]) for name in DIAMOND)


def test_towers_of_exponentials_are_refused_and_standardised_ones_are_not():
    names = [f"x{i}" for i in range(6)]
    equations = {
        name: NonlinearEquation((names[i - 1],) if i else (), (1.0,) if i else (), "exp", 1.0)
        for i, name in enumerate(names)
    }
    tower = NonlinearModel(equations)
    with pytest.raises(UsageError, match=r"column 'x\d' is too large"):
        tower.sample(50, np.random.default_rng(1))
    columns = tower.sample(50, np.random.default_rng(1), standardised=True)
    for column in columns.values():
        assert column.mean() == pytest.approx(0, abs=1e-9)
        assert column.std() == pytest.approx(1)


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        ({}, "parents is empty"),
        ({"a": ["b"]}, "parents of 'a' are"),
        ({"a": [], "b": ["a", "a"]}, "parents of 'b' are"),
        ({"a": ["b"], "b": ["a"]}, "has the cycle"),
        ({"a": ["a"]}, "has the cycle"),
    ],
)
def test_graphs_that_are_none_are_refused(parents, message):
    with pytest.raises(UsageError, match=message):
        nonlinear_model(parents, np.random.default_rng(0))


def test_common_causes_explain_all_that_x_and_y_share():
    found = common_causes(4000, np.random.default_rng(2), causes=3)
    assert list(found) == ["x", "y", "z1", "z2", "z3"]
    shared = np.sin(found["z1"] + found["z2"] + found["z3"])
    left = [found[name] - shared for name in ("x", "y")]
    for noise in left:
        assert 0.49 * 0.5 < np.abs(noise).max() <= 0.5
    # Five standard errors of a correlation; with a cause left out it is far outside.
    assert abs(np.corrcoef(*left)[0, 1]) < 5 / math.sqrt(4000)
    short = np.sin(found["z1"] + found["z2"])
    assert np.corrcoef(found["x"] - short, found["y"] - short)[0, 1] > 0.2
    with pytest.raises(UsageError, match="causes is 0"):
        common_causes(10, np.random.default_rng(0), causes=0)
