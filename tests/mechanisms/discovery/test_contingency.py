from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.tables.coded import CodedTable, code_columns
from provado.mechanisms.graph_discovery.tables.contingency import (
    StratifiedTau,
    concordances,
    stratified_tau,
)
from provado.mechanisms.scores.conditional_ranks import (
    conditional_tau_average,
    conditional_tau_sums,
)
from tests.mechanisms.discovery.chi_squared import ChiSquared, chi_squared
from tests.mechanisms.scores.score_variants import conditional_tau_z


def table_of(levels, n, seed=0) -> CodedTable:
    rng = np.random.default_rng(seed)
    hidden = rng.random(n)
    codes = [
        np.minimum((0.5 * hidden + 0.5 * rng.random(n)) * k, k - 1).astype(np.uint8) for k in levels
    ]
    names = tuple(f"v{i}" for i in range(len(levels)))
    return CodedTable(names, tuple(levels), np.array(codes), None, n)


@st.composite
def small_tables(draw):
    levels = draw(st.lists(st.integers(2, 5), min_size=3, max_size=4))
    return table_of(levels, draw(st.integers(2, 60)), draw(st.integers(0, 10**6)))


@settings(max_examples=80)
@given(small_tables(), st.sampled_from(["all", "released"]))
def test_tau_equals_the_exact_one_stratum_by_stratum(data, rule):
    x, y, given_columns = data.codes[0], data.codes[1], data.codes[2:].T
    found = stratified_tau(data.tables(0, 1, range(2, len(data.levels))), rule=rule)
    top, bottom = conditional_tau_sums(x, y, given_columns, rule=rule)
    assert found.weighted == pytest.approx(float(top), abs=1e-12, rel=1e-12)
    assert found.weights == pytest.approx(float(bottom), rel=1e-12)
    average = conditional_tau_average(x, y, given_columns, rule=rule)
    assert found.average == pytest.approx(float(average), abs=1e-12)
    z = conditional_tau_z(x, y, given_columns, rule=rule)
    assert found.z == pytest.approx(z, abs=1e-12)
    tested = stats.norm.sf(abs(z)) if found.weights else 0.0
    assert found.p_value == pytest.approx(tested, abs=1e-12)


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(2, 5))
def test_concordances_equal_the_loop_over_pairs(seed, a, b):
    table = np.random.default_rng(seed).integers(0, 4, (2, a, b))
    for one, found in zip(table, concordances(table), strict=True):
        cells = [(i, j, int(one[i, j])) for i in range(a) for j in range(b)]
        pairs = sum(c * d * np.sign((i - k) * (j - m)) for i, j, c in cells for k, m, d in cells)
        assert found == pairs // 2


def test_reversing_one_order_turns_the_sign_and_swapping_levels_does_not_keep_it():
    tables = table_of((4, 3, 2), 500).tables(0, 1, (2,))
    tau = stratified_tau(tables).average
    assert stratified_tau(tables[:, ::-1]).average == pytest.approx(-tau, abs=1e-12)
    assert stratified_tau(tables[:, [1, 3, 0, 2]]).average != pytest.approx(tau, abs=1e-3)


def test_the_released_rule_drops_small_and_constant_strata_and_all_keeps_them():
    constant = np.array([[[2, 3], [0, 0]], [[1, 0], [0, 1]], [[2, 1], [1, 2]]])
    released = stratified_tau(constant, rule="released")
    assert (released.weighted, released.weights) == pytest.approx((9 * 3 / 17, 9 * 30 / 34))
    everything = stratified_tau(constant, rule="all")
    assert everything.weights == pytest.approx(9 * 20 / 30 + 9 * 2 / 18 + 9 * 30 / 34)
    assert stratified_tau(constant[:1]) == StratifiedTau(0.0, 0.0)
    assert stratified_tau(constant[:1]).p_value == 0


@pytest.mark.parametrize("given_columns", [(), (2,), (2, 3), (3, 2)])
def test_tables_count_every_row_in_its_stratum(given_columns):
    data = table_of((3, 4, 2, 5), 700)
    tables = data.tables(0, 1, given_columns)
    naive = np.zeros((*(data.levels[g] for g in given_columns), 3, 4), dtype=int)
    for row in data.codes.T:
        naive[(*row[list(given_columns)], row[0], row[1])] += 1
    assert np.array_equal(tables.reshape(naive.shape), naive)


@pytest.mark.parametrize(
    "levels", [(2, 300, 2), (2, 256, 1), (256, 255, 2), (2, 2, 300), (3, 3, 3)]
)
@pytest.mark.parametrize("n", [1, 2, 7, 300, 40_001])
def test_wide_columns_and_odd_numbers_of_rows_are_counted_right(levels, n):
    rng = np.random.default_rng(n)
    kind = np.uint16 if max(levels) > 256 else np.uint8
    codes = np.array([rng.integers(0, k, n) for k in levels], dtype=kind)
    codes[:, -1] = np.array(levels) - 1
    data = CodedTable(("a", "b", "c"), levels, codes, None, n)
    naive = np.zeros((levels[2], levels[0], levels[1]), dtype=int)
    for a, b, c in codes.T:
        naive[c, a, b] += 1
    found = data.tables(0, 1, (2,))
    # Strata that do not occur may be left out.
    assert np.array_equal(found[found.any(axis=(1, 2))], naive[naive.any(axis=(1, 2))])
    assert np.array_equal(data.tables(0, 1)[0], naive.sum(axis=0))


