"""From the records of two runs to findings: what depends on the data though the noise is frozen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.audit.target.exceptions import Raised

from .alignment import ONE_SIDED
from .claim import Claim
from .constraints import Rows, rows_of
from .costs import Costs, above_claim, call_table, costs_of, declared
from .match_draws import Variables, matched_draws, variables_of
from .noiseless_leaks import MOST_SHOWN, by_chance, of_derived, of_output, unjudged
from .recording import DERIVED, Call, Tape
from .released_forms import seen_in
from .result import Finding, FindingKind, PairReplay, Parted, place
from .source_location import NOWHERE
from .trace import Trace, parting

_EVENTS = {
    FindingKind.NAN: "that the output is not a finite number",
    FindingKind.SCALE: "the spread of the output",
    FindingKind.OUTPUT: "where the output lies",
}


@dataclass(frozen=True, eq=False)
class Run:
    """One run: its output or what it raised, and what it drew and executed.

    unseen: what drew noise without being recorded, in words.
    """

    output: Any
    tape: Tape
    trace: Trace
    unseen: tuple[str, ...]
    seconds: float


def judge(
    first: Run,
    second: Run,
    claim: Claim,
    others: Sequence[tuple[Run, Run]] = (),
    again: Sequence[Run | None] = (),
) -> PairReplay:
    """Return what two runs under the same noise differ in.

    others: the same two runs under other noise, which lies far from the data. again: the first run
    under other noise, with the comparisons that it made; None where it raises.
    """
    parted, seconds = _parted(first, second), (first.seconds, second.seconds)
    notes = [*dict.fromkeys((*first.unseen, *second.unseen))]
    if first.tape.full or second.tape.full:
        notes.append("a run made more noisy numbers than are followed; its later ones were not")
    raised = [isinstance(one.output, Raised) for one in (first, second)]
    if all(raised) and first.output == second.output:
        return PairReplay("", parted=parted, reason=first.output.words(), seconds=seconds)
    draws = matched_draws(first.tape, second.tape)
    if any(raised):
        findings = [_of_exception(first.output, second.output, parted)]
        findings += [one for one in draws.findings if one.kind is not FindingKind.DRAWS]
        calls = call_table(draws)
        return PairReplay(
            *("", _first(findings), calls, parted),
            epsilon=math.inf,
            notes=tuple(notes),
            seconds=seconds,
        )
    variables = variables_of(first.tape, second.tape)
    outputs = [far.output for far, _ in others if not isinstance(far.output, Raised)]
    repeated = [(one.tape, one.output) for one in again if one is not None]
    seen = seen_in(first.tape, second.tape, first.output, second.output, outputs, repeated)
    if len(repeated) < len(again):
        seen.notes.append("the program raises under other noise, so that not all is followed")
    told: list[tuple[FindingKind, int, str]] = []
    rows = rows_of(seen, variables, told)
    costs = costs_of(draws, rows, variables, (variable for _, variable, _ in told))
    moved = [one.variables[np.abs(one.shift) > 1e-9].tolist() for one in costs.shifts]
    unknown = unjudged(draws, seen, set(costs.shifts[0].variables.tolist()), {*moved[0], *moved[1]})
    costs.by_call.update(dict.fromkeys(unknown, math.nan))
    calls = call_table(draws, variables, costs)
    findings = [*draws.findings]
    findings += [_of_variable(*one, variables, first.tape) for one in told]
    findings += _contradictions(rows, costs, variables, first.tape)
    findings += declared(calls)
    dear = above_claim(calls, costs, claim, findings)
    found, more = by_chance(dear, draws, costs.by_call)
    findings, notes = [*findings, *found], [*notes, *more]
    derived = [one for one in moved[0] if variables.family[one] == DERIVED]
    found, more = of_derived(derived, first.tape, second.tape)
    findings, notes = [*findings, *found], [*notes, *more]
    found, more = of_output(seen, findings, draws, parted)
    findings, notes = [*findings, *found], [*notes, *draws.notes, *more]
    notes += [*seen.notes, *unknown.values(), *(() if findings else _past_noise(others))]
    known = math.nan if notes else 1.0
    unhidden = any(one.cost == math.inf for one in findings)
    return PairReplay(
        change="",
        findings=_first(findings),
        calls=calls,
        parted=parted,
        epsilon=math.inf if unhidden else known * float(f"{costs.spent.epsilon:.8g}"),
        deviations=known * costs.spent.deviations,
        rho=known * costs.spent.rho,
        notes=tuple(dict.fromkeys(notes)),
        seconds=seconds,
    )


def _past_noise(others: Sequence[tuple[Run, Run]]) -> Iterator[str]:
    """Yield what of the data shows in two runs where noise lies far from all data."""
    for one, other in others:
        if isinstance(one.output, Raised) or isinstance(other.output, Raised):
            if one.output != other.output:
                yield "under noise far from the data, whether it raises depends on the data"
            continue
        seen = seen_in(one.tape, other.tape, one.output, other.output, [one.output])
        for words in [*(one.words for one in seen.mismatches), *seen.plain][:MOST_SHOWN]:
            yield f"{words}, under the same noise far from the data"


def _first(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return findings, of those of one kind at one line the first."""
    kept: dict[tuple[str, str, int], Finding] = {}
    for one in findings:
        kept.setdefault((one.kind, one.file, one.line), one)
    return tuple(kept.values())


