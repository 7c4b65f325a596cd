"""Theorem 1: bounded relative probability composes additively in sequence."""

from __future__ import annotations

from collections.abc import Callable

from provado.proofs.causal.composition import SCOPE, Composition, composition, models_in_sequence
from provado.proofs.causal.exact import Factor
from provado.proofs.causal.statement import Counterexample, Finding, Statement, source


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


STATEMENT = Statement(
    id="tschantz2022/thm1-composition",
    source=source("Theorem 1"),
    printed=(
        "X, Y, Z in sequence, the parents of Z are {X, Y}, X has ε₁-BRP to Y and ε₂-BRP to Z in "
        "M[Y := y] for all y: then X has (ε₁ + ε₂)-BRP to ⟨Y, Z⟩."
    ),
    words=(
        "As printed. The proof speaks of y with Pr[Y = y] > 0 only; a y may have probability 0 "
        "under P and a positive one under do(X = x). The proof below needs no conditioning."
    ),
    scope="every finite model; excess e^(ε₁ + ε₂) over what is needed, per model",
    argument=(
        "The equation of Z reads X and Y alone, so Pr[Y = y, Z = z | do(X = x)] is "
        "Pr[Y = y | do(X = x)]·F_Z(z | x, y). The first factor grows by at most e^ε₁ from x′ to x, "
        "and F_Z(z | x, y) = Pr[Z = z | do(Y = y), do(X = x)] by at most e^ε₂."
    ),
    evidence=evidence,
    broken=broken,
)
