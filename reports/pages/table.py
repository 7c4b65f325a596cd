"""Tables with named rows and columns, and one form of filters that drives all of a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .element import Child, Markup
from .template import SHARED, macros

FEWEST = 5
"""Tables of fewer rows are read at a glance and get no filters."""


@dataclass(frozen=True)
class Cell:
    """What a cell shows, and the style's name for it."""

    shown: Child
    class_: str | None = None


@dataclass(frozen=True)
class TableRow:
    """A row, its first cell being its name; ``marks`` are what filters look at, by name.

    The mark ``item`` is the id of the section that the row speaks of, which is filtered with it.
    """

    cells: Sequence[Cell | Child]
    marks: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FilterChoice:
    """A list to choose from: the mark of a row that it looks at, and the marks in words."""

    title: str
    mark: str
    words: Mapping[str, str] = field(default_factory=dict)


def table(
    caption: str,
    heads: Sequence[str],
    rows: Sequence[TableRow | Sequence[Cell | Child]],
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
    made = [row if isinstance(row, TableRow) else TableRow(row) for row in rows]
    whole = [
        TableRow([cell if isinstance(cell, Cell) else Cell(cell) for cell in row.cells], row.marks)
        for row in made
    ]
    style = (ident, visible, sortable, filtered, class_, labelled)
    return Markup(macros(SHARED).table(caption, heads, whole, *style))


def labels(class_: str, heads: Sequence[str]) -> str:
    """Return the style that says what each cell of a table is where a row becomes a list.

    heads: the program's own words, without quotes.
    """
    rules = (
        f'.{class_} td:nth-child({place})::before{{content:"{head} "}}'
        for place, head in enumerate(heads[1:], 2)
    )
    return f"@media screen and (max-width:44rem){{{''.join(rules)}}}\n"


def filters(
    rows: Sequence[TableRow],
    noun: str,
    choices: Sequence[FilterChoice],
    search: str,
    *,
    whole: bool = False,
) -> Markup | None:
    """Return the form of filters; ``None`` for a few rows.

    rows: all that it filters, of all tables that are ``filtered``. noun: what they are, in the
    plural. search: the label of a field that looks for words in the name of a row, or in the
    ``whole`` of it.
    """
    if len(rows) < FEWEST:
        return None
    listed = []
    for choice in choices:
        values = dict.fromkeys(row.marks[choice.mark] for row in rows)
        options = [(value, choice.words.get(value, value)) for value in values]
        if len(options) > 1:
            listed.append((choice.title, choice.mark, options))
    return Markup(macros(SHARED).filters(noun, search, whole, listed))
