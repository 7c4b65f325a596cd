import copy
import datetime
import math
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.audit import audit
from provado.audit.search.request import read_question
from provado.mechanisms import AddOrRemoveOne, BoundedAnswers, ReplaceOne, UsageError, Verdict

NUMBERS = st.floats(-1e6, 1e6) | st.integers(-1000, 1000)


def pairs_of(data, relation, **more):
    question = read_question(data, relation, runs=0, **more)
    return [question.pair(candidate) for candidate in question.candidates]


@settings(max_examples=30, deadline=None)
@given(st.lists(NUMBERS, min_size=2, max_size=12).filter(lambda d: len(set(d)) > 2))
def test_replacing_moves_a_sum_as_far_as_any_record_that_occurs(data):
    before = list(data)
    pairs = pairs_of(data, ReplaceOne())
    assert data == before
    moved = []
    for d, d_prime in pairs:
        ReplaceOne().check(d, d_prime)
        moved.append(abs(math.fsum(d) - math.fsum(d_prime)))
    assert max(moved) >= max(data) - min(data)


@settings(max_examples=30, deadline=None)
@given(st.lists(NUMBERS, min_size=1, max_size=8), st.lists(NUMBERS, max_size=4) | st.none())
def test_adding_and_removing_give_neighbors(data, values):
    pairs = pairs_of(data, AddOrRemoveOne(), values=values or None)
    for d, d_prime in pairs:
        AddOrRemoveOne().check(d, d_prime)
    sizes = {len(d_prime) - len(d) for d, d_prime in pairs}
    assert sizes == {1, -1}
    assert any(len(d) == 0 or len(d_prime) == 0 for d, d_prime in pairs)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=6),
    st.floats(0.01, 10),
    st.booleans(),
    st.integers(1, 8) | st.none(),
)
def test_answers_move_as_far_as_they_may(answers, sensitivity, monotone, at_most):
    relation = BoundedAnswers(sensitivity, monotone, at_most)
    for kind in (list, tuple, np.array):
        pairs = pairs_of(kind(answers), relation)
        for d, d_prime in pairs:
            relation.check(d, d_prime)
            assert type(d) is type(d_prime) is type(kind(answers))
            moves = np.abs(np.asarray(d) - np.asarray(d_prime))
            assert moves.max() == pytest.approx(sensitivity, rel=1e-9, abs=1e-9)


FRAME = pd.DataFrame({"age": [20, 30, 70], "name": ["a", "a", "b"]})


PEOPLE = [{"age": 30, "city": "a"}, {"age": 52, "city": "b"}]


@pytest.mark.parametrize("kind", [list, tuple])
def test_dictionaries_with_the_same_keys_are_records_with_fields(kind):
    pairs = pairs_of(kind(PEOPLE), ReplaceOne(), domain={"age": (0, 120)})
    ages = {one["age"] for pair in pairs for d in pair for one in d}
    assert {0, 30, 52, 120} <= ages
    assert {tuple(one) for pair in pairs for d in pair for one in d} == {("age", "city")}
    assert {type(d) for pair in pairs for d in pair} == {kind}


@pytest.mark.parametrize(
    ("data", "stated"),
    [
        (PEOPLE, {"domain": [*PEOPLE, {"age": 7, "city": "c"}]}),
        (PEOPLE, {"values": [{"age": 7, "city": "c"}]}),
        ([*PEOPLE, {"age": 7}], {}),
    ],
)
def test_dictionaries_that_are_listed_or_have_other_keys_stay_whole(data, stated):
    pairs = pairs_of(data, AddOrRemoveOne(), **stated)
    found = {one["age"] for pair in pairs for d in pair for one in d}
    assert found == {7, 30, 52}


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
    pairs = pairs_of(data, relation, values=values)
    assert pairs
    for d, d_prime in pairs:
        assert type(d) is type(d_prime) is type(data)
        relation.check(d, d_prime)
        if isinstance(data, np.ndarray):
            assert d.dtype == d_prime.dtype
        if isinstance(data, pd.DataFrame):
            assert list(d.columns) == list(d_prime.columns) == list(data.columns)
            assert d.dtypes.equals(d_prime.dtypes)
            assert d_prime.index.equals(pd.RangeIndex(len(d_prime)))
    assert repr(data) == repr(before)


