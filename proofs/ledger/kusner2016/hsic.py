"""Theorem 3 and its improved form: the test set sensitivity of HSIC.

Bounds on the move of HSIC when one record is replaced, as the three entries on it need them.

Let Q be the m − 1 records that stay, t = 1/m, and for a record z = (x, y): α_j = k(x, x_j),
g_j = the mean of k(x_j, ·) over Q, κ = the mean of g, and β, γ, λ likewise for l and y. With means
and covariances over Q,

    trace(KHLH)/(m − 1)² = V + 2t·h(z) + t²·p(z)q(z),
    h(z) = Cov(α − g, β − γ),  p(z) = k(x, x) − 2·mean(α) + κ,  q(z) likewise,

where V does not depend on z. It is a polynomial identity in the entries of symmetric K and L, so it
needs no positive definiteness. Replacing z by z′ moves HSIC by 2t·(h(z) − h(z′)) and the t² term.
"""

from collections.abc import Sequence
from fractions import Fraction

from provado.proofs import kernel, ledger
from provado.proofs.ledger.find_certificate import show, show_claim
from provado.proofs.ledger.theorem import Stated, Wording

from . import source
from ._claims import HSIC, HSIC_TWICE

MOVE = "the move of HSIC_{k,l}(x′, r′_Y) when one of m records is replaced"
GENERAL = ledger.Formula("5/m + 16/m²", "m")
"""The bound for all positive semi-definite kernels with k(x, x) ≤ 1."""
GENERAL_FACT = ledger.at_least_zero("5/2 − (1 − s)(1 + s)³ − (1 − s²/2)²", 0, 1, variable="s")
"""The fact behind 5/m + 16/m²: h(z) − h(z′) is at most 5/2."""
UNIT_FACT = ledger.equal("(2/3·c + 3/2·(2 − c) + 5/6·c + 6/5)/4", "21/20", "c")
"""The fact behind 21/(10m) + 4/m²: h(z) − h(z′) is at most 21/20, θ = 2/3 and μ = 5/6."""
CORRECTION = (
    "It moves by at most 21/(10m) + 4/m² if both kernels have values in [0, 1], such as the "
    "squared exponential and Matérn, and by at most 5/m + 16/m² for every kernel with k(x, x) ≤ 1"
)

SPLIT = (
    "HSIC is V + 2t·h(z) + t²·p(z)q(z) with t = 1/m and V free of the replaced record z, an "
    "identity in the entries of the matrices; h(z) = Cov(α − g, β − γ) over the other records.",
)
RANGE_STEPS = (
    "Cov(g, γ) is common to z and z′, so h(z) − h(z′) = Cov(α, β) − Cov(α′, β′) − Cov(g, β − β′) − "
    "Cov(α − α′, γ).",
    "With a = Var(β − β′) and b = Var(α − α′): Cov(α, β) − Cov(α′, β′) = ½·Cov(α − α′, β + β′) + "
    "½·Cov(α + α′, β − β′) ≤ ½·√(b(1 − a)) + ½·√(a(1 − b)), as a variance in [0, 1] is at most 1/4 "
    "and Var(β + β′) + Var(β − β′) ≤ 1.",
    "−Cov(g, δ) is the mean over independent i, j of k(x_i, x_j)·(δ̄ − (δ_i + δ_j)/2), at most "
    "half the mean size of (δ_i + δ_j)/2 − δ̄, at most ½·√(Var δ/2), as k lies in [0, 1]; likewise "
    "for γ.",
    "By √(uv) ≤ (θu + v/θ)/2 with θ = 2/3, and √(a/2) ≤ (μa + 1/(2μ))/2 with μ = 5/6, the sum is "
    "at most (θc + (2 − c)/θ + μc + 1/μ)/4, c = a + b, which is 21/20 for every c (kernel).",
)
BALL_STEPS = (
    "With features of norm at most 1, and s and r the norms of their means over Q, h(z) is at most "
    "the mean of A(s) and A(r), A(s) = (1 − s)(1 + s)³, a bound on a variance; and −h(z′) at most "
    "the mean of B(s)² and B(r)², B(s) = 1 − s²/2.",
    "So h(z) − h(z′) is at most the mean of A(s) + B(s)² and A(r) + B(r)², each at most 5/2 on "
    "[0, 1] (kernel).",
)


def hsic_at_most(bound: str, wording: Wording = HSIC) -> Stated:
    """Return the claim that HSIC moves by at most a printed bound, by way of ``GENERAL``."""
    return Stated(MOVE, ledger.Formula(bound, "m"), (ledger.Stretch(GENERAL, 2),), wording=wording)


