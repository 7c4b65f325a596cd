from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.mechanisms import UsageError
from provado.mechanisms.accounting.composition import basic_composition
from provado.mechanisms.accounting.pld import tight_composition
from provado.mechanisms.cause_effect import pair, unprotected_rows
from provado.mechanisms.cause_effect.additive_noise_model import (
    Direction,
    generate_pair,
    split_half,
)
from provado.mechanisms.cause_effect.pair import (
    MarginNoise,
    PairAnswer,
    Released,
    discover_pair,
    proposed_pairs,
)
from provado.mechanisms.cause_effect.pair_budget import (
    SCORES,
    Protect,
    ReleasePlan,
    plan_for,
    share_budget,
)
from provado.mechanisms.cause_effect.releases.training_set import crowding_threshold
from provado.mechanisms.cause_effect.unprotected_rows import Explanation, explain
from provado.mechanisms.regression.kernel_ridge import scale_to_unit
from tests.mechanisms.anm.fit_and_score import anm
from tests.mechanisms.discovery.pair_kinds import ADDITIVE, KINDS, NONE, pair_of

PRIVATE = [p for p in Protect if p is not Protect.NONE]
COMBINATIONS = list(product(SCORES, PRIVATE))
PLANS = sorted({plan_for(*c) for c in COMBINATIONS}, key=lambda p: (p.releases, p.noises, p.tests))
RANGE = (-4.0, 4.0)
PAIR = generate_pair(400, np.random.default_rng(11))


def ask(score, protect, *, seed=0, x=PAIR.x, y=PAIR.y, **changes) -> PairAnswer:
    asked = {"epsilon": 2**20, "delta": 0.01, "x_range": RANGE, "y_range": RANGE} | changes
    rng = np.random.default_rng(seed)
    return discover_pair(x, y, score=score, protect=protect, rng=rng, **asked)


@pytest.mark.parametrize("score", SCORES)
def test_without_protection_it_is_the_plain_method(score):
    answer = ask(score, Protect.NONE, epsilon=None, delta=None)
    split = split_half(400, np.random.default_rng(0))
    plain = anm(
        scale_to_unit(PAIR.x, *RANGE),
        scale_to_unit(PAIR.y, *RANGE),
        score=SCORES[score].of,
        split=split,
    )
    assert answer.scores == (plain.score_forward, plain.score_backward)
    assert (answer.direction, answer.confidence) == (plain.direction, 1.0)
    assert answer.budget is None
    assert (answer.n, answer.m) == (200, 200)


@pytest.mark.parametrize(("score", "protect"), COMBINATIONS)
def test_a_huge_budget_tells_the_non_private_direction(score, protect):
    # Training rows must not reach far: λ is large. A rank score is stable only where one of them
    # cannot reach the closest residuals; then regressions hardly bend, and both scores are equal.
    exact_ranks = protect is Protect.TRAINING and score in ("spearman", "kendall")
    changes = {"lam": 1e6 if exact_ranks else 1.0 if score == "hsic" else 10.0}
    plain = ask(score, Protect.NONE, **changes)
    answer = ask(score, protect, **changes)
    assert answer.direction is plain.direction
    if exact_ranks:
        assert answer.scores == plain.scores
        assert answer.released.noise is None
        return
    assert answer.direction in (Direction.FORWARD, Direction.BACKWARD)
    noise = answer.released.noise
    assert answer.scores == pytest.approx(plain.scores, abs=60 * noise.scale + 4 * noise.step)
    assert answer.confidence > 0.9


@pytest.mark.parametrize(("score", "protect"), COMBINATIONS)
def test_the_seed_settles_the_answer(score, protect):
    first, again, other = (ask(score, protect, seed=s, epsilon=1).scores for s in (5, 5, 6))
    assert np.array_equal(first, again, equal_nan=True)
    assert math.isnan(first[0]) or first != other


