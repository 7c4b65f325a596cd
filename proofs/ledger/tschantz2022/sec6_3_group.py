"""Section 6.3: total and joint effects of a group; Ada and Byron."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from provado.proofs.causal.definitions import definition_9, joint_effect, total_effect
from provado.proofs.causal.examples import ada_and_byron, masked_group
from provado.proofs.causal.model import Factor, Model
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, show
from provado.proofs.ledger.fact import Equal, Fact

from . import source
from ._arrows import CHAINED, chained
from ._witness import constant_above

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


@dataclass(frozen=True)
class Effects(Claim):
    """In the survey of Ada and Byron each effect is the power of r = e^ε: so many times ε.

    larger: which of total and joint effect exceeds the other.
    """

    powers: tuple[tuple[str, int], ...]
    larger: Literal["total", "joint"] = "total"

    @property
    def formula(self) -> str:
        said = ", ".join(f"{name} {power}ε" for name, power in self.powers)
        return f"the effects of Ada and Byron: {said}; the {self.larger} one may be the larger"

    def obligations(self) -> tuple[Fact, ...]:
        found: list[Fact] = [chained()]
        for r in RATIOS:
            effects = family_effects(ada_and_byron(r))
            for name, power in self.powers:
                value = ((Fraction(effects[name]), 0, 0, 0),)
                found.append(Equal(value, ((r**power, 0, 0, 0),)))
        return *found, *larger(self.larger, masked=False)


POWERS = (("Ada", 2), ("Byron", 1), ("total", 3), ("joint", 2))
CLAIM = Effects(POWERS)


def larger(name: str, *, masked: bool) -> tuple[Fact, ...]:
    """Return that the effect named exceeds the other one, in the survey or in the masked group."""
    found = []
    for r in RATIOS:
        effects = family_effects((masked_group if masked else ada_and_byron)(r))
        other = "joint" if name == "total" else "total"
        pair = Fraction(effects[name]), Fraction(effects[other])
        found.append(constant_above(*pair, strict=True))
    return tuple(found)


def _gather(claim: Effects) -> Evidence:
    masked = larger("joint", masked=True)
    _, *rest = claim.obligations()
    reached, above = rest[: -len(RATIOS)], rest[-len(RATIOS) :]
    return Evidence(
        printed=tuple(map(show, claim.obligations())),
        corrected=tuple(map(show, masked)),
        correction="The total effect may be larger than the joint effect, and also smaller: where "
        "R_2 := R_1 and the two cancel, total ε and joint 2ε.",
        kind="sharpening",
        argument=(
            "For every ε-differentially private algorithm: Byron moves one data point, so his "
            "effect is ε at most; Ada moves two, and so does setting both, so 2ε at most.",
            CHAINED,
            Step(
                "The total adds the two: 2ε + ε. These bounds are reached by a count with "
                "geometric noise of ratio e^(−ε), cut off at its ends, whose output 0 has at count "
                "k the probability of count 0 times e^(−kε); recomputed for e^ε = 2, 3 and 5/4 "
                "(kernel).",
                tuple(reached),
            ),
            Step(
                'So the total is above the joint effect here (kernel), which is "may be larger".',
                tuple(above),
            ),
            Step(
                "Sharper: in the masked group the joint effect is above the total one (kernel).",
                masked,
            ),
            'The text "adds the relative probabilities"; its numbers add their logarithms.',
            "Ada moves two data points and Byron one; each data point changes an output's "
            "probability by at most r, and the output 0 of the noisy count by exactly r each. One "
            "data point alone, or variables of one value, leave total and joint effect equal.",
        ),
    )


ENTRY = Entry(
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
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("Ada's effect as ε instead of 2ε.", Effects((("Ada", 1), *POWERS[1:]))),
)
