"""What was read is computed beside the query before it is proved: planted misreadings are found."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
import pytest

from provado.mechanisms import AddOrRemoveOne
from provado.proofs import bound_sensitivity, prove
from provado.proofs.releases import decide, noise, sources
from provado.proofs.sensitivity import bounded
from provado.proofs.sensitivity.change import arrays, beside, frames
from provado.proofs.sensitivity.trace import rewrite
from provado.proofs.sensitivity.trace.bound import read_domain

SAID = "was read to return"


def of_ufunc(name: str, other: Any) -> Any:
    return mock.patch.dict(arrays.Symbolic.UFUNCS, {name: other})


def of_method(kind: type, name: str, other: Any) -> Any:
    return mock.patch.object(kind, name, other)


def _last(self: arrays.SymbolicArray, *_: Any) -> Any:
    return self[-1]


def _without_slice(self: Any, key: Any, known: Any = arrays.SymbolicArray.__getitem__) -> Any:
    return known(self, slice(1, None)) if key == slice(None, -1) else known(self, key)


QUERIES = {
    "maximum": (lambda x: np.sum(np.maximum(x, 0.5)), of_ufunc("maximum", "_minimum")),
    "sine": (lambda x: np.sin(x).sum(), of_ufunc("sin", "_cos")),
    "a tie": (lambda x: np.sum(np.greater(x, 0.5)), of_ufunc("greater", "__ge__")),
    "largest": (lambda x: x.max(), of_method(arrays.SymbolicArray, "max", _last)),
    "neighbors": (
        lambda x: np.sum(x[:-1] * x[1:]),
        of_method(arrays.SymbolicArray, "__getitem__", _without_slice),
    ),
    "sorted": (
        lambda x: np.sort(x)[1:-1].sum(),
        of_method(
            arrays.SortedArray,
            "__getitem__",
            lambda self, key: arrays.replace(self, start=self.start, stop=self.stop - arrays.ONE),
        ),
    ),
    "order": (
        lambda x: [x.sum(), x.max()],
        mock.patch.object(bounded, "_flat", lambda found: [float(one) for one in found[::-1]]),
    ),
}


@pytest.mark.parametrize("kind", QUERIES)
def test_a_query_that_is_read_as_another_one_has_no_bound(kind: str) -> None:
    query, planted = QUERIES[kind]
    claim: dict[str, Any] = {"domain": (0.0, 1.0), "size": (4, None)}
    assert bound_sensitivity(query, **claim).verdict == "proved"
    with planted:
        found = bound_sensitivity(query, **claim)
        assert found.verdict == "unknown"
        assert SAID in found.reason
        with mock.patch.object(bounded, "misread", return_value=""):
            assert SAID not in bound_sensitivity(query, **claim).reason


def subtracted(x, rng):
    first = x.sum() + rng.laplace(0, 4)
    return first, x.max() * 2 - 3 * rng.laplace()


def two_ways(x, rng):
    if x.sum() + rng.laplace(0, 2) > 1:
        return x.max() + rng.laplace(0, 2)
    return 0.0


def by_a_loop(x, rng):
    total = 0.0
    for v in x:
        total += v if v > 0.25 else 0.25
    return total + rng.laplace()


def largest(x, rng):
    return np.argmax([(x > 0.5).sum() + rng.laplace(0, 2), (x < 0.2).sum() + rng.laplace(0, 2)])


def with_a_parameter(x, rng, cap=0.5):
    return np.minimum(x, cap).sum() + rng.laplace(0, cap)


def _unscaled(self: Any, factor: Any) -> Any:
    self.take()
    return noise.NoiseDraw(self._run, self._kind, self._scale)


def _other_way(self: Any, value: Any, known: Any = noise.ReleaseRun.decide) -> Any:
    return not known(self, value)


def _least(run: Any, values: Any, *, least: bool = False) -> Any:
    return known_place(run, values, least=not least)


known_place = sources.largest_place

RELEASES = {
    subtracted: of_method(noise.NoiseDraw, "__rmul__", _unscaled),
    two_ways: of_method(noise.ReleaseRun, "decide", _other_way),
    by_a_loop: mock.patch.object(
        rewrite, "_by", lambda _, value: (ast.Constant("sum"), ast.UnaryOp(ast.USub(), value))
    ),
    largest: mock.patch.object(sources, "largest_place", _least),
    with_a_parameter: of_ufunc("minimum", lambda x, cap: x),
}


@contextlib.contextmanager
def read_again(planted: Any) -> Iterator[None]:
    rewrite._codes.cache_clear()
    with planted:
        yield
    rewrite._codes.cache_clear()


@pytest.mark.parametrize("function", RELEASES)
def test_a_release_that_is_read_as_another_one_is_not_proved(function: Any) -> None:
    claim: dict[str, Any] = {"epsilon": 1000, "domain": (0.0, 1.0), "size": (3, None)}
    assert prove(function, **claim).verdict == "proved"
    with read_again(RELEASES[function]):
        found = prove(function, **claim)
        assert found.verdict == "undecided"
        assert found.reason.startswith("on [")
        with mock.patch.object(decide, "misread", return_value=""):
            assert prove(function, **claim).verdict == "proved"


def test_what_was_read_holds_for_frames_parameters_and_a_record_more() -> None:
    domain = {"a": (0.0, 1.0), "c": ["x", "y"]}

    def in_y(d: pd.DataFrame, cap: float) -> Any:
        return d[d["c"] == "y"]["a"].clip(upper=cap).sum()

    given: dict[str, Any] = {"domain": domain, "parameters": {"cap": (0.25, 0.75)}, "size": (3, 9)}
    for relation in (None, AddOrRemoveOne()):
        assert bound_sensitivity(in_y, relation=relation, **given).verdict == "proved"
        with mock.patch.object(frames.FrameColumn, "clip", lambda self, upper: self * 0.25):
            assert SAID in bound_sensitivity(in_y, relation=relation, **given).reason


@pytest.mark.parametrize("domain", [(0.0, 0.1), (1000.0, 1000.1), (-1e6, 1e6), (0, 3), bool])
def test_rounding_is_no_misreading(domain: Any) -> None:
    queries = (np.std, np.var, lambda x: (x > x.mean()).sum(), lambda x: np.abs(x - x.mean()).sum())
    for query in queries:
        found = bound_sensitivity(lambda x, q=query: q(x * 1.0), domain=domain, size=(3, None))
        assert SAID not in found.reason


def test_datasets_have_ties_ends_and_what_lies_between() -> None:
    found = [[x for (x,) in data] for data in beside.datasets(read_domain((0.0, 1.0)), (2, 9))]
    assert {0.0, 1.0} <= {x for data in found for x in data}
    assert any(len({*data}) == 1 < len(data) for data in found)
    assert any(0 < x < 1 and x * 64 != int(x * 64) for data in found for x in data)
    assert {len(data) for data in found} >= {2, 3, 9}
    assert all(len(data) == 100_000 for data in beside.datasets(read_domain(bool), (100_000, None)))
