"""One form of filters for a page; its script applies them to tables, plots, cards and counters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .element import Markup, tag
from .table import Row

FEWEST = 5
"""Tables of fewer rows are read at a glance and get no filters."""


@dataclass(frozen=True)
class Choice:
    """A list to choose from: the mark of a row that it looks at, and the marks in words."""

    title: str
    mark: str
    words: Mapping[str, str] = field(default_factory=dict)


def filters(
    rows: Sequence[Row], noun: str, choices: Sequence[Choice], search: str, *, whole: bool = False
) -> Markup | None:
    """Return the form, hidden until the script has made it work; ``None`` for a few rows.

    rows: all that it filters, of all tables that are ``filtered``. noun: what they are, in the
    plural. search: the label of a field that looks for words in the name of a row, or in the
    ``whole`` of it.
    """
    if len(rows) < FEWEST:
        return None
    within = "row" if whole else None
    words = tag("input", type="search", name_="text", autocomplete="off", data_within=within)
    return tag(
        "form",
        tag("label", tag("span", search), words),
        *(_list(choice, rows) for choice in choices),
        tag("button", "Show all", type="reset"),
        tag("output", class_="count", role="status", data_noun=noun),
        class_="filters",
        data_filters=True,
        aria_label=f"Filter the {noun}",
        hidden=True,
    )


def _list(choice: Choice, rows: Sequence[Row]) -> Markup | None:
    values = list(dict.fromkeys(row.marks[choice.mark] for row in rows))
    if len(values) < 2:
        return None
    options = [tag("option", choice.words.get(value, value), value=value) for value in values]
    select = tag("select", tag("option", "all", value=""), *options, name_=choice.mark)
    return tag("label", tag("span", choice.title), select)
