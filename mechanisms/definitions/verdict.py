"""The verdict vocabulary of experiments, in the order in which verdicts merge; and of proof."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """What an experiment may say. It can never say "proved".

    ``VIOLATION``: the certified lower bound on ε exceeds the claim.
    ``NO_VIOLATION``: it does not; how large a violation visible to the rule would have shown is
    stated beside it.
    ``UNKNOWN``: something broke; the reason is stated beside it. Never a pass.
    """

    VIOLATION = "violation"
    UNKNOWN = "unknown"
    NO_VIOLATION = "no violation found"


class ExactVerdict(StrEnum):
    """What exact arithmetic may say besides ``Verdict.VIOLATION``; no experiment has these words.

    ``PROVED``: the claim holds for all neighbors of a finite mechanism. ``VERIFIED``: it holds for
    the pairs that were given, and of others nothing is said.
    """

    PROVED = "proved"
    VERIFIED = "verified on these pairs"


_MERGE_ORDER = (Verdict.VIOLATION, Verdict.UNKNOWN, Verdict.NO_VIOLATION)


def merge(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict on a claim of which several parts were audited.

    A violation anywhere is a violation of the whole; otherwise anything unknown leaves the whole
    unknown. No verdict at all is ``UNKNOWN``: nothing was looked at.
    """
    found = set(verdicts)
    return next((verdict for verdict in _MERGE_ORDER if verdict in found), Verdict.UNKNOWN)
