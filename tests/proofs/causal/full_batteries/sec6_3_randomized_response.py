"""Section 6.3: what randomized response bounds, and what it leaves unbounded."""

from __future__ import annotations

import math

from provado.proofs.causal.definitions import definition_9
from provado.proofs.causal.examples import randomized_response
from provado.proofs.causal.model import Factor
from provado.proofs.ledger.tschantz2022.effects import RESPONSE_RATIOS

from ._finding import Counterexample, Finding

Pairs = dict[str, tuple[Factor, Factor]]


def _finding(claim: str, role: str, expected: Pairs, scope: str) -> Finding:
    """Return a finding from pairs (computed, claimed)."""
    wrong = tuple(
        Counterexample(f"{name}: e^ε is {a}, not {b}", ((name, a),))
        for name, (a, b) in expected.items()
        if a != b
    )
    numbers = tuple((name, a) for name, (a, _) in expected.items())
    return Finding(claim, role, len(expected), scope, wrong, numbers)


def effects(people: int, cause: str, effect: str, claimed: str = "r") -> Pairs:
    """Return e^ε of cause to effect for each ratio r, beside the claimed one."""
    found: Pairs = {}
    for r in RESPONSE_RATIOS:
        claims: dict[str, Factor] = {"r": r, "r^n": r**people, "∞": math.inf}
        model = randomized_response(r, people)
        name = f"{cause} to {effect}, n = {people}, r = {r}"
        found[name] = (definition_9(model, [cause], [effect]).factor, claims[claimed])
    return found


def evidence() -> tuple[Finding, ...]:
    """Compute all effects for up to three people, the first of whom affects the others."""
    scope = "up to three people of two values, all attributes copies of the first; r = 2, 3, 11/10"
    own: Pairs = {}
    out: Pairs = {}
    through: Pairs = {}
    sharp: Pairs = {}
    for n in (1, 2, 3):
        for i in range(1, n + 1):
            own |= effects(n, f"R{i}", f"D{i}")
            out |= effects(n, f"D{i}", "O", "∞")
        through |= effects(n, "R1", "O", "∞")
        sharp |= effects(n, "R1", "O", "r^n")
    return (
        _finding("R_i to D_i is bounded by the noise", "printed", own, scope),
        _finding("D_i to O is unbounded where O lists the D_i", "printed", out, scope),
        _finding(
            "R_i to O is unbounded as the R_i may affect one another", "printed", through, scope
        ),
        _finding("R_1 to O needs r^n when R_1 moves all others along", "repaired", sharp, scope),
    )


def broken() -> Finding:
    """Claim that one person's noise protects the attribute although it moves the others along."""
    return _finding("R_1 to O needs r", "part", effects(2, "R1", "O"), "two people")
