"""Stakes of a ladder: the nearest pair, a general optimizer beside it, and worse stakes."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

from provado.audit.bounds import Bets, Ladder, ladder_lower, mixture
from provado.audit.events.threshold import Goal
from provado.audit.pipeline.curve_plan import FEWEST, nearest, plan_ladder, promised, renyi, tails

ORDERS = (1.0, 1.25, 2.0, 8.0)


def factors(found, order):
    x, t, k = found.logs, found.divergence, found.k
    if order == 1:
        return 1 + k * (x - t), 1 - k * np.expm1(x)
    shift = (order - 1) * t
    won = 1 + k * order * np.expm1((order - 1) * x - shift)
    return won, 1 - k * (order - 1) * np.expm1(order * x - shift)


def distance(p, q, p_near, q_near):
    return float(p @ np.log(p / p_near) + q @ np.log(q / q_near)) / 2


@pytest.mark.parametrize("order", ORDERS)
def test_the_pair_is_one_of_distributions_within_the_claim(order):
    rng = np.random.default_rng(1)
    for _ in range(20):
        p, q = rng.dirichlet(np.ones(8), 2)
        for k in (1e-4, 1e-2, 1.0):
            found = nearest(p, q, order, k)
            won, kept = factors(found, order)
            pair = p / won, q / kept
            assert [side.sum() for side in pair] == pytest.approx([1.0, 1.0], abs=1e-9)
            assert np.log(pair[0] / pair[1]) == pytest.approx(found.logs, abs=1e-8)
            assert renyi(*pair, order) == pytest.approx(found.divergence, rel=1e-6, abs=1e-10)
            assert found.growth == pytest.approx(distance(p, q, *pair), abs=1e-12)
            assert found.divergence < renyi(p, q, order)


@pytest.mark.parametrize("order", ORDERS)
def test_no_pair_within_the_claim_is_nearer(order):
    """A slow twin: a general optimizer over all pairs of four cells."""
    rng = np.random.default_rng(2)
    p, q = rng.dirichlet(np.full(4, 3.0), 2)
    found = nearest(p, q, order, 0.05)

    def pair(z):
        sides = np.exp(z.reshape(2, 4))
        return sides / sides.sum(axis=1, keepdims=True)

    best = minimize(
        lambda z: distance(p, q, *pair(z)),
        np.log(np.concatenate([p, q])) / 2,
        method="SLSQP",
        constraints={
            "type": "ineq",
            "fun": lambda z: found.divergence - renyi(*pair(z), order),
        },
        options={"maxiter": 500, "ftol": 1e-14},
    )
    assert best.fun == pytest.approx(found.growth, rel=1e-4)


def normals(rng, trials, cells=96):
    edges = np.linspace(-4, 5, cells - 1)
    heads = int(rng.binomial(trials, 0.5))
    return [
        np.bincount(np.searchsorted(edges, rng.normal(mean, 1, size)), minlength=cells)
        for mean, size in ((1, heads), (0, trials - heads))
    ]


def goal(trials):
    return Goal(trials, 0.05, 0.0, betting=True)


@pytest.mark.parametrize("order", ORDERS)
def test_planned_stakes_win_nothing_on_average_within_the_claim(order):
    rng = np.random.default_rng(3)
    counts = normals(rng, 100_000, 8)
    ladder = plan_ladder(order, 1.0, counts, goal(100_000), swapped=False)
    for _ in range(300):
        p, q = (rng.dirichlet(np.full(8, 0.7)) + 1e-6 for _ in range(2))
        p, q = p / p.sum(), q / q.sum()
        won, kept = ladder.stakes(renyi(p, q, order))
        assert float(p @ won + q @ kept) <= 1e-9


def raw_ladder(order, counts, trials):
    """A twin: each cell's own ratio to the power α − 1, and a stake by the normal approximation."""
    p, q = ((side + 0.5) / (side + 0.5).sum() for side in counts)
    logs = (order - 1) * (np.log(p) - np.log(q))
    logs -= logs.max()
    offset, tangent = float(p @ np.exp(logs)), float(q @ np.exp(logs * order / (order - 1)))
    bare = Ladder(0.05, order, 1.0, False, tuple(logs), tangent, offset, Bets((1.0,), (1.0,)))
    won, kept = bare.stakes(renyi(p, q, order) / 2)
    deviation = math.sqrt(float(p @ won**2 + q @ kept**2) / 2)
    most = 1 / -min(float(won.min()), float(kept.min()))
    stake = min(math.sqrt(2 * math.log(20) / trials) / deviation / most, 0.9)
    spread = mixture(stake, 0.0, anytime=False)
    return replace(bare, bets=Bets(tuple(most * one for one in spread.stakes), spread.weights))


