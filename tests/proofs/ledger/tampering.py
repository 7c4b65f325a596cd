"""Entries of the ledger with their evidence emptied or their claim disturbed: none may stand.

``survivors`` counts for a benchmark what the tests assert one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

from provado.proofs import kernel
from provado.proofs.ledger import Decision, Entry, Evidence, LedgerVerdict, Step, decide
from provado.proofs.ledger.decide import judge
from provado.proofs.ledger.formula import Formula

CLAIMED = frozenset(
    LedgerVerdict(word)
    for word in ("proved", "argued", "verified", "supported", "refuted", "misprint")
)
"""Verdicts that say something of a claim; ``incomplete`` and ``unknown`` say nothing."""

NOTHING = kernel.check(kernel.Identity((), ()))
"""0 = 0."""
_FLIPPED = {
    "≤": "≥",
    "implies": "does not imply",
    "is equivalent to": "does not imply",
    "has no finite": "has a finite",
    "replace-one": "add-or-remove-one",
    "add-or-remove-one": "replace-one",
    "total": "joint",
    "R1": "D1",
    "1": "Pr_P[the others]",
    "copies": "everything",
}
"""Words in a claim's data that carry its meaning, and others in their place."""


def emptied(evidence: Evidence) -> Evidence:
    """Return the evidence with 0 = 0 for every finding."""
    printed, corrected = ((NOTHING,) * len(f) for f in (evidence.printed, evidence.corrected))
    return replace(evidence, printed=printed, corrected=corrected)


def emptied_wholly(evidence: Evidence) -> Evidence:
    """Return the same without the facts that the argument names."""
    lines = tuple(line.words if isinstance(line, Step) else line for line in evidence.argument)
    return replace(emptied(evidence), argument=lines)


def disturbed(data: Any) -> Iterator[Any]:
    """Yield a claim's data with one constant, relation or name in them changed, each in turn."""
    if isinstance(data, bool):
        yield not data
    elif isinstance(data, int | Fraction):
        yield data + 1
    elif isinstance(data, Formula):
        yield from _formulas(data)
    elif isinstance(data, str):
        if data in _FLIPPED:
            yield _FLIPPED[data]
        elif data and not set(data) - {"✓", "-"}:
            for i, mark in enumerate(data):
                yield data[:i] + ("-" if mark == "✓" else "✓") + data[i + 1 :]
    elif isinstance(data, tuple):
        for i, part in enumerate(data):
            for other in disturbed(part):
                yield (*data[:i], other, *data[i + 1 :])
    elif is_dataclass(data) and not isinstance(data, type):
        for field in fields(data):
            if field.name in ("strong", "weak"):
                yield replace(data, **{field.name: _other_definition(getattr(data, field.name))})
                continue
            for other in disturbed(getattr(data, field.name)):
                yield from _made(lambda f=field, o=other: replace(data, **{f.name: o}))


def _other_definition(name: str) -> str:
    return "8" if name != "8" else "3"


def _formulas(formula: Formula) -> Iterator[Formula]:
    """Yield the formula with one number or sign in it changed."""
    for found in re.finditer(r"\d+|[+−]", formula.text):
        text = found[0]
        other = {"+": "−", "−": "+"}.get(text) or str(int(text) + 1)
        changed = formula.text[: found.start()] + other + formula.text[found.end() :]
        yield from _made(lambda text=changed: Formula(text, formula.variable))


def _made(make: Callable[[], Any]) -> Iterator[Any]:
    """Yield what is made, nothing where the data cannot be had."""
    try:
        yield make()
    except ValueError:
        return


def verdict_of(claim: Any, evidence: Evidence) -> LedgerVerdict:
    """Return what the evidence makes of a claim; unknown where the claim cannot be had at all."""
    try:
        return judge(claim, evidence).verdict
    except (ValueError, ArithmeticError, KeyError, IndexError, TypeError):
        return LedgerVerdict.UNKNOWN


def kept_when_emptied(decision: Decision) -> list[str]:
    """Return in which ways the emptied evidence still says something of the claim."""
    claim, evidence = decision.entry.claim, decision.evidence
    ways = {"0 = 0": emptied(evidence), "0 = 0, no named facts": emptied_wholly(evidence)}
    return [way for way, empty in ways.items() if verdict_of(claim, empty) in CLAIMED]


def kept_when_disturbed(decision: Decision) -> list[str]:
    """Return the disturbed claims of which the evidence still says what it says of the real one."""
    verdict = judge(decision.entry.claim, decision.evidence).verdict
    if verdict not in CLAIMED:
        return []
    return [
        str(other)
        for other in disturbed(decision.entry.claim)
        if verdict_of(other, decision.evidence) is verdict
    ]


@dataclass(frozen=True)
class Survivors:
    """How many entries were tried, how many disturbed claims, and which entries kept a verdict."""

    entries: int
    claims: int
    emptied: tuple[str, ...]
    disturbed: tuple[str, ...]


def survivors(entries: Iterable[Entry]) -> Survivors:
    """Decide entries, then tamper with each; both lists must come out empty."""
    decisions = [decide(entry) for entry in entries]
    return Survivors(
        len(decisions),
        sum(sum(1 for _ in disturbed(one.entry.claim)) for one in decisions),
        tuple(one.entry.id for one in decisions if kept_when_emptied(one)),
        tuple(one.entry.id for one in decisions if kept_when_disturbed(one)),
    )
