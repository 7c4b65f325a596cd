"""Slow is not hung: what a batch may take follows the pace seen; time that is over keeps counts."""

import math
import signal
from types import SimpleNamespace

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.bounds import epsilon_lower
from provado.audit.target.call import Target
from provado.audit.target.output_encoding import PatternBook
from provado.audit.trials.experiment import CutBlockError, Plan, draw_block
from provado.audit.workers.time_limits import (
    LATE,
    PATIENCE,
    STALL_SECONDS,
    NoAnswerError,
    Watch,
    watched,
)
from provado.mechanisms import Verdict
from tests.audit.audited_mechanisms import flip
from tests.conftest import clocked


class Clock:
    """A clock that the test sets, in the place of the system's: no load matters."""

    def __init__(self, monkeypatch):
        self.now = 0.0
        stub = SimpleNamespace(monotonic=lambda: self.now, perf_counter=lambda: self.now)
        for module in clocked():
            monkeypatch.setattr(module, "time", stub)


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def test_patience_is_a_minute_until_a_pace_is_known(clock):
    watch = Watch()
    assert watch.patience(1) == watch.patience(10**6) == STALL_SECONDS
    with watch.batch(10):
        clock.now += 50  # The first call may import and compile: no pace.
    assert watch.pace == watch.mean == 0
    assert watch.patience(1000) == STALL_SECONDS


def test_patience_is_what_trials_are_planned_to_fill_under_a_limit_of_an_hour(clock):
    assert Watch(3600.0).patience(1) == math.inf
    assert Watch(3600.0, planned=15.0).patience(1) == STALL_SECONDS
    assert Watch(3600.0, planned=600.0).patience(1) == 600.0
    with watched(3600.0, planned=15.0) as watch:
        assert watch.patience(1) == STALL_SECONDS


def test_patience_grows_with_the_pace_and_the_batch(clock):
    watch = Watch()
    for seconds, size in ((50, 1), (2, 100), (10, 100), (1, 100)):
        with watch.batch(size):
            clock.now += seconds
    assert watch.pace == pytest.approx(0.1)
    assert watch.mean == pytest.approx(13 / 300)
    assert watch.patience(10_000) == pytest.approx(PATIENCE * 1000)
    assert watch.patience(1) == STALL_SECONDS


def test_calls_are_timed_one_by_one(clock):
    watch = Watch()
    with watch.calls() as beat:
        for seconds in (30, 4, 5):
            clock.now += seconds
            beat()
    assert watch.pace == pytest.approx(5)
    assert watch.patience(1) == pytest.approx(PATIENCE * 5)


def test_a_limit_of_the_users_goes_before(clock):
    watch = Watch(100.0)
    assert watch.patience(1) == math.inf
    clock.now = 99.0
    assert not watch.over
    clock.now = 100.0
    assert watch.over
    assert watch.ended().reason == "no answer within 100 s"
    assert not watch.ended().spent


def test_a_part_that_has_spent_its_time_is_no_failure(clock):
    watch = Watch(100.0)
    with watch.within(10):
        clock.now = 11.0
        assert watch.over
        assert watch.ended().spent
    assert not watch.over


def test_what_was_counted_is_not_lost_to_an_alarm_or_an_interrupt(clock):
    watch = Watch(100.0)
    clock.now = 101.0
    watch.alarm()
    with watch.learning(), pytest.raises(NoAnswerError):
        watch.alarm()
    watch = Watch()
    watch.interrupt()
    assert watch.over
    assert watch.ended().interrupted
    with pytest.raises(NoAnswerError):
        watch.interrupt()
    watch = Watch()
    with watch.learning(), pytest.raises(NoAnswerError):
        watch.interrupt()


def test_a_call_that_ends_by_itself_is_not_interrupted(clock):
    """What is raised inside a call of a compiled library may leave it with what is half made."""
    with watched(100.0) as watch, watch.calls() as beat:
        clock.now = 100.1
        watch.alarm()
        watch.interrupt()
        with pytest.raises(NoAnswerError):
            beat()
    with watched(100.0) as watch, watch.calls():
        clock.now += 100 + LATE
        with pytest.raises(NoAnswerError):
            watch.alarm()
    with watched(100.0) as watch, watch.batch(1):
        watch.interrupt()
        with pytest.raises(NoAnswerError):
            watch.interrupt()


class HalfMade:
    """Stands for an object of a compiled library, freed wrongly if a call was interrupted."""

    freed = 0

    def __del__(self):
        type(self).freed += 1


