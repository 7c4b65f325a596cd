"""The ladder: no divergence within the claim lets its wealth grow, and cells tell all of ρ."""

import itertools
import math

import numpy as np
import pytest

from provado.audit.bounds import Bets, Ladder, ladder_lower
from provado.audit.bounds.ladder import ladder_log_wealth
from provado.audit.events.threshold import Goal
from provado.audit.pipeline.curve_plan import plan_ladder
from provado.mechanisms import UsageError

BETS = Bets((0.1, 0.3), (0.5, 0.5))
ORDERS = (1.0, 1.25, 2.0, 5.0)


def divergence(p, q, order):
    if order == 1:
        return float(np.sum(p * np.log(p / q)))
    return math.log(float(np.sum(p**order * q ** (1 - order)))) / (order - 1)


def random_ladder(rng, order, cells):
    logs = rng.normal(size=cells)
    logs -= logs.max() if order > 1 else 0
    tangent, offset = float(rng.uniform(0.2, 2.0)), float(rng.normal())
    swapped = bool(rng.integers(2))
    return Ladder(0.05, order, 2.0, swapped, tuple(logs), tangent, offset, BETS)


@pytest.mark.parametrize("order", ORDERS)
def test_no_trial_wins_on_average_within_the_claim(order):
    rng = np.random.default_rng(1)
    for _ in range(300):
        p, q = rng.dirichlet(np.ones(6), 2)
        ladder = random_ladder(rng, order, 6)
        scale = divergence(p, q, order) / ladder.weight
        won, kept = ladder.stakes(scale)
        assert float(p @ won + q @ kept) <= 1e-9


@pytest.mark.parametrize("order", ORDERS)
def test_a_trial_wins_where_the_claim_is_half_the_truth(order):
    """The twin: a claim below the truth lets the planned stakes win."""
    rng = np.random.default_rng(2)
    p, q = rng.dirichlet(np.full(6, 5.0), 2)
    logs = np.log(p / q)
    if order == 1:
        tangent, offset = 1.0, float(p @ logs)
    else:
        logs = (order - 1) * (logs - logs.max())
        tangent = float(q @ np.exp(logs * order / (order - 1)))
        offset = float(p @ np.exp(logs))
    ladder = Ladder(0.05, order, 1.0, False, tuple(logs), tangent, offset, BETS)
    truth = divergence(p, q, order)
    for share, wins in ((0.5, True), (0.999, True), (1.0, False)):
        won, kept = ladder.stakes(share * truth)
        assert (float(p @ won + q @ kept) > 1e-9) is wins


def test_the_wealth_never_rises_with_the_claim():
    rng = np.random.default_rng(3)
    for order in ORDERS:
        for _ in range(20):
            ladder = random_ladder(rng, order, 5)
            cells = tuple(rng.integers(0, 50, 10).tolist())
            wealth = [ladder_log_wealth(t, cells, ladder) for t in np.linspace(0, 3, 40)]
            assert all(a >= b for a, b in itertools.pairwise(wealth))


def two_normals(rng, trials, cells):
    edges = np.linspace(-3, 4, cells - 1)
    heads = int(rng.binomial(trials, 0.5))
    return [
        np.bincount(np.searchsorted(edges, rng.normal(mean, 1, size)), minlength=cells)
        for mean, size in ((0, heads), (1, trials - heads))
    ]


def limits(repetitions, *, reuse, trials=1000, cells=256, shuffled=False):
    """Return limits on ρ of normals with ρ = 1/2. reuse: stakes learned on what is counted.

    shuffled: the cells are in no order, so that rare ones are not taken together.
    """
    found, order = [], np.random.default_rng(0).permutation(cells)
    for seed in range(repetitions):
        rng = np.random.default_rng(seed)
        order = order if shuffled else np.arange(cells)
        learned = [side[order] for side in two_normals(rng, trials, cells)]
        goal = Goal(trials, 0.05, 0.0, betting=True)
        planned = plan_ladder(1.0, 1.0, learned, goal, swapped=False)
        counts = [side[order] for side in two_normals(rng, trials, cells)]
        counts = learned if reuse else counts
        cells_of = tuple(np.concatenate(counts).tolist())
        found.append(ladder_lower(cells_of, planned) if planned else 0.0)
    return np.array(found)


def test_stakes_learned_on_the_counts_certify_what_is_not_there():
    """The broken twin, and the sound one beside it."""
    many = {"cells": 1024, "shuffled": True}
    assert np.mean(limits(40, reuse=True, **many) > 0.5) > 0.5
    assert np.mean(limits(40, reuse=False, **many) > 0.5) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("cells", [4, 64])
def test_at_most_alpha_of_limits_exceed_the_truth(cells):
    assert np.mean(limits(2000, reuse=False, trials=20_000, cells=cells) > 0.5) <= 0.05


def test_a_million_trials_show_95_percent_of_rho():
    (found,) = limits(1, reuse=False, trials=1_000_000, cells=48)
    assert 0.95 * 0.5 < found < 0.5


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"alpha": 0.0}, "alpha is 0"),
        ({"order": 0.5}, "order must be at least 1"),
        ({"weight": math.inf}, "order must be"),
        ({"tangent": 0.0}, "tangent above 0"),
        ({"logs": ()}, "finite number"),
        ({"logs": (math.nan,)}, "finite number"),
    ],
)
def test_a_ladder_that_is_none_is_refused(changed, said):
    given = {
        "alpha": 0.05,
        "order": 1.0,
        "weight": 1.0,
        "swapped": False,
        "logs": (0.0, 1.0),
        "tangent": 1.0,
        "offset": 0.0,
        "bets": BETS,
    }
    with pytest.raises(UsageError, match=said):
        Ladder(**given | changed)


def test_a_swapped_ladder_reads_the_sides_the_other_way():
    given = (0.05, 1.0, 1.0)
    rest = ((0.5, -0.5), 1.2, 0.1, BETS)
    ladder, swapped = (Ladder(*given, way, *rest) for way in (False, True))
    there, back = (30, 10, 5, 40), (5, 40, 30, 10)
    assert ladder_log_wealth(0.1, there, ladder) == ladder_log_wealth(0.1, back, swapped)
    assert ladder_log_wealth(0.1, there, ladder) != ladder_log_wealth(0.1, there, swapped)


@pytest.mark.parametrize("order", ORDERS)
def test_the_wealth_is_what_two_bettors_have_together(order):
    """A slow twin: each trial's win or loss multiplied, one after the other."""
    ladder, scale = random_ladder(np.random.default_rng(3), order, 3), 0.1
    sides = [(3, 1, 2), (2, 4, 1)]
    won = list(zip(sides[::-1] if ladder.swapped else sides, ladder.stakes(scale), strict=True))
    wealth = 0.0
    for stake, weight in zip(BETS.stakes, BETS.weights, strict=True):
        trials = [1 + stake * x for counts, each in won for x in np.repeat(each, counts)]
        # A stake that could lose all is none.
        wealth += weight * math.prod(trials) if min(trials) > 0 else 0.0
    assert wealth > 0
    found = ladder_log_wealth(scale, (*sides[0], *sides[1]), ladder)
    assert found == pytest.approx(math.log(wealth))


def test_counts_of_other_cells_are_refused():
    ladder = random_ladder(np.random.default_rng(1), 1.0, 4)
    with pytest.raises(UsageError, match="6 counts for 4 cells"):
        ladder_lower((1, 2, 3, 4, 5, 6), ladder)
