"""The ledger as one page: a table, each argument folded below, counterexamples in steps."""

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import groupby
from typing import Any

from provado.proofs import kernel
from provado.proofs.ledger import Decision, LedgerVerdict
from provado.proofs.ledger.entry import Finding
from provado.proofs.ledger.fact import related, shown, span
from provado.reports.documents.origin import Provenance
from provado.reports.ledger import words
from provado.reports.ledger.run import Verification, not_completed, unexpected
from provado.reports.pages import frame
from provado.reports.pages.markup import Markup, tag, typeset
from provado.reports.text.formatting import clean

_CUT = words.Shortening(600, "verify.json")
_TABLE = "verdicts-table"

_UNFOLDED = 3
"""Pages of more statements than this open only what needs attention."""

_TEMPLATE = "ledger/page.html"


def render(done: Verification, made: Provenance | None = None) -> str:
    """Return the page as text. It fetches nothing, and can be read without its script."""
    idents = frame.anchors(d.entry.id for d in done.decisions)
    named = list(zip(idents, done.decisions, strict=True))
    rows = [_row(ident, decision) for ident, decision in named]
    papers = {_paper(d): clean(d.entry.source.work) for d in done.decisions}
    choices = (
        frame.FilterChoice("Paper", "paper", papers),
        frame.FilterChoice("Verdict", "verdict"),
        frame.FilterChoice("Expected?", "expectation"),
    )
    narrow = frame.filters(rows, "statements", choices, "Contains", whole=True)
    heads = ("statement", "verdict", "in words", "claim")
    verdicts = frame.table(
        "All statements", heads, rows, ident=_TABLE, visible=False, sortable=True, filtered=True
    )
    template = frame.macros(_TEMPLATE)
    groups = (
        (
            str(v),
            words.verdict_kind(v),
            [not d.as_expected for d in done.decisions if d.verdict is v],
        )
        for v in LedgerVerdict
    )
    tiles = frame.tiles(groups, "as on record", counts=_TABLE)
    summary = template.summary(tiles, words.closing(done.decisions))
    parts = (
        ("summary", "What this is", [Markup(frame.piece("verify_intro.html")), summary]),
        ("verdicts", "Verdicts", [narrow, verdicts]),
        ("arguments", "Arguments", [template.arguments(_arguments(named))]),
        ("methods", "How to read this", [Markup(frame.piece("verify_methods.html"))]),
    )
    title = f"Published claims: {words.statements(len(done.decisions))}"
    versions = {"Provado": done.provado, **done.versions}
    return frame.page(title, parts, made=made, versions=versions)


def _paper(decision: Decision) -> str:
    """Return a paper as the address of the page names it."""
    return decision.entry.id.split("/")[0]


def _row(ident: str, decision: Decision) -> frame.TableRow:
    verdict = str(decision.verdict)
    alarm = expectation_chip(decision) if not decision.as_expected else None
    cells = (
        frame.Cell(tag("a", clean(decision.entry.id), href=f"#{ident}"), "name"),
        tag("span", verdict_chip(decision.verdict), alarm),
        frame.Cell(typeset(clean(decision.entry.words)), "words"),
        frame.Cell(typeset(clean(decision.entry.claim.formula)), "words"),
    )
    marks = {"paper": _paper(decision), "verdict": verdict}
    marks |= {"expectation": words.expectation(decision), "tally": verdict, "item": ident}
    return frame.TableRow(cells, marks)


def _arguments(named: Sequence[tuple[str, Decision]]) -> list[tuple[str, list[Markup]]]:
    """Return the cards of each paper; of many in all only those that need attention are open."""
    many = len(named) > _UNFOLDED
    cards: dict[str, list[Markup]] = {}
    for ident, decision in named:
        folded = decision.as_expected and many
        made = statement(ident, decision, folded=folded, cut=_CUT, level=4)
        cards.setdefault(decision.entry.source.work, []).append(made)
    return [*cards.items()]


def statement(
    ident: str, decision: Decision, *, folded: bool, cut: words.Shortening, level: int
) -> Markup:
    """Return the card of one statement; ``cut`` shortens what is too long for a page."""
    shown = words.argument(decision, cut)
    form = words.corrected(decision)
    titles = (words.PRINTED, words.AS_DATA, form)
    beside = {part.title: part.text for part in shown if part.title in titles}
    columns = [("As printed", [beside[title] for title in titles[:2] if title in beside])]
    columns += [(form, [beside[form]])] if form in beside else []
    steps = filter(None, map(steps_of, decision.evidence.printed))
    made = frame.macros(_TEMPLATE).statement(
        ident,
        decision,
        words.verdict_kind(decision.verdict),
        [verdict_chip(decision.verdict), expectation_chip(decision)],
        columns,
        [part for part in shown if part.title not in beside],
        [[clean(words.shortened(step, cut)) for step in item] for item in steps],
        level,
        not folded,
    )
    return Markup(made)


