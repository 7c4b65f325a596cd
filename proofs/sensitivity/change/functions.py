"""Functions of NumPy and Python, and those that take what stands for data in their place."""

import itertools
import operator
import sys
from functools import partial, reduce
from typing import Any

import numpy as np

from provado.proofs.sensitivity.trace.python import (
    PYTHON,
    Element,
    OurFunction,
    Zipped,
    listed,
    rows_of,
)
from provado.proofs.sensitivity.trace.state import once
from provado.proofs.sensitivity.trace.untraceable import stop

from .arrays import Symbolic, SymbolicArray, SymbolicNumber, arange


def _linspace(start: Any, stop: Any, num: Any = 50, **options: Any) -> Any:
    """Return numbers at equal distances where there are as many as an array has."""
    if not isinstance(num, SymbolicNumber) or options:
        return np.linspace(start, stop, num, **options)
    return start + arange(num) * ((stop - start) / (num - 1))


def _interp(x: Any, xp: Any, fp: Any, **options: Any) -> Any:
    """Return the lines from point to point: each record is clipped to every piece of them."""
    if not isinstance(x, Symbolic) or options:
        return np.interp(x, xp, fp, **options)
    result: Any = fp[0]
    for (left, low), (right, high) in itertools.pairwise(zip(xp, fp, strict=True)):
        if not left < right:
            raise stop("np.interp is followed where its points rise")
        result = result + (x.clip(left, right) - left) * ((high - low) / (right - left))
    return result


def _polyval(p: Any, x: Any) -> Any:
    """Return a polynomial by Horner's rule, as NumPy does."""
    result: Any = 0
    for factor in p:
        result = result * x + factor
    return result


