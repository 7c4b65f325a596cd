"""HSIC with fixed kernels: at most 2.1/m + 4/m² instead of the printed 12/m and more."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, product

from provado.mechanisms import AddOrRemoveOne, ReplaceOne, Source
from provado.mechanisms.scores.hsic.hsic import hsic_sensitivity_improved
from provado.proofs.kernel import Checked
from provado.proofs.ledger.find_certificate import show
from provado.proofs.ledger.kusner2016.hsic import (
    BALL_STEPS,
    GENERAL_FACT,
    RANGE_STEPS,
    SPLIT,
    unit_finding,
)
from tests.proofs.sensitivity.sharp_bounds.exact_scores import (
    ExactKernel,
    hsic_exact,
    opposite,
    same,
)
from tests.proofs.sensitivity.sharp_bounds.finding import (
    Dataset,
    SensitivityFinding,
    WorstPair,
    worst_of,
)
from tests.proofs.sensitivity.sharp_bounds.hsic_argument import (
    BALL_RANGE,
    NONNEGATIVE_RANGE,
    below_printed,
    range_below_printed,
)
from tests.proofs.sensitivity.sharp_bounds.polynomial import ratio_at_most, times

_SOURCE = Source(
    "Kusner et al., Private Causal Inference (2016)", "Theorem 3, section 4.2, appendix"
)
_PRINTED = "(12m − 11)/(m − 1)²"
_WINDOW = 4
_FEW = 40
_ENUMERATED = 4

_WHOLE = (
    "HSIC itself lies in [0, (m/(m − 1))²/4]: ‖HKH‖² ≤ m²·(κ − κ²) in the Frobenius norm, as "
    "k² ≤ k on [0, 1]; the smaller of the two bounds is taken."
)
_REMARK = (
    "Worst found: a third of the records in one cluster, two thirds in another, far away, and a "
    "record whose b changes cluster: 32/27 ≈ 1.185 over m for large m. Between that and 2.1/m it "
    "is open. All three printed bounds hold, the appendix's misprinted last line too. The proof of "
    "Theorem 3 is right for kernels in [0, 1]; it is loose in taking 4 for the largest entry of "
    "HLH."
)
_BALL_REMARK = (
    "Kernels bounded above by 1 only, such as k(x, y) = x·y on [−1, 1]: the printed proof fails, "
    "as "
    "‖K − K̃‖₁ reaches 4(m − 1), above 2m − 1; the printed bounds hold all the same. Worst found: "
    "128/27 ≈ 4.74 over m for large m."
)


def _upper_replace(m: int) -> Fraction:
    return min(2 * NONNEGATIVE_RANGE / m + Fraction(4, m * m), Fraction(m, m - 1) ** 2 / 4)


def _upper_ball(m: int) -> Fraction:
    return min(2 * BALL_RANGE / m + Fraction(16, m * m), Fraction(m, m - 1) ** 2)


def _upper_add(m: int) -> Fraction:
    shrink = Fraction(2 * m - 3, 4 * (m - 2) ** 2)
    return min(Fraction(2, m) + Fraction(4, m * m) + shrink, Fraction(m - 1, m - 2) ** 2 / 4)


def cluster_pair(m: int, rare: int, adds: bool) -> tuple[Dataset, Dataset]:
    """Return two clusters in perfect agreement, ``rare`` of m − 1 records in one of them.

    Replace-one: a record of the rare cluster changes its b to the other. Add-or-remove-one: a
    record with the rare a and the other b comes in.
    """
    rest = ((1, 1),) * rare + ((-1, -1),) * (m - 1 - rare)
    before = () if adds else ((1, 1),)
    return before + rest, ((1, -1), *rest)


def _worst(m: int, kernel: ExactKernel, adds: bool) -> WorstPair:
    score = partial(hsic_exact, kernel_a=kernel, kernel_b=kernel)
    # The best share of the rare cluster tends to 1/3 for a replaced record, 1/2 for a new one.
    middle = (m - 1) // (2 if adds else 3)
    tried = range(1, m - 1)
    if m > _FEW:
        tried = range(middle - _WINDOW, middle + _WINDOW)
    pairs = [worst_of(*cluster_pair(m, rare, adds), score) for rare in tried]
    if m <= _ENUMERATED:
        pairs += _two_clusters(m, score, adds)
    return max(pairs, key=lambda pair: pair.change)


def _two_clusters(m: int, score: Callable[[Dataset], Fraction], adds: bool) -> list[WorstPair]:
    """Return all pairs of neighbors whose columns take two values."""
    points = list(product((1, -1), repeat=2))
    pairs: list[WorstPair] = []
    for rest in combinations_with_replacement(points, m - 1):
        values = [(score((*rest, point)), (*rest, point)) for point in points]
        if adds:
            pairs += [worst_of(rest, d, score) for _, d in values]
        else:
            pairs.append(worst_of(min(values)[1], max(values)[1], score))
    return pairs


def _replace_certificates() -> tuple[Checked, ...]:
    return (unit_finding(), *below_printed((4, 2 * NONNEGATIVE_RANGE)))


def _ball_certificates() -> tuple[Checked, ...]:
    # Below m = 4 the range of the score is the smaller bound.
    bound = below_printed((16, 2 * BALL_RANGE), lower=4)
    return (show(GENERAL_FACT), *bound, *range_below_printed(Fraction(1), 3))


def _add_certificates() -> tuple[Checked, ...]:
    # 2/m + 4/m² + (2m − 3)/(4(m − 2)²) over one denominator, against the improved printed bound.
    gap = (-2, 1)
    square = times(gap, gap)
    first, second = times((16, 8), square), times((-3, 2), (0, 0, 1))
    top = tuple(a + b for a, b in zip(first, second, strict=True))
    bottom = times((4,), (0, 0, 1), square)
    return (ratio_at_most((top, bottom), ((-11, 12), (1, -2, 1)), 4, tried_to=20),)


FINDINGS = (
    SensitivityFinding(
        score="HSIC, fixed kernels in [0, 1]",
        relation=ReplaceOne(),
        scope="positive semi-definite kernels with values in [0, 1] (squared exponential, Matérn, "
        "indicators), the same for all data; for symmetric ones that are not positive "
        "semi-definite 21/(10m) + 8/m² follows likewise",
        source=_SOURCE,
        printed=hsic_sensitivity_improved,
        printed_words=_PRINTED,
        upper=_upper_replace,
        upper_words="21/(10m) + 4/m², and (m/(m − 1))²/4",
        steps=(
            *SPLIT,
            *RANGE_STEPS,
            "p and q lie in [0, 2], squared distances of features with norm at most 1 and no "
            "negative product, so that the t² term moves by at most 4/m².",
            _WHOLE,
        ),
        certificates=_replace_certificates,
        worst=partial(_worst, kernel=same, adds=False),
        smallest=2,
        remark=_REMARK,
    ),
    SensitivityFinding(
        score="HSIC, fixed kernels, negative values allowed",
        relation=ReplaceOne(),
        scope="positive semi-definite kernels with k(x, x) ≤ 1, whatever the signs of their values",
        source=_SOURCE,
        printed=hsic_sensitivity_improved,
        printed_words=_PRINTED,
        upper=_upper_ball,
        upper_words="5/m + 16/m², and (m/(m − 1))²",
        steps=(
            *SPLIT,
            *BALL_STEPS,
            "p and q lie in [0, 4], so that the t² term moves by at most 16/m².",
        ),
        certificates=_ball_certificates,
        worst=partial(_worst, kernel=opposite, adds=False),
        smallest=2,
        remark=_BALL_REMARK,
    ),
    SensitivityFinding(
        score="HSIC, fixed kernels in [0, 1]",
        relation=AddOrRemoveOne(),
        scope="positive semi-definite kernels with values in [0, 1], the same for all data",
        source=_SOURCE,
        printed=hsic_sensitivity_improved,
        printed_words=_PRINTED + ", stated for replacing a record",
        upper=_upper_add,
        upper_words="2/m + 4/m² + (2m − 3)/(4(m − 2)²), and ((m − 1)/(m − 2))²/4",
        steps=(
            *SPLIT,
            "Here V is ((m − 2)/(m − 1))² times the score of the smaller dataset, at most 1/4; so "
            "that factor moves the score by at most (2m − 3)/(4(m − 2)²).",
            "h(z) is a sum of four covariances of variables in [0, 1], each at most 1/4: |h| ≤ 1.",
            _WHOLE,
        ),
        certificates=_add_certificates,
        worst=partial(_worst, kernel=same, adds=True),
        smallest=3,
        remark="Worst found: two clusters of one size, and a new record at odds with both: 1/m for "
        "large m. Between that and 5/(2m) it is open. For m = 3 the bound is the whole range.",
    ),
)
