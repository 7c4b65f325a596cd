"""The catalogue's mechanisms as programs: decided as recorded, and no audit certifies more."""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction

from benchmarks.prove_catalogue import ENTRIES, Entry, not_written
from benchmarks.prove_losses import loss_of, more_than
from provado.audit import audit
from provado.mechanisms import BoundedAnswers, Verdict
from provado.mechanisms.programs import Program
from provado.proofs import kernel
from provado.proofs.programs.decide import ProgramDecision, decide
from provado.proofs.programs.probability.output_probability import NUMBER, Event

SAMPLES, CONFIDENCE = 20_000, 1 - 1e-6
"""Of each audit: at 95 % one in twenty bounds may lie above an ε that is reached."""


def decided(entry: Entry) -> tuple[ProgramDecision, str]:
    """Return the decision on an entry's claim, and the verdict with the event of whole noise.

    A sound one is claimed for all values of its parameters but the cut-off; a broken one at those
    of the catalogue, at which it is refuted.
    """
    if entry.mechanism.expected is Verdict.VIOLATION:
        values = {name: exact(value) for name, value in entry.given().items()}
        found = decide(
            entry.program,
            epsilon=exact(entry.epsilon),
            neighbors=entry.neighbors,
            sensitivity=entry.sensitivity,
            parameters=values,
        )
        whole = found.verdict == "undecided" and by_an_event(entry) is not None
        return found, "refuted" if whole else str(found.verdict)
    if entry.finite:
        found = decide(entry.program, epsilon=entry.claim, **entry.finite)
        return found, str(found.verdict)
    found = decide(
        entry.program,
        epsilon=entry.claim,
        neighbors=entry.neighbors,
        sensitivity=entry.sensitivity,
    )
    return found, str(found.verdict)


def by_an_event(entry: Entry) -> kernel.Checked | None:
    """Return the kernel's finding that telling the answers themselves refutes the claim.

    For whole noise on each answer, of which ``decide`` tries no events.
    """
    pair = [entry.data(data) for data in entry.neighbors_of()]
    d, d_prime = (tuple(v) if isinstance(v, list) else (v,) for v in pair)
    event = Event((NUMBER,) * len(d), tuple((Fraction(v), Fraction(v)) for v in d))
    values = {name: exact(value) for name, value in entry.given().items()}
    one = loss_of(entry.program, (d, d_prime), event, parameters=values, rate=None)
    try:
        return more_than(one, exact(entry.epsilon), Fraction(1))
    except kernel.KernelRefusal:
        return None


def certified(entry: Entry) -> float:
    """Return what an audit of the program certifies on the entry's neighbors."""
    pair = [entry.data(data) for data in entry.neighbors_of()]
    result = audit(
        Program(entry.program, **entry.given()),
        epsilon=entry.mechanism.promise.epsilon,  # type: ignore[attr-defined]
        pair=(pair[0], pair[1]),
        relation=BoundedAnswers(sensitivity=float(max(entry.sensitivity, 9))),
        samples=SAMPLES,
        confidence=CONFIDENCE,
        seed=7,
    )
    return float(result.epsilon_lower)


def exact(value: float) -> Fraction:
    """Return a number as it is written."""
    return Fraction(repr(value))


def mechanisms() -> Iterator[tuple[str, bool]]:
    """Yield the table's lines, each with whether its bar is met."""
    yield "| mechanism | program | decided | recorded | certified | seconds |", True
    yield "|---|---|---|---|---|---|", True
    for entry in ENTRIES:
        start = time.process_time()
        _, verdict = decided(entry)
        seconds = time.process_time() - start
        broken = entry.mechanism.expected is Verdict.VIOLATION
        found = certified(entry)
        most = entry.mechanism.true_epsilon if broken else entry.mechanism.promise.epsilon  # type: ignore[attr-defined]
        right = verdict == ("refuted" if broken else "proved") and (most is None or found <= most)
        against = "exact" if broken else "proved"
        yield (
            f"| {entry.name} | {entry.program.__name__} | {verdict} | {entry.mechanism.expected} | "
            f"{found:.3f} ≤ {most:.4g} ({against}) | {seconds:.1f} |",
            right,
        )
    left = not_written()
    yield "", True
    reasons: dict[str, list[str]] = {}
    for name, reason in left.items():
        reasons.setdefault(reason, []).append(name)
    yield f"{len(ENTRIES)} of the catalogue's mechanisms are written; {len(left)} cannot be:", True
    yield "", True
    for reason, names in reasons.items():
        yield f"- {reason}: {', '.join(names)}", bool(reason)
