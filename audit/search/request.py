"""What a search is asked: a dataset, what its records may be, neighbors; and what it tried."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from provado.mechanisms import BoundedAnswers, NeighboringRelation, ReplaceOne, UsageError
from provado.mechanisms.definitions.relation import short

from .candidates import Candidate, candidates
from .dataset_format import Form, Records, read_form
from .domain import Domain, is_strategy, read_domain


@dataclass(frozen=True)
class SearchRecord:
    """What was tried before the pair was chosen, for the report.

    domain: in words. outside_data: whether the pair lies outside of the values in the data, where
    the domain was inferred from these. construction: how the pair was made. pairs: how many were
    tried; runs: calls that took. kinds: the kinds of dataset among them. failed: on how many the
    mechanism raised; reason: what it raised first.
    planned: pairs made of data, domain and relation before the search began; tried: how many of
    these were tried. mandatory: how many of them are tried whatever the time; skipped: how
    many of those were not, since the mechanism is too slow, and seconds_needed: the time that an
    audit needs for all of them. planned_runs: calls that were planned. timed: whether the search
    had a time; cut: whether that ended it, after ``cut_after`` calls.
    fixed_size: the size of all datasets, where only pairs of the size of the data were tried; else
    0. other_size: whether records are replaced, and the pair is not of the size of the data.
    """

    domain: str
    inferred: bool
    outside_data: bool
    construction: str
    pairs: int
    runs: int
    kinds: tuple[str, ...]
    failed: int = 0
    reason: str = ""
    planned: int = 0
    tried: int = 0
    mandatory: int = 0
    skipped: int = 0
    seconds_needed: float = 0.0
    timed: bool = False
    cut: bool = False
    planned_runs: int = 0
    cut_after: int = 0
    fixed_size: int = 0
    other_size: bool = False

    @property
    def unfinished(self) -> str:
        """Why no pass can be given: pairs that must be tried were not; empty where all were."""
        if not self.skipped:
            return ""
        done, wanted = self.mandatory - self.skipped, self.mandatory
        return (
            f"the time allowed {done} of the {wanted} pairs of neighbors that every search tries; "
            f"give it about {self.seconds_needed:.2g} seconds"
        )

    @property
    def limitations(self) -> tuple[str, ...]:
        """What a pass does not cover, in sentences: planned pairs that were not tried."""
        more = f"{'run longer' if self.cut else 'give more samples'} for the rest."
        where = f"after {self.cut_after:,} of {self.planned_runs:,} planned runs"
        if self.tried < self.planned:
            sentence = f"{self.tried} of {self.planned} planned pairs tried; {more}"
        elif self.cut:
            sentence = (
                f"All {self.planned} planned pairs tried, but time ended the search {where}; {more}"
            )
        else:
            return ()
        return (sentence,)


SHARE, LARGEST_SHARE, USUAL = 0.3, 0.5, 18.0
"""Of the time of an audit, what a search may take; at most, where that is less than it has in the
minute of an audit that nobody gave a time; and how many seconds it has then."""


def search_seconds(seconds: float) -> float:
    """Return how many seconds a search may take of those that an audit is given."""
    return max(SHARE * seconds, min(LARGEST_SHARE * seconds, USUAL))


@dataclass(frozen=True)
class Question:
    """What the search is to look at.

    records: those that were given; form: how the dataset holds them. candidates: pairs to begin
    with, at least one. runs: calls of the mechanism that are planned. trials: certifying trials
    that a forecast is for. seconds: the wall time of the audit, of which the search has a share
    that may end it before. ended: after how many runs time did, where such a search is repeated.
    fixed_size: whether all datasets have as many records as were given.
    """

    form: Form
    records: Records
    domain: Domain
    relation: NeighboringRelation
    candidates: tuple[Candidate, ...]
    runs: int
    trials: int
    seconds: float = math.inf
    ended: int | None = None
    fixed_size: bool = False

    def pair(self, candidate: Candidate) -> tuple[Any, Any]:
        """Return two datasets in the form of the data, of edits that may come from elsewhere."""
        return candidate.on(None, self.form).pair(self.form)


def read_question(
    data: Any,
    relation: NeighboringRelation | None,
    *,
    domain: Any = None,
    values: Sequence[Any] | None = None,
    runs: int,
    trials: int | None = None,
    seconds: float = math.inf,
    ended: int | None = None,
    fixed_size: bool = False,
) -> Question:
    """Return the question; raises ``UsageError`` naming the argument that breaks a rule.

    data: one dataset. domain: see ``read_domain``. values: instead of it, the records that may
    stand in a dataset beside those that are there. fixed_size: whether no dataset may have another
    number of records than the data.
    """
    if relation is None:
        raise UsageError(
            "relation is missing: to make neighbors of data it takes relation=AddOrRemoveOne() (a "
            "person is in the data or not), ReplaceOne() or BoundedAnswers(), from "
            "provado.mechanisms"
        )
    if fixed_size and not isinstance(relation, ReplaceOne):
        raise UsageError(
            f"fixed_size is {fixed_size!r}: the relation must be ReplaceOne() (replace-one), which "
            f"keeps the number of records; it is {relation.words()}"
        )
    if values is not None and domain is not None:
        raise UsageError("values and domain: both say what may stand in the data; give one")
    listed = values is not None or isinstance(domain, list) or is_strategy(domain)
    form, records = read_form(data, keyed=not listed)
    if values is not None:
        if isinstance(relation, BoundedAnswers):
            raise UsageError(f"values: {relation.words()} moves answers by numbers, not to values")
        offered = _listed(values, form)
        domain = [*offered, *(item for item in form.seen() if item not in offered)]
    read = read_domain(domain, form, records)
    offers = candidates(records, form, read, relation, fixed_size=fixed_size)
    limits = (runs, trials or runs, seconds, ended, fixed_size)
    return Question(form, records, read, relation, offers, *limits)


def _listed(values: Any, form: Form) -> list[Any]:
    rows = form.width and form.kind in ("array", "frame")
    try:
        offered = [tuple(value) if rows else value for value in values]
    except TypeError:
        offered = []
    if not offered:
        raise UsageError(f"values is {values!r}: it must be a sequence of at least one record")
    for item in offered:
        if rows and len(item) != form.width:
            raise UsageError(
                f"values holds {short(item)}: a record of the data has {form.width} fields"
            )
    return offered
