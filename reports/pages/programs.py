"""The page of what was found of programs: a summary, a card for each, how to read it."""

from __future__ import annotations

from collections.abc import Sequence

from provado.reports.documents.versions import provado_version, versions

from .element import Markup
from .frame import facts, frame, piece, section


def programs_page(
    title: str, summary: Sequence[Markup], cards: Sequence[Markup], *, methods: str
) -> str:
    """Return the page as text. It fetches nothing, and can be read without its script.

    methods: the file that says how to read it.
    """
    parts = (
        ("summary", "Summary", summary),
        ("programs", "Programs" if len(cards) > 1 else "The program", cards),
        ("methods", "How to read this", [Markup(piece(methods))]),
        (
            "versions",
            "Versions",
            [facts([("Provado", provado_version()), *versions().items()])],
        ),
    )
    return frame(
        title,
        [section(ident, head, *children) for ident, head, children in parts],
        contents=[(head, ident) for ident, head, _ in parts],
        footer=f"Provado {provado_version()}",
        style=piece("listing.css"),
        script=piece("page.js"),
    )
