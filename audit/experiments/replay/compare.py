"""From the records of two runs to findings: what depends on the data though the noise is frozen.

Some of it no noise hides, such as outputs that differ nevertheless; some could not be judged.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.audit.experiments.replay.alignment import ONE_SIDED, Demands, rows_of
from provado.audit.experiments.replay.released_forms import ReleasedForms, seen_in
from provado.audit.options.request import PrivacyClaim
from provado.audit.target.exceptions import Raised

from .costs import Costs, above_claim, call_table, costs_of, declared
from .match_draws import (
    MatchedDraws,
    Variables,
    is_coin,
    is_fixed,
    matched_draws,
    repeated_noise,
    variables_of,
)
from .record.recording import DERIVED, NOWHERE, Call, Tape, Trace, diverging_lines
from .result import Divergence, Finding, FindingKind, PairReplay, place, unhidden

_EVENTS = {
    FindingKind.NAN: "that the output is not a finite number",
    FindingKind.SCALE: "the spread of the output",
    FindingKind.OUTPUT: "where the output lies",
}


@dataclass(frozen=True, eq=False)
class RecordedRun:
    """One run: its output or what it raised, and what it drew and executed.

    unseen: what drew noise without being recorded, in words.
    """

    output: Any
    tape: Tape
    trace: Trace
    unseen: tuple[str, ...]
    seconds: float


def judge(
    first: RecordedRun,
    second: RecordedRun,
    claim: PrivacyClaim,
    others: Sequence[tuple[RecordedRun, RecordedRun]] = (),
    again: Sequence[RecordedRun | None] = (),
    reseeded: RecordedRun | None = None,
) -> PairReplay:
    """Return what two runs under the same noise differ in.

    others: the same two runs under other noise, which lies far from the data. again: the first run
    under other noise, with the comparisons that it made; None where it raises. reseeded: the first
    run under another seed.
    """
    divergence, seconds = _divergence(first, second), (first.seconds, second.seconds)
    notes = [*dict.fromkeys((*first.unseen, *second.unseen))]
    if first.tape.full or second.tape.full:
        notes.append("a run made more noisy numbers than are followed; its later ones were not")
    raised = [isinstance(run.output, Raised) for run in (first, second)]
    if all(raised) and first.output == second.output:
        return PairReplay("", divergence=divergence, reason=first.output.words(), seconds=seconds)
    other_seed = None if reseeded is None else reseeded.tape
    draws = matched_draws(first.tape, second.tape, other_seed)
    if any(raised):
        findings = [_of_exception(first.output, second.output, divergence)]
        findings += [finding for finding in draws.findings if finding.kind is not FindingKind.DRAWS]
        calls = call_table(draws)
        return PairReplay(
            *("", _first(findings), calls, divergence),
            epsilon=math.inf,
            notes=tuple(notes),
            seconds=seconds,
        )
    variables = variables_of(first.tape, second.tape)
    outputs = [far.output for far, _ in others if not isinstance(far.output, Raised)]
    repeated = [(run.tape, run.output) for run in again if run is not None]
    seen = seen_in(first.tape, second.tape, first.output, second.output, outputs, repeated)
    if len(repeated) < len(again):
        seen.notes.append("the program raises under other noise, so that not all is followed")
    told: list[tuple[FindingKind, int, str]] = []
    rows = rows_of(seen, variables, told)
    costs = costs_of(draws, rows, variables, (variable for _, variable, _ in told))
    moved = [shift.variables[np.abs(shift.shift) > 1e-9].tolist() for shift in costs.shifts]
    unknown = unjudged(draws, seen, set(costs.shifts[0].variables.tolist()), {*moved[0], *moved[1]})
    costs.by_call.update(dict.fromkeys(unknown, math.nan))
    calls = call_table(draws, variables, costs)
    findings = [*draws.findings]
    findings += [_of_variable(*item, variables, first.tape) for item in told]
    findings += _contradictions(rows, costs, variables, first.tape)
    findings += _of_repeated_noise(costs, variables, first.tape)
    findings += declared(calls)
    dear = above_claim(calls, costs, claim, findings)
    found, more = by_chance(dear, draws, costs.by_call)
    findings, notes = [*findings, *found], [*notes, *more]
    derived = [item for item in moved[0] if variables.family[item] == DERIVED]
    found, more = of_derived(derived, first.tape, second.tape)
    findings, notes = [*findings, *found], [*notes, *more]
    found, more = of_output(seen, findings, draws, divergence)
    findings, notes = [*findings, *found], [*notes, *draws.notes, *more]
    notes += [] if findings else _of_constant_coins(rows, variables, first.tape)
    notes += [] if findings else _of_plain_coins(draws)
    if other_seed is not None:
        findings += _of_fixed_noise(draws, {*moved[0], *moved[1]}, other_seed)
    notes += [*seen.notes, *unknown.values(), *(() if findings else _past_noise(others))]
    known = math.nan if notes else 1.0
    unhidden = any(finding.cost == math.inf for finding in findings)
    return PairReplay(
        difference="",
        findings=_first(findings),
        calls=calls,
        divergence=divergence,
        epsilon=math.inf if unhidden else known * float(f"{costs.spent.epsilon:.8g}"),
        deviations=known * costs.spent.deviations,
        rho=known * costs.spent.rho,
        notes=tuple(dict.fromkeys(notes)),
        seconds=seconds,
    )


def _past_noise(others: Sequence[tuple[RecordedRun, RecordedRun]]) -> Iterator[str]:
    """Yield what of the data shows in two runs where noise lies far from all data."""
    for one, other in others:
        if isinstance(one.output, Raised) or isinstance(other.output, Raised):
            if one.output != other.output:
                yield "under noise far from the data, whether it raises depends on the data"
            continue
        seen = seen_in(one.tape, other.tape, one.output, other.output, [one.output])
        for words in [*(mismatch.words for mismatch in seen.mismatches), *seen.plain][:MOST_SHOWN]:
            yield f"{words}, under the same noise far from the data"


def _first(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return findings, of those of one kind at one line the first."""
    kept: dict[tuple[str, str, int], Finding] = {}
    for finding in findings:
        kept.setdefault((finding.kind, finding.file, finding.line), finding)
    return tuple(kept.values())


