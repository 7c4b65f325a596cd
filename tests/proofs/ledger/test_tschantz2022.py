"""Each entry of Tschantz et al. (2022); its small cases against the definitions themselves."""

import math
from fractions import Fraction

import pytest

from provado.mechanisms import UsageError
from provado.proofs import kernel
from provado.proofs.causal.definitions import (
    bayesian_for,
    definition_1,
    definition_4_printed,
    definition_7,
    definition_10,
    mutually_independent,
    pairwise_independent_given_the_rest,
)
from provado.proofs.causal.model import uniform
from provado.proofs.causal.search import Case
from provado.proofs.ledger import LedgerVerdict, decide, ledger, show
from provado.proofs.ledger.fact import Recounted
from provado.proofs.ledger.tschantz2022 import _arrows, _witness, populations
from tests.proofs.causal.factors import factor_at_most_exp

ENTRIES = [entry for entry in ledger() if entry.id.startswith("tschantz2022/")]
NUMBERED = {
    *(f"prop{k}" for k in range(1, 6)),
    *(f"table1-row{k}" for k in range(2, 9)),
    *("def4-independence", "def9", "thm1-composition", "post-processing", "appendix-b"),
    *("sec6-3-randomized-response", "sec6-3-group", "lemma1", "lemma2"),
}
OTHERS = {
    *("group-privacy", "sec3-one-distribution", "sec6-1-eq28", "sec7-nondisclosure"),
    *("sec7-posterior-change", "thm1-extra-parents"),
}
# These go over thousands of cases in the model and take seconds each.
LONG = {"lemma1", "lemma2", "table1-row4"}
EACH = [
    pytest.param(entry, id=entry.id, marks=[pytest.mark.slow] * (entry.id.split("/")[1] in LONG))
    for entry in ENTRIES
]
SMALL = [("7", "1", 2, (1, 2)), ("10", "1", 2, (1, 2))]


def test_every_statement_is_there_once_and_in_order():
    assert {entry.id for entry in ENTRIES} >= {f"tschantz2022/{name}" for name in NUMBERED}
    names = sorted(NUMBERED | OTHERS)
    assert [f"tschantz2022/{name}" for name in names] == [e.id for e in ENTRIES]


@pytest.mark.parametrize("entry", EACH)
def test_the_evidence_gives_the_recorded_verdict_and_the_kernel_refuses_the_twin(entry):
    decision = decide(entry)
    assert decision.reason == ""
    assert decision.as_expected
    assert decision.twin
    assert all((entry.printed, entry.words, entry.scope, entry.twin.words))
    evidence = decision.evidence
    prose = [line for line in evidence.argument if isinstance(line, str)]
    assert prose
    assert all(line.endswith((".", ":")) for line in prose)
    for finding in (*evidence.printed, *evidence.corrected):
        assert isinstance(finding, kernel.Checked)
        if isinstance(finding.evidence, kernel.PrivacyCounterexample):
            with pytest.raises(kernel.KernelRefusal, match="reference"):
                kernel.check(finding.evidence)
        else:
            assert kernel.check(finding.evidence) == finding
    if decision.verdict in (LedgerVerdict.REFUTED, LedgerVerdict.MISPRINT):
        assert evidence.correction
        assert evidence.kind in ("misprint", "repair")
        assert {finding.verdict for finding in evidence.corrected} <= {"proved", "verified"}
        # One rests on the distributive law alone, which is prose.
        assert evidence.corrected or entry.id == "tschantz2022/sec7-nondisclosure"
        # A form that is given as data is judged like the claim itself.
        assert decision.correction is None or decision.correction.verdict == "argued"


@pytest.mark.parametrize(
    "broken",
    [
        _arrows.averaged(same_weights=False),
        _arrows.multiplied(second=False),
        _arrows.chained(power=1),
    ],
)
def test_each_step_of_the_algebra_has_a_broken_form_that_is_refused(broken):
    with pytest.raises(kernel.KernelRefusal, match="coefficients below 0"):
        show(broken)


# The comparisons from the table against the definitions. ------------------------------------------


