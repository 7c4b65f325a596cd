"""Decisions about programs as a page: each program with what was found at its lines."""

from collections.abc import Iterator, Sequence

from provado.proofs.kernel import Checked
from provado.proofs.programs.alignment.prove import Proof
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import ProgramDecision
from provado.proofs.programs.probability.finite_data import FiniteCounterexample, FiniteProof
from provado.proofs.programs.probability.output_probability import NUMBER, Event
from provado.proofs.programs.read.ir import OutputStep, ParsedProgram
from provado.proofs.releases import ReleaseDecision
from provado.reports.commands.prove.document import Decided, assumptions
from provado.reports.documents.exit_status import SURPRISE
from provado.reports.documents.origin import Provenance
from provado.reports.pages.frame import anchors, code_lines, macros, programs_page, tiles
from provado.reports.text import program as program_text
from provado.reports.text import release
from provado.reports.text.formatting import clean, counted
from provado.reports.text.program import checked, exact_lines
from provado.reports.text.sentences import headline

MOST_CONDITIONS = 200
"""Conditions of a proof that the page lists; the document has all."""

_KINDS = {
    ProgramVerdict.PROVED: "ok",
    ProgramVerdict.REFUTED: "bad",
    ProgramVerdict.UNDECIDED: "unknown",
}
_SAID = {
    ProgramVerdict.PROVED: "is proved in real numbers, for the neighbors named below",
    ProgramVerdict.REFUTED: "is refuted by two neighboring datasets and exact probabilities",
    ProgramVerdict.UNDECIDED: "is neither proved nor refuted, which says nothing about it",
}


def render(decisions: Sequence[Decided], made: Provenance | None = None) -> str:
    """Return the page as text; see ``programs_page``."""
    template = macros(
        "commands/prove/page.html",
        **{f.__name__: f for f in (alignment_words, checked, code_lines, counted, exact_lines)},
        **{f.__name__: f for f in (invariants, notes_by_line, release_notes, signs_of)},
        **{"assumptions": assumptions, "headline": headline, "text": program_text},
        **{"MOST_CONDITIONS": MOST_CONDITIONS, "SURPRISE": SURPRISE},
        releases=release,
    )
    names = anchors(f"program-{decision.name}" for decision in decisions)
    cards = [
        (template.release if isinstance(decision.decision, ReleaseDecision) else template.program)(
            ident, decision, _KINDS[decision.decision.verdict]
        )
        for ident, decision in zip(names, decisions, strict=True)
    ]
    title = f"{clean(decisions[0].name)}: {decisions[0].decision.verdict}"
    if len(decisions) != 1:
        title = f"Claims of {counted(len(decisions), 'program')}"
    sentences = [
        f"The claim {o.decision.claimed} of {o.name} {_verdict(o.decision)}." for o in decisions
    ]
    groups = (
        (str(v), kind, [d.exit_status == SURPRISE for d in decisions if d.decision.verdict is v])
        for v, kind in _KINDS.items()
    )
    shown = tiles(groups, unknown="neither proved nor refuted")
    summary = template.summary(shown, sentences)
    return programs_page(title, summary, cards, made, methods="prove_methods.html")


def _verdict(decision: ProgramDecision | ReleaseDecision) -> str:
    sentence = _SAID[decision.verdict]
    if isinstance(decision, ProgramDecision):
        sentence += program_text.for_every(decision)
    return sentence


def release_notes(decision: ReleaseDecision) -> dict[int, list[str]]:
    """Return what each line with noise releases, by the line."""
    result: dict[int, list[str]] = {}
    for way in decision.ways:
        for cost in way:
            for single in cost.group.releases:
                here = result.setdefault(single.line, [])
                if (sentence := release.cost(cost)) not in here:
                    here.append(sentence)
    return result


def signs_of(decision: ProgramDecision) -> tuple[Checked, ...]:
    """Return the signs that decide the exact ε of finite data; none where it was not computed."""
    proof = decision.finite
    return (*proof.findings, *proof.above) if isinstance(proof, FiniteProof) else ()


def alignment_words(proof: Proof) -> list[str]:
    """Return what an alignment adds to the draws and what that costs, line by line."""
    return [
        f"Neighbors: {proof.claim.moves.words()}. Shifting the noise as follows makes the second "
        "run produce the same output:",
        *program_text.shifts(proof),
        f"It costs at most {program_text.cost(proof)} ≤ {proof.claim.epsilon.words()}.",
    ]


def invariants(proof: Proof) -> list[str]:
    """Return what holds at each cut of a loop, in words."""
    return [
        f"at cut {cut}{f', {phase}' if phase else ''}: {atom.words()}"
        for (cut, phase), atoms in proof.alignment.invariants.items()
        for atom in atoms
    ]


Note = tuple[int, str]
"""A line of the source file, and what is said of it."""


def notes_by_line(decision: ProgramDecision) -> dict[int, list[str]]:
    """Return what a proof adds to each draw, or where a counterexample's event is told."""
    result: dict[int, list[str]] = {}
    for line, words in _notes(decision):
        result.setdefault(line, []).append(words)
    return result


def _notes(decision: ProgramDecision) -> Iterator[Note]:
    for number, proof in enumerate(decision.proofs, 1):
        which = f"alignment {number}: " if len(decision.proofs) > 1 else ""
        for (line, text), sentences in program_text.shifts_by_place(proof).items():
            yield line, f"{which}to {text} the second run adds {'; '.join(sentences)}"
    event = None
    if decision.counterexample is not None:
        event = decision.counterexample.event
    elif isinstance(decision.finite, FiniteCounterexample):
        event = decision.finite.quotient.event
    if event is not None:
        yield from _told(decision.program, event)
    elif decision.exact_delta is not None and decision.exact_delta.refuted:
        # Of many outputs the first one shows where they are told.
        yield from _told(decision.program, decision.exact_delta.events[0])


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
            yield step.line, f"may reveal part {places} of S: {told}"


def _parts(event: Event) -> Iterator[tuple[str, str]]:
    """Yield the kind of each part of an event, and the part in words."""
    numbers = iter(event.numbers)
    for kind in event.kinds:
        one = Event((kind,), (next(numbers),) if kind == NUMBER else ())
        yield kind, one.words()[1:-1]
