"""What was read of a function that releases numbers, beside the numbers that it returns."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from provado.proofs.sensitivity.change.beside import AtRecords, differs, table_of
from provado.proofs.sensitivity.change.expression import PublicSymbol
from provado.proofs.sensitivity.change.points import float_value
from provado.proofs.sensitivity.change.ratio import Ratio
from provado.proofs.sensitivity.trace.bound import RecordColumns

from .noise import Way

MOST_LINES = 3
"""At so many lines noise may be added, subtracted or cancel other noise: all of it is tried."""


def _lines(ways: Sequence[Way]) -> list[int]:
    return sorted({release.line for way in ways for release in way.releases if not release.chosen})


def at_few_lines(ways: Sequence[Way]) -> bool:
    """Tell whether it can be tried at which lines noise is added, and at which subtracted."""
    return len(_lines(ways)) <= MOST_LINES


def read_otherwise(
    way: Way,
    returned: Sequence[float],
    records: RecordColumns,
    data: Sequence[Any],
    known: Mapping[Any, Any],
    scales: float,
) -> str:
    """Return how numbers that were returned differ from one way that was read, in words.

    Each draw of noise was so many scales. Nothing is returned where they are those of this way, the
    noise of each line added, subtracted, or none of it being left.
    """
    result, lines = "", _lines([way]) if scales else []
    for signs in itertools.product((1, -1, 0), repeat=len(lines)):
        noise = dict(zip(lines, (sign * scales for sign in signs), strict=True))
        at = AtRecords(table_of(records, data), known)
        taken = _come_out(way, at, noise)
        now = differs(way.returned, records, data, at, returned) if taken else "it goes another way"
        if not now:
            return ""
        result = result or now
    return result


def _come_out(way: Way, at: AtRecords, noise: Mapping[int, float]) -> bool:
    """Add what comes out of each release, and tell whether the way is taken then."""
    for release in way.releases:
        try:
            scale = float(float_value(release.scale, at))
            values = [float(float_value(value, at)) for value in release.values]
        except KeyError:
            continue
        if release.chosen:
            place = int(np.argmax(values))
            symbol = PublicSymbol(f"place {release.number}")
            # What stands at the place in a list of names has another number.
            if all(item == Ratio.symbol(symbol) for item in way.returned if symbol in item.symbols):
                at[symbol] = place
            for k in range(len(values)):
                at[PublicSymbol(f"place {release.number} is {k}")] = float(place == k)
            continue
        for k, value in enumerate(values):
            moved = value + noise.get(release.line, 0.0) * scale
            at[PublicSymbol(f"output {release.number + k}")] = moved
    for ratio, holds in way.asked.items():
        try:
            if noise and bool(float_value(ratio, at)) is not holds:
                return False
        except KeyError:
            continue
    return True
