"""Section 6.3: total and joint effects of a group; Ada and Byron."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.causal.examples import ada_and_byron, masked_group
from provado.proofs.causal.statements.sec6_3_group import RATIOS, STATEMENT, family_effects
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._steps import CHAINED, chained
from provado.proofs.ledger.tschantz2022._terms import entry
from provado.proofs.ledger.tschantz2022._witness import constant_above

POWERS = {"Ada": 2, "Byron": 1, "total": 3, "joint": 2}


def reached(powers: dict[str, int]) -> tuple[kernel.Checked, ...]:
    """Return that in the survey each effect is the power of r, for r = 2, 3 and 5/4."""
    found = []
    for r in RATIOS:
        effects = family_effects(ada_and_byron(r))
        for name, power in powers.items():
            value = ((Fraction(effects[name]), 0, 0, 0),)
            found.append(kernel.check(kernel.Identity(value, ((r**power, 0, 0, 0),))))
    return tuple(found)


def larger(*, masked: bool) -> tuple[kernel.Checked, ...]:
    """Return that the total exceeds the joint effect in the survey, or falls short if masked."""
    found = []
    for r in RATIOS:
        effects = family_effects((masked_group if masked else ada_and_byron)(r))
        total, joint = Fraction(effects["total"]), Fraction(effects["joint"])
        found.append(
            constant_above(joint, total, strict=True)
            if masked
            else constant_above(total, joint, strict=True)
        )
    return tuple(found)


def _gather() -> Evidence:
    return Evidence(
        printed=(chained(), *reached(POWERS), *larger(masked=False)),
        corrected=larger(masked=True),
        correction="The total effect may be larger than the joint effect, and also smaller: where "
        "R_2 := R_1 and the two cancel, total ε and joint 2ε.",
        kind="sharpening",
        argument=(
            "For every ε-differentially private algorithm: Byron moves one data point, so his "
            "effect is ε at most; Ada moves two, and so does setting both, so 2ε at most.",
            CHAINED,
            "The total adds the two: 2ε + ε. These bounds are reached by a count with geometric "
            "noise of ratio e^(−ε), cut off at its ends, whose output 0 has at count k the "
            "probability of count 0 times e^(−kε); recomputed for e^ε = 2, 3 and 5/4 (kernel).",
            'So the total is above the joint effect here (kernel), which is "may be larger".',
            "Sharper: in the masked group the joint effect is above the total one (kernel).",
            'The text "adds the relative probabilities"; its numbers add their logarithms.',
            STATEMENT.argument,
        ),
    )


def _twin() -> object:
    return reached(POWERS | {"Ada": 1})


ENTRY = entry(STATEMENT, LedgerVerdict.PROVED, _gather, ("Ada's effect as ε instead of 2ε.", _twin))
