"""What an audit is going to do and cost is told before it begins; what is slow gets a minute."""

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.workers.progress import Forecast
from provado.mechanisms import Verdict
from tests.audit.audited_mechanisms import flip
from tests.audit.test_watch import Clock, timed

PAIR = {"epsilon": 1.5, "pair": (0, 1)}


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def foretold(mechanism, **given):
    """Return what is told first, and the result."""
    told = []
    result = audit(mechanism, isolate=False, progress=told.append, **given)
    assert [one.stage for one in told].index("plan") == 0
    assert [one.stage for one in told].count("plan") == 1
    return told[0].forecast, result


def test_it_is_what_follows_from_a_few_timed_runs(clock):
    mechanism = timed(clock, flip, lambda call: 30.0 if call == 1 else 0.005)
    forecast, result = foretold(mechanism, samples=3000, explore=1000, jobs=2, **PAIR)
    assert forecast.cost == pytest.approx(0.005)
    assert (forecast.pairs, forecast.explored, forecast.trials) == (1, 1000, 3000)
    assert (forecast.candidates, forecast.searched, forecast.jobs) == (0, 0, 2)
    assert forecast.total == pytest.approx(0.005 * (1000 + 3000 / 2))
    assert forecast.seconds is None
    assert not forecast.usual
    assert result.counts.trials == 3000


class EnoughError(Exception):
    """Ends an audit that has told what comes."""


def only_foretold(mechanism, **given):
    """Return what is told first, and begin nothing."""

    def stop(message):
        raise EnoughError(message.forecast)

    with pytest.raises(EnoughError) as told:
        audit(mechanism, isolate=False, progress=stop, **given)
    return told.value.args[0]


def test_timing_takes_little(clock):
    only_foretold(timed(clock, flip, lambda _: 0.005), samples=10**6, **PAIR)
    assert clock.now < 0.5
    clock.now = 0.0
    only_foretold(timed(clock, flip, lambda _: 0.005), samples="auto", time_limit=10**5, **PAIR)
    assert clock.now < 0.5


def test_a_slow_mechanism_gets_the_usual_minute_where_nothing_was_asked(clock):
    forecast, result = foretold(timed(clock, flip, lambda _: 0.05), **PAIR)
    assert forecast.usual
    assert forecast.sequential
    assert forecast.seconds == forecast.total == 60
    assert result.best.method.name == "sequential"
    assert result.verdict is Verdict.NO_VIOLATION
    assert clock.now < 1.2 * 60


def test_several_pairs_share_it_and_so_they_do_a_time_limit(clock):
    given = {"epsilon": 1.5, "pair": [(0, 1), (1, 0)]}
    forecast, _ = foretold(timed(clock, flip, lambda _: 0.05), **given)
    assert (forecast.pairs, forecast.seconds, forecast.total) == (2, 30, 60)
    assert clock.now < 1.2 * 60
    forecast, result = foretold(timed(clock, flip, lambda _: 0.05), time_limit=10.0, **PAIR)
    assert (forecast.seconds, forecast.total, result.reason) == (8, 8, "")


@pytest.mark.parametrize("asked", [{"samples": 500}, {"seconds": 5.0}, {"samples": "auto:500"}])
def test_what_was_asked_stands(clock, asked):
    forecast, result = foretold(timed(clock, flip, lambda _: 0.05), **PAIR, **asked)
    assert not forecast.usual
    assert forecast.seconds == asked.get("seconds")
    assert result.counts.trials <= 500


def test_a_fast_mechanism_makes_the_usual_trials(clock):
    """Nobody is told of a time, and a seed replays."""
    forecast = only_foretold(timed(clock, flip, lambda _: 1e-5), **PAIR)
    assert not forecast.usual
    assert (forecast.seconds, forecast.trials) == (None, 1_000_000)


def test_a_search_is_told_with_its_candidates_and_gets_its_share(clock):
    mechanism = timed(clock, lambda data, rng: flip(np.any(data), rng), lambda _: 0.01)
    given = {"epsilon": 1.5, "data": [0, 1], "relation": "replace-one"}
    forecast, result = foretold(mechanism, **given)
    assert forecast.candidates > 3
    assert forecast.searched == 1_000_000
    assert (forecast.seconds, forecast.usual) == (60, True)
    assert result.search.runs < 1_000_000


def raising(data, *, size, rng):
    if np.any(data) and rng.random() < 0.5:
        raise ValueError("not for everybody")
    return rng.laplace(size=size)


def raising_alone(data, rng):
    return raising(data, size=1, rng=rng)[0]


@pytest.mark.parametrize("mechanism", [raising, raising_alone])
def test_an_exception_while_time_is_taken_is_an_output_as_later(ticking, mechanism):
    """Where there was a time it ended the audit, of which exceptions tell all."""
    ticking(1e-3)
    result = audit(mechanism, epsilon=1.0, pair=([0], [1]), seconds=5.0)
    assert result.verdict is Verdict.VIOLATION


@pytest.mark.parametrize(
    ("change", "runs", "total"),
    [
        ({}, 10 + 2 * (100 + 500), 12.1),
        ({"explored": 0}, 10 + 2 * 500, 10.1),
        ({"seconds": 5.0}, 10 + 2 * (100 + 500), 10.0),
        ({"seconds": 50.0}, 10 + 2 * (100 + 500), 12.1),
        ({"cost": 0.0, "seconds": 5.0}, 10 + 2 * (100 + 500), 10.0),
    ],
)
def test_what_it_costs(change, runs, total):
    plain = {"cost": 0.01, "pairs": 2, "trials": 1000, "explored": 100, "jobs": 2}
    more = {"candidates": 3, "searched": 10, "confidence": 0.95}
    forecast = Forecast(**{**plain, **more, **change})
    assert forecast.runs == runs
    assert forecast.total == pytest.approx(total)
