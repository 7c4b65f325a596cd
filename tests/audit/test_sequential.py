"""Sequential audits: few runs, valid at every stopping time, and unknown where something broke."""

import contextlib
import dataclasses
import functools
import math
import re

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.bounds.alpha_spending import RESERVE
from provado.audit.bounds.betting import product_log_wealth
from provado.audit.events.online_learner import BettingStrategy, Learner
from provado.audit.target.output_encoding import PatternBook, encode
from provado.mechanisms import UsageError, Verdict
from tests.audit.audited_mechanisms import (
    Drifting,
    Late,
    Memoised,
    by_global_numpy,
    grid_laplace,
    hang_at_once,
    memoised_in_a_closure,
    one_at_a_time,
    truthful,
)
from tests.audit.test_false_alarms import allowed, false_alarms, ignoring, leaky

NAN_IF_ONE = [0.0, math.nan]


def sequential(mechanism, pair=(0, 1), **more):
    return audit(mechanism, **({"epsilon": 1.0, "pair": pair, "samples": "auto"} | more))


def timeless(result):
    return dataclasses.replace(result, seconds=0.0)


def ever_accused(mechanism, epsilon, delta, rng, trials, *, peeking=False):
    """Bet on blocks of a mechanism as an audit does; tell whether it was ever accused.

    peeking: the broken twin, which learns from a block before it bets on it.
    """
    book = PatternBook()
    learner, wagers = Learner(book, 0.05, delta), BettingStrategy(epsilon, delta)
    made = 0
    while made < trials:
        size = max(1, made // 10)
        heads = int(rng.binomial(size, 0.5))
        sides = [
            encode(mechanism(data, size=max(n, 1), rng=rng), max(n, 1), book).part(slice(0, n))
            for data, n in ((0, heads), (1, size - heads))
        ]
        if peeking:
            learner.add(*sides)
        blend = learner.blend()
        wagers.plan(learner.chances())
        for outputs, was_d in zip(sides, (True, False), strict=True):
            wagers.bet(blend(outputs), np.full(len(outputs), was_d))
        if not peeking:
            learner.add(*sides)
        made += size
        if product_log_wealth(epsilon, delta, wagers.bettors()) >= math.log(20):
            return True
    return False


def runs_of(few, many):
    """So many repetitions in the fast suite, and so many in the slow one."""
    return pytest.mark.parametrize("runs", [few, pytest.param(many, marks=pytest.mark.slow)])


LEVELS = [(truthful, 1.0, 0.0), (ignoring, 0.0, 0.0), (leaky, 1.0, 0.05)]


@runs_of(20, 40)
@pytest.mark.parametrize(("mechanism", "epsilon", "delta"), LEVELS)
def test_false_alarms_are_rare_at_every_stopping_time(mechanism, epsilon, delta, runs):
    rng = np.random.default_rng(5)
    alarms = sum(ever_accused(mechanism, epsilon, delta, rng, 100) for _ in range(runs))
    assert alarms <= allowed(runs)


@runs_of(20, 40)
def test_bets_that_have_seen_their_block_raise_false_alarms(runs):
    rng = np.random.default_rng(5)
    alarms = sum(ever_accused(ignoring, 0.0, 0.0, rng, 100, peeking=True) for _ in range(runs))
    assert alarms > allowed(runs)


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        "randomized response",
        "randomized response, k = 10",
        "laplace on a grid",
        "output that ignores the data",
        "vector that ignores the data",
        "approximate, with a leak",
        "rare None",
    ],
)
def test_false_alarms_of_whole_audits_are_rare(case):
    assert false_alarms(case, 200, samples="auto:1500", isolate=False) <= allowed(200)


def test_a_violation_is_certified_with_few_runs():
    def shout(data, rng):
        return data + rng.laplace(scale=0.25)

    result = sequential(shout, (0.0, 1.0))
    assert result.verdict is Verdict.VIOLATION
    assert result.counts.trials < 150
    assert result.best.explored_trials == 0
    assert result.best.planned_trials == result.counts.trials
    assert result.witness.guess_d.startswith("output < ")