def _select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Return the first choice of which the condition holds."""
    if not any(isinstance(item, Symbolic) for item in (*condlist, *choicelist)):
        return np.select(condlist, choicelist, default)
    result = default
    for element, choice in reversed(list(zip(condlist, choicelist, strict=True))):
        result = np.where(element, choice, result)
    return result


def _piecewise(x: Any, condlist: Any, funclist: Any) -> Any:
    """Return the last function of which the condition holds; one more stands for all others."""
    if not isinstance(x, Symbolic):
        return np.piecewise(x, condlist, funclist)
    if x.kind != "f":
        raise stop("np.piecewise of integers cuts off what its functions return: use astype(float)")
    # A function is given the records of its piece alone: it may use nothing of all of them.
    element = Element(x, object())
    pieces = [element._row(once(item, element) if callable(item) else item) for item in funclist]
    result: Any = pieces.pop() if len(pieces) > len(condlist) else 0
    for one, piece in zip(condlist, pieces, strict=True):
        result = np.where(one, piece, result)
    return result


def _digitize(x: Any, bins: Any, right: Any = False) -> Any:
    """Return how many of the rising bins each record has reached."""
    if not isinstance(x, Symbolic):
        return np.digitize(x, bins, right)
    if list(bins) != sorted(bins):
        raise stop("np.digitize is followed of rising bins")
    return sum((x > item if right else x >= item).astype(int) for item in bins)


def _isin(element: Any, test_elements: Any, **options: Any) -> Any:
    """Return whether each record is one of some numbers."""
    if not isinstance(element, Symbolic) or options:
        return np.isin(element, test_elements, **options)
    return reduce(operator.or_, (element == item for item in test_elements))


def _einsum(subscripts: Any, *operands: Any, **options: Any) -> Any:
    """Return a sum of products of arrays, each of which has one index."""
    if not any(isinstance(operand, Symbolic) for operand in operands) or options:
        return np.einsum(subscripts, *operands, **options)
    given, _, kept = subscripts.replace(" ", "").partition("->")
    products: dict[str, Any] = {}
    for letter, item in zip(given.split(","), operands, strict=True):
        products[letter] = products[letter] * item if letter in products else item
    if any(len(letter) != 1 for letter in products) or (kept and [*products] != [kept]):
        raise stop("np.einsum is followed of arrays with one index each, such as 'i,i->'")
    return products[kept] if kept else reduce(operator.mul, (x.sum() for x in products.values()))


def _convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    """Return the weighted sums of records that follow one another."""
    if not isinstance(a, SymbolicArray):
        return np.convolve(a, v, mode)
    weights = [*v]
    if mode != "valid":
        raise stop("np.convolve of data is followed with mode='valid'")
    last = len(weights) - 1
    parts = (w * a[last - k : -k or None] for k, w in enumerate(weights))
    return reduce(operator.add, parts)


def _range(*ends: Any) -> Any:
    """Return the places as a list."""
    if len(ends) == 3 and type(ends[0]) is int and isinstance(ends[1], SymbolicNumber):
        return listed(arange(ends[1])._every(ends[2], ends[0], None))
    places = arange(*ends)
    return listed(places) if isinstance(places, Symbolic) else places


def _enumerate(values: Any, start: Any = 0) -> Any:
    """Return the place of each record beside it."""
    rows = rows_of(values)
    return Zipped(listed(arange(start, rows.size + start)), rows)


def _zip(*several: Any, strict: bool = False) -> Any:
    """Return records side by side; those that have no partner are left out."""
    rows = [rows_of(item) for item in several]
    lengths = {row.length for row in rows}
    if len({length.sizes for length in lengths}) > 1 or (strict and len(lengths) > 1):
        raise stop("zip() of parts of different lengths")
    shortest = min(lengths, key=lambda item: item.more)
    cut = [shortest.more - row.length.more for row in rows]
    return Zipped(*(row[:less] if less else row for row, less in zip(rows, cut, strict=True)))


def _pairwise(values: Any) -> Any:
    """Return each record with the one after it."""
    if type(values) in (list, tuple):
        return itertools.pairwise(values)
    rows = rows_of(values)
    return Zipped(rows[:-1], rows[1:])


def _accumulate(values: Any, func: Any = operator.add, **options: Any) -> Any:
    """Return the sums, the largest or the least of the records up to each of them."""
    if type(values) in (list, tuple):
        return itertools.accumulate(values, func, **options)
    known = {operator.add: np.add, max: np.maximum, min: np.minimum}
    ufunc = known.get(getattr(func, "original", func))
    if ufunc is None or options:
        raise stop("itertools.accumulate is followed of sums, max and min")
    return ufunc.accumulate(rows_of(values))


def in_place_of_ours() -> list[tuple[Any, Any]]:
    """Return ``REPLACED``, with functions of SciPy where it was imported."""
    special = sys.modules.get("scipy.special")
    more = [] if special is None else [(special.logsumexp, _logsumexp)]
    return [*REPLACED, *more]


def _logsumexp(a: Any, **options: Any) -> Any:
    """Return the logarithm of the sum of exponentials."""
    if not isinstance(a, Symbolic) or options:
        raise stop("logsumexp is followed of all records, without options")
    return np.logaddexp.reduce(a)


def _in_twos(values: Any, r: Any, *, both: bool = False) -> Any:
    """Return two records of each pair; both: in both orders."""
    if r != 2:
        raise stop("more than two records at once are not followed")
    rows = rows_of(values)
    one, other = rows[None, :], rows[:, None]
    places = arange(rows.size)
    first, second = places[None, :], places[:, None]
    chosen = (second != first) if both else (second > first)
    return Zipped(*(listed(part[chosen]) for part in (one, other)))


def _product(values: Any, *others: Any, repeat: Any = 1) -> Any:
    """Return two records of each pair, in both orders, and each with itself."""
    several = (values, *others) * repeat
    if len(several) != 2:
        raise stop("more than two records at once are not followed")
    one, other = map(rows_of, several)
    return Zipped(listed(one[None, :]), listed(other[:, None]))


REPLACED: list[tuple[Any, Any]] = [
    *PYTHON,
    (np.arange, arange),
    (np.linspace, _linspace),
    (np.interp, _interp),
    (np.polyval, _polyval),
    (np.select, _select),
    (np.piecewise, _piecewise),
    (np.digitize, _digitize),
    (np.isin, _isin),
    (np.einsum, _einsum),
    (np.convolve, _convolve),
    (range, OurFunction(range, _range)),
    (reversed, OurFunction(reversed, lambda values: listed(rows_of(values)[::-1]))),
    (enumerate, OurFunction(enumerate, _enumerate)),
    (zip, OurFunction(zip, _zip)),
    (itertools.pairwise, OurFunction(itertools.pairwise, _pairwise)),
    (itertools.accumulate, OurFunction(itertools.accumulate, _accumulate)),
    (itertools.combinations, OurFunction(itertools.combinations, _in_twos)),
    (itertools.permutations, OurFunction(itertools.permutations, partial(_in_twos, both=True))),
    (itertools.product, OurFunction(itertools.product, _product)),
]
"""Functions of Python and NumPy, and those that take what stands for data in their place."""
