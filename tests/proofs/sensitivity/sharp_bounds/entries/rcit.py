"""The RCIT score and its permutation p-value: two printed bounds fail, one holds by its slack."""

from __future__ import annotations

from fractions import Fraction

from provado.mechanisms import ReplaceOne, Source
from provado.mechanisms.graph_discovery.independence_tests.rcit import p_value_bounds
from provado.proofs.kernel import (
    ChangeCounterexample,
    Checked,
    Enclosure,
    Sum,
    check,
    exp_enclosure,
    sum_enclosure,
)
from provado.proofs.ledger.kusner2016.hsic import unit_finding
from tests.proofs.sensitivity.sharp_bounds.entries.hsic import cluster_pair
from tests.proofs.sensitivity.sharp_bounds.exact_scores import hsic_exact, same
from tests.proofs.sensitivity.sharp_bounds.exponential_scores import hsic_sum, squared_exponential
from tests.proofs.sensitivity.sharp_bounds.finding import (
    Dataset,
    SensitivityFinding,
    UnboundedFinding,
    WorstPair,
    worst_of,
)
from tests.proofs.sensitivity.sharp_bounds.hsic_argument import NONNEGATIVE_RANGE
from tests.proofs.sensitivity.sharp_bounds.polynomial import ratio_at_most

_PAPER = "Zhang et al., Differentially Private Nonlinear Causal Discovery (2023)"
_SLOPE = Fraction(607, 1000)
_ROOT_TWO = Fraction(71, 50)


def residuals(column: tuple[int, ...]) -> tuple[Fraction, ...]:
    """Return the ridge residuals for λ = 1 where all Z are equal and the kernel there is 1.

    The fit is Σx/(m + m/2), the minimiser of (1/2)w² + (1/m)Σ(w − x)².
    """
    fitted = Fraction(2 * sum(column), 3 * len(column))
    return tuple(x - fitted for x in column)


def score(data: Dataset) -> Sum:
    """Return the RCIT score exactly: λ = 1, equal Z, squared exponential kernels of bandwidth 1."""
    u, v = (residuals(column) for column in zip(*data, strict=True))
    kernel = squared_exponential(1)
    return hsic_sum(tuple(zip(u, v, strict=True)), kernel, kernel)


def own_residual(data: Dataset) -> Fraction:
    """Return the residual of the first record; records (x,), λ = 1, equal Z."""
    return residuals(tuple(x for (x,) in data))[0]


def printed(m: int) -> Fraction:
    """Return equation (3) for λ = δ_k = δ_l = 1, 4m(1 − e^(−128/m²))/(m − 1), rounded up.

    By less than 10^−18.
    """
    low, _ = exp_enclosure(Fraction(-128, m * m))
    return Fraction(4 * m, m - 1) * (1 - low)


def printed_above(m: int) -> Fraction:
    """Return 512/(m(m − 1)), at least equation (3) for λ = δ_k = δ_l = 1, as 1 − e^(−a) ≤ a."""
    return Fraction(512, m * (m - 1))


def upper(m: int) -> Fraction:
    """Return 21/(10m) + 4/m² + η(L_k + L_l)(m/(m − 1))², for λ = δ_k = δ_l = 1.

    η = (4 + √2)/m bounds the move of the residuals of the records that stay, rounded up.
    """
    eta = (4 + _ROOT_TWO) / m
    moved = 2 * NONNEGATIVE_RANGE / m + Fraction(4, m * m)
    return min(
        moved + eta * 2 * _SLOPE * Fraction(m, m - 1) ** 2,
        Fraction(m, m - 1) ** 2 / 4,
    )


