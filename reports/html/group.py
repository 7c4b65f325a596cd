"""The groups in which a report shows its audits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from provado.audit.result import AuditResult
from provado.reports.run.run import Record
from provado.reports.words.clean import clean

from .element import Child, tag

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


def linked(members: Iterable[tuple[int, Record]]) -> list[Child]:
    """Return the names of records, each with a link to its section, with commas between."""
    names: list[Child] = []
    for position, record in members:
        names += [", " if names else None]
        names.append(tag("a", clean(record.result.name), href=f"#{anchor(position)}"))
    return names


def _group(result: AuditResult) -> str:
    if "library" in result.tags:
        return LIBRARIES
    if "twin" in result.tags:
        return TWINS
    return OWN if result.expected is None else REFERENCE
