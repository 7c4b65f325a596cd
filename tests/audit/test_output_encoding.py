"""Any output as a pattern and numbers: equal outputs, and only they, are encoded alike."""

import datetime
import enum
import math
import re
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.audit.events.features.feature import Exact
from provado.audit.events.learners.table import Table
from provado.audit.target.output_encoding import (
    UNSEEN,
    BrokenMechanismError,
    PatternBook,
    encode,
    join,
    mix,
)


def encoded(outputs, book=None):
    return encode(outputs, len(outputs), PatternBook() if book is None else book)


def same(first, second):
    """Tell whether two outputs of a list are encoded alike."""
    both = encoded([first, second])
    assert both.pattern.shape == (2,)
    values = both.values
    return bool(both.pattern[0] == both.pattern[1] and np.array_equal(*values, equal_nan=True))


class Plain:
    """Has the default repr with its address."""


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@dataclass
class Record:
    x: float


ALIKE = [
    (1, 1),
    (0.0, -0.0),
    (math.nan, float("nan")),
    ("a", "a"),
    (None, None),
    ([1, 2], [1, 2]),
    ((1, (2, "x")), (1, (2, "x"))),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ({1, 2, 3}, {3, 2, 1}),
    (np.array([1.0, np.nan]), np.array([1.0, np.nan])),
    (np.float64(2.5), np.float64(2.5)),
    (2**60 + 1, 2**60 + 1),
    (10**400, 10**400),
    (1 + 2j, 1 + 2j),
    (Plain(), Plain()),
    (Color.RED, Color.RED),
    (Record(1.5), Record(1.5)),
    (pd.Series([1.0, 2.0]), pd.Series([1.0, 2.0])),
    (pd.Timestamp("2020-01-01"), pd.Timestamp("2020-01-01")),
]
DIFFERENT = [
    (1, 2),
    (1, 1.0),
    (1, True),
    (0, False),
    (1, "1"),
    (0, None),
    (math.nan, None),
    (math.nan, math.inf),
    (math.inf, -math.inf),
    (math.nan, "nan"),
    (b"a", "a"),
    ("", None),
    ("a", "b"),
    ([1, 2], [2, 1]),
    ([1, 2], (1, 2)),
    ([1], [1, 1]),
    ([], [[]]),
    ((1, (2, 3)), ((1, 2), 3)),
    ({"a": 1}, {"a": 2}),
    ({"a": 1}, {"b": 1}),
    ({1: "x"}, {"1": "x"}),
    ({1, 2}, {1, 3}),
    (np.array([1.0, np.nan]), np.array([np.nan, 1.0])),
    (np.array([1.0, np.inf]), np.array([1.0, -np.inf])),
    (np.zeros(3), np.zeros(4)),
    (np.zeros((2, 3)), np.zeros((3, 2))),
    (np.array(["a", "b"]), np.array(["a", "c"])),
    (2**60, 2**60 + 1),
    (-(2**60), -(2**60) - 1),
    (2**53, 2**53 + 1),
    (10**400, 10**400 + 1),
    (1 + 2j, 2 + 1j),
    (Plain(), object()),
    (Color.RED, Color.BLUE),
    (Record(1.5), Record(2.5)),
    (pd.Series([1.0, 2.0]), pd.Series([1.0, 3.0])),
    (1.0, np.nextafter(1.0, 2.0)),
]


@pytest.mark.parametrize(("first", "second"), ALIKE)
def test_equal_outputs_are_encoded_alike(first, second):
    assert same(first, second)


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_different_outputs_are_told_apart(first, second):
    assert not same(first, second)


SCALARS = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([2**53, 2**53 + 1, 2**60 + 3, -(2**63), 2**64 - 1, 10**30]),
    st.sampled_from([0.0, -0.0, 1.0, 0.5, math.nan, math.inf, -math.inf]),
    st.booleans(),
    st.none(),
    st.sampled_from(["", "a", "nan", "1"]),
    st.sampled_from([np.float64(1.0), np.int64(1), np.int64(2**60 + 1), np.bool_(True)]),
    st.sampled_from([np.float32(0.5), np.str_("a"), np.longdouble(1)]),
)
OUTPUTS = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(st.sampled_from(["a", "b", 1]), inner, max_size=2),
    ),
    max_leaves=4,
)


