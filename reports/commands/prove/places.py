"""Where in a program what was found happens: by line, in words."""

from __future__ import annotations

from collections.abc import Iterator

from provado.proofs.programs.decide import ProgramDecision
from provado.proofs.programs.finite_data import FiniteCounterexample
from provado.proofs.programs.ir import ParsedProgram, Tell
from provado.proofs.programs.output_probability import NUMBER, Event
from provado.reports.text.program import shifts_by_place

Note = tuple[int, str]
"""A line of the source file, and what is said of it."""


def notes_by_line(decision: ProgramDecision) -> dict[int, list[str]]:
    """Return what a proof adds to each draw, or where a counterexample's event is told."""
    found: dict[int, list[str]] = {}
    for line, words in _notes(decision):
        found.setdefault(line, []).append(words)
    return found


def _notes(decision: ProgramDecision) -> Iterator[Note]:
    for number, proof in enumerate(decision.proofs, 1):
        which = f"alignment {number}: " if len(decision.proofs) > 1 else ""
        for (line, text), said in shifts_by_place(proof).items():
            yield line, f"{which}to {text} the second run adds {'; '.join(said)}"
    event = None
    if decision.counterexample is not None:
        event = decision.counterexample.event
    elif isinstance(decision.finite, FiniteCounterexample):
        event = decision.finite.quotient.event
    if event is not None:
        yield from _told(decision.program, event)


def _told(program: ParsedProgram, event: Event) -> Iterator[Note]:
    """Yield of each line that tells which parts of the event it may tell.

    A number that is computed may be any number of it, a constant is only itself.
    """
    parts = list(_parts(event))
    for step in program.steps:
        if not isinstance(step, Tell):
            continue
        constant = step.tag.partition("constant ")[2] if step.value is None else None
        here = [
            place
            for place, (kind, words) in enumerate(parts, 1)
            if (kind == NUMBER if constant is None else words == constant)
        ]
        if here:
            places = ", ".join(map(str, here))
            told = "; ".join(dict.fromkeys(parts[place - 1][1] for place in here))
            yield step.line, f"may tell part {places} of S: {told}"


def _parts(event: Event) -> Iterator[tuple[str, str]]:
    """Yield the kind of each part of an event, and the part in words."""
    numbers = iter(event.numbers)
    for kind in event.kinds:
        one = Event((kind,), (next(numbers),) if kind == NUMBER else ())
        yield kind, one.words()[1:-1]
