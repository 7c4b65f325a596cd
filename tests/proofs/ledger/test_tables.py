"""The entries on noisy tables, and their evidence recomputed by draws and by the exact law."""

import math
from fractions import Fraction

import numpy as np
import pytest

from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.graph_discovery.catalogue.noisy_tables import draw_tables
from provado.mechanisms.graph_discovery.noisy_tables.plan import CellNoise, plan_tables
from provado.proofs.algebra import ExpSum
from provado.proofs.ledger import LedgerVerdict, decide
from provado.proofs.ledger.tables import noisy_tables
from tests.mechanisms.exact.noisy_tables import exact_epsilon

PLANNED, USED = noisy_tables.ENTRIES


@pytest.mark.parametrize("entry", [PLANNED, USED], ids=lambda entry: entry.id)
def test_the_verdict_is_the_recorded_one_and_the_twin_is_refused(entry):
    decision = decide(entry)
    assert decision.reason == ""
    assert decision.twin is not None
    assert decision.as_expected
    rules = {PLANNED: "multivariate-sign", USED: "privacy"}
    assert decision.twin.rule == rules[entry]


def test_the_repaired_form_is_the_one_that_is_argued():
    decision = decide(USED)
    assert decision.correction.verdict is LedgerVerdict.ARGUED
    assert noisy_tables.REPAIRED == noisy_tables.PLANNED_CLAIM


@pytest.mark.parametrize("tables", [1, 3])
def test_the_event_by_draws(tables):
    rng, size = np.random.default_rng(tables), 200_000
    noise = CellNoise("laplace", Fraction(2 * tables))
    heads = (1 + math.exp(-1 / (2 * tables))) / 2
    event = noisy_tables.telling_event(tables)
    chances = []
    for records in noisy_tables.PAIR:
        cells = draw_tables(records, noise=noise, order=2, size=size, rng=rng).reshape(size, 3, 4)
        seen = (cells[:, :, 0] >= 1).all(axis=1) & (cells[:, :, 3] <= 0).all(axis=1)
        seen &= (rng.random((size, 6)) < heads).all(axis=1)
        chances.append(float(ExpSum(event(records))))
        assert seen.mean() == pytest.approx(chances[-1], abs=4 * math.sqrt(chances[-1] / size))
    loss = math.log(chances[0] / chances[1])
    assert loss == pytest.approx(exact_epsilon(noisy_tables.PAIR, noise=noise, order=2))
    assert loss == pytest.approx(3 / tables)


def test_the_event_where_counts_lie_beyond_it():
    """Three more records in cells (0, 0) and (1, 1): chances of both signs of the noise."""
    records = ((0, 0, 0),) * 3 + ((1, 1, 1),) * 2
    q = math.exp(-1 / 2)
    low = (1 + q - q**3) / 2
    high = q**2 / 2
    found = float(ExpSum(noisy_tables.telling_event(1)(records)))
    assert found == pytest.approx((low * high) ** 3)


def test_the_twin_of_the_catalogue_is_the_refuted_claim():
    twin = next(m for m in catalogue() if m.name == "twin/tables-used-not-planned")
    assert twin.true_epsilon == pytest.approx(3.0)
    sound = next(m for m in catalogue() if m.name == "tables/pairs")
    assert sound.true_epsilon == pytest.approx(1.0)


@pytest.mark.parametrize("levels", [(2, 2, 2), (3,) * 9, (4,) * 20])
def test_plans_charge_the_sum_of_the_entry(levels):
    for epsilon in (0.1, 1.0, 7.3):
        plan = plan_tables(10**6, levels, epsilon=epsilon, delta=0.0)
        assert plan.law == "laplace"
        charged = sum(Fraction(2) / noise.parameter * number for noise, number in plan.releases)
        assert charged <= Fraction(epsilon)
        assert plan.cost()[0] == pytest.approx(float(charged))
