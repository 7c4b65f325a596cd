"""Random programs: exact probabilities against runs, and no program both proved and refuted."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.programs import Program
from provado.proofs.programs.alignment.prove import Proof, prove
from provado.proofs.programs.probability.output_probability import (
    Event,
    ParameterValues,
    chance,
    outcomes,
)
from provado.proofs.programs.read.ir import UndecidedProgramError
from provado.proofs.programs.read.parse import read_program
from provado.proofs.programs.read.symbolic_execution import enumerate_paths
from provado.proofs.programs.refutation.refute import refute
from tests.proofs.programs.random_programs import maxima, thresholds
from tests.proofs.programs.written import claim, function

TRIALS = 4000


def some(seed, count):
    rng = random.Random(seed)
    return rng, [function(rng.choice([thresholds, maxima])(rng)) for _ in range(count)]


def exact(of, answers):
    """Return the probabilities of all outcomes: numbers without noise, and where noise is told."""
    one = ParameterValues(enumerate_paths(read_program(of)), {}, "epsilon")
    events = {
        Event(kinds, tuple(None if noisy else (v, v) for v, noisy in numbers))
        for kinds, numbers in outcomes(one, answers, 400)
    }
    return {e: chance(one, answers, e).plain().near(Fraction(1)) for e in events}


def differences(law, rows):
    """Return events whose frequency is not their probability."""
    known = {float(limits[0]) for e in law for limits in e.numbers if limits}

    def happened(event, row):
        return len(row) == len(event.kinds) and all(
            value not in known if limits is None else value == float(limits[0])
            for value, limits in zip(row, event.numbers, strict=True)
        )

    for event, p in law.items():
        found = sum(happened(event, row) for row in rows) / len(rows)
        if abs(found - p) > 6 * math.sqrt(p * (1 - p) / len(rows)) + 2e-3:
            yield event


def compare(seed, count):
    rng, programs = some(seed, count)
    compared = 0
    for of in programs:
        answers = [Fraction(rng.choice(["-1", "0", "1/2", "1"])) for _ in range(rng.choice([1, 2]))]
        try:
            law = exact(of, answers)
        except (UndecidedProgramError, UsageError):
            continue
        assert sum(law.values()) == pytest.approx(1, abs=1e-9)
        generator = np.random.default_rng(compared)
        rows = Program(of, epsilon=1.0)(list(map(float, answers)), size=TRIALS, rng=generator)
        assert not list(differences(law, rows))
        compared += 1
    return compared


def test_probabilities_of_random_programs_are_those_of_runs():
    assert compare(1, 60) > 30


def test_a_comparison_of_another_program_would_differ():
    law = exact(
        function("def f(q, epsilon):\n    output(laplace(1 / epsilon) > 0)\n"), [Fraction(0)]
    )
    other = function("def f(q, epsilon):\n    output(1 + laplace(1 / epsilon) > 0)\n")
    rows = Program(other, epsilon=1.0)([0.0], size=TRIALS, rng=np.random.default_rng(0))
    assert list(differences(law, rows))


@pytest.mark.slow
def test_probabilities_of_many_random_programs_are_those_of_runs():
    assert compare(2, 1500) > 700


@pytest.mark.slow
def test_no_random_program_is_proved_and_refuted_of_claims_that_grow():
    rng, programs = some(11, 40)
    proved = 0
    for of in programs:
        epsilon = rng.choice(["len(q)*epsilon", "len(q)*epsilon/2", "epsilon+len(q)*epsilon/4"])
        try:
            one = claim(of, epsilon, rng.choice(["all", "one", "increasing"]))
        except (UndecidedProgramError, UsageError):
            continue
        if isinstance(prove(one, steps=400_000), Proof):
            proved += 1
            assert isinstance(refute(one, steps=300_000), str)
    assert proved > 5


@pytest.mark.slow
def test_no_random_program_is_proved_and_refuted():
    rng, programs = some(3, 60)
    proved = 0
    for of in programs:
        factor = rng.choice([1, 2, 4, 8])
        neighbors = rng.choice(["all", "all", "one", "increasing", "decreasing"])
        try:
            one = claim(of, f"{factor}*epsilon", neighbors)
        except (UndecidedProgramError, UsageError):
            continue
        if isinstance(prove(one, steps=900_000), Proof):
            proved += 1
            assert isinstance(refute(one, steps=600_000), str)
    assert proved > 10