def test_what_was_being_made_when_a_call_was_interrupted_is_never_freed():
    def hangs(data):
        half = HalfMade()
        while True:
            repr(half)

    before = HalfMade.freed
    result = audit(hangs, epsilon=1.0, pair=(0, 1), time_limit=0.1, isolate=False)
    assert result.reason == "no answer within 0.1 s"
    assert HalfMade.freed == before


def test_a_hang_is_interrupted_again_where_it_is_caught():
    caught = []
    with watched(0.05) as watch, watch.batch(1):
        while len(caught) < 2:
            try:
                while True:
                    pass
            except NoAnswerError as error:
                caught.append(error.reason)
    assert caught == ["no answer within 0.05 s"] * 2
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


class Says:
    """A rule that takes each output for the value of the data point."""

    def guess(self, outputs):
        return np.where(outputs.column(0) == 0, 1, -1).astype(np.int8)


def timed(clock, answer, seconds):
    """Return a mechanism of which each call takes so many seconds of the clock."""
    calls = []

    def mechanism(data, rng):
        calls.append(1)
        clock.now += seconds(len(calls))
        return answer(data, rng)

    return mechanism


def test_a_time_limit_keeps_the_trials_made_and_a_bound_that_is_valid_for_them(clock):
    result = audit(
        timed(clock, flip, lambda _: 1.0),
        epsilon=1.0,
        pair=(0, 1),
        samples=16_000,
        explore=200,
        time_limit=5000.0,
        isolate=False,
    )
    assert result.verdict is Verdict.UNKNOWN
    (pair,) = result.pairs
    # Blocks of 1,000: the fifth ends after 5,200 seconds, exploration and all, if it is not cut.
    made = pair.counts.trials
    assert 4000 <= made <= 5000
    assert pair.planned_trials == 16_000
    assert result.reason == f"no answer within 5000 s: {made:,} of 16,000 trials were made"
    assert pair.verdict is Verdict.UNKNOWN
    assert pair.method.name == "betting"
    assert pair.epsilon_lower == epsilon_lower(pair.counts, pair.method) > 0.5


def test_a_violation_that_is_certain_by_then_is_one(clock):
    result = audit(
        timed(clock, lambda data, rng: data, lambda _: 1.0),
        epsilon=0.1,
        pair=(0, 1),
        samples=16_000,
        explore=200,
        time_limit=5000.0,
        isolate=False,
    )
    assert result.verdict is Verdict.VIOLATION
    assert 4000 <= result.counts.trials <= 5000


def test_seconds_end_where_the_pace_is_not_kept(clock):
    slow_after = 50_000
    mechanism = timed(clock, flip, lambda call: 1e-3 if call < slow_after else 1.0)
    result = audit(mechanism, epsilon=1.0, pair=(0, 1), seconds=100.0, isolate=False)
    (pair,) = result.pairs
    assert 0 < pair.counts.trials < pair.planned_trials
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.reason == ""
    assert pair.method.name == "betting"


def test_seconds_are_kept_at_an_even_pace(clock):
    slow_start = timed(clock, flip, lambda call: 10.0 if call == 1 else 1e-2)
    result = audit(slow_start, epsilon=1.0, pair=(0, 1), seconds=100.0, isolate=False)
    assert result.counts.trials == result.pairs[0].planned_trials
    assert 80 <= clock.now <= 120


def test_a_block_that_is_ended_inside_keeps_its_trials():
    calls = []

    def ends(data, rng):
        calls.append(data)
        if len(calls) > 10:
            raise NoAnswerError("time is over")
        return data

    plan = Plan(0, 0, 1, Says(), PatternBook(), None, None, 64, 64, 0)
    with pytest.raises(CutBlockError) as caught:
        draw_block(Target.of(ends), plan, 0, 0)
    assert caught.value.reason.reason == "time is over"
    total = caught.value.counts[-1]
    assert (total.trials, total.correct) == (10, 10)
    assert total.d_prime_trials == sum(calls[:10])


def test_exploration_asks_for_no_more_than_it_is_told():
    asked = []

    def counted(data, *, size, rng):
        asked.append(size)
        return rng.integers(0, 2, size)

    result = audit(counted, epsilon=1.0, pair=(0, 1), samples=1000, explore=200, isolate=False)
    assert result.pairs[0].explored_trials == 200
    assert sum(asked) == 1200
    asked.clear()
    audit(counted, epsilon=1.0, pair=(0, 1), samples=1000, isolate=False)
    assert sum(asked) == 2000
