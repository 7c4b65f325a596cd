"""What a query is taken to compute is what NumPy computes: calls of all functions, with options."""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any
from unittest import mock

import numpy as np
import pytest

from provado.proofs.sensitivity.change import arrays, functions, vectors
from provado.proofs.sensitivity.change.expression import (
    Function,
    PlaceSymbol,
    RecordSymbol,
    Size,
    Total,
)
from provado.proofs.sensitivity.change.prove import follow
from provado.proofs.sensitivity.change.ratio import Ratio

RECORDS = 5
FIRST = (
    *("x", "x", "x", "y", "x - 0.5", "x > 0.5", "x * 2", "x[1:]", "x[::-1]", "x[:-2]", "-x"),
    *("np.sum(x)", "x.mean()", "x.max() - 0.5", "(x * 4).astype(int)", "np.sort(x)"),
    *("np.array([x.sum() / 2, x.max()])", "x[:, None] - x[None, :]"),
)
SECOND = ("x", "y", "x[1:]", "x[::-1]", "x > 0.5", "2", "0.5", "x.mean()", "np.arange(len(x))")
OPTIONS = {
    "axis": ("0", "None", "-1", "1"),
    "dtype": ("int", "float", "np.float32", "bool", "np.int8", "None"),
    "keepdims": ("True", "False"),
    "ddof": ("0", "1", "2"),
    "correction": ("0", "1"),
    "initial": ("0.5", "2"),
    "where": ("x > 0.5", "True"),
    "a_min": ("0.2", "None", "(0, 1)", "x.mean()"),
    "a_max": ("0.7", "None", "[0.5, 0.6]"),
    "min": ("0.2", "0.4", "(0, 1)"),
    "max": ("0.7", "0.9", "x.max()"),
    "decimals": ("0", "1", "2"),
    "q": ("0.25", "0.5", "25", "[0.25, 0.75]", "0", "1"),
    "method": ("'linear'", "'lower'", "'nearest'", "'midpoint'"),
    "weights": ("x", "None", "[1, 2, 3, 4, 5]", "np.arange(len(x))"),
    "returned": ("False", "True"),
    "n": ("1", "2"),
    "prepend": ("0.0", "x[0]"),
    "append": ("1.0",),
    "shift": ("1", "-2"),
    "bins": ("3", "[0, 0.5, 1]"),
    "range": ("(0, 1)",),
    "density": ("False", "True"),
    "minlength": ("6",),
    "ord": ("1", "2", "3", "np.inf"),
    "dx": ("2.0",),
    "left": ("0.0",),
    "right": ("1.0",),
    "period": ("1.0",),
    "copy": ("True",),
    "kind": ("'stable'",),
    "xp": ("[0, 0.5, 1]",),
    "fp": ("[1, 3, 2]", "[0, 0.5, 0.75]"),
    "p": ("[1, 0, 2]",),
    "invert": ("False", "True"),
    "test_elements": ("[0, 1, 2]",),
    "y": ("y", "x"),
}


def known_functions() -> list[str]:
    """Return the functions of NumPy that have a rule, as they are called."""
    kinds = (arrays.SymbolicArray, arrays.SymbolicPairs, arrays.SymbolicNumber)
    names = {name for kind in kinds for name in (*kind.FUNCTIONS, *kind.UFUNCS)}
    names |= {one.__name__ for one, _ in functions.REPLACED if getattr(np, one.__name__, 0) is one}
    names -= {"arange", "linspace", "array", "asarray", "asanyarray", "fromiter"}
    found = ["np." + name for name in sorted(names) if hasattr(np, name)]
    return [*found, "np.linalg.norm"]


def known_methods() -> list[str]:
    """Return the methods of arrays that have a rule."""
    kinds = (arrays.SymbolicArray, arrays.SymbolicPairs, vectors.SymbolicVector)
    names = {name for kind in kinds for name in dir(kind) if callable(getattr(kind, name))}
    own = {name for name in dir(np.ndarray) if callable(getattr(np.ndarray, name))}
    return sorted(name for name in names & own if not name.startswith("_"))


def parameters(function: Any) -> list[inspect.Parameter]:
    """Return the parameters of a function of NumPy, or of the method of its name."""
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def call(rng: np.random.Generator) -> str:
    """Return a call on the records, or on what was made of them, as text."""
    method = rng.random() < 0.35
    name = str(rng.choice(known_methods() if method else known_functions()))
    function = eval(name) if not method else getattr(np, name, None)
    said: list[str] = []
    if isinstance(function, np.ufunc):
        said = [str(rng.choice(SECOND))] * (function.nin > 1)
    else:
        for one in parameters(function)[1:]:
            values = OPTIONS.get(one.name, SECOND if one.default is one.empty else ())
            if not values or one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
                continue
            value = str(rng.choice(values))
            if one.default is one.empty:
                said.append(value if one.kind != one.KEYWORD_ONLY else f"{one.name}={value}")
            elif rng.random() < 0.25:
                said.append(f"{one.name}={value}")
    first = str(rng.choice(FIRST))
    text = (
        f"({first}).{name}({', '.join(said)})" if method else f"{name}({', '.join([first, *said])})"
    )
    around = rng.choice(["{}", "{}", "np.sum({})", "({}) * 1.5", "np.max({})", "({})[0]"])
    return str(around).format(text)


