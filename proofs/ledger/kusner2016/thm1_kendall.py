"""Theorem 1, part 2: the global sensitivity of Kendall's τ."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.kusner2016._linear_ridge import kendall
from provado.proofs.ledger.kusner2016._terms import X, at_least_zero, constant, same, source

_PAIRS = X * (X - 1) * constant(1, 2)
"""m(m − 1)/2 with x = m."""


def kendall_findings() -> tuple[kernel.Checked, ...]:
    """Return that 2(m − 1) of m(m − 1)/2 is 4/m."""
    return (same(4 * _PAIRS, 2 * (X - 1) * X),)


def worst_pair(m: int) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Return neighbors whose scores differ by 4/m, for m ≥ 4."""
    d = tuple((i, i) for i in range(m))
    return d, (*d[:-1], (m, -1))


def score(rows: tuple[tuple[int, int], ...]) -> Fraction:
    """Return |C − D|/(m(m − 1)/2) of the two columns."""
    return kendall([a for a, _ in rows], [b for _, b in rows])


def _reached(m: int) -> kernel.Checked:
    d, d_prime = worst_pair(m)
    change = abs(score(d) - score(d_prime))
    return kernel.check(kernel.Identity(((change, 0, 0, 0),), ((Fraction(4, m), 0, 0, 0),)))


def _gather() -> Evidence:
    return Evidence(
        printed=kendall_findings(),
        corrected=(
            *kendall_findings(),
            at_least_zero(_PAIRS - 2 * (X - 1), 4),
            *(_reached(m) for m in (4, 5, 8, 13)),
        ),
        correction="4/m is sharp for every m ≥ 4 (without the bars for every m ≥ 2): no smaller "
        "constant holds.",
        kind="sharpening",
        argument=(
            "Only the m − 1 pairs that hold record k can change. Whatever the rule for ties, each "
            "pair counts as concordant (+1), discordant (−1) or neither (0), so C − D moves by at "
            "most 2 for each, by 2(m − 1) in all.",
            "Divided by m(m − 1)/2 this is 4/m (kernel, identity in m); bars do not increase it.",
            "Reached: let a_i = b_i = i in D; in D′ the last record has the largest a and the "
            "smallest b. All m − 1 pairs turn from concordant to discordant, and C − D, from "
            "m(m − 1)/2 down by 2(m − 1), stays ≥ 0 from m = 4 on (kernel), so the bars change "
            "nothing. The scores of that pair differ by 4/m for m = 4, 5, 8, 13 (kernel; the "
            "scores come from counting all pairs).",
        ),
        proof_remark="The proof counts m − 1 pairs for x′ and m − 1 more for r′_Y, each moving "
        "C − D by 1. They are the same m − 1 pairs, and each that turns from concordant to "
        "discordant moves C − D by 2; the product is the same.",
    )


def _twin() -> object:
    d, d_prime = worst_pair(8)
    values = score(d), score(d_prime)
    claim = kernel.ChangeCounterexample(d, d_prime, "replace-one", values, Fraction(4, 8))
    return kernel.check(claim, score)


ENTRY = Entry(
    id="kusner2016/thm1-kendall",
    source=source("Theorem 1, part 2"),
    printed="|τ(x′, r′_Y) − τ(x̃′, r̃′_Y)| ≤ 4/m.",
    words="Replacing one of m records moves the absolute value of Kendall's τ by at most 4/m.",
    scope="All m ≥ 2, replace-one, the printed tie rule, τ-a, and any other by which a pair counts "
    "between −1 and 1.",
    expected=LedgerVerdict.PROVED,
    gather=_gather,
    twin=Twin("The worst pair as a counterexample to 4/m itself, at m = 8.", _twin),
)
