"""The fixture ``prove_dp``: the claim of a program, proved or refuted in a test."""

from __future__ import annotations

from typing import Any

import pytest

from provado.mechanisms import UsageError
from provado.proofs.programs.decide import ProgramDecision, ProgramVerdict, decide
from provado.reports.text.formatting import clean
from provado.reports.text.program import words

from .record import PROOF, Record
from .repeat import run_again
from .state import Fixture, note, state_of


class ProveDP(Fixture):
    """What a test gets as ``prove_dp``."""

    name = "prove_dp"

    def __call__(
        self, program: Any, *, expect: str | None = None, **arguments: Any
    ) -> ProgramDecision:
        """Prove that a program is ε-differentially private, or fail the test.

        program, arguments: as in ``provado.proofs.programs.decide`` (``epsilon``, ``sensitivity``,
            ``neighbors``, ``parameters``, ``domain``, ``size``, ``steps``).
        expect: a verdict that it must be: ``"proved"`` (the default) or, for a broken twin,
            ``"refuted"``.

        Returns the decision. The test fails with the counterexample in words where the claim is
        refuted, with the reason where it is undecided, and in one line on a program outside of the
        language. Nothing is drawn: no share of the session's false alarms is spent.
        """
        __tracebackhide__ = True
        settings, number = state_of(self._item.config).settings, self._next()
        try:
            wanted = _wanted(expect)
            found = decide(program, **arguments)
        except UsageError as error:
            raise self._misused(error) from None
        passed = found.verdict is wanted
        again = run_again(self._item, settings, share=None, samples=None)
        said = clean(f"{found.name}, ε = {found.claim}: {found.verdict}")
        verdict = str(found.verdict)
        note(
            self._item,
            Record(PROOF, self._item.nodeid, number, said, verdict, passed, again),
        )
        if not passed:
            lines = [f"{said}; expected: {wanted}", *words(found).splitlines(), f"Again: {again}"]
            pytest.fail("\n".join(map(clean, lines)))
        return found


def _wanted(expect: str | None) -> ProgramVerdict:
    if expect is None:
        return ProgramVerdict.PROVED
    known = (ProgramVerdict.PROVED, ProgramVerdict.REFUTED)
    if expect not in known:
        raise UsageError(f"expect is {expect!r}: it must be one of {', '.join(known)}")
    return ProgramVerdict(expect)
