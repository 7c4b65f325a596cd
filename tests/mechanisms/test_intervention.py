import copy

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.mechanisms import Intervention, ReplaceOne, UsageError
from provado.mechanisms.definitions.relation import (
    changed_rows,
    difference_words,
    record_key,
    short,
)


@given(data=st.lists(st.integers(), min_size=1), value=st.integers(), choice=st.randoms())
def test_it_sets_one_record_and_never_mutates(data, value, choice):
    index = choice.randrange(len(data))
    before = copy.deepcopy(data)
    changed = Intervention(index, value).apply(data)
    assert data == before
    assert changed[index] == value
    assert changed[:index] + changed[index + 1 :] == data[:index] + data[index + 1 :]


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ([[1, 2], [3, 4]], [9, 9]),
        (((1, 2), (3, 4)), (9, 9)),
        (np.array([[1, 2], [3, 4]]), [9, 9]),
        (np.array([1.0, 2.0]), 7),
        (np.array([1.0, 2.0]), float("nan")),
        (np.array(["ab", "cd"]), "xy"),
        (pd.DataFrame({"x": [1, 2], "y": [3, 4]}), [9, 9]),
        (pd.Series([1, 2]), 9),
    ],
)
def test_every_kind_of_dataset(data, value):
    before = copy.deepcopy(data)
    changed = Intervention(1, value).apply(data)
    assert type(changed) is type(data)
    ReplaceOne().check(data, changed)
    assert changed_rows(data, changed) == [1]
    assert changed_rows(data, before) == []


@pytest.mark.parametrize("index", [-1, 2, 100])
@pytest.mark.parametrize("data", [[1, 2], (1, 2), np.array([1, 2]), pd.Series([1, 2])])
def test_an_index_outside_the_dataset_is_refused(data, index):
    with pytest.raises(UsageError, match=r"positions 0 to 1"):
        Intervention(index, 5).apply(data)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (np.array([1, 2]), 2.5),
        (np.array([1, 2], dtype=np.int8), 300),
        (np.array(["ab", "cd"]), "long"),
        (np.array([True, False]), 2),
    ],
)
def test_a_value_that_an_array_would_change_is_refused(data, value):
    before = data.copy()
    with pytest.raises(UsageError, match="changes when stored"):
        Intervention(0, value).apply(data)
    assert np.array_equal(data, before)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (np.array([1, 2]), "x"),
        (np.array([[1, 2], [3, 4]]), [1, 2, 3]),
        (pd.DataFrame({"x": [1, 2], "y": [3, 4]}), [1, 2, 3]),
    ],
)
def test_a_value_that_does_not_fit_is_a_usage_error(data, value):
    with pytest.raises(UsageError, match=r"do\(D\[0\] = .*does not fit the dataset"):
        Intervention(0, value).apply(data)


def test_record_keys_meet_exactly_for_equal_records():
    same = [
        (float("nan"), np.float64("nan")),
        (1, np.int64(1)),
        ([1, 2], (1, 2)),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (None, None),
        ({1}, {1}),
    ]
    different = [
        (1, 2),
        ("1", 1),
        ([1, [2]], [1, 2]),
        (np.array([1, 2]), np.array([[1, 2]])),
        (None, 0),
    ]
    assert all(record_key(a) == record_key(b) for a, b in same)
    assert all(record_key(a) != record_key(b) for a, b in different)


def test_words_say_what_differs():
    assert Intervention(3, 7).words() == "do(D[3] = 7)"
    assert difference_words([1, 2, 3], [1, 7, 3]) == "D′ = do(D[1] = 7)"
    assert difference_words([1, 2], [1, 2, 3]) == "D′ has one more record (3 instead of 2): 3"
    assert difference_words([1, 2, 3], [1, 2]) == "D′ has one record fewer (2 instead of 3): 3"
    assert difference_words([1, 2], [3, 4]) == "D′ = [3, 4]"
    table = pd.DataFrame({"zip code": [1, 2], "city": ["a", "b"]})
    said = "D′ = do(D[0] = {'zip code': 7, 'city': 'a'})"
    assert difference_words(table, table.replace(1, 7)) == said


def test_short_texts_are_short():
    assert short(np.float64(1.5)) == "1.5"
    assert short(np.zeros((100, 2))) == "array of shape (100, 2)"
    assert len(short(list(range(1000)))) <= 120
    assert "\n" not in short("a\nb" * 10)


def test_a_long_table_is_told_by_its_number_of_records_and_its_ends():
    table = pd.DataFrame({"age": range(30, 60), "city": ["rome"] * 30})
    assert short(table[:2]) == "[{'age': 30, 'city': 'rome'}, {'age': 31, 'city': 'rome'}]"
    ends = "from {'age': 30, 'city': 'rome'} to {'age': 59, 'city': 'rome'}"
    assert short(table) == f"30 records, {ends}"
    assert short(table["age"].repeat(2)) == "60 records, from 30 to 59"
