"""A decision about a program in words: the verdict first, then what it rests on."""

import math
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
        lines += ["  Assumptions:", *(f"    - {one}" for one in RESTS_ON)]
    elif exact := exact_lines(decision):
        lines += [f"  {line}" for line in (*exact, *run_beside(decision))]
        if decision.exact_delta is None:
            lines.append(f"  Assumption: {RESTS_ON[0]}.")
        else:
            lines += ["  Assumptions:", *(f"    - {one}" for one in INTEGRALS_REST_ON)]
    else:
        lines.append(f"  Reason: {decision.reason}.")
    return "\n".join(lines)


def run_beside(decision: ProgramDecision) -> list[str]:
    """Return how often the function was run beside what was read of it, if it was."""
    found = decision.agreement
    if found is None or found.difference:
        return []
    runs, paths = counted(found.runs, "run"), counted(found.paths, "path")
    return [f"Beside the function, {runs} of what was read agreed, on {found.taken} of {paths}."]


def repair_words(found: Repair | Failure, claimed: str) -> list[str]:
    """Return what was proved in place of the claim, and the scales with which it would be."""
    if isinstance(found, Failure):
        return [
            "Repair: none. Multiplying the noise scales gives no proof, whatever the factor: "
            f"{found.reason}."
        ]
    lines = [f"Repair: the least multiple of {claimed} that was proved is {found.factor}."]
    if not found.needed:
        return [*lines, "Nothing needs to be changed."]
    lines.append("With these noise scales the claim would hold by the same shifts:")
    return lines + [f"  line {line}: {old} → {new}" for line, old, new in found.changes]


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


def every_multiple(found: PumpedCounterexample) -> str:
    """Return what a pump refutes all of: the multiples of a parameter, or all ε."""
    return "ε" if found.multiple_of is None else f"multiple of {found.multiple_of}"


def period_rows(found: PumpedCounterexample) -> list[tuple[str, str, str]]:
    """Return the data of the first three periods: which they are, on q and on q′."""
    pump, count = found.pump, len(found.pump.before[0])
    d, d_prime = (list(map(str, side)) for side in pump.data(3))
    rows = [("before", *one) for one in zip(d[:count], d_prime[:count], strict=True)]
    for k, one in enumerate(zip(d[count:], d_prime[count:], strict=True)):
        rows.append((f"period {k // len(pump.period[0]) + 1}", *one))
    return rows


def _pump(found: PumpedCounterexample) -> Iterator[str]:
    pump, said = found.pump, found.finding.evidence.chances
    d, d_prime = (", ".join(map(str, side)) for side in pump.period)
    first, then = (", ".join(map(str, side)) for side in pump.before)
    given = "".join(f"; {name} = {value}" for name, value in found.parameters)
    before = f", after ({first}) and ({then})" if first else ""
    drift = f", each time {pump.drift} higher" if pump.drift else ""
    yield f"Repeat the answers ({d}) of q and ({d_prime}) of q′ m times{drift}{before}{given}."
    begins = f" {pump.begins.words()} and then has" if pump.begins.kinds else ""
    yield f"Let S_m be: the output begins with{begins} m times {pump.repeats.words()}."
    start, chance, factor, *cells = (kernel.sum_enclosure(one)[0] for one in said)
    most = max(cells)
    yield (
        f"Then Pr[S_m | q] ≥ {float(start):.4g}·{float(chance):.6g}^m and Pr[S_m | q′] ≤ "
        f"{float(factor):.4g}·{float(most):.6g}^m."
    )
    grows = math.log(chance / most)
    claimed, answers = float(found.finding.evidence.epsilon), len(pump.data(found.periods)[0])
    yield (
        f"The loss grows by at least {grows:.4g} with each period, so that no "
        f"{every_multiple(found)} is enough; with m = {found.periods}, {answers} answers, it "
        f"exceeds {claimed:g}."
    )
    count = 1 + sum(len(findings) for _, findings in found.findings)
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
    count = sum(len(findings) for _, findings in proof.findings)
    return f"The kernel checked {len(proof.findings)} conditions ({count} certificates)"


def shifts(proof: Proof) -> list[str]:
    """Return by how much each draw is shifted, in words."""
    by_place = shifts_by_place(proof).items()
    return [f"line {line}, {text}: {'; '.join(said)}" for (line, text), said in by_place]


def shifts_by_place(proof: Proof) -> dict[tuple[int, str], list[str]]:
    """Return by how much each draw is shifted, in words, by its line and its words there."""
    alignment, ways = proof.alignment, proof.claim.ways
    found: dict[tuple[int, str], list[str]] = {}
    for (start, case, number, site), _ in sorted(alignment.shifts.items()):
        way = ways.of[start][number]
        draw = next(d for d in way.draws if d.site == site)
        shift = alignment.shift_of(way, number, case, draw).words()
        told = [tag.replace("constant ", "") for tag, form in way.told if form is None]
        told += ["a number"] * any(form is not None for _, form in way.told)
        of_data = [w for w, a in ways.data_cases[start].items() if {*a} <= {*way.atoms}]
        said = f"{shift}{_when(case, ', '.join(told), max(of_data, key=len))}"
        here = found.setdefault(ways.program.places[site - 1], [])
        if said not in here:
            here.append(said)
    return found


