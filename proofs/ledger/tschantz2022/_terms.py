"""How the entries of this paper are made from its statements."""

from __future__ import annotations

from collections.abc import Callable

from provado.proofs.causal.statement import Statement
from provado.proofs.kernel import Checked
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict


def entry(
    statement: Statement,
    expected: LedgerVerdict,
    gather: Callable[[], Evidence],
    broken: tuple[str, Callable[[], object]],
) -> Entry:
    """Return the ledger's entry of a statement; ``broken`` is its twin, in words and as a check."""
    return Entry(
        id=statement.id,
        source=statement.source,
        printed=statement.printed,
        words=statement.words,
        scope=statement.scope,
        expected=expected,
        gather=gather,
        twin=Twin(*broken),
    )


def besides(*findings: Checked) -> tuple[str, ...]:
    """Return findings that back an argument without being part of it, as sentences."""
    return tuple(f"Besides (kernel, {one.verdict}): {one.statement}." for one in findings)
