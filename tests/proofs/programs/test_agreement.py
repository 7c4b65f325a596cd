"""What a proof reads does what Python does, with the same noise: outputs, their order and types."""

import random

import pytest

from provado.mechanisms.definitions import UsageError
from provado.proofs.programs.read.ir import UndecidedProgramError
from provado.proofs.programs.read.parse import read_program
from provado.proofs.programs.read.symbolic_execution import enumerate_paths
from tests.proofs.programs.agreement import Writer, agrees
from tests.proofs.programs.written import function


def compare(seed, count):
    """Return how many random programs were compared; each must agree."""
    rng, compared = random.Random(seed), 0
    for _ in range(count):
        text = Writer(rng).text()
        of = function(text)
        try:
            ways = enumerate_paths(read_program(of, {"epsilon": 1.0}))
        except (UndecidedProgramError, UsageError):
            continue
        if ways.inexact:
            continue  # Nothing is proved of it.
        for _ in range(3):
            values = [-1, 0, 1, 2, 5] if ways.program.whole_data else [-1.0, 0.1, 0.3, 0.5, 2.0]
            data = [rng.choice(values) for _ in range(rng.randint(1, 3))]
            assert agrees(of, ways, data, rng.randrange(2**32), epsilon=1.0), f"{text}\n{data}"
        compared += 1
    return compared


def test_random_programs_do_what_the_proof_reads():
    assert compare(1, 400) > 60


@pytest.mark.slow
def test_many_random_programs_do_what_the_proof_reads():
    assert compare(2, 5000) > 750


def test_another_program_does_not_agree():
    of = function("def f(q, epsilon):\n    output(q[0] > 1)\n")
    read = enumerate_paths(read_program(of, {"epsilon": 1}))
    same = function("def f(q):\n    output(1 if q[0] > 1 else 0)\n")
    more = function("def f(q):\n    output(q[0] > 1)\n    output(2)\n")
    text = function("def f(q):\n    output('1' if q[0] > 1 else '0')\n")
    assert agrees(of, read, [2.0], 0, epsilon=1)
    assert agrees(same, read, [2.0], 0)
    assert not agrees(more, read, [2.0], 0)
    assert not agrees(text, read, [2.0], 0)