def _divergence(first: RecordedRun, second: RecordedRun) -> Divergence | None:
    result = diverging_lines(first.trace, second.trace)
    if result is None:
        return None
    shared, sites = result
    return Divergence(*sites, sum(at <= shared for at in first.tape.lines_at_call))


def _of_exception(output: Any, output_prime: Any, divergence: Divergence | None) -> Finding:
    did = [one.words() if isinstance(one, Raised) else "answers" for one in (output, output_prime)]
    sentence = f"under D it {did[0]}; under D′ it {did[1]}"
    raised = output if isinstance(output, Raised) else output_prime
    file, line = raised.frames[-1][:2] if raised.frames else ("", 0)
    if divergence is not None and divergence.after.file:
        file, line = divergence.after.file, divergence.after.line
    event = f"that it raises {raised.kind}"
    return Finding(FindingKind.EXCEPTION, sentence, file, line, event, math.inf)


def _of_fixed_noise(draws: MatchedDraws, moved: set[int], reseeded: Tape) -> Iterator[Finding]:
    """Yield the noise that hides a move and was the same under another seed."""
    for call, _ in draws.matched:
        here = range(call.first, call.first + int(np.size(call.value)))
        if not moved.isdisjoint(here) and is_fixed(call, reseeded.call_at(call.key, call.count)):
            words = f"{call.site.words()}: {call.name} gave the same number in two runs under "
            words += "different seeds: its own seed is fixed, or changes rarely, and who knows it "
            words += "can remove the noise"
            yield unhidden(FindingKind.SEED, words, call.site, "any output: its noise is known")


def _call_of(variable: int, variables: Variables, tape: Tape) -> Call | None:
    number = int(variables.call[variable]) if 0 <= variable < variables.call.size else -1
    return tape.calls[number] if number >= 0 else None


