"""What was tried before a pair was chosen, as a report holds it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Searched:
    """What was tried before the pair was chosen, for the report.

    domain: in words. outside: whether the pair lies outside of a domain that was only inferred.
    made: how the pair came about. pairs: how many were tried; runs: calls that took. kinds: the
    kinds of dataset among them. broken: on how many the mechanism raised, and the first reason.
    planned: pairs made of data, domain and relation before the search began; tried: how many of
    these were tried. indispensable: how many of them are tried whatever the time; left_out: how
    many of those were not, since the mechanism is too slow, and seconds_needed: the time that an
    audit needs for all of them. planned_runs: calls that were planned. timed: whether the search
    had a time; cut: whether that ended it, after ``cut_after`` calls.
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
    planned: int = 0
    tried: int = 0
    indispensable: int = 0
    left_out: int = 0
    seconds_needed: float = 0.0
    timed: bool = False
    cut: bool = False
    planned_runs: int = 0
    cut_after: int = 0

    @property
    def unfinished(self) -> str:
        """Why no pass can be given: pairs that must be tried were not; empty where all were."""
        if not self.left_out:
            return ""
        done, wanted = self.indispensable - self.left_out, self.indispensable
        return (
            f"the time allowed {done} of the {wanted} pairs of neighbors that every search tries; "
            f"give it about {self.seconds_needed:.2g} seconds"
        )

    @property
    def limitations(self) -> tuple[str, ...]:
        """What a pass does not cover, in sentences: planned pairs that were not tried."""
        # A document of an earlier version has no planned runs.
        longer = self.cut or (self.timed and not self.planned_runs)
        more = f"{'run longer' if longer else 'give more samples'} for the rest."
        where = f"after {self.cut_after:,} of {self.planned_runs:,} planned runs"
        if not self.planned_runs:
            where = "before its last round"
        if self.tried < self.planned:
            said = f"{self.tried} of {self.planned} planned pairs tried; {more}"
        elif self.cut:
            said = (
                f"All {self.planned} planned pairs tried, but time ended the search {where}; {more}"
            )
        else:
            return ()
        return (said,)
