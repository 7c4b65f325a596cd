"""What a record may be: one column or several, read once for the trace and for what is tried."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from provado.mechanisms import UsageError
from provado.mechanisms.statement.intervention import short

from .interval import plain
from .rows import Rows, column
from .table import Matrix, Table


@dataclass(frozen=True)
class Domain:
    """The columns of a record.

    names: those of a data frame; ``None`` of an array. several: whether the array has two axes.
    """

    columns: tuple[Any, ...]
    names: tuple[str, ...] | None = None
    several: bool = False

    def standing(self) -> Rows | Matrix | Table:
        """Return what stands for any records."""
        rows = tuple(column(one, series=self.names is not None) for one in self.columns)
        if self.names is not None:
            return Table(dict(zip(self.names, rows, strict=True)))
        return Matrix(rows) if self.several else rows[0]

    def made(self, records: Any) -> Any:
        """Return records, which are tuples, as an array or a data frame."""
        # No records have the type of those that there may be.
        rows = list(records) or [tuple(values[0] for values in self.tried())]
        if self.names is not None:
            import pandas as pd

            return pd.DataFrame(rows, columns=list(self.names)).iloc[: len(records)]
        if self.several:
            return np.array(rows, dtype=float)[: len(records)]
        return np.array([one for (one,) in rows])[: len(records)]

    def tried(self) -> list[list[Any]]:
        """Return values of each column that are exact in floating point, the extremes first."""
        return [_values(one) for one in self.columns]


def read_domain(domain: Any) -> Domain:
    """Return what a user calls a domain; raises ``UsageError`` for what is none."""
    if isinstance(domain, Mapping):
        if len(names := tuple(map(str, domain))) != len(set(names)) or not names:
            raise UsageError(f"domain is {short(domain, 60)}: it must name a column, and each once")
        return Domain(tuple(map(_column, domain.values())), names)
    if isinstance(domain, tuple) and domain and all(map(_is_column, domain)):
        return Domain(tuple(_of_an_array(_column(one)) for one in domain), several=True)
    return Domain((_of_an_array(_column(domain)),))


def _is_column(domain: Any) -> bool:
    return isinstance(domain, list | tuple) or domain in (bool, float)


def _column(domain: Any) -> Any:
    """Return a column, with the numbers of NumPy's types as Python's."""
    if isinstance(domain, list | tuple):
        domain = type(domain)(x.item() if isinstance(x, np.generic) else x for x in domain)
    domain = float if domain == (float, None) else domain
    values = domain if isinstance(domain, list | tuple) else ()
    ends = isinstance(domain, tuple) and len(domain) in (2, 3) and all(map(plain, domain[:2]))
    ends = ends and domain[2:] in ((), (None,))
    rule = ""
    if not (ends or domain in (bool, float) or (isinstance(domain, list) and domain)):
        rule = "a column is (low, high), a list of values, bool or float; None for what is missing"
    elif len({isinstance(x, bool) for x in values}) > 1:
        rule = "True and False stand beside other values"
    elif any(isinstance(x, int) and abs(x) > 2**53 for x in values):
        rule = "floats do not hold integers beyond 2**53"
    if rule:
        raise UsageError(f"domain is {short(domain, 60)}: {rule}")
    return domain


def _of_an_array(domain: Any) -> Any:
    """Return a column whose values one array holds, whatever other values are beside them."""
    values = domain if isinstance(domain, list) else [0]
    if not (all(isinstance(x, str) for x in values) or all(isinstance(x, Real) for x in values)):
        raise UsageError(
            f"domain is {short(domain, 60)}: an array holds either numbers or text; beside other "
            "values, such as None, their type depends on the data: use a data frame, or NaN"
        )
    return domain


def _values(domain: Any) -> list[Any]:
    if domain is bool:
        return [False, True]
    if domain is float:
        return [0.0, 1.0, -1.0, 1e6, -1e6, math.nan, math.inf]
    if isinstance(domain, list):
        return domain
    low, high, *missing = domain
    within = [low * (1 - part / 8) + high * (part / 8) for part in (1, 2, 4, 6)]
    within = [one for one in (*within, low + 1, high - 1) if low <= one <= high]
    return [low, high, *(math.nan for _ in missing), *within]
