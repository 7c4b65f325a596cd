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
from provado.proofs.sensitivity.change.expression import Function, Total
from provado.proofs.sensitivity.change.prove import follow
from provado.proofs.sensitivity.change.ratio import Ratio

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
HEAD = """import numpy as np


def same(v):
    return v


def put(v):
    v[0] = 9.0


def query(x):
    s = np.sum(x)
"""


def program(rng: np.random.Generator) -> str:
    """Return a function that makes, aliases and changes three arrays, as text."""
    lines = [f"{name} = {one}" for name, one in zip("abc", rng.permutation(NEW), strict=True)]
    for _ in range(rng.integers(2, 7)):
        n, m = rng.choice(list("abc"), 2)
        kind = rng.choice(["new", "of another", "change", "change"])
        several = {"new": NEW, "of another": OF_ANOTHER, "change": CHANGES}[str(kind)]
        text = str(rng.choice(several)).format(n=n, m=m, k=rng.integers(3))
        lines.append(text if kind == "change" else f"{n} = {text}")
    lines.append("return [*a, *b, *c]")
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
        assert isinstance(symbol, Total)
        return Ratio.number(Fraction(DATA.sum()))

    values = [one.replace(number).constant for one in found.values]
    return [math.nan if one is None else float(one) for one in values]


def wrong_and_followed(tmp_path: Path, count: int) -> tuple[list[str], int]:
    """Return the programs whose numbers are not NumPy's, and how many were followed."""
    rng, wrong, followed = np.random.default_rng(7), [], 0
    for k in range(count):
        text = program(rng)
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
