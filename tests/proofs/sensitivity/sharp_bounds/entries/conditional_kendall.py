"""Conditional Kendall's τ over strata: records may change stratum; no bound in n alone holds."""

from __future__ import annotations

from fractions import Fraction

from provado.mechanisms import ReplaceOne, Source
from provado.mechanisms.scores.conditional_ranks import (
    Rule,
    average_sensitivity,
    average_sensitivity_printed,
    conditional_tau_average,
    conditional_tau_sums,
)
from provado.proofs.kernel import ChangeCounterexample, Checked, KernelRefusal, check
from tests.proofs.sensitivity.sharp_bounds.finding import (
    Dataset,
    SensitivityFinding,
    UnboundedFinding,
    WorstPair,
    worst_of,
)
from tests.proofs.sensitivity.sharp_bounds.polynomial import minus, nonnegative, times

_SOURCE = Source(
    "Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020)",
    "Theorem 3",
)
_TOP = Fraction(27, 4)
_WEIGHT = Fraction(9, 4)


def average(data: Dataset, rule: Rule = "all") -> Fraction:
    """Return Σwτ/Σw exactly; records (a, b, stratum)."""
    return conditional_tau_average(*zip(*data, strict=True), rule=rule)


def squared_z(data: Dataset) -> Fraction:
    """Return (Σwτ)²/Σw exactly, the square of the z-score of the released code."""
    top, bottom = conditional_tau_sums(*zip(*data, strict=True), rule="released")
    return top * top / bottom if bottom else Fraction(0)


def two_strata(n: int) -> tuple[Dataset, Dataset]:
    """Return two strata of n records in all; one record leaves the first for the second.

    In the first the others disagree and the leaving record agrees with all; in the second the
    others agree and the arriving record disagrees with all.
    """
    first, second = (n - 1) // 2, n - 1 - (n - 1) // 2
    rest = tuple((i, -i, 0) for i in range(first)) + tuple((i, i, 1) for i in range(second))
    return ((-1, -n, 0), *rest), ((-1, n, 1), *rest)


def one_pair(n: int) -> tuple[Dataset, Dataset]:
    """Return one stratum of two records and n − 2 strata of one; the pair turns over."""
    rest = ((1, 1, 0), *((0, 0, i) for i in range(1, n - 1)))
    return ((0, 0, 0), *rest), ((2, 0, 0), *rest)


def switched_on(n: int) -> tuple[Dataset, Dataset]:
    """Return a stratum in perfect agreement, and as large a one that counts only under D′.

    Its column b is constant under D, so that the released code leaves it out; one record changes
    that, and with it the weight of everything else.
    """
    half = n // 2
    first = tuple((i, i, 0) for i in range(n - half))
    rest = (*((i, 0, 1) for i in range(1, half)), *first)
    return ((0, 0, 1), *rest), ((0, 1, 1), *rest)


def z_moves_by_more(claimed: Fraction) -> Checked:
    """Return the kernel's refutation that z² moves by at most ``claimed``.

    |Σwτ| ≤ Σw ≤ 9n/4 gives z + z′ ≤ 3√n; so a z that moves by c moves z² by at most 3c√n, which
    is 18 for the released code's c = 6/√n. Any claim is refuted by some n.
    """
    n = 64
    while n <= 1 << 12:
        d, d_prime = switched_on(n)
        values = squared_z(d), squared_z(d_prime)
        if abs(values[0] - values[1]) > claimed:
            return check(
                ChangeCounterexample(d, d_prime, "replace-one", values, claimed), squared_z
            )
        n *= 2
    raise KernelRefusal("change", f"no pair of at most {n // 2} records moves z² by {claimed}")


def _strata_certificates() -> tuple[Checked, ...]:
    """Return the inequalities in n ≥ 1, the size of a stratum, over (2n + 3)(2n + 5)."""
    bottom = (15, 16, 4)

    def gap(limit: Fraction, top: tuple[int, int, int]) -> Checked:
        # limit − 9·top/((2n + 3)(2n + 5)) ≥ 0
        difference = tuple(limit * b - 9 * t for b, t in zip(bottom, top, strict=True))
        return nonnegative(difference, 1, over=bottom)

    move = (-1, -2, 3)  # (n − 1)(3n + 1)
    weight = (-5, 4, 1)  # (n − 1)(n + 5)
    difference = tuple(m - w for m, w in zip(move, weight, strict=True))
    return (
        gap(_TOP, move),
        gap(_WEIGHT, weight),
        gap(_TOP - _WEIGHT, (difference[0], difference[1], difference[2])),
        # 9n(n − 1)/(4n + 10) − (9/4)(n − 7/2), over 4n + 10.
        nonnegative(
            minus((0, -9, 9), times((Fraction(-63, 8), Fraction(9, 4)), (10, 4))),
            1,
            over=(10, 4),
        ),
    )


