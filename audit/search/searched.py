"""What was tried before a pair was chosen, as a report holds it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Searched:
    """What was tried before the pair was chosen, for the report.

    domain: in words. outside: whether the pair lies outside of a domain that was only inferred.
    made: how the pair came about. pairs: how many were tried; runs: calls that took. kinds: the
    kinds of dataset among them. broken: on how many the mechanism raised, and the first reason.
    """

    domain: str
    inferred: bool
    outside: bool
    made: str
    pairs: int
    runs: int
    kinds: tuple[str, ...]
    broken: int = 0
    reason: str = ""
