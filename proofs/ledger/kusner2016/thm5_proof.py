"""The printed proof of Theorem 5: which of its steps hold."""

from __future__ import annotations

from provado.proofs.ledger import All, Bounded, Entry, Evidence, LedgerVerdict, Step, Stretch, Twin
from provado.proofs.ledger.formula import Formula, at_least_zero
from provado.proofs.ledger.show import refute, show

from . import source
from .thm5 import bound_findings

_GIVEN = Formula("8(1 + s)", "s")
"""nλ^(3/2) times (4/(nλ))(2/√λ + 2): what the printed lines give, with s = √λ."""


def lines_give(norm: str, bound: str) -> All:
    """Return the claim that λ‖w‖² ≤ ``norm`` follows from ≤ 2, and ``bound`` from the lines."""
    follows = Stretch(Formula("x"), 0, 2)
    lines = Stretch(_GIVEN, 0, 1)
    return All(
        (
            Bounded("whatever λ‖w‖² from 0 to 2 is, x = λ‖w‖²", Formula(norm), (follows,)),
            Bounded("nλ^(3/2)·‖w − w̃‖, by the printed lines,", Formula(bound, "s"), (lines,)),
        )
    )


CLAIM = lines_give("1", "8")
_TRUE = at_least_zero("16 − 8(1 + s)", 0, 1, variable="s")


def _gather(claim: All) -> Evidence:
    norm, chain = claim.counterexamples()
    return Evidence(
        printed=(refute(norm, 2), refute(chain, 1)),
        corrected=(show(_TRUE), *bound_findings()),
        correction="The printed lines give 16/(nλ^(3/2)) for λ ≤ 1, if ‖w‖ ≤ 1/√λ is granted. A "
        "proof of the printed 8/(nλ^(3/2)) takes ‖w‖ ≤ 1/√(2λ) from the eigenvalues of K, and "
        "compares gradients instead of values: see kusner2016/thm5.",
        kind="repair",
        argument=(
            Step(
                'Norm. "Plugging in 0 yields a value of 1 and the loss is non-negative" gives '
                "(λ/2)‖w‖² ≤ 1, so λ‖w‖² ≤ 2. The printed conclusion λ‖w‖² ≤ 1 does not follow: "
                "λ‖w‖² = 2 fits the reason (kernel). It is true all the same, by another reason "
                "(kusner2016/thm5: λ‖w‖² ≤ 1/2).",
                (norm,),
            ),
            Step(
                "Arithmetic. From (λ/2)‖w − w̃‖² ≤ (2/n)‖w − w̃‖(‖w‖ + ‖w̃‖ + 2) and ‖w‖, ‖w̃‖ ≤ "
                "1/√λ follows ‖w − w̃‖ ≤ (4/(nλ))(2/√λ + 2) = 8(1 + √λ)/(nλ^(3/2)). The printed "
                "8/(nλ^(3/2)) would need 1 + √λ ≤ 1; at λ = 1 the lines give 16, and never more "
                "(kernel, both).",
                (chain, _TRUE),
            ),
            "In the chain the last term of each sum, such as (w̃·φ(x̃_n) − ỹ_n)², lacks the factor "
            "1/n: a slip of print that the next line does not share. The other steps hold.",
        ),
    )


ENTRY = Entry(
    id="kusner2016/thm5-proof",
    source=source("appendix, proof of Theorem 5"),
    printed="‖w‖ ≤ 1/√λ (got by plugging in 0 in the regularized objective, which yields a value "
    "of 1 […]). Plugging this in yields ‖w − w̃‖ ≤ 8/(λ^(3/2) n).",
    words="The printed chain of inequalities leads to the bound of Theorem 5.",
    scope="0 < λ ≤ 1, n ≥ 1. The theorem itself has an entry of its own.",
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin(
        "A refutation of what the printed lines do give, 16/(nλ^(3/2)).", lines_give("1", "16")
    ),
)
