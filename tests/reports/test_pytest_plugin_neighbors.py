import copy

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.mechanisms import AddOrRemoveOne, BoundedAnswers, ReplaceOne, UsageError
from provado.mechanisms.statement.neighbors import MOST, neighbors

NUMBERS = st.floats(-1e6, 1e6) | st.integers(-1000, 1000)


def furthest(data):
    """Return the largest change of a sum by replacing one record with another that occurs."""
    return max(abs(new - old) for old in data for new in data)


@given(st.lists(NUMBERS, min_size=2, max_size=12).filter(lambda d: len(set(d)) > 1))
def test_replacing_moves_a_sum_as_far_as_any_record_that_occurs(data):
    before = list(data)
    pairs = neighbors(data, ReplaceOne())
    assert 1 <= len(pairs) <= MOST
    assert data == before
    for d, d_prime in pairs:
        ReplaceOne().check(d, d_prime)
        (i,) = [i for i in range(len(d)) if d[i] != d_prime[i]]
        assert abs(d[i] - d_prime[i]) == furthest(data)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=8, unique=True))
def test_rows_are_replaced_by_rows_that_are_far_away(rows):
    table = np.array(rows, dtype=float)
    span = np.where(np.ptp(table, axis=0) > 0, np.ptp(table, axis=0), 1)
    distance = np.abs((table[:, None] - table[None]) / span).sum(axis=2)
    for d, d_prime in neighbors(table, ReplaceOne()):
        moved = np.abs((d - d_prime) / span).sum()
        # The row furthest from the mean, and the row furthest from it: a quarter at worst.
        assert moved >= distance.max() / 4 - 1e-9


@given(st.lists(NUMBERS, min_size=1, max_size=8), st.lists(NUMBERS, max_size=4) | st.none())
def test_adding_and_removing_give_neighbors(data, values):
    pairs = neighbors(data, AddOrRemoveOne(), values or None)
    assert 1 <= len(pairs) <= MOST
    sizes = [len(d_prime) - len(d) for d, d_prime in pairs]
    if values or len(data) == 1:
        assert 1 in sizes
    if len(data) > 1:
        assert -1 in sizes
    assert all(len(d_prime) for _, d_prime in pairs)


@given(
    st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=6),
    st.floats(0.01, 10),
    st.booleans(),
    st.integers(1, 8) | st.none(),
)
def test_answers_move_as_far_as_they_may(answers, sensitivity, monotone, at_most):
    relation = BoundedAnswers(sensitivity, monotone, at_most)
    for kind in (list, tuple, np.array):
        pairs = neighbors(kind(answers), relation)
        assert len(pairs) == (4 if min(len(answers), at_most or 9) > 1 and not monotone else 2)
        for d, d_prime in pairs:
            relation.check(d, d_prime)
            assert type(d) is type(d_prime)
            moves = np.abs(np.asarray(d) - np.asarray(d_prime))
            assert moves.max() == pytest.approx(sensitivity, rel=1e-9, abs=1e-9)


FRAME = pd.DataFrame({"age": [20, 30, 70], "name": ["a", "a", "b"]})


@pytest.mark.parametrize(
    ("data", "relation", "values"),
    [
        ([1, 0, 1], ReplaceOne(), None),
        ((1, 0, 1), ReplaceOne(), None),
        (np.array([1, 0, 1]), ReplaceOne(), None),
        (["yes", "no", "no"], ReplaceOne(), None),
        ([{"a": 1}, {"a": 2}], ReplaceOne(), None),
        ([None, 1.0, float("nan")], ReplaceOne(), None),
        ([5, 5], ReplaceOne(), [4, 5]),
        (["x"], ReplaceOne(), ["x", "y", "z"]),
        (FRAME, ReplaceOne(), None),
        (FRAME["age"], ReplaceOne(), None),
        ([1, 0, 1], AddOrRemoveOne(), None),
        (np.array([[1, 2], [3, 4]]), AddOrRemoveOne(), [[9, 9]]),
        (("a",), AddOrRemoveOne(), None),
        ([], AddOrRemoveOne(), [3]),
        (FRAME, AddOrRemoveOne(), [(40, "c")]),
        (FRAME["age"], AddOrRemoveOne(), [40]),
        ([10**400, 1], ReplaceOne(), None),
    ],
)
def test_all_kinds_of_data_have_neighbors_and_stay_as_they_are(data, relation, values):
    before = copy.deepcopy(data)
    pairs = neighbors(data, relation, values)
    assert 1 <= len(pairs) <= MOST
    for d, d_prime in pairs:
        assert d is data
        assert type(d_prime) is type(data)
        relation.check(d, d_prime)
    assert repr(data) == repr(before)


def test_whole_numbers_stay_whole():
    assert neighbors([1, 2], BoundedAnswers(1))[0][1] == [2, 3]
    assert neighbors([1, 2], BoundedAnswers(0.5))[0][1] == [1.5, 2.5]
    assert neighbors(np.array([1, 2]), AddOrRemoveOne(), [7.0])[-1][1].dtype.kind == "i"
    assert neighbors(np.array([1, 2]), AddOrRemoveOne(), [7.5])[-1][1].dtype.kind == "f"


class Elsewhere:
    def check(self, d, d_prime):
        pass

    def words(self):
        return "elsewhere"


@pytest.mark.parametrize(
    ("data", "relation", "values", "words"),
    [
        ([1, 1], ReplaceOne(), None, "each of its records is 1.*give values"),
        ([1, 1], ReplaceOne(), [1], "give values"),
        ([], ReplaceOne(), [1], "no record"),
        ([], AddOrRemoveOne(), None, "give values"),
        ("text", ReplaceOne(), None, "data is a str"),
        ({1: 2}, AddOrRemoveOne(), None, "data is a dict"),
        ([1, 2], ReplaceOne(), [], r"values is \[\]"),
        ([1, 2], ReplaceOne(), 7, "values is 7"),
        ([1, 2], BoundedAnswers(), [1], "moves answers by numbers"),
        (["a"], BoundedAnswers(), None, "data is"),
        ([1, 2], Elsewhere(), None, "give pair"),
        (np.array([1, 2], dtype=np.int8), ReplaceOne(), [1.5], "changes when stored"),
        (np.array([[1, 2], [3, 4]]), AddOrRemoveOne(), [[1, 2, 3]], "does not fit"),
    ],
)
def test_what_is_missing_is_named(data, relation, values, words):
    with pytest.raises(UsageError, match=words):
        neighbors(data, relation, values)
