"""A query runs once with stand-ins, wherever it finds what they stand for."""

import functools
import math
import random
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from provado.proofs.sensitivity.bounded import bound_sensitivity
from provado.proofs.sensitivity.outcome import SensitivityVerdict
from provado.proofs.sensitivity.trace.run import in_place_of, released_by
from provado.proofs.sensitivity.trace.untraceable import QueryTrace, stop

UNIT = (0.0, 1.0)


def drawn(loc: Any = 0.0, scale: Any = 1.0) -> Any:
    """Stand for a noise: say what it was called with."""
    return ("noise", loc, scale)


def counted(value: Any) -> Any:
    return ("counted", value)


OURS = in_place_of(
    [(np.random.laplace, drawn), (random.gauss, drawn), (len, counted), (math.sqrt, counted)]
)


def run(query: Callable[..., Any], given: Any = "data", **options: Any) -> Any:
    released, reason = released_by(query, given, QueryTrace(False, 1, None), OURS, **options)
    return reason or released


def helper(x: Any) -> Any:
    return len(x)


def helper_of_helper(x: Any) -> Any:
    return next(helper(y) for y in (x,))


def even(n: int) -> Any:
    return len("even") if n == 0 else odd(n - 1)


def odd(n: int) -> Any:
    return even(n - 1)


def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def called(*args: Any) -> Any:
        return function(*args)

    return called


@decorated
def wrapped(x: Any) -> Any:
    return len(x)


class Base:
    def of(self, x: Any) -> Any:
        return len(x)


class Reader(Base):
    def __init__(self, by: Any = len) -> None:
        self.by = by

    def of(self, x: Any) -> Any:
        return super().of(x)

    @staticmethod
    def fixed(x: Any) -> Any:
        return len(x)

    @classmethod
    def made(cls, x: Any) -> Any:
        return cls().by(x)

    @property
    def root(self) -> Any:
        return math.sqrt(4)

    def __call__(self, x: Any) -> Any:
        return self.by(x)


READER, STEPS, TABLE = Reader(), [len, helper], {"count": len}
shortcut = len
partial = functools.partial(np.random.laplace, 1.0)
module = types.ModuleType("module")
module.helper = helper  # type: ignore[attr-defined]


def by_import(x: Any) -> Any:
    from math import sqrt

    import numpy.random as r

    return sqrt(x), r.laplace(2, 3)  # noqa: NPY002


def by_default(x: Any, *, of: Any = len) -> Any:
    return of(x)


def closure() -> Callable[..., Any]:
    size, inner = len, lambda x: len(x)
    return lambda x: (size(x), inner(x))


def local_class(x: Any) -> Any:
    class Local:
        size = len

        def of(self) -> Any:
            return len(x)

    return Local().of()


COUNTED = ("counted", "data")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (lambda x: len(x), COUNTED),
        (helper, COUNTED),
        (lambda x: helper_of_helper(x), COUNTED),
        (lambda x: module.helper(x), COUNTED),
        (lambda x: even(4), ("counted", "even")),
        (lambda x: wrapped(x), COUNTED),
        (lambda x: shortcut(x), COUNTED),
        (lambda x: Reader().of(x), COUNTED),
        (lambda x: Reader.fixed(x), COUNTED),
        (lambda x: Reader.made(x), COUNTED),
        (lambda x: READER.of(x), COUNTED),
        (lambda x: READER.root, ("counted", 4)),
        (READER, COUNTED),
        (READER.of, COUNTED),
        (lambda x: [one(x) for one in STEPS], [COUNTED, COUNTED]),
        (lambda x: TABLE["count"](x), COUNTED),
        (lambda x: __import__("math").sqrt(x), COUNTED),
        (by_default, COUNTED),
        (by_import, (COUNTED, ("noise", 2, 3))),
        (closure(), (COUNTED, COUNTED)),
        (local_class, COUNTED),
        (lambda x: partial(2.0), ("noise", 1.0, 2.0)),
        (lambda x: np.random.laplace(scale=2), ("noise", 0.0, 2)),  # noqa: NPY002
        (lambda x: random.gauss(0, 1), ("noise", 0, 1)),
        (lambda x: np.sum([1, 2]), 3),
        (lambda x: isinstance(1, int) and isinstance("a", (int, str)), True),
    ],
)
def test_whatever_a_function_finds_is_replaced(query: Callable[..., Any], expected: Any) -> None:
    assert run(query) == expected
    assert (len([0]), READER.by) == (1, len)  # Nothing of the user's is changed.


def test_arguments_are_given_by_name() -> None:
    assert run(lambda x, epsilon, rng: (x, epsilon, rng), epsilon=2, rng="g") == ("data", 2, "g")


def test_a_function_that_ends_says_why() -> None:
    assert "RuntimeError: no" in run(lambda x: (_ for _ in ()).throw(RuntimeError("no")))

    def caught(x: Any) -> Any:
        try:
            raise stop("not followed")
        except BaseException:
            return 1

    assert "not followed" in run(caught)
    assert "pi of a module is changed" in run(lambda x: setattr(math, "pi", 3))
    assert math.pi > 3.1


def clipped(x: Any, low: float = 0.0, high: float = 1.0) -> Any:
    return np.clip(x, low, high)


def total(x: Any) -> Any:
    return max(float(clipped(x).sum()), 0.0) / len(x)


def test_helpers_of_a_query_are_followed() -> None:
    found = bound_sensitivity(lambda x: total(x), "1/n", domain=(-5.0, 5.0), size=(2, None))
    assert found.verdict is SensitivityVerdict.PROVED


def asks_isinstance(x: Any) -> Any:
    return (x * 1000 if isinstance(x, np.ndarray) else x).sum()


def asks_type(x: Any) -> Any:
    return (x * 1000 if type(x) is np.ndarray else x).sum()


@pytest.mark.parametrize("query", [asks_isinstance, asks_type])
def test_what_stands_for_data_has_no_type(query: Callable[..., Any]) -> None:
    found = bound_sensitivity(query, domain=UNIT)
    assert found.verdict is SensitivityVerdict.UNKNOWN
    assert "do the same for each type" in found.reason


@functools.lru_cache
def drawn_once() -> float:
    return random.random()


class KeepsWhatItDrew:
    @functools.cached_property
    def noise(self) -> float:
        return random.random()


def test_what_is_cached_ends_the_run() -> None:
    kept = KeepsWhatItDrew()
    for query in (lambda x: x + drawn_once(), lambda x: x + kept.noise):
        assert "cached function" in str(run(query))


class DrawsByProperty:
    @property
    def noise(self) -> Any:
        return np.random.laplace(scale=2)  # noqa: NPY002


def test_a_property_is_copied_as_methods_are() -> None:
    assert run(lambda _: DrawsByProperty().noise) == ("noise", 0.0, 2)
