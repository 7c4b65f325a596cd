"""Post-processing: what is caused through Y alone is bounded as Y is."""

from __future__ import annotations

from provado.proofs.causal.composition import composition, models_in_sequence
from provado.proofs.causal.statement import Counterexample, Finding, Statement, source


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


STATEMENT = Statement(
    id="tschantz2022/post-processing",
    source=source("Section 6.2, post-processing condition"),
    printed="If X has ε-BRP to Y, then any subsequent consequence Z of Y is also ε-BRP.",
    words="If Y is Z's only parent, X affects ⟨Y, Z⟩ exactly as much as Y, and Z at most as much.",
    scope="every finite model in which Y is the only parent of Z",
    argument=(
        "Theorem 1 with ε₂ = 0: F_Z(z | y) does not read X. For Z alone add over y. Conversely "
        "⟨Y, Z⟩ needs no less than Y, by adding over z."
    ),
    evidence=evidence,
    broken=broken,
)
