"""A decision about a program in words: the verdict first, then what it rests on."""

import math
import re
from collections.abc import Iterator
from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.programs.alignment.conditions import CASES
from provado.proofs.programs.alignment.prove import Failure, Proof
from provado.proofs.programs.decide import ProgramDecision
from provado.proofs.programs.probability.finite_data import FiniteCounterexample, FiniteProof
from provado.proofs.programs.probability.finite_delta import ExactDelta
from provado.proofs.programs.refutation.pump import PumpedCounterexample
from provado.proofs.programs.refutation.refute import Counterexample
from provado.proofs.programs.repair import Repair
from provado.proofs.sensitivity.trace.interval import rounded
from provado.reports.text.formatting import counted

RESTS_ON = (
    "real numbers instead of floating point",
    "how the program is read (proofs/programs: parse, symbolic_execution)",
    "that the conditions are enough (proofs/programs/alignment/conditions.py, with the argument)",
)
"""What a proof takes for granted."""

INTEGRALS_REST_ON = (
    *RESTS_ON[:2],
    "enclosures of integrals by FLINT, which the kernel does not check",
    "how they make up δ (proofs/programs: finite_delta, domain_delta, noise_integrals)",
)
"""What an exact δ takes for granted."""

MOST_EVENTS = 6
"""Outputs of a counterexample with δ that are printed; the document has all."""


def words(decision: ProgramDecision) -> str:
    """Return the decision as the command line prints it."""
    lines = [f"{decision.name}: {decision.verdict}{for_every(decision)} ({decision.claimed})"]
    lines.append(f"  neighbors: {decision.relation}")
    if decision.proofs:
        lines.append(f"  for all data, any number of queries, {decision.scope or 'as it is'}")
        lines += [f"  {line}" for proof in decision.proofs for line in _proof(proof)]
        lines += [f"  {line}" for line in run_beside(decision)]
        lines += ["  Assumptions:", *(f"    - {text}" for text in RESTS_ON)]
    elif exact := exact_lines(decision):
        lines += [f"  {line}" for line in (*exact, *run_beside(decision))]
        if decision.exact_delta is None:
            lines.append(f"  Assumption: {RESTS_ON[0]}.")
        else:
            lines += ["  Assumptions:", *(f"    - {text}" for text in INTEGRALS_REST_ON)]
    else:
        lines.append(f"  Reason: {decision.reason}.")
    return "\n".join(lines)


def run_beside(decision: ProgramDecision) -> list[str]:
    """Return how often the function was run beside what was read of it, if it was."""
    result = decision.agreement
    if result is None or result.difference:
        return []
    runs, paths = counted(result.runs, "run"), counted(result.paths, "path")
    taken = f"{result.taken} of {paths}"
    return [f"{runs} of the function agreed with what was read of it, on {taken}."]


def repair_words(repair: Repair | Failure, claimed: str) -> list[str]:
    """Return what was proved in place of the claim, and the scales with which it would be."""
    if isinstance(repair, Failure):
        return [
            "Repair: none. Multiplying the noise scales gives no proof, whatever the factor: "
            f"{repair.reason}."
        ]
    lines = [f"Repair: the least multiple of {claimed} that was proved is {repair.factor}."]
    if not repair.needed:
        return [*lines, "Nothing needs to be changed."]
    lines.append("With these noise scales the claim would hold by the same shifts:")
    return lines + [f"  line {line}: {old} → {new}" for line, old, new in repair.changes]


def exact_lines(decision: ProgramDecision) -> list[str]:
    """Return what exact probabilities show, line by line; nothing where none were computed."""
    if decision.finite is not None:
        return list(_finite(decision))
    lines: list[str] = [] if decision.exact_delta is None else list(_exact_delta(decision))
    if decision.counterexample is not None:
        lines += _counterexample(decision.counterexample)
    if decision.pump is not None:
        lines += _pump(decision.pump)
    return lines


def for_every(decision: ProgramDecision) -> str:
    """Return of a pump that it refutes more than the claim; nothing without one."""
    return "" if decision.pump is None else f", for every {every_multiple(decision.pump)}"


def every_multiple(counterexample: PumpedCounterexample) -> str:
    """Return what a pump refutes all of: the multiples of a parameter, or all ε."""
    return (
        "ε" if counterexample.multiple_of is None else f"multiple of {counterexample.multiple_of}"
    )


def period_rows(counterexample: PumpedCounterexample) -> list[tuple[str, str, str]]:
    """Return the data of the first three periods: which they are, on q and on q′."""
    pump, count = counterexample.pump, len(counterexample.pump.before[0])
    d, d_prime = (list(map(str, side)) for side in pump.data(3))
    rows = [("before", *item) for item in zip(d[:count], d_prime[:count], strict=True)]
    for k, element in enumerate(zip(d[count:], d_prime[count:], strict=True)):
        rows.append((f"period {k // len(pump.period[0]) + 1}", *element))
    return rows


