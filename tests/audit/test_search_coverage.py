"""What a search that was cut short leaves out, what it never leaves out, and that it says so."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.audit import Counts, audit
from provado.audit.api import _limitations
from provado.audit.pipeline.isolated_run import AuditOutcome
from provado.audit.search import successive_halving
from provado.audit.search.request import read_question
from provado.mechanisms import AddOrRemoveOne, BoundedAnswers, ReplaceOne, Verdict

ONE_MORE, REPLACED = AddOrRemoveOne(), ReplaceOne()
GIVEN = {"epsilon": 1.0, "isolate": False, "arithmetic": "ideal"}


def noisy(data, *, size, rng):
    return np.clip(np.asarray(data, dtype=float), 0, 1).sum() + rng.laplace(0, 1, size)


class Clock:
    """A clock that goes on by a step at each look, in the place of the module ``time``."""

    def __init__(self, step):
        self.now, self.step = 0.0, step

    def monotonic(self):
        self.now += self.step
        return self.now


def mandatory(data, relation, **more):
    question = read_question(data, relation, runs=1000, **more)
    return [(tuple(one.d), tuple(one.d_prime)) for one in question.candidates if one.mandatory]


@given(
    st.lists(st.floats(0, 1), max_size=6),
    st.sampled_from([ONE_MORE, REPLACED]),
    st.sampled_from([(0.0, 1.0), (-3.0, 8.0)]),
)
def test_corners_and_equal_records_are_indispensable(data, relation, domain):
    low, high = domain
    if not data and relation is REPLACED:
        data = [0.5]
    pairs = mandatory(data, relation, domain=domain)
    records, equal = tuple(data), (high,) * min(max(len(data), 2), 20)
    if relation is ONE_MORE:
        for value in domain:
            assert ((), (value,)) in pairs
            assert ((high,), (high, value)) in pairs
            assert (records, (*records, value)) in pairs
        assert (equal, (*equal, low)) in pairs
    else:
        assert ((high,), (low,)) in pairs
        assert (equal, (low, *equal[1:])) in pairs
        for value in domain:
            changed = [b for a, b in pairs if a == records and value in b]
            assert changed or set(records) == {value}


def test_a_new_category_and_an_outlier_are_indispensable():
    frame = pd.DataFrame({"city": ["rome", "oslo", "rome"], "age": [30.0, 41.0, 52.0]})
    inferred = mandatory(frame, ONE_MORE)
    added = [b[-1] for a, b in inferred if len(a) == 3 and len(b) == 4]
    assert any(city == "not seen before" for city, _ in added)
    assert any(abs(age) > 1000 for _, age in added)
    listed = {"city": ["rome", "oslo", "bonn", "lima", "wien"], "age": (0, 99)}
    stated = mandatory(frame, REPLACED, domain=listed)
    assert any(city == "bonn" for _, b in stated for city, _ in b)
    alone = mandatory(["a", "b"], ONE_MORE, domain=["a", "b", "c"])
    assert (("a", "b"), ("a", "b", "c")) in alone


@pytest.mark.parametrize("relation", [ONE_MORE, REPLACED, BoundedAnswers(1.0)])
@pytest.mark.parametrize("samples", [20, 100])
def test_however_few_the_samples_no_indispensable_pair_is_left_out(relation, samples):
    # Two answers that move by 1 each are worth ε = 2.
    result = audit(noisy, **GIVEN | {"epsilon": 2.0}, data=[0.2, 0.7], relation=relation,
                   domain=(0, 1), samples=samples)  # fmt: skip
    found = result.search
    assert found.mandatory >= 3
    assert not found.skipped
    assert found.mandatory <= found.tried < found.planned
    said = f"{found.tried} of {found.planned} planned pairs tried; give more samples for the rest."
    assert result.limitations[0] == said


def test_a_search_of_all_pairs_has_no_limitation():
    result = audit(noisy, **GIVEN, data=[0.2, 0.7], relation=REPLACED, domain=(0, 1), samples=9000)
    assert result.search.tried == result.search.planned
    assert result.limitations == ()


def broken_on(data, *, size, rng):
    """Gives the number of records away."""
    return np.full(size, float(len(data)))


SLOW = [1e-4, 0.03, 0.3, 3.0]
"""Seconds between two looks at the clock: from a time that suffices to one that does not."""


@pytest.mark.parametrize("step", SLOW)
@pytest.mark.parametrize("mechanism", [noisy, broken_on])
def test_a_pass_states_its_coverage_however_slow_the_machine_is(monkeypatch, step, mechanism):
    monkeypatch.setattr(successive_halving, "time", Clock(step))
    result = audit(mechanism, **GIVEN, data=[0.2, 0.7], relation=ONE_MORE, domain=(0, 1),
                   seconds=4.0, samples=20_000)  # fmt: skip
    found = result.search
    if mechanism is broken_on:
        assert result.verdict is Verdict.VIOLATION
        assert result.limitations == ()
    elif found.skipped:
        assert result.verdict is Verdict.UNKNOWN
        assert f"{found.mandatory - found.skipped} of the {found.mandatory}" in (result.reason)
        assert found.seconds_needed > 4
    else:
        assert result.verdict is Verdict.NO_VIOLATION
        stated = f"{found.tried} of {found.planned} planned pairs tried"
        assert (found.tried == found.planned) == (stated not in " ".join(result.limitations))
        assert found.tried >= found.mandatory
        assert found.timed or found.tried == found.planned


def test_the_clocks_of_the_test_above_lead_to_each_of_the_ends(monkeypatch):
    ends = set()
    for step in SLOW:
        monkeypatch.setattr(successive_halving, "time", Clock(step))
        found = audit(noisy, **GIVEN, data=[0.2, 0.7], relation=ONE_MORE, domain=(0, 1),
                      seconds=4.0, samples=20_000).search  # fmt: skip
        ends.add("left out" if found.skipped else "some" if found.tried < found.planned else "all")
    assert ends == {"left out", "some", "all"}


def test_without_a_time_no_clock_changes_the_search(monkeypatch):
    found = []
    for step in (0.0, 1e6):
        monkeypatch.setattr(successive_halving, "time", Clock(step))
        result = audit(noisy, **GIVEN, data=[0.2, 0.7], relation=ONE_MORE, domain=(0, 1),
                       samples=2000)  # fmt: skip
        found.append((result.search, result.pairs, result.limitations))
    assert found[0] == found[1]


@pytest.fixture(scope="module")
def passed():
    return audit(noisy, **GIVEN | {"epsilon": 1.5}, pair=([0.0], [1.0]), samples=2000, seed=3)


def short_of_time(passed, detectable, *, planned_for):
    pairs = tuple(replace(pair, detectable_epsilon=detectable) for pair in passed.pairs)
    asked = SimpleNamespace(samples=planned_for, epsilon=1.5, detectable=1.65)
    return _limitations(asked, AuditOutcome(pairs=pairs))


@pytest.mark.parametrize("detectable", [1.7, 4.0, math.inf])
def test_a_pass_with_too_little_time_names_what_it_could_have_detected(passed, detectable):
    assert passed.verdict is Verdict.NO_VIOLATION
    assert passed.pairs[0].counts.guesses
    (said,) = short_of_time(passed, detectable, planned_for=10**6)
    assert said.startswith("The time allowed 2,000 trials, in which ")
    assert (f"at ε ≥ {detectable:g};" if math.isfinite(detectable) else "no violation") in said
    # So many trials were asked for, or so much power is what a user expects.
    assert short_of_time(passed, detectable, planned_for=2000) == ()
    assert short_of_time(passed, 1.6, planned_for=10**6) == ()


def test_a_rule_that_never_guesses_is_limited_by_its_trials_alone(passed):
    few = [
        replace(pair, counts=Counts(d_abstained=n), detectable_epsilon=math.inf)
        for pair in passed.pairs[:1]
        for n in (200, 10**6)
    ]
    asked = SimpleNamespace(samples=10**7, epsilon=1.5, detectable=1.65)
    assert _limitations(asked, AuditOutcome(pairs=(few[0],)))
    assert not _limitations(asked, AuditOutcome(pairs=(few[1],)))
