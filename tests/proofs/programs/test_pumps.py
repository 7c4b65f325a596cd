"""Pumps: no multiple of epsilon is enough, shown by windows, cells and chances."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest

from benchmarks.prove_streams import decided, exact
from provado.proofs import kernel
from provado.proofs.programs.alignment.prove import consequence
from provado.proofs.programs.claim import AnswerRelation, ProgramVerdict
from provado.proofs.programs.decide import decide
from provado.proofs.programs.probability.output_probability import Event, ParameterValues, chance
from provado.proofs.programs.read.path import Paths
from provado.proofs.programs.read.polynomial import Atom, LinearForm
from provado.proofs.programs.refutation import pump as conditions
from provado.proofs.programs.refutation.pump import (
    CellSplit,
    PumpCell,
    UnsoundPumpError,
    chances,
    obligations,
)
from provado.proofs.programs.refutation.pump_search import pumped
from tests.proofs.programs.streams import LEAKING, PAIR, RISING
from tests.proofs.programs.written import claim, function

FOUND = {
    name: pumped(claim(function(text)), steps=10**6)
    for name, text in (("pair", PAIR), ("leaking", LEAKING), ("rising", RISING))
}


def setting(text) -> tuple[ParameterValues, Paths]:
    """Return the values that pumps are shown with."""
    return ParameterValues(claim(function(text)).ways, {}, "epsilon")


TEXTS = {"pair": PAIR, "leaking": LEAKING, "rising": RISING}


def shown(of, one) -> bool:
    """Return whether all that must hold of a pump is shown."""
    try:
        conditions.check_shape(of, AnswerRelation(Fraction(1)), one)
        return all(
            consequence(o.hypotheses, goal) is not None
            for o in obligations(of, one)
            for goal in o.goals
        )
    except UnsoundPumpError:
        return False


@pytest.mark.parametrize("name", FOUND)
@pytest.mark.parametrize("factor", [1, 8, 100])
def test_every_multiple_is_refuted(name, factor):
    found = pumped(claim(function(TEXTS[name]), f"{factor}*epsilon"), steps=10**6)
    assert found.finding.verdict == "refuted"
    assert found.finding.evidence.epsilon == factor
    fewer = replace(found.finding.evidence, periods=found.periods - 1)
    with pytest.raises(kernel.KernelRefusal):
        kernel.check(fewer, lambda _: chances(setting(TEXTS[name]), found.pump))


@pytest.mark.parametrize("one", [s for s in exact() if not s.holds], ids=lambda one: one.name)
def test_streams_that_leak_or_disclose_have_a_pump(one):
    found = decided(one)
    assert found.verdict is ProgramVerdict.REFUTED
    assert found.pump is not None


@pytest.mark.parametrize("one", [s for s in exact() if s.holds], ids=lambda one: one.name)
def test_private_streams_have_none(one):
    of = claim(function(one.text.replace("def stream", "def f")), one.claim)
    assert pumped(of, steps=50_000) is None


def test_neighbors_that_differ_in_one_answer_have_none():
    assert pumped(claim(function(LEAKING), "epsilon", "one"), steps=10**6) is None


@pytest.mark.parametrize("text", [PAIR, LEAKING])
@pytest.mark.parametrize("periods", [1, 2])
def test_exact_chances_lie_within_those_of_a_pump(text, periods):
    of, one = setting(text), pumped(claim(function(text)), steps=10**6).pump
    event = Event(one.begins.kinds + periods * one.repeats.kinds)
    on_q, on_q_prime = (chance(of, data, event).value(Fraction(1)) for data in one.data(periods))
    start, p, factor, *cells = (
        sum(float(c) * math.exp(e) for e, c in sums) for sums in chances(of, one)
    )
    assert on_q >= start * p**periods - 1e-12
    assert on_q_prime <= factor * max(cells) ** periods + 1e-12
    assert on_q > on_q_prime


def without(atoms):
    """Return the atoms without each one of them."""
    return [(*atoms[:k], *atoms[k + 1 :]) for k in range(len(atoms))]


@pytest.mark.parametrize("name", FOUND)
def test_each_window_and_each_condition_on_draws_is_needed(name):
    of, one = setting(TEXTS[name]), FOUND[name].pump
    assert shown(of, one)
    for fewer in without(one.windows):
        assert not shown(of, replace(one, windows=fewer))
    left = [fewer for fewer in without(one.draws) if shown(of, replace(one, draws=fewer))]
    # Of two numbers in order, both within the window, one bound of each follows.
    assert len(left) == 2 * (name == "rising")
    for k, atom in enumerate(one.draws if not left else ()):
        looser = Atom(atom.form + LinearForm.number(Fraction(1, 100)), atom.strict)
        draws = (*one.draws[:k], looser, *one.draws[k + 1 :])
        assert not shown(of, replace(one, draws=draws))


@pytest.mark.parametrize("name", FOUND)
def test_a_cell_that_asks_for_more_is_not_shown(name):
    of, one = setting(TEXTS[name]), FOUND[name].pump

    def narrower(cells, at, more):
        if isinstance(cells, PumpCell):
            if at[0] == 0:
                draws = tuple(
                    Atom(a.form - LinearForm.number(more), a.strict) for a in cells.draws[0]
                )
                cells = PumpCell((draws, *cells.draws[1:]))
            at[0] -= 1
            return cells
        below = narrower(cells.below, at, more)
        return replace(cells, below=below, above=narrower(cells.above, at, more))

    for number, (_, cell) in enumerate(one.leaves()):
        if cell.draws[0]:
            assert not shown(of, replace(one, cells=narrower(one.cells, [number], 1)))
    impossible = PumpCell((None,) * len(one.leaves()[0][1].draws))
    assert not shown(of, replace(one, cells=impossible))
    assert not shown(of, replace(one, cells=PumpCell(())))


def test_a_split_leaves_no_gap(monkeypatch):
    of, one = setting(PAIR), FOUND["pair"].pump
    half = replace(one, cells=one.cells.below)
    assert not shown(of, half)
    # The broken twin: where a cell is skipped, one that shows nothing passes.
    whole = one.leaves()
    wrong = replace(one.cells, above=PumpCell((None,)))
    assert not shown(of, replace(one, cells=wrong))
    monkeypatch.setattr(conditions.Pump, "leaves", lambda _: whole[:1])
    assert shown(of, replace(one, cells=wrong))


def test_data_that_are_no_neighbors_are_refused():
    of, one = setting(PAIR), FOUND["pair"].pump
    d, d_prime = one.period
    assert not shown(of, replace(one, period=(d, tuple(2 * v for v in d_prime))))
    up = AnswerRelation(Fraction(1), "increasing")
    with pytest.raises(UnsoundPumpError, match="neighbors"):
        conditions.check_shape(of, up, one)


def test_an_event_of_another_length_is_refused():
    of, one = setting(PAIR), FOUND["pair"].pump
    assert not shown(of, replace(one, repeats=Event(one.repeats.kinds[:1])))
    assert not shown(of, replace(one, begins=Event(("above",))))


def test_an_exit_that_outputs_the_same_is_refused():
    text = LEAKING.replace('"above"', '"on"')
    with pytest.raises(UnsoundPumpError, match="leave the loop"):
        chances(setting(text), FOUND["leaking"].pump)


SHAPES = {
    "the iteration": PAIR.replace("for x in q:", "for i, x in enumerate(q):").replace(
        "if noisy >= level:", "if noisy >= level + i:"
    ),
    "not tell": PAIR.replace('        else:\n            output("on")\n', ""),
    "coins": PAIR.replace("if noisy >= level:", "if bernoulli(1 / 2) and noisy >= level:"),
    "outside": PAIR.replace("noisy = x + laplace", "noisy = q[0] + laplace"),
    "continuous": PAIR.replace("x + laplace", "x + discrete_laplace"),
    "without noise": PAIR.replace('output("above")', "output(level)"),
}


@pytest.mark.parametrize("why", SHAPES)
def test_programs_whose_periods_differ_are_refused(why):
    with pytest.raises(UnsoundPumpError, match=why):
        conditions.outputs_of_a_way(setting(SHAPES[why]))


@pytest.mark.parametrize("said", ["n == len(q)", "len(q) <= n", "len(q) <= 9", "9 > len(q)"])
def test_a_bounded_number_of_queries_has_none(said):
    # With n queries at most, n numbers with noise of scale n/epsilon are private.
    text = f"""
    def f(q, n: int, epsilon):
        assert {said}
        for x in q:
            output(x + laplace(n / epsilon))
    """
    assert pumped(claim(function(text)), steps=10**5) is None
    with pytest.raises(UnsoundPumpError, match="bounded"):
        conditions.outputs_of_a_way(ParameterValues(claim(function(text)).ways, {}, "epsilon"))
    more = text.replace(said, "len(q) >= n")
    assert pumped(claim(function(more)), steps=10**5) is not None


def test_windows_and_cells_speak_of_the_head_of_the_loop_alone():
    # Cells of a period's own draws are no cells: their chances add up.
    of, one = setting(PAIR), FOUND["pair"].pump
    own = next(iter(one.draws[0].form.symbols()))
    asked = Atom(LinearForm.symbol(own))
    for wrong in (
        replace(one, cells=CellSplit(own, Fraction(0), one.cells, one.cells)),
        replace(one, windows=(*one.windows, asked)),
        replace(one, holds=(asked,)),
    ):
        with pytest.raises(UnsoundPumpError, match="head of the loop"):
            conditions.check_shape(of, AnswerRelation(Fraction(1)), wrong)


def test_a_tail_is_not_taken_for_less():
    of, one = setting(RISING), FOUND["rising"].pump
    tail = one.tail
    assert not shown(of, replace(one, tail=None))
    assert not shown(of, replace(one, tail=replace(tail, start=tail.start + 1)))
    assert not shown(of, replace(one, tail=replace(tail, speed=tail.speed / 2)))
    assert not shown(of, replace(one, tail=replace(tail, level=tail.level - 2 * tail.speed)))
    for wrong in (
        replace(tail, theta=Fraction(1, 4)),
        replace(tail, theta=Fraction(-1, 8)),
        replace(tail, level=Fraction(-1)),
        replace(tail, variable="low"),
        replace(tail, speed=Fraction(0)),
    ):
        with pytest.raises(UnsoundPumpError):
            chances(of, replace(one, tail=wrong))


@pytest.mark.parametrize("theta", [0.05, 0.15, 0.2, 0.24])
def test_the_bound_of_a_tail_is_above_the_exact_chance(theta):
    scale = 4
    for t in range(0, 200, 5):
        exact_chance = (1 / 2 + t / (4 * scale)) * math.exp(-t / scale)
        assert exact_chance <= math.exp(-theta * t) / (1 - (theta * scale) ** 2) ** 2


def test_a_claim_without_a_parameter_is_refuted_for_every_epsilon():
    text = PAIR.replace(", epsilon", "").replace("epsilon)", "1)")
    found = decide(function(text), epsilon=1, steps=1_000_000)
    assert found.pump is not None
    assert found.pump.multiple_of is None


def test_a_pump_gives_answers_that_can_be_run():
    found = decide(function(PAIR), epsilon="8*epsilon", steps=400_000)
    values, epsilon, pairs = found.refuting
    assert (values, epsilon) == ({"epsilon": 1}, 8)
    assert [len(d) for d, _ in pairs] == [2 * found.pump.periods, 8 * found.pump.periods]
    for d, d_prime in pairs:
        assert max(abs(b - a) for a, b in zip(d, d_prime, strict=True)) == 1
