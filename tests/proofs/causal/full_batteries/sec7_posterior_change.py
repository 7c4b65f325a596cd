"""Section 7: posterior with a person's data against posterior without."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from provado.proofs.causal.definitions import definition_1
from provado.proofs.causal.finite_mechanism import FiniteMechanism
from provado.proofs.causal.model import Factor
from provado.proofs.causal.posterior import largest_change
from provado.proofs.causal.search import SCOPE, Case, all_mechanisms, by_size

from ._finding import Counterexample, Finding, denied


def check(
    claim: str,
    role: str,
    allowed: Callable[[Fraction], Factor],
    mechanisms: tuple[FiniteMechanism, ...],
    scope: str,
) -> Finding:
    """Check that the largest posterior change is at most what the smallest e^ε allows."""
    tried, reached = 0, Fraction(0)
    for mechanism in mechanisms:
        bound, change = definition_1(mechanism).factor, largest_change(mechanism)
        tried += 1
        if not isinstance(bound, Fraction):
            continue
        if change.factor > allowed(bound):
            words = (
                f"e^ε = {bound}, and posteriors change by factors up to {change.factor}: person "
                f"{change.index + 1} hands in {change.instead!r}, output {change.output!r}, "
                f"between datasets {change.high!r} and {change.low!r}"
            )
            numbers: tuple[tuple[str, Factor], ...] = (("e^ε", bound), ("change", change.factor))
            found = (Counterexample(words, numbers, Case(mechanism)),)
            return Finding(claim, role, tried, scope, found)
        if change.factor != math.inf and bound > 1:
            reached = max(reached, Fraction(change.factor) / bound**2)
    numbers = (("largest share of e^{2ε} that is reached", reached),)
    return Finding(claim, role, tried, scope, (), numbers)


def evidence() -> tuple[Finding, ...]:
    """Try the factor e^ε from the smallest mechanism on, then e^{2ε} over the battery."""
    small = tuple(case.mechanism for case in by_size(most_points=2))
    scope = "two outputs, up to two data points of two values, the smallest first"
    return (
        denied(check("posteriors change by e^ε at most", "part", lambda r: r, small, scope)),
        check("by e^{2ε} at most", "printed", lambda r: r * r, all_mechanisms(), SCOPE),
    )


def broken() -> Finding:
    """Allow the factor e^ε only, over the battery."""
    return check("by e^ε at most", "part", lambda r: r, all_mechanisms(), SCOPE)
