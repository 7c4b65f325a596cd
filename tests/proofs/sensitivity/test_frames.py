"""Queries of data frames are followed with symbols, and held against pandas on small frames."""

from __future__ import annotations

import itertools
from unittest import mock

import numpy as np
import pandas as pd
import pytest

from provado.proofs.sensitivity import SensitivityVerdict, bound_sensitivity
from provado.proofs.sensitivity.change import frames
from provado.proofs.sensitivity.change.formula import read_formula, value_at

DOMAIN = {"age": (0.0, 10.0), "income": (0.0, 1.0), "city": ["a", "b", "c"]}
CITIES = ["a", "b", "c"]

EXACT = {
    "mean": (lambda df: df["age"].mean(), "10/n"),
    "sum between ends": (lambda df: df["age"].clip(0, 5).sum(), "5"),
    "sum of some": (lambda df: df[df["age"] > 3]["income"].sum(), "1"),
    "by place and name": (lambda df: df.loc[df.city == "b", "income"].sum(), "1"),
    "share": (lambda df: (df.age > 3).mean(), "1/n"),
    "median": (lambda df: df.income.median(), "1"),
    "range": (lambda df: df.age.max() - df.age.min(), "10"),
    "variance": (lambda df: df.age.var(), "100/n"),
    "NumPy's variance": (lambda df: np.var(df.age), "100*(n-1)/n**2"),
    "deviation": (lambda df: df.income.std(), "sqrt(1/n)"),
    "covariance": (lambda df: df.age.cov(df.income), "10/n"),
    "means of columns": (lambda df: df[["age", "income"]].mean(), "11/n"),
    "counts": (lambda df: df.city.value_counts().reindex(CITIES, fill_value=0), "2"),
    "count of one": (lambda df: df.city.value_counts().get("a", 0), "1"),
    "sizes of groups": (lambda df: df.groupby("city").size().reindex(CITIES, fill_value=0), "2"),
    "sums of groups": (
        lambda df: df.groupby("city")["income"].sum().reindex(CITIES, fill_value=0),
        "2",
    ),
    "one of some": (lambda df: df.city.isin(["a", "c"]).sum(), "1"),
    "numbers of texts": (lambda df: df.city.map({"a": 1, "b": 2, "c": 4}).sum(), "3"),
    "a function of each": (lambda df: df.age.apply(lambda a: 2 * a + 1).sum(), "20"),
    "a new column": (lambda df: df.assign(r=df.income / (1 + df.age))["r"].mean(), "1/n"),
    "three largest": (lambda df: df.age.nlargest(3).sum(), "10"),
    "nothing is missing": (lambda df: df.age.dropna().fillna(0).sum() / len(df), "10/n"),
}


MISSING = {
    "age": (0.0, 8.0),
    "change": (-4.0, 4.0),
    "income": (0.0, 9.0, None),
    "city": ["a", None],
}

BY_STEPS = {
    "roots": (lambda df: np.sqrt(df.age).sum(), 8**0.5),
    "exponentials": (lambda df: np.exp(df.change).sum(), np.exp(4) - np.exp(-4)),
    "squares": (lambda df: (df.age**2).sum(), 64.0),
    "logarithms": (lambda df: np.log1p(df.income).sum(), np.log(10)),
    "at most a number": (lambda df: np.minimum(df.income, 3).sum(), 3.0),
    "roots of what is filled": (lambda df: np.sqrt(df.income.fillna(0)).sum(), 3.0),
    "squares of what is filled": (lambda df: (df.income.fillna(0) ** 2).sum(), 81.0),
    "an absolute value": (lambda df: abs(df.change.sum()), 8.0),
    "the larger of two": (lambda df: max(df.age.sum(), 10), 8.0),
    "the smaller of two": (lambda df: min(df.age.sum(), 10), 8.0),
    "between ends": (lambda df: np.clip(df.age.sum(), 0, 10), 8.0),
    "a comparison": (lambda df: df.age.sum() > 10, 1.0),
    "an exponential of a mean": (lambda df: np.exp(-df.age.mean()), 1 - np.exp(-8)),
    "running counts": (lambda df: np.cumsum(np.histogram(df.age, bins=[0, 2, 4, 8])[0]), 6.0),
    "shares": (lambda df: np.histogram(df.age, bins=[0, 2, 4, 8])[0] / len(df), 2.0),
}
"""Queries of columns that may lack values, which have no formula."""


@pytest.mark.parametrize("name", BY_STEPS)
def test_a_query_of_columns_that_may_lack_values_has_a_bound_by_its_steps(name):
    query, least = BY_STEPS[name]
    found = bound_sensitivity(query, domain=MISSING)
    assert float(found.bound) == pytest.approx(least, rel=1e-3)


def largest_change(query):
    """Return how far one of three records moves a query: equal records, and some that are drawn."""
    rng = np.random.default_rng(0)
    records = list(itertools.product((0.0, 4.0, 10.0), (0.0, 1.0), CITIES))
    pairs = [([r, r, r], [r, r, s]) for r, s in itertools.product(records[::5], records)]
    for _ in range(30):
        three = [records[k] for k in rng.integers(len(records), size=3)]
        pairs.append((three, [*three[:2], records[rng.integers(len(records))]]))
    frames_of = {
        tuple(d): np.ravel(np.asarray(query(pd.DataFrame(d, columns=[*DOMAIN])), dtype=float))
        for pair in pairs
        for d in pair
    }
    return max(np.abs(frames_of[tuple(d)] - frames_of[tuple(e)]).sum() for d, e in pairs)


@pytest.mark.parametrize("name", EXACT)
def test_a_query_of_a_frame_is_proved_at_what_pandas_does(name):
    query, claim = EXACT[name]
    found = bound_sensitivity(query, claim, domain=DOMAIN, size=(3, None), examples=20)
    assert found.verdict is SensitivityVerdict.PROVED
    less = bound_sensitivity(query, f"0.99*({claim})", domain=DOMAIN, size=3, examples=5)
    assert less.verdict is not SensitivityVerdict.PROVED
    most = value_at(read_formula(claim, "claim"), 3)
    assert most is not None
    seen = largest_change(query)
    assert seen <= float(most[1]) + 1e-9


REFUSED = {
    "keys depend on the data": lambda df: df["city"].value_counts(),
    "reindex": lambda df: df.groupby("city")["age"].sum(),
    "of which there may be none": lambda df: df.groupby("city")["age"].mean(),
    "a condition": lambda df: df.query("age > 3")["income"].sum(),
    "one number after the other": lambda df: df["age"].describe(),
    "such as pd.cut": lambda df: pd.cut(df["age"], [0, 5, 10]).value_counts(),
    "np.sort": lambda df: df.sort_values("age")["income"].head(3).sum(),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_not_followed_says_what_to_write(words):
    found = bound_sensitivity(REFUSED[words], domain=DOMAIN, size=(3, None))
    assert found.verdict is SensitivityVerdict.UNKNOWN
    assert words in found.reason


def test_a_variance_over_n_in_place_of_one_over_n_less_1_is_noticed():
    query = EXACT["variance"][0]
    over_n = frames.FrameColumn._var
    with mock.patch.object(frames.FrameColumn, "var", over_n):
        found = bound_sensitivity(query, "100*(n-1)/n**2", domain=DOMAIN, size=(3, None))
    assert found.verdict is SensitivityVerdict.UNKNOWN
    assert "contradicted" in found.reason
