"""A published statement on a page: its verdict, and the whole argument folded below it."""

from __future__ import annotations

from provado.proofs.ledger import Decision, LedgerVerdict
from provado.reports.ledger.run import not_completed, unexpected
from provado.reports.ledger.words import (
    AS_DATA,
    PRINTED,
    Cut,
    Part,
    argument,
    corrected,
    expectation,
    shortened,
    verdict_kind,
)
from provado.reports.pages.element import Markup, tag
from provado.reports.pages.mathml import typeset
from provado.reports.text.printable import clean

from .counterexample import steps_of


def statement(ident: str, decision: Decision, *, folded: bool, cut: Cut, level: int) -> Markup:
    """Return the card of one statement; ``cut`` shortens what is too long for a page.

    What is printed stands beside the corrected form, formulas as mathematics, and what refutes it
    in steps.
    """
    summary = tag(
        "summary",
        tag(f"h{level}", clean(decision.entry.id)),
        verdict_chip(decision.verdict),
        expectation_chip(decision),
        tag("span", clean(decision.entry.source.place), class_="headline"),
    )
    shown = argument(decision, cut)
    forms = (PRINTED, AS_DATA, corrected(decision))
    beside = {part.title: part for part in shown if part.title in forms}
    facts = tag("dl", *(_fact(p) for p in shown if p.text and p.title not in beside))
    steps = [markup for part in shown if part.steps for markup in _steps(part, level + 1)]
    against = _against(decision, cut, level + 1)
    body = tag("div", _beside(beside, decision, level + 1), facts, *against, *steps, class_="body")
    return tag(
        "details",
        summary,
        body,
        class_=f"card {verdict_kind(decision.verdict)}",
        id=ident,
        data_item=ident,
        open=not folded,
    )


def verdict_chip(verdict: LedgerVerdict) -> Markup:
    """Return a verdict as a small label."""
    return tag("span", str(verdict), class_=f"chip {verdict_kind(verdict)}")


def expectation_chip(decision: Decision) -> Markup:
    """Return whether the verdict is the one on record, as a small label."""
    alarm = unexpected(decision) or not_completed(decision)
    return tag("span", expectation(decision), class_="chip alarm" if alarm else "chip")


def _beside(parts: dict[str, Part], decision: Decision, level: int) -> Markup:
    """Return what is printed, and beside it the form that holds, where there is one."""
    printed = [parts[title].text for title in (PRINTED, AS_DATA) if title in parts]
    title = corrected(decision)
    columns = [("As printed", printed)]
    if title in parts:
        columns.append((title, [parts[title].text]))
    return tag(
        "div",
        *(
            tag("div", tag(f"h{level}", head), *(tag("p", typeset(text)) for text in texts))
            for head, texts in columns
        ),
        class_="beside",
    )


def _against(decision: Decision, cut: Cut, level: int) -> list[Markup]:
    """Return each counterexample in steps, of which the page's script shows one after the other."""
    found = [steps for steps in map(steps_of, decision.evidence.printed) if steps]
    parts = []
    for number, steps in enumerate(found, 1):
        title = f"Counterexample {number}" if len(found) > 1 else "The counterexample"
        items = (tag("li", typeset(clean(shortened(step, cut)))) for step in steps)
        parts.append(tag(f"h{level}", f"{title}, step by step"))
        parts.append(tag("ol", *items, class_="steps", data_steps=True))
    return parts


def _fact(part: Part) -> Markup:
    return tag("div", tag("dt", part.title), tag("dd", typeset(part.text)))


def _steps(part: Part, level: int) -> tuple[Markup, Markup]:
    steps = (tag("li", typeset(step)) for step in part.steps)
    return tag(f"h{level}", part.title), tag("ol", *steps, class_="steps")
