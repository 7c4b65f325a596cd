"""One published statement: what it claims, how its evidence is gathered, and what was found.

The entries are found by walking the papers' folders; there is no list to edit.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, Literal

from provado.mechanisms import Source, UsageError
from provado.proofs.kernel import Checked

from .claim import Claim
from .fact import Fact
from .theorem import Theorem


class LedgerVerdict(StrEnum):
    """What the ledger says of a statement.

    ``PROVED``: for all parameters in the stated scope, checked by machine from definitions: what
    was checked is the claim itself. ``VERIFIED``: exhaustively, on the finite scope that the entry
    names. ``ARGUED``: by a written argument whose marked steps the kernel checked; the steps
    between them are prose that a reader must check; where a theorem of Coq states the claim the
    prose is its idea, and the theorem the proof. ``SUPPORTED``: searched and nothing found; not a
    proof. ``MISPRINT``: false as printed, by a counterexample, and the form that was evidently
    meant is proved or argued; the entry says which. ``REFUTED``: a counterexample that
    replays. ``INCOMPLETE``: the text lacks what it takes to state the claim. ``UNKNOWN``: the
    evidence could not be gathered, was refused, or does not fit the claim; the reason comes with
    it.

    Of the first four the weakest part decides, and they are ordered by what is left to trust:
    nothing; that the table is the one of the scope; the prose; that a search would have found it.
    """

    PROVED = "proved"
    VERIFIED = "verified"
    ARGUED = "argued"
    SUPPORTED = "supported"
    MISPRINT = "misprint"
    REFUTED = "refuted"
    INCOMPLETE = "incomplete"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Searched:
    """A search for a counterexample that found none: never more than support.

    what: what was tried, with its numbers, in words. examined: how many cases. fact: what it
    supports.
    """

    what: str
    examined: int
    fact: Fact


Finding = Checked | Searched


@dataclass(frozen=True)
class Reading:
    """A line that says how the printed words are read as the claim's data: definitions, units."""

    words: str


@dataclass(frozen=True)
class Step:
    """A line of an argument and the facts that it needs; a finding must state each of them."""

    words: str
    facts: tuple[Fact, ...]


Line = str | Reading | Step
"""A line of an argument. A plain ``str`` is prose: a reader must check it."""


@dataclass(frozen=True)
class Evidence:
    """All that was found about one statement.

    printed: findings about the statement as printed.
    corrected: findings about the corrected, repaired or sharp form, if there is one.
    correction: that form in one sentence, with its formula. A ``misprint`` puts right what was
        evidently meant; a ``repair`` changes the statement; a ``sharpening`` improves a true one; a
        ``reading`` is what holds of one reading of a text that is lost in part.
    corrected_claim: that form as data; without it nothing is said of its verdict.
    argument: how the findings make the verdict, one step a line, the data first.
    proof_remark: what is wrong with the printed proof, where it has one and it fails.
    """

    printed: tuple[Finding, ...] = ()
    corrected: tuple[Finding, ...] = ()
    correction: str = ""
    kind: Literal["misprint", "repair", "sharpening", "reading"] | None = None
    corrected_claim: Claim | None = None
    argument: tuple[Line, ...] = ()
    proof_remark: str = ""


@dataclass(frozen=True)
class Twin:
    """The entry's claim with one constant disturbed: the same evidence must not show it.

    words: what is broken in it. claim: goes through the entry's ``gather`` and the same matching.
    """

    words: str
    claim: Claim


@dataclass(frozen=True)
class Entry:
    """A statement of a paper in the ledger.

    source: the paper and the place in it.
    printed: the statement as printed, formulas in plain text.
    words: the same in our words.
    scope: for which parameters it is claimed, and for which the evidence speaks.
    claim: what it claims, as data; its facts are what the verdict needs.
    twin: the claim that the evidence must not show.
    expected: the verdict recorded with the entry, ``argued`` unless given; another is a surprise.
    theorem_of: the corrected claim, where a theorem of Coq states that one; by default it states
        ``claim``, where that has a form in Coq's language. A theorem makes of ``argued``
        ``proved`` where it is replayed.
    id: ``paper/statement``: ``kusner2016/thm2`` stands in a file of the folder ``kusner2016``; in
        one of its own the file has the statement's name, with ``_`` for ``-``.
    gather: collects the evidence for a claim of this form, at run time, from data and the kernel's
        checks: for the entry's own claim, and for its twin's.

    Without the last two an entry decorates the function that gathers: ``_thm2`` of the folder
    ``kusner2016`` gives ``kusner2016/thm2``.
    """

    source: Source
    printed: str
    words: str
    scope: str
    claim: Claim
    twin: Twin
    expected: LedgerVerdict = LedgerVerdict.ARGUED
    theorem_of: Claim | None = None
    id: str = ""
    gather: Callable[[Any], Evidence] = field(default=lambda _: Evidence(), repr=False)

    def __call__(self, gather: Callable[[Any], Evidence]) -> Entry:
        """Return the entry whose evidence a function gathers, by whose name it goes."""
        paper = gather.__module__.split(".")[-2]
        name = gather.__name__.strip("_").replace("_", "-")
        return replace(self, id=f"{paper}/{name}", gather=gather)

    @property
    def theorem(self) -> Theorem | None:
        """Return the theorem, which has the entry's name: ``kusner2016.thm2.thm2``."""
        of = self.theorem_of or self.claim
        if of.statement() is None:
            return None
        paper, _, name = self.id.replace("-", "_").partition("/")
        return Theorem(f"{paper}.{name}.{name}", of)


folder = importlib.import_module(__name__.rpartition(".")[0])


def ledger(patterns: Sequence[str] = ()) -> tuple[Entry, ...]:
    """Return all entries, sorted by id; or those of the papers that patterns of ids may mean.

    Other papers are not imported, unless a pattern matches no entry: then all entries are returned,
    so that the caller can name the nearest.
    """
    papers = sorted(m.name for m in pkgutil.iter_modules(folder.__path__) if m.ispkg)
    wanted = [p for p in papers if any(_may_match(pattern, f"{p}/") for pattern in patterns)]
    entries = [entry for paper in wanted for entry in entries_of(paper)]
    if not patterns or not all(any(fnmatchcase(e.id, p) for e in entries) for p in patterns):
        entries = [entry for paper in papers for entry in entries_of(paper)]
    return tuple(sorted(entries, key=lambda entry: entry.id))


def _may_match(pattern: str, beginning: str) -> bool:
    """Return whether a glob may match a text that begins so."""
    literal = re.split(r"[*?[]", pattern)[0]
    return literal.startswith(beginning) or beginning.startswith(literal)


@cache
def entries_of(paper: str) -> tuple[Entry, ...]:
    """Return a paper's entries.

    A module of a paper's folder whose name begins with a letter holds one ``ENTRY``, whose id must
    be its place, or several as ``ENTRIES``, whose ids must be of the paper. Raises ``UsageError``
    where they are not, and for an id that is there twice.
    """
    package = importlib.import_module(f"{folder.__name__}.{paper}")
    result: dict[str, Entry] = {}
    for name in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        if name.startswith("_"):
            continue
        module = importlib.import_module(f"{package.__name__}.{name}")
        place = f"{paper}/{name.replace('_', '-')}"
        rows = getattr(module, "ENTRIES", None)
        for entry in (module.ENTRY,) if rows is None else rows:
            fits = entry.id == place if rows is None else entry.id.startswith(f"{paper}/")
            if not fits or entry.id in result:
                raise UsageError(f"ledger: the entry {entry.id!r} stands in {place!r}")
            result[entry.id] = entry
    return tuple(result.values())
