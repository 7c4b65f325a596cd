"""A search is planned in runs: time may only end it, says so, and never finds less with more."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.audit import audit
from provado.audit.search.request import USUAL, search_seconds
from provado.mechanisms import UsageError, Verdict
from provado.reports.tasks.run import explore_again
from tests.conftest import Clock, clocked

GIVEN = {"epsilon": 1.0, "isolate": False, "arithmetic": "ideal", "domain": (0, 1)}
DATA = [0.2, 0.35, 0.5, 0.8, 0.4, 0.6]


def total(data, *, size, rng):
    return np.clip(np.asarray(data, dtype=float), 0, 1).sum() + rng.laplace(0, 1, size)


def total_of_one(data, rng):
    return float(np.clip(np.asarray(data, dtype=float), 0, 1).sum() + rng.laplace(0, 1))


def suppressed(data, *, size, rng):
    """Suppresses by the true count."""
    return np.full(size, -1.0) if len(data) < 6 else len(data) + rng.laplace(0, 1, size)


def large_pair(data, *, size, rng):
    """Leaks only where two records are near the end of the domain."""
    big = sum(x > 0.99 for x in data) >= 2
    return len(data) + rng.laplace(0, 0.2 if big else 2.0, size)


def again(mechanism, result, **given):
    explore = explore_again(result)
    return audit(mechanism, **given, samples=result.replay_samples, explore=explore)


@pytest.mark.parametrize("mechanism", [total, total_of_one, large_pair])
@pytest.mark.parametrize(("step", "cut"), [(3e-2, True), (4e-3, True), (1e-5, False)])
def test_whatever_time_cut_is_drawn_again_without_a_time(
    ticking, monkeypatch, mechanism, step, cut
):
    given = {**GIVEN, "data": DATA, "relation": "add-or-remove-one", "seed": 4}
    with monkeypatch.context():
        ticking(step)
        first = audit(mechanism, **given, samples=3000, seconds=4.0)
    found = first.search
    assert found.timed
    assert found.cut is cut
    assert (found.cut_after > 0) is cut
    assert found.cut_after <= found.runs <= max(found.planned_runs, 4 * found.mandatory)
    if cut and first.verdict is Verdict.NO_VIOLATION:
        assert "planned" in first.limitations[0]
        assert "run longer" in first.limitations[0]
    monkeypatch.undo()
    repeated = again(mechanism, first, **given)
    assert repeated.counts == first.counts
    assert repeated.witness == first.witness
    assert repeated.epsilon_lower == first.epsilon_lower
    assert repeated.search.runs == found.runs
    # A search that goes on further is another one, so that the above may fail.
    assert not cut or again_in_full(mechanism, given, found) != found.runs


@pytest.mark.parametrize("delta", [0.0, 1e-5])
@pytest.mark.parametrize("end", [300, 2000, 5000])
def test_a_search_that_time_ended_draws_no_more(delta, end):
    given = {**GIVEN, "delta": delta, "data": np.linspace(0, 1, 300), "relation": "replace-one"}
    result = audit(total, **given, samples=100, explore=f"100,search=1000000:{end}")
    assert result.search.cut_after == end
    # What was drawn from when time was over, and nothing after it.
    assert end <= result.search.runs < end + 150


def again_in_full(mechanism, given, found):
    more = audit(mechanism, **given, samples=64, explore=f"search={found.planned_runs}")
    return more.search.runs


def test_trials_that_time_cut_are_drawn_again(monkeypatch):
    given = {**GIVEN, "pair": ([0.0], [1.0]), "seed": 2}
    del given["domain"]
    now = Jumping()
    for module in clocked():
        monkeypatch.setattr(module, "time", Clock(now.read))
    first = audit(now.slower, **given, samples=6_000, seconds=2.0, name="slower")
    assert first.trials < first.samples
    assert first.replay_samples == f"{first.samples}:{first.trials}"
    monkeypatch.undo()
    repeated = again(total_of_one, first, **given, name="slower")
    assert repeated.counts == first.counts
    assert repeated.epsilon_lower == first.epsilon_lower


class Jumping:
    """A clock that goes on with each call of a mechanism, and with late ones by far more."""

    def __init__(self):
        self.now = self.calls = 0

    def read(self):
        return self.now

    def slower(self, data, rng):
        self.calls += 1
        self.now += 1e-5 if self.calls < 10_000 else 1e-3
        return total_of_one(data, rng)


@given(st.floats(1e-3, 1e6))
def test_a_search_has_at_least_what_no_option_gives_where_that_fits(seconds):
    given_to_it = search_seconds(seconds)
    assert given_to_it >= min(USUAL, seconds / 2)
    assert given_to_it >= 0.3 * seconds
    assert given_to_it <= seconds / 2
    assert search_seconds(2 * seconds) >= given_to_it
    assert search_seconds(math.inf) == math.inf


def found(mechanisms, ends, seeds, **given):
    """Return how many violations are found where a search ends after each of so many runs."""
    given = {**GIVEN, "data": DATA, "relation": "add-or-remove-one", "samples": 3000, **given}
    return [
        sum(
            audit(one, **given, seed=seed, explore=f"search=20000:{end}").verdict
            is Verdict.VIOLATION
            for one in mechanisms
            for seed in seeds
        )
        for end in ends
    ]


def test_a_search_that_goes_on_for_longer_never_finds_fewer():
    numbers = found([suppressed, large_pair], (30, 120, 480), range(2))
    assert numbers == sorted(numbers)
    assert numbers[-1] == 4


@pytest.mark.parametrize(
    "explore", ["search=0", "search=5:6", "search=", "9,search=9", "9:5,search=1:2", ",search=9",
                "9:5;search=9", "search=9,9"]
)  # fmt: skip
def test_a_search_that_cannot_be_is_refused(explore):
    good = explore == "9,search=9"
    if good:
        audit(total, **GIVEN, data=DATA, relation="replace-one", samples=9, explore=explore)
        return
    with pytest.raises(UsageError, match="search=RUNS:END"):
        audit(total, **GIVEN, data=DATA, relation="replace-one", samples=9, explore=explore)


@pytest.mark.parametrize("samples", ["5:6", "0:0", "7:", ":7", "7:x", "auto:"])
def test_trials_that_cannot_end_so_are_refused(samples):
    with pytest.raises(UsageError, match="samples is"):
        audit(total, epsilon=1.0, pair=([0.0], [1.0]), samples=samples)


def test_the_clock_of_the_search_is_the_audits(ticking):
    before = time.monotonic
    ticking(1.0)
    assert time.monotonic is before
    from provado.audit.search import successive_halving

    assert successive_halving.time.monotonic() != successive_halving.time.monotonic()