@pytest.mark.parametrize(("score", "protect"), [*COMBINATIONS, *product(SCORES, [Protect.NONE])])
@pytest.mark.parametrize("rows", [4, 5])
def test_four_rows_are_enough_for_an_answer(score, protect, rows):
    answer = ask(score, protect, x=np.arange(rows) / 3, y=np.arange(rows) ** 2 / 9, epsilon=1)
    assert (answer.n, answer.m) == (2, rows - 2)


def test_noise_is_as_large_as_the_shares_of_the_budget_say():
    m = 200
    test = ask("hsic", Protect.TEST, epsilon=1).released.noise
    assert test.scale == pytest.approx(2 * (16 * m - 8) / (m - 1) ** 2, rel=2e-4)
    assert ask("kendall", Protect.TEST, epsilon=1).released.noise.scale == pytest.approx(
        2 * 4 / m, rel=2e-4
    )
    assert ask("iqr", Protect.BOTH, epsilon=1).released.noise.scale == 12
    assert ask("iqr", Protect.TRAINING, epsilon=1).released.noise.scale == 6


@given(
    st.sampled_from(PLANS),
    st.fractions(Fraction(1, 1000), 1000),
    st.floats(1e-12, 0.9),
)
@settings(max_examples=200)
def test_shares_never_exceed_the_budget_and_waste_little(plan, epsilon, delta):
    budget = share_budget(plan, epsilon, delta)
    assert epsilon * (1 - Fraction(1, 10**4)) <= budget.epsilon <= epsilon
    assert budget.delta <= Fraction(delta)
    if plan.tests:
        assert budget.delta >= Fraction(delta) * (1 - Fraction(1, 10**12))
    else:
        assert budget.delta == 0
    # The same by the general rule for composition, whose parts are rounded up.
    parts = basic_composition(budget.promises).point()
    assert parts == pytest.approx((float(budget.epsilon), float(budget.delta)), rel=1e-12)


def test_each_test_pays_for_its_own_rounding():
    given_whole = Fraction(share_budget(ReleasePlan(4, 3, 2), 1, 0.5).release_delta)
    assert 4 * (given_whole + 2 * Fraction(1, 2**50)) <= Fraction(1, 2)
    assert 4 * (given_whole + 2 * Fraction(1, 2**50)) > Fraction(1, 2) - Fraction(1, 2**50)


@pytest.mark.parametrize(
    ("plan", "epsilon", "delta", "rule"),
    [
        (ReleasePlan(2, 1, 0), 0, None, "epsilon is 0"),
        (ReleasePlan(2, 1, 0), math.inf, None, "epsilon is inf"),
        (ReleasePlan(2, 1, 0), 1e-7, None, "a share must lie between"),
        (ReleasePlan(2, 1, 0), 1e9, None, "a share must lie between"),
        (ReleasePlan(4, 3, 2), 1, None, "delta is missing"),
        (ReleasePlan(4, 3, 2), 1, 0.0, "delta is 0.0"),
        (ReleasePlan(4, 3, 2), 1, 1e-15, "must be above 2"),
    ],
)
def test_budgets_out_of_range_are_refused(plan, epsilon, delta, rule):
    with pytest.raises(UsageError, match=rule):
        share_budget(plan, epsilon, delta)


def discrete_laplace(scale, reach):
    weights = np.exp(-np.abs(np.arange(-reach, reach + 1)) / scale)
    return weights / weights.sum()


@pytest.mark.parametrize("terms", [2, 4])
@pytest.mark.parametrize("scale", [0.7, 3.0, 11.0])
def test_confidence_is_never_too_high_for_discrete_noise(terms, scale):
    law = np.ones(1)
    for _ in range(terms):
        law = np.convolve(law, discrete_laplace(scale, 400))
    center = law.size // 2
    exceeds = [(k, float(law[center + k :].sum())) for k in range(1, int(12 * scale))]

    def wrong(noise):
        # Against the null that favours it most: equal non-private scores.
        told = [(1 - Released(0.0, float(k), noise).confidence(), tail) for k, tail in exceeds]
        return [tail for claimed, tail in told if tail > claimed + 1e-12]

    assert wrong(MarginNoise(terms, scale, 1.0, False)) == []
    # Without the allowance for the steps the same check fails.
    assert wrong(MarginNoise(terms, scale, 0.0, False)) != []


