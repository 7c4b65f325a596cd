"""One published statement: what it claims, and how its evidence is gathered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from provado.mechanisms import Source

from .claim import Claim
from .evidence import Evidence, LedgerVerdict
from .theorem import Theorem


@dataclass(frozen=True)
class Twin:
    """The entry's claim with one constant disturbed: the same evidence must not bear it out.

    words: what is broken in it. claim: goes through the entry's ``gather`` and the same matching.
    """

    words: str
    claim: Claim


@dataclass(frozen=True)
class Entry:
    """A statement of a paper in the ledger.

    id: ``paper/statement``, as its file: ``kusner2016/thm2`` stands in ``kusner2016/thm2.py``
        (``-`` in the id stands as ``_`` in the file's name).
    source: the paper and the place in it.
    printed: the statement as printed, formulas in plain text.
    words: the same in our words.
    scope: for which parameters it is claimed, and for which the evidence speaks.
    claim: what it claims, as data; its facts are what the verdict needs.
    expected: the verdict recorded with the entry; another one is a surprise.
    gather: collects the evidence for a claim of this form, at run time, from data and the kernel's
        checks: for the entry's own claim, and for its twin's.
    twin: what must not be borne out.
    theorem: the theorem of Coq that states the claim, or the corrected one; it makes of ``argued``
        ``proved`` where it is replayed.
    """

    id: str
    source: Source
    printed: str
    words: str
    scope: str
    claim: Claim
    expected: LedgerVerdict
    gather: Callable[[Any], Evidence]
    twin: Twin
    theorem: Theorem | None = None
