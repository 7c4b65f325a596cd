"""Whatever a mechanism does is an answer: unknown with the reason, never an exception."""

import asyncio
import itertools
import math
import os
import random
import resource
import signal
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest

from provado.audit import Counts, audit
from provado.audit.bounds import epsilon_lower
from provado.audit.checks.state import digest
from provado.mechanisms import UsageError, Verdict
from tests.audit.audited_mechanisms import (
    Counting,
    Drifting,
    Late,
    LazyTable,
    Memoised,
    by_global_numpy,
    by_global_random,
    flip,
    hang_at_once,
    memoise_in_a_global,
    memoised_by_a_helper,
    memoised_by_lru_cache,
    memoised_in_a_closure,
    memoised_in_a_default,
    sleep_at_once,
    truthful,
)


def run(mechanism, epsilon=1.0, pair=(0, 1), samples=2000, **more):
    return audit(mechanism, epsilon=epsilon, pair=pair, samples=samples, **more)


def assert_unknown(result, *words):
    assert result.verdict is Verdict.UNKNOWN
    for word in words:
        assert word in result.reason
    assert "\n" not in result.reason
    assert (result.pairs, result.counts, result.epsilon_lower) == ((), Counts(), 0.0)
    assert result.witness is None
    assert not result.surprising


def raising(error):
    def mechanism(data):
        raise error

    return mechanism


def recurse(data):
    return recurse(data) + 1


@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        (raising(ValueError("no\n  such\nvalue")), "raised ValueError: no such value"),
        (raising(KeyError("x")), "raised KeyError"),
        (raising(SystemExit(3)), "raised SystemExit: 3"),
        (raising(GeneratorExit()), "raised GeneratorExit"),
        (raising(StopIteration()), "raised StopIteration"),
        (raising(AssertionError()), "raised AssertionError"),
        (raising(MemoryError()), "raised MemoryError"),
        (recurse, "raised RecursionError"),
        (lambda data: sys.exit("done"), "raised SystemExit: done"),
        (lambda: 3, "raised TypeError"),
        (lambda data, extra: 3, "raised TypeError"),
    ],
)
def test_a_mechanism_that_raises(mechanism, words):
    assert_unknown(run(mechanism), "the mechanism", words)


def test_a_mechanism_that_exits_for_some_data_reveals_them():
    def over_budget(data, rng):
        return rng.laplace() if data < 1 else sys.exit("budget")

    result = run(over_budget)
    assert result.verdict is Verdict.VIOLATION
    assert "SystemExit: budget" in result.explained_pair.cause.words


async def waiting(data, rng):
    return data + rng.laplace(scale=0.2)


def test_an_async_function_is_refused_unless_its_output_is_run():
    with pytest.raises(UsageError, match="waiting is an async function"):
        run(waiting)
    assert run(waiting, read=asyncio.run).verdict is Verdict.VIOLATION


def test_a_long_message_is_cut():
    assert len(run(raising(ValueError("x" * 10_000))).reason) < 500


@pytest.mark.parametrize("isolate", [True, False])
def test_an_interrupt_that_the_mechanism_raises_is_its_own(isolate):
    result = run(raising(KeyboardInterrupt()), isolate=isolate)
    assert_unknown(result, "the mechanism raised KeyboardInterrupt")


