"""The ledger as one self-contained page: an introduction, a table, each argument folded below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from provado.proofs.ledger import Decision, LedgerVerdict
from provado.reports.ledger.run import Verification
from provado.reports.ledger.words import Cut, closing, expectation, statements, verdict_kind
from provado.reports.pages.element import Markup, tag
from provado.reports.pages.filters import Choice, filters
from provado.reports.pages.frame import anchors, facts, frame, piece, section, tile
from provado.reports.pages.mathml import typeset
from provado.reports.pages.table import Cell, Row, table
from provado.reports.text.printable import clean

from .statement import expectation_chip, statement, verdict_chip

_CUT = Cut(600, "verify.json")
_TABLE = "verdicts-table"

_UNFOLDED = 3
"""Pages of more statements than this open only what needs attention."""


def render(done: Verification) -> str:
    """Return the page as text. It fetches nothing, and can be read without its script."""
    named = list(zip(anchors(d.entry.id for d in done.decisions), done.decisions, strict=True))
    rows = [_row(ident, decision) for ident, decision in named]
    papers = {_paper(d): clean(d.entry.source.work) for d in done.decisions}
    choices = (
        Choice("Paper", "paper", papers),
        Choice("Verdict", "verdict"),
        Choice("Expected?", "expectation"),
    )
    narrow = filters(rows, "statements", choices, "Contains", whole=True)
    heads = ("statement", "verdict", "in words", "claim")
    verdicts = table(
        "All statements", heads, rows, ident=_TABLE, visible=False, sortable=True, filtered=True
    )
    folding = tag("p", class_="folding", data_folding="arguments", hidden=True)
    parts = (
        ("summary", "What this is", [Markup(piece("verify_intro.html")), *_summary(done)]),
        ("verdicts", "Verdicts", [narrow, verdicts]),
        ("arguments", "Arguments", [folding, *_arguments(named)]),
        ("methods", "How to read this", [Markup(piece("verify_methods.html"))]),
        ("versions", "Versions", [facts([("Provado", done.provado), *done.versions.items()])]),
    )
    return frame(
        f"Published claims: {statements(len(done.decisions))}",
        [section(ident, title, *children) for ident, title, children in parts],
        contents=[(title, ident) for ident, title, _ in parts],
        footer=f"Provado {done.provado}",
        script=piece("page.js"),
    )


def _paper(decision: Decision) -> str:
    """Return a paper as the address of the page names it."""
    return decision.entry.id.split("/")[0]


def _summary(done: Verification) -> tuple[Markup, ...]:
    tiles = []
    for verdict in LedgerVerdict:
        of_kind = [d for d in done.decisions if d.verdict is verdict]
        if of_kind:
            differing = sum(not d.as_expected for d in of_kind)
            note = f"{differing} not as on record" if differing else "as on record"
            kind, counts = verdict_kind(verdict), f"{_TABLE} {verdict}"
            tiles.append(tile(len(of_kind), str(verdict), note, kind, counts))
    return tag("div", *tiles, class_="tiles"), tag("p", closing(done.decisions))


def _row(ident: str, decision: Decision) -> Row:
    verdict = str(decision.verdict)
    alarm = expectation_chip(decision) if not decision.as_expected else None
    cells = (
        Cell(tag("a", clean(decision.entry.id), href=f"#{ident}"), "name"),
        tag("span", verdict_chip(decision.verdict), alarm),
        Cell(typeset(clean(decision.entry.words)), "words"),
        Cell(typeset(clean(decision.entry.claim.formula)), "words"),
    )
    marks = {"paper": _paper(decision), "verdict": verdict, "expectation": expectation(decision)}
    return Row(cells, {**marks, "tally": verdict, "item": ident})


def _arguments(named: Sequence[tuple[str, Decision]]) -> list[Markup]:
    parts: list[Markup] = []
    for work, members in groupby(named, key=lambda pair: pair[1].entry.source.work):
        cards = [
            statement(
                ident,
                decision,
                folded=decision.as_expected and len(named) > _UNFOLDED,
                cut=_CUT,
                level=4,
            )
            for ident, decision in members
        ]
        parts.append(tag("div", tag("h3", clean(work), class_="group"), *cards, data_block=True))
    return parts
