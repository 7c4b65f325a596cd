"""Plans of noisy tables, and that nothing but what is planned is released."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.accounting.composition import concentrated_epsilon
from provado.mechanisms.graph_discovery.noisy_tables.dependence import Dependence
from provado.mechanisms.graph_discovery.noisy_tables.plan import (
    CellNoise,
    TablesPlan,
    cheapest_noise,
    less_margins,
    plan_tables,
)
from provado.mechanisms.graph_discovery.noisy_tables.release import (
    NoisyTables,
    Redrawn,
    count,
    shares,
    without_margins,
)
from provado.mechanisms.graph_discovery.tables.coded import CodedTable

NONE = CellNoise("laplace", Fraction(1, 200))
"""So little noise that none is ever drawn: e^(−200)."""


def table(records: Any, levels: tuple[int, ...]) -> CodedTable:
    codes = np.array(records, dtype=np.uint8).T
    return CodedTable(tuple(f"v{i}" for i in range(len(levels))), levels, codes, None, len(records))


def random_table(levels: tuple[int, ...], n: int, seed: int) -> CodedTable:
    rng = np.random.default_rng(seed)
    return table([[rng.integers(width) for width in levels] for _ in range(n)], levels)


WIDE = (3,) * 12
"""Too many combinations for one table."""


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("delta", [0.0, 1e-6, 1e-3])
@pytest.mark.parametrize("levels", [(2, 2), (2, 3, 2, 4), WIDE, (2,) * 30])
def test_a_plan_costs_at_most_its_budget_and_uses_it(
    levels: tuple[int, ...], delta: float, epsilon: float
) -> None:
    plan = plan_tables(100_000, levels, epsilon=epsilon, delta=delta)
    spent, chance = plan.cost()
    assert 0.99 * epsilon <= spent <= epsilon
    assert chance <= delta
    assert (plan.whole is None) != (plan.pairs is None)
    # Half of the noise everywhere must be refused: that the cost looks at the noise.
    quieter = {
        name: noise if noise is None else replace(noise, parameter=noise.parameter / 2)
        for name in ("whole", "pairs", "triple", "single")
        for noise in [getattr(plan, name)]
    }
    assert replace(plan, **quieter).cost()[0] > epsilon


def test_the_cost_is_that_of_all_tables_together() -> None:
    gaussian = CellNoise("gaussian", Fraction(900))
    plan = TablesPlan(
        100, (2,) * 5, 9.0, 1e-6, None, gaussian, 7, replace(gaussian, parameter=Fraction(400))
    )
    rho = 10 / 900 + 7 / 400
    assert plan.cost()[0] == pytest.approx(concentrated_epsilon(rho, 1e-6), rel=1e-9)
    laplace = CellNoise("laplace", Fraction(40))
    plan = TablesPlan(100, (2,) * 5, 9.0, 0.0, None, laplace, 7, laplace)
    assert plan.cost() == (pytest.approx(17 * 2 / 40, rel=1e-15), 0.0)
    assert Fraction(plan.cost()[0]) >= Fraction(17 * 2, 40)


def test_tables_of_pairs_less_their_margins_cost_what_they_can_tell() -> None:
    pairs, single = CellNoise("gaussian", Fraction(900)), CellNoise("gaussian", Fraction(400))
    plan = TablesPlan(100, (2, 3, 4), 9.0, 1e-6, None, pairs, 0, None, single=single)
    rho = (1 / 2 + 2 / 3 + 3 / 4) ** 2 / (2 * 900) + 3 / 400
    assert plan.cost()[0] == pytest.approx(concentrated_epsilon(rho, 1e-6), rel=1e-9)


@pytest.mark.parametrize("levels", [(2, 2), (2, 2, 2, 2), (2, 3, 4), (3, 3, 3), (5, 2)])
def test_no_replacement_moves_them_by_more(levels: tuple[int, ...]) -> None:
    """Every pair of records: the squares sum to at most (Σ(1 − 1/k))², twice what is charged."""
    every = list(product(*(range(width) for width in levels)))
    pairs = list(combinations(range(len(levels)), 2))

    def told(record: tuple[int, ...]) -> list[Any]:
        data = table([record], levels)
        return [without_margins(c) / c.size for c in (count(data, pair) for pair in pairs)]

    vectors = [np.concatenate([one.ravel() for one in told(record)]) for record in every]
    worst = max(float(((a - b) ** 2).sum()) for a in vectors for b in vectors)
    most = float(2 * less_margins(levels))
    assert worst <= most + 1e-9
    # Of an even number of columns of two levels half may change: the bound is reached.
    if set(levels) == {2}:
        assert worst == pytest.approx(most)
    plan = TablesPlan(9, levels, 9.0, 1e-6, None, NONE, 0, None, single=NONE)
    assert (NONE, less_margins(levels)) in plan.releases


def test_they_are_the_tables_with_noise_in_all_but_their_margins() -> None:
    data = random_table((2, 3, 4), 900, 4)
    noise = CellNoise("gaussian", Fraction(10_000, 9))
    plan = TablesPlan(900, data.levels, 9.0, 1e-6, None, noise, 0, None, single=noise)
    drawn = {columns: [] for columns in combinations(range(3), 2)}
    for seed in range(300):
        release = NoisyTables(data, plan, np.random.default_rng(seed))
        for (x, y), found in drawn.items():
            told = release.released[x, y]
            # To the next whole number in each cell.
            assert np.abs(told.sum(axis=1) - release.released[x,]).max() <= 3
            assert np.abs(told.sum(axis=0) - release.released[y,]).max() <= 3
            apart = without_margins(told - count(data, (x, y))) / told.size
            found.append(apart.ravel())
    for (x, y), found in drawn.items():
        p, q = (np.eye(data.levels[i]) - 1 / data.levels[i] for i in (x, y))
        expected = 10_000 / 9 * np.kron(p, q)
        assert np.cov(np.array(found).T) == pytest.approx(expected, abs=350)
    one, other = (np.array(drawn[pair])[:, 0] for pair in ((0, 1), (0, 2)))
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.25


def test_triples_are_planned_only_where_noise_is_small() -> None:
    assert plan_tables(100_000, WIDE, epsilon=1.0, delta=1e-6).triples == 36
    assert plan_tables(100_000, WIDE, epsilon=0.05, delta=1e-6).triples == 0
    assert plan_tables(5_000, WIDE, epsilon=1.0, delta=1e-6).triples == 0


@pytest.mark.parametrize("most", [None, 1e-6, 2.0])
@pytest.mark.parametrize(("total", "delta"), [(20.0, 0.0), (6.0, 1e-6)])
def test_triples_are_as_many_as_have_little_noise(
    total: float, delta: float, most: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more than 3 a column where nothing counts as little noise; too noisy where much does."""
    if most is not None:
        monkeypatch.setattr(f"{plan_tables.__module__}.LITTLE", most)
    plan = plan_tables(100_000, WIDE, epsilon=total, delta=delta)
    many = 36 < plan.triples < math.comb(12, 3)
    little = plan.triple.variance * np.mean(WIDE) ** 3 <= 0.125 * 100_000
    assert bool(many and little) is (most is None)
    assert plan.cost()[0] <= total