@pytest.mark.parametrize(("order", "least"), [(2.0, 0.94), (4.0, 0.82), (8.0, 0.55)])
def test_planned_stakes_certify_more_than_raw_ratios(order, least):
    """At high orders a million trials show little, and raw ratios little of that."""
    trials, planned, raw = 1_000_000, [], []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        learned, counts = normals(rng, trials), normals(rng, trials)
        cells = tuple(np.concatenate(counts).tolist())
        ladder = plan_ladder(order, 1.0, learned, goal(trials), swapped=False)
        planned.append(ladder_lower(cells, ladder) / (order / 2))
        raw.append(ladder_lower(cells, raw_ladder(order, learned, trials)) / (order / 2))
    assert least < np.median(planned) < 1
    assert np.median(raw) < np.median(planned)


def test_blocks_of_rare_cells():
    a, b = np.array([0, 3, 50, 60, 90, 70, 60, 5, 9]), np.array([2, 40, 60, 80, 70, 60, 55, 1, 0])
    assert FEWEST == 40
    # 0, 3 and 50 under D are the first 40; 0, 1 and 55 under D′ the last.
    assert tails(a, b).tolist() == [0, 0, 0, 1, 2, 3, 4, 4, 4]
    # Of what one side hardly has, less must do.
    assert tails(np.array([900, 5]), np.array([10, 890])).tolist() == [0, 1]
    assert tails(np.array([900, 50, 0]), np.array([0, 50, 900])).tolist() == [0, 1, 2]


@pytest.mark.parametrize("order", ORDERS)
def test_what_is_alike_has_no_ladder(order):
    same = np.array([100, 200, 300])
    assert plan_ladder(order, 1.0, [same, same], goal(1000), swapped=False) is None
    few = np.array([1, 2, 3])
    assert plan_ladder(order, 1.0, [few, few[::-1]], goal(10), swapped=False) is None


@pytest.mark.parametrize("swapped", [False, True])
def test_a_forecast_is_about_what_will_be_certified(swapped):
    rng = np.random.default_rng(5)
    trials = 200_000
    learned, held, counts = (normals(rng, trials) for _ in range(3))
    ladder = plan_ladder(2.0, 1.0, learned, goal(trials), swapped=swapped)
    found = ladder_lower(tuple(np.concatenate(counts).tolist()), ladder)
    forecast = promised(ladder, held, goal(trials))
    assert 0.8 * found < forecast < 1.1 * found
    # With more samples to go by it is less careful, and with fewer trials it expects less.
    assert promised(ladder, [20 * side for side in held], goal(trials)) > forecast
    assert promised(ladder, held, goal(trials // 10)) < forecast


def test_outputs_that_only_one_side_has_are_no_error():
    counts = [np.array([900, 50, 0]), np.array([0, 50, 900])]
    for order in ORDERS:
        ladder = plan_ladder(order, 1.0, counts, goal(2000), swapped=False)
        assert 0 < promised(ladder, counts, goal(2000)) < 100


def test_tables_of_any_kind_are_planned():
    """Empty cells, single samples, far apart and alike: a ladder that is one, or none."""
    rng = np.random.default_rng(6)
    for number in range(60):
        cells, size = int(rng.integers(2, 40)), int(10 ** rng.uniform(1, 6))
        p, q = (rng.dirichlet(np.full(cells, 10 ** rng.uniform(-2, 1))) for _ in range(2))
        counts = [rng.multinomial(size, side) for side in (p, p if number % 5 == 0 else q)]
        trials = int(10 ** rng.uniform(1, 8))
        order = float(rng.choice([*ORDERS, 40.0]))
        ladder = plan_ladder(order, 1.0, counts, goal(trials), swapped=bool(number % 2))
        if ladder is not None:
            assert len(ladder.logs) == cells
            assert math.isfinite(promised(ladder, counts, goal(trials)))
            assert math.isfinite(ladder_lower(tuple(np.concatenate(counts).tolist()), ladder))