def test_a_stated_domain_is_never_left():
    inside = {"x": (0.0, 1.0), "kind": ["a", "b"]}
    frame = pd.DataFrame({"x": [0.2, 0.4], "kind": ["a", "b"]})
    for pair in pairs_of(frame, ReplaceOne(), domain=inside):
        for one in pair:
            assert one["x"].between(0, 1).all()
            assert set(one["kind"]) <= {"a", "b"}
    for pair in pairs_of([0.2, 0.4], AddOrRemoveOne(), domain=(0, 1)):
        assert all(0 <= x <= 1 for one in pair for x in one)
    for pair in pairs_of([0.0, 0.5], BoundedAnswers(0.25), domain=(0, 1)):
        assert all(0 <= x <= 1 for one in pair for x in one)


def test_an_inferred_domain_is_left_by_marked_candidates_only():
    question = read_question([0.2, 0.4, 0.9], ReplaceOne(), runs=0)
    beyond = [
        one
        for one in question.candidates
        if not all(0.2 <= x <= 0.9 for x in (*one.d, *one.d_prime))
    ]
    assert beyond
    assert all(one.outside for one in beyond)
    assert any(not one.outside for one in question.candidates)
    assert any(abs(x) >= 1e5 for one in beyond for x in one.d_prime)


def test_a_text_that_was_not_seen_is_tried():
    pairs = pairs_of(["rome", "oslo", "rome"], AddOrRemoveOne())
    assert any("not seen before" in one for pair in pairs for one in pair)


@pytest.mark.parametrize(
    "data",
    [
        [["May", "June"], ["May"], []],
        [(1, 2), (3,), ()],
        [{"visits": [1, 2], "age": 30}, {"visits": [1], "age": 40}],
    ],
)
def test_of_lists_one_of_many_entries_is_tried(data):
    def visits(record):
        return len(record["visits"] if isinstance(record, dict) else record)

    def most(**more):
        pairs = pairs_of(data, AddOrRemoveOne(), **more)
        return max(visits(record) for pair in pairs for side in pair for record in side)

    assert most() >= 100
    assert most(domain=data) == 2

    def release(people, rng, cap=math.inf):
        return round(sum(min(visits(one), cap) for one in people) + rng.laplace(scale=2), 2)

    asked = {"epsilon": 1.2, "relation": "add-or-remove-one", "samples": 1000, "isolate": False}
    assert audit(release, data=data, **asked).verdict is Verdict.VIOLATION
    capped = audit(lambda people, rng: release(people, rng, 2), data=data, **asked)
    assert capped.verdict is Verdict.NO_VIOLATION


def test_of_dates_far_ones_are_tried_and_no_other_text():
    def tried(data):
        pairs = pairs_of(data, AddOrRemoveOne())
        return {record for pair in pairs for side in pair for record in side}

    dates = ["2024-02-29", "2023-12-31"]
    assert tried(dates) == {*dates, "1900-01-01", "2100-12-31"}
    for data in (["2024-02-29", "2023-02-29"], ["2024-02-29", "soon"], ["20240229", "20231231"]):
        assert "not seen before" in tried(data)

    def release(data, rng, first=1):
        days = [datetime.date.fromisoformat(text).toordinal() - 738_000 for text in data]
        return round(sum(max(first, min(day, 1000)) for day in days) + rng.laplace(scale=1000), 1)

    asked = {"epsilon": 1.2, "data": dates, "relation": "add-or-remove-one", "samples": 1000}
    result = audit(lambda data, rng: release(data, rng, -(10**6)), isolate=False, **asked)
    assert result.verdict is Verdict.VIOLATION
    assert audit(release, isolate=False, **asked).verdict is Verdict.NO_VIOLATION


