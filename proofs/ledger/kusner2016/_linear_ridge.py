"""Kernel ridge regression with the kernel k(x, y) = xy, exactly, and scores of its residuals.

The kernel is positive semi-definite and at most 1 on [−1, 1]; its feature map is φ(x) = x, so that
the minimiser of (λ/2)w² + (1/n) Σ (w·x_i − y_i)² is w = Σ x_i·y_i/(Σ x_i² + λn/2).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from ._quartiles import Number

Rows = tuple[tuple[Number, Number], ...]


def slope(train: Rows, lam: Number) -> Fraction:
    """Return w."""
    top = sum((Fraction(x) * y for x, y in train), Fraction(0))
    return top / (sum(Fraction(x) ** 2 for x, _ in train) + Fraction(lam) * len(train) / 2)


def residuals(train: Rows, test: Rows, lam: Number) -> tuple[Fraction, ...]:
    """Return y′ − w·x′ for each row of the test set."""
    w = slope(train, lam)
    return tuple(Fraction(y) - w * x for x, y in test)


def spearman(a: Sequence[Number], b: Sequence[Number]) -> Fraction:
    """Return |1 − 6 Σ d²/(m(m² − 1))|, ties ranked by position."""
    m = len(a)
    moved = sum((r - s) ** 2 for r, s in zip(_ranks(a), _ranks(b), strict=True))
    return abs(1 - Fraction(6 * moved, m * (m * m - 1)))


def kendall(a: Sequence[Number], b: Sequence[Number]) -> Fraction:
    """Return |C − D|/(m(m − 1)/2), a pair that is not concordant being discordant."""
    pairs = list(combinations(range(len(a)), 2))
    concordant = sum((a[i] - a[j]) * (b[i] - b[j]) > 0 for i, j in pairs)
    return abs(Fraction(2 * concordant - len(pairs), len(pairs)))


def _ranks(values: Sequence[Number]) -> list[int]:
    order = sorted(range(len(values)), key=lambda i: values[i])
    ranks = [0] * len(values)
    for rank, i in enumerate(order):
        ranks[i] = rank
    return ranks
