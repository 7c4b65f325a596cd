"""Dependence from noisy tables: what it is, its covariance, and the level of its tests."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.noisy_tables import dependence as room
from provado.mechanisms.graph_discovery.noisy_tables.dependence import Dependence
from provado.mechanisms.graph_discovery.noisy_tables.estimates import (
    DependenceEstimate,
    Strata,
    shared_strata,
    tail,
)
from provado.mechanisms.graph_discovery.noisy_tables.release import NoisyTables, seen_levels
from tests.mechanisms.discovery.noisy_nulls import null_table, plan_of

QUIET = Fraction(1, 100)
"""σ² at which no noise is ever drawn."""


def estimated(kind, data, variance, rng, given):
    found = Dependence(NoisyTables(data, plan_of(kind, data, variance), rng))
    return found, found.estimate(0, 1, given)


# The statistic's law.


@pytest.mark.parametrize("k", [1, 2, 5])
def test_equal_variances_give_chi_squared(k: int) -> None:
    rng = np.random.default_rng(k)
    effect = rng.normal(size=k)
    expected = stats.chi2.sf(effect @ effect / 3, k)
    assert tail(effect, 3 * np.eye(k)) == pytest.approx(expected, rel=1e-9)


def test_the_tail_is_that_of_draws() -> None:
    rng = np.random.default_rng(0)
    root = rng.normal(size=(4, 4)) * [1, 2, 5, 9]
    covariance = root @ root.T
    draws = rng.multivariate_normal(np.zeros(4), covariance, size=4000)
    p = np.array([tail(draw, covariance) for draw in draws])
    for level in (0.01, 0.05, 0.2, 0.5):
        assert (p < level).mean() == pytest.approx(level, abs=4 * (level / 4000) ** 0.5)
    # Broken twin: as if one variance were four times what it is.
    wrong = np.array([tail(draw, covariance / 4) for draw in draws[:1000]])
    assert (wrong < 0.05).mean() > 0.2


def test_nothing_to_see_is_no_evidence() -> None:
    assert tail(np.zeros(0), np.zeros((0, 0))) == 1.0


# Levels of a column.


def test_scores_are_uncorrelated_in_shares_and_in_noise() -> None:
    level = seen_levels(np.array([900.0, 40.0, 3.0, 500.0]), 10.0, 12.0)
    assert level.joined.tolist() == [1, 2, 1]
    assert level.share == pytest.approx(np.array([900, 43, 500]) / 1443)
    assert level.share @ level.scores == pytest.approx(np.zeros(2), abs=1e-12)
    moments = level.scores.T * level.share @ level.scores
    assert moments == pytest.approx(np.eye(2), abs=1e-12)
    noise = level.scores.T * level.joined @ level.scores
    assert noise == pytest.approx(np.diag(level.noise), abs=1e-9)


def test_a_column_that_noise_hides_says_nothing() -> None:
    level = seen_levels(np.array([1000.0, 4.0]), 10.0, 10.0)
    assert level.scores.shape == (1, 0)
    with pytest.raises(UsageError, match="counts has 1 level"):
        seen_levels(np.array([3.0]), 1.0, 1.0)


# What is estimated.


def by_hand(data, given, levels_of):
    """Slow twin: Σ_z (N_xyz − N_xz·N_yz/N_z), record by record, in the same scores."""
    x, y = data.codes[0].astype(int), data.codes[1].astype(int)
    first, second = levels_of
    apart = np.zeros((data.levels[0], data.levels[1]))
    for stratum in product(*(range(data.levels[z]) for z in given)):
        inside = np.all([data.codes[z] == v for z, v in zip(given, stratum, strict=True)], axis=0)
        if not inside.any():
            continue
        for a, b in product(range(data.levels[0]), range(data.levels[1])):
            joint = np.sum(inside & (x == a) & (y == b))
            alone = np.sum(inside & (x == a)) * np.sum(inside & (y == b)) / inside.sum()
            apart[a, b] += joint - alone
    return first.scores.T @ first.group.T @ apart @ second.group @ second.scores / data.n


@pytest.mark.parametrize("kind", ["pairs", "less", "whole"])
@pytest.mark.parametrize("order", [0, 1, 2])
def test_the_effect_is_what_is_left_within_strata(kind: str, order: int) -> None:
    rng = np.random.default_rng(order)
    data = null_table(order, 6000, 3, rng)
    # Dependent beyond what the strata explain.
    copied = rng.random(6000) < 0.2
    codes = data.codes.copy()
    codes[1, copied] = codes[0, copied]
    data = replace(data, codes=codes)
    given = tuple(range(2, 2 + order))
    found, estimate = estimated(kind, data, QUIET, rng, given)
    assert estimate is not None
    slow = by_hand(data, given, found.levels[:2])
    assert estimate.effect == pytest.approx(slow, abs=1e-9)
    assert np.abs(slow).max() > 0.05
    # Without noise both ways say the same, though one never saw x and y in the strata.
    assert found.estimate(0, 1, (*given, *given)[:0]) is not None


@pytest.mark.parametrize("kind", ["pairs", "less", "whole"])
@pytest.mark.parametrize(
    ("order", "variance"),
    [
        (0, 3000),
        (1, 3000),
        (1, QUIET),
        pytest.param(2, 3000, marks=pytest.mark.slow),
        pytest.param(0, QUIET, marks=pytest.mark.slow),
        pytest.param(2, QUIET, marks=pytest.mark.slow),
    ],
)
def test_the_covariance_is_that_of_many_draws(
    kind: str, order: int, variance: Fraction | int
) -> None:
    """Slow twin: the same law drawn anew, in fixed scores."""
    given, n = tuple(range(2, 2 + order)), 20_000
    law, draws, told = np.random.default_rng(7), [], []
    fixed = null_table(order, n, 3, law)
    scores = Dependence(NoisyTables(fixed, plan_of(kind, fixed, variance), law)).levels[:2]
    for seed in range(120):
        data = _again(fixed, order, np.random.default_rng(seed))
        found, estimate = estimated(kind, data, variance, np.random.default_rng(seed), given)
        assert estimate is not None
        turns = [
            old.scores.T * new.share @ new.scores
            for old, new in zip(scores, found.levels[:2], strict=True)
        ]
        draws.append((turns[0] @ estimate.effect @ turns[1].T).ravel())
        turn = np.kron(turns[0], turns[1])
        told.append(turn @ estimate.covariance @ turn.T)
    seen, said = np.cov(np.array(draws).T), np.mean(told, axis=0)
    # 120 draws: each variance within 4 standard deviations, 52 %.
    assert np.diag(seen) == pytest.approx(np.diag(said), rel=0.52)
    inverse = np.linalg.inv(np.linalg.cholesky(said))
    assert np.linalg.eigvalsh(inverse @ seen @ inverse.T).mean() == pytest.approx(1.0, abs=0.2)


def _again(data, order, rng):
    """Draw x and y anew within the strata that there are, by the shares that they have there."""
    codes = data.codes.copy()
    stratum = np.zeros(data.n, dtype=int)
    for z in range(2, 2 + order):
        stratum = stratum * data.levels[z] + data.codes[z]
    for column, value in product((0, 1), np.unique(stratum)):
        inside = np.flatnonzero(stratum == value)
        codes[column, inside] = rng.choice(data.codes[column, inside], size=inside.size)
    return replace(data, codes=codes)


def test_two_given_columns_need_tables_of_three() -> None:
    data = null_table(2, 3000, 2, np.random.default_rng(0))
    plan = replace(plan_of("pairs", data, 1), triples=1)
    found = Dependence(NoisyTables(data, plan, np.random.default_rng(1)))
    assert found.estimate(0, 1, (2, 3)) is None
    assert found.estimate(0, 1, (2,)) is not None


def test_strata_that_noise_hides_are_left_out() -> None:
    first = Strata(np.array([[500.0, 3.0, 4.0], [400.0, 1.0, 0.0]]), np.full(3, 25.0))
    second = Strata(np.array([[300.0, 4.0, 1.0], [600.0, 0.0, 2.0]]), np.full(3, 25.0))
    kept = shared_strata(first, second)
    assert kept is not None
    assert kept[2] == pytest.approx([900.0])
    assert shared_strata(*(replace(s, variance=np.full(3, 1e9)) for s in (first, second))) is None
    rest = shared_strata(*(replace(s, variance=np.full(3, 0.1)) for s in (first, second)))
    assert rest is not None
    assert rest[2] == pytest.approx([900.0, 7.5])


def test_a_determined_column_is_not_tested() -> None:
    estimate = DependenceEstimate(
        np.zeros((1, 1)), 1e-8 * np.eye(1), (0.001 * np.eye(1), np.eye(1)), 0.001
    )
    assert not estimate.would_be_seen(np.full((1, 1), 0.5), 0.01)
    assert replace(estimate, left=(np.eye(1), np.eye(1))).would_be_seen(np.full((1, 1), 0.5), 0.01)


# The level of its tests.


def rejected(kind, order, variance, n, levels, nulls, level, seed=1):
    rng, given, count = np.random.default_rng(seed), tuple(range(2, 2 + order)), 0
    for _ in range(nulls):
        data = null_table(order, n, levels, rng)
        estimate = estimated(kind, data, variance, rng, given)[1]
        assert estimate is not None
        count += estimate.p_value < level
    return count


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pairs", "less", "whole"])
@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize(("n", "variance"), [(20_000, QUIET), (20_000, 400), (20_000, 2500)])
def test_the_level_is_kept_with_and_without_noise(
    kind: str, order: int, n: int, variance: Fraction | int
) -> None:
    """Within 1.2 of .05, as far as 2,000 nulls can tell: not below 1/1.2 or above 1.2 at 99.9 %."""
    levels = 2 + order % 2
    count = rejected(kind, order, variance, n, levels, 2000, 0.05)
    assert stats.binom.sf(count - 1, 2000, 0.05 * 1.2) > 1e-3
    assert stats.binom.cdf(count, 2000, 0.05 / 1.2) > 1e-3


def test_a_test_that_does_not_know_the_noise_is_far_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Broken twin: the same tests, told that cells have no noise."""
    nulls = 150
    sound = rejected("pairs", 1, 2500, 20_000, 2, nulls, 0.05)
    assert stats.binom.sf(sound - 1, nulls, 0.05) > 1e-4

    real = room.chained
    monkeypatch.setattr(
        room,
        "chained",
        lambda pair, first, second, *rest: real(
            replace(pair, variance=0.0),
            *(replace(s, variance=np.zeros_like(s.variance)) for s in (first, second)),
            *rest,
        ),
    )
    broken = rejected("pairs", 1, 2500, 20_000, 2, nulls, 0.05)
    assert stats.binom.sf(broken - 1, nulls, 0.05 * 1.2) < 1e-6