@pytest.mark.parametrize(
    "answer",
    [
        lambda data, rng: rng.random() < 0.9 * data,
        lambda data, rng: "yes" if rng.random() < 0.1 + 0.8 * data else None,
        lambda data, rng: NAN_IF_ONE[int(rng.random() < 0.1 + 0.8 * data)],
        lambda data, rng: [0] * (1 + int(rng.random() < 0.1 + 0.8 * data)),
        lambda data, rng: {"a": 0, "b": int(rng.random() < 0.1 + 0.8 * data)},
        lambda data, rng: (rng.random(), 7 if rng.random() < 0.1 + 0.8 * data else rng.random()),
    ],
)
def test_events_of_every_form_are_found_with_few_runs(answer):
    result = sequential(answer, epsilon=0.5)
    assert result.verdict is Verdict.VIOLATION
    assert result.counts.trials < 200


def test_it_ends_once_a_violation_of_the_size_asked_for_would_have_shown():
    soon = sequential(truthful, detectable=1.8)
    later = sequential(truthful, detectable=1.4)
    assert {soon.verdict, later.verdict} == {Verdict.NO_VIOLATION}
    assert soon.best.detectable_epsilon <= 1.8
    assert later.best.detectable_epsilon <= 1.4
    assert soon.counts.trials < later.counts.trials
    # It had not been so long before.
    assert soon.best.detectable_epsilon > 1.4


def test_it_makes_no_more_trials_than_it_may():
    result = sequential(truthful, samples="auto:150")
    assert result.verdict is Verdict.NO_VIOLATION
    assert (result.counts.trials, result.samples) == (150, 150)
    assert [counts.trials for counts in result.best.checkpoints] == [64, 128, 150]


def test_time_ends_it_without_a_complaint(ticking):
    ticking(0.01)
    result = sequential(one_at_a_time, seconds=1.0)
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.reason == ""
    assert 5 < result.counts.trials < 101


def test_a_time_limit_alone_is_time_to_be_used(ticking):
    ticking(0.01)
    result = sequential(one_at_a_time, time_limit=3.0)
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.reason == ""


def test_what_is_slow_is_audited_sequentially_where_there_is_a_time(ticking):
    ticking(0.01)
    slow = functools.partial(sequential, one_at_a_time, samples=10**6, seconds=1.0)
    assert slow().best.method.name == "sequential"
    assert slow(explore=50).best.explored_trials > 0
    ticking(1e-6)
    quick = sequential(one_at_a_time, samples=30_000, seconds=1.0)
    assert quick.best.method.name != "sequential"


@pytest.mark.parametrize("mechanism", [truthful, grid_laplace, one_at_a_time, by_global_numpy])
def test_a_seed_replays(mechanism):
    first, again = (sequential(mechanism, samples="auto:120", seed=3) for _ in range(2))
    assert timeless(first) == timeless(again)
    other = sequential(mechanism, samples="auto:120", seed=4)
    assert other.best.method.bettors != first.best.method.bettors


def test_a_cap_moves_no_trial_before_it():
    short, long = (sequential(one_at_a_time, samples=f"auto:{n}") for n in (70, 130))
    assert short.best.checkpoints[0] == long.best.checkpoints[0]


def test_the_number_of_workers_moves_nothing():
    one, two = (sequential(one_at_a_time, samples="auto:70", jobs=jobs) for jobs in (1, 2))
    assert timeless(one) == timeless(two)


def raising(data):
    raise ValueError("no such column")


