"""One run of ``provado audit``: what was asked, with which versions, and what came out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from provado.audit.result import AuditResult
from provado.mechanisms import Verdict

AS_EXPECTED, SURPRISE, WRONG_USAGE, NOT_COMPLETED = 0, 1, 2, 3


@dataclass(frozen=True)
class Settings:
    """What holds for every audit of the run; ``None`` where it was left to each audit.

    samples, seconds: certifying trials, or the wall time from which their number is planned.
    confidence: at least 1 − the chance of any false alarm in the whole run, of which each audit
        gets an equal share. seed: the one seed of the run.
    time_limit: seconds after which an audit is ended as unknown.
    """

    samples: int | None
    seconds: float | None
    confidence: float
    seed: int
    time_limit: float
    stop_early: bool = False


@dataclass(frozen=True)
class Record:
    """One audit as it is reported: its result, the command that repeats it, and where it is from.

    location: ``file:line`` of the mechanism's source, empty where it is not known.
    """

    result: AuditResult
    replay: str
    location: str = ""


@dataclass(frozen=True)
class Run:
    """A run, complete: ``versions`` holds Python's and each relevant package's, by name."""

    provado: str
    versions: dict[str, str]
    settings: Settings
    records: tuple[Record, ...]

    @property
    def results(self) -> tuple[AuditResult, ...]:
        """The results alone, in the order of the run."""
        return tuple(record.result for record in self.records)

    @property
    def exit_status(self) -> int:
        """0 as expected, 1 a surprise, 3 some audit could not be completed."""
        return exit_status(self.results)


def exit_status(results: Sequence[AuditResult]) -> int:
    """Return 1 if any result is a surprise, else 3 if any is unknown, else 0."""
    if any(result.surprising for result in results):
        return SURPRISE
    if any(result.verdict is Verdict.UNKNOWN for result in results):
        return NOT_COMPLETED
    return AS_EXPECTED
