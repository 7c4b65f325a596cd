"""The sensitivity of HSIC as the last line of the appendix prints it."""

from fractions import Fraction

from provado.mechanisms.scores.score import rows


def hsic_sensitivity_appendix_printed(m: int) -> Fraction:
    """Return (12m − 11)/(m² − 1), the last line of the appendix: a misprint.

    The derivation above that line bounds (m − 1)² times the change by 12m − 11, as section 4.2
    says; m² − 1 is larger than (m − 1)², so that the printed bound would be smaller.
    """
    return Fraction(12 * rows(m) - 11, m * m - 1)