@pytest.mark.parametrize("law", ["laplace", "gaussian"])
@pytest.mark.parametrize(
    "budget", [Fraction(1, 10**10), Fraction(1, 10**6), Fraction(1, 3), Fraction(7)]
)
def test_noise_is_rounded_up_but_little(law: Any, budget: Fraction) -> None:
    noise = cheapest_noise(law, budget)
    assert budget * Fraction(998, 1000) <= noise.cost <= budget
    drawn = noise.draw((2000,), np.random.default_rng(1))
    assert np.var(drawn) == pytest.approx(noise.variance, rel=0.2, abs=0.01)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_counts_are_those_of_the_records(order: int) -> None:
    data = random_table((2, 3, 4), 200, 0)
    for columns in combinations(range(3), order):
        slow = Counter(tuple(int(data.codes[c, i]) for c in columns) for i in range(200))
        counted = count(data, columns)
        assert counted.shape == tuple(data.levels[c] for c in columns)
        assert {k: int(v) for k, v in np.ndenumerate(counted) if v} == dict(slow)


def test_one_record_moves_two_cells_of_each_table_by_one() -> None:
    records = [(0, 0, 0), (1, 0, 1), (1, 1, 0), (0, 0, 1)]
    worst = 0
    for place, new in product(range(4), product((0, 1), repeat=3)):
        other = [*records[:place], new, *records[place + 1 :]]
        for columns in [*combinations(range(3), 2), (0, 1, 2)]:
            move = np.abs(
                count(table(records, (2, 2, 2)), columns) - count(table(other, (2, 2, 2)), columns)
            )
            assert move.sum() in (0, 2)
            assert (move**2).sum() in (0, 2)
            worst = max(worst, int(move.sum()))
    assert worst == 2


def test_what_is_released_is_what_was_planned() -> None:
    data = random_table((2, 3, 2, 2), 300, 1)
    plan = TablesPlan(300, data.levels, 9.0, 0.0, None, NONE, 2, NONE)
    release = NoisyTables(data, plan, np.random.default_rng(0))
    assert set(release.released) == set(combinations(range(4), 2))
    for columns, told in release.released.items():
        assert (told == count(data, columns)).all()
    first = release.triple((0, 1, 2))
    assert first is release.triple((0, 1, 2))
    assert release.triple((1, 2, 3)) is not None
    # Two were planned: a third is refused, whatever it would show, and those drawn stay.
    assert release.triple((0, 2, 3)) is None
    assert release.triple((0, 1, 2)) is first
    whole = NoisyTables(
        data, TablesPlan(300, data.levels, 9.0, 0.0, NONE, None, 0, None), np.random.default_rng(0)
    )
    assert list(whole.released) == [(0, 1, 2, 3)]
    assert (whole.released[0, 1, 2, 3] == count(data, (0, 1, 2, 3))).all()
    assert whole.triple((0, 1, 2)) is None


