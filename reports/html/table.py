"""Tables with a caption and named rows and columns, in a box that scrolls on a small screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .element import Child, Markup, tag


@dataclass(frozen=True)
class Cell:
    """What a cell shows; ``key`` is what it is sorted by (a number as text, or words)."""

    shown: Child
    key: str | None = None
    class_: str | None = None


@dataclass(frozen=True)
class Row:
    """A row, its first cell being its name; ``marks`` are what filters look at, by name."""

    cells: Sequence[Cell | Child]
    marks: dict[str, str] = field(default_factory=dict)


def table(
    caption: str,
    heads: Sequence[str],
    rows: Sequence[Row | Sequence[Cell | Child]],
    *,
    ident: str | None = None,
    visible: bool = True,
    sortable: bool = False,
) -> Markup:
    """Return a table; its caption is always there for a screen reader, on the page if visible.

    ident: its id. sortable: whether the page's script makes the heads into buttons.
    """
    attributes = {"id": ident, "data_sortable": sortable or None}
    titles = [tag("th", head, scope="col") for head in heads]
    inside = tag(
        "table",
        tag("caption", caption, class_=None if visible else "unseen"),
        tag("thead", tag("tr", *titles)),
        tag("tbody", *(_row(row if isinstance(row, Row) else Row(row)) for row in rows)),
        **attributes,
    )
    # It takes the focus, so that the keyboard can scroll it.
    return tag("div", inside, class_="scroll", tabindex="0", role="group", aria_label=caption)


def _row(row: Row) -> Markup:
    cells = [cell if isinstance(cell, Cell) else Cell(cell) for cell in row.cells]
    marks = {f"data_{name}": value for name, value in row.marks.items()}
    first, *rest = cells
    return tag("tr", _cell("th", first, scope="row"), *(_cell("td", c) for c in rest), **marks)


def _cell(name: str, cell: Cell, scope: str | None = None) -> Markup:
    return tag(name, cell.shown, scope=scope, data_key=cell.key, class_=cell.class_)
