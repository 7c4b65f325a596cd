"""Each entry on CURATE, and its evidence recomputed with floats."""

import math
from functools import partial

import numpy as np
import pytest
from scipy import stats

from provado.audit import audit
from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.graph_discovery.edges.priv_pc_edge import PAIR
from provado.mechanisms.graph_discovery.exact.graph_distribution import coded_records
from provado.mechanisms.graph_discovery.tables.contingency import stratified_tau
from provado.mechanisms.scores.conditional_ranks import p_value_sensitivity_curate
from provado.proofs.algebra import ExpSum
from provado.proofs.ledger import LedgerVerdict, decide
from provado.proofs.ledger.curate2024 import released_code

ENTRIES = released_code.ENTRIES


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_the_verdict_is_the_recorded_one_and_the_twin_is_refused(entry):
    decision = decide(entry)
    assert decision.reason == ""
    assert decision.twin is not None
    assert decision.as_expected
    assert decision.verdict is LedgerVerdict.REFUTED
    assert decision.evidence.correction


def p_value(records):
    table = coded_records(records)
    return stratified_tau(table.tables(0, 1, (2,))).p_value


@pytest.mark.parametrize(
    "pair",
    [
        released_code.one_of(18),
        released_code.one_of(144),
        released_code.stratum_comes_in(3),
        released_code.stratum_comes_in(31),
    ],
)
def test_the_fraction_is_not_below_the_p_value_and_meets_it_at_a_half(pair):
    exact = [p_value(records) for records in pair]
    bounds = [float(released_code.p_value_bound(records)) for records in pair]
    assert 0.5 in exact
    for p, bound in zip(exact, bounds, strict=True):
        assert p <= bound + 1e-12
        assert bound <= p + 0.05
        assert (p == 0.5) == (bound == 0.5)
    assert abs(exact[0] - exact[1]) >= abs(bounds[0] - bounds[1]) - 1e-12
    assert abs(exact[0] - exact[1]) > p_value_sensitivity_curate(len(pair[0]))


def test_what_the_argument_says_of_the_pairs():
    first, second = released_code.one_of(144)
    assert p_value(first) == 0.5
    assert stats.norm.isf(p_value(second)) > 0.243
    many = released_code.one_of(30_000)
    moved = abs(p_value(many[0]) - p_value(many[1])) * math.sqrt(30_000)
    assert moved == pytest.approx(1.197, abs=2e-3)
    assert len(released_code.stratum_comes_in(303)[0]) == 1971 > 44**2
    assert stats.norm.isf(p_value(released_code.stratum_comes_in(303)[0])) == pytest.approx(
        1.36, abs=0.01
    )


def test_a_test_below_the_band_by_simulation():
    rng, n = np.random.default_rng(1), 400_000
    chances = []
    for records in PAIR:
        score = float(released_code.independence(records))
        seen = score + rng.laplace(scale=0.4 / 4, size=n) < 0.2 - 0.02
        chances.append(float(ExpSum(released_code.below_the_band(records))))
        assert seen.mean() == pytest.approx(chances[-1], abs=0.005)
    assert chances[0] - chances[1] == pytest.approx(0.86, abs=5e-3)
    assert abs(math.log(chances[0] / chances[1])) <= 4


def test_the_formula_for_fixed_tests_is_not_below_advanced_composition():
    delta = 1e-12
    for epsilon in (0.01, 0.3, 2.0):
        spend = partial(math.fsum, [epsilon**2] * 7)()
        proper = math.fsum([epsilon * math.tanh(epsilon / 2)] * 7)
        assert proper <= spend
        assert proper + math.sqrt(2 * math.log(1 / delta) * spend) <= spend + math.sqrt(
            2 * math.log(1 / delta) * spend
        )


@pytest.mark.parametrize(
    "mechanism",
    [m for m in catalogue() if m.source.work.startswith("Bhattacharjee")],
    ids=lambda mechanism: mechanism.name,
)
@pytest.mark.parametrize("samples", [10_000, pytest.param(200_000, marks=pytest.mark.slow)])
def test_the_auditor_agrees(mechanism, samples):
    assert audit(mechanism, samples=samples).verdict is mechanism.expected
