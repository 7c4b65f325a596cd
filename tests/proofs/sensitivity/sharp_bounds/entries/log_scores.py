"""The logarithmic scores, variance and interquartile range: one record moves them without limit."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from provado.mechanisms import AddOrRemoveOne, ReplaceOne, Source
from provado.mechanisms.scores.iqr import quartile_positions
from provado.proofs.kernel import ChangeCounterexample, Checked, check
from tests.proofs.sensitivity.sharp_bounds.finding import Dataset, UnboundedFinding

_PAPER = "Kusner et al., Private Causal Inference (2016)"
_ROWS = 8


def variance_product(data: Dataset) -> Fraction:
    """Return V(a)·V(b) exactly, V the mean squared deviation; its logarithm is the score."""
    return math.prod((_variance(column) for column in zip(*data, strict=True)), start=Fraction(1))


def iqr_product(data: Dataset) -> Fraction:
    """Return IQR(a)·IQR(b) exactly, quartiles as in ``quartile_positions``."""
    product = Fraction(1)
    for column in zip(*data, strict=True):
        p, q = quartile_positions(len(column))
        ranked = sorted(column)
        product *= ranked[q - 1] - ranked[p - 1]
    return product


def _variance(column: tuple[int, ...]) -> Fraction:
    m = len(column)
    mean = Fraction(sum(column), m)
    return sum(((x - mean) ** 2 for x in column), Fraction(0)) / m


def _far(claimed: Fraction) -> int:
    """Return a whole number above e^(claimed + 6)."""
    return int(3 ** (math.ceil(claimed) + 6))


def variance_beyond(claimed: Fraction) -> Checked:
    """Return the kernel's refutation that the variance score moves by at most ``claimed``."""
    d: Dataset = tuple((i % 2, i % 2) for i in range(_ROWS))
    d_prime = ((_far(claimed), 0), *d[1:])
    return _refute(d, d_prime, "replace-one", claimed, variance_product)


def variance_beyond_added(claimed: Fraction) -> Checked:
    """Return the same with one record added."""
    d: Dataset = tuple((i % 2, i % 2) for i in range(_ROWS))
    d_prime = (*d, (_far(claimed), 0))
    return _refute(d, d_prime, "add-or-remove-one", claimed, variance_product)


def iqr_beyond(claimed: Fraction) -> Checked:
    """Return the kernel's refutation that the log-IQR score moves by at most ``claimed``."""
    far = _far(claimed)
    _, q = quartile_positions(_ROWS)
    low: tuple[int, ...] = (0,) * (q - 1)
    # The q-th smallest is 1 under D; one 0 sent beyond it makes it ``far``.
    a = low + (1,) + (far,) * (_ROWS - q)
    b = tuple(range(_ROWS))
    d: Dataset = tuple(zip(a, b, strict=True))
    d_prime = ((far, 0), *d[1:])
    return _refute(d, d_prime, "replace-one", claimed, iqr_product)


def _refute(
    d: Dataset,
    d_prime: Dataset,
    relation: str,
    claimed: Fraction,
    score: Callable[[Dataset], Fraction],
) -> Checked:
    values = score(d), score(d_prime)
    evidence = ChangeCounterexample(d, d_prime, relation, values, claimed, logarithm=True)
    return check(evidence, score)


FINDINGS = (
    UnboundedFinding(
        score="log V(a) + log V(b)",
        relation=ReplaceOne(),
        scope="any m ≥ 2",
        source=Source(_PAPER, "section 3.3"),
        printed="can change without limit",
        beyond=variance_beyond,
        steps=(
            "All values 0 or 1: the variance is at most 1/4.",
            "One of them set to M makes it at least (M − 1)²(m − 1)/m², so that the score moves by "
            "2·log M less a constant.",
        ),
    ),
    UnboundedFinding(
        score="log V(a) + log V(b)",
        relation=AddOrRemoveOne(),
        scope="any m ≥ 2",
        source=Source(_PAPER, "section 3.3"),
        printed="can change without limit",
        beyond=variance_beyond_added,
        steps=("As for replace-one, with M added.",),
    ),
    UnboundedFinding(
        score="log IQR(a) + log IQR(b)",
        relation=ReplaceOne(),
        scope="any m ≥ 4; quartiles as order statistics",
        source=Source(_PAPER, "section 4.3"),
        printed="the IQR does not have a bounded global sensitivity",
        beyond=iqr_beyond,
        steps=(
            "Under D the first quartile is 0, the third is 1, and all values above it are M.",
            "One 0 set to M makes the third quartile M: the score moves by log M.",
        ),
    ),
)
