"""Pairs of neighbors made from one dataset: few, and far apart, since each costs alpha."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import UsageError
from .intervention import Intervention, record_key, records, short
from .parameters import vector
from .relation import AddOrRemoveOne, BoundedAnswers, NeighboringRelation, ReplaceOne

Pair = tuple[Any, Any]

MOST = 4
"""Pairs at most."""


def neighbors(
    data: Any, relation: NeighboringRelation, values: Sequence[Any] | None = None
) -> list[Pair]:
    """Return one to four pairs ``(data, data′)`` of neighbors under ``relation``.

    data: one dataset: array, list, tuple or data frame, with records along the first axis; for
        ``BoundedAnswers`` a vector of answers.
    values: records that may stand in the dataset in place of one (or beside the others); by default
        those that occur in it.

    ``ReplaceOne``: the largest record becomes the smallest value, and the smallest record the
    largest value. Rows of numbers: the two that are furthest apart, columns scaled to their range.
    Anything else: the commonest and the rarest record. ``AddOrRemoveOne``: these records are taken
    out; with ``values``, or where that would leave nothing, the extreme values are added.
    ``BoundedAnswers``: all answers (or as many as may) move up, or down, or, where they may, one
    half up and the other down.

    Raises ``UsageError`` where no neighbor can be made, naming what is missing.
    """
    if isinstance(relation, BoundedAnswers):
        if values is not None:
            raise UsageError(f"values: {relation.words()} moves answers by numbers, not to values")
        made = _moved(data, relation)
    elif isinstance(relation, ReplaceOne):
        made = _replaced(data, values)
    elif isinstance(relation, AddOrRemoveOne):
        made = _added_or_removed(data, values)
    else:
        raise UsageError(
            f"relation is {relation!r}: from data, neighbors are made under ReplaceOne(), "
            "AddOrRemoveOne() and BoundedAnswers(); for any other, give pair=(d0, d1)"
        )
    pairs = [(data, other) for other in made][:MOST]
    for pair in pairs:
        relation.check(*pair)
    return pairs


def _replaced(data: Any, values: Sequence[Any] | None) -> Iterator[Any]:
    present = _listed(data)
    if not present:
        raise UsageError("data has no record: there is none to replace; give pair=(d0, d1)")
    offered = _offered(values) if values is not None else present
    first, last = _ends(present)
    low, high = (offered[i] for i in _ends(offered))
    moves = [(last, low), (first, high), (first, low), (last, high)]
    useful = [(i, v) for i, v in moves if record_key(present[i]) != record_key(v)][:2]
    if not useful:
        raise UsageError(
            f"data: each of its records is {short(present[0])}, and no other value to put in its "
            "place is known: give values=[…]"
        )
    for index, value in useful:
        yield Intervention(index, value).apply(data)


def _added_or_removed(data: Any, values: Sequence[Any] | None) -> Iterator[Any]:
    present = _listed(data)
    if not present and values is None:
        raise UsageError("data has no record, so only adding one is possible: give values=[…]")
    if len(present) > 1:
        for index in dict.fromkeys(_ends(present)):
            yield _without(data, index)
    if values is not None or len(present) == 1:
        offered = _offered(values) if values is not None else present
        for index in dict.fromkeys(_ends(offered)):
            yield _with(data, offered[index])


def _moved(data: Any, relation: BoundedAnswers) -> Iterator[Any]:
    answers = vector(data, "data")
    number = len(answers) if relation.at_most is None else min(relation.at_most, len(answers))
    if number < 1:
        raise UsageError(f"relation is {relation!r}: no answer may move, so there is no neighbor")
    moving = np.arange(number)
    signs: list[NDArray[np.float64]] = [np.ones(number), -np.ones(number)]
    if number > 1 and not relation.monotone:
        half = np.where(moving < number / 2, 1.0, -1.0)
        signs += [half, -half]
    for sign in signs:
        other = answers.copy()
        other[moving] += sign * relation.sensitivity
        # A sum rounded upward may move by more than the sensitivity.
        beyond = np.abs(other - answers) > relation.sensitivity
        other[beyond] = np.nextafter(other, answers)[beyond]
        yield _like(data, other)


def _like(data: Any, answers: NDArray[np.float64]) -> Any:
    if isinstance(data, np.ndarray):
        return answers
    whole = all(isinstance(x, int | np.integer) for x in data)
    numbers: list[Any] = answers.tolist()
    if whole and all(x.is_integer() for x in numbers):
        numbers = [int(x) for x in numbers]
    return tuple(numbers) if isinstance(data, tuple) else numbers


def _listed(data: Any) -> list[Any]:
    if hasattr(data, "iloc") and data.ndim == 2:
        # Named tuples, as frames give their rows, are not taken back by frames of several types.
        return list(map(list, records(data)))
    if hasattr(data, "iloc") or isinstance(data, list | tuple | np.ndarray):
        return list(records(data))
    raise UsageError(
        f"data is a {type(data).__name__}: neighbors are made from an array, a list, a tuple or a "
        "data frame; for anything else give pair=(d0, d1)"
    )


def _offered(values: Any) -> list[Any]:
    try:
        offered = list(values)
    except TypeError:
        offered = []
    if not offered:
        raise UsageError(f"values is {values!r}: it must be a sequence of at least one record")
    return offered


def _ends(listed: list[Any]) -> tuple[int, int]:
    """Return the positions of two records that are far apart; the smaller or rarer one first."""
    try:
        table = np.asarray(listed, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return _by_frequency(listed)
    if not np.all(np.isfinite(table)):
        return _by_frequency(listed)
    table = table.reshape(len(listed), -1)
    if table.shape[1] == 1:
        return int(np.argmin(table)), int(np.argmax(table))
    span = np.ptp(table, axis=0)
    scaled = (table - table.min(axis=0)) / np.where(span > 0, span, 1.0)
    # Two passes to the furthest row instead of all pairs of rows.
    first = int(np.argmax(np.abs(scaled - scaled.mean(axis=0)).sum(axis=1)))
    last = int(np.argmax(np.abs(scaled - scaled[first]).sum(axis=1)))
    return first, last


def _by_frequency(listed: list[Any]) -> tuple[int, int]:
    keys = [record_key(one) for one in listed]
    places: dict[Any, list[int]] = {}
    for index, key in enumerate(keys):
        places.setdefault(key, []).append(index)
    # Of equally many, the rarest is the first seen and the commonest the last, so they differ.
    by_size = sorted(places.values(), key=len)
    return by_size[0][0], by_size[-1][0]


def _without(data: Any, index: int) -> Any:
    if hasattr(data, "iloc"):
        return data.iloc[[i for i in range(len(data)) if i != index]]
    if isinstance(data, np.ndarray):
        return np.delete(data, index, axis=0)
    kept = [*data[:index], *data[index + 1 :]]
    return tuple(kept) if isinstance(data, tuple) else kept


def _with(data: Any, value: Any) -> Any:
    if hasattr(data, "iloc"):
        import pandas as pd

        row = pd.DataFrame([value], columns=data.columns) if data.ndim == 2 else pd.Series([value])
        return pd.concat([data, row], ignore_index=True)
    if isinstance(data, np.ndarray):
        try:
            row, cast = np.asarray(value), np.asarray(value).astype(data.dtype)
            row = cast if np.array_equal(row, cast) else row
            return np.concatenate([data, row[np.newaxis]], axis=0)
        except (TypeError, ValueError) as error:
            raise UsageError(f"values: {short(value)} does not fit the dataset: {error}") from error
    return (*data, value) if isinstance(data, tuple) else [*data, value]