def largest(compared):
    """Return the largest ratio, at least 1."""
    ratios = [c.left / c.right if c.right else math.inf for c in compared if c.left]
    return max([Fraction(1), *ratios])


@pytest.mark.parametrize("i", range(0, 1300, 20))
def test_comparisons_from_the_table_are_those_of_the_definitions(i):
    case = _arrows._cases(True)[i]
    assert largest(_witness.neighbors(case)) == definition_1(case.mechanism).factor
    assert largest(_witness.in_support(case)) == definition_10(case.mechanism, case.people).factor
    set_one = largest(_witness.single(case, _witness.set_one))
    assert set_one == definition_7(case.mechanism, case.people).factor
    seen = [{d[j] for d in case.people.weights} for j in range(case.mechanism.n)]
    if all(len(s) == len(d) for s, d in zip(seen, case.mechanism.domains, strict=True)):
        given = largest(_witness.single(case, _witness.given_one))
        assert given == bayesian_for(case.mechanism, case.people).factor


@pytest.mark.parametrize("asked", SMALL)
def test_small_cases_have_at_most_two_data_points_of_two_values(asked):
    case = _witness.smallest_case(*asked)
    assert case.mechanism.n <= 2
    assert all(len(domain) <= 2 for domain in case.mechanism.domains)
    assert definition_1(case.mechanism).factor == math.inf
    weak = definition_7 if asked[0] == "7" else definition_10
    assert weak(case.mechanism, case.people).factor == 1


def test_the_printed_counterexamples_do_what_is_printed():
    pairs = uniform([(a, b) for a in (0, 1) for b in (0, 1)])
    assert definition_7(_witness.printed_example(2), pairs).factor == 1
    assert definition_1(_witness.printed_example(2)).factor == math.inf
    seen = uniform([(0,), (1,)])
    assert definition_10(_witness.printed_example(1), seen).factor == 1
    assert definition_1(_witness.printed_example(1)).factor == math.inf


@pytest.mark.slow
def test_copies_of_one_status_break_definition_4_as_printed():
    case = _witness.copies_case()
    assert case.mechanism.n == 3
    assert pairwise_independent_given_the_rest(case.people)
    assert not mutually_independent(case.people)
    assert definition_1(case.mechanism).factor < definition_4_printed(case.mechanism).factor
    copies = uniform([(0, 0), (1, 1)])
    gaps, fact = _witness.plane_gaps(copies), _witness.independent_in_planes(copies)
    with pytest.raises(kernel.KernelRefusal, match="the maximum is"):
        _arrows.recount(gaps, fact)


def test_copies_hide_every_pair_of_neighbors():
    case, apart = populations.unseen_pair()
    assert definition_10(case.mechanism, case.people).factor == 1
    assert case.mechanism.chance(apart.d, apart.output) == apart.left > apart.right == 0


def exponent_between(low, high):
    """Return the least ε in eighths with low ≤ e^ε < high; ``UsageError`` if there is none."""
    epsilon = Fraction(0)
    while not factor_at_most_exp(low, epsilon):
        epsilon += Fraction(1, 8)
    if factor_at_most_exp(high, epsilon):
        raise UsageError(f"exponent: none in eighths has {low} ≤ e^ε < {high}")
    return epsilon


@pytest.mark.parametrize(("low", "high"), [(2, 3), (1, 2), (Fraction(3, 2), math.inf)])
def test_exponents_lie_between_the_factors(low, high):
    epsilon = exponent_between(Fraction(low), high)
    assert low <= math.exp(epsilon) < high
    assert epsilon == 0 or math.exp(epsilon - Fraction(1, 8)) < low


def test_excess_is_refused_where_one_factor_is_larger():
    two, three = Fraction(2), Fraction(3)
    fact = Recounted("maximum", 0, 2, "two pairs")
    assert _arrows.largest_excess([(two, three), (two, two)], fact).verdict == "verified"
    for needed in (three, math.inf):
        with pytest.raises(kernel.KernelRefusal, match="the maximum is"):
            _arrows.largest_excess([(needed, two), (two, two)], fact)


def test_a_case_without_population_is_named():
    case = Case(_witness.printed_example(2))
    with pytest.raises(ValueError, match="population"):
        list(_witness.in_support(case))
