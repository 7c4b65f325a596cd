"""Made-up datasets have the size of the data, and counts of equal records are searched."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest

from benchmarks.search_counts import count_programs, ones
from provado.audit import audit
from provado.audit.events.threshold import Goal
from provado.audit.search.candidates import MOST_SIZE, MOST_VALUES, of_count
from provado.audit.search.request import read_question
from provado.audit.search.successive_halving import COUNTED, _Search, _tipping_counts
from provado.audit.target.call import Target
from provado.audit.target.random_state import held_generators
from provado.audit.workers.time_limits import UNWATCHED
from provado.mechanisms import AddOrRemoveOne, ReplaceOne, Verdict

RELATIONS = [ReplaceOne(), AddOrRemoveOne()]


@pytest.mark.parametrize("program", count_programs(), ids=lambda program: program.name)
def test_what_fails_at_one_count_is_found_and_its_fix_is_not(program):
    samples = 20_000 if "beside" in program.name else 50_000
    asked = program.given | {"epsilon": 1.0, "samples": samples, "arithmetic": "ideal", "seed": 1}
    result = audit(program.run, isolate=False, **asked)
    assert result.verdict is (Verdict.VIOLATION if program.broken else Verdict.NO_VIOLATION)


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
@pytest.mark.parametrize("number", [0, 1, 17, 29])
def test_counts_of_equal_records_are_those_of_neighbors(relation, number):
    question = read_question([0, 1] * 15, relation, runs=0)
    adding = isinstance(relation, AddOrRemoveOne)
    d, d_prime = question.pair(of_count(question.records, 1, 0, number, adding=adding))
    relation.check(d, d_prime)
    assert (d.count(1), d_prime.count(1)) == (number, number + 1)
    assert len(d) == (number if adding else 30)


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
def test_patterns_have_the_size_of_the_data(relation):
    question = read_question(np.arange(300.0), relation, domain=(0, 400), runs=0)
    made = [(one.made, len(one.d)) for one in question.candidates]
    assert {size for name, size in made if name.startswith("equal records")} == {20, 300}
    assert {size for name, size in made if name.startswith("half and half")} == {20, 300}
    for one in question.candidates:
        if one.mandatory:
            relation.check(*question.pair(one))
    assert ("equal records", 300) in [
        (one.made.split(",")[0], len(one.d)) for one in question.candidates if one.mandatory
    ]


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
def test_patterns_of_large_data_are_few(relation):
    n = MOST_SIZE + 1
    question = read_question(np.arange(float(n)), relation, domain=(0, n), runs=0)
    large = [
        one.made for one in question.candidates if len(one.d) == n and "the data" not in one.made
    ]
    assert 0 < len(large) <= 2
    wide = np.zeros((n, MOST_VALUES // n + 1))
    question = read_question(wide, relation, domain=(0, 1), runs=0)
    assert all(len(one.d) <= 20 for one in question.candidates if "the data" not in one.made)


def tipping_pairs(mechanism, question):
    """Return the pairs between which a count of equal records changes the output."""
    held, goal = held_generators(None, mechanism), Goal(1000, 0.05, 0.0, betting=False)
    search = _Search(Target.of(mechanism), question, goal, 0, held, UNWATCHED, lambda *_: None)
    return [question.pair(one) for one in _tipping_counts(search)]


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
@pytest.mark.parametrize("word", ["a", "b", "c", "d"])
def test_counts_of_each_value_are_searched(word, relation):
    def flagged(data, *, size, rng):
        return np.column_stack([rng.laplace(size=size), np.full(size, data.count(word) >= 23)])

    question = read_question([*"abcd"] * 8, relation, domain=[*"abcd"], runs=100_000)
    pairs = tipping_pairs(flagged, question)
    assert [22, 23] in [sorted(one.count(word) for one in pair) for pair in pairs]


@pytest.mark.parametrize("size", [1, 2, 5, 12])
def test_limits_far_above_few_records_are_among_the_pairs(size):
    def suppressed(data, *, size, rng, least):
        return np.where(len(data) < least, np.nan, len(data) + rng.laplace(size=size))

    question = read_question([0, 1] * size, AddOrRemoveOne(), domain=[0, 1], runs=100_000)
    for least in (5, 7, 10, 11, 12, 16, 20, 25, 26, 50, 51, 100, 101):
        pairs = tipping_pairs(partial(suppressed, least=least), question)
        assert [least - 1, least] in [sorted(map(len, pair)) for pair in pairs]
    assert not tipping_pairs(partial(suppressed, least=0), question)


@pytest.mark.parametrize("runs", [200, 2000, 20_000])
def test_counts_take_their_share_of_the_runs(runs):
    drawn = list[int]()

    def counted(data, *, size, rng):
        drawn.append(size)
        return len(data) + rng.laplace(size=size)

    tipping_pairs(counted, read_question([0, 1], AddOrRemoveOne(), domain=[0, 1], runs=runs))
    assert 0 < sum(drawn) <= COUNTED * runs


@pytest.mark.parametrize("form", ["list", "array", "frame"])
@pytest.mark.parametrize("relation", RELATIONS, ids=str)
@pytest.mark.parametrize("at", [1, 13, 29, 35, None])
def test_a_flag_at_a_count_beside_a_noisy_count_is_among_the_pairs(form, relation, at):
    def flagged(data, *, size, rng):
        count = ones(data)
        flag = np.full(size, count == at)
        return np.column_stack([count + rng.standard_cauchy(size), flag])

    bits, domain = [0, 1] * 18, [0, 1]
    if form == "frame":
        bits, domain = pd.DataFrame({"sick": bits}), {"sick": [0, 1]}
    data = np.array(bits) if form == "array" else bits
    found = tipping_pairs(flagged, read_question(data, relation, domain=domain, runs=20_000))
    pairs = [sorted(map(ones, pair)) for pair in found]
    assert ([at, at + 1] in pairs and [at - 1, at] in pairs) if at else not pairs
