"""Each entry of Wang, Pang and Song (2020), and its evidence recomputed with floats."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, optimize, special

from provado.audit import audit
from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.graph_discovery.edges.priv_pc_edge import PAIR, priv_pc_edge
from provado.mechanisms.noise.sieve import sieve_epsilon
from provado.proofs.algebra import ExpSum
from provado.proofs.ledger import LedgerVerdict, decide, ledger
from provado.proofs.ledger.wang2020 import (
    conditional_scores,
    em_pc,
    sieve_and_examine,
    sieve_errors,
)
from tests.mechanisms.exact.edges import silent_probability

ENTRIES = [entry for entry in ledger() if entry.id.startswith("wang2020/")]
NUMBERED = {
    "thm1-algorithm1",
    "algorithm2-privacy",
    "thm2-type1",
    "thm2-type2",
    "thm3-conditional-kendall",
    "conditional-spearman",
    "subsample-size",
    "empc-sensitivity",
}


def value(exact):
    return float(ExpSum(exact))


def tail(x):
    """Return Pr[Lap(2) + Lap(4) > x] by quadrature."""
    if x < 0:
        return 1 - tail(-x)

    def density(z):
        return math.exp(-abs(z) / 2) / 4

    def upper(t):
        return math.exp(-t / 4) / 2 if t > 0 else 1 - math.exp(t / 4) / 2

    ends = (-80, 0, x, x + 80)
    return sum(
        integrate.quad(lambda z: density(z) * upper(x - z), a, b, epsabs=1e-13)[0]
        for a, b in pairwise(ends)
        if b > a
    )


def at(expression, x):
    return value(expression.at(x).as_data())


def test_all_statements_are_there():
    assert {entry.id for entry in ENTRIES} == {f"wang2020/{name}" for name in NUMBERED}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_the_verdict_is_the_recorded_one_and_the_twin_is_refused(entry):
    decision = decide(entry)
    assert decision.reason == ""
    assert decision.twin is not None
    assert decision.as_expected
    assert decision.evidence.argument
    if decision.verdict is LedgerVerdict.REFUTED:
        assert decision.evidence.correction


def test_the_tail_of_the_sieve_noise():
    for x in (0.0, 0.3, 1.0, 7.5):
        expected = tail(x)
        recovered = sieve_and_examine.RECOVERED.value()
        assert at(recovered, Fraction(x)) == pytest.approx(expected, abs=1e-9)
        assert abs(expected - at(recovered + Fraction(1, 100), Fraction(x))) > 1e-3


def test_the_sieve_with_the_full_sensitivity_by_simulation():
    rng, n = np.random.default_rng(1), 400_000
    unit = 1 / 16 / 3
    for bits in (sieve_and_examine._ALL, sieve_and_examine._ONE_OFF):
        seen = np.array(bits)[rng.integers(16, size=n)]
        noise = rng.laplace(scale=4 * unit, size=n) - rng.laplace(scale=2 * unit, size=n)
        found = np.mean(seen + noise < 0)
        exact = value(sieve_and_examine.one_off_silent(bits))
        assert found == pytest.approx(exact, abs=5 * math.sqrt(exact / n) + 1e-9)


def test_the_claim_against_the_full_sensitivity_is_not_smaller_than_epsilon():
    claim = float(sieve_and_examine._CLAIMED_LOSS)
    assert sieve_epsilon(claim, 16, 1) > 3
    p, q = (
        value(sieve_and_examine.one_off_silent(b)) for b in (sieve_and_examine._ONE_OFF, (1,) * 16)
    )
    assert math.log(p / q) > 4 * claim


def test_a_run_without_an_answer_in_floats_and_by_simulation():
    for records in PAIR:
        exact = value(sieve_and_examine.silent(records))
        setting = {"threshold": 0.2, "epsilon": 4.0}
        assert exact == pytest.approx(silent_probability(records, **setting), abs=1e-12)
        drawn = priv_pc_edge(records, **setting, size=200_000, rng=np.random.default_rng(2))
        assert np.mean(drawn == 0) == pytest.approx(exact, abs=0.006)
    moved = abs(value(sieve_and_examine.silent(PAIR[0])) - value(sieve_and_examine.silent(PAIR[1])))
    assert moved == pytest.approx(0.164, abs=1e-3)


@pytest.mark.parametrize("x", [16, 40])
def test_theorem_2_by_simulation(x):
    rng, n = np.random.default_rng(3), 400_000
    claims = sieve_errors.THM2_TYPE1_CLAIM, sieve_errors.THM2_TYPE2_CLAIM
    for claim, passes in zip(claims, (False, True), strict=True):
        level = claim.threshold - claim.tweak
        exact = at(sieve_and_examine.missed((0, 1), level), x)
        seen = rng.integers(2, size=n)
        noise = rng.laplace(scale=4 / x, size=n) - rng.laplace(scale=2 / x, size=n)
        assert np.mean(seen + noise < float(level)) == pytest.approx(exact, abs=0.005)
        below = float(claim.margin - claim.tweak if passes else claim.margin + claim.tweak)
        bound = tail(x * below)
        assert (1 - exact if passes else exact) > bound


@pytest.mark.parametrize("a", [3, 5, 20])
def test_a_moving_record_in_floats(a):
    def naive(records):
        sums = [0.0, 0.0]
        for level in {z for _, _, z in records}:
            rows = [(x, y) for x, y, z in records if z == level]
            n = len(rows)
            if n < 2:
                continue
            s = sum(
                np.sign(x - u) * np.sign(y - v)
                for i, (x, y) in enumerate(rows)
                for u, v in rows[:i]
            )
            weight = 9 * n * (n - 1) / (4 * n + 10)
            sums[0] += weight * s / (n * (n - 1) / 2)
            sums[1] += weight
        return sums

    d, d_prime = conditional_scores.moving_record(a)
    first, second = naive(d), naive(d_prime)
    change = second[0] / second[1] - first[0] / first[1]
    assert change == pytest.approx(2 * (3 * a + 4) / (2 * a * a + 6 * a - 1), abs=1e-12)
    assert 5 < change * len(d) < 6
    assert float(conditional_scores.tau_average(d)) == pytest.approx(first[0] / first[1], abs=1e-12)
    # Σw and the z-score, as the entry states them.
    for sums in (first, second):
        weight = 9 * a * (2 * a * a + 6 * a - 1) / ((2 * a + 5) * (2 * a + 7))
        assert sums[1] == pytest.approx(weight, abs=1e-9)


def test_the_bound_for_few_strata_holds_on_random_neighbors():
    rng, worst = np.random.default_rng(4), 0.0
    for _ in range(400):
        n = int(rng.integers(12, 30))
        records = [tuple(int(v) for v in row) for row in rng.integers(0, (4, 4, 2), (n, 3))]
        others = list(records)
        others[0] = tuple(int(v) for v in rng.integers(0, (4, 4, 2)))
        change = abs(
            conditional_scores.tau_average(tuple(records))
            - conditional_scores.tau_average(tuple(others))
        )
        assert change <= Fraction(12, 2 * n - 14) if n > 7 else True
        worst = max(worst, float(change) * (2 * n - 14) / 12)
    assert worst > 0.3


def test_the_best_share_by_search():
    for epsilon in (0.5, 1.0, 2.0):
        n = 10**7

        def noise(q, epsilon=epsilon, n=n):
            return math.sqrt(1 / q) / sieve_epsilon(epsilon, n, round(q * n))

        found = optimize.minimize_scalar(noise, bounds=(0.05, 1.0), method="bounded").x
        stationary = math.expm1(epsilon / 2) / math.expm1(2 + special.lambertw(-2 / math.e**2).real)
        assert found == pytest.approx(min(1.0, max(0.05, stationary)), abs=1e-3)
        linear = [1 / q / sieve_epsilon(epsilon, n, round(q * n)) for q in (0.05, 0.3, 0.7, 1.0)]
        assert linear == sorted(linear, reverse=True)


def test_the_g_test_in_floats():
    for table in ((0, 1, 7, 3), (0, 2, 7, 3), (5, 5, 5, 5), (9, 0, 0, 9)):
        o = np.array(table, dtype=float).reshape(2, 2)
        expected = o.sum(1, keepdims=True) * o.sum(0) / o.sum()
        g = 2 * special.xlogy(o, np.where(o, o / expected, 1)).sum()
        assert em_pc.dependent(table) == (g >= 3.841)


@pytest.mark.parametrize(
    "mechanism",
    [m for m in catalogue() if m.source.work.startswith("Wang, Pang")],
    ids=lambda mechanism: mechanism.name,
)
@pytest.mark.parametrize("samples", [10_000, pytest.param(200_000, marks=pytest.mark.slow)])
def test_the_auditor_agrees(mechanism, samples):
    assert audit(mechanism, samples=samples).verdict is mechanism.expected
