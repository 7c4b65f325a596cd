"""The audits as a page shows them: in groups, violations first, each anchored by its name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from provado.audit.result import AuditResult
from provado.mechanisms import Verdict
from provado.reports.pages.element import Child, tag
from provado.reports.pages.frame import anchors
from provado.reports.tasks.run import Record
from provado.reports.text.formatting import clean

OWN, LIBRARIES, REFERENCE, TWINS = (
    "Your mechanisms",
    "Released libraries, as installed",
    "Reference mechanisms",
    "Broken on purpose: here a violation should be found",
)
KEYS = {OWN: "own", LIBRARIES: "library", REFERENCE: "reference", TWINS: "twin"}
"""The groups as the address of a page names them."""

_KNOWN = (REFERENCE, TWINS)


@dataclass(frozen=True)
class Item:
    """One audit on the page.

    anchor: the id of its section, its name where that is free. group: the title it stands under.
    """

    anchor: str
    record: Record
    group: str

    @property
    def result(self) -> AuditResult:
        """What the audit says."""
        return self.record.result

    @property
    def known(self) -> bool:
        """Whether its answer was known beforehand, so that it is the auditor that is tested."""
        return self.group in _KNOWN


def items_of(records: Sequence[Record]) -> tuple[Item, ...]:
    """Return the audits: violations first, worst first, then what was left open, then the rest."""
    names = anchors([record.result.name for record in records])
    items = [
        Item(anchor, record, _group(record.result))
        for anchor, record in zip(names, records, strict=True)
    ]
    return tuple(sorted(items, key=lambda item: _rank(item.result)))


def grouped(items: Iterable[Item]) -> list[tuple[str, list[Item]]]:
    """Return the groups that are not empty, each with its audits."""
    listed = list(items)
    groups = [
        (title, [item for item in listed if item.group == title])
        for title in (OWN, LIBRARIES, REFERENCE, TWINS)
    ]
    return [(title, members) for title, members in groups if members]


def linked(members: Iterable[Item]) -> list[Child]:
    """Return the names of audits, each with a link to its section, with commas between."""
    names: list[Child] = []
    for item in members:
        names += [", " if names else None]
        names.append(tag("a", clean(item.result.name), href=f"#{item.anchor}"))
    return names


def _rank(result: AuditResult) -> tuple[int, float]:
    """Return the place of an audit in the page: the less, the further up."""
    over = result.epsilon_lower - result.epsilon
    if result.verdict is Verdict.VIOLATION:
        return 0, -over
    if result.verdict is Verdict.UNKNOWN:
        return 1, 0.0
    return (2 if result.surprising else 3), math.inf if math.isnan(over) else -over


def _group(result: AuditResult) -> str:
    if "library" in result.tags:
        return LIBRARIES
    if "twin" in result.tags:
        return TWINS
    return OWN if result.expected is None else REFERENCE
