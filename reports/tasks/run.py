"""One run of ``provado audit``: what was asked, with which versions, and what came out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from provado.audit.options.declaration import CONFIDENCE, TIME_LIMIT
from provado.audit.result import AuditResult
from provado.mechanisms import Verdict
from provado.reports.documents.exit_status import AS_EXPECTED, NOT_COMPLETED, SURPRISE
from provado.reports.text.report import AuditReport

from .provenance import Provenance


@dataclass(frozen=True)
class Settings:
    """What was asked of a run, or of one of its audits; ``None`` where it was left to each audit.

    samples, seconds: certifying trials (``auto`` or ``auto:N`` for sequential audits), or the wall
        time from which their number is planned.
    confidence: at least 1 − the chance of any false alarm in the whole run, of which each audit
        gets an equal share. seed: the one seed of the run.
    time_limit: seconds after which an audit is ended as unknown. explore: exploration samples,
        where not as many as certify.
    """

    samples: int | str | None = None
    seconds: float | None = None
    confidence: float = CONFIDENCE
    seed: int = 0
    time_limit: float = TIME_LIMIT
    stop_early: bool = False
    explore: int | str | None = None


@dataclass(frozen=True)
class Record:
    """One audit as it is reported: its result, what repeats it, and where it is from.

    selection: the arguments of ``provado audit`` that name it and its claim. settings: its own,
    with its own share of the run's chance of a false alarm.
    location: ``file:line`` of the mechanism's source, empty where it is not known. code: SHA-256
    digests of that file and of the library audited, by name.
    """

    result: AuditResult
    selection: tuple[str, ...]
    settings: Settings
    location: str = ""
    code: dict[str, str] = field(default_factory=dict)

    @cached_property
    def report(self) -> AuditReport:
        """What it has to say; each text is made once."""
        return AuditReport(self.result, stop_early=self.settings.stop_early)


@dataclass(frozen=True)
class Run:
    """A run, complete: ``versions`` holds Python's and each relevant package's, by name.

    provenance: when, by whom and from which code it was made.
    """

    provado: str
    versions: dict[str, str]
    settings: Settings
    records: tuple[Record, ...]
    provenance: Provenance = field(default_factory=Provenance)

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
