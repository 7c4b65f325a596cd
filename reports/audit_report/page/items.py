"""The audits as a page shows them: in groups, violations first, each anchored; and their table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from provado.audit.result import AuditResult
from provado.mechanisms import Verdict
from provado.reports.pages.element import Markup, tag
from provado.reports.pages.frame import anchors
from provado.reports.pages.table import Cell, FilterChoice, TableRow, filters, table
from provado.reports.tasks.run import Record
from provado.reports.text import power, sentences
from provado.reports.text.formatting import clean, plain
from provado.reports.text.terminal import rank

from .section import template

OWN, LIBRARIES, REFERENCE, TWINS = (
    "Your mechanisms",
    "Released libraries, as installed",
    "Reference mechanisms",
    "Broken on purpose: here a violation should be found",
)
KEYS = {OWN: "own", LIBRARIES: "library", REFERENCE: "reference", TWINS: "twin"}
"""The groups as the address of a page names them."""

FOUND, MISSED, SOUND, FLAGGED = "found", "missed", "sound", "flagged"
"""What became of a known answer: a planted violation, or a mechanism that is sound."""

HEADS = (
    *("mechanism", "verdict", "expected?", "ε", "δ", "certified ε ≥"),
    *(power.COLUMN, "trials"),
)


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
        return self.group in (REFERENCE, TWINS)

    @property
    def urgent(self) -> bool:
        """Whether it needs a person's attention."""
        return self.result.surprising or self.result.verdict is Verdict.UNKNOWN

    @property
    def tally(self) -> str:
        """The counter in which it counts: its verdict, or what became of a known answer.

        Of a known answer, a finding that is missed or made up counts against the auditor.
        """
        result = self.result
        if not self.known or result.verdict is Verdict.UNKNOWN:
            return str(result.verdict)
        if result.expected is Verdict.VIOLATION:
            return MISSED if result.surprising else FOUND
        return FLAGGED if result.surprising else SOUND


def items_of(records: Sequence[Record]) -> tuple[Item, ...]:
    """Return the audits: violations first, worst first, then what was left open, then the rest."""
    names = anchors([record.result.name for record in records])
    items = [
        Item(anchor, record, _group(record.result))
        for anchor, record in zip(names, records, strict=True)
    ]
    return tuple(sorted(items, key=lambda item: rank(item.result)))


def grouped(items: Iterable[Item]) -> list[tuple[str, list[Item]]]:
    """Return the groups that are not empty, each with its audits."""
    listed = list(items)
    groups = [(title, [item for item in listed if item.group == title]) for title in KEYS]
    return [(title, members) for title, members in groups if members]


def claim_filters(items: Sequence[Item]) -> Markup | None:
    """Return the page's filters, over all of its audits."""
    choices = (
        FilterChoice("Verdict", "verdict"),
        FilterChoice("Expected?", "expectation"),
        FilterChoice("Kind", "group", {key: title for title, key in KEYS.items()}),
    )
    return filters([_row(item) for item in items], "claims", choices, "Name contains")


def claims_table(items: Sequence[Item], caption: str, ident: str) -> Markup:
    """Return the table of these audits, which the page's script can filter and sort."""
    rows = [_row(item) for item in items]
    return table(
        caption,
        HEADS,
        rows,
        ident=ident,
        visible=False,
        sortable=len(rows) > 1,
        filtered=True,
        class_="claims audits",
        labelled=True,
    )


def _group(result: AuditResult) -> str:
    if "library" in result.tags:
        return LIBRARIES
    if "twin" in result.tags:
        return TWINS
    return OWN if result.expected is None else REFERENCE


def _row(item: Item) -> TableRow:
    result = item.result
    cells: tuple[Cell | str, ...] = (
        Cell(tag("a", clean(result.name), href=f"#{item.anchor}"), class_="name"),
        template().verdict(result),
        template().expectation(result),
        plain(result.epsilon),
        f"{result.delta:.4g}",
        sentences.lower(result),
        power.detectable(result),
        f"{result.trials:,}" if result.trials else "–",
    )
    marks = {"verdict": str(result.verdict), "expectation": sentences.expectation(result)}
    return TableRow(
        cells, marks | {"group": KEYS[item.group], "tally": item.tally, "item": item.anchor}
    )
