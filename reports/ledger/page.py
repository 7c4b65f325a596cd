"""The ledger as one page: a table, each argument folded below, counterexamples in steps."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import groupby
from typing import Any

from provado.proofs.kernel import (
    ChangeCounterexample,
    Checked,
    Expression,
    Number,
    PointCounterexample,
    PrivacyCounterexample,
    Sum,
)
from provado.proofs.ledger import Decision, LedgerVerdict
from provado.proofs.ledger.entry import Finding
from provado.proofs.ledger.fact import related, shown, span
from provado.reports.ledger.run import Verification, not_completed, unexpected
from provado.reports.ledger.words import (
    AS_DATA,
    PRINTED,
    Cut,
    Part,
    argument,
    closing,
    corrected,
    expectation,
    shortened,
    statements,
    verdict_kind,
)
from provado.reports.pages.element import Markup, tag
from provado.reports.pages.filters import Choice, filters
from provado.reports.pages.frame import anchors, facts, frame, piece, section, tile
from provado.reports.pages.mathml import typeset
from provado.reports.pages.table import Cell, Row, table
from provado.reports.text.formatting import clean

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


Terms = Number | Sum
"""A number, or a sum of c·e^q as pairs (q, c)."""

_DIGITS = 60
_LONGEST, _MOST = 400, 6


def steps_of(finding: Finding) -> tuple[str, ...]:
    """Return the steps of a counterexample in words; none where a finding is something else."""
    if not isinstance(finding, Checked):
        return ()
    match finding.evidence:
        case PrivacyCounterexample() as e:
            return (*_datasets(e.d, e.d_prime, e.relation), *_privacy(e))
        case ChangeCounterexample() as e:
            return (*_datasets(e.d, e.d_prime, e.relation), *_change(e))
        case PointCounterexample() as e:
            return _point(e)
    return ()


def value_of(terms: Terms) -> Decimal:
    """Return a sum of c·e^q to 60 digits, which its cancellation may cost some of."""
    with localcontext() as context:
        context.prec = _DIGITS
        if not isinstance(terms, tuple):
            return _decimal(terms)
        return sum((_decimal(c) * _decimal(q).exp() for q, c in terms), Decimal(0))


def _datasets(d: Sequence[Any], d_prime: Sequence[Any], relation: str | Number) -> tuple[str, str]:
    changed = [i for i, (a, b) in enumerate(zip(d, d_prime, strict=False)) if a != b]
    first = f"Take D = {_listed(d)}."
    if isinstance(relation, str) and len(d) == len(d_prime) and len(changed) == 1:
        i = changed[0]
        what = f"It is D, but for record {i + 1}: {_one(d[i])} becomes {_one(d_prime[i])}."
        return first, f"Take D′ beside it. {what}"
    return first, f"Take D′ = {_listed(d_prime)} beside it; they are {related(relation)}."


def _privacy(e: PrivacyCounterexample) -> tuple[str, ...]:
    p, q = (value_of(terms) for terms in e.probabilities)
    with localcontext() as context:
        context.prec = _DIGITS
        allowed = _decimal(e.epsilon).exp() * q + _decimal(e.delta)
    delta = f" + {e.delta}" if e.delta else ""
    said = [
        f"Look at the event S: {e.event}.",
        f"On D it has the probability Pr[S | D] = {_exactly(e.probabilities[0], p)}.",
        f"On D′ it has the probability Pr[S | D′] = {_exactly(e.probabilities[1], q)}.",
        f"The claim allows Pr[S | D] ≤ e^({e.epsilon})·Pr[S | D′]{delta}, which is "
        f"{_short(allowed)}; it is {_short(p)}{_times(p, q)}. So the claim is false.",
    ]
    return tuple(said)


def _times(p: Decimal, q: Decimal) -> str:
    return f", {_short(p / q)} times as much as on D′" if q else ", and on D′ it never happens"


def _change(e: ChangeCounterexample) -> tuple[str, ...]:
    f = "ln f" if e.logarithm else "f"
    values = [value_of(value) for value in e.values]
    if e.logarithm:
        values = [value.ln() if value > 0 else Decimal("-Infinity") for value in values]
    at = [
        f"On {name} the score is {f}({name}) = {_short(value)}"
        if e.logarithm
        else f"On {name} the score is f({name}) = {_exactly(exact, value)}"
        for name, exact, value in zip(("D", "D′"), e.values, values, strict=True)
    ]
    moved = abs(values[0] - values[1])
    last = f"It moves by {_short(moved)}; the claim allows {e.claimed}. So the claim is false."
    return (f"{at[0]}.", f"{at[1]}.", last)


def _point(e: PointCounterexample) -> tuple[str, ...]:
    scope = span(e.lower, e.upper, e.integers)
    value = value_of(_at(e.terms, e.at))
    return (
        f"The claim comes to this: {shown(e.terms)} {e.claim} for {scope}.",
        f"Take x = {e.at}.",
        f"The left side is {_short(value)} there, and not {e.claim}: this does not hold.",
    )


def _at(terms: Expression, x: Number) -> Sum:
    return tuple((q + a * Fraction(x), Fraction(c) * Fraction(x) ** k) for c, q, k, a in terms)


def _exactly(terms: Terms, value: Decimal) -> str:
    pairs = terms if isinstance(terms, tuple) else ((0, terms),)
    text = shown(tuple((c, q, 0, 0) for q, c in pairs))
    if text == _short(value):
        return text
    return f"{text} ≈ {_short(value)}" if len(text) <= _LONGEST else f"about {_short(value)}"


def _listed(data: Sequence[Any]) -> str:
    """Return a dataset with equal records counted: ``(0 × 48, 271/100 × 36)``."""
    runs = [(_one(value), len(list(same))) for value, same in groupby(data)]
    parts = [text if count == 1 else f"{text} × {count}" for text, count in runs]
    if len(parts) > 4 * _MOST:
        gone = len(parts) - 2 * _MOST
        parts = [*parts[:_MOST], f"… {gone} more …", *parts[-_MOST:]]
    return f"({', '.join(parts)})"


def _one(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_one, value))})"
    return str(value).replace("-", "−") if isinstance(value, (int, Fraction)) else str(value)


def _decimal(value: Number) -> Decimal:
    exact = Fraction(value)
    with localcontext() as context:
        context.prec = _DIGITS
        return Decimal(exact.numerator) / Decimal(exact.denominator)


def _short(value: Decimal) -> str:
    return f"{value:.5g}".replace("E", "e").replace("e+", "e").replace("-", "−").replace("e−", "e-")
