"""What a full battery found for or against a statement: what was tried, and what broke."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from provado.proofs.causal.definitions import Decide
from provado.proofs.causal.model import Factor
from provado.proofs.causal.search import Case
from tests.proofs.causal.first_case import FirstCase, first


@dataclass(frozen=True)
class Counterexample:
    """One case that breaks a claim: in words, with the exact numbers, and the case if finite."""

    words: str
    numbers: tuple[tuple[str, Factor], ...]
    case: Case | None = None


@dataclass(frozen=True)
class Finding:
    """What was tried for one claim, and what broke it.

    claim: in words. role: ``"printed"`` for the statement as printed, ``"repaired"`` for its
    correction, ``"sharper"`` or ``"part"`` for what supports either. tried: how many cases were
    decided. scope: which. numbers: exact numbers worth quoting. denied: whether the statement says
    that the claim is false ("but not the other way around"), so that a counterexample bears it out.
    """

    claim: str
    role: str
    tried: int
    scope: str
    counterexamples: tuple[Counterexample, ...] = ()
    numbers: tuple[tuple[str, Factor], ...] = ()
    denied: bool = False

    @property
    def holds(self) -> bool:
        """Whether something was tried and nothing broke the claim."""
        return self.tried > 0 and not self.counterexamples

    @property
    def agrees(self) -> bool:
        """Whether what was found is what the statement says of the claim."""
        return bool(self.counterexamples) if self.denied else self.holds


def denied(finding: Finding) -> Finding:
    """Return the finding as one whose claim the statement denies."""
    return replace(finding, denied=True)


def stands(findings: Iterable[Finding], role: str = "printed") -> bool:
    """Return whether all findings of a role agree with the statement; false if there are none."""
    agreed = [finding.agrees for finding in findings if finding.role == role]
    return bool(agreed) and all(agreed)


def compare(
    claim: str,
    cases: Iterable[Case],
    scope: str,
    left: tuple[str, Decide],
    right: tuple[str, Decide],
    *,
    equal: bool = False,
    role: str = "printed",
) -> Finding:
    """Check that the left definition's smallest e^ε is at most (or equal to) the right one's.

    At most: whatever e^ε the right definition holds with, the left one holds with too. The finding
    keeps the first counterexample.
    """

    def breaks(case: Case) -> bool:
        a, b = left[1](case).factor, right[1](case).factor
        return a != b if equal else a > b

    return as_finding(claim, role, first(cases, breaks), scope, left, right)


def as_finding(
    claim: str,
    role: str,
    found: FirstCase,
    scope: str,
    *definitions: tuple[str, Decide],
    words: str = "",
) -> Finding:
    """Return a finding from a search; a case that was found is evaluated anew and breaks it."""
    if found.case is None:
        return Finding(claim, role, found.tried, scope)
    answers = [(name, decide(found.case)) for name, decide in definitions]
    text = words or "; ".join(
        f"{name} needs e^ε = {answer.factor}"
        + (f" ({answer.at.words()})" if answer.at is not None else "")
        for name, answer in answers
    )
    numbers = tuple((name, answer.factor) for name, answer in answers)
    return Finding(claim, role, found.tried, scope, (Counterexample(text, numbers, found.case),))


def replay(counterexample: Counterexample, *definitions: tuple[str, Decide]) -> bool:
    """Return whether the definitions give the numbers that a counterexample states."""
    if counterexample.case is None:
        return False
    case = counterexample.case
    return counterexample.numbers == tuple(
        (name, decide(case).factor) for name, decide in definitions
    )
