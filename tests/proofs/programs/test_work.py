"""Searches end by what they have done, not by the clock: the same claim is decided alike."""

from __future__ import annotations

import time

import pytest

from benchmarks import prove_programs as programs
from provado.mechanisms.programs import bernoulli, output
from provado.proofs.programs.alignment.prove import Failure, Proof, prove
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import decide
from provado.proofs.programs.read.ir import WorkIsOverError, allowed, spend
from provado.proofs.programs.refutation.refute import Counterexample, refute
from tests.proofs.programs.written import claim


def coin(x: int, epsilon: float) -> None:
    if bernoulli(1 / 2):
        output(x)
    else:
        output(1 - x)


def test_steps_are_counted_inside_and_nowhere_else() -> None:
    spend(10**9)
    with allowed(10) as work:
        spend(10)
        assert work.left == 0
        with pytest.raises(WorkIsOverError, match="is done"):
            spend(1)
    spend(10**9)


def used(of: object, steps: int) -> int:
    """Return the least power of two with which a program is proved, up to ``steps``."""
    return next(
        2**k for k in range(steps) if isinstance(prove(claim(of, None, "one"), steps=2**k), Proof)
    )


def test_a_proof_needs_the_same_work_however_slow_the_clock_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    least = used(programs.histogram, 30)
    assert least > 1000
    monkeypatch.setattr(time, "process_time", lambda: 1e12)
    assert used(programs.histogram, 30) == least
    found = prove(claim(programs.histogram, None, "one"), steps=least // 2)
    assert found == Failure("the work that is allowed is done")


def test_a_counterexample_that_was_found_before_the_end_is_kept() -> None:
    wrong = claim(programs.bad_noisy_max, None, "all")
    assert isinstance(refute(wrong, steps=10), str)
    kinds = {type(refute(wrong, steps=2**k)) for k in range(8, 17)}
    assert kinds == {str, Counterexample}


def test_few_steps_leave_a_claim_undecided_with_the_reason() -> None:
    found = decide(programs.histogram, neighbors="one", steps=6)
    assert found.verdict is ProgramVerdict.UNDECIDED
    assert "the work that is allowed is done" in found.reason
    finite = decide(coin, epsilon=1, domain=[0, 1], steps=3)
    assert finite.verdict is ProgramVerdict.UNDECIDED
    assert finite.reason == "the work that is allowed is done"
    assert decide(coin, epsilon=1, domain=[0, 1]).verdict is ProgramVerdict.PROVED
