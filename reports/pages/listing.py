"""A program with the numbers of its lines, and what is said of some of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from provado.reports.text.formatting import clean

from .element import Markup, tag


def listing(
    text: str,
    first: int,
    notes: Mapping[int, Sequence[str]],
    *,
    name: str,
    bad: Collection[int] = (),
) -> Markup:
    """Return source code as a list of lines, each with its number.

    first: the number of the first line. notes: what is said of lines, by their numbers. name: what
    a screen reader calls it. bad: the lines of which something bad is said.
    """
    lines = [
        _line(number, row, notes.get(number, ()), number in bad)
        for number, row in enumerate(text.rstrip("\n").split("\n"), first)
    ]
    return tag("ol", *lines, class_="listing", start=first, aria_label=name)


def _line(number: int, row: str, notes: Sequence[str], bad: bool) -> Markup:
    # The blanks in front are what shows how lines belong together.
    blanks = row[: len(row) - len(row.lstrip())].expandtabs()
    shown = tag("code", f"{blanks}{clean(row)}" if row.strip() else " ")
    said = (tag("span", clean(note), class_="note") for note in notes)
    marked = "marked bad" if bad else "marked"
    return tag("li", shown, *said, class_=marked if notes else None, value=number)
