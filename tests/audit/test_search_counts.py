"""Made-up datasets have the size of the data, and counts of equal records are searched."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.search_counts import count_programs
from provado.audit import audit
from provado.audit.search.candidates import MOST_SIZE, MOST_VALUES, of_count
from provado.audit.search.request import read_question
from provado.mechanisms import AddOrRemoveOne, ReplaceOne, Verdict

RELATIONS = [ReplaceOne(), AddOrRemoveOne()]


@pytest.mark.parametrize("program", count_programs(), ids=lambda program: program.name)
def test_what_fails_at_one_count_is_found_and_its_fix_is_not(program):
    asked = program.given | {"epsilon": 1.0, "samples": 50_000, "arithmetic": "ideal", "seed": 1}
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
        if one.indispensable:
            relation.check(*question.pair(one))
    assert ("equal records", 300) in [
        (one.made.split(",")[0], len(one.d)) for one in question.candidates if one.indispensable
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
