"""Claims in a table, which the page's script can filter and sort."""

from __future__ import annotations

from collections.abc import Sequence

from provado.audit.result import AuditResult
from provado.mechanisms import Verdict
from provado.reports.pages.element import Markup, join, tag
from provado.reports.pages.filters import Choice, filters
from provado.reports.pages.table import Cell, Row, table
from provado.reports.text import power, sentences
from provado.reports.text.formatting import clean, plain

from .group import KEYS, Item

HEADS = (
    *("mechanism", "verdict", "expected?", "ε", "δ", "certified ε ≥"),
    *(power.COLUMN, "trials"),
)
EXPLAINED = (
    "“Certified ε ≥” is the least ε that the program can have, at the report’s confidence. "
    + power.LEGEND
)
FOUND, MISSED, SOUND, ACCUSED = "found", "missed", "sound", "accused"
"""What became of a known answer: a planted violation, or a mechanism that is sound."""


def claim_filters(items: Sequence[Item]) -> Markup | None:
    """Return the page's filters, over all of its audits."""
    kinds = {key: title for title, key in KEYS.items()}
    choices = (
        Choice("Verdict", "verdict"),
        Choice("Expected?", "expectation"),
        Choice("Kind", "group", kinds),
    )
    return filters([_row(item) for item in items], "claims", choices, "Name contains")


def claims(items: Sequence[Item], caption: str, ident: str) -> Markup:
    """Return the table of these audits."""
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


def tally(item: Item) -> str:
    """Return the name of the counter in which an audit counts: its verdict, or what became of it.

    Of a known answer, a finding that is missed or made up counts against the auditor.
    """
    result = item.result
    if not item.known or result.verdict is Verdict.UNKNOWN:
        return str(result.verdict)
    if result.expected is Verdict.VIOLATION:
        return MISSED if result.surprising else FOUND
    return ACCUSED if result.surprising else SOUND


def verdict_chip(result: AuditResult) -> Markup:
    """Return the verdict, marked where the section states limitations."""
    chip = tag("span", str(result.verdict), class_=f"chip {sentences.KINDS[result.verdict]}")
    if not result.limitations:
        return chip
    said = clean(" ".join(result.limitations))
    return join(chip, " ", tag("span", "limited", class_="chip unknown", title=said))


def _row(item: Item) -> Row:
    result = item.result
    expectation = sentences.expectation(result)
    alarm = "chip alarm" if result.surprising else "chip"
    verdict = str(result.verdict)
    cells: tuple[Cell | str, ...] = (
        Cell(tag("a", clean(result.name), href=f"#{item.anchor}"), class_="name"),
        verdict_chip(result),
        tag("span", expectation, class_=alarm),
        *_numbers(result),
    )
    marks = {"verdict": verdict, "expectation": expectation, "group": KEYS[item.group]}
    return Row(cells, {**marks, "tally": tally(item), "item": item.anchor})


def _numbers(result: AuditResult) -> tuple[str, ...]:
    trials = result.trials
    return (
        plain(result.epsilon),
        f"{result.delta:.4g}",
        sentences.lower(result),
        power.visible(result),
        f"{trials:,}" if trials else "–",
    )
