"""What every page has: head, policy, landmarks; one file that fetches nothing.

The policy in the head lets a browser load nothing at all, run no script but the one whose hash it
names, and keep the styles that stand in the page. So even markup that escaped by mistake could
neither run nor send anything.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Final

from provado.reports.documents.versions import provado_version, versions
from provado.reports.text.formatting import clean

from .element import Child, Markup
from .template import SHARED, macros

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
    style: str = "",
    under_title: Child = None,
    version: str = "",
) -> str:
    """Return a page of sections with a list of contents and the script that all such pages have.

    version: of Provado, where it is not the one that is installed.
    """
    return frame(
        title,
        [section(ident, head, *children) for ident, head, children in parts],
        footer=f"Provado {version or provado_version()}",
        under_title=under_title,
        contents=[(head, ident) for ident, head, _ in parts],
        style=style,
        script=piece("page.js"),
    )


def programs_page(title: str, summary: Child, cards: Sequence[Child], *, methods: str) -> str:
    """Return a page of programs: a summary, a card for each, and the file on how to read it."""
    parts = (
        ("summary", "Summary", [summary]),
        ("programs", "Programs" if len(cards) > 1 else "The program", cards),
        ("methods", "How to read this", [Markup(piece(methods))]),
        ("versions", "Versions", [installed()]),
    )
    return page(title, parts, style=piece("listing.css"))


def frame(
    title: str,
    sections: Sequence[Child],
    *,
    footer: str,
    under_title: Child = None,
    contents: Sequence[tuple[str, str]] = (),
    style: str = "",
    script: str = "",
) -> str:
    """Return a page as text.

    title: its heading and name. under_title: what follows the heading. sections: the elements of
    ``main``. contents: titles and ids for the list of contents, which is left out if empty.
    style, script: the page's own, beyond the style that all pages have; the program's own text,
    never anything that a mechanism said.
    """
    html = macros(SHARED).frame(
        title=title,
        sections=sections,
        policy=policy(script),
        style=Markup(piece("style.css") + style),
        script=Markup(script),
        under_title=under_title,
        contents=contents,
        footer=footer,
    )
    return f"<!doctype html>\n{html}\n"


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


def installed() -> Markup:
    """Return the versions that are installed here."""
    return facts([("Provado", provado_version()), *versions().items()])


def anchors(names: Iterable[str]) -> list[str]:
    """Return an id for each name: the name without what an address cannot hold, and unique."""
    used = {ident for part in TAKEN for ident in (part, f"{part}-title")}
    found = []
    for name in names:
        plain = re.sub(r"[^\w.:/+-]+", "-", clean(name)).strip("-") or "audit"
        ident, number = plain, 1
        while ident in used:
            number += 1
            ident = f"{plain}-{number}"
        used.add(ident)
        found.append(ident)
    return found


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
