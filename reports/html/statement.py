"""A published statement on a page: its verdict, and the whole argument folded below it."""

from __future__ import annotations

from provado.proofs.ledger import Decision, LedgerVerdict
from provado.reports.ledger.run import not_completed, unexpected
from provado.reports.ledger.words import Cut, Part, argument, expectation, verdict_kind
from provado.reports.words.clean import clean

from .element import Markup, tag


def statement(ident: str, decision: Decision, *, folded: bool, cut: Cut, level: int) -> Markup:
    """Return the card of one statement; ``cut`` shortens what is too long for a page."""
    summary = tag(
        "summary",
        tag(f"h{level}", clean(decision.entry.id)),
        verdict_chip(decision.verdict),
        expectation_chip(decision),
        tag("span", clean(decision.entry.source.place), class_="headline"),
    )
    shown = argument(decision, cut)
    facts = tag("dl", *(_fact(part) for part in shown if part.text))
    steps = [markup for part in shown if part.steps for markup in _steps(part, level + 1)]
    body = tag("div", facts, *steps, class_="body", id=ident)
    return tag(
        "details", summary, body, class_=f"card {verdict_kind(decision.verdict)}", open=not folded
    )


def verdict_chip(verdict: LedgerVerdict) -> Markup:
    """Return a verdict as a small label."""
    return tag("span", str(verdict), class_=f"chip {verdict_kind(verdict)}")


def expectation_chip(decision: Decision) -> Markup:
    """Return whether the verdict is the one on record, as a small label."""
    alarm = unexpected(decision) or not_completed(decision)
    return tag("span", expectation(decision), class_="chip alarm" if alarm else "chip")


def _fact(part: Part) -> Markup:
    return tag("div", tag("dt", part.title), tag("dd", part.text))


def _steps(part: Part, level: int) -> tuple[Markup, Markup]:
    steps = (tag("li", step) for step in part.steps)
    return tag(f"h{level}", part.title), tag("ol", *steps, class_="steps")