def _of_variable(
    kind: FindingKind, variable: int, words: str, variables: Variables, tape: Tape
) -> Finding:
    call = _call_of(variable, variables, tape)
    what = (
        f"{call.site.words()}: the number that {call.name} protects" if call else "a noisy number"
    )
    return unhidden(kind, f"{what}: {words}", call.site if call else NOWHERE, _EVENTS[kind])


def _contradictions(rows: Demands, costs: Costs, variables: Variables, tape: Tape) -> list[Finding]:
    """Return a finding for each demand that no shift of noise meets."""
    result = []
    both = np.unique(np.concatenate([shift.contradictory for shift in costs.shifts]))
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
                words = f"{where} is one-sided noise, and its input moves: an output below it"
                words += " reveals which dataset it was"
            else:
                kind, event = FindingKind.REUSED, "the difference of the noisy values"
                words = f"{where}: one draw protects several numbers that move apart: their "
                words += "difference is released without noise"
            result.append(unhidden(kind, words, call.site, event))
    return result


def _of_repeated_noise(costs: Costs, variables: Variables, tape: Tape) -> Iterator[Finding]:
    """Yield the calls that drew the noise of another, where the two hide different moves."""
    known = set(costs.shifts[0].variables.tolist())
    for one, other in repeated_noise(tape):
        if not {one, other} <= known:
            continue
        calls = [_call_of(variable, variables, tape) for variable in (one, other)]
        if calls[0] is None or calls[1] is None:
            continue
        units = [
            math.fsum(shifts.shift[shifts.variables == variable]) / variables.scale[variable]
            for shifts in costs.shifts
            for variable in (one, other)
        ]
        if np.allclose(units[::2], units[1::2], atol=1e-9):
            continue
        words = f"{calls[1].site.words()}: {calls[1].name} draws the same noise as {calls[0].name} "
        words += f"at {calls[0].site.words()}, and the two protect numbers that move apart: their "
        words += "difference is released without noise. Was a generator copied, set back, or made "
        words += "twice of one seed?"
        event = "the difference of the noisy values"
        yield unhidden(FindingKind.REUSED, words, calls[1].site, event)


_FOLLOWS = {FindingKind.DRAWS, FindingKind.SHAPE, FindingKind.SEED, FindingKind.DOMAIN}
"""Where noise is other noise, outputs differ of course."""

MOST_SHOWN = 3
"""Places of an output that are named."""


def of_output(
    seen: ReleasedForms,
    findings: Sequence[Finding],
    draws: MatchedDraws,
    divergence: Divergence | None,
) -> tuple[list[Finding], list[str]]:
    """Return findings on outputs that differ though all noise is frozen, and notes on others."""
    if any(finding.kind in _FOLLOWS for finding in findings):
        return [], []
    site = divergence.after if divergence is not None else NOWHERE
    result = [
        Finding(item.kind, f"{item.words}, under the same noise", event=item.words, **place(site))
        for item in seen.mismatches
    ]
    coins = [call for call, _ in draws.matched if is_coin(call)]
    notes = list[str]()
    for words in seen.plain[:MOST_SHOWN]:
        if coins:
            names = ", ".join(dict.fromkeys(f"{c.name} at {c.site.words()}" for c in coins))
            notes.append(
                f"{words}, with the coins as they fell ({names}): of a program that chooses by a "
                "coin whether to tell the truth, one run shows no more"
            )
        else:
            sentence = f"{words}, though all noise is the same"
            result.append(unhidden(FindingKind.OUTPUT, sentence, site, words))
    return result, notes