def _when(case: str, told: str, first: str) -> str:
    parts = [f"the output is {told}"] if told else []
    names = ("before the answer that is released", "at the answer that is released", "after it")
    if case:
        parts.append(names[CASES.index(case)] if case in CASES else f"{first} on q, {case} on q′")
    return f" when {', '.join(parts)}" if parts else ""


def _finite(decision: ProgramDecision) -> Iterator[str]:
    found = decision.finite
    assert found is not None
    name = found.rate or ""
    if decision.scope:
        yield f"for {decision.scope}"
    exact = exact_epsilon(found)
    if isinstance(found, FiniteProof):
        yield f"The exact ε is {exact},"
        one = found.worst[0]
        d, d_prime = (", ".join(map(str, data)) for data in (one.d, one.d_prime))
        yield f"between ({d}) and ({d_prime}), where {one.event.words()} is released."
        count = len(found.findings) + len(found.above)
        yield (
            f"{counted(found.datasets, 'dataset')}, {counted(found.outputs, 'output')}, "
            f"{counted(count, 'sign')} decided by the kernel."
        )
        return
    one = found.quotient
    d, d_prime = (", ".join(map(str, data)) for data in (one.d, one.d_prime))
    at = f", {name} = {found.at}" if found.rate else ""
    yield f"Let the data be ({d}) and ({d_prime}){at}. Let S be: the output is {one.event.words()}."
    if not one.bottom:
        yield "S cannot happen on the second: no ε is enough."
    else:
        yield (
            f"The loss is {one.words(name)}, {found.loss:.6g} there, where "
            f"{float(found.claimed):g} is claimed."
        )
        yield f"The exact ε is {exact}."
    yield f"Decided by the kernel: {found.finding.statement}."


def _exact_delta(decision: ProgramDecision) -> Iterator[str]:
    found = decision.exact_delta
    assert found is not None
    if decision.scope:
        yield f"for {decision.scope}"
    d, d_prime = (", ".join(map(str, data)) for data in (found.d, found.d_prime))
    said = between(found)
    if found.refuted:
        yield f"Let the data be ({d}) and ({d_prime})."
        shown = " or ".join(event.words() for event in found.events[:MOST_EVENTS])
        more = len(found.events) - MOST_EVENTS
        others = f" or one of {more} other outputs that the document lists" if more > 0 else ""
        yield f"Let S be: the output is {shown}{others}."
        yield f"Pr[S | D] − e^ε·Pr[S | D′] is {said}, where {decision.delta} is claimed."
    else:
        yield f"The exact δ is {said},"
        yield f"for ({d}) and ({d_prime})."
    yield (
        f"Pairs: {found.pairs}; outputs: {found.outputs}; integrals enclosed by FLINT: "
        f"{found.integrals}."
    )


def ends(found: ExactDelta) -> tuple[str, str]:
    """Return the ends between which an exact δ lies, rounded outward."""
    return _rounded(found.low, up=False), _rounded(found.high, up=True)


def between(found: ExactDelta) -> str:
    """Return between which ends an exact δ lies, in words."""
    low, high = ends(found)
    return low if low == high else f"between {low} and {high}"


def _rounded(value: Fraction, *, up: bool) -> str:
    found = rounded(value, 12, up=up)
    return f"{found.normalize():g}" if found else "0"


def exact_epsilon(found: FiniteProof | FiniteCounterexample) -> str:
    """Return the exact ε as a formula in the parameter."""
    terms = list(dict.fromkeys(one.words(found.rate or "") for one in found.worst))
    return terms[0] if len(terms) == 1 else f"the largest of {', '.join(terms)}"


def _counterexample(found: Counterexample) -> Iterator[str]:
    d, d_prime = (", ".join(map(str, one)) for one in (found.d, found.d_prime))
    given = ", ".join(f"{name} = {value}" for name, value in found.parameters)
    yield f"Let q = ({d}) and q′ = ({d_prime}){f', {given}' if given else ''}."
    yield f"Let S be: the output is {found.event.words()}."
    p, p_prime = found.chances
    yield f"Then Pr[S | q] = {p!r} and Pr[S | q′] = {p_prime!r}."
    if found.unbounded:
        yield "S cannot happen on q′: no ε is enough."
    else:
        yield (
            f"The loss is ln of their ratio, {found.loss:.6g}, where {float(found.epsilon):g} is "
            "claimed."
        )
    yield f"Replayed by the kernel ({'; '.join(found.finding.assumptions)})."


def loss(found: Counterexample) -> float:
    """Return the loss, which may be infinite."""
    return math.inf if found.unbounded else found.loss
