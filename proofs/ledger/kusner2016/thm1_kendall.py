"""Theorem 1, part 2: the global sensitivity of Kendall's τ."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.ledger import (
    Entry,
    Evidence,
    Formula,
    LedgerVerdict,
    Step,
    Stretch,
    Twin,
    equal,
)
from provado.proofs.ledger.fact import Equal
from provado.proofs.ledger.in_coq import Reached, Stated
from provado.proofs.ledger.show import show, show_claim

from . import source
from ._claims import KENDALL
from ._exact import kendall

COUNTED = Formula("2(m − 1)/(m(m − 1)/2)", "m")
"""Twice the pairs that hold one record, over all pairs."""
_SCORE = "the move of |τ(x′, r′_Y)| when one of m records is replaced"


def at_most(bound: str) -> Stated:
    """Return the claim that |τ| moves by at most a printed bound, which is ``COUNTED``."""
    stretches = (Stretch(COUNTED, 2),)
    sharp = Reached(Formula("m(m − 1)/2 − 2(m − 1)", "m"), 4)
    return Stated(_SCORE, Formula(bound, "m"), stretches, "≤", True, KENDALL, sharp)


CLAIM = at_most("4/m")
_ADDED = equal("2(m − 1) + 2(m − 1)", "4(m − 1)", "m")
"""m(m − 1) times 2/m + 2(m − 1)/(m(m − 1)) = 4/m."""
_SIZES = (4, 5, 8, 13)


def worst_pair(m: int) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Return neighbors whose scores differ by 4/m, for m ≥ 4."""
    d = tuple((i, i) for i in range(m))
    return d, (*d[:-1], (m, -1))


def score(rows: tuple[tuple[int, int], ...]) -> Fraction:
    """Return |C − D|/(m(m − 1)/2) of the two columns."""
    return kendall([a for a, _ in rows], [b for _, b in rows])


def _reached(m: int) -> Equal:
    """Return the fact that the scores of the worst pair differ by the printed bound."""
    d, d_prime = worst_pair(m)
    change = abs(score(d) - score(d_prime))
    return Equal(((change, 0, 0, 0),), ((CLAIM.bound.at(m), 0, 0, 0),))


def _gather(claim: Stated) -> Evidence:
    reached = tuple(map(_reached, _SIZES))
    *counted, stays = claim.obligations()
    return Evidence(
        printed=show_claim(claim),
        corrected=(*map(show, reached), show(_ADDED)),
        correction="4/m is sharp for every m ≥ 4 (without the bars for every m ≥ 2): no smaller "
        "constant holds.",
        kind="sharpening",
        argument=(
            "Only the m − 1 pairs that hold record k can change. Whatever the rule for ties, each "
            "pair counts as concordant (+1), discordant (−1) or neither (0), so C − D moves by at "
            "most 2 for each, by 2(m − 1) in all.",
            Step(
                f"Divided by m(m − 1)/2 this is {claim.bound} (kernel, identity in m); bars do not "
                "increase it.",
                tuple(counted),
            ),
            Step(
                "Reached: let a_i = b_i = i in D; in D′ the last record has the largest a and the "
                "smallest b. All m − 1 pairs turn from concordant to discordant, and C − D, from "
                "m(m − 1)/2 down by 2(m − 1), stays ≥ 0 from m = 4 on (kernel), so the bars change "
                "nothing. The scores of that pair differ by as much for m = 4, 5, 8, 13 (kernel; "
                "the scores come from counting all pairs).",
                (stays, *reached),
            ),
            Step(
                "Adding or removing a record moves τ by at most 4/m as well, m ≥ 3 the larger "
                "size: with n = m − 1, and X in [−n, n] for what the new record's pairs add, "
                "τ_m − τ_n = −2τ_n/m + 2X/(m(m − 1)), both parts at most 2/m (kernel). Reached: "
                "perfect agreement, and a new record that disagrees with all.",
                (_ADDED,),
            ),
        ),
        proof_remark="The proof counts m − 1 pairs for x′ and m − 1 more for r′_Y, each moving "
        "C − D by 1. They are the same m − 1 pairs, and each that turns from concordant to "
        "discordant moves C − D by 2; the product is the same.",
    )


ENTRY = Entry(
    id="kusner2016/thm1-kendall",
    source=source("Theorem 1, part 2"),
    printed=f"|τ(x′, r′_Y) − τ(x̃′, r̃′_Y)| ≤ {CLAIM.bound}.",
    words="Replacing one of m records moves the absolute value of Kendall's τ by at most "
    f"{CLAIM.bound}.",
    scope="All m ≥ 2, replace-one, the printed tie rule, τ-a, and any other by which a pair counts "
    "between −1 and 1.",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("The same count for 3/m.", at_most("3/m")),
    theorem_of=CLAIM,
)
