"""Every operation that ``bound_sensitivity`` follows, in random queries against neighbors."""

from __future__ import annotations

import importlib
import math
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from provado.mechanisms import AddOrRemoveOne, ReplaceOne, UsageError
from provado.proofs.sensitivity import SensitivityVerdict, bound_sensitivity
from provado.proofs.sensitivity.trace import cells, interval, number, rows
from provado.proofs.sensitivity.trace.bound import read_domain, trace_query
from tests.proofs.sensitivity.expressions import PRODUCTIONS, Query, compared, drawn

HOOKS = Path(__file__).parents[3] / "docs/hooks"


@pytest.fixture(scope="module")
def tables():
    sys.path.insert(0, str(HOOKS))
    try:
        yield importlib.import_module("tables")
    finally:
        sys.path.remove(str(HOOKS))


def operations(tables: Any) -> list[str]:
    return [f"{what}: {name}" for what, name, _ in tables.operations()]


def test_the_generator_has_every_operation_and_every_operation_a_rule(tables: Any) -> None:
    assert {label for label, *_ in PRODUCTIONS} == set(operations(tables))
    assert all(rule.endswith(".") for *_, rule in tables.operations())
    page = tables.operations_table()
    assert "Return the sum: moves by what one record adds" in page
    assert page.count("`np.clip`") == 4


def counted(names: list[str], rng: np.random.Generator, least: int, pairs: int) -> Counter[str]:
    """Compare random queries with neighbors until each operation was in so many with a bound."""
    bounded: Counter[str] = Counter()
    for name in names:
        for _ in range(400 * least):
            if bounded[name] >= least:
                break
            query = drawn(rng, name)
            found = compared(query, rng, pairs)
            assert not found, f"{query.text} of {query.domain}, {query.relation}: {found}"
            bounded.update(query.around if found is not None else ())
    return bounded


def test_no_neighbors_break_a_bound_of_a_random_query(tables: Any) -> None:
    names = operations(tables)
    bounded = counted(names, np.random.default_rng(7), 3, 6)
    assert [name for name in names if bounded[name] < 3] == []


@pytest.mark.slow
def test_no_neighbors_break_a_bound_of_two_thousand_queries_an_operation(tables: Any) -> None:
    names = operations(tables)
    bounded = counted(names, np.random.default_rng(8), 2000, 10)
    assert [name for name in names if bounded[name] < 2000] == []


def rounding_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(interval.Interval, "held", lambda one: one)


def wrapping_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(interval.MOST, "i", interval.MOST["f"])


def constants_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(number, "COARSE", Fraction(0))


def data_among_values(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rows, "plain", lambda value: not isinstance(value, str))


def data_to_fill(patch: pytest.MonkeyPatch) -> None:
    def still(value: Any) -> Any:
        found = number.number(value)
        return found and number.Number(number.point(0), Fraction(0))

    patch.setattr(number.Number, "__bool__", lambda one: True)
    patch.setattr(cells, "number", still)


def keys_as_they_are(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cells, "nearest", lambda key: object())


def one_replaced_moves_one_group(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cells, "max", lambda one, other: other, raising=False)


