"""How likely the direction told by noisy scores is the direction told by the scores themselves."""

from .four_laplace import (
    four_laplace_correct,
    four_laplace_correct_printed,
    four_laplace_wrong,
    iqr_margin,
    iqr_margin_printed,
)
from .margin_for import margin_for
from .two_laplace import two_laplace_correct, two_laplace_wrong

__all__ = [
    "four_laplace_correct",
    "four_laplace_correct_printed",
    "four_laplace_wrong",
    "iqr_margin",
    "iqr_margin_printed",
    "margin_for",
    "two_laplace_correct",
    "two_laplace_wrong",
]