def _pump(counterexample: PumpedCounterexample) -> Iterator[str]:
    pump, said = counterexample.pump, counterexample.finding.evidence.chances
    d, d_prime = (", ".join(map(str, side)) for side in pump.period)
    first, then = (", ".join(map(str, side)) for side in pump.before)
    given = "".join(f"; {name} = {value}" for name, value in counterexample.parameters)
    before = f", after ({first}) and ({then})" if first else ""
    drift = f", each time {pump.drift} higher" if pump.drift else ""
    yield f"Repeat the answers ({d}) of q and ({d_prime}) of q′ m times{drift}{before}{given}."
    begins = f" {pump.begins.words()} and then has" if pump.begins.kinds else ""
    yield f"Let S_m be: the output begins with{begins} m times {pump.repeats.words()}."
    start, chance, factor, *cells = (kernel.sum_enclosure(item)[0] for item in said)
    most = max(cells)
    yield (
        f"Then Pr[S_m | q] ≥ {float(start):.4g}·{float(chance):.6g}^m and Pr[S_m | q′] ≤ "
        f"{float(factor):.4g}·{float(most):.6g}^m."
    )
    grows = math.log(chance / most)
    claimed, periods = float(counterexample.finding.evidence.epsilon), counterexample.periods
    yield (
        f"The loss grows by at least {grows:.4g} with each period, so that no "
        f"{every_multiple(counterexample)} is enough; with m = {periods}, "
        f"{counted(len(pump.data(periods)[0]), 'answer')}, it exceeds {claimed:g}."
    )
    count = 1 + sum(len(findings) for _, findings in counterexample.findings)
    yield (
        f"The kernel checked {counted(count, 'certificate')} of its windows and {len(cells)} "
        f"cell{'s' * (len(cells) > 1)} (proofs/programs/refutation/pump.py)."
    )


def _proof(proof: Proof) -> Iterator[str]:
    claim = proof.claim
    moves = claim.moves.words()
    yield f"Shifting the noise as follows makes the second run produce the same output ({moves}):"
    yield from (f"  {line}" for line in shifts(proof))
    yield f"It costs at most {cost(proof)} ≤ {claim.epsilon.words()}."
    yield f"{checked(proof)}."


def cost(proof: Proof) -> str:
    """Return what the shifts cost at most, as a formula."""
    paid = [
        f"({bound.words()})·({unit.words()})"
        for bound, unit in zip(proof.alignment.bounds, proof.claim.accounts.units, strict=True)
        if bound.terms or bound.constant
    ]
    return " + ".join(paid) or "0"


def checked(proof: Proof) -> str:
    """Return in words how much of a proof the kernel has checked."""
    certificates = counted(sum(len(findings) for _, findings in proof.findings), "certificate")
    return f"The kernel checked {counted(len(proof.findings), 'condition')} ({certificates})"


_SO_FAR = re.compile(r"moved so far \d+")
_MOVED = re.compile(r"moved (answer [at ]*\d+|\w+)")
"""Symbols of a shift: how far a value of the second run is above that of the first."""


def shifts(proof: Proof) -> list[str]:
    """Return by how much each draw is shifted, in words."""
    by_place = shifts_by_place(proof).items()
    return [f"line {line}, {text}: {'; '.join(sentences)}" for (line, text), sentences in by_place]


def shifts_by_place(proof: Proof) -> dict[tuple[int, str], list[str]]:
    """Return by how much each draw is shifted, in words, by its line and its words there."""
    alignment, ways = proof.alignment, proof.claim.ways
    result: dict[tuple[int, str], list[str]] = {}
    for (start, case, number, site), _ in sorted(alignment.shifts.items()):
        way = ways.of[start][number]
        draw = next(d for d in way.draws if d.site == site)
        shift = alignment.shift_of(way, number, case, draw).words()
        shift = _SO_FAR.sub("(sum of all changes so far)", shift)
        shift = _MOVED.sub(r"(change of \1)", shift)
        told = [tag.replace("constant ", "") for tag, form in way.told if form is None]
        told += ["a number"] * any(form is not None for _, form in way.told)
        of_data = [w for w, a in ways.data_cases[start].items() if {*a} <= {*way.atoms}]
        sentence = f"{shift}{_when(case, ', '.join(told), max(of_data, key=len))}"
        here = result.setdefault(ways.program.places[site - 1], [])
        if sentence not in here:
            here.append(sentence)
    return result


def _when(case: str, told: str, first: str) -> str:
    parts = [f"when the output is {told}"] if told else []
    names = ("before the answer that is released", "at the answer that is released", "after it")
    if case:
        parts.append(
            names[CASES.index(case)] if case in CASES else f"when {first} on q, {case} on q′"
        )
    return f" {', '.join(parts)}" if parts else ""


