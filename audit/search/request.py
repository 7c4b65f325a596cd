"""What a search is asked: a dataset, what its records may be, and what neighbors are."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from provado.mechanisms import BoundedAnswers, NeighboringRelation, UsageError
from provado.mechanisms.definitions.relation import short

from .candidates import Candidate, candidates
from .dataset_format import Form, Records, read_form
from .domain import Domain, read_domain

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
) -> Question:
    """Return the question; raises ``UsageError`` naming the argument that breaks a rule.

    data: one dataset. domain: see ``read_domain``. values: instead of it, the records that may
    stand in a dataset beside those that are there.
    """
    if relation is None:
        raise UsageError(
            "relation is missing: to make neighbors of data it takes relation=AddOrRemoveOne() (a "
            "person is in the data or not), ReplaceOne() or BoundedAnswers(), from "
            "provado.mechanisms"
        )
    if values is not None and domain is not None:
        raise UsageError("values and domain: both say what may stand in the data; give one")
    form, records = read_form(data)
    if values is not None:
        if isinstance(relation, BoundedAnswers):
            raise UsageError(f"values: {relation.words()} moves answers by numbers, not to values")
        offered = _listed(values, form)
        domain = [*offered, *(one for one in form.seen() if one not in offered)]
    read = read_domain(domain, form, records)
    offers = candidates(records, form, read, relation)
    return Question(form, records, read, relation, offers, runs, trials or runs, seconds, ended)


def _listed(values: Any, form: Form) -> list[Any]:
    rows = form.width and form.kind in ("array", "frame")
    try:
        offered = [tuple(one) if rows else one for one in values]
    except TypeError:
        offered = []
    if not offered:
        raise UsageError(f"values is {values!r}: it must be a sequence of at least one record")
    for one in offered:
        if rows and len(one) != form.width:
            raise UsageError(
                f"values holds {short(one)}: a record of the data has {form.width} fields"
            )
    return offered
