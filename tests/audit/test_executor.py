"""Blocks that an executor draws: the same counts, whoever draws them and whatever happens to it."""

import dataclasses
import multiprocessing
import os
import signal
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.trials.checkpoint import Checkpoint
from provado.mechanisms import ConcentratedDP, UsageError, Verdict


def laplace(data, *, size, rng):
    return data + rng.laplace(size=size)


def gaussian(data, *, size, rng):
    return data + rng.normal(size=size)


def one_by_one(data, rng):
    return data + rng.laplace()


def by_global(data):
    return data + float(np.random.laplace())  # noqa: NPY002


def late(data, rng):
    """Break in a worker only: the process that plans is another."""
    if os.environ.get("PROVADO_TESTED_WORKER"):
        raise ValueError("not here")
    return data + rng.laplace()


def dies(data, rng):
    if os.environ.get("PROVADO_TESTED_WORKER"):
        os.kill(os.getpid(), signal.SIGKILL)
    return data + rng.laplace()


def in_worker():
    os.environ["PROVADO_TESTED_WORKER"] = "1"


ASKED = {"epsilon": 1.0, "pair": (0, 1), "samples": 4000, "explore": 2000}
FORK = multiprocessing.get_context("fork")

CASES = {
    "batches": (laplace, ASKED),
    "a curve": (gaussian, ASKED | {"promise": ConcentratedDP(0.5), "epsilon": None}),
    "one by one": (one_by_one, ASKED),
    "stop early": (gaussian, ASKED | {"epsilon": 0.2, "stop_early": True}),
    "global generator": (by_global, ASKED | {"samples": 1000}),
}


def same(one, other):
    bare = [dataclasses.replace(result, seconds=0.0, notes=()) for result in (one, other)]
    return repr(bare[0]) == repr(bare[1])


class Backwards(Executor):
    """Draws nothing until it must, then the last first; every other block twice."""

    def __init__(self):
        self.asked, self.handed = [], 0

    def submit(self, call, /, *given):
        future = Future()
        self.asked.append((future, call, given))
        self.handed += 1
        return future

    def draw(self):
        for number, (future, call, given) in enumerate(reversed(self.asked)):
            if not future.done():
                if number % 2:
                    call(*given)
                future.set_result(call(*given))
        self.asked.clear()


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if i > 1 else ()) for i, name in enumerate(CASES)],
)
def test_processes_count_the_same(name):
    mechanism, asked = CASES[name]
    with ProcessPoolExecutor(3, FORK) as executor:
        result = audit(mechanism, **asked, executor=executor)
    assert result.pairs
    assert same(result, audit(mechanism, **asked))


def test_threads_count_the_same():
    with ThreadPoolExecutor(3) as executor:
        for mechanism in (laplace, by_global):
            asked = ASKED | {"samples": 1500}
            result = audit(mechanism, **asked, executor=executor)
            assert result.pairs
            assert same(result, audit(mechanism, **asked))


def test_the_order_in_which_blocks_come_makes_no_difference(monkeypatch):
    executor = Backwards()

    def wait(futures, timeout, return_when):
        executor.draw()
        return _Done({one for one in futures if one.done()})

    monkeypatch.setattr("provado.audit.trials.executor.wait", wait)
    assert same(audit(laplace, **ASKED, executor=executor), audit(laplace, **ASKED))
    assert executor.handed >= 16


@dataclasses.dataclass
class _Done:
    done: set


def test_what_is_kept_is_not_handed_over():
    entries = []
    with ThreadPoolExecutor(2) as executor:
        whole = audit(laplace, **ASKED, executor=executor, keeper=Checkpoint({}, entries.append))
    blocks = [one for one in entries if "block" in one.name]
    known = [one for one in entries if one.name != "done" and one not in blocks[3:]]
    executor = Counting(2)
    with executor:
        keeper = Checkpoint({(one.pair, one.name): one for one in known}, lambda _: None)
        again = audit(laplace, **ASKED, executor=executor, keeper=keeper)
    assert same(again, whole)
    assert executor.handed == len(blocks) - 3


class Counting(ThreadPoolExecutor):
    handed = 0

    def submit(self, call, /, *given, **more):
        self.handed += 1
        return super().submit(call, *given, **more)


@pytest.mark.parametrize(("mechanism", "reason"), [(late, "not here"), (dies, "terminated")])
def test_what_breaks_in_a_worker_is_unknown(mechanism, reason):
    with ProcessPoolExecutor(2, FORK, in_worker) as executor:
        result = audit(mechanism, **ASKED, executor=executor)
    assert result.verdict is Verdict.UNKNOWN
    assert reason in result.reason


def test_an_executor_that_is_shut_down_is_unknown():
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    result = audit(laplace, **ASKED, executor=executor)
    assert result.verdict is Verdict.UNKNOWN
    assert "handed to the executor" in result.reason


def test_time_ends_what_an_executor_does_not_answer():
    class Never(Executor):
        def submit(self, *_):
            return Future()

    result = audit(laplace, **ASKED, executor=Never(), time_limit=3.0)
    assert result.verdict is Verdict.UNKNOWN
    assert "no answer within 3 s" in result.reason


def test_what_cannot_be_sent_is_refused():
    with (
        ThreadPoolExecutor(1) as executor,
        pytest.raises(UsageError, match=r"executor: .* cannot be sent"),
    ):
        audit(Unsendable(), **ASKED, executor=executor)


class Unsendable:
    def __call__(self, data, *, size, rng):
        return laplace(data, size=size, rng=rng)

    def __reduce__(self):
        raise TypeError("it stays here")


def test_no_executor_is_refused():
    with pytest.raises(UsageError, match="executor is 2: it must be"):
        audit(laplace, **ASKED, executor=2)


def drawing_alike(data, *, size, rng):
    """Draw from a state that nobody can seed and that forked processes share."""
    return Alike.draw(data, size)


class Alike:
    state = 12345

    @classmethod
    def draw(cls, data, size):
        found = []
        for _ in range(size):
            cls.state = (cls.state * 6364136223846793005 + 1442695040888963407) % 2**64
            found.append(data + cls.state / 2**64)
        return found


def test_shared_noise_is_drawn_here():
    """The broken twin of a mechanism that may be handed over."""
    executor = Counting(2)
    with executor:
        result = audit(drawing_alike, **ASKED, executor=executor)
    assert executor.handed == 0
    assert any("drawn in one process" in note for note in result.notes) or (
        result.verdict is Verdict.UNKNOWN
    )