def test_of_texts_one_of_many_words_is_tried_and_an_empty_one():
    texts = ["the cat sat", "a dog"]
    for relation in (AddOrRemoveOne(), ReplaceOne()):
        added = {one for pair in pairs_of(texts, relation) for side in pair for one in side}
        assert max(len(one.split()) for one in added) >= 300
        assert "" in added
    words = {one for pair in pairs_of(["cat", "dog"], AddOrRemoveOne()) for x in pair for one in x}
    assert words == {"cat", "dog", "not seen before"}


def test_of_texts_that_are_drawn_the_longest_and_the_shortest_are_tried():
    domain = st.text(max_size=9) | st.just("many words " * 50)
    pairs = pairs_of(["one", "two"], AddOrRemoveOne(), domain=domain)
    lengths = {len(one) for pair in pairs for side in pair for one in side}
    assert {0, 550} <= lengths


def test_whole_numbers_and_codes_stay_what_they_are():
    for pair in pairs_of(np.array([20, 30, 70]), AddOrRemoveOne()):
        assert all(one.dtype.kind == "i" for one in pair)
    for pair in pairs_of([0, 1, 1], ReplaceOne()):
        assert all(x in (0, 1) for one in pair for x in one)


class Elsewhere:
    def check(self, d, d_prime):
        pass

    def words(self):
        return "elsewhere"


@pytest.mark.parametrize(
    ("data", "relation", "more", "words"),
    [
        ([1, 1], ReplaceOne(), {}, "give no two neighbors under replace-one.*give domain"),
        ([1, 1], ReplaceOne(), {"values": [1]}, "give domain"),
        ([], AddOrRemoveOne(), {}, "no record to infer a domain from"),
        ("text", ReplaceOne(), {}, "data is of type str"),
        ({1: 2}, AddOrRemoveOne(), {}, "data is of type dict"),
        ([1, 2], ReplaceOne(), {"values": []}, r"values is \[\]"),
        ([1, 2], ReplaceOne(), {"values": 7}, "values is 7"),
        ([1, 2], ReplaceOne(), {"values": [7], "domain": (0, 1)}, "values and domain"),
        ([1, 2], BoundedAnswers(), {"values": [1]}, "moves answers by numbers"),
        (["a"], BoundedAnswers(), {}, "data is"),
        ([1, 2], Elsewhere(), {}, "give pair"),
        ([1, 2], None, {}, "relation is missing"),
        (np.array([[1, 2], [3, 4]]), AddOrRemoveOne(), {"values": [[1, 2, 3]]}, "has 2 fields"),
        ([1, 2], ReplaceOne(), {"domain": (0, 1)}, r"data holds 2, which the domain .* does not"),
        ([1, 2], ReplaceOne(), {"domain": (2, 1)}, "first number is above its second"),
        ([1, 2], ReplaceOne(), {"domain": "wide"}, "domain is 'wide': it must be"),
        ([1, 2], ReplaceOne(), {"domain": {"x": (0, 1)}}, "names the column 'x'"),
        (FRAME, ReplaceOne(), {"domain": {"height": (0, 1)}}, "'height'; they have 'age'"),
        (FRAME, ReplaceOne(), {"domain": {"age": (0, 50)}}, "data holds .*70"),
        ([1], ReplaceOne(), {"domain": st.nothing()}, "it yields no record"),
    ],
)
def test_what_is_wrong_is_named(data, relation, more, words):
    with pytest.raises(UsageError, match=words):
        read_question(data, relation, runs=0, **more)


def has_gap(records):
    return any(pd.isna(x) for one in records for x in (one if isinstance(one, tuple) else [one]))


def with_gaps(question):
    """Return the candidates of which one dataset has a missing value, and the other has none."""
    every = [(one, has_gap(one.d), has_gap(one.d_prime)) for one in question.candidates]
    return [one for one, first, second in every if first != second], any(f for _, f, _ in every)


