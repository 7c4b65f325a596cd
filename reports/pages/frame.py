"""What every page has: head, policy, landmarks, tables; one file that fetches nothing.

The policy in the head lets a browser load nothing at all, run no script but the one whose hash it
names, and keep the styles that stand in the page. So even markup that escaped by mistake could
neither run nor send anything.

Pages are templates of Jinja2, which escape every text that is not markup already. A line break in a
template, with the blanks around it, is no part of a page where a tag, an expression or a statement
ends before it or begins after it; elsewhere it is one blank.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from provado.reports.documents.origin import Provenance, provado_version, provenance
from provado.reports.documents.origin import versions as versions_of_packages
from provado.reports.pages.markup import Child, Markup, typeset
from provado.reports.text.formatting import clean

if TYPE_CHECKING:
    from jinja2 import Environment

SHARED = "pages/templates/parts.html"
"""The macros of what all pages share."""

_NEXT_TO_MARKUP = re.compile(r"(?<=[>}])\s*\n\s*|\s*\n\s*(?=[<{])|^\s+|\s+$")

_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)

_PARTS = "report summary claims plot audits known known-plot ledger methods environment versions"
_TABLES = "contents-label claims-table known-table verdicts verdicts-table arguments"
TAKEN = frozenset(f"{_PARTS} {_TABLES}".split(" "))
"""Ids of the pages' own parts: what has such a name gets a number."""

Part = tuple[str, str, Sequence[Child]]
"""A section of a page: its id, its title, and what stands in it."""

Tile = tuple[int, str, str, str, str]
"""A counter of a summary: number, what is counted, a note, the style's name for it, and which rows.

The last is a table's id and the ``tally`` of its rows, with a space between: what the filters hide
is then taken off the number. Empty where the number stays.
"""


def page(
    title: str,
    parts: Sequence[Part],
    *,
    made: Provenance | None = None,
    versions: Mapping[str, str] | None = None,
    under: Sequence[str] = (),
    style: str = "",
    bare: bool = False,
    origin: bool = True,
) -> str:
    """Return a page of sections with a list of contents and the script that all such pages have.

    made: who ran it and when, shown below the title; by default this process and the current time.
    versions: of Provado and other packages, by default those that are installed. under: what else
    is shown below the title, by default Provado's version. style: added to that of all pages; the
    program's own text, never anything that a mechanism returned. bare: without contents and script.
    origin: whether the last part shows origin and versions.
    """
    made = provenance() if made is None else made
    versions = installed() if versions is None else versions
    version = f"Provado {clean(versions['Provado'])}"
    who = f"run by {made.who}" if made.who else ""
    line = [clean(text) for text in (made.date[:10], who, *(under or [version])) if text]
    if origin:
        entries = [facts([*made.facts(), *versions.items()])]
        parts = [*parts, ("versions", "Origin and versions", entries)]
    script = "" if bare else piece("page.js")
    html = macros(SHARED).frame(
        title=title,
        sections=[section(ident, head, *children) for ident, head, children in parts],
        policy=policy(script),
        style=Markup(piece("style.css") + style),
        script=Markup(script),
        under=" · ".join(line),
        contents=[] if bare else [(head, ident) for ident, head, _ in parts],
        footer=version,
    )
    return f"<!doctype html>\n{html}\n"


def programs_page(
    title: str, summary: Child, cards: Sequence[Child], made: Provenance | None, *, methods: str
) -> str:
    """Return a page of programs: a summary, a card for each, and the file on how to read it."""
    parts = (
        ("summary", "Summary", [summary]),
        ("programs", "Programs" if len(cards) > 1 else "The program", cards),
        ("methods", "How to read this", [Markup(piece(methods))]),
    )
    return page(title, parts, made=made, style=piece("listing.css"))


def policy(script: str) -> str:
    """Return the content security policy of a page with this one script, or none if it is empty."""
    if not script:
        return _POLICY
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    return f"{_POLICY}; script-src 'sha256-{digest}'"


def section(ident: str, title: str, *children: Child) -> Markup:
    """Return a section that its heading names."""
    return Markup(macros(SHARED).section(ident, title, children))


def facts(entries: Iterable[tuple[str, str]]) -> Markup:
    """Return a list of names with what is so called."""
    return Markup(macros(SHARED).facts(entries))


def installed() -> dict[str, str]:
    """Return the versions that are installed here, Provado's first."""
    return {"Provado": provado_version(), **versions_of_packages()}


def tiles(
    groups: Iterable[tuple[str, str, Sequence[bool]]],
    expected: str = "as expected",
    unknown: str = "",
    counts: str = "",
) -> list[Tile]:
    """Return the counters of groups that are not empty.

    groups: what is counted, the style's name for it, and of each member whether it is a surprise.
    expected: the note where none is. unknown: that on what has no verdict. counts: a table's id.
    """
    result = []
    for what, kind, surprises in groups:
        note = f"{sum(surprises)} not {expected}" if any(surprises) else expected
        note = unknown if unknown and kind == "unknown" else note
        table = f"{counts} {what}" if counts else ""
        result += [(len(surprises), what, note, kind, table)] if surprises else []
    return result


def anchors(names: Iterable[str]) -> list[str]:
    """Return an id for each name: the name without what an address cannot hold, and unique."""
    used = {ident for part in TAKEN for ident in (part, f"{part}-title")}
    result = []
    for name in names:
        plain = re.sub(r"[^\w.:/+-]+", "-", clean(name)).strip("-") or "audit"
        ident, number = plain, 1
        while ident in used:
            number += 1
            ident = f"{plain}-{number}"
        used.add(ident)
        result.append(ident)
    return result


def code_lines(text: str) -> list[str]:
    """Return a program's lines, printable, with the blanks that show how they belong together."""
    rows = text.rstrip("\n").split("\n")
    blanks = (row[: len(row) - len(row.lstrip())].expandtabs() for row in rows)
    return [
        f"{blank}{clean(row)}" if row.strip() else " "
        for blank, row in zip(blanks, rows, strict=True)
    ]


def piece(name: str) -> str:
    """Return a file of the folder ``templates``."""
    return resources.files(__package__).joinpath("templates", name).read_text(encoding="utf-8")


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


def macros(name: str, **names: Any) -> Any:
    """Return a template of the room's, whose macros are its attributes; each returns markup.

    names: functions and constants that the template calls; each time the same ones.
    """
    return _environment().get_template(name, globals=names).module


def filled(name: str, **names: Any) -> str:
    """Return a template of the room's that is plain text, filled in; nothing of it is escaped."""
    return _environment().get_template(name).render(**names)


@cache
def _environment() -> Environment:
    # Only what writes a page takes the time to import it.
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    made = Environment(
        loader=FunctionLoader(_source),
        autoescape=lambda name: name is None or name.endswith(".html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {"clean": clean, "typeset": typeset}
    return made


def _source(name: str) -> str:
    text = resources.files("provado.reports").joinpath(name).read_text(encoding="utf-8")
    if not name.endswith(".html"):
        return text
    return re.sub(r"\s*\n\s*", " ", _NEXT_TO_MARKUP.sub("", text))
