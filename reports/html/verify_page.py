"""The ledger as one self-contained page: counts, a table, each argument folded below it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from provado.proofs.ledger import Decision, LedgerVerdict
from provado.reports.ledger.run import Verification
from provado.reports.ledger.words import Cut, closing, statements, verdict_kind
from provado.reports.words.clean import clean

from .element import Markup, tag
from .frame import facts, frame, piece, section, tile
from .statement import expectation_chip, statement, verdict_chip
from .table import Cell, table

_CUT = Cut(600, "verify.json")

_UNFOLDED = 3
"""Pages of more statements than this open only what needs attention."""


def render(done: Verification) -> str:
    """Return the page as text. It needs no network, no script and no other file."""
    sections = (
        section("summary", "Summary", *_summary(done.decisions)),
        section("verdicts", "Verdicts", _table(done.decisions)),
        section("arguments", "Arguments", *_arguments(done.decisions)),
        section("methods", "How to read this", Markup(piece("verify_methods.html"))),
        section("versions", "Versions", facts([("Provado", done.provado), *done.versions.items()])),
    )
    title = f"Published claims: {statements(len(done.decisions))}"
    return frame(title, sections, footer=f"Provado {done.provado}")


def anchor(position: int) -> str:
    """Return the id of the argument at ``position``."""
    return f"statement-{position + 1}"


def _summary(decisions: Sequence[Decision]) -> tuple[Markup, ...]:
    tiles = []
    for verdict in LedgerVerdict:
        of_kind = [d for d in decisions if d.verdict is verdict]
        if of_kind:
            differing = sum(not d.as_expected for d in of_kind)
            note = f"{differing} not as on record" if differing else "as on record"
            tiles.append(tile(len(of_kind), str(verdict), note, verdict_kind(verdict)))
    return tag("div", *tiles, class_="tiles"), tag("p", closing(decisions))


def _table(decisions: Sequence[Decision]) -> Markup:
    heads = ("statement", "verdict", "expected?", "in words", "claim, as data")
    rows = [
        (
            tag("a", clean(decision.entry.id), href=f"#{anchor(i)}"),
            verdict_chip(decision.verdict),
            expectation_chip(decision),
            Cell(clean(decision.entry.words), class_="words"),
            Cell(clean(decision.entry.claim.formula), class_="words"),
        )
        for i, decision in enumerate(decisions)
    ]
    return table("All statements", heads, rows, visible=False)


def _arguments(decisions: Sequence[Decision]) -> list[Markup]:
    parts: list[Markup] = []
    numbered = list(enumerate(decisions))
    for work, members in groupby(numbered, key=lambda pair: pair[1].entry.source.work):
        parts.append(tag("h3", clean(work), class_="group"))
        for position, decision in members:
            folded = decision.as_expected and len(decisions) > _UNFOLDED
            parts.append(statement(anchor(position), decision, folded=folded, cut=_CUT, level=4))
    return parts