def _worst_two(n: int) -> WorstPair:
    return worst_of(*two_strata(n), average)


def breaks_printed_limit(n: int) -> Checked:
    """Return the kernel's refutation of 9/(2n) for the weighted average over two strata."""
    d, d_prime = two_strata(n)
    values = average(d), average(d_prime)
    claimed = average_sensitivity_printed(n)
    return check(ChangeCounterexample(d, d_prime, "replace-one", values, claimed), average)


def whole_range(claimed: Fraction) -> Checked:
    """Return the kernel's refutation of any claim below 2 for the weighted average, n = 1,000."""
    d, d_prime = one_pair(1000)
    values = average(d), average(d_prime)
    return check(ChangeCounterexample(d, d_prime, "replace-one", values, claimed), average)


FINDINGS = (
    SensitivityFinding(
        score="conditional Kendall's τ, weighted average, 2 strata",
        relation=ReplaceOne(),
        scope="at most two strata, fixed beforehand; the conditioning value of the replaced record "
        "may change too; every stratum of two rows or more counts",
        source=_SOURCE,
        printed=average_sensitivity_printed,
        printed_words="c₁/n with c₁ → 9/2, read as 9/(2n)",
        upper=lambda n: average_sensitivity(n, 2),
        upper_words="12/(2n − 7K) for K strata, K = 2",
        steps=(
            "w·τ is 9S/(2n + 5) in a stratum of n rows, S = C − D. Without one of its records, "
            "which is in pairs of sum x, it moves by 18(S − x)/((2n + 3)(2n + 5)) − 9x/(2n + 5), "
            "at most e(n) = 9(n − 1)(3n + 1)/((2n + 3)(2n + 5)) in size.",
            "Its weight moves by ω(n) = 9(n − 1)(n + 5)/((2n + 3)(2n + 5)). The kernel decides "
            "e ≤ 27/4, ω ≤ 9/4 and e − ω ≤ 9/2.",
            "A record that leaves stratum j and joins k moves Σwτ/Σw by at most "
            "(e_j + e_k + |ω_k − ω_j|)/Σw ≤ (27/2)/Σw, the average being in [−1, 1].",
            "9n(n − 1)/(4n + 10) ≥ (9/4)(n − 7/2) (kernel), so Σw ≥ (9/4)(n − 7K/2).",
        ),
        certificates=lambda: (*_strata_certificates(), breaks_printed_limit(200)),
        worst=_worst_two,
        smallest=6,
        remark="The pair found and the bound both behave as 6/n: sharp in the limit, and above the "
        "printed 9/2. A record that stays in its stratum moves the average by 4/n in the limit.",
    ),
    UnboundedFinding(
        score="conditional Kendall's τ, weighted average, any strata",
        relation=ReplaceOne(),
        scope="any number of strata; every stratum of two rows or more counts",
        source=_SOURCE,
        printed="c₁/n",
        beyond=whole_range,
        steps=(
            "One stratum of two rows and n − 2 of one row: the average is the τ of that pair, 1.",
            "Turning the pair over gives −1, the whole range, whatever n.",
        ),
        remark="A bound in n needs a bound on the number of strata, or the sizes as public.",
    ),
    UnboundedFinding(
        score="conditional Kendall's τ, z-score of the released code, squared",
        relation=ReplaceOne(),
        scope="strata of three rows or more without a constant column count",
        source=_SOURCE,
        printed="z moves by at most 6/√n, as the released code takes it; z² then by at most 18",
        beyond=z_moves_by_more,
        steps=(
            "A stratum of half the rows has τ = 1; the other half has a constant column, and does "
            "not count. So z² = Σw of the first.",
            "One record of the second half changes the constant: its weight now counts, its τ is "
            "nearly 0, and z² is halved. The move of z grows with √n.",
        ),
        remark="Within large strata, and for a record that stays in its own, 6/√n does hold.",
    ),
)
