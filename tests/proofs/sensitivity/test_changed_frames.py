"""Data frames that a query changes: what pandas does, or a refusal; never other numbers."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
import pytest

from provado.proofs.sensitivity.change import frames
from provado.proofs.sensitivity.change.prove import ends_of, follow
from provado.proofs.sensitivity.trace.bound import read_domain

from .test_followed_numbers import Evaluated, NotEvaluatedError, numbers

RECORDS = read_domain({"a": (0.0, 1.0), "b": (0.0, 2.0), "c": ["x", "y"]})
LINES = (
    *(
        "d = d.copy()",
        "e = d",
        "e = e.copy()",
        "s = d['a']",
        "s = e.b",
        "d = e",
        "e = d[['a', 'b']]",
    ),
    *("d['a'] = d['a'].clip(0.25, 0.75)", "e['b'] = e['a'] + e['b']", "d['z'] = d['a'] * 2"),
    *("d.a = d.a * 3", "e.b = e.a", "d.b = s", "e['a'] *= 2", "e.a += 1", "d['a'] = 0.5"),
    *("d = d[d['a'] > 0.5]", "e = e.loc[e['b'] < 1.5]", "d = d[d['c'] == 'x']", "e = d[s > 0.5]"),
    *("d = d.assign(b=d['b'] ** 2)", "e = e.assign(a=lambda f: f.a + f.b)", "e = d.assign(b=s)"),
    *("d.loc[d['a'] > 0.5, 'a'] = 0", "d.iloc[0, 0] = 7", "d['c'] = d['c'].str.upper()"),
    *("d = d.reset_index(drop=True)", "d = d.sort_values('a')", "d = d.dropna()", "d = d.head(2)"),
    *("d.drop(columns='b', inplace=True)", "e.pop('b')", "del e['a']", "d.insert(0, 'q', d['a'])"),
    *(
        "s = s.clip(0.3, 0.6)",
        "s += 1",
        "s[s > 0.5] = 0",
        "s = s.round(1)",
        "d['b'] = d['b'].round()",
    ),
    *("d['z'] = e['a']", "e['z'] = (d['a'] > 0.5).astype(int)", "d['b'] = d['b'].to_numpy()"),
)
RELEASED = "[d['a'].sum(), d.b.sum(), e['a'].sum(), e.b.sum(), s.sum(), len(d), len(e)]"


def program(rng: np.random.Generator) -> str:
    """Return a query of a data frame that goes on with copies and others of it."""
    start = ("d = f.copy()", "d = f")[int(rng.random() < 0.2)]
    return written(start, *rng.choice(LINES, rng.integers(1, 6)))


def written(start: str, *lines: str) -> str:
    """Return a query of these lines."""
    body = [start, "e = d[['a', 'b', 'c']]", "s = d['b']", *lines, f"return {RELEASED}"]
    return "def query(f):\n" + "".join(f"    {line}\n" for line in body)


def wrong_and_followed(texts: Iterable[str]) -> tuple[list[str], int]:
    """Return the queries that are taken for others, and how many were followed."""
    rng, wrong, followed = np.random.default_rng(3), [], 0
    domain = ends_of(RECORDS)
    assert domain is not None
    for text in texts:
        space: dict[str, Any] = {}
        exec(text, space)
        data = np.column_stack([rng.random(5), 2 * rng.random(5), rng.integers(0, 2, 5)])
        frame = pd.DataFrame({"a": data[:, 0], "b": data[:, 1]})
        frame["c"] = np.array(["x", "y"])[data[:, 2].astype(int)]
        try:
            true = list(numbers(space["query"](frame.copy())))
        except Exception:  # What pandas refuses says nothing.
            continue
        found = follow(space["query"], *domain, 4, records=RECORDS)
        if isinstance(found, str):
            continue
        try:
            taken = [Evaluated(data)(one) for one in found.values]
        except NotEvaluatedError:
            continue
        followed += 1
        if not np.allclose(taken, true):
            wrong.append(f"{text}{taken}\n{true}")
    return wrong, followed


@pytest.fixture(autouse=True)
def quiet() -> Any:
    """Let pandas warn of what is changed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_changed_frames_hold_what_pandas_puts_into_them() -> None:
    drawn = np.random.default_rng(4)
    wrong, followed = wrong_and_followed(program(drawn) for _ in range(1_500))
    assert not wrong, wrong[0]
    assert followed > 150


def _unchecked(self: frames.Frame, **columns: Any) -> frames.Frame:
    made = {key: one(self) if callable(one) else one for key, one in columns.items()}
    return frames.Frame(self._columns | {key: frames._column_of(one) for key, one in made.items()})


def _itself(self: frames.Frame) -> frames.Frame:
    return frames.Frame(self._columns) if self._is_given else self


@pytest.mark.parametrize(
    ("name", "twin", "lines"),
    [
        ("copy", _itself, ["e = d.copy()", "e['a'] = e['b']"]),
        ("__setattr__", object.__setattr__, ["d.a = d.a * 3"]),
        ("assign", _unchecked, ["d = d[d['a'] > 0.5]", "d.b = s"]),
    ],
)
def test_a_frame_that_forgets_is_found(
    name: str, twin: Callable[..., Any], lines: list[str]
) -> None:
    text = written("d = f.copy()", *lines)
    assert not wrong_and_followed([text])[0]
    with mock.patch.object(frames.Frame, name, twin):
        assert wrong_and_followed([text])[0]
