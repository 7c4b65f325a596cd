"""What is proved of a program beside what its audit certifies, in sentences."""

from __future__ import annotations

import math

from provado.audit.result import AuditResult
from provado.mechanisms.definitions.program_finding import ProgramFinding

from .numbers import certified, plain, typed, up

APART = (
    "A proof speaks of real numbers and of the neighbors that it names, an audit of the program as "
    "it runs, on its pairs."
)


def proved_sentences(result: AuditResult) -> list[str]:
    """Return verdict, proved bound, gap and what they speak of; nothing where none was decided."""
    found = result.program
    if found is None:
        return []
    said = [decided(found)]
    if found.verdict == "refuted":
        said += found.words
    bound = enough(found)
    if bound:
        said += [bound, gap_words(result), APART]
    return said


def decided(found: ProgramFinding) -> str:
    """Return the verdict on the claim, with its neighbors or its reason."""
    if found.verdict == "undecided":
        return f"Neither proved nor refuted: {found.reason}. Nothing is proved of ε."
    how = "proved" if found.verdict == "proved" else "refuted by exact probabilities"
    scope = f"; for {found.scope}" if found.scope else ""
    return f"ε = {found.claim} is {how}, where {found.relation}{scope}."


def enough(found: ProgramFinding) -> str:
    """Return what is proved of how large ε may be; empty where nothing is."""
    if found.epsilon is None:
        return ""
    if found.exact:
        return f"The exact ε is {plain(found.epsilon, 6)}."
    # A claim as it was typed, where that says all of it.
    text = typed(found.epsilon)
    return f"Proved: ε ≤ {text if float(text) == found.epsilon else up(found.epsilon)}."


def gap_words(result: AuditResult) -> str:
    """Compare the proved bound with the certified one; empty where nothing is proved."""
    found = result.program
    if found is None or found.epsilon is None:
        return ""
    low = certified(result.epsilon_lower, result.epsilon)
    between = found.epsilon - result.epsilon_lower
    if between >= 0:
        return f"Certified: ε ≥ {low}; the gap is {up(between)}."
    size = "∞" if math.isinf(between) else plain(-between)
    return (
        f"Certified: ε ≥ {low}, which lies {size} above what is proved: the program as it runs, "
        "with floating point, tells more than in real numbers, or by a false alarm."
    )