def verdict_chip(verdict: LedgerVerdict) -> Markup:
    """Return a verdict as a small label."""
    return Markup(frame.macros(frame.SHARED).chip(verdict, words.verdict_kind(verdict)))


def expectation_chip(decision: Decision) -> Markup:
    """Return whether the verdict is the one on record, as a small label."""
    kind = "alarm" if unexpected(decision) or not_completed(decision) else ""
    return Markup(frame.macros(frame.SHARED).chip(words.expectation(decision), kind))


Terms = kernel.Number | kernel.Sum
"""A number, or a sum of c·e^q as pairs (q, c)."""

_DIGITS = 60
_LONGEST, _MOST = 400, 6


def steps_of(finding: Finding) -> tuple[str, ...]:
    """Return the steps of a counterexample in words; none where a finding is something else."""
    if not isinstance(finding, kernel.Checked):
        return ()
    match finding.evidence:
        case kernel.PrivacyCounterexample() as e:
            return (*_datasets(e.d, e.d_prime, e.relation), *_privacy(e))
        case kernel.ChangeCounterexample() as e:
            return (*_datasets(e.d, e.d_prime, e.relation), *_change(e))
        case kernel.PointCounterexample() as e:
            return _point(e)
    return ()


def value_of(terms: Terms) -> Decimal:
    """Return a sum of c·e^q to 60 digits, which its cancellation may cost some of."""
    with localcontext() as context:
        context.prec = _DIGITS
        if not isinstance(terms, tuple):
            return _decimal(terms)
        return sum((_decimal(c) * _decimal(q).exp() for q, c in terms), Decimal(0))


def _datasets(
    d: Sequence[Any], d_prime: Sequence[Any], relation: str | kernel.Number
) -> tuple[str, str]:
    changed = [i for i, (a, b) in enumerate(zip(d, d_prime, strict=False)) if a != b]
    first = f"Take D = {_listed(d)}."
    if isinstance(relation, str) and len(d) == len(d_prime) and len(changed) == 1:
        i = changed[0]
        what = f"It is D, but for record {i + 1}: {_one(d[i])} becomes {_one(d_prime[i])}."
        return first, f"Take D′ beside it. {what}"
    return first, f"Take D′ = {_listed(d_prime)} beside it; they are {related(relation)}."


def _privacy(e: kernel.PrivacyCounterexample) -> tuple[str, ...]:
    p, q = (value_of(terms) for terms in e.probabilities)
    with localcontext() as context:
        context.prec = _DIGITS
        allowed = _decimal(e.epsilon).exp() * q + _decimal(e.delta)
    delta = f" + {e.delta}" if e.delta else ""
    return (
        f"Look at the event S: {e.event}.",
        f"On D it has the probability Pr[S | D] = {_exactly(e.probabilities[0], p)}.",
        f"On D′ it has the probability Pr[S | D′] = {_exactly(e.probabilities[1], q)}.",
        f"The claim allows Pr[S | D] ≤ e^({e.epsilon})·Pr[S | D′]{delta}, which is "
        f"{_short(allowed)}; it is {_short(p)}{_times(p, q)}. So the claim is false.",
    )


def _times(p: Decimal, q: Decimal) -> str:
    return f", {_short(p / q)} times as much as on D′" if q else ", and on D′ it never happens"


def _change(e: kernel.ChangeCounterexample) -> tuple[str, ...]:
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


def _point(e: kernel.PointCounterexample) -> tuple[str, ...]:
    scope = span(e.lower, e.upper, e.integers)
    value = value_of(_at(e.terms, e.at))
    return (
        f"The claim comes to this: {shown(e.terms)} {e.claim} for {scope}.",
        f"Take x = {e.at}.",
        f"The left side is {_short(value)} there, and not {e.claim}: this does not hold.",
    )


def _at(terms: kernel.Expression, x: kernel.Number) -> kernel.Sum:
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


def _decimal(value: kernel.Number) -> Decimal:
    exact = Fraction(value)
    with localcontext() as context:
        context.prec = _DIGITS
        return Decimal(exact.numerator) / Decimal(exact.denominator)


def _short(value: Decimal) -> str:
    return f"{value:.5g}".replace("E", "e").replace("e+", "e").replace("-", "−").replace("e−", "e-")