def test_every_table_has_noise_of_its_own() -> None:
    data = random_table((2, 2, 2), 50, 2)
    noise = CellNoise("gaussian", Fraction(100))
    plan = TablesPlan(50, data.levels, 9.0, 1e-6, None, noise, 1, noise)
    drawn = []
    for seed in range(300):
        release = NoisyTables(data, plan, np.random.default_rng(seed))
        release.triple((0, 1, 2))
        told = [release.released[c] - count(data, c) for c in sorted(release.released)]
        drawn.append(np.concatenate([one.ravel() for one in told]))
    moments = np.cov(np.array(drawn, dtype=float).T)
    assert np.diag(moments) == pytest.approx(np.full(len(moments), 100.0), rel=0.4)
    # 300 draws: a correlation has a standard deviation of .058; shared noise would have 1.
    assert np.abs(moments - np.diag(np.diag(moments))).max() < 30


def test_a_plan_of_other_records_is_refused() -> None:
    data = random_table((2, 2, 2), 50, 2)
    for n, levels in ((51, (2, 2, 2)), (50, (2, 2, 3))):
        with pytest.raises(UsageError, match="plan is of another"):
            NoisyTables(
                data, plan_tables(n, levels, epsilon=1.0, delta=0.0), np.random.default_rng(0)
            )


@pytest.mark.parametrize("whole", [True, False])
def test_redraws_are_around_what_was_released(whole: bool) -> None:
    data = random_table((2, 3), 4000, 3)
    noise = CellNoise("gaussian", Fraction(400))
    kinds = (noise, None) if whole else (None, noise)
    plan = TablesPlan(4000, data.levels, 9.0, 1e-6, *kinds, 0, None)
    release, rng = NoisyTables(data, plan, np.random.default_rng(0)), np.random.default_rng(1)
    again = np.array([Redrawn(release, rng).released[0, 1] for _ in range(400)], dtype=float)
    share = shares(release.released[0, 1])
    middle = 4000 * share if whole else release.released[0, 1]
    assert again.mean(axis=0) == pytest.approx(middle, abs=8)
    expected = 4000 * share * (1 - share) * whole + 400
    assert again.var(axis=0) == pytest.approx(expected, rel=0.35)
    assert Redrawn(release, rng).triple((0, 1, 2)) is None


@pytest.mark.parametrize("on_its_own", [False, True])
def test_redraws_of_pairs_leave_columns_independent_given_others(
    on_its_own: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """v0 → v1 → v2, each nearly the one before. The twin draws records for each table."""
    rng, n = np.random.default_rng(5), 50_000
    columns = [rng.integers(0, 3, n)]
    for _ in range(2):
        columns.append(np.where(rng.random(n) < 0.95, columns[-1], rng.integers(0, 3, n)))
    data = table(np.transpose(columns), (3, 3, 3))
    plan = TablesPlan(n, (3, 3, 3), 9.0, 0.0, None, CellNoise("laplace", Fraction(2)), 0, None)
    release = NoisyTables(data, plan, rng)
    if on_its_own:
        drawn = {
            columns: rng.multinomial(n, shares(pair).ravel()).reshape(pair.shape)
            for columns, pair in release.released.items()
        }
        monkeypatch.setattr(NoisyTables, "released", drawn)
    estimate = Dependence(Redrawn(release, rng)).estimate(0, 2, (1,))
    assert estimate is not None
    assert (estimate.p_value < 1e-6) is on_its_own


def test_shares_of_a_table_without_records() -> None:
    assert shares(np.array([[-3, -1], [0, -2]])).tolist() == [[0.25, 0.25], [0.25, 0.25]]
    assert math.isclose(float(shares(np.array([-5, 3, 1])).sum()), 1.0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"levels": (2,)}, "at least 2"),
        ({"n": 0}, "n is 0"),
        ({"epsilon": 0.0}, "epsilon"),
        ({"delta": 1.0}, "delta"),
    ],
)
def test_wrong_plans(arguments: dict[str, Any], said: str) -> None:
    given: dict[str, Any] = {"n": 10, "levels": (2, 2), "epsilon": 1.0, "delta": 0.0} | arguments
    with pytest.raises(UsageError, match=said):
        plan_tables(given.pop("n"), given.pop("levels"), **given)
