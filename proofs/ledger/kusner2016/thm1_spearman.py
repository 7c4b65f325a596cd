"""Theorem 1, part 1: the global sensitivity of Spearman's ρ."""

from __future__ import annotations

from itertools import permutations, product
from math import factorial

from provado.proofs import kernel
from provado.proofs.ledger import Entry, Evidence, LedgerVerdict, Step, Stretch, Twin
from provado.proofs.ledger.fact import Polynomial, Recounted
from provado.proofs.ledger.formula import Formula, equal, variables
from provado.proofs.ledger.in_coq import Reached, Stated
from provado.proofs.ledger.show import show, show_claim

from . import source
from ._claims import SPEARMAN

SHARP = Formula("6/(m + 1)", "m")
_SCORE = "the move of |ρ(x′, r′_Y)| when one of m records is replaced"


def at_most(bound: str) -> Stated:
    """Return the claim that |ρ| moves by at most a printed bound, by way of ``SHARP``."""
    sharp = Reached(Formula("m + 1 − 6", "m"), 5)
    return Stated(_SCORE, Formula(bound, "m"), (Stretch(SHARP, 2),), wording=SPEARMAN, sharp=sharp)


CLAIM = at_most("30/m")
FITS = equal("(x + e^(x))(x + e^(x) + 1)/2", "x(x + 1)/2 + e^(x)·(2x + e^(x) + 1)/2")
"""M(M + 1)/2 = s(s + 1)/2 + (M − s)(M + s + 1)/2, with x for s and e^x for M − s.

x and e^x are algebraically independent, so that it is an identity in both.
"""
_REACHED = equal("m(m − 1)", "(m − 1)² + (m − 1)", "m")
_TRIED = range(2, 7)


def added() -> Polynomial:
    """Return 3n·(n(n + 1) − (n − w²/n)(n − 1)/3 − n − w²) ≥ 0, in w and n − w."""
    w, rest = variables(2)
    n = w + rest
    bound = 3 * (n * n * n) + 3 * (n * n)
    spread = n * n - w * w
    return (bound - spread * n + spread - 3 * (n * n) - 3 * (n * w * w)).nonnegative()