def general_steps() -> tuple[ledger.Line, ...]:
    """Return the argument for ``GENERAL``."""
    *prose, last = BALL_STEPS
    return (
        "Let Q be the m − 1 records that stay; means and covariances are over Q. For a record "
        "z = (x, y) let α_j = k(x, x_j), g_j the mean of k(x_j, ·), κ the mean of g, β, γ and λ "
        "likewise for l and y, p(z) = k(x, x) − 2·mean(α) + κ and q(z) = l(y, y) − 2·mean(β) + λ.",
        *SPLIT,
        *prose,
        ledger.Step(last, (GENERAL_FACT,)),
        "p(z) and q(z) lie in [0, 4], so the t² term moves by at most 16t², and the score by at "
        f"most {GENERAL} for every kernel with k(x, x) ≤ 1.",
    )


def unit_steps() -> tuple[ledger.Line, ...]:
    """Return the argument for kernels with values in [0, 1]: squared exponential and Matérn."""
    *prose, last = RANGE_STEPS
    return (
        *prose,
        ledger.Step(last, (UNIT_FACT,)),
        "In that case p(z) ≤ k(x, x) + κ ≤ 2 and q(z) ≤ 2, so the score moves by at most "
        "21/(10m) + 4/m².",
    )


def unit_finding() -> kernel.Checked:
    """Return the finding of ``UNIT_FACT``, whose terms in c the kernel itself collects."""
    terms = (("2/3", 1), ("3", 0), ("-3/2", 1), ("5/6", 1), ("6/5", 0))
    left = tuple((Fraction(c) / 4, 0, k, 0) for c, k in terms)
    return kernel.check(kernel.Identity(left, UNIT_FACT.right))


def hsic_evidence(
    claim: ledger.Bounded,
    bounded: Sequence[ledger.Line],
    *,
    saving: str,
    proof_remark: str,
    further: Sequence[ledger.Step] = (),
) -> ledger.Evidence:
    """Return the evidence for a claim of ``hsic_at_most``.

    bounded: that ``GENERAL`` is at most the printed bound. saving: what ends the correction.
    further: steps for kernels in [0, 1], whose facts are shown too.
    """
    shown = [fact for step in further for fact in step.facts]
    return ledger.Evidence(
        printed=(show(GENERAL_FACT), *show_claim(claim)),
        corrected=(show(GENERAL_FACT), unit_finding(), *map(show, shown)),
        correction=CORRECTION + saving,
        kind="sharpening",
        argument=(*general_steps(), *bounded, *unit_steps(), *further),
        proof_remark=proof_remark,
    )


# Theorem 3: the test set sensitivity of HSIC.

THM3_CLAIM = hsic_at_most("(16m − 8)/(m − 1)²", HSIC_TWICE)
_OWN_COUNT = ledger.equal("(2m − 1)(4 + 4)", "16m − 8", "m")
"""The printed proof's own count, for kernels in [0, 1]."""


@ledger.Entry(
    source=source("Theorem 3"),
    printed=f"|HSIC_{{k,l}}(x′, r′_Y) − HSIC_{{k,l}}(x̃′, r̃′_Y)| ≤ {THM3_CLAIM.bound}.",
    words="With fixed kernels k, l ≤ 1, replacing one of m records moves the empirical HSIC (4) by "
    f"at most {THM3_CLAIM.bound}.",
    scope="All m ≥ 2, replace-one, fixed positive semi-definite kernels with k(x, x) ≤ 1.",
    claim=THM3_CLAIM,
    twin=ledger.Twin(
        "The same argument for 4m/(m − 1)², which it does not reach.",
        hsic_at_most("4m/(m − 1)²", HSIC_TWICE),
    ),
)
def _thm3(claim: ledger.Bounded) -> ledger.Evidence:
    return hsic_evidence(
        claim,
        (ledger.Step(f"{GENERAL} ≤ {claim.bound} for all m ≥ 2 (kernel).", claim.obligations()),),
        further=(
            ledger.Step(
                "The printed proof, for kernels in [0, 1]: |HLH| ≤ 4 and ‖K − K̃‖₁ ≤ 2m − 1, for "
                "both terms, add up to 16m − 8 (kernel); beyond that it needs Hölder's "
                "inequality only.",
                (_OWN_COUNT,),
            ),
        ),
        saving=": for large m 1/7.6 and 1/3.2 of the printed noise.",
        proof_remark="For kernels that are only bounded above by 1 and take negative values, "
        "entries of K − K̃ reach 2, and the step ‖K − K̃‖₁ ≤ 2m − 1 fails; the statement holds by "
        "the argument given here. With bandwidths taken from the data, as in equation (1), the "
        "kernels are not given and the theorem does not apply.",
    )


# Section 4.2 and appendix: the improved test set sensitivity of HSIC.

THM3_IMPROVED_CLAIM = hsic_at_most("(12m − 11)/(m − 1)²")
ADDED = "2/m + 4/m² + (2m − 3)/(4(m − 2)²)"
"""How far adding or removing a record moves HSIC at most, m the larger size."""
_BELOW = ledger.at_least_zero(f"{THM3_IMPROVED_CLAIM.bound} − ({ADDED})", 4, variable="m")


