"""Theorem 1: bounded relative probability composes additively in sequence."""

from __future__ import annotations

from collections.abc import Callable

from provado.proofs.causal.composition import SCOPE, Composition, composition, models_in_sequence
from provado.proofs.causal.model import Factor

from ._finding import Counterexample, Finding


def check(claim: str, promised: Callable[[Composition], Factor]) -> Finding:
    """Check that X to ⟨Y, Z⟩ needs no more than what is promised, in all models of the scope."""
    tried, broken_by, excesses = 0, [], []
    for model in models_in_sequence():
        tried += 1
        effects = composition(model)
        excesses.append(effects.excess)
        if effects.whole > promised(effects):
            numbers = (("first", effects.first), ("second", effects.second))
            words = f"the whole needs {effects.whole}, more than {promised(effects)}"
            broken_by.append(Counterexample(words, (*numbers, ("whole", effects.whole))))
    numbers = (("smallest excess", min(excesses)), ("largest excess", max(excesses)))
    return Finding(claim, "printed", tried, SCOPE, tuple(broken_by[:1]), numbers)


def evidence() -> tuple[Finding, ...]:
    """Compare the effect on the pair with the product of both; the excess is their quotient."""
    return (check("X to ⟨Y, Z⟩ needs at most e^(ε₁ + ε₂)", lambda effects: effects.promised),)


def broken() -> Finding:
    """Promise the larger of the two instead of their sum."""
    return check("at most e^max(ε₁, ε₂)", lambda effects: max(effects.first, effects.second))
