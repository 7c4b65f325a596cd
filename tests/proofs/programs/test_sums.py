"""Sums and largest answers, and answers at fixed positions of which at most one moves."""

import itertools

import pytest

from provado.proofs.programs.alignment import conditions
from provado.proofs.programs.alignment.prove import Failure, Proof, prove
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import decide
from provado.proofs.programs.read.polynomial import Atom, LinearForm
from tests.proofs.programs.written import claim, function

SUMS = {
    "the sum": ("return sum(q) + laplace({} * len(q) / epsilon)", 1),
    "a sum of parts": (
        "return sum(min(max(x, 0), 5) for x in q) + laplace({} * len(q) / epsilon)",
        1,
    ),
    "half of each": (
        "s = 0\n    for x in q:\n        s += x / 2\n    return s + laplace({} * len(q) / epsilon)",
        0.5,
    ),
    "the largest": ("return max(q) + laplace({} / epsilon)", 1),
    "the least": ("return min(q) + laplace({} / epsilon)", 1),
}


@pytest.mark.parametrize("name", SUMS)
def test_a_number_of_all_answers_is_proved_with_enough_noise_only(name):
    text, scale = SUMS[name]
    program = "def f(q, epsilon):\n    " + text + "\n"
    assert isinstance(prove(claim(function(program.format(scale)))), Proof)
    assert isinstance(prove(claim(function(program.format(0.99 * scale))), steps=300_000), Failure)


FIXED = {
    "three": ("return q[0] + {z}, q[1] + {z}, q[2] + {z}", True),
    "a difference and one": ("return q[0] - q[1] + {z}, q[2] + {z}", True),
    "one of them twice": ("return q[0] + {z}, q[1] + {z}, q[1] + {z}", False),
    "one twice as far": ("return q[0] + {z}, 2 * q[1] + {z}", False),
    "one in a loop, too": (
        "output(q[0] + {z})\n    output(q[1] + {z})\n    for x in q:\n        output(x + {z})",
        False,
    ),
    "with the loop's own": ("for x in q:\n        output(x + q[0] + q[1] + {z})", False),
}


@pytest.mark.parametrize("name", FIXED)
def test_of_answers_at_fixed_positions_at_most_one_moves(name):
    text, private = FIXED[name]
    of = function("def f(q, epsilon):\n    " + text.format(z="laplace(1 / epsilon)") + "\n")
    found = decide(of, neighbors="one", steps=600_000)
    assert found.verdict is (ProgramVerdict.PROVED if private else ProgramVerdict.REFUTED)
    # Where all may move, none of them is private.
    assert decide(of, steps=600_000).verdict is ProgramVerdict.REFUTED


def uncovered(signs):
    """Return real moves of one answer that none of the cases holds of, in a step of a loop."""
    text, _ = FIXED["with the loop's own"]
    of = claim(
        function("def f(q, epsilon):\n    " + text.format(z="laplace(1)") + "\n"), "1", "one"
    )
    (way,) = (way for way in of.ways.of[1] if way.draws)
    shifts = {way.draws[0].symbol: LinearForm()}
    found = []
    for step, at, by in itertools.product(range(3), range(3), (-1.0, -0.5, 0.5, 1.0)):
        point = {f"moved answer at {k}": by * (k == at) for k in range(2)}
        point |= {"moved answer 1": by * (step == at), "moved so far 1": abs(by) * (at < step)}
        cases = [atoms for atoms, _ in signs(of, way, way, shifts)]
        if not any(all(atom.holds(point) for atom in atoms) for atoms in cases):
            found.append((step, at, by))
    both = {"moved answer at 0": 1.0, "moved answer at 1": 0.5, "moved answer 1": 0.0}
    both |= {"moved so far 1": 0.0}
    assert not any(all(atom.holds(both) for atom in atoms) for atoms in cases)
    return found


def test_the_answer_of_a_loop_may_be_one_at_a_fixed_position():
    assert uncovered(conditions._signs) == []

    def apart(of, *more):
        # Broken twin: the loop's own answer counts among those of which at most one moves.
        for atoms, steps in conditions._signs(of, *more):
            moves = [size for name, size in steps.items() if name.startswith("answer ")]
            total = sum(moves, LinearForm())
            yield (*atoms, Atom(LinearForm.number(of.moves.width) - total)), steps

    assert (0, 0, 1.0) in uncovered(apart)