@pytest.mark.parametrize(
    ("mechanism", "reason"),
    [
        (raising, "ValueError: no such column"),
        (Memoised(), "keeps state between calls"),
        (memoised_in_a_closure(), "keeps state between calls"),
        (Late(30, lambda: 1 / 0), "ZeroDivisionError"),
        (lambda data, *, size, rng: rng.random(size + 1), "outputs where"),
    ],
)
@pytest.mark.usefixtures("all_copies")
def test_what_breaks_is_unknown(mechanism, reason):
    result = sequential(mechanism, samples="auto:300")
    assert result.verdict is Verdict.UNKNOWN
    assert reason in result.reason


def raising_at(chances):
    def mechanism(data, rng):
        if rng.random() < chances[data]:
            raise ValueError(f"no room for {rng.random()}")
        return 7

    return mechanism


def test_an_exception_that_depends_on_the_data_is_certified():
    result = sequential(raising_at((0.1, 0.9)))
    assert result.verdict is Verdict.VIOLATION
    assert result.reason == ""
    assert result.counts.trials < 300
    shown = result.witness.examples_d_prime
    assert any("raised ValueError: no room" in one for one in shown)


def test_what_raises_whatever_the_data_never_passes():
    result = sequential(raising_at((0.5, 0.5)), samples="auto:200")
    assert result.verdict is Verdict.UNKNOWN
    (raised, runs), (raised_too, runs_too) = (
        (int(found.replace(",", "")) for found in pair)
        for pair in re.findall(r"([\d,]+) of ([\d,]+)", result.reason)
    )
    assert runs + runs_too == result.counts.trials
    assert 0 < raised < runs
    assert 0 < raised_too < runs_too


@runs_of(10, 30)
def test_false_alarms_of_what_raises_are_rare(runs):
    met = raising_at((0.2, 0.2 * math.e))
    verdicts = [
        sequential(met, samples="auto:150", seed=seed, isolate=False).verdict
        for seed in range(runs)
    ]
    assert verdicts.count(Verdict.VIOLATION) <= allowed(runs)


def raising_batches(chances, scale=1.0):
    """Return a mechanism of which a batch raises where any of its outputs would."""

    def mechanism(data, *, size, rng):
        if (rng.random(size) < chances[data]).any():
            raise ValueError("no room")
        return scale * data + rng.normal(size=size)

    return mechanism


def raising_in_batches(data, *, size, rng):
    if size > 1 and data:
        raise ValueError("no room")
    return data + rng.laplace(scale=0.4, size=size)


def test_a_batch_that_raises_by_the_data_is_certified():
    result = sequential(raising_batches((0.0, 0.6), 0.0))
    assert result.verdict is Verdict.VIOLATION
    assert result.reason == ""
    assert result.counts.trials < 300
    assert result.best.method.alpha == pytest.approx(0.05 * (1 - RESERVE))
    assert any("raised ValueError" in one for one in result.witness.examples_d_prime)


def test_after_a_batch_that_raises_it_begins_anew_with_what_was_kept():
    result = sequential(raising_batches((0.004, 0.004), 0.0), samples="auto:2000")
    assert result.verdict is Verdict.UNKNOWN
    assert "raised ValueError in" in result.reason
    assert result.best.explored_trials > 30
    assert result.best.method.alpha == pytest.approx(0.05 * RESERVE)
    assert result.counts.trials == 2000
    assert timeless(result) == timeless(
        sequential(raising_batches((0.004, 0.004), 0.0), samples="auto:2000")
    )


def test_what_raises_in_batches_alone_is_certified_one_by_one_but_never_passes():
    result = sequential(raising_in_batches, (0, 1))
    assert result.verdict is Verdict.VIOLATION
    assert result.best.method.alpha == pytest.approx(0.05 * RESERVE)
    sound = sequential(raising_in_batches, (0, 1), epsilon=3.0, samples="auto:300")
    assert sound.verdict is Verdict.UNKNOWN
    assert sound.reason == "the mechanism raised ValueError: no room (in a batch, in no single run)"


