"""What a run has to say to a person, audit by audit: the same in every format."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from provado.audit.result import AuditResult
from provado.mechanisms import Verdict
from provado.reports.audit_report.baseline import Deviation, named
from provado.reports.tasks.run import Record, Run
from provado.reports.text import sentences
from provado.reports.text.formatting import clean


class Reason(StrEnum):
    """Why an audit is reported; the words are the identifiers of rules in SARIF."""

    VIOLATION = "privacy-violation"
    EXPECTED_VIOLATION = "expected-violation"
    MISSED_VIOLATION = "missed-violation"
    REFUTED = "refuted-claim"
    UNKNOWN = "not-completed"
    BASELINE = "baseline-difference"
    NONE = "as-expected"

    @property
    def fails(self) -> bool:
        """Whether a run fails for it; one that could not be completed is an error of its own."""
        return self in (Reason.VIOLATION, Reason.MISSED_VIOLATION, Reason.REFUTED, Reason.BASELINE)


@dataclass(frozen=True)
class AuditFinding:
    """One audit. name: its own in the run. headline, sentences: plain text, one line each.

    worth: what it says of violations that were not found, if anything.
    """

    name: str
    kind: Reason
    record: Record
    headline: str
    sentences: tuple[str, ...]
    worth: str


def findings(run: Run, differences: Sequence[Deviation] | None = None) -> tuple[AuditFinding, ...]:
    """Return a finding for each audit, in the order of the run.

    differences: where the run was compared with a baseline; then what the baseline records is
    expected, and what differs from it fails.
    """
    told = {deviation.name: deviation for deviation in differences or () if deviation.fails}
    names = named(run)
    return tuple(
        _finding(name, record, told.get(name), compared=differences is not None)
        for name, record in zip(names, run.records, strict=True)
    )


def vanished(run: Run, differences: Sequence[Deviation] | None) -> tuple[Deviation, ...]:
    """Return the audits that only the baseline has."""
    names = named(run)
    missing = (deviation for deviation in differences or () if deviation.name not in names)
    return tuple(replace(item, name=clean(item.name), words=clean(item.words)) for item in missing)


def _finding(
    name: str, record: Record, deviation: Deviation | None, *, compared: bool
) -> AuditFinding:
    result = record.result
    kind = _kind(result, deviation, compared=compared)
    headline = (
        deviation.words if deviation and kind is Reason.BASELINE else sentences.headline(result)
    )
    return AuditFinding(
        clean(name),
        kind,
        record,
        clean(headline),
        (*record.report.sentences, *map(clean, result.notes)),
        clean(record.report.power),
    )


def _kind(result: AuditResult, deviation: Deviation | None, *, compared: bool) -> Reason:
    if result.verdict is Verdict.UNKNOWN:
        return Reason.UNKNOWN
    if deviation is not None:
        return Reason.BASELINE
    if result.verdict is Verdict.VIOLATION:
        return Reason.VIOLATION if result.surprising and not compared else Reason.EXPECTED_VIOLATION
    if result.refuted_exactly:
        return Reason.REFUTED
    return Reason.MISSED_VIOLATION if result.surprising and not compared else Reason.NONE
