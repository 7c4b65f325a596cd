"""Audits of mechanisms for data of one size: only pairs of that size are tried."""

import numpy as np
import pandas as pd
import pytest

from provado.audit import audit
from provado.audit.search.request import read_question
from provado.mechanisms import AddOrRemoveOne, BoundedAnswers, ReplaceOne, UsageError, Verdict

N = 40
DATA = [round(x, 2) for x in np.random.default_rng(1).uniform(0, 1, N).tolist()]
GIVEN = {"epsilon": 1.0, "domain": (0, 1), "data": DATA, "samples": 20_000, "isolate": False}
NOTE = "the datasets of the worst pair have size 1, your data have size 40"


def mean_with(share):
    """Return a mean that is ε = 1 at the size N, or weaker, and raises at any other."""

    def mean(data, size, rng, any_size=False):
        assert any_size or len(data) == N
        return np.round(sum(data) / len(data) + rng.laplace(0, share / N, size), 3)

    return mean


def any_mean(data, size, rng):
    return mean_with(1)(data, size, rng, any_size=True)


def test_other_sizes_are_tried_unless_the_size_is_fixed():
    free = audit(any_mean, **GIVEN, relation="replace-one")
    assert free.verdict is Verdict.VIOLATION
    assert free.search.other_size
    assert [NOTE in one for one in free.notes] == [True]
    assert "fixed_size=True" in free.notes[0]
    fixed = audit(mean_with(1), **GIVEN, relation="replace-one", fixed_size=True)
    assert fixed.verdict is Verdict.NO_VIOLATION
    assert fixed.epsilon_lower > 0.9
    assert fixed.search.failed == 0
    assert (fixed.search.fixed_size, fixed.search.other_size) == (N, False)
    # Of the data, of equal records, of counts of these, and of what Hypothesis made of them.
    assert {one.split(",")[0] for one in fixed.search.kinds} >= {"the data", "half and half"}
    assert "found by search" in fixed.search.kinds
    assert not fixed.notes


def test_a_noise_too_small_is_found_at_the_size():
    for seed in range(3):
        found = audit(mean_with(0.5), **GIVEN, relation=ReplaceOne(), fixed_size=True, seed=seed)
        assert found.verdict is Verdict.VIOLATION
        assert found.epsilon_lower > 1.7
        assert not found.notes


def test_a_pair_of_another_size_is_noted_only_where_records_are_replaced():
    given = {key: value for key, value in GIVEN.items() if key != "domain"}
    result = audit(any_mean, **given, relation="add-or-remove-one")
    assert result.verdict is Verdict.VIOLATION
    assert not result.search.other_size
    assert not any("have size" in one for one in result.notes)


@pytest.mark.parametrize(
    "data",
    [
        DATA,
        tuple(DATA),
        np.array(DATA * 300),
        np.arange(80.0).reshape(40, 2),
        pd.DataFrame({"x": DATA, "y": [*"abcd"] * 10}),
        [0.5],
        0.5,
    ],
    ids=lambda data: type(data).__name__,
)
def test_candidates_have_the_size_of_the_data(data):
    question = read_question(data, ReplaceOne(), runs=0, fixed_size=True)
    sizes = {len(side) for one in question.candidates for side in (one.d, one.d_prime)}
    assert sizes == {len(question.records)}
    assert len(question.records) == (1 if isinstance(data, float) else len(data))
    free = read_question(data, ReplaceOne(), runs=0).candidates
    assert len(question.candidates) <= len(free)


@pytest.mark.parametrize("relation", [AddOrRemoveOne(), BoundedAnswers(1.0), "add-or-remove-one"])
def test_a_fixed_size_is_for_records_that_are_replaced(relation):
    with pytest.raises(UsageError, match=r"^fixed_size is True: the relation must be ReplaceOne"):
        audit(any_mean, epsilon=1.0, data=DATA, relation=relation, fixed_size=True)


def test_a_fixed_size_is_that_of_data():
    with pytest.raises(UsageError, match=r"^fixed_size is given without data"):
        audit(any_mean, epsilon=1.0, pair=([0.0], [1.0]), fixed_size=True)
