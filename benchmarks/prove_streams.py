"""Streams of DiPAut's kinds: a program reads one answer after the other and compares it with noise.

Kinds after Chadha, Sistla, Viswanathan and Bhusal, Deciding Differential Privacy of Online
Algorithms with Multiple Variables (2023): above-threshold, numeric sparse vector, ranges of two
thresholds, and cycles that leak or disclose. The programs are our own, written as texts; ``exact``
are simple ones with the weight that they are private at, ``larger`` have up to three stages, each
with thresholds of its own. That a sequence of stages is private at the sum of their weights follows
from composition, and that a leaking or disclosing cycle is private at no multiple of ε from the
paper.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from benchmarks.prove_mutants import compiled
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import ProgramDecision, decide

Line = tuple[str, bool]
STEPS = 3_000_000
"""Of work for one stream, some 20 seconds."""


@dataclass(frozen=True)
class Stream:
    """A program with its claim, and whether it holds."""

    name: str
    text: str
    claim: str
    holds: bool


def _stage(kind: str, number: int, last: bool, numeric: bool, again: bool, leak: str) -> list[str]:
    """Return the lines of a stage, which goes on or ends when its comparison turns out."""
    end = ["break"] if last else [f"stage = {number + 1}"]
    if again and not last:
        end = [*end, *(f"{t} = laplace({s} / epsilon)" for t, s in _thresholds(kind, 0))]
    end = ["output(x + laplace(4 / epsilon))"] * numeric + end
    at = 0 if again else number
    go_on = ['output("on")']
    if leak == "leaking":
        go_on += [f"{_thresholds(kind, at)[0][0]} = noisy"]
    elif leak == "disclosing":
        go_on = ["output(noisy)"]
    if kind == "above":
        return [
            f"if noisy >= level{at}:",
            *(f"    {line}" for line in ['output("above")', *end]),
            "else:",
            *(f"    {line}" for line in go_on),
        ]
    return [
        f"if noisy < low{at}:",
        *(f"    {line}" for line in ['output("below")', *end]),
        f"elif noisy >= high{at}:",
        *(f"    {line}" for line in ['output("above")', *end]),
        "else:",
        *(f"    {line}" for line in go_on),
    ]


def _thresholds(kind: str, number: int) -> list[tuple[str, int]]:
    return (
        [(f"level{number}", 2)] if kind == "above" else [(f"low{number}", 4), (f"high{number}", 4)]
    )


def stream(
    kinds: Sequence[str], *, numeric: bool = False, again: bool = False, leak: str = ""
) -> Stream:
    """Return a stream of stages; each is private at 1, with a number at its end at 5/4.

    again: the thresholds of a stage are drawn where it begins, not at the start of the program.
    """
    lines = ["def stream(q, epsilon):"]
    for number, kind in enumerate(kinds[:1] if again else kinds):
        lines += [f"    {t} = laplace({s} / epsilon)" for t, s in _thresholds(kind, number)]
    lines += ["    stage = 0"] * (len(kinds) > 1)
    lines += ["    for x in q:", "        noisy = x + laplace(4 / epsilon)"]
    for number, kind in enumerate(kinds):
        last = number == len(kinds) - 1
        inner = _stage(kind, number, last, numeric, again, leak)
        if len(kinds) > 1:
            word = "else:" if last else f"{'elif' if number else 'if'} stage == {number}:"
            inner = [word, *(f"    {line}" for line in inner)]
        lines += [f"        {line}" for line in inner]
    weight = len(kinds) * (Fraction(5, 4) if numeric else Fraction(1))
    words = [" then ".join(kinds)] + ["with numbers"] * numeric + ["drawn again"] * again
    words += [leak] if leak else []
    text = "\n".join(lines) + "\n"
    return Stream(", ".join(words), text, f"{weight}*epsilon", not leak)


def _changed(name: str, one: Stream, old: str, new: str, weight: str, holds: bool = True) -> Stream:
    assert old in one.text
    return Stream(name, one.text.replace(old, new), f"{weight}*epsilon", holds)


def exact() -> list[Stream]:
    """Return the simple ones."""
    above, range_ = stream(["above"]), stream(["range"])
    numbers = stream(["range"], numeric=True)
    outside = _changed("", numbers, '"below"', '"outside"', "1").text.replace(
        '"above"', '"outside"'
    )
    return [
        _changed("above-threshold", above, "laplace(2 /", "laplace(4 / 3 /", "5/4"),
        _changed("numeric sparse", stream(["above"], numeric=True), "x", "x", "5/4"),
        _changed(
            "range with a number", numbers, "noisy = x + laplace(4", "noisy = x + laplace(2", "7/4"
        ),
        stream(["range", "range"]),
        Stream("range, exits that look alike", outside, "5/4*epsilon", True),
        range_,
        stream(["above"], leak="leaking"),
        stream(["above"], leak="disclosing"),
        stream(["range"], leak="leaking"),
        stream(["range"], leak="disclosing"),
    ]


def larger() -> Iterator[Stream]:
    """Yield streams of two and three stages, private ones and others."""
    both = ("above", "range")
    for count, numeric in itertools.product((2, 3), (False, True)):
        for kinds in itertools.product(both, repeat=count):
            yield stream(kinds, numeric=numeric)
    for kind, numeric in itertools.product(both, (False, True)):
        yield stream([kind, kind], numeric=numeric, again=True)
    for kinds, leak in itertools.product(
        itertools.product(both, repeat=2), ("leaking", "disclosing")
    ):
        yield stream(kinds, leak=leak)


def decided(one: Stream) -> ProgramDecision:
    """Return the decision on a stream's claim."""
    return decide(compiled(one.text, "stream"), epsilon=one.claim, steps=STEPS)


def streams(among: Iterable[Stream]) -> Iterator[Line]:
    """Yield the table; a bar is missed by a verdict that is wrong."""
    yield "| stream | claim | verdict | evidence | seconds |", True
    yield "|---|---|---|---|---|", True
    done = total = 0
    for one in among:
        found = decided(one)
        wrong = ProgramVerdict.REFUTED if one.holds else ProgramVerdict.PROVED
        total, done = total + 1, done + (found.verdict is not ProgramVerdict.UNDECIDED)
        count = sum(len(f) for proof in found.proofs for _, f in proof.findings)
        evidence = f"{count} certificates" if count else ""
        if found.pump is not None:
            evidence = f"every multiple, from {found.pump.periods} periods"
        elif found.counterexample is not None:
            evidence = f"loss {found.counterexample.loss:.2f}"
        yield (
            f"| {one.name} | {one.claim} | {found.verdict} | {evidence} | {found.seconds:.1f} |",
            found.verdict is not wrong,
        )
    yield "", True
    yield f"Decided: {done} of {total}.", True
