"""Every bad argument is refused before a draw, in one line: its name, its value, the rule."""

import copy
import math

import numpy as np
import pandas as pd
import pytest

from provado.audit import audit
from provado.mechanisms import AddOrRemoveOne, BoundedAnswers, ReplaceOne, UsageError
from provado.mechanisms.textbook.randomized_response import MECHANISMS
from provado.reports.targets.dataset import check_neighbors
from tests.audit.audited_mechanisms import truthful

NAN, INF = math.nan, math.inf


def never(data):
    raise AssertionError("the mechanism was called")


@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        *[("epsilon", v, "finite number above 0") for v in (0, 0.0, -1, NAN, INF, -INF)],
        *[("epsilon", v, "number") for v in ("one", [1], 1j)],
        *[("delta", v, r"lie in \[0, 1\)") for v in (-0.1, 1, 1.0, 2, NAN, INF)],
        ("delta", "small", "number"),
        *[
            ("samples", v, "whole number of at least 1")
            for v in (0, -5, 1.5, NAN, INF, True, [100])
        ],
        ("samples", "many", "'auto' or 'auto:N'"),
        *[("confidence", v, "between 0 and 1") for v in (0, 1, -1, 1.5, NAN)],
        ("confidence", "high", "number"),
        *[("seed", v, "whole number of at least 0") for v in (-1, 0.5, NAN, "x", None)],
        *[("jobs", v, "whole number of at least 1") for v in (0, -2, 1.5, None)],
        *[("seconds", v, "finite number above 0") for v in (0, -1, NAN, INF)],
        *[("time_limit", v, "finite number above 0") for v in (0, -1, NAN, INF)],
        ("seconds", "long", "number"),
        *[("explore", v, "whole number of at least 2") for v in (0, 1, 2.5, NAN, True)],
        *[("explore", v, "'N:KEPT'") for v in ("many", "9", "5:9", "9:1", "9:-2", ":", "9:5:2")],
        ("relation", "one-more", "add-or-remove-one"),
        ("relation", ReplaceOne, "methods check and words"),
        ("relation", 3, "methods check and words"),
        ("name", 3, "text"),
        *[("pair", v, "tuple") for v in (3, {0, 1}, np.zeros(2), [], [0, 1], [(0, 1, 2)], (0,))],
    ],
)
def test_a_bad_argument_is_refused_before_a_draw(name, value, rule):
    arguments = {"epsilon": 1.0, "pair": (0, 1), "samples": 100} | {name: value}
    with pytest.raises(UsageError, match=f"^{name} .*{rule}") as refused:
        audit(never, **arguments)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["epsilon", "pair"])
def test_a_missing_claim_or_pair_is_named(name):
    arguments = {"epsilon": 1.0, "pair": (0, 1)}
    del arguments[name]
    with pytest.raises(UsageError, match=f"^{name} is missing"):
        audit(never, **arguments)


@pytest.mark.parametrize("mechanism", [None, 3, "laplace", [truthful]])
def test_what_cannot_be_called_is_refused(mechanism):
    with pytest.raises(UsageError, match=r"^mechanism is of type .*must be callable"):
        audit(mechanism, epsilon=1.0, pair=(0, 1))


@pytest.mark.parametrize(
    ("relation", "pair"),
    [
        (ReplaceOne(), ([1, 2], [1, 2])),
        (ReplaceOne(), ([1, 2], [3, 4])),
        (ReplaceOne(), ([1, 2], [1])),
        (AddOrRemoveOne(), ([1, 2], [1, 2])),
        (AddOrRemoveOne(), ([1, 2], [3, 4, 5])),
        (BoundedAnswers(), ([0.0], [1.5])),
        (BoundedAnswers(), ([0.0], [0.0, 1.0])),
        (BoundedAnswers(), ([0.0], [NAN])),
        (BoundedAnswers(), ("a", "b")),
    ],
)
def test_datasets_that_are_not_neighbors_are_refused(relation, pair):
    with pytest.raises(UsageError, match=r"^pair") as refused:
        audit(never, epsilon=1.0, pair=pair, relation=relation)
    assert "\n" not in str(refused.value)


class Opaque:
    """A dataset of a type that nobody knows, which shows little of what it holds."""

    __hash__ = None

    def __repr__(self):
        return "Opaque(…)"


SAME = [0, "ab", (1, 2), [1, NAN], {"a": [1]}, np.zeros((3, 2)), pd.DataFrame({"a": [1, 2]})]


@pytest.mark.parametrize("data", [*SAME, Opaque()], ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("several", [False, True])
def test_two_datasets_that_are_the_same_are_refused(data, several):
    pair = (data, data if isinstance(data, Opaque) else copy.deepcopy(data))
    with pytest.raises(UsageError, match=r"^pair: D and D′ are the same"):
        audit(never, epsilon=1.0, pair=[([0], [1]), pair] if several else pair)
    with pytest.raises(UsageError, match="D and D′ are the same"):
        check_neighbors(*pair, None, "--pair")


@pytest.mark.parametrize(
    "pair",
    [(0, 1), ([1], [NAN]), ([1], [1, 1]), (Opaque(), Opaque()), (np.zeros(2), np.zeros((2, 1)))],
)
def test_two_datasets_that_may_differ_are_taken(pair):
    result = audit(lambda data, rng: rng.random() < 0.5, epsilon=1.0, pair=pair, samples=100)
    assert result.pairs


def test_one_bad_pair_among_many_is_refused():
    with pytest.raises(UsageError, match=r"^pair: D and D′ differ in 2 records"):
        audit(never, epsilon=1.0, pair=[([0], [1]), ([0, 1], [2, 3])], relation=ReplaceOne())


def test_a_pair_of_large_arrays_is_refused_in_one_line():
    with pytest.raises(UsageError, match=r"^pair holds") as refused:
        audit(never, epsilon=1.0, pair=[np.zeros((5, 5)), np.ones((5, 5))])
    assert "\n" not in str(refused.value)


def test_the_relation_of_a_statement_is_checked_on_pairs_of_the_user():
    with pytest.raises(UsageError, match=r"^pair"):
        audit(MECHANISMS[0], pair=([0, 0], [1, 1]), samples=100)
