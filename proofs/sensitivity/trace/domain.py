"""What a record may be: one column or several, read once for the trace and for what is tried."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.mechanisms import UsageError
from provado.mechanisms.statement.intervention import short

from .number import number
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
        if self.names is not None:
            import pandas as pd

            return pd.DataFrame(list(records), columns=list(self.names))
        if self.several:
            return np.array(list(records), dtype=float).reshape(-1, len(self.columns))
        return np.array([one for (one,) in records])

    def tried(self) -> list[list[Any]]:
        """Return values of each column that are exact in floating point, the extremes first."""
        return [_values(one) for one in self.columns]


def read_domain(domain: Any) -> Domain:
    """Return what a user calls a domain; raises ``UsageError`` for what is none."""
    if isinstance(domain, Mapping):
        if not domain:
            raise UsageError("domain is {}: it must name a column")
        return Domain(tuple(map(_column, domain.values())), tuple(map(str, domain)))
    if isinstance(domain, tuple) and domain and all(map(_is_column, domain)):
        return Domain(tuple(map(_column, domain)), several=True)
    return Domain((_column(domain),))


def _is_column(domain: Any) -> bool:
    return isinstance(domain, list | tuple) or domain in (bool, float)


def _column(domain: Any) -> Any:
    ends = (
        isinstance(domain, tuple)
        and len(domain) == 2
        and all(number(x) is not None for x in domain)
    )
    if not (ends or domain in (bool, float) or (isinstance(domain, list) and domain)):
        raise UsageError(
            f"domain is {short(domain, 60)}: a column is (low, high), a list of values, bool or "
            "float"
        )
    return domain


def _values(domain: Any) -> list[Any]:
    if domain is bool:
        return [False, True]
    if domain is float:
        return [0.0, 1.0, -1.0, 1e6, -1e6, math.nan, math.inf]
    if isinstance(domain, list):
        return domain
    low, high = domain
    within = [low + (high - low) * part / 8 for part in (1, 2, 4, 6)]
    near = [one for one in (low + 1, high - 1) if low <= one <= high]
    return [low, high, *within, *near]
