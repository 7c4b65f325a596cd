"""A finite table is decided exactly, without samples; nothing else is ever called proved."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.audit import audit
from provado.mechanisms import (
    AddOrRemoveOne,
    ExactVerdict,
    NotNeighborsError,
    ReplaceOne,
    UndecidedError,
    UsageError,
    Verdict,
)
from provado.mechanisms.definitions.exactly_decidable import ExactTable
from provado.proofs import kernel
from provado.proofs.causal.definitions import DECIDE
from provado.proofs.causal.examples import noisy_count
from provado.proofs.causal.finite_mechanism import FiniteMechanism, finite_mechanism, from_table
from provado.proofs.causal.search import Case

PROVED, VERIFIED = ExactVerdict.PROVED, ExactVerdict.VERIFIED
VIOLATION = Verdict.VIOLATION


def response(odds):
    """Randomized response of one bit: the truth with odds ``odds`` to 1."""
    truth = Fraction(odds) / (1 + Fraction(odds))
    return finite_mechanism([(0, 1)], lambda bit: {bit: truth, 1 - bit: 1 - truth})


def below(x):
    return math.nextafter(x, 0)


# What must not be proved. -----------------------------------------------------------------------


def test_a_sampled_audit_is_never_proved():
    def constant(data):
        return 0

    result = audit(constant, epsilon=1, pair=([0], [1]), samples=200)
    assert result.verdict is Verdict.NO_VIOLATION
    for word in ExactVerdict:
        with pytest.raises(UsageError, match="an experiment cannot say so"):
            replace(result, verdict=word)
        with pytest.raises(UsageError, match="an experiment cannot say so"):
            replace(result, verdict=word, exact=audit(response(3), epsilon=2).exact)
    assert not set(Verdict) & set(ExactVerdict)


@pytest.mark.parametrize("odds", [2, 3, 5, 7, Fraction(3, 2), Fraction(10, 9)])
def test_a_broken_twin_is_never_proved(odds):
    epsilon = math.log(odds)
    result = audit(response(Fraction(odds) + Fraction(1, 10**30)), epsilon=epsilon * (1 - 1e-15))
    assert result.verdict is VIOLATION
    assert audit(response(odds), epsilon=epsilon * (1 + 1e-15)).verdict is PROVED


def test_given_pairs_are_never_proved_even_if_they_are_all():
    mechanism = response(3)
    result = audit(mechanism, epsilon=2, pair=((0,), (1,)))
    assert result.verdict is VERIFIED
    assert result.true_epsilon is None
    with pytest.raises(UsageError, match="prove nothing for all"):
        replace(result.exact, verdict="proved")


def test_a_restricted_audit_sees_its_pairs_only_and_both_ways():
    rows = {(0,): {"a": 1}, (1,): {"a": Fraction(1, 2), "b": Fraction(1, 2)}, (2,): {"b": 1}}
    mechanism = from_table(rows)
    near, far = ((0,), (1,)), ((1,), (2,))
    assert audit(mechanism, epsilon=1, delta=0.5, pair=near).verdict is VERIFIED
    assert audit(mechanism, epsilon=1, delta=0.5, pair=[near, far]).verdict is VERIFIED
    assert audit(mechanism, epsilon=1, delta=0.5).verdict is VIOLATION  # (0,) and (2,)
    for pair in (near, near[::-1]):
        # b is impossible on (0,): with δ = 0 one direction needs e^ε = 2 and the other any.
        found = audit(mechanism, epsilon=1, pair=pair).exact
        assert (found.d, found.d_prime) == ((1,), (0,))
        assert found.factor == math.inf


# Ties that floats cannot see. -------------------------------------------------------------------


@pytest.mark.parametrize("odds", range(2, 30))
def test_the_claim_ln_of_the_odds_is_decided_by_its_last_bit(odds):
    epsilon = math.log(odds)
    verdicts = [
        audit(response(odds), epsilon=e).verdict
        for e in (below(below(epsilon)), below(epsilon), epsilon, math.nextafter(epsilon, math.inf))
    ]
    # The float may lie on either side of ln(odds), which is irrational; its neighbors do not both.
    assert verdicts[0] is VIOLATION
    assert verdicts[-1] is PROVED
    assert verdicts == sorted(verdicts, key=[VIOLATION, PROVED].index)
    # 40 digits by a second way: Decimal's logarithm.
    from decimal import Context, Decimal

    exactly = Context(prec=60).ln(Decimal(odds))
    assert (verdicts[2] is PROVED) == (Decimal(epsilon) > exactly)


def test_both_sides_of_a_tie_occur():
    verdicts = {audit(response(odds), epsilon=math.log(odds)).verdict for odds in range(2, 30)}
    assert verdicts == {VIOLATION, PROVED}


def test_tables_that_are_equal_as_floats_are_told_apart():
    least = Fraction(1, 2**200)
    fair = finite_mechanism([(0, 1)], lambda _: {0: Fraction(1, 2), 1: Fraction(1, 2)})
    bent = finite_mechanism(
        [(0, 1)],
        lambda bit: {0: Fraction(1, 2) + bit * least, 1: Fraction(1, 2) - bit * least},
    )
    assert [[float(p) for p in row] for row in fair.table.values()] == [
        [float(p) for p in row] for row in bent.table.values()
    ]
    epsilon = Fraction(1, 2**250)
    assert audit(fair, epsilon=epsilon).verdict is PROVED
    assert audit(bent, epsilon=epsilon).verdict is VIOLATION


def test_a_claimed_delta_is_the_number_that_it_holds():
    tenth = Fraction(1, 10)
    leaky = from_table({(0,): {"-": 1}, (1,): {"-": 1 - tenth, "!": tenth}})
    assert audit(leaky, epsilon=1, delta=tenth).verdict is PROVED
    assert audit(leaky, epsilon=1, delta=0.1).verdict is PROVED  # the float is above 1/10
    assert Fraction(0.3) < Fraction(3, 10)
    leaky = from_table({(0,): {"-": 1}, (1,): {"-": Fraction(7, 10), "!": Fraction(3, 10)}})
    assert audit(leaky, epsilon=1, delta=0.3).verdict is VIOLATION
    assert audit(leaky, epsilon=1, delta=Fraction(3, 10)).verdict is PROVED


# Against slow twins. ----------------------------------------------------------------------------


@st.composite
def laws(draw, size):
    weights = draw(
        st.lists(st.integers(0, 6), min_size=size, max_size=size).filter(lambda w: sum(w) > 0)
    )
    return tuple(Fraction(w, sum(weights)) for w in weights)


@st.composite
def tables(draw):
    n, values, outputs = draw(st.integers(1, 2)), draw(st.integers(2, 3)), draw(st.integers(1, 4))
    domains = (tuple("xyz"[:values]),) * n
    return FiniteMechanism(
        domains,
        tuple(range(outputs)),
        {d: draw(laws(outputs)) for d in product(*domains)},
    )


DELTAS = st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 3), Fraction(9, 10)])


def plain_factor(mechanism, delta):
    """The largest (P(S) − δ)/Q(S) over all neighbors and all events."""
    worst = Fraction(1)
    for d, e in product(mechanism.datasets, repeat=2):
        if sum(a != b for a, b in zip(d, e, strict=True)) != 1:
            continue
        outputs = range(len(mechanism.outputs))
        for event in chain.from_iterable(combinations(outputs, k) for k in range(len(outputs) + 1)):
            p, q = (sum(mechanism.table[x][o] for o in event) for x in (d, e))
            if p > delta:
                worst = max(worst, (p - delta) / q if q else math.inf)
    return worst


@settings(max_examples=60)
@given(tables(), DELTAS, st.fractions(Fraction(1, 10), 3, max_denominator=20))
def test_verdict_and_factor_are_those_of_all_events(mechanism, delta, epsilon):
    result = audit(mechanism, epsilon=epsilon, delta=delta)
    found = result.exact
    assert found.factor == plain_factor(mechanism, delta)
    assert result.verdict is (VIOLATION if math.exp(epsilon) < found.factor else PROVED)
    p, q = found.chances
    for chance, d in ((p, found.d), (q, found.d_prime)):
        values = tuple(domain[k] for k, domain in zip(d, mechanism.domains, strict=True))
        assert chance == sum(mechanism.table[values][o] for o in found.event)
    assert q * found.factor + delta == p if q and found.factor > 1 else True
    assert found.lower <= (math.log(found.factor) if found.factor < math.inf else math.inf) + 1e-12


@settings(max_examples=40)
@given(tables())
def test_without_delta_the_factor_is_that_of_definition_5(mechanism):
    found = audit(mechanism, epsilon=1).exact
    assert found.factor == DECIDE["5"](Case(mechanism)).factor


def test_the_enclosure_of_epsilon_is_two_floats_at_most_apart():
    for odds in range(2, 60):
        found = audit(response(odds), epsilon=5).exact
        assert found.lower < found.upper <= math.nextafter(math.nextafter(found.lower, 9), 9)
        assert audit(response(odds), epsilon=found.lower).verdict is VIOLATION
        assert audit(response(odds), epsilon=found.upper).verdict is PROVED


# The result. ------------------------------------------------------------------------------------


def test_what_a_proof_says_of_itself():
    result = audit(noisy_count(3, 2), epsilon=1, name="count", relation=ReplaceOne())
    assert (result.name, result.verdict, result.reason) == ("count", PROVED, "")
    assert (result.samples, result.pairs, result.counts.trials) == (0, (), 0)
    assert result.exact.factor == 2
    assert result.exact.neighbors == 8 * 3
    assert result.epsilon_lower <= math.log(2) <= result.true_epsilon
    assert not result.surprising
    assert replace(result, expected=VIOLATION).surprising
    assert any("24 rows" in statement for statement in result.exact.statements)
    assert result.exact.assumptions


def test_a_violation_names_the_exact_pair_and_output():
    result = audit(noisy_count(2, 3), epsilon=1)
    found = result.exact
    assert (result.verdict, result.surprising, found.verdict) == (VIOLATION, True, "refuted")
    assert found.chances == (Fraction(3, 4), Fraction(1, 4))
    assert "Pr[S | D] = 3/4, Pr[S | D′] = 1/4" in found.statements[0]
    assert found.table.words(found.d) == "(0, 0)"


def test_a_huge_claim_is_decided_at_once():
    assert audit(response(3), epsilon=1e308).verdict is PROVED
    certain = finite_mechanism([(0, 1)], lambda bit: {bit: 1})
    assert audit(certain, epsilon=1e308).verdict is VIOLATION
    assert audit(certain, epsilon=1e308, delta=0.999).verdict is VIOLATION


def test_values_that_look_alike_stay_apart():
    class Odd:
        def __repr__(self):
            return "odd"

    one, two = Odd(), Odd()
    mechanism = from_table({(one,): {"a": 1}, (two,): {"b": 1}})
    assert audit(mechanism, epsilon=1).verdict is VIOLATION


def test_what_the_kernel_refuses_is_unknown(monkeypatch):
    def refuse(*_):
        raise kernel.KernelRefusal("sum-sign", "left open")

    monkeypatch.setattr(kernel, "check", refuse)
    result = audit(response(3), epsilon=2)
    assert result.verdict is Verdict.UNKNOWN
    assert "sum-sign: left open" in result.reason
    assert result.exact is None
    with pytest.raises(UndecidedError):
        response(3).decide_exactly(Fraction(2), Fraction(0))


# What is refused. -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({(0,): {"a": 0.5, "b": 0.5}, (1,): {"a": 1}}, "floats are inexact"),
        ({(0,): {"a": Fraction(1, 2)}, (1,): {"a": 1}}, "add up to 1/2, not to 1"),
        ({(0,): {"a": Fraction(3, 2), "b": Fraction(-1, 2)}, (1,): {"a": 1}}, "-1/2, below 0"),
        ({(0, 0): {"a": 1}, (1, 1): {"a": 1}}, "table and the domains disagree"),
    ],
)
def test_a_false_table_is_refused(rows, message):
    with pytest.raises(UsageError, match=message):
        from_table(rows)


HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("domains", "outputs", "rows", "message"),
    [
        ((("0", "1"),), ("a", "b"), ((HALF, HALF), (HALF, HALF / 2)), r"of \(1\) adds up to 3/4"),
        ((("0", "1"),), ("a",), ((1.0,), (1.0,)), "holds 1.0: it must be a Fraction"),
        ((("0", "1"),), ("a",), ((Fraction(1),),), "has 1 row: its domains make 2"),
        ((("0", "0"),), ("a",), ((Fraction(1),),) * 2, "each only once"),
        ((("0", "1"),), ("a", "b"), ((Fraction(1),),) * 2, "has 1 number for 2 outputs"),
    ],
)
def test_a_false_table_of_texts_is_refused(domains, outputs, rows, message):
    with pytest.raises(UsageError, match=message):
        ExactTable(domains, outputs, rows)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "epsilon is missing"),
        ({"epsilon": 0}, "above 0"),
        ({"epsilon": math.inf}, "must be a finite number"),
        ({"epsilon": "much"}, "must be a finite number"),
        ({"epsilon": True}, "must be a finite number"),
        ({"epsilon": 1, "delta": 1}, r"must lie in \[0, 1\)"),
        ({"epsilon": 1, "delta": -0.1}, r"must lie in \[0, 1\)"),
        ({"epsilon": 1, "relation": AddOrRemoveOne()}, r"decided under ReplaceOne"),
        ({"epsilon": 1, "pair": ((0,), (2,))}, r"\(2,\) is not a dataset of the table"),
        ({"epsilon": 1, "pair": (3, 4)}, "3 is not a dataset of the table"),
        ({"epsilon": 1, "pair": []}, "a tuple"),
        ({"epsilon": 1, "confidence": 1}, "between 0 and 1"),
        ({"epsilon": 1, "seed": -1}, "whole number"),
        ({"epsilon": 1, "name": 3}, "must be a text"),
    ],
)
def test_a_wrong_argument_is_refused(arguments, message):
    with pytest.raises(UsageError, match=message):
        audit(response(3), **arguments)


def test_pairs_that_are_no_neighbors_are_refused():
    with pytest.raises(NotNeighborsError, match="differ in 2 data points"):
        audit(noisy_count(2, 2), epsilon=1, pair=((0, 0), (1, 1)))
    with pytest.raises(NotNeighborsError, match="differ in 0 data points"):
        audit(noisy_count(2, 2), epsilon=1, pair=([0, 0], [0, 0]))


def test_a_table_without_neighbors_has_no_claim():
    with pytest.raises(UsageError, match="no two of its datasets are neighbors"):
        audit(from_table({("only",): {"a": 1}}), epsilon=1)


def test_only_a_finding_counts_as_a_decision():
    class Boaster:
        decide_exactly = staticmethod(lambda *_: "proved")

    with pytest.raises(UsageError, match="must return an ExactFinding, not a str"):
        audit(Boaster(), epsilon=1)
