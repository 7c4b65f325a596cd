"""The report's first screen and its page to print: what was found, for who has not met ε before."""

from __future__ import annotations

import math
from collections.abc import Sequence

from provado.mechanisms import ExactVerdict, Verdict
from provado.reports.pages.element import Child, Markup, join, tag
from provado.reports.pages.frame import tile
from provado.reports.pages.table import table
from provado.reports.tasks.run import Run
from provado.reports.text import sentences
from provado.reports.text.evidence import NOT_TESTED
from provado.reports.text.formatting import clean, counted, plain

from .claims import tally
from .group import Item, linked
from .self_test import of_known

ON_PAPER = 10
"""So many claims stand on the page to print; of more it says how many there are."""


def summary(run: Run, items: Sequence[Item]) -> Markup:
    """Return the tiles, the sentences below them, and what was not tested.

    items: all audits of the run. Those with known answers are spoken of in one sentence alone,
    unless nothing else was asked.
    """
    asked = [item for item in items if not item.known]
    known = [item for item in items if item.known]
    beside = " None of these is counted above." if asked else None
    return join(
        _tiles(asked, "claims-table") if asked else None,
        *(tag("p", *sentence) for sentence in _sentences(run, asked, known)),
        tag("p", *of_known(known), beside, class_="known") if known else None,
        tag("div", _on_paper(asked), class_="on-paper") if asked else None,
        tag("h3", "What was not tested"),
        tag("ul", *(tag("li", words) for words in NOT_TESTED), class_="untested"),
        # The script shows it: without one, a browser's own menu prints.
        tag("p", class_="printing", data_printing=True, hidden=True),
    )


def _tiles(items: Sequence[Item], ident: str) -> Markup:
    tiles = []
    for verdict, kind in (
        (Verdict.VIOLATION, "bad"),
        (Verdict.NO_VIOLATION, "ok"),
        (Verdict.UNKNOWN, "unknown"),
        (ExactVerdict.PROVED, "ok"),
        (ExactVerdict.VERIFIED, "ok"),
    ):
        of_kind = [item.result for item in items if tally(item) == str(verdict)]
        if not of_kind and isinstance(verdict, ExactVerdict):
            continue
        if verdict is Verdict.UNKNOWN:
            note = "could not be completed" if of_kind else "everything was completed"
        else:
            surprises = sum(result.surprising for result in of_kind)
            note = f"{surprises} unexpected" if surprises else "none unexpected"
        kind = kind if of_kind else "none"
        tiles.append(tile(len(of_kind), str(verdict), note, kind, f"{ident} {verdict}"))
    return tag("div", *tiles, class_="tiles")


def _sentences(run: Run, items: Sequence[Item], known: Sequence[Item]) -> list[list[Child]]:
    """Return at most five sentences: the promise, the test, refuted, not refuted, left open.

    Where nothing was asked but known answers, only the first two: what follows is no finding.
    """
    if not items:
        return [[_promise(known)], _test(known, [], 0)]
    violated = [item for item in items if item.result.verdict is Verdict.VIOLATION]
    refuted = [item for item in violated if item.result.exact is None]
    exact = [item for item in items if item.result.exact is not None]
    clear = [item for item in items if item.result.verdict is Verdict.NO_VIOLATION]
    broken = [item for item in items if item.result.verdict is Verdict.UNKNOWN]
    said: list[list[Child]] = [
        [_promise(items)],
        _test(items, exact, len(violated) - len(refuted)),
    ]
    if refuted:
        said.append(_refuted(refuted, run.settings.confidence))
    if clear:
        missed = [item for item in clear if item.result.expected is Verdict.VIOLATION]
        words = (
            f"For {counted(len(clear), 'claim')} no violation was found, which is no proof: an "
            "experiment cannot give one; each section says how large a violation visible to its "
            "rule would have shown, which kinds of event and which pairs were looked at, and "
            "nothing is said of the rest"
        )
        expected = ["; one was expected of ", *linked(missed)] if missed else []
        exactly = [item for item in clear if item.result.refuted_exactly]
        beside = ["; exact probabilities refute the claim of ", *linked(exactly)] if exactly else []
        some = [item for item in clear if item.result.limitations]
        limited = ["; with limitations that its section states: ", *linked(some)] if some else []
        said.append([words, *limited, *expected, *beside, "."])
    if broken:
        said.append(
            [f"{_claims(broken)} left open, because something broke: ", *linked(broken), "."]
        )
    return said