class NotEvaluatedError(Exception):
    """An expression of which only a range is known."""


class Evaluated:
    """The value of expressions for some records, all computed from definitions."""

    def __init__(self, data: Sequence[float] | np.ndarray) -> None:
        table = np.asarray(data, dtype=float)
        self.data = table.reshape(len(table), -1)

    def __call__(self, value: Ratio, *places: int) -> float:
        parts = [self._polynomial(one, places) for one in (value.top, value.bottom)]
        return parts[0] / parts[1]

    def _polynomial(self, polynomial: Any, places: tuple[int, ...]) -> float:
        terms = polynomial.terms
        return sum(
            float(c) * math.prod(self._symbol(s, places) ** k for s, k in monomial)
            for monomial, c in terms
        )

    def _symbol(self, symbol: Any, places: tuple[int, ...]) -> float:
        n = len(self.data)
        match symbol:
            case RecordSymbol(step=step, sizes=sizes, offset=offset):
                at = (step * places[symbol.inner] if step else 0) + sizes * n + offset
                assert symbol.turned or 0 <= at < n
                return float(self.data[at % n, symbol.column])
            case PlaceSymbol():
                return places[symbol.inner]
            case Size():
                return n
            case Function():
                return self._function(symbol, self(symbol.argument, *places))
            case Total():
                return self._total(symbol)
        raise NotEvaluatedError

    def _function(self, symbol: Function, u: float) -> float:
        low, high = (None if x is None else float(x) for x in (symbol.low, symbol.high))
        if symbol.name == "above":
            return float(u > 0 or (low is not None and u >= -1e-12))
        if symbol.name == "clip":
            return float(np.clip(u, low, high))
        if symbol.name == "within":
            raise NotEvaluatedError
        named: dict[str, Callable[[float], float]] = {"ln": np.log, "arctan": np.arctan}
        return float(named.get(symbol.name, getattr(np, symbol.name, None))(u))  # type: ignore[misc]

    def _total(self, total: Total) -> float:
        many = total.length.sizes * len(self.data) + total.length.more
        if total.kind == "pairs":
            return sum(self(total.element, i, j) for i in range(many) for j in range(i + 1, many))
        cells = [self(total.element, i) for i in range(many)]
        if total.kind == "quantile":
            return float(np.quantile(cells, float(total.share)))
        return sum(cells) if total.kind == "sum" else math.prod(cells)


def numbers(value: Any) -> Iterator[float]:
    """Yield all numbers that a query returned."""
    if isinstance(value, np.ndarray):
        value = value.ravel().tolist()
    if isinstance(value, list | tuple):
        for one in value:
            yield from numbers(one)
    else:
        yield float(value)


def wrong_and_followed(count: int, kind: str, seed: int = 0) -> tuple[list[str], set[str]]:
    """Return the queries taken for others, of so many, and those that were followed."""
    rng, wrong, followed = np.random.default_rng(seed), [], set()
    for text in dict.fromkeys(call(rng) for _ in range(count)):
        space: dict[str, Any] = {"np": np}
        exec(f"def query(x):\n    y = x * x + 1\n    return {text}\n", space)
        data = rng.random(RECORDS) if kind == "f" else rng.integers(0, 4, RECORDS)
        try:
            true = list(numbers(space["query"](data.copy())))
        except Exception:  # What NumPy refuses says nothing.
            continue
        end = Fraction(1 if kind == "f" else 4)
        found = follow(space["query"], [(Fraction(0), end)], [kind], 4)
        if isinstance(found, str):
            continue
        try:
            taken = [Evaluated(data.tolist())(one) for one in found.values]
        except NotEvaluatedError:
            continue
        except Exception as error:
            wrong.append(f"{text} {error!r} {found.values}")
            continue
        followed.add(text)
        # What functions make of truths has three digits for NumPy.
        rough = 2e-3 if "x > 0.5" in text else 1e-9
        if len(taken) != len(true) or not np.allclose(taken, true, rtol=rough, atol=1e-9):
            wrong.append(f"{text}: {taken}, {true}")
    return wrong, followed


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Let calls warn that NumPy finds odd."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize(("kind", "count", "least"), [("f", 2_500, 300), ("i", 1_500, 150)])
def test_a_followed_call_has_the_numbers_of_numpy(kind: str, count: int, least: int) -> None:
    wrong, followed = wrong_and_followed(count, kind)
    assert not wrong, wrong[0]
    assert len(followed) > least


def test_the_numbers_of_other_functions_are_found() -> None:
    twins = {"maximum": "_minimum", "hypot": lambda x, y: x + y, "log1p": lambda x: x._log()}
    with (
        mock.patch.object(arrays, "_is_one", return_value=False),
        mock.patch.dict(arrays.Symbolic.UFUNCS, twins),
    ):
        wrong, _ = wrong_and_followed(2_500, "f")
    found = [name for name in ("dot", *twins) if any(f"{name}(" in one for one in wrong)]
    assert len(found) > 2, found
