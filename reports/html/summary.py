"""The report's first screen: what was found, for a reader who has not met ε before."""

from __future__ import annotations

import math
from collections.abc import Sequence

from provado.mechanisms import ExactVerdict, Verdict
from provado.reports.run.run import Record, Run
from provado.reports.words.numbers import plain

from .element import Child, Markup, join, tag
from .frame import tile
from .group import linked


def summary(run: Run) -> Markup:
    """Return the tiles and the sentences below them."""
    return join(_tiles(run.records), *(tag("p", *sentence) for sentence in _sentences(run)))


def _tiles(records: Sequence[Record]) -> Markup:
    tiles = []
    for verdict, kind in (
        (Verdict.VIOLATION, "bad"),
        (Verdict.NO_VIOLATION, "ok"),
        (Verdict.UNKNOWN, "unknown"),
        (ExactVerdict.PROVED, "ok"),
        (ExactVerdict.VERIFIED, "ok"),
    ):
        of_kind = [record.result for record in records if record.result.verdict is verdict]
        if not of_kind and isinstance(verdict, ExactVerdict):
            continue
        if verdict is Verdict.UNKNOWN:
            note = "could not be completed" if of_kind else "everything was completed"
        else:
            surprises = sum(result.surprising for result in of_kind)
            note = f"{surprises} unexpected" if surprises else "none unexpected"
        tiles.append(tile(len(of_kind), str(verdict), note, kind if of_kind else "none"))
    return tag("div", *tiles, class_="tiles")


def _sentences(run: Run) -> list[list[Child]]:
    """Return at most five sentences: the promise, the test, refuted, not refuted, left open."""
    numbered = list(enumerate(run.records))
    violated = [(i, r) for i, r in numbered if r.result.verdict is Verdict.VIOLATION]
    refuted = [(i, r) for i, r in violated if r.result.exact is None]
    exact = [(i, r) for i, r in numbered if r.result.exact is not None]
    clear = [(i, r) for i, r in numbered if r.result.verdict is Verdict.NO_VIOLATION]
    broken = [(i, r) for i, r in numbered if r.result.verdict is Verdict.UNKNOWN]
    said: list[list[Child]] = [[_promise(run)], _test(run, exact, len(violated) - len(refuted))]
    if refuted:
        said.append(_refuted(refuted, run.settings.confidence))
    if clear:
        missed = [(i, r) for i, r in clear if r.result.surprising]
        words = (
            f"For {_claims(len(clear))} no violation was found, which is no proof: an experiment "
            "cannot give one; each section says how large a violation visible to its rule would "
            "have shown, which kinds of event and which pairs were looked at, and nothing is said "
            "of the rest"
        )
        expected = ["; one was expected of ", *linked(missed)] if missed else []
        said.append([words, *expected, "."])
    if broken:
        said.append(
            [
                f"{_claims(len(broken))} {_are(len(broken))} left open, because something broke: ",
                *linked(broken),
                ".",
            ]
        )
    return said


def _refuted(refuted: list[tuple[int, Record]], confidence: float) -> list[Child]:
    """Say how many claims are refuted, and name those of released software and the unexpected."""
    unexpected = [(i, r) for i, r in refuted if r.result.surprising]
    libraries = [(i, r) for i, r in refuted if "library" in r.result.tags]
    said: list[Child] = [
        f"{_claims(len(refuted))} {_are(len(refuted))} refuted, with {100 * confidence:g} % "
        "confidence for all of them together: the program reveals more than it promises"
    ]
    if libraries:
        said += ["; in released libraries: ", *linked(libraries)]
    if unexpected:
        return [*said, "; not expected: ", *linked(unexpected), "."]
    return [*said, "; each of these was expected, for its flaw is on record."]


def _promise(run: Run) -> str:
    claims = [record.result.epsilon for record in run.records]
    epsilon = claims[0] if len(set(claims)) == 1 else 1.0
    factor = math.exp(min(epsilon, 700.0))
    number = plain(factor, 3) if factor < 1e6 else f"{factor:.0e}"
    exceptions = any(record.result.delta > 0 for record in run.records)
    rare = " (a δ above 0 allows rare exceptions)" if exceptions else ""
    return (
        "Differential privacy promises that nobody can tell from a program’s output whether one "
        f"person’s record was changed; ε says how strictly: at ε = {plain(epsilon)}, "
        f"the change makes no result more than {number} times as likely{rare}."
    )


def _test(run: Run, exact: list[tuple[int, Record]], refuted: int) -> list[Child]:
    sampled = len(run.records) - len(exact)
    decided: list[Child] = [
        f"{_claims(len(exact))} {_are(len(exact))} decided exactly, by arithmetic on a finite "
        f"table, {refuted} of them refuted: ",
        *linked(exact),
    ]
    if not sampled:
        return ["Nothing was run: ", *decided, "."]
    experiment = (
        f"This report puts {_claims(sampled)} to the test: each program was run many times on two "
        "datasets that differ in one record, chosen each time by a coin, and a rule fixed "
        "beforehand had to guess from the output which one it had seen"
    )
    return [experiment, *(["; ", *decided] if exact else []), "."]


def _claims(count: int) -> str:
    return "1 claim" if count == 1 else f"{count} claims"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
