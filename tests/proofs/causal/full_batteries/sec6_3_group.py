"""Section 6.3: total and joint effects of a group; Ada and Byron."""

from __future__ import annotations

from provado.proofs.causal.examples import ada_and_byron, masked_group
from provado.proofs.ledger.tschantz2022.effects import FAMILY_RATIOS, family_effects
from tests.proofs.causal.path_effects import effect_through

from ._finding import Counterexample, Finding, denied


def powers(claim: str, claimed: dict[str, int], role: str = "printed") -> Finding:
    """Check that in the survey each effect is the claimed power of r."""
    found, numbers = [], []
    for r in FAMILY_RATIOS:
        model = ada_and_byron(r)
        effects = family_effects(model)
        effects["through her own data point"] = effect_through(model, "R1", ["D1"], ["O"]).factor
        effects["through her son"] = effect_through(model, "R1", ["R2"], ["O"]).factor
        for name, power in claimed.items():
            numbers.append((f"{name}, r = {r}", effects[name]))
            if effects[name] != r**power:
                words = f"{name}: {effects[name]}, not {r}^{power}"
                found.append(Counterexample(words, ((name, effects[name]),)))
    scope = "the survey of Figure 1 with one more person, r = 2, 3, 5/4"
    return Finding(claim, role, len(numbers), scope, tuple(found), tuple(numbers))


def covers() -> Finding:
    """PublicFacts for a group whose joint effect exceeds its total effect."""
    found, numbers = [], []
    for name, make in (("survey", ada_and_byron), ("masked group", masked_group)):
        for r in FAMILY_RATIOS:
            effects = family_effects(make(r))
            numbers += [(f"{name}, {key}, r = {r}", value) for key, value in effects.items()]
            if effects["joint"] > effects["total"]:
                words = f"{name}, r = {r}: joint {effects['joint']}, total {effects['total']}"
                found.append(Counterexample(words, tuple(effects.items())))
    claim = "the total effect is never smaller than the joint effect"
    return Finding(
        claim,
        "part",
        2 * len(FAMILY_RATIOS),
        "survey and masked group",
        tuple(found),
        tuple(numbers),
    )


def evidence() -> tuple[Finding, ...]:
    """Compute the survey's effects, direct and indirect ones, and try the general relation."""
    return (
        powers(
            "Ada 2ε, Byron ε, total 3ε, joint 2ε",
            {"Ada": 2, "Byron": 1, "total": 3, "joint": 2},
        ),
        powers(
            "Ada's effect is ε through her own data point and ε through her son",
            {"through her own data point": 1, "through her son": 1},
            role="sharper",
        ),
        denied(covers()),
    )


def broken() -> Finding:
    """Claim that differential privacy bounds the effect of Ada's status by ε."""
    return powers("Ada ε", {"Ada": 1}, role="part")
