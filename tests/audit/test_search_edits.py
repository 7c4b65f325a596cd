"""A candidate is the data with a few edits: what it builds, its key, and what large data cost."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.audit import audit
from provado.audit.pipeline import one_pair
from provado.audit.search import dataset_format as form_of
from provado.audit.search.candidates import Candidate, edited
from provado.audit.search.request import read_question
from provado.mechanisms import (
    AddOrRemoveOne,
    BoundedAnswers,
    NotNeighborsError,
    ReplaceOne,
    UsageError,
    Verdict,
)
from provado.mechanisms.definitions import relation as neighboring_relation
from provado.mechanisms.definitions.relation import changed_rows, difference_words, record_key

RELATIONS = [ReplaceOne(), AddOrRemoveOne(), BoundedAnswers(0.5)]


def kinds_of_data(n, seed=0):
    draw = random.Random(seed)
    x = [draw.uniform(-5, 5) for _ in range(n)]
    i = [draw.randrange(10) for _ in range(n)]
    text = [draw.choice(["rome", "oslo", "bonn"]) for _ in range(n)]
    frame = pd.DataFrame({"x": x, "i": i, "text": text, "yes": [k > 4 for k in i]})
    frame["kind"] = pd.Categorical(text)
    frame["day"] = pd.to_datetime(i)
    frame["gap"] = [None if k < 3 else k for k in i]
    frame["small"] = np.array(x, dtype=np.float32)
    frame.index = range(100, 100 + n)
    return {
        "list": x,
        "tuple": tuple(i),
        "rows": list(zip(i, text, strict=True)),
        "mappings": [{"a": k} for k in i],
        "floats": np.array(x),
        "whole": np.array(i, dtype=np.int16),
        "texts": np.array(text),
        "objects": np.array(text, dtype=object),
        "flags": np.array([k > 4 for k in i]),
        "matrix": np.array([x, i]).T,
        "frame": frame,
        "column": frame["x"],
        "categories": frame["kind"],
        "one column": frame[["text"]],
    }


def as_records(candidate):
    return record_key((tuple(candidate.d), tuple(candidate.d_prime)))


def same(one, other):
    if hasattr(one, "iloc"):
        return one.equals(other) and one.index.equals(other.index) and type(one) is type(other)
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and repr(one.tolist()) == repr(other.tolist())
    return repr(one) == repr(other)


@pytest.mark.filterwarnings("ignore:Constructing a Categorical")
@pytest.mark.parametrize("kind", kinds_of_data(1))
@pytest.mark.parametrize("relation", RELATIONS, ids=str)
def test_keys_are_those_of_the_records_and_large_data_are_built_like_small_ones(
    kind, relation, monkeypatch
):
    data = kinds_of_data(9)[kind]
    try:
        question = read_question(data, relation, runs=0)
    except UsageError:
        assert isinstance(relation, BoundedAnswers)
        return
    few = question.candidates
    assert len({one.key() for one in few}) == len({as_records(one) for one in few}) == len(few)
    pairs = [question.pair(one) for one in few[::17]]
    monkeypatch.setattr(form_of, "LARGE", 2)
    for one, pair in zip(few[::17], pairs, strict=True):
        assert one.differs
        assert all(map(same, question.pair(one), pair)), one.made
    many = read_question(data, relation, runs=0).candidates
    by_key = {}
    for one in many:
        assert by_key.setdefault(one.key(), as_records(one)) == as_records(one)


@given(
    st.lists(st.integers(0, 2), max_size=8),
    st.lists(st.integers(0, 2), max_size=2),
    st.integers(0, 8),
    st.integers(0, 1),
    st.integers(0, 9),
    st.integers(0, 9),
)
def test_records_that_both_share_are_left_out(data, put, index, gone, start, more):
    index, gone = min(index, len(data)), min(gone, max(len(data) - index, 0))
    question = read_question([0, 1, 2], ReplaceOne(), runs=0)
    one = edited(question.records.of(*data), index, gone, *put, made="")
    changed = [*data[:index], *put, *data[index + gone :]]
    assert list(one.d) == data
    assert list(one.d_prime) == changed
    assert one.differs == (data != changed) or sorted(put) == sorted(data[index : index + gone])
    fewer = one.without(start, start + more)
    shared = [*data[:index], *data[index + gone :]]
    left = [*shared[:start], *shared[start + more :]]
    for whole, middle in ((fewer.d, data[index : index + gone]), (fewer.d_prime, put)):
        at = fewer.edit[0]
        assert [*whole[:at], *whole[at + len(middle) :]] == left
        assert list(whole[at : at + len(middle)]) == middle


FLOATS = st.floats(0, 2).map(lambda x: round(x, 1)) | st.just(float("nan"))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(FLOATS, min_size=1, max_size=20),
    st.integers(0, 20),
    st.integers(0, 1),
    st.lists(FLOATS, max_size=2),
    st.sampled_from([list, tuple, np.array, pd.Series, lambda x: pd.DataFrame({"x": x, "t": "a"})]),
)
def test_datasets_are_compared_by_blocks_as_record_by_record(data, index, gone, put, kind):
    index = min(index, len(data))
    d, d_prime = kind(data), kind([*data[:index], *put, *data[index + gone :]])
    said = []
    for size in (3, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(neighboring_relation, "BLOCK", size)
            rows = changed_rows(d, d_prime) if len(d) == len(d_prime) else None
            checked = []
            for relation in RELATIONS[:2]:
                try:
                    checked.append(relation.check(d, d_prime))
                except UsageError as error:
                    checked.append(str(error))
            # Of datasets that are no neighbors, any record that only one has may be named.
            words = difference_words(d, d_prime) if None in checked else ""
            said.append((rows, checked, words))
    assert said[0] == said[1]


@pytest.mark.parametrize("kind", ["list", "tuple", "rows", "floats", "whole", "matrix", "frame"])
def test_a_domain_of_large_data_is_that_of_all_their_values(kind, monkeypatch):
    data = kinds_of_data(2000, seed=3)[kind]
    if kind == "frame":
        data = data.drop(columns=["day", "gap"])
    large = read_question(data, ReplaceOne(), runs=0).domain
    monkeypatch.setattr(form_of, "LARGE", 10**9)
    exact = read_question(data, ReplaceOne(), runs=0).domain
    assert large.words() == exact.words()
    for one, other in zip(large.fields, exact.fields, strict=True):
        if hasattr(one, "low"):
            assert (one.low, one.high, one.whole, one.size) == (
                *(other.low, other.high, other.whole, other.size),
            )
            assert abs(one.middle - other.middle) <= 0.2 * (one.high - one.low)
        else:
            assert set(one.values) == set(other.values)
            assert one.values[0] == other.values[0]


@pytest.mark.parametrize("wrong", [11.0, 2.5, float("nan"), -0.001])
def test_one_record_of_many_outside_of_the_domain_is_found(wrong):
    data = np.arange(5000.0) % 10
    data[3210] = wrong
    domain = (0, 10) if wrong != 2.5 else int
    with pytest.raises(UsageError, match=f"data holds {wrong}"):
        read_question(data, ReplaceOne(), domain=domain, runs=0)
    data[3210] = 2.0
    assert read_question(data, ReplaceOne(), domain=domain, runs=0).candidates


@pytest.mark.parametrize("kind", [np.array, pd.DataFrame, lambda x: pd.Series(x[:, 0])])
def test_no_work_of_a_search_grows_with_the_records(kind, monkeypatch):
    calls = Counter()

    def counted(name):
        real = getattr(form_of, name)

        def call(*given):
            result = real(*given)
            calls[name] += len(result) if name == "_rows" else 1
            return result

        monkeypatch.setattr(form_of, name, call)

    counted("record_key")
    counted("_rows")
    numbers = []
    for n in (5000, 50_000):
        calls.clear()
        data = kind(np.arange(2.0 * n).reshape(n, 2))
        question = read_question(data, ReplaceOne(), domain=(0, 1e6), runs=0)
        keys = {one.key() for one in question.candidates}
        d, d_prime = question.pair(question.candidates[0])
        assert len(keys) == len(question.candidates)
        assert np.shares_memory(np.asarray(d), np.asarray(data))
        assert len(d) == len(d_prime) == n
        assert len(changed_rows(d, d_prime)) == 1
        numbers.append(dict(calls))
    assert numbers[0] == pytest.approx(numbers[1], rel=0.01)


def test_a_found_pair_is_sent_without_the_data():
    data = np.arange(10_000.0)
    question = read_question(data, AddOrRemoveOne(), runs=0)
    for one in question.candidates[::40]:
        sent = one.on(question.form, None)
        assert isinstance(sent, Candidate)
        assert sent.d.source is sent.d_prime.source is None
        assert all(map(same, question.pair(sent), question.pair(one)))


class Sorting:
    """A mean that leaves the data that it was given sorted."""

    def __init__(self, *, copies):
        self.copies = copies

    def __call__(self, data, *, size, rng):
        if self.copies:
            data = data.copy()
        data.sort()
        return data.mean() + rng.laplace(0, 3, size)


@pytest.mark.parametrize("copies", [True, False])
def test_large_data_that_a_mechanism_changes_while_pairs_are_searched_are_found_out(copies):
    data = np.random.default_rng(0).uniform(0, 1, 1000)
    result = audit(
        Sorting(copies=copies),
        data=data,
        domain=(0, 1),
        relation=ReplaceOne(),
        epsilon=1.0,
        samples=2000,
        arithmetic="ideal",
        isolate=False,
        seed=1,
    )
    if copies:
        assert result.verdict is Verdict.NO_VIOLATION
    else:
        assert result.verdict is Verdict.UNKNOWN
        assert "changed the dataset" in result.reason


def test_answers_of_many_queries_move_as_few_do(monkeypatch):
    answers = np.arange(300.0)
    question = read_question(answers, BoundedAnswers(2.0), runs=0)
    monkeypatch.setattr(form_of, "LARGE", 10**6)
    few = read_question(answers, BoundedAnswers(2.0), runs=0)
    assert len(question.candidates) == len(few.candidates)
    for one, other in zip(question.candidates, few.candidates, strict=True):
        assert all(map(same, question.pair(one), few.pair(other)))
    with pytest.raises(UsageError, match="must be a vector"):
        read_question(np.ones((3, 2)), BoundedAnswers(1.0), domain=(0, 1), runs=0)


def test_edits_of_other_data_are_put_into_the_question_s():
    question = read_question([1, 2, 3], ReplaceOne(), runs=0)
    one = replace(question.candidates[0], made="sent")
    assert question.pair(one.on(question.form, None)) == question.pair(one)


def test_both_datasets_of_a_pair_are_alike_in_memory():
    data = np.asfortranarray(np.arange(4000.0).reshape(1000, 4))
    for relation in RELATIONS[:2]:
        question = read_question(data, relation, runs=0)
        for one in question.candidates[::40]:
            assert all(made.flags.c_contiguous for made in question.pair(one))
    frame = pd.DataFrame(data)
    frame.attrs["name"] = "given"
    question = read_question(frame, ReplaceOne(), runs=0)
    assert [made.attrs for made in question.pair(question.candidates[0])] == [{}, {}]
    masked = np.ma.masked_greater(np.arange(1000.0), 900)
    question = read_question(masked, ReplaceOne(), runs=0, domain=[*range(1000), None])
    assert {type(made) for made in question.pair(question.candidates[0])} == {np.ndarray}


def test_a_choice_of_many_numbers_is_checked_in_every_record():
    data = np.arange(0, 2000, 2)
    assert read_question(data, ReplaceOne(), domain=data.tolist(), runs=0).candidates
    data[701] += 1
    with pytest.raises(UsageError, match="data holds 1403"):
        read_question(data, ReplaceOne(), domain=np.arange(0, 2000, 2).tolist(), runs=0)


@pytest.mark.parametrize("kind", [lambda x: pd.DataFrame({"x": pd.array(x, "Int64")}), list])
def test_one_number_of_many_beside_missing_ones_is_not_overlooked(kind):
    data = [*range(3000), None, None]
    domain = (0, 2999, None)
    assert read_question(kind(data), ReplaceOne(), domain=domain, runs=0).candidates
    data[1500] = 3000
    with pytest.raises(UsageError, match="data holds"):
        read_question(kind(data), ReplaceOne(), domain=domain, runs=0)


def test_names_of_many_people_are_a_domain_that_is_only_seen():
    names = [f"p{i}" for i in range(2000)]
    frame = pd.DataFrame({"name": names, "code": range(2000)})
    codes = {"code": [*range(2000)]}
    for domain in (None, codes):
        assert read_question(frame, ReplaceOne(), domain=domain, runs=0).candidates
    frame.loc[700, "code"] = 5000
    with pytest.raises(UsageError, match=r"data holds .'p700', 5000."):
        read_question(frame, ReplaceOne(), domain=codes, runs=0)


class Raising:
    """A mean that raises: always, or unless a record is 0."""

    def __init__(self, *, always):
        self.always, self.calls = always, 0

    def __call__(self, data, rng):
        self.calls += 1
        if self.always or min(data, default=0) > 0:
            raise ValueError("no such column")
        return rng.laplace(0, 1)


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
def test_a_mechanism_that_raises_on_the_data_and_their_neighbors_is_called_no_more(relation):
    raising = Raising(always=True)
    result = audit(
        raising,
        data=[3.0, 1.0, 2.0] * 200,
        relation=relation,
        domain=(0, 4),
        epsilon=1.0,
        samples=4000,
        isolate=False,
        seed=1,
    )
    assert result.verdict is Verdict.UNKNOWN
    assert "no such column" in result.reason
    assert "on the data as given" in result.reason
    assert raising.calls <= 60


@pytest.mark.parametrize("relation", RELATIONS[:2], ids=str)
def test_a_mechanism_that_raises_on_the_data_and_not_on_a_neighbor_is_a_violation(relation):
    result = audit(
        Raising(always=False),
        data=[3.0, 1.0, 2.0] * 10,
        relation=relation,
        domain=(0, 4),
        epsilon=1.0,
        samples=4000,
        arithmetic="ideal",
        isolate=False,
        seed=1,
    )
    assert result.verdict is Verdict.VIOLATION


def test_a_pair_that_is_found_is_checked_against_the_relation(monkeypatch):
    asked = {
        "data": [1, 2, 3],
        "relation": ReplaceOne(),
        "epsilon": 1.0,
        "samples": 1000,
        "isolate": False,
    }

    def planted(target, question, *given, **more):
        one = replace(question.candidates[0], d_prime=question.records[:1])
        return one, *find_worst(target, question, *given, **more)[1:]

    find_worst = one_pair.find_worst
    assert audit(lambda data, rng: rng.laplace(), **asked).verdict is Verdict.NO_VIOLATION
    monkeypatch.setattr(one_pair, "find_worst", planted)
    with pytest.raises(NotNeighborsError):
        audit(lambda data, rng: rng.laplace(), **asked)
