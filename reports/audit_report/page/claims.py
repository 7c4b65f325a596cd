"""The audits as a page shows them: in groups, violations first; their table and forest plot.

The forest plot is claimed against certified ε, one strip of inline SVG an audit. Places along the
axis are percentages, so a strip takes any width while text, marks and lines keep their size.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from provado.audit.result import AuditResult
from provado.mechanisms import ExactVerdict, Verdict
from provado.reports.pages import frame
from provado.reports.pages.figures import figure
from provado.reports.pages.figures.pair_figures import growth, sizes, tradeoff
from provado.reports.pages.markup import Markup, tag
from provado.reports.tasks.run import Record, replay
from provado.reports.text import cause_and_fix, formatting, power, proved, sentences
from provado.reports.text.formatting import clean, counted, plain
from provado.reports.text.report import HAZARD, NOT_TESTED
from provado.reports.text.sentences import Row
from provado.reports.text.terminal import rank

EFFECTS = ("event", "under do(D)", "under do(D′)", "relative probability", "risk difference")
HAZARDS = ("hazard", "status", "because")
"""The heads of tables whose cells the page's style labels."""

ON_PAPER = 10
"""So many claims stand on the page to print; of more it says how many there are."""


@cache
def template() -> Any:
    """Return the macros of ``page.html``."""
    functions = (counted, counts_of_known, evidence_of, hazards_of, plain, replay)
    constants = {"EFFECTS": EFFECTS, "HAZARD": HAZARD, "HAZARDS": HAZARDS, "ON_PAPER": ON_PAPER}
    return frame.macros(
        "audit_report/page/page.html",
        **{item.__name__: item for item in (*functions, rows_of_finding, short_rows)},
        **constants,
        FIGURES=(tradeoff, sizes, growth),
        IDEAL=cause_and_fix.IDEAL,
        KINDS=sentences.KINDS,
        NOT_TESTED=NOT_TESTED,
        formatting=formatting,
        power=power,
        proved=proved,
        words=sentences,
    )


def counts_of_known(items: Sequence[Any]) -> dict[str, int]:
    """Return how many known answers have each tally."""
    tallies = [item.tally for item in items]
    names = ("found", "missed", "sound", "flagged", str(Verdict.UNKNOWN))
    return {name: tallies.count(name) for name in names}


def rows_of(record: Record) -> tuple[Row, ...]:
    """Return the rows of evidence of one audit, in printable text."""
    return tuple(
        (formatting.clean(name), formatting.clean(text)) for name, text in record.report.evidence
    )


def rows_of_finding(record: Record) -> list[Row]:
    """Return the rows of the finding but for its limitations, which are shown above it."""
    limits = record.result.limitations
    return [row for row in record.report.rows if row[0] != "Limitation" or row[1] not in limits]


def short_rows(record: Record) -> list[Row]:
    """Return the rows that sum an audit up: limitations, why, what to do."""
    rows = record.report.rows
    return [row for row in rows if row[0] in _SHORT] or [
        row for row in rows if row[0] == "Evidence"
    ]


_SHORT = ("Limitation", "Cause", "Fix", "Reason", "What to do", "Conclusion", "Not covered")


def shared(records: Sequence[Record]) -> tuple[Row, ...]:
    """Return the rows that all of several audits share; none of a single audit."""
    if len(records) < 2:
        return ()
    first, *rest = [rows_of(record) for record in records]
    common = set(first).intersection(*rest)
    return tuple(row for row in first if row in common)


def evidence_of(record: Record, common: Sequence[Row]) -> list[Row]:
    """Return the rows of one audit but for the common ones."""
    return [row for row in rows_of(record) if row not in common]


def hazards_of(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that are hazards."""
    return [row for row in rows if row[0].startswith(HAZARD)]


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
    names = frame.anchors([record.result.name for record in records])
    items = (
        Item(name, record, _group(record.result))
        for name, record in zip(names, records, strict=True)
    )
    return tuple(sorted(items, key=lambda item: rank(item.result)))


def grouped(items: Iterable[Item]) -> list[tuple[str, list[Item]]]:
    """Return the groups that are not empty, each with its audits."""
    groups: dict[str, list[Item]] = {title: [] for title in KEYS}
    for item in items:
        groups[item.group].append(item)
    return [(title, members) for title, members in groups.items() if members]


def claim_filters(items: Sequence[Item]) -> Markup | None:
    """Return the page's filters, over all of its audits."""
    choices = (
        frame.FilterChoice("Verdict", "verdict"),
        frame.FilterChoice("Expected?", "expectation"),
        frame.FilterChoice("Kind", "group", {key: title for title, key in KEYS.items()}),
    )
    return frame.filters([_row(item) for item in items], "claims", choices, "Name contains")


def claims_table(items: Sequence[Item], caption: str, ident: str) -> Markup:
    """Return the table of these audits, which the page's script can filter and sort."""
    rows = [_row(item) for item in items]
    return frame.table(
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


def _row(item: Item) -> frame.TableRow:
    result = item.result
    cells: tuple[frame.Cell | str, ...] = (
        frame.Cell(tag("a", clean(result.name), href=f"#{item.anchor}"), class_="name"),
        template().verdict(result),
        template().expectation(result),
        plain(result.epsilon),
        f"{result.delta:.4g}",
        sentences.lower(result),
        power.detectable(result),
        f"{result.trials:,}" if result.trials else "–",
    )
    marks = {"verdict": str(result.verdict), "expectation": sentences.expectation(result)}
    return frame.TableRow(
        cells, marks | {"group": KEYS[item.group], "tally": item.tally, "item": item.anchor}
    )


_LEGEND = (
    ("claim", "claimed ε"),
    (Verdict.NO_VIOLATION, "certified ε, within the claim"),
    (Verdict.VIOLATION, "certified ε, above the claim: a violation"),
    (ExactVerdict.PROVED, "smallest ε, computed exactly: the claim is proved"),
    (ExactVerdict.VERIFIED, "smallest ε on the given pairs, computed exactly"),
    ("exact", "true ε of the pair that is shown, where it is known"),
    (Verdict.UNKNOWN, "not completed"),
)


def forest(items: Sequence[Item]) -> Markup:
    """Return the plot of these audits, in groups, each row linked to its section."""
    results = [item.result for item in items]
    known = {item.anchor: true_of_shown(item.result) for item in items}
    exact = [true for true in known.values() if true is not None]
    claims = [result.epsilon for result in results]
    lower = [result.epsilon_lower for result in results]
    scale = figure.scale_of([*claims, *exact, *lower], claims)
    shown: set[str] = {r.verdict if r.certifies else Verdict.UNKNOWN for r in results}
    shown |= {"claim", "exact"} if exact else {"claim"}
    legend = [entry for entry in _LEGEND if entry[0] in shown]
    return Markup(template().forest(grouped(items), scale, legend, known))


def true_of_shown(result: AuditResult) -> float | None:
    """Return the true ε of the pair whose certified ε is shown; ``None`` where it is not known.

    An entry knows that of its first pair; another may need more.
    """
    best = result.best
    return result.true_epsilon if best is None or best.index == 0 else None
