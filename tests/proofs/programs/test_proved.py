"""What is proved: each condition by a finding of the kernel, which is checked here once more."""

import ast
from dataclasses import replace
from fractions import Fraction

import pytest

from benchmarks import prove_programs as programs
from benchmarks.prove_mutants import compiled
from provado.proofs import kernel
from provado.proofs.programs.alignment.conditions import ABSURD, budget, obligations
from provado.proofs.programs.alignment.prove import Proof, consequence, prove, row, smtlib
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import decide
from provado.proofs.programs.read.polynomial import Atom, LinearForm
from provado.proofs.programs.refutation.refute import refute
from provado.proofs.programs.repair import repair
from tests.proofs.programs.written import claim

QUICK = (programs.partial_sum, programs.prefix_sum, programs.histogram, programs.smart_sum)


def proof_of(of, neighbors="one"):
    epsilon = "2*epsilon" if of is programs.smart_sum else None
    found = prove(claim(of, epsilon, neighbors))
    assert isinstance(found, Proof)
    return found


@pytest.mark.parametrize("of", QUICK, ids=lambda of: of.__name__)
def test_every_condition_has_a_finding_that_holds(of):
    proof = proof_of(of)
    wanted = list(obligations(proof.claim, proof.alignment))
    assert [words for words, _ in proof.findings] == [one.words for one in wanted]
    for one, (_, findings) in zip(wanted, proof.findings, strict=True):
        goals = {row(ABSURD)} if findings[0].evidence.goal == row(ABSURD) else set()
        assert [f.evidence.goal for f in findings] in ([*goals], [row(g) for g in one.goals])
        given = {row(atom) for atom in one.hypotheses}
        for finding in findings:
            assert kernel.check(finding.evidence).statement == finding.statement
            assert set(finding.evidence.hypotheses) <= given
    assert kernel.check(proof.budget.evidence) == proof.budget


@pytest.mark.parametrize("steps", [50_000, pytest.param(400_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("of", QUICK, ids=lambda of: of.__name__)
def test_what_is_proved_has_no_counterexample(of, steps):
    proof = proof_of(of)
    assert isinstance(refute(proof.claim, steps=steps), str)


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [*programs.CHECKDP, *programs.MORE],
    ids=lambda case: f"{case.program.__name__}, {case.neighbors}",
)
def test_the_programs_of_checkdp_are_decided_rightly(case):
    found = decide(case.program, epsilon=case.claim, neighbors=case.neighbors)
    assert found.verdict is (ProgramVerdict.PROVED if case.holds else ProgramVerdict.REFUTED)
    if found.counterexample is not None:
        example = found.counterexample
        assert example.loss > float(example.epsilon)
        assert example.finding.verdict == "refuted"


REPAIRED = [
    case
    for case in programs.CHECKDP
    if not case.holds and case.program not in (programs.bad_sparse_vector_1, programs.bad_smart_sum)
]
"""All but those that add no noise at all somewhere."""


@pytest.mark.slow
@pytest.mark.parametrize("case", REPAIRED, ids=lambda case: case.program.__name__)
def test_a_repair_is_proved_from_its_source(case):
    found = repair(case.program, epsilon=case.claim, neighbors=case.neighbors)
    name = case.program.__name__
    node = next(n for n in ast.parse(found.source).body if getattr(n, "name", "") == name)
    of = compiled(ast.get_source_segment(found.source, node), f"repaired {name}")
    again = decide(of, epsilon=case.claim, neighbors=case.neighbors)
    assert again.verdict is ProgramVerdict.PROVED


def test_an_invariant_that_does_not_hold_shows_nothing():
    proof = proof_of(programs.partial_sum)
    wrong = Atom(LinearForm.number(-1), strict=False)
    held = {state: (*atoms, wrong) for state, atoms in proof.alignment.invariants.items()}
    alignment = replace(proof.alignment, invariants=held)
    left = [
        one
        for one in obligations(proof.claim, alignment)
        if consequence(one.hypotheses, ABSURD) is None
        and any(consequence(one.hypotheses, goal) is None for goal in one.goals)
    ]
    assert left


def test_a_budget_is_not_exceeded_by_any_share():
    proof = proof_of(programs.smart_sum)
    bounds = proof.alignment.bounds
    assert kernel.check(budget(proof.claim, bounds)).verdict == "proved"
    more = tuple(bound + LinearForm.number(Fraction(1, 1000)) for bound in bounds)
    with pytest.raises(kernel.KernelRefusal):
        kernel.check(budget(proof.claim, more))


def test_smt_lib_holds_each_certificate():
    proof = proof_of(programs.histogram)
    text = smtlib(proof.findings, proof.budget)
    count = sum(len(found) for _, found in proof.findings)
    assert text.count("(check-sat)") == text.count("\n(assert (not ") + 1 == count + 1


def test_the_same_search_finds_the_same_proof():
    first, second = proof_of(programs.prefix_sum), proof_of(programs.prefix_sum)
    assert first.alignment == second.alignment
    assert first.findings == second.findings
