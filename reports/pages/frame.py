"""What every page has: head, policy, landmarks; one file that fetches nothing.

The policy in the head lets a browser load nothing at all, run no script but the one whose hash it
names, and keep the styles that stand in the page. So even markup that escaped by mistake could
neither run nor send anything.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Final

from provado.reports.text.formatting import clean

from .element import Markup, join, tag

_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)

_PARTS = "report summary claims plot audits known known-plot ledger methods environment versions"
_TABLES = "contents-label claims-table known-table verdicts verdicts-table arguments"
TAKEN = frozenset(f"{_PARTS} {_TABLES}".split(" "))
"""Ids of the pages' own parts: what has such a name gets a number."""


def frame(
    title: str,
    sections: Sequence[Markup],
    *,
    footer: str,
    under_title: Markup | None = None,
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
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy(script)),
        tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name_="color-scheme", content="light dark"),
        tag("title", title),
        tag("style", Markup(piece("style.css") + style)),
    )
    parts = (
        tag("a", "Skip to the report", href="#report", class_="skip") if contents else None,
        tag("header", tag("h1", title), under_title, class_="top"),
        _contents(contents) if contents else None,
        # A place that the skip link can move the focus to.
        tag("main", *sections, id="report", tabindex="-1" if contents else None),
        tag("footer", footer),
        tag("script", Markup(script)) if script else None,
    )
    body = tag("body", *parts, class_="with-contents" if contents else None)
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def policy(script: str) -> str:
    """Return the content security policy of a page with this one script, or none if it is empty."""
    if not script:
        return _POLICY
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    return f"{_POLICY}; script-src 'sha256-{digest}'"


def section(ident: str, title: str, *children: Markup | str | None) -> Markup:
    """Return a section that its heading names."""
    heading = tag("h2", title, id=f"{ident}-title")
    return tag("section", heading, *children, id=ident, aria_labelledby=f"{ident}-title")


def facts(entries: Iterable[tuple[str, str]]) -> Markup:
    """Return a list of names with what is so called."""
    rows = [tag("div", tag("dt", clean(k)), tag("dd", clean(v))) for k, v in entries]
    return tag("dl", *rows, class_="versions")


def tile(number: int, what: str, note: str, kind: str, counts: str | None = None) -> Markup:
    """Return one tile of a summary; ``kind`` is the style's name for it.

    counts: a table's id and the ``tally`` of the rows that are counted, with a space between: what
    the filters hide is then taken off the number.
    """
    return tag(
        "div",
        tag("b", str(number), data_counts=counts),
        tag("span", what, class_="what"),
        tag("span", note, class_="note"),
        class_=f"tile {kind}",
    )


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


def command(words: str) -> Markup:
    """Return a command to be copied."""
    return tag("pre", tag("code", clean(words)), data_copy=True, tabindex="0")


def piece(name: str) -> str:
    """Return a file of the folder ``templates``."""
    return resources.files(__package__).joinpath("templates", name).read_text(encoding="utf-8")


def _contents(entries: Sequence[tuple[str, str]]) -> Markup:
    links = [tag("li", tag("a", title, href=f"#{ident}")) for title, ident in entries]
    label = tag("p", "Contents", class_="label", id="contents-label")
    return tag("nav", join(label, tag("ul", *links)), aria_labelledby="contents-label")