def discrete_delta(shift, scale, epsilon):
    law, reach = discrete_laplace(scale, 600), 600
    p, q = law[reach - 500 : reach + 500], law[reach - 500 - shift : reach + 500 - shift]
    return float(np.maximum(p - math.exp(epsilon) * q, 0).sum())


def laplace_delta(shift, scale, epsilon):
    return max(0.0, -math.expm1((epsilon - shift / scale) / 2))


@pytest.mark.parametrize(("shift", "scale"), [(6, 5.0), (7, 5.0), (9, 20.0)])
def test_two_steps_more_cover_what_discrete_noise_loses_beyond_laplace_noise(shift, scale):
    losses = np.linspace(0, shift / scale, 101)
    discrete = np.array([discrete_delta(shift, scale, loss) for loss in losses])
    covering = np.array([laplace_delta(shift + 2, scale, loss) for loss in losses])
    assert np.all(discrete <= covering + 1e-12)
    equal = np.array([laplace_delta(shift, scale, loss) for loss in losses])
    assert np.any(discrete > equal + 1e-6)


def test_tight_composition_of_a_pure_release_is_smaller_where_delta_allows():
    budget = share_budget(ReleasePlan(2, 1, 0), 1, None)
    assert tight_composition(budget.tight_parts, 0.05) < 0.95


def test_bounds_come_from_the_training_half_where_it_is_public():
    answer = ask("hsic", Protect.TEST, x_range=None, y_range=None)
    train = split_half(400, np.random.default_rng(0)).train
    same = ask(
        "hsic",
        Protect.TEST,
        x_range=(PAIR.x[train].min(), PAIR.x[train].max()),
        y_range=(PAIR.y[train].min(), PAIR.y[train].max()),
    )
    assert answer.scores == same.scores
    assert answer.bounds == ("training half", "training half")
    everything = ask("hsic", Protect.NONE, x_range=None)
    assert everything.bounds == ("all rows", "given")


def test_a_test_row_far_away_counts_as_one_at_the_edge():
    row = split_half(400, np.random.default_rng(0)).test[0]
    edge, far = PAIR.x.copy(), PAIR.x.copy()
    edge[row], far[row] = 4.0, 1e300
    scores = [ask("hsic", Protect.TEST, x=x).scores for x in (edge, far)]
    assert scores[0] == scores[1]


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"protect": Protect.TRAINING, "x_range": None}, "x_range is missing.*would leak"),
        ({"protect": Protect.BOTH, "y_range": None}, "y_range is missing.*would leak"),
        ({"x_range": (1.0, 1.0)}, "x_range is"),
        ({"epsilon": None}, "epsilon is missing"),
        ({"x": PAIR.x[:3], "y": PAIR.y[:3]}, "at least 4"),
        ({"x": PAIR.x[:5]}, "one length"),
        ({"x": np.zeros(400), "x_range": None}, "x is constant on the training half"),
        ({"x": np.full(400, np.nan)}, "finite"),
        ({"protect": Protect.BOTH, "score": "kendall", "delta": None}, "delta is missing"),
    ],
)
def test_bad_questions_are_refused(changes, rule):
    with pytest.raises(UsageError, match=rule):
        ask(**{"score": "hsic", "protect": Protect.TEST} | changes)


def test_an_answer_with_a_withheld_score_has_no_direction():
    answer = ask("iqr", Protect.TEST, epsilon=0.1, delta=1e-6)
    assert math.isnan(answer.scores[0])
    assert answer.direction is None
    assert answer.confidence is None


def test_a_score_without_logarithm_beats_any_number():
    assert Released(-math.inf, 3.0, MarginNoise(4, 12.0, 2.0**-10, True)).confidence() == 1.0


@pytest.mark.parametrize(("epsilon", "delta"), [(0.25, 1e-6), (5.0, 0.01)])
def test_uncrowded_residuals_pass_the_proposed_number_of_pairs(epsilon, delta):
    m = 1000
    most = proposed_pairs(m, epsilon, delta)
    assert most % (m - 1) == 0
    room = most // (m - 1) - crowding_threshold(epsilon, delta)
    assert 3 / epsilon <= room <= 3 / epsilon + 2
    assert proposed_pairs(5, 0.001, 1e-6) == 10


