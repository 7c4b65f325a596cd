"""Post-processing: what is caused through Y alone is bounded as Y is."""

from __future__ import annotations

from provado.proofs.causal.composition import composition, models_in_sequence

from ._finding import Counterexample, Finding


def check(claim: str, role: str, *, direct: bool) -> Finding:
    """Check that Z, and ⟨Y, Z⟩, need no more than Y; ``direct`` lets X reach Z past Y."""
    tried, found, excesses = 0, [], []
    for model in models_in_sequence(direct=direct):
        tried += 1
        effects = composition(model)
        excesses.append(effects.excess)
        if max(effects.whole, effects.last) > effects.first:
            broken_by = (("Y", effects.first), ("Z", effects.last), ("⟨Y, Z⟩", effects.whole))
            found.append(Counterexample("X affects Z more than Y", broken_by))
    numbers = (("smallest excess", min(excesses)), ("largest excess", max(excesses)))
    scope = "Y and Z of two values on a grid, all of them; 60 random models of up to three values"
    return Finding(claim, role, tried, scope, tuple(found[:1]), numbers)


def evidence() -> tuple[Finding, ...]:
    """Check the special case ε₂ = 0, where the excess is 1: ⟨Y, Z⟩ needs exactly what Y does."""
    return (check("X → Y → Z: Z and ⟨Y, Z⟩ need at most what Y needs", "printed", direct=False),)


def broken() -> Finding:
    """Let Z read X as well."""
    return check("the same with an arrow from X to Z", "part", direct=True)
