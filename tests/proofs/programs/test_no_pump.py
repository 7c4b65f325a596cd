"""No program that is private at some multiple of epsilon has a pump."""

from fractions import Fraction

import pytest

from benchmarks.prove_catalogue import ENTRIES
from benchmarks.prove_programs import CHECKDP, MORE
from benchmarks.prove_streams import exact, larger
from provado.mechanisms import Verdict
from provado.proofs.programs.claim import AnswerRelation, ProgramClaim, claims_to_try
from provado.proofs.programs.read.parse import read_program
from provado.proofs.programs.read.polynomial import ratio
from provado.proofs.programs.read.symbolic_execution import enumerate_paths
from provado.proofs.programs.refutation.pump_search import pumped
from tests.proofs.programs.streams import WITHOUT_PUMP
from tests.proofs.programs.written import function


def programs():
    """Yield each with its claim: name, program, claim, neighbors, sensitivity."""
    for case in (*CHECKDP, *MORE):
        if case.holds:
            yield case.program.__name__, case.program, case.claim, case.neighbors, 1
    for entry in ENTRIES:
        if entry.mechanism.expected is not Verdict.VIOLATION and not entry.finite:
            yield entry.name, entry.program, entry.claim, entry.neighbors, entry.sensitivity
    for name, text in WITHOUT_PUMP.items():
        yield name, function(text), None, "all", 1
    yield from streams(exact())


def streams(among):
    """Yield the private ones among these."""
    for one in among:
        if one.holds:
            text = one.text.replace("def stream", "def f")
            yield one.name, function(text), one.claim, "all", 1


def found(one, steps):
    """Return the pump that is found within these steps."""
    _, of, epsilon, neighbors, width = one
    program = read_program(of, {})
    claimed, _ = claims_to_try(of, program, epsilon)[0]
    moves = AnswerRelation(Fraction(width), neighbors)
    return pumped(ProgramClaim.made(enumerate_paths(program), moves, ratio(claimed)), steps=steps)


@pytest.mark.parametrize("one", [*programs()], ids=lambda one: f"{one[0]}, {one[3]}")
def test_a_private_program_has_none(one):
    assert found(one, 60_000) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "one", [*programs(), *streams(larger())], ids=lambda one: f"{one[0]}, {one[3]}"
)
def test_nor_with_all_steps_of_a_decision(one):
    assert found(one, 1_000_000) is None


def test_another_relation_may_have_one():
    # What the histogram releases is private where one answer moves.
    (one,) = (one for one in programs() if one[0] == "histogram")
    assert found((*one[:3], "all", 1), 60_000) is not None