def _finite(decision: ProgramDecision) -> Iterator[str]:
    proof = decision.finite
    assert proof is not None
    name = proof.rate or ""
    if decision.scope:
        yield f"for {decision.scope}"
    exact = exact_epsilon(proof)
    if isinstance(proof, FiniteProof):
        yield f"The exact ε is {exact},"
        quotient = proof.worst[0]
        d, d_prime = (", ".join(map(str, data)) for data in (quotient.d, quotient.d_prime))
        yield f"between ({d}) and ({d_prime}), where {quotient.event.words()} is released."
        count = len(proof.findings) + len(proof.above)
        yield (
            f"{counted(proof.datasets, 'dataset')}, {counted(proof.outputs, 'output')}, "
            f"{counted(count, 'sign')} decided by the kernel."
        )
        return
    quotient = proof.quotient
    d, d_prime = (", ".join(map(str, data)) for data in (quotient.d, quotient.d_prime))
    at = f", {name} = {proof.at}" if proof.rate else ""
    yield (
        f"Let the data be ({d}) and ({d_prime}){at}. "
        f"Let S be: the output is {quotient.event.words()}."
    )
    if not quotient.bottom:
        yield "S cannot happen on the second: no ε is enough."
    else:
        yield (
            f"The loss is {quotient.words(name)}, {proof.loss:.6g} there, where "
            f"{float(proof.claimed):g} is claimed."
        )
        yield f"The exact ε is {exact}."
    yield f"Decided by the kernel: {proof.finding.statement}."


def _exact_delta(decision: ProgramDecision) -> Iterator[str]:
    exact_delta = decision.exact_delta
    assert exact_delta is not None
    if decision.scope:
        yield f"for {decision.scope}"
    d, d_prime = (", ".join(map(str, data)) for data in (exact_delta.d, exact_delta.d_prime))
    sentence = between(exact_delta)
    if exact_delta.refuted:
        yield f"Let the data be ({d}) and ({d_prime})."
        shown = " or ".join(event.words() for event in exact_delta.events[:MOST_EVENTS])
        more = len(exact_delta.events) - MOST_EVENTS
        others = f" or one of {more} other outputs that the document lists" if more > 0 else ""
        yield f"Let S be: the output is {shown}{others}."
        yield f"Pr[S | D] − e^ε·Pr[S | D′] is {sentence}, where {decision.delta} is claimed."
    else:
        yield f"The exact δ is {sentence},"
        yield f"for ({d}) and ({d_prime})."
    yield (
        f"Pairs: {exact_delta.pairs}; outputs: {exact_delta.outputs}; integrals enclosed by FLINT: "
        f"{exact_delta.integrals}."
    )


def ends(exact_delta: ExactDelta) -> tuple[str, str]:
    """Return the ends between which an exact δ lies, rounded outward."""
    return _rounded(exact_delta.low, up=False), _rounded(exact_delta.high, up=True)


def between(exact_delta: ExactDelta) -> str:
    """Return between which ends an exact δ lies, in words."""
    low, high = ends(exact_delta)
    return low if low == high else f"between {low} and {high}"


def _rounded(value: Fraction, *, up: bool) -> str:
    decimal = rounded(value, 12, up=up)
    return f"{decimal.normalize():g}" if decimal else "0"


def exact_epsilon(proof: FiniteProof | FiniteCounterexample) -> str:
    """Return the exact ε as a formula in the parameter."""
    terms = list(dict.fromkeys(quotient.words(proof.rate or "") for quotient in proof.worst))
    return terms[0] if len(terms) == 1 else f"the largest of {', '.join(terms)}"


def _counterexample(counterexample: Counterexample) -> Iterator[str]:
    d, d_prime = (", ".join(map(str, item)) for item in (counterexample.d, counterexample.d_prime))
    given = ", ".join(f"{name} = {value}" for name, value in counterexample.parameters)
    yield f"Let q = ({d}) and q′ = ({d_prime}){f', {given}' if given else ''}."
    yield f"Let S be: the output is {counterexample.event.words()}."
    p, p_prime = counterexample.chances
    yield f"Then Pr[S | q] = {p!r} and Pr[S | q′] = {p_prime!r}."
    if counterexample.unbounded:
        yield "S cannot happen on q′: no ε is enough."
    else:
        yield (
            f"The loss is ln of their ratio, {counterexample.loss:.6g}, where "
            f"{float(counterexample.epsilon):g} is claimed."
        )
    yield f"Replayed by the kernel ({'; '.join(counterexample.finding.assumptions)})."


def loss(counterexample: Counterexample) -> float:
    """Return the loss, which may be infinite."""
    return math.inf if counterexample.unbounded else counterexample.loss
