"""A decision as it is reported: what was asked, and whether the verdict is the one expected."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from provado.proofs.programs.decide import ProgramDecision, ProgramVerdict
from provado.reports.documents.exit_status import AS_EXPECTED, NOT_COMPLETED, SURPRISE


@dataclass(frozen=True)
class Decided:
    """A decision about one program.

    name: as it is reported. expected: the verdict that was stated beforehand, ``proved`` where none
    was. location: ``file:line`` of the function, empty where that is not known. asked: the
    arguments of ``provado prove`` that repeat it.
    """

    name: str
    decision: ProgramDecision
    expected: ProgramVerdict = ProgramVerdict.PROVED
    location: str = ""
    asked: tuple[str, ...] = ()

    @property
    def exit_status(self) -> int:
        """0 as expected, 1 another verdict, 3 undecided."""
        verdict = self.decision.verdict
        if verdict is ProgramVerdict.UNDECIDED:
            return NOT_COMPLETED
        return AS_EXPECTED if verdict is self.expected else SURPRISE

    @property
    def again(self) -> str:
        """The command that repeats it."""
        return shlex.join(["provado", "prove", *self.asked])