def by_chance(
    findings: Sequence[Finding], draws: MatchedDraws, by_call: Mapping[int, float]
) -> tuple[list[Finding], list[str]]:
    """Return findings on costs as notes where coins were tossed that cost nothing themselves.

    A subsample makes what is done with it cheaper, and by how much does not show in two runs.
    """
    coins = [call for call, _ in draws.matched if is_coin(call) and not by_call.get(call.number)]
    if not coins:
        return [*findings], []
    names = ", ".join(dict.fromkeys(f"{coin.name} at {coin.site.words()}" for coin in coins))
    return [], [
        f"{item.words}; but coins were tossed ({names}), and a subsample, or a coin, may make it "
        "cheaper than it looks in one run"
        for item in findings
    ]


def _of_constant_coins(rows: Demands, variables: Variables, tape: Tape) -> Iterator[str]:
    """Yield the coins whose chances no data move: what comes of the other side, no run shows."""
    for variable, at, at_prime, _ in rows.chances:
        call = _call_of(variable, variables, tape)
        if call is not None and 0 < at < 1 and math.isclose(at, at_prime, rel_tol=1e-9):
            yield (
                f"{call.site.words()}: {call.name} decides as a coin, and what the program does "
                "where it falls on the other side is not followed"
            )


def _of_plain_coins(draws: MatchedDraws) -> Iterator[str]:
    """Yield the coins drawn as plain values, with chances that no data move."""
    for call, _ in draws.matched:
        charged = draws.charged.get(call.number)
        costs = charged is not None and (charged.epsilon != 0 or "diffprivlib" in call.name)
        if is_coin(call) and not call.family and not costs:
            yield (
                f"{call.site.words()}: {call.name} is a plain draw, and what the program does "
                "where it comes out otherwise is not followed"
            )


def of_derived(moved: Sequence[int], first: Tape, second: Tape) -> tuple[list[Finding], list[str]]:
    """Return the findings on derived numbers that data were added to.

    moved: their variables. Where what a number was derived of is noise alone, it is noise made by
    hand; else data were added to a noisy value after it was made.
    """
    findings, notes = list[Finding](), list[str]()
    wanted = set(moved)
    made = [step for step in first.every_step() if step.kind == DERIVED]
    for step in made:
        if wanted.isdisjoint(step.form.variables.tolist()):
            continue
        there = second.steps.get((step.site, DERIVED), ())
        other = there[step.count] if step.count < len(there) else None
        data = other is not None and any(
            a.shape != b.shape or not np.array_equal(a.base, b.base, equal_nan=True)
            for a, b in zip(step.parents, other.parents, strict=False)
        )
        where = step.site.words()
        if data:
            words = f"{where}: data are added, without noise of their own, to a noisy value that "
            words += "was computed here"
            event = "where the output lies"
            findings.append(unhidden(FindingKind.OUTPUT, words, step.site, event))
        else:
            notes.append(
                f"{where}: this noise is computed by hand, so that its scale and what it costs are "
                "not known; noise(scale=…) marks a function that adds it"
            )
    return findings, notes


def unjudged(
    draws: MatchedDraws, seen: ReleasedForms, judged: set[int], moved: set[int]
) -> dict[int, str]:
    """Return of each call whose cost is not known, by its number, why.

    judged: noise variables that were released or compared; moved: those that have to hide a move.
    """
    notes = dict[int, str]()
    for call, _ in draws.matched:
        where = f"{call.site.words()}: {call.name}"
        if call.first < 0:
            known = draws.charged.get(call.number)
            if known is not None and known.epsilon is None and known.rho is None:
                notes[call.number] = f"{where}: what it costs is not known {known.words}".rstrip()
            continue
        here = set(range(call.first, call.first + int(np.size(call.value))))
        # Of an array that is followed to all of the output, the rest was left out.
        left_out = seen.followed and not here.isdisjoint(judged)
        if call.family == "other" or (call.family == "uniform" and not moved.isdisjoint(here)):
            why = f"{where}: the cost of such noise is not known; noise(scale=…) marks it"
            notes[call.number] = why
        elif call.family != "uniform" and not (left_out or here <= judged):
            lost = "is not followed to an output"
            if call.family == "gaussian":
                lost = "is compared alone or not followed to an output"
            notes[call.number] = f"{where}: its noise {lost}, so that its cost is not known"
    return notes