def square(rng):
    x = rng.uniform(-1, 1, 2000)
    return x, x**2 + 0.2 * rng.uniform(-1, 1, 2000)


def normal(rng):
    """Both directions are additive noise models."""
    x = rng.normal(size=2000)
    return x, x + rng.normal(size=2000)


def rotated(rng):
    """Neither direction is one: two independent causes of both columns."""
    one, other = rng.uniform(-1, 1, (2, 2000))
    return one + other, one - other


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("model", "fits"), [(square, (True, False)), (normal, (True, True)), (rotated, (False, False))]
)
def test_a_cause_is_told_only_where_one_direction_fits(model, fits, seed):
    """The twin is the direction of the smaller score, which always says one."""
    x, y = model(np.random.default_rng(seed))
    rng = np.random.default_rng(seed)
    answer = discover_pair(x, y, score="hsic", protect=Protect.NONE, rng=rng)
    assert answer.fits == fits
    assert answer.direction in (Direction.FORWARD, Direction.BACKWARD)
    assert answer.cause is (Direction.FORWARD if model is square else None)
    turned = discover_pair(
        y, x, score="hsic", protect=Protect.NONE, rng=np.random.default_rng(seed)
    )
    assert turned.cause is (Direction.BACKWARD if model is square else None)


@pytest.mark.parametrize("seed", range(8))
def test_noise_that_could_have_turned_a_direction_leaves_no_cause(seed):
    x, y = square(np.random.default_rng(seed))
    asked = {"score": "hsic", "protect": Protect.TEST, "rng": np.random.default_rng(seed)}
    assert discover_pair(x, y, epsilon=1, **asked).cause is None
    assert discover_pair(x, y, epsilon=1000, **asked).cause is Direction.FORWARD


@pytest.mark.parametrize("height", [0.0, 1.5, 2.5, 4.0])
def test_noise_on_equal_scores_seldom_names_a_cause(monkeypatch, height):
    """Whatever the scores are without noise. The twin has the limits of a direction that fits."""
    rng, noise = np.random.default_rng(0), MarginNoise(2, 1.0, 2.0**-20, False)
    draws = height + rng.laplace(size=(3000, 2))
    # Of two scores; what other rows say of either direction stands in no one's way.
    open_ways = (Explanation(1.0, 0.0, False),) * 2

    def named():
        made = (Released(*scores, noise) for scores in draws.tolist())
        bounds = ("given", "given")
        told = [PairAnswer(10**6, 10**6, "hsic", r, None, bounds, open_ways) for r in made]
        return np.mean([answer.cause is not None for answer in told])

    assert named() < 0.07
    monkeypatch.setattr(pair, "SURE", 0.8)
    monkeypatch.setattr(pair, "_LOUD", pair._NOISY)
    assert named() > 0.07


@pytest.mark.parametrize(
    "column", [lambda rng, x: 0.7 * x + rng.normal(size=x.size), lambda _, x: -2 * x]
)
@pytest.mark.parametrize("epsilon", [1, 30, 1000])
def test_normal_columns_that_both_directions_fit_name_no_cause(column, epsilon):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=600)
        y = column(rng, x)
        asked = {"score": "hsic", "protect": Protect.TEST, "epsilon": epsilon, "rng": rng}
        assert discover_pair(x, y, **asked).cause is None


@pytest.mark.parametrize(("epsilon", "most"), [(1, 2), (30, 0), (1000, 0)])
def test_two_columns_of_two_values_name_a_cause_at_most_by_noise(epsilon, most):
    """Which is at most one in twenty, as for other columns."""
    named = 0
    for seed in range(16):
        rng = np.random.default_rng(seed)
        x = (rng.random(1000) < rng.uniform(0.1, 0.9)).astype(float)
        y = (rng.random(1000) < np.where(x == 1, *rng.uniform(0.05, 0.95, 2))).astype(float)
        asked = {"score": "hsic", "protect": Protect.TEST, "epsilon": epsilon, "rng": rng}
        named += discover_pair(x, y, **asked).cause is not None
    assert named <= most