PAIRED: Any = {"x": (0, 8), "k": ["a", "b", 777]}
FAULTS: dict[str, tuple[Any, str, Any]] = {
    "rounding": (rounding_forgotten, "((d + 1e17) - 1e17).sum()", (0.0, 24.0)),
    "wrapping": (wrapping_forgotten, "(d**2).clip(None, 100).sum()", (0, 4 * 10**9)),
    "constants": (constants_forgotten, "(d.sum() + 1e17) - 1e17", (0.0, 24.0)),
    "values": (data_among_values, "d.x.isin([d.x.max()]).sum()", PAIRED),
    "fill": (
        data_to_fill,
        "d.groupby('k')['x'].sum().reindex(['u', 'v', 'w'], fill_value=d.x.sum())",
        PAIRED,
    ),
    "keys": (
        keys_as_they_are,
        "d.k.value_counts().reindex([777, 777.0, np.int64(777)], fill_value=0)",
        PAIRED,
    ),
    "groups": (
        one_replaced_moves_one_group,
        "d.k.value_counts().reindex(['a', 'b'], fill_value=0)",
        PAIRED,
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_rule_that_forgets_an_argument_is_found(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant, text, domain = FAULTS[fault]
    query = Query(text, domain, ReplaceOne(), (2, None), frozenset(), ())
    assert not compared(query, np.random.default_rng(3), 200)
    plant(monkeypatch)
    assert compared(query, np.random.default_rng(3), 200)


PEOPLE: Any = {"x": (0, 8), "k": ["a", 777, None], "z": (-4.0, 4.0)}


@pytest.mark.parametrize(
    ("query", "domain", "said"),
    [
        (lambda t: t.x.isin([t.x.max()]).sum(), PEOPLE, "isin of anything but text and numbers"),
        (
            lambda t: t.groupby("k")["x"].sum().reindex(["a"], fill_value=t.x.sum()),
            PEOPLE,
            "a fill_value that depends on the data",
        ),
        (
            lambda t: t.k.value_counts().reindex([777, 777.0, np.int64(777)], fill_value=0),
            PEOPLE,
            "reindex names a key twice",
        ),
        (
            lambda t: t.k.value_counts().reindex([2**53, 2**53 + 1], fill_value=0),
            PEOPLE,
            "reindex names a key twice",
        ),
        (lambda t: t.k.value_counts().get(0, 0), PEOPLE, "may mean a position"),
        (lambda t: t[["x", "x"]]["x"].sum(), PEOPLE, "asked for one column twice"),
        (lambda t: t.z.clip(3, 1).sum(), PEOPLE, "the lower end of a clip is above the upper one"),
        (lambda t: (t.k > 3).sum(), PEOPLE, "compared by == and != only"),
        (lambda d: d.astype(np.uint8).sum(), (-5, 8), "astype(uint8) of the records"),
        (lambda d: (d**2).clip(None, 100).sum(), (0, 4 * 10**9), "may wrap around"),
        (lambda d: d.sum() * 10**15, (0, 8), "may leave its type, of 64 bits"),
        (lambda d: d.sum(), (0.0, 1e308), "may leave its type, of 64 bits"),
        (lambda d: ((d > 3) ** 2 * 100 * 2).sum(), (0, 8), "arithmetic on conditions alone"),
        (lambda d: np.sqrt(d > 3).sum(), (0, 8), "arithmetic on conditions alone"),
        (lambda d: (d * np.uint8(200)).sum(), (0, 8), "uint8 beside the records"),
        (lambda d: len(d) * np.array([200], np.uint8), (0, 8), "an array of uint8"),
        (lambda d: np.histogram(d, 3, (0, 8))[0][True], (0, 8), "one at a time"),
        (lambda d: min(len(d), 7).clip(0, 5), (0, 8), "clip of a number that depends on the data"),
        (lambda d: d.sum(), (1e17, 1e17 + 64), "differ by little: subtract first"),
        (lambda d: d.sum(dtype=np.float32), (0, 8), "astype(float32) of the records"),
        (lambda d: np.sum(d, where=d > 3), (0, 8), "sum of the records with where=the records"),
        (lambda d: d.sum(axis=1), (0, 8), "sum of the records with axis=1"),
        (lambda d: np.sum(d, keepdims=True), (0, 8), "sum of the records with keepdims=True"),
        (lambda d: d.mean(dtype=np.float32), (0, 8), "the mean with dtype=float32"),
        (lambda d: np.mean(d, dtype=int), (0, 8), "the mean with dtype=int64"),
        (
            lambda d: np.quantile(d, 0.5, method="lower"),
            (0, 8),
            "quantile of the records with meth",
        ),
        (
            lambda d: np.clip(d, 0, 8, casting="no").sum(),
            (0, 8),
            "clip of the records with casting",
        ),
        (lambda d: np.add(d, 1, dtype=np.int8).sum(), (0, 8), "np.add with dtype of the records"),
    ],
)
def test_an_argument_that_has_no_part_in_the_bound_ends_the_trace(
    query: Any, domain: Any, said: str
) -> None:
    for relation in (ReplaceOne(), AddOrRemoveOne()):
        traced = trace_query(query, read_domain(domain), relation, (2, None))
        if not (relation == AddOrRemoveOne() and "differ by little" in said):
            assert traced.moves is None
            assert said in traced.reason


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        (lambda d: d.sum(), lambda d: d.sum(axis=0, dtype=float, out=None)),
        (lambda d: d.sum(), lambda d: np.sum(d, axis=None, dtype=np.float64, keepdims=False)),
        (lambda d: d.mean(), lambda d: d.mean(axis=0, dtype=np.float64)),
        (lambda d: np.median(d), lambda d: np.median(d, axis=0)),
        (lambda d: np.quantile(d, 0.25), lambda d: np.quantile(d, 0.25, method="linear")),
        (lambda d: d.max(), lambda d: np.max(d, axis=0, keepdims=False)),
        (lambda d: d.clip(1, 5).sum(), lambda d: np.clip(d, 1, 5, out=None).sum(dtype=None)),
        (lambda d: d.astype(float).sum(), lambda d: d.astype(float, copy=False).sum()),
        (
            lambda d: np.histogram(d, 4, (0, 8))[0],
            lambda d: np.histogram(d, bins=4, range=(0, 8), density=False, weights=None)[0],
        ),
    ],
)
def test_options_that_change_no_number_are_followed(plain: Any, said: Any) -> None:
    for relation in (ReplaceOne(), AddOrRemoveOne()):
        found = [
            bound_sensitivity(query, domain=(0, 8), relation=relation, size=(2, None))
            for query in (plain, said)
        ]
        assert found[0].verdict is found[1].verdict
        assert found[0].verdict in (SensitivityVerdict.PROVED, SensitivityVerdict.ARGUED)
        assert found[0].bound == found[1].bound


def test_pandas_options_that_change_no_number_are_followed() -> None:
    def by_city(people: Any) -> Any:
        ages = people.assign(age=people["age"].clip(0, 100, axis=0))
        groups = ages.groupby("city", sort=False, observed=True)
        return groups["age"].sum().reindex(["a", "b"], fill_value=0)

    found = bound_sensitivity(by_city, domain={"age": (0, 120), "city": ["a", "b"]})
    assert (found.verdict, found.bound) == (SensitivityVerdict.PROVED, 200)
    total = bound_sensitivity(
        lambda t: t.age.sum(skipna=True, axis=0), domain={"age": (0, 8, None)}
    )
    assert (total.verdict, total.bound) == (SensitivityVerdict.ARGUED, 8)
    told = bound_sensitivity(lambda t: t.age.sum(skipna=False), domain={"age": (0, 8, None)})
    assert "sum of the records with skipna=False is not traced" in told.reason


def test_the_type_of_a_sum_cuts_off_what_it_cannot_hold() -> None:
    found = bound_sensitivity(lambda d: d.sum(dtype=int), domain=(0.0, 8.75))
    assert (found.verdict, found.bound) == (SensitivityVerdict.PROVED, 8)


def test_tiny_numbers_keep_their_logarithm_and_large_ones_are_rounded() -> None:
    tiny = bound_sensitivity(lambda d: (np.log1p(d) * 1e300).sum(), domain=(0.0, 1e-300))
    assert tiny.verdict is SensitivityVerdict.ARGUED
    assert tiny.bound == pytest.approx(1)
    away = bound_sensitivity(lambda d: ((d + 1e17) - 1e17).sum(), domain=(0.0, 24.0))
    assert away.bound == 32
    beside = bound_sensitivity(lambda d: (d.sum() + 1e17) - 1e17, domain=(0.0, 8.0))
    assert beside.bound > 16


def test_a_query_may_ask_for_its_float() -> None:
    found = bound_sensitivity(lambda d: d.astype(float).sum(), domain=(0, 8))
    assert found.verdict is SensitivityVerdict.PROVED
    adds = bound_sensitivity(
        lambda d: d.astype(float).sum(), domain=(0, 8), relation=AddOrRemoveOne()
    )
    assert adds.verdict is SensitivityVerdict.PROVED


@pytest.mark.parametrize(
    ("domain", "said"),
    [
        ([1, None], "an array holds either numbers or text"),
        ([1, "a"], "an array holds either numbers or text"),
        ([True, 2], "True and False occur together with other values"),
        ({"x": [True, None]}, "True and False occur together with other values"),
        ((0, 2**60), "floats do not hold integers beyond"),
        ({1: (0, 1), "1": (0, 1)}, "and each once"),
    ],
)
def test_values_whose_type_depends_on_others_are_no_domain(domain: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_domain(domain)


def test_no_records_have_the_type_of_others() -> None:
    assert read_domain((0, 8)).made([]).dtype.kind == "i"
    assert read_domain(bool).made([]).dtype.kind == "b"
    assert read_domain({"x": (0.0, 8.0)}).made([])["x"].dtype.kind == "f"
    assert read_domain(((0, 1), (0, 1))).made([]).shape == (0, 2)


def test_cells_without_a_bound_have_none_beside_a_constant() -> None:
    def counts(d: Any) -> Any:
        return np.histogram(d, bins=[0, 2, 4, 9])[0] * [0.3, len(d), 1e17]

    def beside(d: Any) -> Any:
        return 100 - (np.histogram(d, bins=[0, 2, 4, 9])[0] * [0.3, len(d), 1e17])

    for query in (counts, beside):
        assert trace_query(query, read_domain((0, 9)), ReplaceOne(), (0, None)).moves == math.inf


def test_a_product_of_ends_is_a_number_however_large_or_small_they_are() -> None:
    ends = [0, 1, 10**400, Fraction(1, 10**400), math.inf]
    ends = [interval.end(x) for x in ends] + [-interval.end(x) for x in ends]
    for x in ends:
        for y in ends:
            assert interval.times(x, y) == interval.times(y, x)
            assert interval.times(x, -y) == -interval.times(x, y)
    assert interval.times(Fraction(1, 10**400), math.inf) == math.inf


@pytest.mark.parametrize(
    ("query", "column", "one", "other"),
    [
        (lambda d: d.x.max() + d.y.max(), (1e17, 1e17 + 16), (1e17, 0.0), (1e17 + 16, 8.0)),
        (lambda d: (65 * d.x.max() - 2.0**60) + 2.0**60, (0.0, 1.0), (0.0, 0.0), (1.0, 0.0)),
        (lambda d: (min(d.y.max(), 0) - 2**60) + 2**60 - 5, (0.0, 1.0), (0.0, 0.0), (0.0, 8.0)),
        (lambda d: min(d.y.max() + 1, 1) * (2**60 + 1) - 2**60, (0.0, 1.0), (0, 0.0), (0, 8.0)),
        (lambda d: (d.x.max() - 5.0) * (2.0**55) / 3 * 3, (4.0, 4.0 + 2**-50), (4, 0), (4, 8)),
        (lambda d: (d.x.clip(upper=-1).sum() - 2**60) + 2**60, (0, 1), (1, 0.0), (0.5, 0.0)),
        (lambda d: d.x.sum() * 0 + (2**60 + 1) - 2**60, (0, 1), (1, 0.0), (0.5, 0.0)),
    ],
)
def test_rounding_beside_a_large_number_has_part_in_the_bound(
    query: Any, column: Any, one: Any, other: Any
) -> None:
    domain = {"x": column, "y": (0.0, 8.0)}
    found = trace_query(query, read_domain(domain), ReplaceOne(), (1, 4))
    values = [float(query(pd.DataFrame([record], columns=["x", "y"]))) for record in (one, other)]
    assert found.moves is not None
    assert abs(values[0] - values[1]) <= found.moves < math.inf


def test_ends_of_a_clip_that_cross_in_a_record_are_both_in_the_bound() -> None:
    def query(d: Any) -> Any:
        return (d["x"] ** 0).clip(-d["y"], d["x"]).max()

    domain = {"x": (-4.0, 8.0), "y": (-27.0, 8.0)}
    found = trace_query(query, read_domain(domain), ReplaceOne(), (1, 4)).moves
    records = [(5.0, -27.0), (5.0, 8.0)]
    values = [query(pd.DataFrame([record], columns=["x", "y"])) for record in records]
    assert found is not None
    assert abs(values[0] - values[1]) <= found


def test_a_clip_of_conditions_whose_type_depends_on_them_ends_the_trace() -> None:
    def query(d: Any) -> Any:
        return np.size(np.sign((d["x"] > 0).clip(0.5, 8)))

    found = trace_query(query, read_domain({"x": (-4.0, 8.0)}), ReplaceOne(), (1, 4))
    assert found.moves is None
    assert "a clip of a condition" in found.reason
    assert query(pd.DataFrame({"x": [-1.0]})) == 1
    with pytest.raises(TypeError):
        query(pd.DataFrame({"x": [1.0]}))
