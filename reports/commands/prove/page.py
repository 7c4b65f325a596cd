"""Decisions about programs as a page: each program with what was found at its lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from provado.proofs.kernel import Checked
from provado.proofs.programs.decide import ProgramDecision, ProgramVerdict
from provado.proofs.programs.finite_data import FiniteCounterexample, FiniteProof
from provado.proofs.programs.ir import OutputStep, ParsedProgram
from provado.proofs.programs.output_probability import NUMBER, Event
from provado.proofs.programs.prove import Proof
from provado.reports.commands.prove.document import Decided
from provado.reports.documents.exit_status import SURPRISE
from provado.reports.pages.element import Markup, tag
from provado.reports.pages.frame import anchors, command, tile
from provado.reports.pages.listing import listing
from provado.reports.pages.mathml import typeset
from provado.reports.pages.programs import programs_page
from provado.reports.text.formatting import clean, counted
from provado.reports.text.program import (
    RESTS_ON,
    checked,
    cost,
    exact_epsilon,
    exact_lines,
    shifts,
    shifts_by_place,
)

MOST_CONDITIONS = 200
"""Conditions of a proof that the page lists; the document has all."""

_KINDS = {
    ProgramVerdict.PROVED: "ok",
    ProgramVerdict.REFUTED: "bad",
    ProgramVerdict.UNDECIDED: "unknown",
}


def render(found: Sequence[Decided]) -> str:
    """Return the page as text; see ``programs_page``."""
    names = anchors(f"program-{one.name}" for one in found)
    cards = [_card(ident, one) for ident, one in zip(names, found, strict=True)]
    title = f"{clean(found[0].name)}: {found[0].decision.verdict}"
    if len(found) != 1:
        title = f"Claims of {counted(len(found), 'program')}"
    summary = [_tiles(found), *map(_sentence, found)]
    return programs_page(title, summary, cards, methods="prove_methods.html")


def _tiles(found: Sequence[Decided]) -> Markup:
    tiles = []
    for verdict, kind in _KINDS.items():
        of_kind = [one for one in found if one.decision.verdict is verdict]
        if of_kind:
            unexpected = sum(one.exit_status == SURPRISE for one in of_kind)
            note = f"{unexpected} not as expected" if unexpected else "as expected"
            note = "neither proved nor refuted" if kind == "unknown" else note
            tiles.append(tile(len(of_kind), str(verdict), note, kind))
    return tag("div", *tiles, class_="tiles")


def _sentence(one: Decided) -> Markup:
    decision = one.decision
    said = {
        ProgramVerdict.PROVED: "is proved, in real numbers and for the neighbors that are named",
        ProgramVerdict.REFUTED: "is refuted by exact probabilities",
        ProgramVerdict.UNDECIDED: "is neither proved nor refuted, which says nothing for it",
    }[decision.verdict]
    return tag("p", clean(f"{one.name}: that ε = {decision.claim} {said}."))


def _card(ident: str, one: Decided) -> Markup:
    decision, kind = one.decision, _KINDS[one.decision.verdict]
    alarm = tag("span", "not as expected", class_="chip alarm")
    summary = tag(
        "summary",
        tag("h3", clean(one.name)),
        tag("span", str(decision.verdict), class_=f"chip {kind}"),
        alarm if one.exit_status == SURPRISE else None,
        tag("span", clean(f"claimed ε = {decision.claim}"), class_="headline"),
    )
    program = decision.program
    notes = notes_by_line(decision)
    code = listing(
        program.text,
        program.first,
        notes,
        name=clean(f"Source of {program.name}"),
        bad=notes if kind == "bad" else (),
    )
    body = tag(
        "div",
        _facts(one),
        tag("h4", "The program"),
        code,
        *_evidence(decision),
        tag("h4", "Run it again"),
        tag("div", command(one.again), class_="replay"),
        class_="body",
    )
    return tag("details", summary, body, class_=f"card {kind}", id=ident, open=True)


def _facts(one: Decided) -> Markup:
    decision = one.decision
    exact = "" if decision.finite is None else exact_epsilon(decision.finite)
    entries = (
        ("Claim", f"ε = {decision.claim}"),
        ("Exact ε", exact),
        ("Neighbors", decision.relation),
        ("For", _scope(decision)),
        ("Where", one.location),
        ("Expected", "" if one.expected is ProgramVerdict.PROVED else str(one.expected)),
        ("Reason", decision.reason),
    )
    return tag(
        "dl",
        *(
            tag("div", tag("dt", name), tag("dd", typeset(clean(text))))
            for name, text in entries
            if text
        ),
    )


def _scope(decision: ProgramDecision) -> str:
    if decision.proofs:
        return f"all data, any number of queries, {decision.scope or 'as it is'}"
    return decision.scope


def _evidence(decision: ProgramDecision) -> Iterator[Markup]:
    for number, proof in enumerate(decision.proofs, 1):
        yield from _proof(proof, number if len(decision.proofs) > 1 else 0)
    exact = exact_lines(decision)
    if exact:
        proved = decision.verdict is ProgramVerdict.PROVED
        yield tag("h4", "Exact probabilities" if proved else "The counterexample")
        yield tag("div", *(tag("p", typeset(clean(line))) for line in exact), class_="finding")
    if isinstance(decision.finite, FiniteProof):
        signs = (*decision.finite.findings, *decision.finite.above)
        title = f"{counted(len(signs), 'sign')} decided by the kernel"
        yield _folded(title, [_statement(one) for one in signs])
    if decision.proofs:
        yield tag("h4", "What it rests on")
        yield tag("ul", *(tag("li", one) for one in RESTS_ON), class_="untested")


def _proof(proof: Proof, number: int) -> Iterator[Markup]:
    title = f"Alignment {number}" if number else "The alignment"
    yield tag("h4", title)
    said = [
        f"Neighbors: {proof.claim.moves.words()}. The second run tells the same if to each draw "
        "this is added:",
        *shifts(proof),
        f"It costs at most {cost(proof)} ≤ {proof.claim.epsilon.words()}.",
    ]
    yield tag("div", *(tag("p", typeset(clean(line))) for line in said), class_="finding")
    held = [
        tag("li", clean(f"at cut {cut}{f', {phase}' if phase else ''}: {atom.words()}"))
        for (cut, phase), atoms in proof.alignment.invariants.items()
        for atom in atoms
    ]
    if held:
        yield _folded(f"Invariants of loops ({len(held)})", held)
    rows = [
        tag("li", clean(words), tag("ul", *(_statement(one) for one in findings)))
        for words, findings in proof.findings[:MOST_CONDITIONS]
    ]
    rest = len(proof.findings) - MOST_CONDITIONS
    if rest > 0:
        rows.append(tag("li", f"{rest} more are in the document that --json prints."))
    yield _folded(checked(proof), [*rows, _statement(proof.budget)])


def _statement(finding: Checked) -> Markup:
    return tag("li", clean(finding.statement))


def _folded(title: str, items: Sequence[Markup]) -> Markup:
    return tag("details", tag("summary", title), tag("ol", *items))


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
        if not isinstance(step, OutputStep):
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
