from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.scores.conditional_ranks import (
    conditional_rho_average,
    conditional_rho_sums,
)
from tests.mechanisms.discovery.stratified_rho import stratified_rho
from tests.mechanisms.scores.score_variants import conditional_rho_z


@st.composite
def stratified_rows(draw):
    n, a, b, strata = (
        draw(st.integers(low, high)) for low, high in ((2, 60), (2, 5), (2, 5), (1, 4))
    )
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    return rng.integers(0, a, n), rng.integers(0, b, n), rng.integers(0, strata, n), (strata, a, b)


def tables_of(x, y, z, shape):
    tables = np.zeros(shape, dtype=np.int64)
    np.add.at(tables, (z, x, y), 1)
    return tables


@settings(max_examples=80)
@given(stratified_rows(), st.sampled_from(["all", "released"]))
def test_midranks_equal_the_exact_form_from_rows(rows, rule):
    x, y, z, _ = rows
    found = stratified_rho(tables_of(*rows), form="midrank", rule=rule)
    top, bottom = conditional_rho_sums(x, y, z, rule=rule, ties="midrank")
    assert found.weighted == pytest.approx(float(top), abs=1e-12, rel=1e-12)
    assert found.weights == float(bottom)
    average = conditional_rho_average(x, y, z, rule=rule, ties="midrank")
    assert found.average == pytest.approx(float(average), abs=1e-12)
    expected = conditional_rho_z(x, y, z, rule=rule, ties="midrank")
    assert found.z == pytest.approx(expected, abs=1e-12, rel=1e-12)


def test_midranks_equal_the_exact_form_on_many_rows():
    rng = np.random.default_rng(2)
    x, z = rng.integers(0, 4, 100_000), rng.integers(0, 3, 100_000)
    y = (x + rng.integers(0, 3, 100_000)) // 2
    tables = tables_of(x, y, z, (3, 4, 3))
    found = stratified_rho(tables, form="midrank").average
    assert found == pytest.approx(
        float(conditional_rho_average(x, y, z, ties="midrank")), abs=1e-12
    )


@settings(max_examples=60)
@given(stratified_rows())
def test_corrected_equals_scipy_in_each_stratum_that_counts(rows):
    x, y, z, _ = rows
    top = bottom = 0.0
    for stratum in np.unique(z):
        a, b = x[z == stratum], y[z == stratum]
        if a.size >= 3 and np.ptp(a) and np.ptp(b):
            top += (a.size - 1) * float(stats.spearmanr(a, b).statistic)
            bottom += a.size - 1
    found = stratified_rho(tables_of(*rows))
    assert found.weighted == pytest.approx(top, abs=1e-10)
    assert found.weights == bottom
    tested = 2 * stats.norm.sf(abs(found.z)) if found.weights else 0.0
    assert found.p_value == pytest.approx(tested, abs=1e-12)


@pytest.mark.parametrize(
    ("x", "y"), [((0, 0, 1, 1, 1), (0, 1, 1, 2, 2)), ((0, 1, 1, 1), (0, 0, 1, 1))]
)
def test_over_all_permutations_corrected_has_mean_0_and_variance_1_and_midrank_has_not(x, y):
    n = len(x)

    def values(form):
        return [
            stratified_rho(
                tables_of(np.array(x), np.array(p), np.zeros(n, dtype=int), (1, 3, 3)), form=form
            ).z
            for p in permutations(y)
        ]

    corrected = values("corrected")
    assert np.mean(corrected) == pytest.approx(0, abs=1e-12)
    assert np.var(corrected) == pytest.approx(1)
    assert np.mean(values("midrank")) > 0.3


@settings(max_examples=30)
@given(stratified_rows())
def test_reversing_the_levels_of_one_column_turns_the_sign(rows):
    tables = tables_of(*rows)
    found = stratified_rho(tables)
    assume(found.weights)
    assert stratified_rho(tables[:, ::-1]).z == pytest.approx(-found.z, abs=1e-10)
    assert -1 - 1e-12 <= found.average <= 1 + 1e-12


def test_strata_that_do_not_count_leave_nothing():
    constant = np.array([[[2, 3], [0, 0]], [[1, 0], [0, 1]]])
    found = stratified_rho(constant)
    assert (found.weighted, found.weights, found.average, found.z) == (0, 0, 0, 0)
    assert found.p_value == 0
    pair = stratified_rho(constant, rule="all")
    assert (pair.weighted, pair.weights) == (1, 1)
    assert math.isclose(stratified_rho(constant, form="midrank", rule="all").weights, 5)


def test_bad_arguments_are_named():
    with pytest.raises(UsageError, match="form is 'position'"):
        stratified_rho(np.ones((1, 2, 2), dtype=int), form="position")
    with pytest.raises(UsageError, match="rule is 'some'"):
        stratified_rho(np.ones((1, 2, 2), dtype=int), rule="some")