@pytest.mark.parametrize("score", [score for score in SCORES if score != "hsic"])
def test_a_small_score_that_is_no_test_of_independence_tells_no_cause(score):
    x, y = square(np.random.default_rng(0))
    rng = np.random.default_rng(0)
    answer = discover_pair(x, y, score=score, protect=Protect.NONE, rng=rng)
    assert answer.direction is not None
    assert (answer.fits, answer.cause) == (None, None)


def named_by(kind, seed, rows):
    """Return whether the cause that the rows name by themselves is right; ``None`` without one."""
    x, y, first = pair_of(kind, seed, rows)
    scores = {True: Released(0.0, 1.0), False: Released(1.0, 0.0)}
    ways = explain(x, y), explain(y, x)
    told = {
        forward: PairAnswer(rows, rows, "hsic", released, None, ("given", "given"), ways).cause
        for forward, released in scores.items()
    }
    found = [forward for forward, cause in told.items() if cause is not None]
    return first is found[0] if found else None


@pytest.mark.parametrize("rows", [100, 500, 1500])
def test_rows_that_mislead_exclude_no_true_cause(monkeypatch, rows):
    """Whatever the scores are. The twins take the plain model alone, or any number of values."""

    def answers(seed):
        return [named_by(kind, seed, rows) for kind in KINDS]

    assert False not in (found := [each for seed in range(3) for each in answers(seed)])
    assert rows < 500 or found.count(True) > 10
    monkeypatch.setattr(unprotected_rows, "LARGEST_LUMP", 1.0)
    assert False in answers(0)
    monkeypatch.undo()
    dependence = unprotected_rows._dependence
    monkeypatch.setattr(
        unprotected_rows,
        "_dependence",
        lambda cause, effect, _: dependence(cause, effect, False),
    )
    monkeypatch.setattr(pair, "POSSIBLE", 0.0)
    assert False in answers(0)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in {*ADDITIVE, *NONE}])
@pytest.mark.parametrize("protect", [Protect.NONE, Protect.TEST])
def test_an_effect_that_is_no_sum_is_never_named_the_cause(kind, protect):
    x, y, first = pair_of(kind, 5, 800)
    rng = np.random.default_rng(5)
    answer = discover_pair(x, y, score="hsic", protect=protect, epsilon=1000, rng=rng)
    assert answer.cause in (None, Direction.FORWARD if first else Direction.BACKWARD)


@pytest.mark.parametrize("protect", Protect)
def test_only_rows_without_protection_are_tested(protect):
    """Where there are none, no cause is named, whatever the scores."""
    x, y = square(np.random.default_rng(0))
    asked = {"x_range": (-1.0, 1.0), "y_range": (-0.2, 1.2), "score": "hsic", "epsilon": 1}
    answers = []
    for seed in range(2):
        half = split_half(2000, np.random.default_rng(0))
        changed = half.test if protect is Protect.TEST else half.train
        z = y.copy()
        if seed and protect is not Protect.NONE:
            z[changed] = -z[changed] / 2
        answer = discover_pair(x, z, protect=protect, rng=np.random.default_rng(0), **asked)
        answers.append(replace(answer, released=Released(0.0, 1.0)))
    assert answers[0].explained == answers[1].explained
    assert (answers[0].cause is None) == (protect is Protect.BOTH)


def test_the_test_of_residuals_keeps_its_level_and_finds_a_changing_variance():
    rng, level = np.random.default_rng(0), 0.05
    draws = [(rng.normal(size=300), rng.normal(size=300)) for _ in range(400)]
    kept = [unprotected_rows._independent(u, v) < level for u, v in draws]
    found = [unprotected_rows._independent(u, (0.3 + np.abs(u)) * v) < level for u, v in draws]
    assert 0.02 < np.mean(kept) < 0.08
    assert np.mean(found) > 0.95
