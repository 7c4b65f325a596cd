"""Arrays that a query changes in place: what NumPy does, or a refusal; never another number."""

import importlib.util
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

from provado.proofs.sensitivity.change import vectors
from provado.proofs.sensitivity.change.expression import (
    Function,
    Length,
    RecordSymbol,
    Size,
    Total,
)
from provado.proofs.sensitivity.change.prove import follow
from provado.proofs.sensitivity.change.ratio import Ratio, total

DATA = np.array([0.25, 0.5])
NEW = ("np.zeros(3)", "np.ones(3)", "np.full(3, 2.0)")
OF_ANOTHER = (
    "{m}",
    "{m}[:]",
    "{m}[0:3]",
    "{m}.copy()",
    "{m}.ravel()",
    "{m} + 0.0",
    "np.array({m})",
    "np.asarray({m})",
    "np.asarray({m}, dtype=float)",
    "np.ascontiguousarray({m})",
    "np.atleast_1d({m})",
    "np.reshape({m}, 3)",
    "np.flip({m})",
    "np.cumsum({m})",
    "{m}.T",
    "same({m})",
)
CHANGES = (
    "{n}[{k}] = s",
    "{n}[{k}] = s",
    "{n}[{k}] += s",
    "{n}[{k}] = {k}.5",
    "{n}[-1] *= 3.0",
    "{n}[0:2] = s",
    "{n}[0:2] = [s, 1.0]",
    "{n}[:] = {m}",
    "{n} += 1.0",
    "{n} -= {m}",
    "{n}[{n} > 1.75] = 7.0",
    "np.copyto({n}, 4.0)",
    "np.put({n}, 0, 4.0)",
    "{n}.fill(4.0)",
    "{n}.sort()",
    "put({n})",
)
NEW_OF_RECORDS = (
    "x.copy()",
    "np.array(x)",
    "np.array(x, dtype=float)",
    "np.zeros_like(x)",
    "np.full_like(x, 0.5)",
    "np.where(x > 0.3, x, 0.75)",
)
RECORDS_OF_ANOTHER = (
    *("{m}",) * 6,
    *("{m}", "{m}.copy()", "{m}.ravel()", "{m} + 0.0", "np.array({m})", "np.asarray({m})"),
    *("same({m})", "{m}[::-1]", "np.copy({m})", "np.where({m} > 0.3, {m}, 0.0)", "np.abs({m})"),
)
CHANGES_OF_RECORDS = (
    *("{n}[{n} > 0.3] = 0.25", "{n}[{m} > 0.3] = 0.75", "{n}[x < 0.3] = 2.0"),
    *("{n} += x", "{n} *= 2.0", "{n} -= {m}", "{n}[{m} < 0.6] = {m}[{m} < 0.6]", "refill({n})"),
    *("t = [v * 2.0 for v in {m}]", "t = {m}[{m} > 0.3]", "{n}[:] = {m}", "{n}[0] = 5.0"),
)
HEAD = """import numpy as np


def same(v):
    return v


def put(v):
    v[0] = 9.0


def refill(v):
    v[v > 0.3] = 9.0


def query(x):
    s, t = np.sum(x), x
"""


def program(rng: np.random.Generator, *, of_records: bool = False) -> str:
    """Return a function that makes, aliases and changes three arrays, as text."""
    made, others = (NEW_OF_RECORDS, RECORDS_OF_ANOTHER) if of_records else (NEW, OF_ANOTHER)
    changes = CHANGES_OF_RECORDS if of_records else CHANGES
    lines = [f"{name} = {one}" for name, one in zip("abc", rng.permutation(made), strict=False)]
    for _ in range(rng.integers(2, 7)):
        n, m = rng.choice(list("abc"), 2)
        kind = rng.choice(["new", "of another", "change", "change"])
        several = {"new": made, "of another": others, "change": changes}[str(kind)]
        text = str(rng.choice(several)).format(n=n, m=m, k=rng.integers(3))
        lines.append(text if kind == "change" else f"{n} = {text}")
    sums = "[a.sum(), b.sum(), c.sum(), sum(t)]"
    lines.append(f"return {sums if of_records else '[*a, *b, *c]'}")
    return HEAD + "".join(f"    {line}\n" for line in lines)