def naively_equal(a, b):
    """The twin: of one type, and equal part by part; NaN equals NaN."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(naively_equal, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(naively_equal(a[k], b[k]) for k in a)
    return bool(a == b) or bool(a != a and b != b)


def rows(part):
    """Return each encoded output as one comparable row."""
    return [
        (p, *("absent" if math.isnan(v) else v for v in row))
        for p, row in zip(part.pattern.tolist(), part.values.astype(float).tolist(), strict=True)
    ]


def stripped(row):
    end = len(row)
    while row[end - 1] == "absent":
        end -= 1
    return row[:end]


@given(st.lists(OUTPUTS, min_size=2, max_size=5))
def test_two_outputs_are_encoded_alike_iff_a_naive_twin_calls_them_equal(outputs):
    found = rows(encoded(outputs))
    for i, a in enumerate(outputs):
        for j, b in enumerate(outputs):
            assert (found[i] == found[j]) == naively_equal(a, b)


@given(st.lists(OUTPUTS, min_size=1, max_size=5), st.lists(OUTPUTS, max_size=4))
def test_an_output_is_encoded_alike_in_any_company(outputs, others):
    # A guess that depended on the rest of the batch would void the guarantee.
    book = PatternBook()
    encoded([*outputs, *others], book)
    book.closed = True
    together = rows(encoded([*outputs, *others], book))[: len(outputs)]
    alone = [rows(encoded([output], book))[0] for output in outputs]
    assert together == alone


def test_marks_do_not_depend_on_the_batch():
    book, big = PatternBook(), 2**60 + 1
    first = rows(encoded([(1, big), (big, 1), (big, big), (math.nan, big)], book))
    book.closed = True
    for output, row in zip([(1, big), (big, 1), (big, big), (math.nan, big)], first, strict=True):
        assert rows(encoded([output], book)) == [row]


NUMBERS = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([2**53, 2**60 + 3, -(2**63), 2**63 - 1]),
    st.sampled_from([0.5, math.nan, math.inf]),
)


@given(st.lists(st.one_of(NUMBERS, st.none(), st.just("a")), min_size=1, max_size=5))
def test_an_entry_of_an_array_is_encoded_alike_in_an_object_array(outputs):
    book = PatternBook()
    mixed = np.empty(len(outputs), dtype=object)
    mixed[:] = outputs
    encode(mixed, len(outputs), book)
    book.closed = True
    together = rows(encode(mixed, len(outputs), book))
    for output, expected in zip(outputs, together, strict=True):
        assert rows(encode(np.array([output]), 1, book)) == [expected]


@pytest.mark.parametrize(
    "arrays",
    [
        (np.array([1, 2]), np.array([1.0, 2.0]), np.array([1, 2], dtype=np.int8)),
        (np.array([0, 1]), np.array([False, True])),
        (np.array([[1, 2]]), np.array([[1.0, 2.0]]), np.array([[1, 2]], dtype=object)),
        (np.array([[np.nan, 2]]), np.array([[np.nan, 2]], dtype=object)),
        (np.array(["a", "bc"]), np.array(["a", "bc"], dtype=object)),
        (np.array([1 + 2j]), np.array([1 + 2j], dtype=object)),
        (np.array([2**60]), np.array([2.0**60]), np.array([2**60], dtype=np.uint64)),
        (np.zeros((2, 2, 2)), np.zeros((2, 2, 2), dtype=object)),
        (pd.Series([1.5, np.nan]), np.array([1.5, np.nan])),
        (pd.DataFrame({"x": [1, 2], "y": [0.5, 1]}), np.array([[1, 0.5], [2, 1]])),
    ],
)
def test_the_type_of_an_array_says_nothing_of_its_entries(arrays):
    book = PatternBook()
    first, *others = (rows(encode(array, len(array), book)) for array in arrays)
    for other in others:
        assert other == first


def test_a_list_of_arrays_is_encoded_like_one_array():
    book = PatternBook()
    block = np.array([[1.0, np.nan], [2.0, 3.0]])
    assert rows(encoded(block, book)) == rows(encoded(list(block), book))
    ragged = encoded([block[0], np.zeros(3), block[1]], book)
    assert [rows(ragged)[0], rows(ragged)[2]] == [
        (*r, "absent") for r in rows(encoded(block, book))
    ]


def test_ragged_outputs_are_padded():
    part = encoded([[1.0], [1.0, 2.0], []])
    assert part.values.shape == (3, 2)
    assert np.isnan(part.values[2]).all()
    assert len(set(part.pattern.tolist())) == 3


@pytest.mark.parametrize(
    "outputs", [[0.0, -0.0], np.array([0.0, -0.0]), [np.float32(0.0), np.float32(-0.0)]]
)
def test_minus_zero_is_zero(outputs):
    part = encoded(outputs)
    assert part.pattern[0] == part.pattern[1]
    keys = mix(part.pattern, part.values[:, 0], 7)
    assert keys[0] == keys[1]


@pytest.mark.parametrize(
    ("outputs", "size", "words"),
    [
        ([1, 2], 3, "returned 2 outputs where 3 were requested"),
        (np.zeros(4), 3, "returned 4 outputs where 3 were requested"),
        (np.zeros((2, 3)), 3, "returned 2 outputs where 3 were requested"),
        ([], 1, "returned 0 outputs where 1 was requested"),
        (pd.Series([1.0]), 2, "returned 1 output where 2 were requested"),
        (np.array(3.0), 3, "returned one float64 for a batch of 3"),
        (np.float64(3.0), 3, "returned a float64 for a batch"),
        (3.0, 3, "returned a float for a batch"),
        (None, 3, "returned a NoneType for a batch"),
        ("abc", 3, "returned a str for a batch"),
        ({1: 2}, 1, "returned a dict for a batch"),
        ((x for x in range(3)), 3, "returned a generator for a batch"),
    ],
)
def test_a_wrong_number_of_outputs_is_a_broken_mechanism(outputs, size, words):
    with pytest.raises(BrokenMechanismError, match=re.escape(words)):
        encode(outputs, size, PatternBook())


class Unconvertible:
    def to_numpy(self):
        raise RuntimeError("no array")


def endless():
    loop = []
    loop.append(loop)
    return loop


def test_a_batch_that_cannot_be_read_is_a_broken_mechanism():
    with pytest.raises(BrokenMechanismError, match="returned an output that cannot be read"):
        encode(Unconvertible(), 1, PatternBook())


def test_a_list_that_holds_itself_is_read():
    assert same(endless(), endless())
    assert not same(endless(), [endless()])
    assert not same(endless(), [[]])


def test_a_structure_seen_after_closing_is_unseen():
    book = PatternBook()
    encoded([1.5, "a", (1, 2)], book)
    book.closed = True
    part = encoded(["b", None, (1, 2, 3), 2.5, (3, 4), np.zeros(9)], book)
    assert part.pattern.tolist() == [UNSEEN, UNSEEN, UNSEEN, 0, 2, UNSEEN]
    assert part.values.shape == (6, 2)
    assert len(book.keys) == 3


def test_an_array_after_closing_keeps_the_width():
    book = PatternBook()
    encoded(np.zeros((2, 3)), book)
    book.closed = True
    for shape in ((4, 3), (4, 2), (4, 5), (4,), (4, 0)):
        part = encode(np.ones(shape), 4, book)
        assert part.values.shape == (4, 3)
        assert (part.pattern == UNSEEN).all() == (shape != (4, 3))


def test_batches_join_with_the_missing_columns_filled():
    book = PatternBook()
    parts = [encoded(np.zeros((2, 1)), book), encoded(np.ones((1, 3)), book)]
    whole = join(parts, book.width)
    assert whole.values.shape == (3, 3)
    assert np.isnan(whole.values[:2, 1:]).all()


def test_mixing_tells_values_columns_and_keys_apart():
    key = np.zeros(1000, dtype=np.int64)
    values = np.arange(1, 1001) / 7
    mixed = mix(key, values, 3)
    assert len(np.unique(mixed)) == 1000
    assert not np.any(mixed == mix(key, values, 4))
    assert not np.any(mixed == mix(key + 1, values, 3))
    assert np.array_equal(mix(key, np.arange(1000), 3), mix(key, np.arange(1000.0), 3))


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (3, "3"),
        (0.25, "0.25"),
        (math.nan, "nan"),
        (-math.inf, "-inf"),
        (None, "None"),
        (True, "True"),
        ("it's", '"it\'s"'),
        ((1, 0.5, "x"), "(1, 0.5, 'x')"),
        ([1, [2, None]], "(1, (2, None))"),
        ({"a": 1, "b": None}, "{'a': 1, 'b': None}"),
        (np.array([1.0, 0.5]), "(1, 0.5)"),
        (np.array([1.0, np.nan]), "(1, nan)"),
        (np.int64(7), "7"),
        (np.bool_(False), "False"),
        ({2, 1}, "{1, 2}"),
        (Color.RED, "Color.RED"),
    ],
)
def test_words_spell_the_output(output, text):
    book = PatternBook()
    # In company, so that no text comes from there being one structure only.
    part = encoded(["zzz", output, (1, 2, 3, 4)], book)
    assert text in book.words(part, 1)
    assert len(book.words(part, 1)) <= len(text) + 25


def test_words_of_what_was_never_seen_are_its_numbers():
    book = PatternBook()
    encoded([(1, 2), "a"], book)
    book.closed = True
    part = encoded([(1.5, 2.5)], book)
    assert part.pattern[0] == UNSEEN
    assert book.words(part, 0) == "(1.5, 2.5)"


@pytest.mark.parametrize(
    ("row", "marked"),
    [
        ([1.7e308, 1.7e308, 1.0], False),
        ([-1.7e308, -1.7e308, 1.7e308], False),
        ([1.7e308, 1.7e308, -math.inf], True),
        ([math.inf, -math.inf, 0.0], True),
        ([0.0, math.nan, 0.0], True),
    ],
)
def test_a_sum_that_overflows_is_not_taken_for_an_infinite_number(row, marked):
    book = PatternBook()
    plain = encode(np.zeros((1, 3)), 1, book)
    assert (encode(np.array([row]), 1, book).pattern[0] != plain.pattern[0]) == marked


DAY = datetime.date(2020, 2, 29)
NOON = datetime.datetime(2020, 2, 29, 12)


@given(
    st.lists(st.dates() | st.datetimes(max_value=NOON) | st.timedeltas(), min_size=2, max_size=9)
)
def test_dates_and_durations_are_read_whole_and_shown_as_such(moments):
    book = PatternBook()
    encoded = encode(moments, len(moments), book)
    whole = [*zip(encoded.pattern.tolist(), map(tuple, np.nan_to_num(encoded.values)), strict=True)]
    for i, one in enumerate(moments):
        fold = getattr(one, "fold", 0)
        assert fold or book.words(encoded, i) == str(one)
        for j, other in enumerate(moments):
            alike = type(one) is type(other) and one == other and fold == getattr(other, "fold", 0)
            assert (whole[i] == whole[j]) == alike


def test_what_a_date_has_beside_its_numbers_is_read_too():
    zoned, own = NOON.replace(tzinfo=datetime.UTC), type("Day", (datetime.date,), {})(2020, 2, 29)
    assert len(set(encode([NOON, zoned, DAY, own], 4, PatternBook()).pattern.tolist())) == 4


def test_an_event_of_the_structure_shows_no_number_that_it_does_not_compare():
    rng = np.random.default_rng(0)
    sides = [[{"n": x, "at": at} for x in rng.laplace(size=500).tolist()] for at in ("low", "high")]
    book = PatternBook()
    table = Table.learn(Exact(()), *(encode(side, 500, book) for side in sides), book.words)
    assert table.region(0.5, np.inf) == "the output is {'at': 'low', 'n': a number}"
    chosen = [[(x, at) for x in rng.laplace(size=500).tolist()] for at in (3, 4)]
    book = PatternBook()
    table = Table.learn(Exact((1,), 2), *(encode(side, 500, book) for side in chosen), book.words)
    assert table.region(-np.inf, -0.5) == "the output is (a number, 4)"