def test_many_strata_are_renumbered_without_changing_the_answers():
    data = table_of((2, 3, *[60] * 4), 300)
    tables = data.tables(0, 1, range(2, 6))
    assert tables.shape[0] <= 300
    assert tables.sum() == 300
    top, bottom = conditional_tau_sums(*data.codes[:2], data.codes[2:].T)
    found = stratified_tau(tables, rule="all")
    assert (found.weighted, found.weights) == pytest.approx((float(top), float(bottom)), rel=1e-12)


def test_counts_of_combinations_give_the_same_tables_as_rows():
    data = table_of((2, 3, 2), 400)
    short = data.collapsed()
    assert short.codes.shape[1] <= 12
    assert short.n == 400
    for given_columns in ((), (2,)):
        assert np.array_equal(short.tables(0, 1, given_columns), data.tables(0, 1, given_columns))
    long = table_of((2, 3, 12), 400)
    assert long.collapsed() is long


def test_subsets_of_rows_and_of_counts_follow_the_same_law():
    data = table_of((2, 2, 2), 96)
    rng = np.random.default_rng(4)
    drawn = [
        [d.subset(30, rng).tables(0, 1)[0] for _ in range(3000)] for d in (data, data.collapsed())
    ]
    whole = data.tables(0, 1)[0]
    law = stats.hypergeom(96, int(whole[0, 0]), 30)
    for tables in drawn:
        assert all(t.sum() == 30 for t in tables)
        assert np.all(np.max(tables, axis=0) <= whole)
        error = math.sqrt(law.var() / 3000)
        assert np.mean([t[0, 0] for t in tables]) == pytest.approx(law.mean(), abs=5 * error)
        assert np.var([t[0, 0] for t in tables]) == pytest.approx(law.var(), rel=0.2)


@pytest.mark.parametrize(("statistic", "name"), [("chi2", "pearson"), ("g", "log-likelihood")])
def test_chi_squared_equals_scipy_summed_over_strata(statistic, name):
    data = table_of((3, 4, 2), 900)
    tables = data.tables(0, 1, (2,))
    known = [stats.chi2_contingency(t, correction=False, lambda_=name) for t in tables]
    found = chi_squared(tables, statistic=statistic)
    assert found.statistic == pytest.approx(sum(k.statistic for k in known), rel=1e-12)
    assert found.degrees == sum(k.dof for k in known)
    assert found.p_value == pytest.approx(stats.chi2.sf(found.statistic, found.degrees))


def test_levels_that_do_not_occur_take_no_degree_of_freedom():
    table = np.array([[[5, 0, 3], [0, 0, 0], [2, 0, 6]], np.zeros((3, 3), dtype=int)])
    assert chi_squared(table).degrees == 1
    assert chi_squared(np.array([[[4, 2], [0, 0]]])) == ChiSquared(0.0, 0)
    assert chi_squared(np.array([[[4, 2], [0, 0]]])).p_value == 1.0


def test_columns_of_any_type_are_coded_in_order():
    coded = code_columns(
        {"a": ["None", "yes", "None"], "b": np.array([3.5, 1.0, 3.5]), "c": [True, False, True]}
    )
    assert coded.levels == (2, 2, 2)
    assert coded.codes.tolist() == [[0, 1, 0], [1, 0, 1], [1, 0, 1]]
    ordered = code_columns({"a": ["low", "high", "low"]}, levels={"a": ["low", "mid", "high"]})
    assert ordered.codes.tolist() == [[0, 2, 0]]
    assert ordered.levels == (3,)


@pytest.mark.parametrize(
    ("columns", "levels", "message"),
    [
        ({}, None, "columns is empty"),
        ({"a": []}, None, "no rows"),
        ({"a": [1, 2], "b": [1]}, None, "'b' has 1 rows"),
        ({"a": [1.0, math.nan]}, None, "'a' holds nan"),
        ({"a": ["x", None]}, None, "'a' holds None"),
        ({"a": ["x", pd.NA]}, None, "'a' holds <NA>"),
        ({"a": [pd.Timestamp(0), pd.NaT]}, None, "'a' holds NaT"),
        ({"a": [2, 2]}, None, "'a' is constant at 2"),
        ({"a": [1, 2]}, {"a": [1, 1, 2]}, "repeat"),
        ({"a": [1, 7]}, {"a": [1, 2]}, "'a' holds 7"),
    ],
)
def test_bad_columns_are_named(columns, levels, message):
    with pytest.raises(UsageError, match=message):
        code_columns(columns, levels=levels)


def test_bad_arguments_are_named():
    data = table_of((2, 2), 10)
    with pytest.raises(UsageError, match="m is 11"):
        data.subset(11, np.random.default_rng(0))
    with pytest.raises(UsageError, match="rule is 'some'"):
        stratified_tau(data.tables(0, 1), rule="some")
    with pytest.raises(UsageError, match="statistic is 'x'"):
        chi_squared(data.tables(0, 1), statistic="x")
