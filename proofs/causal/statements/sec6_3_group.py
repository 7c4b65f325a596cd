"""Section 6.3: total and joint effects of a group; Ada and Byron."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.causal.effects import definition_9, effect_through, joint_effect, total_effect
from provado.proofs.causal.exact import Factor
from provado.proofs.causal.examples import ada_and_byron, masked_group
from provado.proofs.causal.model import Model
from provado.proofs.causal.statement import Counterexample, Finding, Statement, denied, source

RATIOS = (Fraction(2), Fraction(3), Fraction(5, 4))
FAMILY = ("R1", "R2")


def family_effects(model: Model) -> dict[str, Factor]:
    """Return the e^ε of all effects of the family in a model with R1, R2 and O."""
    return {
        "Ada": definition_9(model, ["R1"], ["O"]).factor,
        "Byron": definition_9(model, ["R2"], ["O"]).factor,
        "total": total_effect(model, FAMILY, ["O"]),
        "joint": joint_effect(model, FAMILY, ["O"]).factor,
    }


def powers(claim: str, claimed: dict[str, int], role: str = "printed") -> Finding:
    """Check that in the survey each effect is the claimed power of r."""
    found, numbers = [], []
    for r in RATIOS:
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
    """Look for a group whose joint effect exceeds its total effect."""
    found, numbers = [], []
    for name, make in (("survey", ada_and_byron), ("masked group", masked_group)):
        for r in RATIOS:
            effects = family_effects(make(r))
            numbers += [(f"{name}, {key}, r = {r}", value) for key, value in effects.items()]
            if effects["joint"] > effects["total"]:
                words = f"{name}, r = {r}: joint {effects['joint']}, total {effects['total']}"
                found.append(Counterexample(words, tuple(effects.items())))
    claim = "the total effect is never smaller than the joint effect"
    return Finding(
        claim, "part", 2 * len(RATIOS), "survey and masked group", tuple(found), tuple(numbers)
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


STATEMENT = Statement(
    id="tschantz2022/sec6-3-group",
    source=source("Section 6.3, second application; section 1.1"),
    printed=(
        "The total effect for Ada's and Byron's attributes is 3ε, with 2ε from Ada's; the joint "
        "effect is 2ε. The total effect may be larger than the joint effect."
    ),
    words=(
        "The numbers are reached by a noisy count. The total effect may be larger, but also "
        "smaller: where R1 moves R2 along and the two cancel, total ε and joint 2ε, with an "
        'ε-differentially private algorithm. The text "adds the relative probabilities"; its '
        "numbers add their logarithms."
    ),
    scope="the example; for the relation of total and joint effect any model",
    argument=(
        "Ada moves two data points and Byron one; each data point changes an output's probability "
        "by at most r, and the output 0 of the noisy count by exactly r each. One data point "
        "alone, or variables of one value, leave total and joint effect equal."
    ),
    evidence=evidence,
    broken=broken,
)
