"""All claims in one table, which the page's script can filter and sort."""

from __future__ import annotations

from collections.abc import Sequence

from provado.reports.run.run import Record
from provado.reports.words import power as power_words
from provado.reports.words import sentences
from provado.reports.words.clean import clean
from provado.reports.words.numbers import plain

from .element import Markup, join, tag
from .group import anchor, grouped
from .table import Cell, Row, table

IDENT = "claims-table"
_HEADS = (
    *("mechanism", "verdict", "expected?", "ε", "δ", "certified ε ≥"),
    *(power_words.COLUMN, "trials"),
)
_HEADS_EXPLAINED = (
    "“Certified ε ≥” is the least ε that the program can have, at the report’s confidence. "
    + power_words.LEGEND
)

_FEWEST = 5
"""Tables of fewer claims are read at a glance and get no filters."""


def claims(records: Sequence[Record]) -> Markup:
    """Return the table, with its filters where there is something to filter.

    The filters are hidden until the script has made them work.
    """
    groups = grouped(records)
    rows = {
        position: _row(position, record, title)
        for title, members in groups
        for position, record in members
    }
    ordered = [rows[position] for position in sorted(rows)]
    filters = _filters(ordered) if len(ordered) >= _FEWEST else None
    shown = table(
        "All claims", _HEADS, ordered, ident=IDENT, visible=False, sortable=len(ordered) > 1
    )
    return join(tag("p", _HEADS_EXPLAINED), filters, shown)


def _row(position: int, record: Record, group: str) -> Row:
    result = record.result
    expectation = sentences.expectation(result)
    alarm = "chip alarm" if expectation == "unexpected" else "chip"
    verdict = str(result.verdict)
    trials = sum(pair.counts.trials for pair in result.pairs)
    cells = (
        Cell(tag("a", clean(result.name), href=f"#{anchor(position)}"), class_="name"),
        Cell(tag("span", verdict, class_=f"chip {sentences.KINDS[result.verdict]}"), verdict),
        Cell(tag("span", expectation, class_=alarm), expectation),
        _number(plain(result.epsilon), result.epsilon),
        _number(f"{result.delta:g}", result.delta),
        _number(sentences.lower(result), result.epsilon_lower if result.certifies else None),
        _number(power_words.visible(result), power_words.figure(result)),
        _number(f"{trials:,}" if trials else "–", trials),
    )
    return Row(cells, {"verdict": verdict, "expectation": expectation, "group": group})


def _number(shown: str, value: float | None) -> Cell:
    return Cell(shown, "" if value is None else f"{value:.17g}", "number")


def _filters(rows: Sequence[Row]) -> Markup:
    search = tag(
        "label",
        tag("span", "Name contains"),
        tag("input", type="search", name_="text", autocomplete="off", spellcheck="false"),
    )
    choices = [
        _choice(title, name, list(dict.fromkeys(row.marks[name] for row in rows)))
        for title, name in (("Verdict", "verdict"), ("Expected?", "expectation"), ("Kind", "group"))
    ]
    return tag(
        "form",
        search,
        *choices,
        tag("button", "Show all", type="reset"),
        tag("output", class_="count", role="status", data_noun="claims"),
        class_="filters",
        data_filters=IDENT,
        aria_label="Filter the claims",
        hidden=True,
    )


def _choice(title: str, name: str, values: Sequence[str]) -> Markup | None:
    if len(values) < 2:
        return None
    options = [tag("option", value, value=value) for value in values]
    select = tag("select", tag("option", "all", value=""), *options, name_=name)
    return tag("label", tag("span", title), select)