def loaded(text: str, path: Path) -> Callable[..., Any]:
    """Return the query of a file: loops and changes are rewritten where the source is known."""
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.query  # type: ignore[no-any-return]


def followed_numbers(query: Callable[..., Any]) -> list[float] | None:
    """Return what a query is taken to release of ``DATA``; ``None`` where it is not followed."""
    found = follow(query, [(Fraction(0), Fraction(1))], ["f"], 1)
    if isinstance(found, str):
        return None

    def number(symbol: object) -> Ratio:
        if isinstance(symbol, Function):
            return symbol.of(symbol.argument.replace(number))
        if isinstance(symbol, Size):
            return Ratio.number(len(DATA))
        assert isinstance(symbol, Total)
        assert symbol.kind == "sum"
        assert symbol.length == Length(1, 0)
        return total(symbol.element.replace(at(k)) for k in range(len(DATA)))

    def at(k: int) -> Callable[[object], Ratio]:
        def value(symbol: object) -> Ratio:
            if isinstance(symbol, Function):
                return symbol.of(symbol.argument.replace(value))
            if not isinstance(symbol, RecordSymbol):
                return number(symbol)
            place = symbol.step * k + symbol.sizes * len(DATA) + symbol.offset
            return Ratio.number(Fraction(DATA[place]))

        return value

    values = [one.replace(number).constant for one in found.values]
    return [math.nan if one is None else float(one) for one in values]


def wrong_and_followed(tmp_path: Path, count: int, **kind: bool) -> tuple[list[str], int]:
    """Return the programs whose numbers are not NumPy's, and how many were followed."""
    rng, wrong, followed = np.random.default_rng(7), [], 0
    for k in range(count):
        text = program(rng, **kind)
        query = loaded(text, tmp_path / f"program_{k}.py")
        try:
            true = query(DATA)
        except ValueError:
            continue
        found = followed_numbers(query)
        if found is not None:
            followed += 1
            if not np.allclose(found, true):
                wrong.append(text)
    return wrong, followed


def test_changed_arrays_hold_what_numpy_puts_into_them(tmp_path: Path) -> None:
    wrong, followed = wrong_and_followed(tmp_path, 500)
    assert not wrong, wrong[0]
    assert followed > 75


def test_changed_arrays_of_records_hold_what_numpy_puts_into_them(tmp_path: Path) -> None:
    wrong, followed = wrong_and_followed(tmp_path, 500, of_records=True)
    assert not wrong, wrong[0]
    assert followed > 75


def _open(self: vectors.ChangedArray, name: str) -> Any:
    return getattr(self._array, name)


def _new(self: vectors.ChangedArray, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    options.pop("out", None)
    return getattr(ufunc, method)(*map(vectors._as_it_is, inputs), **options)


@pytest.mark.parametrize(("name", "twin"), [("__getattr__", _open), ("__array_ufunc__", _new)])
def test_a_broken_alias_of_records_is_found(name: str, twin: Any, tmp_path: Path) -> None:
    with mock.patch.object(vectors.ChangedArray, name, twin):
        wrong, _ = wrong_and_followed(tmp_path, 500, of_records=True)
    assert wrong


def _copied(self: vectors.SymbolicVector, key: Any) -> Any:
    found = self.cells[key]
    return vectors.SymbolicVector(found) if isinstance(key, slice) else found


def _writable(self: vectors.SymbolicVector, dtype: Any = None, copy: Any = None) -> Any:
    return np.array(self.cells, dtype=dtype)


@pytest.mark.parametrize(
    ("name", "twin"),
    [
        pytest.param("__getitem__", _copied, id="a slice is a copy"),
        pytest.param("__array__", _writable, id="an array of them is a copy"),
        pytest.param("ravel", vectors.SymbolicVector.copy, id="ravel is a copy"),
    ],
)
def test_a_broken_alias_is_found(name: str, twin: Any, tmp_path: Path) -> None:
    with mock.patch.object(vectors.SymbolicVector, name, twin):
        wrong, _ = wrong_and_followed(tmp_path, 500)
    assert wrong
