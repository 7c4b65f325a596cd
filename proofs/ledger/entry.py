"""One published statement: what it says, and how its evidence is gathered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from provado.mechanisms import Source
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict


@dataclass(frozen=True)
class Twin:
    """A broken form of an entry's evidence, which the same check must refuse.

    words: what is broken in it.
    gather: builds and checks it; the kernel's ``KernelRefusal`` is what must come out.
    """

    words: str
    gather: Callable[[], object]


@dataclass(frozen=True)
class Entry:
    """A statement of a paper in the ledger.

    id: ``paper/statement``, as its file: ``kusner2016/thm2`` stands in ``kusner2016/thm2.py``
        (``-`` in the id stands as ``_`` in the file's name).
    source: the paper and the place in it.
    printed: the statement as printed, formulas in plain text.
    words: the same in our words.
    scope: for which parameters it is claimed, and for which the evidence speaks.
    expected: the verdict recorded with the entry; another one is a surprise.
    gather: collects the evidence, at run time, from data and the kernel's checks.
    twin: what the same check must refuse.
    """

    id: str
    source: Source
    printed: str
    words: str
    scope: str
    expected: LedgerVerdict
    gather: Callable[[], Evidence]
    twin: Twin
