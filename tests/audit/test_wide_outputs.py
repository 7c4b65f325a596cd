"""Wide outputs, not all of which can be kept: rare events in one of many coordinates are found."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.leaks import LEAKS, TRUE
from provado.audit import audit
from provado.audit.events.features.feature import Column
from provado.audit.events.learners.piecewise import CellRatios
from provado.audit.events.rule import NOTHING, Rule, learn_further
from provado.audit.events.threshold import NO_CUT, Goal
from provado.audit.pipeline import explore
from provado.audit.pipeline.explore import CellCounts, best_run_gain
from provado.audit.target.call import Target
from provado.audit.target.output_encoding import Encoded, PatternBook, encode
from provado.audit.target.random_state import held_generators
from provado.mechanisms import Verdict

WIDTH, LEAKING = 8, 5
RARE = 4e-3
"""Under data 1; a ninth of it under data 0."""

MARKS = {
    "inside": lambda x: 0.25 + 1e-5 * x,
    "far outside": lambda x: 50 + x,
    "one value": lambda x: np.full_like(x, 0.25),
    "infinite": lambda x: np.full_like(x, math.inf),
    "not a number": lambda x: np.full_like(x, math.nan),
}


def wide(mark, sound=False):
    def mechanism(data, *, size, rng):
        x = rng.normal(size=(size, WIDTH))
        chance = RARE / 9 if sound or not data else RARE
        rows = np.flatnonzero(rng.random(size) < chance)
        x[rows, LEAKING] = MARKS[mark](x[rows, LEAKING])
        return x

    return mechanism


@pytest.fixture
def few_kept(monkeypatch):
    """Let exploration keep so little as it does of very wide outputs."""
    monkeypatch.setattr(explore, "MOST_NUMBERS", 2 * 4000 * WIDTH)


def rare(mark, sound=False, **more):
    asked = {"epsilon": 0.5, "pair": (0, 1), "samples": 80_000, "arithmetic": "ideal"} | more
    return audit(wide(mark, sound), **asked)


@pytest.mark.usefixtures("few_kept")
@pytest.mark.parametrize("mark", MARKS)
def test_a_rare_event_in_one_coordinate_is_certified(mark):
    result = rare(mark)
    assert result.verdict is Verdict.VIOLATION
    assert result.epsilon_lower > 0.6 * TRUE
    assert result.best.explored_trials == 80_000


@pytest.mark.usefixtures("few_kept")
def test_it_is_not_seen_in_what_is_kept(monkeypatch):
    monkeypatch.setattr(explore, "how_many", lambda *_: 0)
    result = rare("inside")
    assert result.epsilon_lower == 0
    assert result.best.explored_trials == 8000


@pytest.mark.usefixtures("few_kept")
@pytest.mark.parametrize("mark", MARKS)
def test_events_as_rare_under_both_are_not_accused(mark):
    assert rare(mark, sound=True, epsilon=0.1, samples=40_000).verdict is Verdict.NO_VIOLATION


@pytest.mark.usefixtures("few_kept")
def test_the_rule_and_the_cause_name_the_coordinate():
    pair = rare("inside").best
    assert f"output[{LEAKING}]" in pair.witness.guess_d_prime
    assert f"output[{LEAKING}]" in pair.cause.words


@pytest.mark.usefixtures("few_kept")
def test_a_rule_learned_so_replays():
    first, again = rare("inside", samples=60_000), rare("inside", samples=60_000)
    assert first.best.rule == again.best.rule
    assert first.counts == again.counts


def explored(size, width, **more):
    def mechanism(data, *, size, rng):
        return rng.normal(size=(size, width)) + data

    asked = (Target.of(mechanism), 0, 1, size, 0, 0, held_generators())
    return explore.explore(*asked, **more)


def test_narrow_outputs_and_few_samples_are_explored_as_ever(monkeypatch):
    whole = explored(6000, 4)
    assert whole.further is None
    assert whole.samples == 6000
    monkeypatch.setattr(explore, "MOST_NUMBERS", 4 * 4000)
    assert explored(6000, 4).further is None
    beyond = explored(18_000, 4)
    assert len(beyond.a) == 2000
    assert beyond.samples == 18_000
    # What is kept does not depend on whether more is drawn.
    assert np.array_equal(beyond.a.values, whole.a.values[:2000])


class Hours:
    """A time of which each look takes a part."""

    def __init__(self, seconds, look):
        self.seconds, self._left, self._look = seconds, seconds, look

    def left(self, _share=1.0):
        self._left -= self._look
        return self._left


def test_in_a_given_time_as_much_is_drawn_beyond_what_is_kept_as_fits(monkeypatch):
    monkeypatch.setattr(explore, "LEARNED_A_SECOND", 8)
    monkeypatch.setattr(explore, "BLOCK", 500)
    # Of a block of 500 of each side counting takes a look, drawing another.
    plenty, enough, little = (
        explored(18_000, 4, clock=Hours(2000.0, look)) for look in (0.01, 55.0, 90.0)
    )
    assert len(plenty.a) == 2000
    assert (plenty.samples, plenty.kept) == (18_000, 4000)
    assert 3 * 4000 <= enough.samples < 18_000
    assert (enough.kept, little.kept) == (4000, 0)
    assert little.further is None
    assert np.array_equal(plenty.a.values, enough.a.values)


@pytest.mark.usefixtures("few_kept")
def test_an_audit_that_was_given_a_time_replays_by_its_numbers(monkeypatch):
    monkeypatch.setattr(explore, "LEARNED_A_SECOND", 2 * 3000 * WIDTH / 100)
    monkeypatch.setattr(explore, "Clock", Minutes)
    monkeypatch.setattr("provado.audit.pipeline.session.Clock", Minutes)
    first = rare("inside", seconds=100.0, isolate=False)
    assert first.best.kept_trials == 6000 < first.best.explored_trials / 3
    assert first.epsilon_lower > 0.6 * TRUE
    explored_again = first.best.replay_explore
    monkeypatch.undo()
    again = rare("inside", samples=first.samples, explore=explored_again)
    assert again.counts == first.counts
    assert again.best.rule == first.best.rule
    assert again.best.kept_trials == 6000


class Minutes(explore.Clock):
    """Time enough, however busy the machine is."""

    def left(self, share=1.0):
        return share * self.seconds


def test_what_is_kept_of_further_outputs_are_the_telling_coordinates(monkeypatch):
    monkeypatch.setattr(explore, "COLUMNS", 2)
    rng, book, sides = np.random.default_rng(0), PatternBook(), []

    def draw(n):
        drawn = rng.normal(size=(2, n, 6))
        drawn[1, : n // 50, 3] = 7.0
        sides.append(tuple(encode(x, n, book) for x in drawn))
        return sides[-1]

    a, b = draw(500)
    book.closed = True
    found = explore.draw_wide(a, b, draw, 4000, 300, book)
    assert found.drawn == 4000 == sum(len(x) for x, _ in sides[1:])
    assert found.a.only[0] == 3
    assert len(found.a.only) == 2
    drawn = int(explore.COUNTED * 4000)
    for kept, first, side in ((found.a, a, 0), (found.b, b, 1)):
        later = np.concatenate([one[side].values for one in sides[1:]])[drawn:]
        for j in kept.only:
            expected = np.concatenate([first.values[:, j], later[:, j]])
            assert np.array_equal(kept.column(j), expected)
    with pytest.raises(ValueError, match="not in tuple"):
        found.a.column(0)


VALUES = st.sampled_from([-math.inf, -2.0, -0.5, 0.0, 0.5, 1.0, 3.0, math.inf, math.nan])
ROWS = st.lists(st.lists(VALUES, min_size=2, max_size=2), min_size=1, max_size=30)


def outputs(rows):
    none = np.zeros(len(rows), dtype=np.int64)
    return Encoded(none, np.array(rows, dtype=np.float64), none)


@given(ROWS, ROWS, ROWS, ROWS)
def test_counts_are_those_of_one_output_after_another(a, b, c, d):
    sieve = CellCounts.of(outputs(a), outputs(b))
    sieve.add(outputs(c), outputs(d))
    for side, rows in enumerate((c, d)):
        for j, edges in enumerate(sieve.edges):
            slow = [0] * sieve.counts.shape[2]
            for row in rows:
                if not math.isnan(row[j]):
                    slow[sum(edge <= row[j] for edge in edges.tolist())] += 1
            assert sieve.counts[side, j].tolist() == slow


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=20))
def test_the_most_telling_run_is_that_of_an_exhaustive_search(counts):
    def gain(x, y):
        return sum(v * math.log(2 * v / (x + y)) for v in (x, y) if v)

    best, length = 0.0, 1
    while length <= len(counts):
        for first in range(0, len(counts) - length + 1, max(length // 2, 1)):
            run = counts[first : first + length]
            best = max(best, gain(sum(x for x, _ in run), sum(y for _, y in run)))
        length *= 2
    a, b = (np.array(side) for side in zip(*counts, strict=True))
    assert best_run_gain(a, b) == pytest.approx(best, abs=1e-9)


def test_a_value_met_again_and_what_lies_beyond_all_values_have_cells():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2000, 1))
    x[:40] = 0.25
    edges = CellCounts.of(outputs(x[::2]), outputs(x[1::2])).edges[0]
    at = np.searchsorted(edges, 0.25)
    assert edges[at] == 0.25
    assert edges[at + 1] == np.nextafter(0.25, 1)
    assert edges[0] == x.min()
    assert edges[-1] == np.nextafter(x.max(), np.inf)


def test_cells_of_counts_are_those_of_the_values():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=3000), rng.normal(0.4, size=3000)
    edges = np.linspace(-3, 3, 40)
    counts = [np.histogram(x, [-np.inf, *edges, np.inf])[0] for x in (a, b)]
    cells = CellRatios.counted(Column(0, 1), edges, *counts)
    assert 0 < len(cells.edges) < len(edges)
    for low, high, ratio in zip(
        [-np.inf, *cells.edges], [*cells.edges, np.inf], cells.ratios, strict=True
    ):
        x, y = (np.count_nonzero((side >= low) & (side < high)) for side in (a, b))
        assert ratio == pytest.approx(math.log((x + 0.5) / (y + 0.5)))


def test_a_score_that_promises_less_does_not_replace_the_rule():
    rng = np.random.default_rng(0)
    goal = Goal(20_000, 0.05, 0.0, betting=False)
    a, b = rng.normal(size=(4000, 2)), rng.normal(size=(4000, 2))
    b[:, 1] += 3
    told, mute = (CellRatios(Column(j, 2), np.array([1.5]), np.array([1.0, -1.0])) for j in (1, 0))
    rule = learn_further(Rule(NOTHING, NO_CUT), [told], outputs(a), outputs(b), goal)
    assert rule.score.feature == told.feature
    same = learn_further(rule, [mute], outputs(a), outputs(b), goal)
    assert same.score == rule.score
    assert {of for one in same.event_kinds for of in one.of} == {"output[0]", "output[1]"}


@pytest.mark.slow
def test_the_row_of_one_coordinate_in_a_thousand():
    leak = next(one for one in LEAKS if one.name == "very rare interval in one of 1,000")
    asked = {"epsilon": 0.5, "pair": (0, 1), "samples": 300_000}
    assert audit(leak.mechanism(), **asked).epsilon_lower > 0.6 * TRUE
    assert audit(leak.mechanism(sound=True), **asked).verdict is Verdict.NO_VIOLATION


@pytest.mark.slow
@pytest.mark.usefixtures("few_kept")
def test_false_alarms_of_further_exploration_are_rare():
    from scipy.stats import binom

    repetitions = 100
    alarms = sum(
        rare("inside", epsilon=TRUE, samples=30_000, seed=seed).verdict is Verdict.VIOLATION
        for seed in range(repetitions)
    )
    assert alarms <= binom.ppf(0.999, repetitions, 0.05)