def _refuted(refuted: Sequence[Item], confidence: float) -> list[Child]:
    """Say how many claims are refuted, and name them: the unexpected ones first."""
    unexpected = [item for item in refuted if item.result.surprising]
    recorded = [item for item in refuted if not item.result.surprising]
    said: list[Child] = [
        f"{_claims(refuted)} refuted, with {100 * confidence:g} % confidence for all of them "
        "together: the program reveals more than it promises"
    ]
    if unexpected:
        said += ["; not expected: ", *linked(unexpected)]
    if recorded:
        said += ["; expected, for the flaw is on record: ", *linked(recorded)]
    return [*said, "."]


def _promise(items: Sequence[Item]) -> str:
    claims = [item.result.epsilon for item in items]
    epsilon = claims[0] if len(set(claims)) == 1 else 1.0
    factor = math.exp(min(epsilon, 700.0))
    number = plain(factor, 3) if factor < 1e6 else f"{factor:.0e}"
    exceptions = any(item.result.delta > 0 for item in items)
    rare = " (a δ above 0 allows rare exceptions)" if exceptions else ""
    return (
        "Differential privacy promises that nobody can tell from a program’s output whether one "
        f"person’s record was changed; ε says how strictly: at ε = {plain(epsilon)}, "
        f"the change makes no result more than {number} times as likely{rare}."
    )


def _test(items: Sequence[Item], exact: Sequence[Item], refuted: int) -> list[Child]:
    sampled = len(items) - len(exact)
    decided: list[Child] = [
        f"{_claims(exact)} decided exactly, by arithmetic on a finite table, {refuted} of them "
        "refuted: ",
        *linked(exact),
    ]
    if not sampled:
        return ["Nothing was run: ", *decided, "."]
    few = [item for item in items if item.result.one_run is not None]
    coins = (
        "run a few times on a dataset in which many records were each there, or another in its "
        "place, by a coin of its own, and scores of the output had to guess the coins"
    )
    many = (
        "run many times on two datasets that differ in one record, chosen each time by a coin, and "
        "a rule fixed beforehand had to guess from the output which one it had seen"
    )
    test = f"This report puts {counted(sampled, 'claim')} to the test: "
    if len(few) == sampled:
        said: list[Child] = [f"{test}each program was {coins}"]
    elif few:
        were = "was" if len(few) == 1 else "were"
        said = [f"{test}each program was {many}; but ", *linked(few), f" {were} {coins}"]
    else:
        said = [f"{test}each program was {many}"]
    return [*said, *(["; ", *decided] if exact else []), "."]


def _on_paper(items: Sequence[Item]) -> Markup:
    """Return the claims with their verdicts, as many as one sheet of paper holds."""
    heads = ("mechanism", "claim", "verdict", "certified ε ≥", "what it means")
    rows = [
        (
            clean(item.result.name),
            clean(item.result.promise or sentences.claim(item.result)),
            str(item.result.verdict),
            sentences.lower(item.result),
            _meaning(item),
        )
        for item in items[:ON_PAPER]
    ]
    rest = len(items) - ON_PAPER
    more = tag("p", f"The {rest} claims that follow are in the full report.") if rest > 0 else None
    return join(table("Claims and verdicts", heads, rows), more)


def _meaning(item: Item) -> str:
    result = item.result
    if result.verdict is Verdict.VIOLATION:
        return "The claim is wrong: outputs tell more about one record than it allows."
    if result.refuted_exactly:
        return "The experiment found nothing; exact probabilities refute the claim."
    if result.verdict is Verdict.NO_VIOLATION:
        said = " ".join(result.limitations)
        return f"{said} Nothing was found against the claim; that is no proof of it.".lstrip()
    if isinstance(result.verdict, ExactVerdict):
        every = result.verdict is ExactVerdict.PROVED
        which = "all neighboring datasets" if every else "the given pairs alone"
        return f"The claim holds, by exact arithmetic, for {which} of this table."
    return "Nothing is known: the audit could not be completed."


def _claims(items: Sequence[Item]) -> str:
    return f"{counted(len(items), 'claim')} {'is' if len(items) == 1 else 'are'}"