@pytest.fixture
def heard():
    """Let this process hear Ctrl-C, which what a shell starts in the background does not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted(far, call, remember=lambda: None, **given):
    """Return the result of an audit that hears Ctrl-C once its mechanism was called so often."""
    path = str(far)  # What a ``Path`` caches would be a memory of calls.
    main, over = threading.main_thread().ident, threading.Event()
    calls = (number for number in itertools.count(1))  # A generator, whose state nobody can see.

    def slow(data, rng):
        remember()
        if next(calls) == call:
            os.close(os.open(path, os.O_CREAT))
        time.sleep(1e-4)
        return flip(bool(np.any(data)), rng)

    def interrupt():
        while not far.exists() and not over.wait(0.05):
            pass
        if not over.is_set():
            signal.pthread_kill(main, signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt) as caught:
            run(slow, **given)
    finally:
        over.set()
        thread.join()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    result = caught.value.result
    assert result.verdict is Verdict.UNKNOWN
    return result


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("isolate", [True, False])
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_is_the_users_and_passes_through_with_what_there_is(isolate, jobs, tmp_path):
    # A block of the certifying draws is over, of which there are two thousand.
    given = {"samples": 2_000_000, "explore": 500, "jobs": jobs, "isolate": isolate}
    result = interrupted(tmp_path / "far", 2500, **given)
    assert "interrupted" in result.reason
    (pair,) = result.pairs
    assert 0 < pair.counts.trials < pair.planned_trials == 2_000_000
    assert pair.method.name == "betting"
    assert pair.epsilon_lower == epsilon_lower(pair.counts, pair.method) <= 1


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("isolate", [True, False])
def test_ctrl_c_while_bets_are_learned_keeps_all_trials(isolate, tmp_path):
    given = {"epsilon": 2.0, "detectable": 2.001, "samples": "auto", "isolate": isolate}
    result = interrupted(tmp_path / "far", 300, **given)
    (pair,) = result.pairs
    assert 200 < pair.counts.trials < pair.planned_trials == 1_000_000
    assert f"interrupted: {pair.counts.trials:,} of 1,000,000 trials" in result.reason
    assert pair.method.name == "sequential"
    assert pair.epsilon_lower == epsilon_lower(pair.counts, pair.method) <= 1


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("isolate", [True, False])
def test_ctrl_c_passes_through_where_the_mechanism_turns_out_to_be_broken(isolate, tmp_path):
    d = [0]
    given = {"epsilon": 2.0, "detectable": 2.001, "samples": "auto", "isolate": isolate}
    result = interrupted(tmp_path / "far", 300, lambda: d.append(0), pair=(d, [1]), **given)
    assert "changed the dataset" in result.reason


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("isolate", [True, False])
@pytest.mark.parametrize(
    ("given", "doing"),
    [
        ({}, "while exploring"),
        (
            {"pair": None, "data": [0, 1, 1], "relation": "replace-one"},
            "while looking for the worst neighbors",
        ),
    ],
)
def test_ctrl_c_before_any_trial_says_so(given, doing, isolate, tmp_path):
    result = interrupted(tmp_path / "far", 300, samples=2_000_000, isolate=isolate, **given)
    assert result.pairs == ()
    assert result.epsilon_lower == 0
    assert result.reason == f"interrupted {doing}: nothing was certified yet"


def crash():
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)


def exhaust():
    resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
    return [bytes(2**28) for _ in range(64)]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("end", "words"),
    [
        (lambda: os._exit(0), "status 0"),
        (lambda: os._exit(7), "status 7"),
        (crash, "killed by SIGSEGV"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "killed by SIGKILL"),
        (exhaust, "MemoryError"),
    ],
)
def test_a_mechanism_that_ends_its_process(end, words, jobs):
    assert_unknown(run(lambda data: end(), jobs=jobs), words)
    # As late as in the certifying trials, too: those of the exploration are made before.
    late = Late(6000, end)
    assert_unknown(run(late, samples=6000, jobs=jobs), words)


def test_pairs_that_were_completed_before_a_crash_are_kept():
    def fragile(data, rng):
        if data == 2:
            os._exit(1)
        return flip(data % 2, rng)

    result = audit(fragile, epsilon=0.2, pair=[(0, 1), (1, 2)], samples=2000)
    assert result.verdict is Verdict.VIOLATION
    assert "took its process down" in result.reason
    assert len(result.pairs) == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_mechanism_that_raises_only_while_certifying(jobs):
    def fail():
        raise RuntimeError("too late")

    result = run(Late(6000, fail), samples=6000, jobs=jobs)
    assert_unknown(result, "raised RuntimeError: too late")


@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        (lambda data, *, size, rng: rng.random(size + 1), "returned 65 outputs where 64"),
        (lambda data, *, size, rng: [0], "returned 1 output where 64"),
        (lambda data, *, size, rng: np.float64(1.0), "returned a float64 for a batch"),
        (lambda data, *, size, rng: np.array(1.0), "returned one float64 for a batch of 64"),
        (lambda data, *, size, rng: 7, "returned a int for a batch"),
        (lambda data, *, size, rng: None, "returned a NoneType for a batch"),
        (lambda data, *, size, rng: "x" * size, "returned a str for a batch"),
        (lambda data, *, size, rng: (0 for _ in range(size)), "returned a generator"),
    ],
)
def test_a_batch_of_the_wrong_form(mechanism, words):
    assert_unknown(run(mechanism), words)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("mechanism", [hang_at_once, sleep_at_once])
def test_a_mechanism_that_hangs(mechanism, jobs):
    assert_unknown(run(mechanism, time_limit=0.3, jobs=jobs), "no answer within 0.3 s")


@pytest.mark.parametrize(
    ("jobs", "hang"),
    [(1, hang_at_once), (2, sleep_at_once), pytest.param(2, hang_at_once, marks=pytest.mark.slow)],
)
def test_a_mechanism_that_hangs_only_while_certifying(jobs, hang):
    late = Late(6000, lambda: hang(0))
    result = run(late, samples=6000, jobs=jobs, time_limit=1)
    assert_unknown(result, "no answer within 1 s")


def test_a_hang_that_catches_exceptions():
    def stubborn(data):
        while True:
            try:
                hang_at_once(data)
            except Exception:
                continue

    assert_unknown(run(stubborn, time_limit=0.3), "no answer within")


def test_no_alarm_is_left_behind():
    import signal

    before = signal.getsignal(signal.SIGALRM)
    run(truthful, time_limit=60)
    run(hang_at_once, time_limit=0.2)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def append_a_record(data, rng):
    data.append(1)
    return flip(len(data) % 2, rng)


def test_a_mechanism_that_changes_its_dataset():
    def overwrite(data, *, size, rng):
        data[0] = 5.0
        return rng.random(size)

    assert_unknown(run(append_a_record, pair=([0], [0, 1])), "changed the dataset")
    assert_unknown(run(overwrite, pair=(np.zeros(2), np.ones(2))), "changed the dataset")


@pytest.mark.parametrize("mechanism", [Counting(), LazyTable(), Counting().__call__])
@pytest.mark.usefixtures("all_copies")
def test_state_that_does_not_matter_is_fine(mechanism):
    result = run(mechanism, samples=5000)
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.epsilon_lower > 0.8


def test_a_generator_that_is_held_is_no_state():
    class Own:
        def __init__(self):
            self.numpy, self.python = np.random.default_rng(1), random.Random(2)

        def __call__(self, data):
            return flip(data, self.numpy) + 2 * self.python.getrandbits(1)

    generator = np.random.default_rng(3)
    assert run(Own()).verdict is Verdict.NO_VIOLATION
    assert run(lambda data: flip(data, generator)).verdict is Verdict.NO_VIOLATION


@pytest.mark.parametrize(
    "make",
    [
        Memoised,
        memoised_in_a_closure,
        memoised_by_lru_cache,
        memoised_in_a_default,
        memoised_by_a_helper,
        memoise_in_a_global,
        lambda: Memoised().__call__,
    ],
)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.usefixtures("all_copies")
def test_memoised_answers_are_no_independent_trials(make, seed):
    assert_unknown(run(make(), seed=seed), "keeps state between calls")


@pytest.mark.usefixtures("all_copies")
def test_a_local_class_that_memoises_is_unknown_too():
    class Local(Memoised):
        pass

    assert_unknown(run(Local()), "keeps state between calls", "fresh processes")


def test_a_mechanism_that_gets_better_over_time():
    result = run(Drifting(30_000), samples=20_000)
    assert_unknown(result, "other answers in the second half")


def test_a_mechanism_that_breaks_on_the_second_pair_is_unknown_as_a_whole():
    def fragile(data, rng):
        if data >= 2:
            raise ValueError("two")
        return flip(data, rng)

    result = audit(fragile, epsilon=1.5, pair=[(0, 1), (2, 3)], samples=2000)
    assert result.verdict is Verdict.UNKNOWN
    assert "raised ValueError: two" in result.reason
    assert len(result.pairs) == 1


def test_a_violation_stands_though_a_later_pair_breaks():
    def fragile(data, rng):
        if data >= 2:
            raise ValueError("two")
        return flip(data, rng)

    result = audit(fragile, epsilon=0.2, pair=[(0, 1), (2, 3)], samples=2000)
    assert result.verdict is Verdict.VIOLATION
    assert "raised ValueError" in result.reason


@pytest.mark.parametrize(
    "odd", [None, math.nan, math.inf, "error", (), {"code": 7}, np.array([1.0, 2.0]), 10**400]
)
def test_an_odd_output_now_and_then_is_an_outcome(odd):
    def mechanism(data, rng):
        # The odd output alone tells: under 1 it is three times as likely.
        return odd if rng.random() < 0.1 + 0.2 * data else 0.5

    result = run(mechanism, epsilon=0.5, samples=4000)
    assert result.verdict is Verdict.VIOLATION
    assert 0.5 < result.epsilon_lower < math.log(3)


def test_a_type_of_one_output_is_an_outcome():
    def mechanism(data, rng):
        return 1 if rng.random() < 0.1 + 0.2 * data else 1.0

    assert run(mechanism, epsilon=0.5, samples=8000).verdict is Verdict.VIOLATION


@pytest.mark.parametrize("odd", [math.nan, None, 0.5])
def test_an_odd_output_in_a_batch_is_an_outcome(odd):
    def mechanism(data, *, size, rng):
        odds = rng.random(size) < 0.1 + 0.2 * data
        return np.array([odd if it else 0 for it in odds.tolist()])

    result = run(mechanism, epsilon=0.5, samples=8000)
    assert result.verdict is Verdict.VIOLATION


class Textless:
    def __repr__(self):
        raise ValueError("no text")


def test_an_output_that_cannot_be_read():
    result = run(lambda data: threading.Lock())
    assert result.verdict is Verdict.UNKNOWN
    assert "returned a part that is not read: output is _thread.lock" in result.reason
    assert [pair.verdict for pair in result.pairs] == [Verdict.UNKNOWN]


def test_an_object_without_a_text_is_read_by_its_state():
    result = run(lambda data: Textless())
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.limitations[0].startswith("Every output was Textless(), under D and under D′")


@pytest.mark.parametrize("samples", [1, 2, 3, 5, 65, 130])
@pytest.mark.parametrize("seeds", [(0,), pytest.param((1, 2, 3), marks=pytest.mark.slow)])
def test_a_handful_of_samples_is_enough_for_an_answer(samples, seeds):
    for seed in seeds:
        for mechanism in (truthful, by_global_numpy, by_global_random):
            result = run(mechanism, epsilon=3.0, samples=samples, seed=seed)
            assert result.verdict is Verdict.NO_VIOLATION
            assert result.counts.trials == samples


@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(3, 8), marks=pytest.mark.slow)])
def test_a_batch_is_never_empty(tmp_path, seeds):
    sizes = tmp_path / "sizes"

    def mechanism(data, *, size, rng):
        with sizes.open("a") as file:
            file.write(f"{size}\n")
        return rng.random(size)

    for samples, seed in itertools.product((1, 2, 3), seeds):
        run(mechanism, samples=samples, seed=seed)
    asked = [int(line) for line in sizes.read_text().split()]
    assert len(asked) >= 3 * len(seeds) * 3
    assert min(asked) >= 1


def values_that_may_be_missing():
    yield pd.DataFrame({"a": pd.array([1, None, 4], dtype="Int64")})
    yield pd.DataFrame({"a": pd.array([True, None], dtype="boolean")})
    yield pd.DataFrame({"a": pd.array(["x", None], dtype="string")})
    yield pd.DataFrame({"a": pd.Categorical(["x", None, "y"])})
    yield pd.DataFrame({"a": [1.0, 2.0]}, index=pd.date_range("2020", periods=2))
    yield pd.DataFrame({"a": [1, 2]}).convert_dtypes(dtype_backend="pyarrow")


@pytest.mark.parametrize("table", [*values_that_may_be_missing()], ids=lambda t: str(t["a"].dtype))
def test_what_pandas_keeps_of_its_calls_is_no_change_of_the_data(table):
    def reads(data, rng):
        list(data.iterrows()), data["a"].value_counts(), data["a"].isna().sum()
        return len(data) + rng.laplace()

    part = table.iloc[:1].reset_index(drop=True)  # What pandas keeps, it has for whole arrays.
    before = digest((table, part))
    reads(table, np.random.default_rng(0)), reads(part, np.random.default_rng(0))
    assert digest((table, part)) == before
    part.loc[0, "a"] = None
    assert digest((table, part)) != before
    result = audit(
        reads, epsilon=1.0, data=table, relation="add-or-remove-one", samples=500, isolate=False
    )
    assert result.reason == ""
