from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from provado.mechanisms.graph_discovery.independence_tests.discrete import Test as CiTest
from provado.mechanisms.graph_discovery.independence_tests.discrete import shared_answers
from provado.mechanisms.graph_discovery.tables import contingency, shared_tables
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from provado.mechanisms.graph_discovery.tables.contingency import BitPlanes, stratified_tau
from provado.mechanisms.graph_discovery.tables.shared_tables import SharedTables
from tests.mechanisms.discovery.chi_squared import chi_squared
from tests.mechanisms.discovery.stratified_rho import stratified_rho


def rows_of(levels, n, seed) -> CodedTable:
    """Columns that lean on a common cause, the last level of some of them never taken."""
    rng = np.random.default_rng(seed)
    hidden = rng.random(n)
    codes = [
        np.minimum((0.6 * hidden + 0.4 * rng.random(n)) * (k - (i % 3 == 2)), k - 1)
        for i, k in enumerate(levels)
    ]
    names = tuple(f"v{i}" for i in range(len(levels)))
    return CodedTable(names, tuple(levels), np.array(codes).astype(np.uint8), None, n)


def occurring(tables):
    return tables[tables.any(axis=(1, 2))]


def split(stack):
    return np.split(stack.tables, stack.starts[1:])


LEVELS = st.lists(st.integers(2, 5), min_size=4, max_size=6)
SEEDS = st.integers(0, 10**6)


@pytest.fixture
def small_limits(monkeypatch):
    """Bits, families, and what is kept of them, already come in with a handful of rows."""
    monkeypatch.setattr(shared_tables, "_MANY", 1)
    monkeypatch.setattr(shared_tables, "_FEW", 2)
    monkeypatch.setattr(contingency, "_KEPT", 3)


@settings(max_examples=40)
@given(LEVELS, st.integers(1, 300), SEEDS)
def test_planes_count_what_the_rows_hold(levels, n, seed):
    data = rows_of(levels, n, seed)
    planes = BitPlanes.of(data)
    for x, y in combinations(range(len(levels)), 2):
        assert np.array_equal(planes.pair(x, y), data.tables(x, y)[0])
        others = [z for z in range(len(levels)) if z not in (x, y)]
        for z, table in zip(others, planes.triples(x, y, others), strict=True):
            assert np.array_equal(occurring(table), occurring(data.tables(x, y, (z,))))


def test_ones_are_added_up_in_lanes_that_do_not_overflow(monkeypatch):
    data = CodedTable(("a", "b"), (2, 2), np.zeros((2, 70_001), dtype=np.uint8), None, 70_001)
    assert BitPlanes.of(data).pair(0, 1).tolist() == [[70_001, 0], [0, 0]]
    monkeypatch.setattr(contingency, "_LANES", 2000)
    assert BitPlanes.of(data).pair(0, 1).tolist() != [[70_001, 0], [0, 0]]


@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(LEVELS, st.integers(2, 400), SEEDS, st.sampled_from([0, 1 << 8, 1 << 26]), st.data())
def test_what_was_asked_before_changes_no_table(
    small_limits, monkeypatch, levels, n, seed, room, draw
):
    monkeypatch.setattr(shared_tables, "_ROOM", room)
    monkeypatch.setattr(shared_tables, "_LONG", draw.draw(st.sampled_from([0, 1 << 11])))
    data = rows_of(levels, n, seed)
    counted = draw.draw(st.booleans())
    shared = SharedTables(data.onto(range(len(levels))) if counted else data)
    for _ in range(6):
        x, y, *others = draw.draw(st.permutations(range(len(levels))))
        around = others[: draw.draw(st.integers(1, len(others)))]
        order = draw.draw(st.integers(0, len(around)))
        sets = list(combinations(around, order))
        for one, tables in zip(sets, split(shared.stack(x, y, sets, around)), strict=True):
            assert np.array_equal(occurring(tables), occurring(data.tables(x, y, one)))


def test_a_family_that_lost_a_record_is_noticed(small_limits, monkeypatch):
    data = rows_of((3, 2, 3, 2), 200, 1)
    sound = CodedTable.onto

    def loses_one(self, columns):
        found = sound(self, columns)
        counts = found.counts.copy()
        counts[0] -= 1
        return CodedTable(found.names, found.levels, found.codes, counts, found.n)

    monkeypatch.setattr(CodedTable, "onto", loses_one)
    monkeypatch.setattr(shared_tables, "_MANY", 150)
    wide = CodedTable(
        (*data.names, "e"),
        (*data.levels, 2),
        np.vstack([data.codes, data.codes[:1] > 1]),
        None,
        200,
    )
    stack = SharedTables(wide).stack(0, 1, [(2, 3)], (2, 3))
    assert stack.tables.sum() == 199


def test_many_strata_are_asked_one_set_after_another():
    data = rows_of([2, 3, *[40] * 5], 500, 3)
    sets = list(combinations(range(2, 7), 4))
    for one, tables in zip(
        sets, split(SharedTables(data).stack(0, 1, sets, range(2, 7))), strict=True
    ):
        assert tables.shape[0] <= 500
        assert np.array_equal(occurring(tables), occurring(data.tables(0, 1, one)))


def likelihood_ratio(tables):
    """Return the p-value of G²; 0 where nothing is tested, so that the edge stays."""
    found = chi_squared(tables, statistic="g")
    return found.p_value if found.degrees else 0.0


SINGLE = {
    CiTest.KENDALL: lambda t: stratified_tau(t).p_value,
    CiTest.SPEARMAN: lambda t: stratified_rho(t).p_value,
    CiTest.CHI_SQUARED: lambda t: chi_squared(t).p_value,
    CiTest.G: likelihood_ratio,
}


@pytest.mark.parametrize("test", CiTest)
@pytest.mark.parametrize("n", [5, 60, 5000])
def test_answers_are_those_of_the_tests_one_at_a_time(test, n):
    levels = (2, 3, 2, 4, 3, 2)
    data = rows_of(levels, n, n)
    for alpha in (0.02, 0.3):
        answers = shared_answers(data, test, alpha)
        for x, y in combinations(range(6), 2):
            others = [z for z in range(6) if z not in (x, y)]
            for order in range(4):
                told = list(answers(x, y, others, combinations(others, order)))
                assert [one for one, _ in told] == list(combinations(others, order))
                for one, apart in told:
                    p = SINGLE[test](data.tables(x, y, one))
                    assert (apart > 0) == (p >= alpha)
                    assert apart in (0, pytest.approx(p))