WITH_GAPS = {
    "a list": ([5, 40, 7], (0, 120), (0, 120, None)),
    "floats in a list": ([5.5, 40.0], (0.0, 120.0), (0.0, 120.0, math.nan)),
    "an array": (np.array([5.0, 40.0, 7.0]), float, (float, None)),
    "a matrix": (np.array([[5.0, 1.0], [7.0, 2.0]]), (0, 9), (0, 9, None)),
    "a series": (pd.Series([5, 40, 7]), int, (int, None)),
    "text": (["rome", "oslo"], ["rome", "oslo"], ["rome", "oslo", None]),
    "truths": ([True, False], bool, (bool, None)),
    "a nullable column": (
        pd.DataFrame({"a": pd.array([1, 2, 3], dtype="Int64"), "b": [1.5, 2.5, 3.5]}),
        {"a": (0, 5)},
        {"a": (0, 5, None)},
    ),
    "a column of drawn text": (
        FRAME,
        {"name": ["a", "b"]},
        {"name": (st.text("ab", min_size=1, max_size=1), None)},
    ),
    "a column": (FRAME, {"age": (0, 120)}, {"age": (0, 120, None)}),
    "a column of text": (FRAME, {"name": ["a", "b"]}, {"name": ["a", "b", None]}),
    "wide": (
        pd.DataFrame({f"c{i}": [1.0, 2.0] for i in range(9)}),
        {f"c{i}": (0, 5) for i in range(9)},
        {"c8": (0, 5, None)},
    ),
}


@pytest.mark.parametrize("relation", [ReplaceOne(), AddOrRemoveOne()])
@pytest.mark.parametrize("name", WITH_GAPS)
def test_a_missing_value_is_tried_where_the_domain_admits_it(name, relation):
    data, without, domain = WITH_GAPS[name]
    question = read_question(data, relation, runs=0, domain=domain)
    found, _ = with_gaps(question)
    for one in found[:3]:
        relation.check(*question.pair(one))
    assert with_gaps(read_question(data, relation, runs=0, domain=without)) == ([], False)
    # Data that hold one, of the kind that was tried, are data of the domain, and of no other.
    gap = question.pair(found[0])[has_gap(found[0].d_prime)]
    assert with_gaps(read_question(gap, relation, runs=0, domain=domain))[1]
    with pytest.raises(UsageError, match=r"admit what is missing by None, .* 0:120,missing"):
        read_question(gap, relation, runs=0, domain=without)


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.floats(-50, 50) | st.just(math.nan), min_size=1, max_size=5),
    st.sampled_from([(-50, 50, None), (-50, 50, math.nan), (float, None)]),
)
def test_numbers_with_gaps_keep_their_range(data, domain):
    for pair in pairs_of(np.array(data), AddOrRemoveOne(), domain=domain):
        AddOrRemoveOne().check(*pair)
        for one in pair:
            assert one.dtype == float
            assert domain[0] is float or np.all(np.isnan(one) | (np.abs(one) <= 50))


class Person(NamedTuple):
    name: str
    age: int


def last_two(rows, size, rng):
    """Work on rows of one type only: sorted, and joined to another of that type."""
    rows = sorted(rows)
    joined = [row + type(row)(row) for row in rows[:1]]
    return len(rows) + 0 * len(joined) + rng.laplace(0, 1, size)


def of_people(people, size, rng):
    return sum(min(max(one.age, 0), 1) for one in people) + rng.laplace(0, 1, size)


@pytest.mark.parametrize("relation", [AddOrRemoveOne(), ReplaceOne()])
@pytest.mark.parametrize(
    ("kind", "mechanism"), [(list, last_two), (tuple, last_two), (Person._make, of_people)]
)
def test_records_that_are_made_are_of_the_type_of_those_given(kind, mechanism, relation):
    data = [kind(row) for row in (("a", 1), ("b", 2), ("c", 3), ("d", 5))]
    for one in read_question(data, relation, runs=0).candidates:
        assert {type(row) for side in (one.d, one.d_prime) for row in side} <= {type(data[0])}
    asked = {"epsilon": 1.0, "samples": 4000, "arithmetic": "ideal", "isolate": False}
    result = audit(mechanism, **asked, data=data, relation=relation)
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.search.failed == 0


def test_records_of_several_types_are_left_as_they_are():
    data = [("a", 1), ["b", 2], Person("c", 3)]
    made = [row for one in read_question(data, ReplaceOne(), runs=0).candidates for row in one.d]
    assert {type(row) for row in made} == {tuple, list, Person}
