"""Causes of violations in words, and whether low-order bits are all of it."""

from __future__ import annotations

from provado.audit.result import AuditResult
from provado.mechanisms import Verdict

from .numbers import down

UNKNOWN = "The distribution of the output depends on the data; no single cause was identified."
IDEAL = "Exact real arithmetic is meant: low-order bits of outputs were not looked at."


def cause(result: AuditResult) -> str:
    """Return the sentences on the cause of a violation; empty for any other verdict.

    Where two bounds were taken, they say which: only through low-order bits, or also apart from
    them. A bound apart from them may stand alone, where they tell nothing more.
    """
    if result.verdict is not Verdict.VIOLATION or not result.pairs:
        return ""
    apart = max(
        (pair for pair in result.pairs if pair.rounded),
        key=lambda pair: pair.epsilon_lower,
        default=None,
    )
    released = max(
        (pair for pair in result.pairs if not pair.rounded),
        key=lambda pair: pair.epsilon_lower,
        default=None,
    )
    sentences: list[str] = []
    if released is not None and apart is not None:
        if apart.epsilon_lower > result.epsilon:
            also = f"Also apart from low-order bits: ε ≥ {down(apart.epsilon_lower)}."
            sentences.append(also)
        else:
            sentences.append(
                f"Only through low-order bits (ε ≥ {down(released.epsilon_lower)}); apart from "
                f"them no violation was found (ε ≥ {down(apart.epsilon_lower)})."
            )
    found = result.telling
    if found is not None:
        sentences.append(found.cause.words or UNKNOWN)
    if result.searched is not None and result.searched.outside:
        sentences.append(
            "The pair that was chosen has a record unlike those in the data: if none such can "
            "occur, state the domain."
        )
    return " ".join(sentences)


def searched(result: AuditResult) -> str:
    """Return what was tried before the pair was chosen; empty where pairs were given."""
    found = result.searched
    if found is None:
        return ""
    how = "inferred from the data" if found.inferred else "as stated"
    broken = f" On {found.broken:,} of them the mechanism {found.reason}." if found.broken else ""
    bases, acts = (
        list(dict.fromkeys(kind.split(", ")[place] for kind in found.kinds if ", " in kind))
        for place in (0, -1)
    )
    return (
        f"The pair was searched: {found.pairs:,} pairs of neighbors in {found.runs:,} runs "
        f"({', '.join(bases)}; {', '.join(acts)}). A record may be ({how}) {found.domain}. Chosen: "
        f"{found.made}.{broken}"
    )
