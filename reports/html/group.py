"""The groups in which a report shows its audits."""

from __future__ import annotations

from collections.abc import Sequence

from provado.audit.result import AuditResult
from provado.reports.run.run import Record

OWN, LIBRARIES, REFERENCE, TWINS = (
    "Your mechanisms",
    "Released libraries, as installed",
    "Reference mechanisms",
    "Broken on purpose: here a violation should be found",
)


def grouped(records: Sequence[Record]) -> list[tuple[str, list[tuple[int, Record]]]]:
    """Return the groups that are not empty, each with its records and their positions."""
    numbered = list(enumerate(records))
    groups = [
        (title, [(i, record) for i, record in numbered if _group(record.result) == title])
        for title in (OWN, LIBRARIES, REFERENCE, TWINS)
    ]
    return [(title, members) for title, members in groups if members]


def anchor(position: int) -> str:
    """Return the id of the section of the audit at ``position``."""
    return f"audit-{position + 1}"


def _group(result: AuditResult) -> str:
    if "library" in result.tags:
        return LIBRARIES
    if "twin" in result.tags:
        return TWINS
    return OWN if result.expected is None else REFERENCE
