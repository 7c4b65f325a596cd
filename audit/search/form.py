"""The form of a dataset: its records, and how records become a dataset of the same form again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.mechanisms import UsageError

Records = tuple[Any, ...]


@dataclass(frozen=True)
class Form:
    """How a dataset holds its records.

    kind: ``"array"``, ``"list"``, ``"tuple"``, ``"frame"``, ``"series"``, or ``"number"``: one
        that is the dataset itself. columns: the names of
    a record's fields, empty where it is one value. width: how many fields a record has, 0 for one
    value. sample: a dataset of this form, of which types and names are taken.
    """

    kind: str
    columns: tuple[Any, ...]
    width: int
    sample: Any

    def build(self, records: Sequence[Any]) -> Any:
        """Return a dataset of these records. Types are those of the sample where they hold them."""
        if self.kind == "list":
            return list(records)
        if self.kind == "number":
            return records[0]
        if self.kind == "tuple":
            return tuple(records)
        if self.kind == "array":
            return _array(records, self.sample)
        return (
            _frame(records, self.sample) if self.kind == "frame" else _series(records, self.sample)
        )

    def pair(self, one: Sequence[Any], other: Sequence[Any]) -> tuple[Any, Any]:
        """Return two datasets of one type each, so that their types do not tell them apart."""
        if self.kind == "number":
            return one[0], other[0]
        both = self.build([*one, *other])
        first, second = both[: len(one)], both[len(one) :]
        if self.kind in ("frame", "series"):
            second = second.reset_index(drop=True)
        return first, second

    def field(self, position: int) -> str:
        """Return the name of a field in a sentence."""
        return repr(self.columns[position]) if self.columns else f"field {position}"


def read_form(data: Any) -> tuple[Form, Records]:
    """Return the form of a dataset and its records; rows of numbers come as tuples.

    Raises ``UsageError`` for what is no array, list, tuple or data frame.
    """
    if hasattr(data, "iloc"):
        if data.ndim == 2:
            names = tuple(data.columns)
            return Form("frame", names, len(names), data), tuple(
                map(tuple, data.astype(object).itertuples(index=False))
            )
        return Form("series", (), 0, data), tuple(data.astype(object).tolist())
    if isinstance(data, np.ndarray) and data.ndim:
        if data.ndim == 1:
            return Form("array", (), 0, data), tuple(data.tolist())
        if data.ndim == 2:
            return Form("array", (), data.shape[1], data), tuple(map(tuple, data.tolist()))
    if isinstance(data, int | float | np.number):
        return Form("number", (), 0, data), (data,)
    if isinstance(data, list | tuple):
        widths = {len(one) if isinstance(one, list | tuple) else 0 for one in data}
        width = widths.pop() if len(widths) == 1 else 0
        kind = "list" if isinstance(data, list) else "tuple"
        return Form(kind, (), width, data), tuple(data)
    raise UsageError(
        f"data is a {type(data).__name__}: neighbors are made from an array of one or two "
        "dimensions, a list, a tuple, a data frame or a number; else give pair=(d0, d1)"
    )


def _array(records: Sequence[Any], sample: np.ndarray[Any, Any]) -> Any:
    if not records:
        return np.empty((0, *sample.shape[1:]), dtype=sample.dtype)
    made = np.array(list(records), dtype=object if sample.dtype.kind == "O" else None)
    if made.dtype.kind in "OUSV" or sample.dtype.kind in "OUSV":
        return made
    cast = made.astype(sample.dtype, casting="unsafe")
    same = np.array_equal(cast, made, equal_nan=made.dtype.kind == "f")
    return cast if same else made


def _frame(records: Sequence[Any], sample: Any) -> Any:
    import pandas as pd

    columns = {
        name: _series([record[j] for record in records], sample.iloc[:, j])
        for j, name in enumerate(sample.columns)
    }
    return pd.DataFrame(columns, columns=sample.columns)


def _series(values: Sequence[Any], sample: Any) -> Any:
    """Return a column of the sample's type, where that holds every value; of objects otherwise."""
    import pandas as pd

    made = pd.Series(list(values), dtype=object, name=sample.name)
    try:
        cast = made.astype(sample.dtype)
    except (TypeError, ValueError, OverflowError):
        return made.infer_objects()
    missing = made.isna()
    same = cast.astype(object)[~missing].eq(made[~missing]).all() and cast.isna().equals(missing)
    return cast if same else made.infer_objects()