@pytest.mark.parametrize(
    ("chances", "epsilon", "delta"),
    [((0.02, 0.02 * math.e), 1.0, 0.0), ((0.004, 0.004), 0.1, 0.0), ((0.0, 0.0), 0.1, 0.0)],
)
@runs_of(5, 12)
def test_false_alarms_of_batches_that_raise_are_rare(chances, epsilon, delta, runs):
    given = {"epsilon": epsilon, "delta": delta, "samples": "auto:200", "isolate": False}
    met = raising_batches(chances, 0.0)
    verdicts = [sequential(met, seed=seed, **given).verdict for seed in range(runs)]
    assert verdicts.count(Verdict.VIOLATION) <= allowed(runs)


def silent(data, *, size, rng):
    """Answer rarely, and then with the data: (0, 0.05)-DP, since else it raises."""
    if (rng.random(size) < 0.95).any():
        raise ValueError("no answer")
    return np.full(size, data)


@runs_of(8, 20)
def test_rare_answers_among_exceptions_accuse_nobody(runs):
    given = {"epsilon": 0.1, "delta": 0.05, "samples": "auto:200", "isolate": False}
    verdicts = [sequential(silent, seed=seed, **given).verdict for seed in range(runs)]
    assert verdicts.count(Verdict.VIOLATION) <= allowed(runs)


def test_leaving_out_what_raises_would_accuse():
    def answering(data, *, size, rng):
        while True:
            with contextlib.suppress(ValueError):
                return silent(data, size=size, rng=rng)

    rng = np.random.default_rng(5)
    alarms = sum(ever_accused(answering, 0.1, 0.05, rng, 15) for _ in range(20))
    assert alarms > allowed(20)


def test_what_hangs_is_unknown():
    result = sequential(hang_at_once, time_limit=1.0)
    assert result.verdict is Verdict.UNKNOWN


def test_what_drifts_is_unknown_or_truly_accused():
    result = sequential(Drifting(300), samples="auto:1200", detectable=1.01, isolate=False)
    assert result.verdict in (Verdict.UNKNOWN, Verdict.VIOLATION)


def one_noise_a_batch(data, *, size, rng):
    return np.full(size, data + rng.laplace(scale=5))


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 5), marks=pytest.mark.slow)])
def test_noise_shared_by_a_batch_is_no_violation(seeds):
    for seed in seeds:
        result = sequential(one_noise_a_batch, (0.0, 1.0), seed=seed, detectable=1.5)
        assert result.verdict is not Verdict.VIOLATION


def changing(data, rng):
    data[0] += 1.0
    return float(rng.normal())


def test_changed_data_is_unknown():
    result = sequential(changing, ([0.0], [1.0]), samples="auto:50")
    assert "changed the dataset" in result.reason


@pytest.mark.parametrize("samples", ["many", "auto:", "auto:x", "auto:-3", "auto:0", "Auto"])
def test_no_other_word_is_taken_for_a_number_of_samples(samples):
    with pytest.raises(UsageError, match="samples is"):
        sequential(truthful, samples=samples)


def test_a_violation_to_be_seen_lies_above_the_claim():
    with pytest.raises(UsageError, match=r"detectable is 1\.0: it must be above epsilon"):
        sequential(truthful, detectable=1.0)


def test_other_outputs_of_a_block_do_not_move_a_bet():
    """A longer output in the batch must not change what is said of the others."""
    from provado.audit.pipeline.sequential import _cut_to

    book = PatternBook()
    learner = Learner(book, 0.05, 0.0)
    rng = np.random.default_rng(0)
    for _ in range(20):
        learner.add(*(encode((rng.normal(size=(4, 2)) + i).tolist(), 4, book) for i in (0, 1)))
    blend, width = learner.blend(), learner.width
    alone = encode([[0.3, 0.4]], 1, book)
    crowd = encode([[0.3, 0.4], [1.0, 2.0, 3.0], [5]], 3, book)
    assert blend(_cut_to(crowd, width))[0] == blend(_cut_to(alone, width))[0]
