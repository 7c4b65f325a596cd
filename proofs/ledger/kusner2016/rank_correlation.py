"""Theorem 1: the global sensitivities of Kendall's τ and Spearman's ρ."""

from fractions import Fraction
from itertools import permutations, product
from math import factorial

from provado.proofs import ledger
from provado.proofs.ledger.fact import Equal, Polynomial, Recounted
from provado.proofs.ledger.find_certificate import recount, show, show_claim
from provado.proofs.ledger.formula import variables
from provado.proofs.ledger.theorem import Reached, Stated

from . import source
from ._claims import KENDALL, SPEARMAN
from ._exact import kendall

COUNTED = ledger.Formula("2(m − 1)/(m(m − 1)/2)", "m")
"""Twice the pairs that hold one record, over all pairs."""
_TAU = "the move of |τ(x′, r′_Y)| when one of m records is replaced"


def kendall_at_most(bound: str) -> Stated:
    """Return the claim that |τ| moves by at most a printed bound, which is ``COUNTED``."""
    stretches = (ledger.Stretch(COUNTED, 2),)
    sharp = Reached(ledger.Formula("m(m − 1)/2 − 2(m − 1)", "m"), 4)
    return Stated(_TAU, ledger.Formula(bound, "m"), stretches, "≤", True, KENDALL, sharp)


THM1_KENDALL_CLAIM = kendall_at_most("4/m")
_ADDED = ledger.equal("2(m − 1) + 2(m − 1)", "4(m − 1)", "m")
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
    return Equal(((change, 0, 0, 0),), ((THM1_KENDALL_CLAIM.bound.at(m), 0, 0, 0),))


@ledger.Entry(
    source=source("Theorem 1, part 2"),
    printed=f"|τ(x′, r′_Y) − τ(x̃′, r̃′_Y)| ≤ {THM1_KENDALL_CLAIM.bound}.",
    words="Replacing one of m records moves the absolute value of Kendall's τ by at most "
    f"{THM1_KENDALL_CLAIM.bound}.",
    scope="All m ≥ 2, replace-one, the printed tie rule, τ-a, and any other by which a pair counts "
    "between −1 and 1.",
    claim=THM1_KENDALL_CLAIM,
    twin=ledger.Twin("The same count for 3/m.", kendall_at_most("3/m")),
)
def _thm1_kendall(claim: Stated) -> ledger.Evidence:
    reached = tuple(map(_reached, _SIZES))
    *counted, stays = claim.obligations()
    return ledger.Evidence(
        printed=show_claim(claim),
        corrected=(*map(show, reached), show(_ADDED)),
        correction="4/m is sharp for every m ≥ 4 (without the bars for every m ≥ 2): no smaller "
        "constant holds.",
        kind="sharpening",
        argument=(
            ledger.Step(
                "Only the m − 1 pairs that hold the replaced record can change, each by at most 2, "
                f"whatever the rule for ties; divided by m(m − 1)/2 this is {claim.bound} "
                "(kernel).",
                tuple(counted),
            ),
            ledger.Step(
                "Reached where all these pairs turn from concordant to discordant: a_i = b_i = i "
                "in D, and in D′ the last record has the smallest b (kernel; the scores were "
                "computed for m = 4, 5, 8, 13).",
                (stays, *reached),
            ),
            ledger.Step(
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


# Theorem 1, part 1: the global sensitivity of Spearman's ρ.

SHARP = ledger.Formula("6/(m + 1)", "m")
_RHO = "the move of |ρ(x′, r′_Y)| when one of m records is replaced"


def spearman_at_most(bound: str) -> Stated:
    """Return the claim that |ρ| moves by at most a printed bound, by way of ``SHARP``."""
    sharp = Reached(ledger.Formula("m + 1 − 6", "m"), 5)
    return Stated(
        _RHO, ledger.Formula(bound, "m"), (ledger.Stretch(SHARP, 2),), wording=SPEARMAN, sharp=sharp
    )


THM1_SPEARMAN_CLAIM = spearman_at_most("30/m")
FITS = ledger.equal("(x + e^(x))(x + e^(x) + 1)/2", "x(x + 1)/2 + e^(x)·(2x + e^(x) + 1)/2")
"""M(M + 1)/2 = s(s + 1)/2 + (M − s)(M + s + 1)/2, with x for s and e^x for M − s.

x and e^x are algebraically independent, so that it is an identity in both.
"""
_REACHED = ledger.equal("m(m − 1)", "(m − 1)² + (m − 1)", "m")
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


@ledger.Entry(
    source=source("Theorem 1, part 1"),
    printed=f"|ρ(x′, r′_Y) − ρ(x̃′, r̃′_Y)| ≤ {THM1_SPEARMAN_CLAIM.bound}.",
    words="Replacing one of m records moves the absolute value of Spearman's ρ by at most "
    f"{THM1_SPEARMAN_CLAIM.bound}.",
    scope="All m ≥ 2, replace-one, ties ranked by position.",
    claim=THM1_SPEARMAN_CLAIM,
    twin=ledger.Twin(
        "The same argument for 5/m, which falls short from m = 6 on.", spearman_at_most("5/m")
    ),
)
def _thm1_spearman(claim: Stated) -> ledger.Evidence:
    below, stays = claim.obligations()
    return ledger.Evidence(
        printed=(show(FITS), *show_claim(claim)),
        corrected=(
            show(_REACHED),
            *(recount(moved_ranks(m), recounted(m)) for m in _TRIED),
            show(added()),
        ),
        correction="|Δρ| ≤ 6/(m + 1), with or without the bars, reached for every m ≥ 5 (without "
        "the bars for every m ≥ 2): a fifth of the noise that 30/m asks for.",
        kind="sharpening",
        argument=(
            ledger.Step(
                "ΔΣd² = −2ΔΣab. Let the record's ranks move first in a, from r to r′, then in b, "
                "from s: what it passes moves by one rank each, and with M = m − 1 |ΔΣab| is at "
                "most s(s + 1)/2 + (M − s)(M + s + 1)/2 = M(M + 1)/2 (kernel).",
                (FITS,),
            ),
            ledger.Step(
                f"So |ΔΣd²| ≤ m(m − 1), and |Δρ| ≤ {SHARP} ≤ {claim.bound} for m ≥ 2 (kernel).",
                (below,),
            ),
            ledger.Step(
                "Reached: m − 1 records in the same order in both columns, the last one first in "
                "both, then last in b (kernel).",
                (_REACHED, stays),
            ),
            ledger.Step(
                "For m = 2 to 6 all orders were tried: the largest change of Σd² is m(m − 1) "
                "(kernel, recounts).",
                tuple(map(recounted, _TRIED)),
            ),
            ledger.Step(
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


ENTRIES = (_thm1_kendall, _thm1_spearman)
