"""Scores of families from noisy tables: what noise adds to a gain, and that it is charged."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from provado.mechanisms.graph_discovery.methods.method import methods
from provado.mechanisms.graph_discovery.methods.tables import (
    discover_by_score,
    discover_from_tables,
    edge_stability,
)
from provado.mechanisms.graph_discovery.noisy_tables.dependence import Dependence
from provado.mechanisms.graph_discovery.noisy_tables.linear_score import (
    LinearScore,
    as_correlations,
)
from provado.mechanisms.graph_discovery.noisy_tables.plan import CellNoise, TablesPlan, plan_tables
from provado.mechanisms.graph_discovery.noisy_tables.release import NoisyTables
from provado.mechanisms.graph_discovery.noisy_tables.score import (
    EXACT_COLUMNS,
    TableScore,
    search_scores,
)
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from tests.mechanisms.discovery.noisy_nulls import null_table, plan_of

QUIET = Fraction(1, 100)
"""σ² at which no noise is ever drawn."""


def score_of(kind, data, variance, rng):
    tables = NoisyTables(data, plan_of(kind, data, variance), rng)
    dependence = Dependence(tables)
    return TableScore(tables, dependence) if kind == "whole" else LinearScore(dependence)


def coded(columns, levels):
    codes = np.array(columns, dtype=np.uint8)
    names = tuple(f"v{i}" for i in range(len(levels)))
    return CodedTable(names, tuple(levels), codes, None, codes.shape[1])


def added(score, x, y, given):
    """What y gains as a parent of x beside others, charges included."""
    others = frozenset(given)
    before = score.gain(x, others) if others else 0.0
    return score.gain(x, others | {y}) - before


# The charge.


@pytest.mark.parametrize("weights", [[1.0], [1, 1], [5, 1, 1], [1] * 12, [100] + [1] * 30])
def test_a_weighted_sum_exceeds_multiples_of_its_mean_no_more_than_one_square(weights) -> None:
    rng = np.random.default_rng(0)
    share = np.array(weights) / sum(weights)
    draws = rng.chisquare(1, (200_000, share.size)) @ share
    for n in (5, 50, 2000):
        bound = stats.chi2.sf(math.log(n), 1)
        assert (draws > math.log(n)).mean() <= bound + 4 * math.sqrt(bound / draws.size)


def test_below_five_records_it_may() -> None:
    assert stats.chi2.sf(12 * math.log(3), 12) > 0.3
    assert stats.chi2.sf(12 * 1.0, 12) > stats.chi2.sf(1.0, 1)


def test_without_noise_the_charges_are_those_of_bic() -> None:
    """Two columns: half the G statistic less log n/2 for each parameter, for either score."""
    rng = np.random.default_rng(1)
    data = null_table(1, 4000, 3, rng)
    counts = np.zeros((3, 3))
    np.add.at(counts, (data.codes[0], data.codes[2]), 1)
    expected = counts.sum(1)[:, None] * counts.sum(0) / 4000
    g = (counts * np.log(counts / expected)).sum()
    whole = score_of("whole", data, QUIET, rng)
    assert whole.gain(0, frozenset({2})) == pytest.approx(g - 4 * math.log(4000) / 2, rel=1e-9)
    assert whole.gain(2, frozenset({0})) == pytest.approx(g - 4 * math.log(4000) / 2, rel=1e-9)
    pairs = score_of("pairs", data, QUIET, rng)
    table = counts / 4000
    rows, columns = table.sum(1), table.sum(0)
    whitened = (table - np.outer(rows, columns)) / np.sqrt(np.outer(rows, columns))
    told = -np.log1p(-(np.linalg.svd(whitened)[1][:2] ** 2)).sum()
    linear = 4000 / 2 * told - 4 * math.log(4000) / 2
    assert pairs.gain(0, frozenset({2})) == pytest.approx(linear, rel=1e-6)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_what_noise_adds_linearly_is_what_disturbed_correlations_show(order: int) -> None:
    """The closed form against draws: small noise on the correlations, partial covariances anew."""
    rng = np.random.default_rng(order)
    data = null_table(order, 20_000, 3, rng)
    score = score_of("pairs", data, 50, rng)
    given = tuple(range(2, 2 + order))
    size = score._correlations.shape[0]
    parts = score._of

    def partial(correlations):
        own = np.concatenate([parts[z] for z in given] or [np.zeros(0, dtype=int)])
        both = np.concatenate([parts[0], parts[1]])
        cross = correlations[np.ix_(both, own)]
        inner = np.linalg.inv(correlations[np.ix_(own, own)])
        return correlations[np.ix_(both, both)] - cross @ inner @ cross.T

    left = partial(score._correlations)
    roots = [np.linalg.inv(np.linalg.cholesky(left[s, s])) for s in (slice(2), slice(2, 4))]
    squares = []
    small = 1e-3
    for _ in range(3000):
        noise = np.triu(rng.normal(size=(size, size)) * np.sqrt(score._noise), 1) * small
        moved = (partial(score._correlations + noise + noise.T) - left)[:2, 2:]
        squares.append(((roots[0] @ moved @ roots[1].T) ** 2).sum() / small**2)
    expected = score.noise(0, 1, frozenset(given))
    error = np.std(squares) / math.sqrt(len(squares))
    assert np.mean(squares) == pytest.approx(expected, abs=4 * error)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_a_spurious_parent_gains_as_much_as_the_table_score_expects(order: int) -> None:
    """Where no stratum is hidden. The twin expects no noise."""
    rng = np.random.default_rng(order)
    apart, plain = [], []
    for _ in range(300):
        data = null_table(order, 20_000, 2, rng)
        score = score_of("whole", data, 2000, rng)
        given = frozenset(range(2, 2 + order))
        before = score._log_likelihood(0, given)
        gain = 2 * (score._log_likelihood(0, given | {1}) - before)
        apart.append(gain / sum(score.spurious(0, 1, given)))
        plain.append(gain / 2**order)
    error = np.std(apart) / math.sqrt(len(apart))
    assert np.mean(apart) == pytest.approx(1.0, abs=0.05 + 3 * error)
    assert np.mean(plain) > 1.5


def test_correlations_that_noise_broke_are_mended() -> None:
    rng = np.random.default_rng(0)
    parts = [np.arange(0, 2), np.arange(2, 5), np.arange(5, 6)]
    broken = rng.uniform(-1, 1, (6, 6))
    broken = (broken + broken.T) / 2
    for own in parts:
        broken[np.ix_(own, own)] = np.eye(own.size)
    assert np.linalg.eigvalsh(broken)[0] < 0
    mended = as_correlations(broken, parts)
    assert np.linalg.eigvalsh(mended)[0] > 0
    for own in parts:
        assert mended[np.ix_(own, own)] == pytest.approx(np.eye(own.size), abs=1e-9)
    fine = np.eye(6)
    assert as_correlations(fine, parts) is fine


def _false_edges(kind, order, variance, draws, n, *, blind=False, levels=2):
    """How often a parent that adds nothing is taken."""
    wrong = 0
    for seed in range(draws):
        rng = np.random.default_rng([seed, order, int(variance)])
        data = null_table(order, n, levels, rng)
        score = score_of(kind, data, variance, rng)
        if blind:
            score._charge = lambda x, y, given: (  # type: ignore[method-assign]
                math.log(n)
                / 2
                * (levels - 1) ** 2
                * (levels ** len(given) if kind == "whole" else 1)
            )
        wrong += added(score, 0, 1, range(2, 2 + order)) > 0
    return wrong / draws


CASES = [("pairs", 0), ("pairs", 1), ("whole", 0), ("whole", 1), ("whole", 2)]
N = 3000
BIC = float(stats.chi2.sf(math.log(N), 1))
"""How often BIC takes a spurious parent of one parameter without noise: .005."""


@pytest.mark.parametrize(("kind", "order"), CASES)
def test_a_charge_that_forgets_the_noise_takes_false_edges(kind: str, order: int) -> None:
    assert _false_edges(kind, order, 3000, 80, N) <= 0.04
    assert _false_edges(kind, order, 3000, 80, N, blind=True) >= 0.2


@pytest.mark.slow
@pytest.mark.parametrize("variance", [QUIET, 20, 400, 3000])
@pytest.mark.parametrize(("kind", "order"), CASES)
def test_false_edges_are_no_more_frequent_than_bics(kind: str, order: int, variance) -> None:
    """2,000 nulls each, from no noise to noise that hides strata."""
    draws = 2000
    for levels in (2, 3):
        found = _false_edges(kind, order, variance, draws, N, levels=levels)
        assert found <= 1.2 * BIC + 3 * math.sqrt(BIC / draws)


# The graph.


def mixed(n, seed=0):
    """v0 → v2 ← v1, v2 → v3."""
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 3, (2, n))
    middle = np.clip(first + second + rng.integers(-1, 2, n), 0, 4)
    last = np.where(rng.random(n) < 0.7, middle, rng.integers(0, 5, n))
    return coded([first, second, middle, last], (3, 3, 5, 5))


TRUE = np.zeros((4, 4), dtype=bool)
TRUE[0, 2] = TRUE[1, 2] = TRUE[2, 3] = True


@pytest.mark.parametrize("kind", ["whole", "pairs"])
def test_the_graph_is_found_from_either_kind_of_tables(kind: str) -> None:
    data = mixed(30_000)
    plan = plan_of(kind, data, 100)
    found = discover_by_score(data, plan=plan, rng=np.random.default_rng(0))
    assert (found.cpdag == TRUE).all()
    assert (found.skeleton == (TRUE | TRUE.T)).all()
    assert found.complete
    assert found.tried == ()
    # No table of three columns is asked for.
    assert {len(columns) for columns in found.tables.released} == ({4} if kind == "whole" else {2})


def test_dependence_that_cancels_over_strata_is_seen_in_one_table() -> None:
    """v2 = v0 xor v1, mostly: every pair is independent. Tests of sums over strata see nothing."""
    rng = np.random.default_rng(5)
    first, second = rng.integers(0, 2, (2, 20_000))
    third = np.where(rng.random(20_000) < 0.9, first ^ second, rng.integers(0, 2, 20_000))
    data = coded([first, second, third], (2, 2, 2))
    plan = plan_tables(data.n, data.levels, epsilon=1.0, delta=0.0)
    assert plan.whole is not None
    seen = discover_by_score(data, plan=plan, rng=np.random.default_rng(0))
    assert seen.skeleton.sum() == 4
    tests = discover_from_tables(data, plan=plan, rng=np.random.default_rng(0))
    assert not tests.skeleton.any()


def test_many_columns_in_one_table_are_searched_by_steps() -> None:
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 2, 20_000)]
    for _ in range(EXACT_COLUMNS):
        columns.append(np.where(rng.random(20_000) < 0.7, columns[-1], rng.integers(0, 2, 20_000)))
    data = coded(columns, (2,) * len(columns))
    plan = TablesPlan(
        data.n, data.levels, 1.0, 0.0, CellNoise("laplace", Fraction(2)), None, 0, None
    )
    found = discover_by_score(data, plan=plan, rng=rng)
    width = len(columns)
    near = np.abs(np.subtract.outer(np.arange(width), np.arange(width))) == 1
    assert (found.skeleton == near).all()
    assert found.tests < width * (2 ** (width - 1) - 1)


def test_only_the_release_is_looked_at() -> None:
    data = mixed(5000)
    plan = plan_tables(5000, data.levels, epsilon=1.0, delta=1e-6)
    first = discover_by_score(data, plan=plan, rng=np.random.default_rng(4))
    shuffled = replace(data, codes=data.codes[:, np.random.default_rng(0).permutation(5000)])
    again = discover_by_score(shuffled, plan=plan, rng=np.random.default_rng(4))
    assert (first.cpdag == again.cpdag).all()
    for columns, table in first.tables.released.items():
        assert (table == again.tables.released[columns]).all()
    assert (search_scores(first.tables, Dependence(first.tables))[0] == first.cpdag).all()


def test_what_stands_is_searched_the_same_way() -> None:
    data = mixed(30_000)
    plan = plan_of("whole", data, 100)
    found = discover_by_score(data, plan=plan, rng=np.random.default_rng(0))
    stability = edge_stability(found, redraws=6, rng=np.random.default_rng(1))
    assert stability.edge[found.skeleton].min() > 0.8
    short = discover_by_score(data, plan=plan, rng=np.random.default_rng(0), max_tests=1)
    assert short.stopped == "tests"
    limited = edge_stability(short, redraws=6, rng=np.random.default_rng(1))
    assert limited.edge[TRUE | TRUE.T].min() == 0.0


def test_columns_that_noise_hides_have_no_edges() -> None:
    data = mixed(400)
    for kind in ("whole", "pairs"):
        plan = plan_of(kind, data, 10**7)
        found = discover_by_score(data, plan=plan, rng=np.random.default_rng(0))
        assert not found.skeleton.any()


def test_no_budget_is_kept_for_tables_that_no_score_needs() -> None:
    allowed = {"epsilon": 5.0, "delta": 1e-6}
    both = plan_tables(10**6, (3,) * 12, **allowed)
    method = next(one for one in methods() if one.name == "tables-score")
    assert method.plan is not None
    mine = method.plan(10**6, (3,) * 12, **allowed)
    assert both.triples
    assert not mine.triples
    assert mine.pairs.variance < 0.7 * both.pairs.variance
    assert 0.99 * 5.0 < mine.cost()[0] <= 5.0
