"""Strata: the rows of two columns, divided by the values of the conditioning columns.

Which strata count. ``"all"`` takes every stratum of at least two rows, so that a pair of rows
exists. ``"released"`` is the rule of the code that the authors of Priv-PC released: a stratum needs
three rows, and neither column may be constant in it. The second rule makes weights jump: one record
can bring a large stratum in or take it out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import answers
from provado.mechanisms.scores.columns import Column, columns

Rule = Literal["all", "released"]


def strata(
    a: ArrayLike, b: ArrayLike, given: ArrayLike, rule: Rule
) -> Iterator[tuple[Column, Column]]:
    """Yield the two columns of each stratum that counts under ``rule``.

    a, b: columns of one length m ≥ 2. given: the conditioning values, shape (m,) for one column or
    (m, s) for s of them; equal rows form a stratum.

    Raises ``UsageError`` for bad columns, other shapes, NaN, or an unknown rule.
    """
    first, second = columns(a, b)
    if rule not in ("all", "released"):
        raise UsageError(f"rule is {rule!r}: it must be 'all' or 'released'")
    for part in _rows_by_value(given, first.size):
        x, y = first[part], second[part]
        if rule == "released" and (x.size < 3 or np.ptp(x) == 0 or np.ptp(y) == 0):
            continue
        if x.size >= 2:
            yield x, y


def _rows_by_value(given: ArrayLike, m: int) -> Iterator[NDArray[np.int64]]:
    values = answers(given, "given")
    if values.ndim not in (1, 2) or values.shape[0] != m:
        raise UsageError(f"given has shape {values.shape}: it must have one row for each of {m}")
    _, code = np.unique(values.reshape(m, -1), axis=0, return_inverse=True)
    order = np.argsort(code.ravel(), kind="stable")
    yield from np.split(order, np.cumsum(np.bincount(code.ravel()))[:-1])
