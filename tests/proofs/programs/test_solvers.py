"""Replaying a proof's conditions with another solver: agreement is counted, and must be whole."""

import importlib.util
import subprocess
import sys

import pytest

from benchmarks.prove_rows import laplace_mechanism
from benchmarks.prove_solvers import replayed, scripts, solvers_of
from provado.proofs.programs.decide import decide

ANSWERS = """
import sys
asked = sys.stdin.read().count("(check-sat)")
print("unsat\\n" * (asked - {wrong}) + "sat\\n" * {wrong})
"""


@pytest.mark.parametrize("wrong", [0, 1])
def test_a_solver_that_disagrees_once_is_noticed(wrong):
    found = decide(laplace_mechanism)
    solver = "other", [sys.executable, "-c", ANSWERS.format(wrong=wrong)]
    (script,) = scripts(found)
    asked = script.count("(check-sat)")
    words, agrees = replayed(found, [solver])
    assert words == f"other {asked - wrong} of {asked}"
    assert agrees is not bool(wrong)


def test_without_a_solver_nothing_is_said():
    assert replayed(decide(laplace_mechanism), []) == ("", True)


SCRIPT = """
(set-logic QF_LRA)
(declare-const x Real)
(push 1)
(assert (> x 0))
(assert (< x {bound}))
(check-sat)
(pop 1)
"""


@pytest.mark.skipif(importlib.util.find_spec("cvc5") is None, reason="cvc5 is not installed")
@pytest.mark.parametrize(("bound", "answer"), [(0, "unsat"), (1, "sat")])
def test_cvc5_tells_what_holds_from_what_does_not(bound, answer):
    ((_, command),) = [one for one in solvers_of("", sys.executable) if "replay" in one[1][-1]]
    script = SCRIPT.format(bound=bound)
    said = subprocess.run(command, input=script, capture_output=True, text=True, check=True)
    assert said.stdout.split() == [answer]
