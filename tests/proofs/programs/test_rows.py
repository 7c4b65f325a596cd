"""The algorithms of dpest's report: decided rightly, with the exact ε or what lies around it."""

import math
from fractions import Fraction

import pytest

from benchmarks.prove_losses import more_than
from benchmarks.prove_row_bars import show
from benchmarks.prove_row_facts import MOVING, ROWS
from provado.proofs import kernel
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import decide

QUICK = ("LaplaceMechanism", "LaplaceParallel", "SVT6", "NoisyHist2", "ReportNoisyMax4", "SVT5")
ALL = {row.name: row for row in (*ROWS, *MOVING)}


@pytest.mark.parametrize("name", QUICK)
def test_a_row_is_decided(name):
    assert show(ALL[name]).right


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in ALL if name not in QUICK])
def test_every_row_is_decided(name):
    assert show(ALL[name]).right


def test_there_are_twenty_one():
    assert len(ROWS) == len({row.name for row in ROWS}) == 21


@pytest.mark.parametrize("name", [row.name for row in ROWS if row.factor is not None])
def test_no_loss_is_above_what_is_proved(name):
    one = ALL[name].quotient()
    fixed = name == "NoisyHist2"
    with pytest.raises(kernel.KernelRefusal):
        more_than(one, ALL[name].factor, Fraction(1) if fixed else Fraction(1, 10))


@pytest.mark.parametrize("name", [row.name for row in ROWS if row.factor is not None])
def test_no_event_needs_less_than_ten_thousandths_below(name):
    # What is proved cannot be proved of much less: the event is beyond it.
    one = ALL[name].quotient()
    less = ALL[name].factor * Fraction(9999, 10_000)
    assert more_than(one, less, Fraction(1) if name == "NoisyHist2" else Fraction(1, 10))


def test_unbounded_losses_have_no_chance_on_the_other_side():
    for name in ("ReportNoisyMax4", "SVT5"):
        assert math.isinf(ALL[name].quotient().loss(Fraction(1)))


@pytest.mark.parametrize(("name", "least"), [("OneTimeRAPPOR", "0.80066"), ("RAPPOR", "0.40008")])
def test_a_smaller_claim_about_rappor_is_refuted(name, least):
    row = ALL[name]
    found = decide(row.program, epsilon=least, pairs=row.pairs)
    assert found.verdict is ProgramVerdict.REFUTED


def test_a_smaller_claim_about_the_geometric_mechanism_is_refuted():
    row = ALL["TruncatedGeometric"]
    found = decide(row.program, epsilon="99*epsilon/100", pairs=row.pairs[:1])
    assert found.verdict is ProgramVerdict.REFUTED