def moved_ranks(m: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return for each order of m − 1 records the largest change of Σd² by record m, exhaustively.

    Record m may have any two ranks before and after; the others keep their order.
    """
    rows = []
    for others in permutations(range(m - 1)):
        sums = [_sum_of_squares(others, r, s) for r, s in product(range(m), repeat=2)]
        rows.append((others, max(sums) - min(sums)))
    return tuple(rows)


def _sum_of_squares(others: tuple[int, ...], r: int, s: int) -> int:
    rest = sum((i + (i >= r) - j - (j >= s)) ** 2 for i, j in enumerate(others))
    return rest + (r - s) ** 2


def recounted(m: int) -> Recounted:
    """Return the fact that Σd² moves by m(m − 1) at most, over all orders."""
    scope = f"the orders of {m - 1} records, of the largest change of Σd² by one more"
    return Recounted("maximum", m * (m - 1), factorial(m - 1), scope)


def _recount(fact: Recounted, m: int) -> kernel.Checked:
    rows = moved_ranks(m)
    return kernel.check(kernel.Recount(rows, "maximum", fact.value, fact.rows, fact.scope))


def _gather(claim: Stated) -> Evidence:
    below, stays = claim.obligations()
    return Evidence(
        printed=(show(FITS), *show_claim(claim)),
        corrected=(
            show(_REACHED),
            *(_recount(recounted(m), m) for m in _TRIED),
            show(added()),
        ),
        correction="|Δρ| ≤ 6/(m + 1), with or without the bars, reached for every m ≥ 5 (without "
        "the bars for every m ≥ 2): a fifth of the noise that 30/m asks for.",
        kind="sharpening",
        argument=(
            "Ranks run from 0 to M = m − 1. Σd² = Σa² + Σb² − 2Σab, and the first two sums are "
            "those of all ranks, so ΔΣd² = −2ΔΣab.",
            "Let record k go from ranks (r, s) to (r′, s′), first in a, then in b. If r rises, the "
            "r′ − r records in between each fall by 1, so Σab changes by Σ(s − b_j) over as many "
            "distinct b_j ≠ s: at most F(i, s) = s + (s − 1) + … with i = min(r′, s) terms. Then, "
            "if s rises, it changes by Σ(r′ − a_j) over s′ − s ≤ M − s distinct a_j ≠ r′: at most "
            "F(min(M − s, r′), r′).",
            Step(
                "Both rise with r′, so take r′ = M: s(s + 1)/2 + (M − s)(M + s + 1)/2, which is "
                "M(M + 1)/2 (kernel, as a polynomial in s and M − s).",
                (FITS,),
            ),
            "If r rises and s falls, the second change is Σ(a_j − r′) over s − s′ ≤ s terms: at "
            "most F(min(s, M − r′), M − r′). Both rise with s, so take s = M: "
            "F(r′, M) + F(M − r′, M − r′), the same polynomial with M − r′ for s.",
            "Turning both orders round leaves ΔΣab as it is, which gives the two cases in which r "
            "falls; exchanging D and D′ turns its sign. So |ΔΣab| ≤ m(m − 1)/2, |ΔΣd²| ≤ m(m − 1), "
            "and |Δρ| ≤ 6m(m − 1)/(m(m² − 1)) = 6/(m + 1); bars do not increase it.",
            Step(f"{SHARP} ≤ {claim.bound} for m ≥ 2 (kernel).", (below,)),
            Step(
                "Reached: m − 1 records in the same order in both columns, record k first in "
                "both, then last in b: Σd² goes from 0 to (m − 1)² + (m − 1) = m(m − 1) (kernel); "
                "the score falls from 1 to 1 − 6/(m + 1), which is ≥ 0 from m = 5 on (kernel).",
                (_REACHED, stays),
            ),
            Step(
                "For m = 2 to 6 all orders were tried: the largest change of Σd² is m(m − 1) "
                "(kernel, recounts).",
                tuple(map(recounted, _TRIED)),
            ),
            Step(
                "Adding or removing a record moves ρ by at most 6/(m + 1) as well, m ≥ 3 the "
                "larger size. Let n = m − 1, E the smaller Σd², (p, q) the new record's ranks, "
                "p ≤ q (else swap the columns), w = q − p, and e_i = [i ≥ p] − [σ_i ≥ q] how d_i "
                "moves, Σe = w. The larger Σd² is E + 2Σde + Σe² + w². As Σd = 0, 2Σde is at most "
                "cE + (Σe² − w²/n)/c for c > 0; with c = 3/(n − 1) E drops out of ρ's fall, and "
                "what is left, (n − w²/n)(n − 1)/3 + n + w² as Σe² ≤ n, is at most n(n + 1) for "
                "0 ≤ w ≤ n (kernel, times 3n). Reversing a column turns a rise into a fall. "
                "Reached: perfect agreement, and a new record with the lowest a and the highest b.",
                (added(),),
            ),
            "Ties are ranked by position, so that ranks are permutations and replacing a record "
            "leaves the order of the others.",
        ),
        proof_remark='"d_k changes by at most m − 1" is false: it can change by 2(m − 1); what '
        "the proof uses is that d_k² changes by at most (m − 1)². Its bounds add up to "
        "(m − 1)(5m − 9), not (m − 1)(5m − 3). For m = 2 the step 4(m − 2) fails, as d_i² can "
        "move by 1. None of the three spoils 30/m.",
    )


ENTRY = Entry(
    id="kusner2016/thm1-spearman",
    source=source("Theorem 1, part 1"),
    printed=f"|ρ(x′, r′_Y) − ρ(x̃′, r̃′_Y)| ≤ {CLAIM.bound}.",
    words="Replacing one of m records moves the absolute value of Spearman's ρ by at most "
    f"{CLAIM.bound}.",
    scope="All m ≥ 2, replace-one, ties ranked by position.",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("The same argument for 5/m, which falls short from m = 6 on.", at_most("5/m")),
    theorem_of=CLAIM,
)
