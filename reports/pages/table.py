"""Tables with a caption and named rows and columns; on a small screen a row becomes a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .element import Child, Markup, tag


@dataclass(frozen=True)
class Cell:
    """What a cell shows, and the style's name for it."""

    shown: Child
    class_: str | None = None


@dataclass(frozen=True)
class Row:
    """A row, its first cell being its name; ``marks`` are what filters look at, by name.

    The mark ``item`` is the id of the section that the row speaks of, which is filtered with it.
    """

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
    filtered: bool = False,
    class_: str | None = None,
    labelled: bool = False,
) -> Markup:
    """Return a table; its caption is always there for a screen reader, on the page if visible.

    ident: its id. sortable: whether the page's script makes the heads into buttons. filtered:
    whether the page's filters drive it. class_: the style's name for it. labelled: whether the
    page's style has its ``labels``, so that its cells need none of their own.
    """
    attributes = {"id": ident, "data_sortable": sortable, "data_filtered": filtered}
    names = [None] * len(heads) if labelled else heads
    titles = [tag("th", head, scope="col") for head in heads]
    inside = tag(
        "table",
        tag("caption", caption, class_=None if visible else "unseen"),
        tag("thead", tag("tr", *titles)),
        tag("tbody", *(_row(row if isinstance(row, Row) else Row(row), names) for row in rows)),
        class_=class_,
        **attributes,
    )
    # It takes the focus, so that the keyboard can scroll it.
    return tag("div", inside, class_="scroll", tabindex="0", role="group", aria_label=caption)


def labels(class_: str, heads: Sequence[str]) -> str:
    """Return the style that says what each cell of a table is where a row becomes a list.

    heads: the program's own words, without quotes.
    """
    rules = (
        f'.{class_} td:nth-child({place})::before{{content:"{head} "}}'
        for place, head in enumerate(heads[1:], 2)
    )
    return f"@media screen and (max-width:44rem){{{''.join(rules)}}}\n"


def _row(row: Row, heads: Sequence[str | None]) -> Markup:
    cells = [cell if isinstance(cell, Cell) else Cell(cell) for cell in row.cells]
    marks = {f"data_{name}": value for name, value in row.marks.items()}
    name, *rest = cells
    named = zip(heads[1:], rest, strict=True)
    return tag(
        "tr",
        # A row without a name has no head.
        tag("th", name.shown, scope="row", class_=name.class_) if name.shown else tag("td"),
        # Where a row becomes a list, each cell says what it is.
        *(tag("td", c.shown, data_h=head, class_=c.class_) for head, c in named),
        **marks,
    )