@ledger.Entry(
    source=source("section 4.2, after Theorem 3, and appendix"),
    printed=f"In fact, we can improve this bound to {THM3_IMPROVED_CLAIM.bound} using trace "
    "identities.",
    words="With fixed kernels k, l ≤ 1, replacing one of m records moves the empirical HSIC by at "
    f"most {THM3_IMPROVED_CLAIM.bound}.",
    scope="All m ≥ 2, replace-one, fixed positive semi-definite kernels with k(x, x) ≤ 1.",
    claim=THM3_IMPROVED_CLAIM,
    twin=ledger.Twin(
        "The same argument for (5m − 4)/(m − 1)², which fails for small m.",
        hsic_at_most("(5m − 4)/(m − 1)²"),
    ),
)
def _thm3_improved(claim: ledger.Bounded) -> ledger.Evidence:
    return hsic_evidence(
        claim,
        (ledger.Step(f"{GENERAL} ≤ {claim.bound} for all m ≥ 2 (kernel).", claim.obligations()),),
        further=(
            ledger.Step(
                "Adding or removing a record, for such kernels and m ≥ 4 the larger size: HSIC of "
                "n records is at most (n/(n − 1))²/4, as ‖HKH‖² ≤ n²(κ − κ²) with κ the mean of K. "
                "V is ((m − 2)/(m − 1))² times the score of the smaller size, so at most 1/4, and "
                "that factor moves the score by (2m − 3)/(4(m − 2)²) at most; h(z), a sum of four "
                "covariances of numbers in [0, 1], is at most 1 in size. So the score moves by at "
                f"most {ADDED} ≤ {THM3_IMPROVED_CLAIM.bound} (kernel).",
                (_BELOW,),
            ),
        ),
        saving=": for large m 1/5.7 and 1/2.4 of the printed noise.",
        proof_remark="The appendix maximises three sums over kernel matrices; for the second it "
        'reasons "on small matrices inductively", and for the third it needs N > 3. With entries '
        "in [0, 1] all three differences grow with the entries that stay and with the new row, and "
        "fall with the old one, so its maxima are right; with negative entries they are not. Its "
        "last line prints another denominator: see kusner2016/appendix-hsic-final-bound.",
    )


# The last line of the appendix, which prints the improved HSIC bound with N² − 1.

SMALL = ledger.Formula("m²/(m − 1)²", "m")
"""The largest score, and so a bound on its move, for few records."""


def printed_at_most(bound: str) -> Stated:
    """Return the claim, by ``GENERAL`` from 4 records on and by ``SMALL`` for 2 and 3."""
    stretches = (ledger.Stretch(GENERAL, 4), ledger.Stretch(SMALL, 2, 3, integers=True))
    return Stated(MOVE, ledger.Formula(bound, "m"), stretches, wording=HSIC)


FINAL_BOUND_CLAIM = printed_at_most("(12m − 11)/(m² − 1)")
_MAXIMA = ledger.equal("(2m − 1) + (4m − 5) + (6m − 5)", "12m − 11", "m")


@ledger.Entry(
    source=source("appendix, last line of the proof of the tighter HSIC bound"),
    printed="Therefore, we have derived that for all practical purposes, the overall bound is "
    f"{FINAL_BOUND_CLAIM.bound}. [With N for m.]",
    words="Replacing one of m records moves the empirical HSIC by at most "
    f"{FINAL_BOUND_CLAIM.bound}.",
    scope="All m ≥ 2, replace-one, fixed positive semi-definite kernels with k(x, x) ≤ 1.",
    claim=FINAL_BOUND_CLAIM,
    twin=ledger.Twin(
        "The same for (11m − 11)/(m² − 1), which the small sizes do not bear.",
        printed_at_most("(11m − 11)/(m² − 1)"),
    ),
)
def _appendix_hsic_final_bound(claim: Stated) -> ledger.Evidence:
    large, small = claim.obligations()
    return hsic_evidence(
        claim,
        (
            ledger.Step(
                f"With m for N, {GENERAL} ≤ {claim.bound} for all m ≥ 4 (kernel).", (large,)
            ),
            ledger.Step(
                "For m = 2 and 3: the score lies between 0 and (m/(m − 1))²·‖C‖², ‖C‖ ≤ 1, so it "
                f"moves by at most {SMALL}, which is at most {claim.bound} (kernel, both).",
                (small,),
            ),
        ),
        further=(
            ledger.Step(
                "The printed derivation's three maxima add up to 12m − 11 (kernel).", (_MAXIMA,)
            ),
        ),
        saving=".",
        proof_remark="The derivation gives (N − 1)²|ΔHSIC| ≤ 12N − 11, so its last line should "
        "read (12N − 11)/(N − 1)². The smaller printed number, a misprint, happens to be true, by "
        "the argument given here.",
    )


ENTRIES = (_thm3, _thm3_improved, _appendix_hsic_final_bound)
