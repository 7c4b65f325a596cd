"""The bounds on how far one record moves HSIC, held against the three printed ones.

The argument stands in ``provado.proofs.ledger.kusner2016.hsic``.
"""

from __future__ import annotations

from fractions import Fraction

from provado.mechanisms.scores.hsic.hsic import hsic_sensitivity, hsic_sensitivity_improved
from provado.proofs.kernel import Checked, MultivariateSign, check
from tests.mechanisms.scores.score_variants import hsic_sensitivity_appendix_printed
from tests.proofs.sensitivity.sharp_bounds.polynomial import Polynomial, minus, ratio_at_most, times

NONNEGATIVE_RANGE = Fraction(21, 20)
"""h(z) − h(z′) is at most this for symmetric kernels with values in [0, 1]."""

BALL_RANGE = Fraction(5, 2)
"""h(z) − h(z′) is at most this for positive semi-definite kernels with k(x, x) ≤ 1."""

_FORMS: tuple[tuple[Polynomial, Polynomial], ...] = (
    ((-8, 16), (1, -2, 1)),
    ((-11, 12), (1, -2, 1)),
    ((-11, 12), (-1, 0, 1)),
)


def below_printed(bound: Polynomial, lower: int = 2) -> tuple[Checked, ...]:
    """Return the findings that bound/m² is at most each of the three printed forms, m ≥ lower.

    bound: coefficients from the constant upward. The forms are those of Theorem 3, of section 4.2
    and of the appendix's last line.
    """
    ours = (bound, (0, 0, 1))
    return tuple(ratio_at_most(ours, printed, lower, tried_to=20) for printed in _FORMS)


def range_below_printed(largest: Fraction, upper: int) -> tuple[Checked, ...]:
    """Return the findings that largest·(m/(m − 1))² is at most each form for 2 ≤ m ≤ upper."""
    whole = (0, 0, largest)
    tops = (minus(times(top, (1, -2, 1)), times(whole, bottom)) for top, bottom in _FORMS)
    return tuple(
        check(MultivariateSign(tuple((c, (k,)) for k, c in enumerate(p)), (2,), (upper,)))
        for p in tops
    )


PRINTED = {
    "(16m − 8)/(m − 1)², Theorem 3": hsic_sensitivity,
    "(12m − 11)/(m − 1)², section 4.2": hsic_sensitivity_improved,
    "(12m − 11)/(m² − 1), last line of the appendix": hsic_sensitivity_appendix_printed,
}
"""The three printed bounds; all hold, the last one too, though the derivation does not give it."""
