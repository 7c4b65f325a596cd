"""The ledger as one self-contained page: counts, a table, each argument folded below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib import resources
from itertools import groupby

from provado.proofs.ledger import Decision, LedgerVerdict
from provado.reports.html.element import Markup, join, tag
from provado.reports.verify_run import Verification, not_completed, unexpected
from provado.reports.verify_words import Cut, Part, argument, closing, expectation, statements
from provado.reports.words import clean

_CUT = Cut(600, "verify.json")

_UNFOLDED = 3
"""Pages of more statements than this open only what needs attention."""

_KINDS = {
    LedgerVerdict.PROVED: "ok",
    LedgerVerdict.VERIFIED: "ok",
    LedgerVerdict.MISPRINT: "bad",
    LedgerVerdict.REFUTED: "bad",
}
_OTHER_KIND = "unknown"

_MEANINGS = (
    (LedgerVerdict.PROVED, "for all parameters in the stated scope"),
    (LedgerVerdict.VERIFIED, "exhaustively, on the finite scope that is named"),
    (LedgerVerdict.SUPPORTED, "searched, and nothing found; not a proof"),
    (LedgerVerdict.MISPRINT, "false as printed; the corrected form is proved"),
    (LedgerVerdict.REFUTED, "a counterexample that replays"),
    (LedgerVerdict.INCOMPLETE, "the text lacks a definition that the statement needs"),
    (LedgerVerdict.UNKNOWN, "the evidence could not be gathered, or was refused; never a pass"),
)

# What this page needs beyond the audit page's style: statements that wrap, numbered steps.
_STYLE = """
td.words { white-space: normal; min-width: 18rem; }
ol { margin: 0; padding-left: 1.6rem; font-size: .94rem; }
li { margin: .2rem 0; }
"""


def render(done: Verification) -> str:
    """Return the page as text. It needs no network, no script and no other file."""
    title = f"Published claims: {statements(len(done.decisions))}"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name_="color-scheme", content="light dark"),
        tag("title", title),
        # Both styles are the program's own; nothing that an entry says is in them.
        tag("style", Markup(_style() + _STYLE)),
    )
    main = tag(
        "main",
        tag("section", _summary(done.decisions), id="summary"),
        tag("section", tag("h2", "Verdicts"), _table(done.decisions), id="verdicts"),
        tag("section", tag("h2", "Arguments"), *_arguments(done.decisions), id="arguments"),
        tag("section", tag("h2", "How to read this"), *_methods(), id="methods"),
        tag("section", tag("h2", "Versions"), _versions(done), id="versions"),
    )
    header = tag("header", tag("h1", title), class_="top")
    footer = tag("footer", f"Provado {done.provado}")
    page = tag("html", head, tag("body", header, main, footer), lang="en")
    return f"<!doctype html>\n{page}\n"


def anchor(position: int) -> str:
    """Return the id of the argument at ``position``."""
    return f"statement-{position + 1}"


def _summary(decisions: Sequence[Decision]) -> Markup:
    count = Counter(decision.verdict for decision in decisions)
    tiles = []
    for verdict in LedgerVerdict:
        of_kind = [d for d in decisions if d.verdict is verdict]
        if of_kind:
            differing = sum(not d.as_expected for d in of_kind)
            tiles.append(
                tag(
                    "div",
                    tag("b", str(count[verdict])),
                    tag("span", str(verdict), class_="what"),
                    tag(
                        "span",
                        f"{differing} not as on record" if differing else "as on record",
                        class_="note",
                    ),
                    class_=f"tile {_kind(verdict)}",
                )
            )
    return join(tag("div", *tiles, class_="tiles"), tag("p", closing(decisions)))


def _table(decisions: Sequence[Decision]) -> Markup:
    heads = ("statement", "verdict", "expected?", "in words")
    rows = [
        tag(
            "tr",
            tag("td", tag("a", clean(decision.entry.id), href=f"#{anchor(i)}")),
            tag("td", _chip(decision.verdict)),
            tag("td", _expectation(decision)),
            tag("td", clean(decision.entry.words), class_="words"),
        )
        for i, decision in enumerate(decisions)
    ]
    head = tag("tr", *(tag("th", text, scope="col") for text in heads))
    table = tag("table", tag("thead", head), tag("tbody", *rows))
    return tag("div", table, class_="scroll", tabindex="0")


def _arguments(decisions: Sequence[Decision]) -> list[Markup]:
    parts: list[Markup] = []
    numbered = list(enumerate(decisions))
    for work, members in groupby(numbered, key=lambda pair: pair[1].entry.source.work):
        parts.append(tag("h3", clean(work), class_="group"))
        for position, decision in members:
            folded = decision.as_expected and len(decisions) > _UNFOLDED
            parts.append(_section(position, decision, folded=folded))
    return parts


def _section(position: int, decision: Decision, *, folded: bool) -> Markup:
    kind = _kind(decision.verdict)
    summary = tag(
        "summary",
        tag("h3", clean(decision.entry.id)),
        _chip(decision.verdict),
        _expectation(decision),
        tag("span", clean(decision.entry.source.place), class_="headline"),
    )
    shown = argument(decision, _CUT)
    facts = tag("dl", *(_fact(part) for part in shown if part.text))
    steps = [markup for part in shown if part.steps for markup in _steps(part)]
    body = tag("div", facts, *steps, class_="body", id=anchor(position))
    return tag("details", summary, body, class_=f"card {kind}", open=not folded)


def _fact(part: Part) -> Markup:
    return tag("div", tag("dt", part.title), tag("dd", part.text))


def _steps(part: Part) -> tuple[Markup, Markup]:
    return tag("h4", part.title), tag("ol", *(tag("li", step) for step in part.steps))


def _chip(verdict: LedgerVerdict) -> Markup:
    return tag("span", str(verdict), class_=f"chip {_kind(verdict)}")


def _expectation(decision: Decision) -> Markup:
    alarm = unexpected(decision) or not_completed(decision)
    return tag("span", expectation(decision), class_="chip alarm" if alarm else "chip")


def _kind(verdict: LedgerVerdict) -> str:
    return _KINDS.get(verdict, _OTHER_KIND)


def _methods() -> list[Markup]:
    meanings = [tag("div", tag("dt", str(word)), tag("dd", means)) for word, means in _MEANINGS]
    return [
        tag(
            "p",
            "A verdict follows from its findings; nobody writes it down beside them. Each finding "
            "was made by a small exact kernel from data: rational numbers, never floats. The "
            "argument says which steps the kernel checked and which stand in words. Every check "
            "was also shown a broken twin of its data and had to refuse it.",
        ),
        tag("dl", *meanings),
        tag(
            "p",
            "Beside this page stands ",
            tag("code", "verify.json"),
            ", with all data in exact form. ",
            tag("code", "provado verify"),
            " gathers and checks everything again.",
        ),
    ]


def _versions(done: Verification) -> Markup:
    named = {"Provado": done.provado, **done.versions}
    entries = [tag("div", tag("dt", name), tag("dd", number)) for name, number in named.items()]
    return tag("dl", *entries, class_="versions")


def _style() -> str:
    style = resources.files("provado.reports.html").joinpath("style.css")
    return style.read_text(encoding="utf-8")
