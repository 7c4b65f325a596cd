"""What noisy tables tell, with its exact ε."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

from provado.audit import audit
from provado.mechanisms import UsageError, Verdict
from provado.mechanisms.graph_discovery.catalogue.noisy_tables import MECHANISMS, PAIR, draw_tables
from provado.mechanisms.graph_discovery.exact.graph_distribution import coded_records
from provado.mechanisms.graph_discovery.noisy_tables.plan import CellNoise, TablesPlan
from provado.mechanisms.graph_discovery.noisy_tables.release import NoisyTables
from tests.mechanisms.exact.noisy_tables import exact_delta, exact_epsilon, moved_cells

NOISES = [CellNoise("laplace", Fraction(2)), CellNoise("gaussian", Fraction(3))]


@pytest.mark.parametrize("noise", NOISES, ids=lambda n: n.law)
@pytest.mark.parametrize("moved", [1, 2, 3])
@pytest.mark.parametrize("epsilon", [0.0, 0.4, 1.1])
def test_the_exact_delta_is_that_of_all_outputs(
    noise: CellNoise, moved: int, epsilon: float
) -> None:
    """Slow twin: every output of the cells that move, one by one."""
    reach = 30 if noise.law == "laplace" else 12
    z = np.arange(-reach, reach + 1)
    b = float(noise.parameter)
    weights = np.exp(-np.abs(z) / b if noise.law == "laplace" else -(z**2) / (2 * b))
    weights /= weights.sum()
    shifted = np.append(weights[1:], 0.0)
    if moved == 3:
        first, second = (np.multiply.outer(np.outer(w, w), w) for w in (weights, shifted))
    else:
        first, second = ((w if moved == 1 else np.outer(w, w)) for w in (weights, shifted))
    slow = np.maximum(first - math.exp(epsilon) * second, 0).sum()
    assert exact_delta(epsilon, noise, moved) == pytest.approx(slow, abs=2e-6)


def test_cells_that_move() -> None:
    assert moved_cells(PAIR, 3) == 2
    assert moved_cells(PAIR, 2) == 6
    assert moved_cells((PAIR[0], PAIR[0]), 2) == 0
    with pytest.raises(UsageError, match="must be neighbors"):
        moved_cells((((0, 0), (0, 0)), ((1, 1), (1, 1))), 2)


@pytest.mark.parametrize("order", [2, 3])
def test_no_pair_of_neighbors_loses_more(order: int) -> None:
    """The pair of the catalogue is a worst one: all of two records, all replacements."""
    noise = CellNoise("laplace", Fraction(6))
    worst = 0.0
    for records in product(product((0, 1), repeat=3), repeat=2):
        for new in product((0, 1), repeat=3):
            pair = records, (new, *records[1:])
            worst = max(worst, exact_epsilon(pair, noise=noise, order=order))
    assert worst == pytest.approx(exact_epsilon(PAIR, noise=noise, order=order))


def test_claims_and_exact_costs() -> None:
    for mechanism in MECHANISMS:
        claimed, delta = mechanism.promise.point()
        exact = mechanism.true_epsilon
        assert exact is not None
        if mechanism.name.startswith("twin/"):
            times = {"twin/tables-bins-not-charged": 1.5, "twin/tables-used-not-planned": 3}
            assert exact == pytest.approx(times[mechanism.name] * claimed)
        elif delta:
            # Zero-concentrated privacy is not the whole truth of the Gaussian.
            assert 0.7 * claimed < exact < claimed
        else:
            assert exact == pytest.approx(claimed)


@pytest.mark.parametrize("order", [2, 3])
def test_many_runs_at_once_have_the_law_of_a_release(order: int) -> None:
    noise, rng = CellNoise("laplace", Fraction(2)), np.random.default_rng(0)
    records = PAIR[0]
    data = coded_records(records)
    plan = (
        TablesPlan(data.n, data.levels, 1.0, 0.0, noise, None, 0, None)
        if order == 3
        else TablesPlan(data.n, data.levels, 1.0, 0.0, None, noise, 0, None)
    )
    fast = draw_tables(records, noise=noise, order=order, size=2000, rng=rng)
    slow = []
    for _ in range(2000):
        told = NoisyTables(data, plan, rng).released
        slow.append(np.concatenate([told[columns].ravel() for columns in sorted(told)]))
    for ours, theirs in zip(fast.T, np.array(slow).T, strict=True):
        assert stats.ks_2samp(ours, theirs).pvalue > 1e-5
    # Broken twin: half of the noise.
    half = draw_tables(
        records, noise=CellNoise("laplace", Fraction(1)), order=order, size=2000, rng=rng
    )
    assert stats.ks_2samp(half[:, 0], np.array(slow)[:, 0]).pvalue < 1e-5


@pytest.mark.parametrize("times", [1, 4])
def test_an_audit_of_tables_less_their_margins(times: int) -> None:
    """The twin forgets that k·l times these tables take noise of k·l times the scale."""
    pairs, single = (CellNoise("gaussian", Fraction(variance)) for variance in (4, 16))
    plan = TablesPlan(12, (2, 2), 2.0, 0.01, None, pairs, 0, None, single=single)
    drawn = replace(plan, pairs=replace(pairs, parameter=pairs.parameter / times**2))

    def release(records, *, size, rng):
        data = coded_records(records)
        runs = (NoisyTables(data, drawn, rng).released.values() for _ in range(size))
        return np.array([np.concatenate([t.ravel() for t in tables]) for tables in runs])

    records = ((0, 0),) * 6 + ((1, 1),) * 6
    (claimed, delta), other = plan.cost(), ((0, 1), *records[1:])
    result = audit(
        release,
        pair=(records, other),
        epsilon=claimed,
        delta=delta,
        samples=2500,
        isolate=False,
    )
    assert result.epsilon_lower > 0.3 * claimed
    assert (result.verdict is Verdict.VIOLATION) == (times > 1)