def _parted(first: Run, second: Run) -> Parted | None:
    found = parting(first.trace, second.trace)
    if found is None:
        return None
    made = sum(1 for at in first.tape.lines_at_call if at <= found.at)
    return Parted(found.after or NOWHERE, found.d or NOWHERE, found.d_prime or NOWHERE, made)


def _of_exception(output: Any, output_prime: Any, parted: Parted | None) -> Finding:
    said = []
    for name, one in (("D", output), ("D′", output_prime)):
        said.append(f"under {name} it {one.words() if isinstance(one, Raised) else 'answers'}")
    raised = output if isinstance(output, Raised) else output_prime
    file, line = raised.frames[-1][:2] if raised.frames else ("", 0)
    if parted is not None and parted.after.file:
        file, line = parted.after.file, parted.after.line
    event = f"that it raises {raised.kind}"
    return Finding(FindingKind.EXCEPTION, "; ".join(said), file, line, event, math.inf)


def _call_of(variable: int, variables: Variables, tape: Tape) -> Call | None:
    number = int(variables.call[variable]) if 0 <= variable < variables.call.size else -1
    return tape.calls[number] if number >= 0 else None


def _of_variable(
    kind: FindingKind, variable: int, words: str, variables: Variables, tape: Tape
) -> Finding:
    call = _call_of(variable, variables, tape)
    what = f"{call.site.words()}: what {call.name} protects" if call else "a noisy number"
    site = place(call.site) if call else place()
    return Finding(kind, f"{what}: {words}", event=_EVENTS[kind], cost=math.inf, **site)


def _contradictions(rows: Rows, costs: Costs, variables: Variables, tape: Tape) -> list[Finding]:
    """Return a finding for each demand that no shift of noise meets."""
    found = []
    both = np.unique(np.concatenate([one.contradictory for one in costs.shifts]))
    uses = np.bincount(rows.variables, minlength=variables.call.size)
    for row in both.tolist():
        held = rows.variables[rows.rows == row]
        for variable in held.tolist():
            call = _call_of(variable, variables, tape)
            if call is None:
                continue
            where = f"{call.site.words()}: {call.name}"
            if call.family in ONE_SIDED and held.size == 1 and uses[variable] == 1:
                kind, event = FindingKind.OUTPUT, "that the output lies below its least value"
                words = f"{where} is one-sided noise, and its input moves: an output below it tells"
            else:
                kind, event = FindingKind.REUSED, "the difference of the noisy values"
                words = f"{where}: one draw protects several numbers that move apart: their "
                words += "difference is released without noise"
            found.append(Finding(kind, words, event=event, cost=math.inf, **place(call.site)))
    return found