def breaks_equation_3(m: int = 1000) -> Checked:
    """Return the kernel's refutation of equation (3) for m records, λ = 1 and bandwidths 1."""
    d, d_prime = cluster_pair(m, m // 3, adds=False)
    values = score(d), score(d_prime)
    return check(ChangeCounterexample(d, d_prime, "replace-one", values, printed_above(m)), score)


def breaks_theorem_2(claimed: Fraction) -> Checked:
    """Return the kernel's refutation that a residual moves by at most ``claimed``, below 2.

    The record's own residual, of 1,000 records; Theorem 2 claims 8/m for λ = 1.
    """
    rest: Dataset = ((0,),) * 999
    d, d_prime = ((1,), *rest), ((-1,), *rest)
    values = own_residual(d), own_residual(d_prime)
    return check(ChangeCounterexample(d, d_prime, "replace-one", values, claimed), own_residual)


def wide(x: int, y: int) -> Fraction:
    """Return 4/(4 + (x − y)²), the rational quadratic kernel: values in (0, 1], k(x, x) = 1."""
    return Fraction(4, 4 + (x - y) ** 2)


def p_value(data: Dataset) -> Fraction:
    """Return the permutation p-value over all rotations of u, exactly; records (u, v)."""
    u, v = zip(*data, strict=True)
    turned = [
        hsic_exact(tuple(zip(u[i:] + u[:i], v, strict=True)), wide, same) for i in range(1, len(u))
    ]
    own = hsic_exact(data, wide, same)
    return p_value_bounds(own, turned, Fraction(0))[0]


def whole_range(m: int) -> tuple[Dataset, Dataset]:
    """Return the pair on which the p-value goes from 0 to 1; the first record's u is the centre."""
    rest = tuple((1 if i % 2 else -1, 0) for i in range(m - 1))
    return ((0, 0), *rest), ((0, 1), *rest)


def _score_certificates() -> tuple[Checked, ...]:
    square = _ROOT_TWO**2
    return (
        unit_finding(),
        check(Enclosure(((Fraction(-1, 2), 1),), 0, _SLOPE)),
        check(Enclosure(((0, square),), 2, square)),
        breaks_equation_3(),
    )


def _worst_score(m: int) -> WorstPair:
    d, d_prime = cluster_pair(m, m // 3, adds=False)
    # Rounded down: the change is an irrational number.
    before, after = (sum_enclosure(score(data)) for data in (d, d_prime))
    change = max(after[0] - before[1], before[0] - after[1], Fraction(0))
    return WorstPair(d, d_prime, change)


def _p_value_certificates() -> tuple[Checked, ...]:
    """Return the finding that three moves of the proved HSIC bound are within twice the printed."""
    ours = ((12, 6 * NONNEGATIVE_RANGE), (0, 0, 1))
    return (ratio_at_most(ours, ((-22, 24), (1, -2, 1)), 2, tried_to=10),)


FINDINGS = (
    SensitivityFinding(
        score="RCIT score, λ = 1, bandwidths 1",
        relation=ReplaceOne(),
        scope="Z not empty; data in [−1, 1]; squared exponential kernels fixed beforehand",
        source=Source(_PAPER, "Theorem 3, equation (3)"),
        printed=printed,
        printed_words="equation (3), 2(m² − m)(2 − e^(−128/(m²λ³δ_k²)) − …)/(m − 1)²",
        upper=upper,
        upper_words="21/(10m) + 4/m² + η(L_k + L_l)(m/(m − 1))², η = (4 + √2/√λ)/(mλ)",
        steps=(
            "The residuals of the m − 1 records that stay move by at most η (see ridge), so "
            "entries "
            "of K by at most 2ηL_k; trace((K − K′)HLH) is at most the largest of these times the "
            "sum of |HLH|, at most m·‖HLH‖ ≤ m²/2 in the Frobenius norm. So both columns move HSIC "
            "by at most η(L_k + L_l)(m/(m − 1))².",
            "The replaced record then moves it by at most 21/(10m) + 4/m² (see HSIC).",
            "L = e^(−1/2) ≤ .607 and √2 ≤ 1.42 (kernel).",
        ),
        certificates=_score_certificates,
        worst=_worst_score,
        smallest=3,
        remark="Equation (3) falls as 1/m², as if no entry of the replaced record's own row moved "
        "by more than the others: false, Theorem 2 does not hold for the record itself, whose x "
        "may turn from 1 to −1. With equal Z the score moves as HSIC does, by order 1/m.",
    ),
    UnboundedFinding(
        score="residuals of RCIT, the replaced record's own among them",
        relation=ReplaceOne(),
        scope="λ = 1, 1,000 records; regression and residuals on the same records",
        source=Source(_PAPER, "Theorem 2"),
        printed="8/(mλ^(3/2)) for all i",
        beyond=breaks_theorem_2,
        steps=(
            "Equal Z and x = 0 but for the first record, whose x turns from 1 to −1: the fit moves "
            "by 4/(3m), its own residual by 2 − 4/(3m).",
        ),
        remark="For the residuals of all other records the bound holds; see ridge.",
    ),
    SensitivityFinding(
        score="permutation p-value of HSIC and RCIT",
        relation=ReplaceOne(),
        scope="permutations fixed beforehand, here the rotations; strict comparisons as printed",
        source=Source(_PAPER, "Theorem 4 and equations (5) to (8)"),
        printed=None,
        printed_words="no global bound; locally max{p − A, B − p}",
        upper=lambda _: Fraction(1),
        upper_words="1, its range",
        steps=(
            "v is constant under D: all scores are 0, and as the comparison is strict p = 0.",
            "The first v is set to 1: HSIC is now largest where a u far from all others stands "
            "beside it, and the first u is the centre, nearer to all others than any. Every "
            "rotation scores more: p = 1.",
        ),
        certificates=_p_value_certificates,
        worst=lambda m: worst_of(*whole_range(m), p_value),
        smallest=3,
        remark="Theorem 4 takes Δ for the permuted scores too, but a permutation parts the "
        "replaced "
        "record's u from its v, so that two records change. For Z = ∅ its statement survives: "
        "three "
        "times the proved bound on HSIC is within 2Δ for the printed Δ (kernel). For Z ≠ ∅ it "
        "rests "
        "on equation (3), which fails.",
    ),
)
