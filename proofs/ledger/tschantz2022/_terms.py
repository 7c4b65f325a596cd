"""How the entries of this paper are made from its statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from provado.proofs.causal.statement import Statement
from provado.proofs.ledger.claim import Claim
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict


def entry(
    statement: Statement,
    claim: Claim,
    expected: LedgerVerdict,
    gather: Callable[[Any], Evidence],
    twin: tuple[str, Claim],
) -> Entry:
    """Return the ledger's entry of a statement; ``twin`` in words and as a claim."""
    return Entry(
        id=statement.id,
        source=statement.source,
        printed=statement.printed,
        words=statement.words,
        scope=statement.scope,
        claim=claim,
        expected=expected,
        gather=gather,
        twin=Twin(*twin),
    )
