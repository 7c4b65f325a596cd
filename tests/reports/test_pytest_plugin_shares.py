import math
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from provado.audit.bounds.alpha_spending import (
    call_share,
    confidence_of,
    exact,
    session_alpha,
    share_of_each,
)
from provado.reports.pytest_plugin.settings import SAMPLES, SessionSettings, combine
from provado.reports.pytest_plugin.state import (
    AUDIT,
    CallRecord,
    call_seed,
    false_alarm,
    lines,
)

CONFIDENCES = st.integers(1, 9999).map(lambda n: n / 10_000)
TESTS = st.integers(1, 10**6)


@given(CONFIDENCES, TESTS)
def test_all_tests_together_get_at_most_the_session_s_alpha(confidence, tests):
    whole = 1 - Fraction(str(confidence))
    share = share_of_each(confidence, tests)
    for total in (Fraction(share) * tests, exact(share) * tests):
        assert whole * (1 - Fraction(1, 2**50)) <= total <= whole


@given(CONFIDENCES, TESTS, st.integers(1, 60))
@example(0.9999, 420740, 3)
def test_any_number_of_audits_gets_at_most_the_test_s_share(confidence, tests, audits):
    share = share_of_each(confidence, tests)
    spent = [Fraction(1 - confidence_of(call_share(share, k))) for k in range(1, audits + 1)]
    assert sum(spent) <= Fraction(share)
    # What an infinite number of audits would get: 1/10 · Σ 1/(k(k − 1)) telescopes.
    rest = Fraction(share) / 10 / audits
    # A confidence is a float near 1: each audit loses up to its grid, however small its share.
    lost = Fraction(share) / 2**50 + audits * Fraction(1, 2**52)
    assert sum(spent) + rest >= Fraction(share) - lost


@given(CONFIDENCES, TESTS, st.integers(1, 60))
def test_stated_audits_get_equal_parts(confidence, tests, calls):
    share = share_of_each(confidence, tests)
    parts = {call_share(share, k, calls) for k in range(1, calls + 1)}
    assert len(parts) == 1
    assert Fraction(share) * (1 - Fraction(1, 2**50)) <= Fraction(parts.pop()) * calls
    assert sum(Fraction(call_share(share, k, calls)) for k in range(calls)) <= Fraction(share)


@given(st.floats(1e-9, 0.999))
def test_confidence_gives_its_alpha_back_from_below(share):
    alpha = 1 - confidence_of(share)
    assert share - 2.3e-16 <= alpha <= share


def test_spending_the_same_on_each_audit_would_overspend():
    share = share_of_each(0.95, 10)
    assert 10 * 2 * Fraction(share) > session_alpha(0.95)


def test_seeds_differ_between_sessions_tests_fixtures_and_calls():
    keys = [
        (seed, test, fixture, number)
        for seed in range(5)
        for test in ("a.py::t", "a.py::t1", "b.py::t")
        for fixture in ("audit_dp", "sensitivity_dp")
        for number in range(1, 12)
    ]
    seeds = [call_seed(*key) for key in keys]
    assert len(set(seeds)) == len(keys)
    assert [call_seed(*key) for key in reversed(keys)] == seeds[::-1]
    assert all(0 <= seed < 2**62 for seed in seeds)


@pytest.mark.parametrize(
    ("typed", "filed", "samples", "seconds", "pinned"),
    [
        ({}, {}, SAMPLES, None, False),
        ({}, {"samples": 7}, 7, None, False),
        ({"samples": 5}, {"samples": 7}, 5, None, True),
        ({"samples": 5}, {"seconds": 2.0}, 5, None, True),
        ({"seconds": 3.0}, {"samples": 7}, None, 3.0, False),
        ({}, {"seconds": 2.0}, None, 2.0, False),
        ({"seconds": None}, {"samples": None}, SAMPLES, None, False),
    ],
)
def test_the_command_line_goes_before_the_file(typed, filed, samples, seconds, pinned):
    found = combine(typed, filed)
    assert (found.samples, found.seconds, found.pinned) == (samples, seconds, pinned)


@pytest.mark.parametrize("place", [0, 1])
def test_samples_and_seconds_from_one_place_are_refused(place):
    both = {"samples": 5, "seconds": 1.0}
    with pytest.raises(pytest.UsageError, match="both given"):
        combine(*((both, {}) if place == 0 else ({}, both)))


def record(test, number=1, detectable=1.1, **fields):
    given = {"verdict": "no violation found", "passed": True, "replay": "", "share": 0.01}
    given |= {"epsilon": 1.0, "detectable": detectable, **fields}
    return CallRecord(AUDIT, test, number, f"{test} said", **given)


def test_the_summary_names_the_weakest_audit_that_passed():
    records = [record("a"), record("b", detectable=3.0), record("c", detectable=9.0, passed=False)]
    first, second = lines(records, SessionSettings())
    assert first == "3 audits (3 no violation found); chance of any false alarm at most 5 %"
    assert second == "weakest: b: b said"
    records.append(record("d", detectable=math.inf))
    assert lines(records, SessionSettings())[1] == "weakest: d: d said"
    assert lines(records, SessionSettings(), -1) == [first.replace("3", "4")]
    assert len(lines(records, SessionSettings(), 1)) == 5


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (SessionSettings(), "5 %"),
        (SessionSettings(confidence=0.9), "10 %"),
        (SessionSettings(confidence=0.9999), "0.01 %"),
        (SessionSettings(confidence=2 / 3), "33.4 %"),
        (SessionSettings(share=0.001), "0.2 %"),
        (SessionSettings(share=0.04), "5 %"),
    ],
)
def test_the_chance_is_said_of_the_tests_that_made_audits(settings, said):
    assert false_alarm([record("a"), record("a", 2), record("b")], settings) == said
