"""Few runs under a claim that is a curve: bounds against laws of right guesses that keep it."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import binom

from provado.audit import audit_one_run
from provado.audit.bounds.one_run import (
    one_run_chance,
    one_run_curve_chance,
    one_run_curve_limit,
    one_run_epsilon_lower,
    points_of,
)
from provado.audit.result import OneRunFinding, judged
from provado.mechanisms import (
    AddOrRemoveOne,
    ConcentratedDP,
    GaussianDP,
    Mechanism,
    PrivacyCurve,
    PureDP,
    RenyiDP,
    Source,
    UsageError,
    Verdict,
)
from provado.mechanisms.definitions.curve import CurvePromise, CurveRecord

ALPHA = 0.05
CELLS = 400
CANARIES = np.arange(CELLS)


def divergence(order: float, epsilon: float) -> float:
    """Return the Rényi divergence of randomized response at ε."""
    p, q = 1 / (1 + math.exp(-epsilon)), 1 / (1 + math.exp(epsilon))
    return math.log(p**order * q ** (1 - order) + q**order * p ** (1 - order)) / (order - 1)


def of_responses(epsilon: float) -> list[CurvePromise]:
    """Return curves that randomized response at ε keeps, and none of them with less."""
    orders = 1 + np.exp(np.linspace(-6, 5, 500))
    truth = math.expm1(epsilon) / (1 + math.exp(epsilon))
    return [
        ConcentratedDP(max(divergence(float(a), epsilon) / float(a) for a in orders)),
        RenyiDP(3.0, divergence(3.0, epsilon)),
        PrivacyCurve(
            lambda e: max(0.0, truth - math.expm1(e) / (1 + math.exp(epsilon))) if e else truth
        ),
    ]


@pytest.mark.parametrize(("epsilon", "guesses", "runs"), [(2.0, 200, 1), (1.0, 20, 3)])
def test_the_level_on_randomized_responses(epsilon: float, guesses: int, runs: int) -> None:
    """Exactly: of every number of right guesses its chance is known."""
    every = np.arange(guesses * runs + 1)
    law = binom(guesses * runs, 1 / (1 + math.exp(-epsilon))).pmf(every)
    likely = every[law > 1e-7]
    for promise in of_responses(epsilon):
        lower = {
            int(v): one_run_curve_limit(int(v), guesses, guesses, ALPHA, promise, runs=runs)[0]
            for v in likely
        }
        above = sum(law[v] for v in likely if lower[int(v)] > promise.parameter)
        assert above + law[law <= 1e-7].sum() <= ALPHA
        # It is a limit that grows with what is right, and says something.
        ordered = [lower[int(v)] for v in likely]
        assert ordered == sorted(ordered)
        assert lower[int(likely[-1])] > 0.3 * promise.parameter
    zcdp = of_responses(epsilon)[0].parameter
    pure = [one_run_epsilon_lower(int(v), guesses, guesses, 0.0, ALPHA, runs=runs) for v in likely]
    # As if ε-DP were the most that ρ-zCDP allows: of every mechanism of ε-DP, ρ is at most ε·tanh.
    broken = sum(law[v] for v, e in zip(likely, pure, strict=True) if 0.8 * e * e > zcdp)
    assert broken > ALPHA


def shared_loss(mu: float, guesses: int, runs: int, size: int, seed: int) -> np.ndarray[Any, Any]:
    """Return right guesses in all runs of a mechanism that is μ-GDP for each coin.

    Each run draws the loss of the Gaussian once, says it, and answers for all coins with it.
    """
    rng = np.random.default_rng(seed)
    loss = np.abs(mu * rng.standard_normal((runs, size)) + mu * mu / 2)
    right: np.ndarray[Any, Any] = rng.binomial(guesses, 1 / (1 + np.exp(-loss))).sum(0)
    return right


@pytest.mark.slow
@pytest.mark.parametrize(("mu", "guesses", "runs"), [(1.0, 30, 4), (0.5, 100, 10)])
def test_the_level_where_guesses_share_a_loss(mu: float, guesses: int, runs: int) -> None:
    right = shared_loss(mu, guesses, runs, 4000, 3)
    for promise in (GaussianDP(mu), ConcentratedDP(mu * mu / 2), RenyiDP(4.0, 2 * mu * mu)):
        lower = {
            int(v): one_run_curve_limit(int(v), guesses, guesses, ALPHA, promise, runs=runs)[0]
            for v in set(right.tolist())
        }
        rate = np.mean([lower[v] > promise.parameter for v in right.tolist()])
        assert rate <= ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / 4000)
    # Pooled as if all were guesses of one run: an independent mean allows less.
    keep = float(np.mean(1 / (1 + np.exp(-np.abs(mu * ndtri((np.arange(999) + 0.5) / 999))))))
    broken = binom.sf(right - 1, guesses * runs, keep) <= ALPHA
    assert broken.mean() > 1.5 * ALPHA


@pytest.mark.parametrize("promise", [GaussianDP(0.7), ConcentratedDP(0.4), RenyiDP(2.0, 0.8)])
@pytest.mark.parametrize("runs", [1, 3])
def test_the_chance_is_that_of_the_best_point_and_the_limit_where_it_is_alpha(
    promise: CurvePromise, runs: int
) -> None:
    right, guesses, m = 146 * runs, 150, 300
    chance = one_run_curve_chance(right, guesses, m, promise, runs=runs)
    by_points = [one_run_chance(right, guesses, m, *one, runs=runs) for one in points_of(promise)]
    if promise.family == "gdp" and runs == 1:
        assert chance < min(by_points)
    else:
        assert chance == min(by_points)
    assert chance < 0.2
    lower, telling = one_run_curve_limit(right, guesses, m, chance, promise, runs=runs)
    assert telling in points_of(promise)
    # By its own chance it is refuted up to itself, but for the points, which follow from the claim.
    assert lower == pytest.approx(promise.parameter, rel=1e-3)


def test_points_follow_from_the_claim_and_a_recorded_curve_has_the_same() -> None:
    promise = PrivacyCurve(GaussianDP(1.0).delta)
    again = CurveRecord.of(promise).promise()
    assert np.allclose(points_of(again), points_of(promise), rtol=1e-6, atol=0)
    assert len(points_of(ConcentratedDP(0.5))) == 17
    with pytest.raises(UsageError, match="right is 7"):
        one_run_curve_limit(7, 6, 6, ALPHA, promise)


def test_what_follows_from_guesses_and_a_curve() -> None:
    found = OneRunFinding(400, 200, None, 1, 0, 198)
    told = judged(found, 1.0, 0.5, ALPHA, GaussianDP(1.0))
    assert told.verdict is Verdict.VIOLATION
    assert told.point in points_of(GaussianDP(1.0))
    assert told.found.parameter_lower is not None
    assert told.found.parameter_lower > 1
    # Guesses that say nothing leave the point that was given.
    none = judged(OneRunFinding(400, 200, None, 1, 0, 90), 1.0, 0.5, ALPHA, GaussianDP(1.0))
    assert (none.verdict, none.point) == (Verdict.NO_VIOLATION, (1.0, 0.5))
    assert none.found.parameter_lower == 0
    never = judged(OneRunFinding(400, 2, None, 1, 0, 2), 1.0, 0.5, ALPHA, GaussianDP(1.0))
    assert never.found.detectable_epsilon == math.inf
    broke = judged(OneRunFinding(400, 200, None, 0, 0, 0), 1.0, 0.5, ALPHA, GaussianDP(1.0))
    assert (broke.verdict, broke.found.parameter_lower) == (Verdict.UNKNOWN, 0.0)


def noisy(sigma: float) -> Any:
    def gaussian(data: Any, rng: np.random.Generator) -> Any:
        return np.bincount(data, minlength=CELLS) + sigma * rng.normal(size=CELLS)

    return gaussian


CLAIMS = [
    GaussianDP(1.0),
    ConcentratedDP(0.5),
    RenyiDP(4.0, 2.0),
    PrivacyCurve(GaussianDP(1).delta),
]


@pytest.mark.parametrize("promise", CLAIMS)
def test_a_curve_is_audited_in_its_own_terms(promise: CurvePromise) -> None:
    asked: dict[str, Any] = {"canaries": CANARIES, "promise": promise, "name": "histogram"}
    sound = audit_one_run(noisy(1.0), **asked)
    assert sound.verdict is Verdict.NO_VIOLATION
    assert 0 < sound.lower < promise.parameter
    assert sound.curve == CurveRecord.of(promise)
    twin = audit_one_run(noisy(0.25), **asked)
    assert twin.verdict is Verdict.VIOLATION
    assert twin.lower > promise.parameter
    assert twin.chance < ALPHA < sound.chance
    assert f"violation, claimed {promise.words()}, certified {promise.symbol} ≥ " in str(twin)
    assert f", claimed {promise.words()}, " in str(twin)


def test_exploring_goes_by_the_curve() -> None:
    found = audit_one_run(
        noisy(0.5), canaries=CANARIES, promise=GaussianDP(1.0), explore=2, runs=2, seed=4
    )
    assert found.guesses != CELLS // 2
    assert found.verdict is Verdict.VIOLATION


def test_a_mechanism_brings_its_curve_and_what_is_given_puts_it_aside() -> None:
    entry = Mechanism(
        name="histogram",
        run=noisy(1.0),
        promise=ConcentratedDP(0.5),
        relation=AddOrRemoveOne(),
        pairs=(([], [0]),),
        source=Source("nobody", "nowhere"),
        summary="A histogram.",
        expected=Verdict.NO_VIOLATION,
    )
    own = audit_one_run(entry, canaries=CANARIES)
    assert (own.promise, own.expected) == ("0.5-zCDP", Verdict.NO_VIOLATION)
    assert own.curve == CurveRecord.of(ConcentratedDP(0.5))
    other = audit_one_run(entry, canaries=CANARIES, promise=GaussianDP(0.2))
    assert (other.promise, other.expected) == ("0.2-GDP", None)
    assert other.verdict is Verdict.VIOLATION
    point = audit_one_run(entry, canaries=CANARIES, delta=1e-5)
    assert (point.curve, point.delta) == (None, 1e-5)
    plain = audit_one_run(entry, canaries=CANARIES, promise=PureDP(1.5))
    assert (plain.curve, plain.epsilon, plain.delta) == (None, 1.5, 0.0)
    with pytest.raises(UsageError, match="promise"):
        audit_one_run(entry, canaries=CANARIES, promise=GaussianDP(1.0), epsilon=1.0)
    with pytest.raises(UsageError, match="promise is 3"):
        audit_one_run(entry, canaries=CANARIES, promise=3)  # type: ignore[arg-type]


def test_it_is_recorded_as_plain_data() -> None:
    from provado.reports.audit_report.document import run_to_json
    from provado.reports.commands.recheck.recheck import recheck_document
    from tests.reports.test_one_run_report import run_of

    found = [audit_one_run(noisy(0.5), canaries=CANARIES, promise=one) for one in CLAIMS]
    written = json.loads(json.dumps(run_to_json(run_of(*found))))
    for one in recheck_document(written)[1:]:
        # The selection of these says ε: what follows from guesses agrees.
        assert [said for said in one.differences if not said.startswith("epsilon: ")] == []
    for key, value in (("parameter_lower", 3.5), ("correct", 120), ("detectable_epsilon", 0.5)):
        for number in range(len(CLAIMS)):
            forged = json.loads(json.dumps(written))
            forged["audits"][number]["one_run"][key] = value
            said = recheck_document(forged)[number + 1].differences
            assert any("the guesses give" in one for one in said), (key, number)
    forged = json.loads(json.dumps(written))
    forged["audits"][0]["delta"] = 0.25
    assert any("say most of" in one for one in recheck_document(forged)[1].differences)
