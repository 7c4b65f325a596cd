"""Many interventions in one run: verdicts, its level, what coins say, and whatever may break."""

import math
import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from provado.audit import AuditResult, InterruptedAudit, OneRunResult, audit_one_run
from provado.audit.experiments.one_run.draws import Canaries, guessed, right, scores_of
from provado.audit.pipeline.isolated_run import RESUMED
from provado.audit.target.output_encoding import BrokenMechanismError
from provado.audit.trials.checkpoint import Checkpoint, UnreadableError, pack
from provado.mechanisms import (
    AddOrRemoveOne,
    ApproximateDP,
    Mechanism,
    PureDP,
    Source,
    UsageError,
    Verdict,
)

CELLS = 1000


def histogram(data, rng, scale=1.0):
    return np.bincount(np.asarray(data, dtype=int), minlength=CELLS) + rng.laplace(
        scale=scale, size=CELLS
    )


def too_little(data, rng):
    return histogram(data, rng, scale=0.5)


def responses(data, rng, epsilon=1.0):
    """Return each record or the other value: tight, and independent."""
    keep = rng.random(len(data)) < 1 / (1 + math.exp(-epsilon))
    return np.where(keep, data, 1 - np.asarray(data))


def in_batch(data, *, size, rng):
    return np.stack([histogram(data, rng) for _ in range(size)])


BITS = {
    "canaries": np.ones(60, dtype=int),
    "replacements": np.zeros(60, dtype=int),
    "threshold": 0.5,
}


def test_a_histogram_is_certified_by_one_run_and_its_twin_is_found():
    certified = []
    for seed in range(9):
        sound = audit_one_run(histogram, canaries=np.arange(CELLS), epsilon=1.0, seed=seed)
        certified.append(sound.epsilon_lower)
        assert (sound.runs, sound.guesses, sound.interventions) == (1, 500, CELLS)
    assert np.median(certified) >= 0.6
    twin = audit_one_run(too_little, canaries=np.arange(CELLS), epsilon=1.0)
    assert twin.verdict is Verdict.VIOLATION
    assert twin.epsilon_lower > 1
    assert twin.chance < 0.05 < sound.chance


def test_it_replays_and_runs_are_pooled():
    asked = {"canaries": list(range(CELLS)), "epsilon": 1.0, "seed": 3}
    one, again = (audit_one_run(histogram, **asked) for _ in range(2))
    here = audit_one_run(histogram, isolate=False, **asked)
    assert one.correct == again.correct == here.correct
    assert audit_one_run(histogram, **{**asked, "seed": 4}).correct != one.correct
    ten = audit_one_run(histogram, runs=10, **asked)
    assert ten.runs == 10
    assert 0.85 < ten.epsilon_lower <= 1.0
    assert audit_one_run(in_batch, **asked).runs == 1


def test_what_it_is_said_in_words():
    result = audit_one_run(histogram, canaries=np.arange(CELLS), epsilon=1.0)
    assert isinstance(result, OneRunResult)
    assert isinstance(result, AuditResult)
    assert (result.pairs, result.samples, result.trials) == ((), 0, CELLS)
    assert "histogram: no violation found, claimed ε = 1, certified ε ≥ 0.7" in str(result)
    assert "1 run with 1,000 interventions, 353 of 500 guesses correct" in str(result)
    assert result.relation == "add-or-remove-one"


def test_a_mechanism_brings_its_claim():
    source = Source("nobody", "nowhere")
    entry = Mechanism(
        name="bits",
        run=in_batch,
        promise=PureDP(1.0),
        relation=AddOrRemoveOne(),
        pairs=(([], [0]),),
        source=source,
        summary="A histogram.",
    )
    result = audit_one_run(entry, canaries=np.arange(CELLS))
    assert (result.name, result.epsilon, result.delta) == ("bits", 1.0, 0.0)
    assert audit_one_run(entry, canaries=np.arange(CELLS), epsilon=2.0).epsilon == 2.0
    loose = entry.twin("approximate", promise=ApproximateDP(1.0, 1e-4))
    assert audit_one_run(loose, canaries=np.arange(CELLS)).delta == 1e-4


def test_exploring_chooses_how_many_to_guess():
    def tenth(data, rng):
        """Tell every tenth cell, and nothing of the others."""
        noisy = rng.uniform(-0.4, 0.4, size=CELLS)
        noisy[::10] = 3.0 * np.bincount(data, minlength=CELLS)[::10] - 1.5
        return noisy

    asked = {"canaries": np.arange(CELLS), "epsilon": 2.0, "threshold": 0.0}
    blind = audit_one_run(tenth, **asked)
    learned = audit_one_run(tenth, explore=1, **asked)
    assert (blind.guesses, learned.guesses, learned.explored) == (500, 100, 1)
    assert learned.verdict is Verdict.VIOLATION
    assert blind.verdict is Verdict.NO_VIOLATION


def false_alarms(mechanism, audits, epsilon, **more):
    return sum(
        audit_one_run(mechanism, epsilon=epsilon, seed=seed, isolate=False, **(BITS | more)).verdict
        is Verdict.VIOLATION
        for seed in range(audits)
    )


@pytest.mark.slow
def test_the_level_on_independent_and_on_dependent_guesses():
    audits = 1000
    most = 0.05 * audits + 3 * math.sqrt(0.05 * 0.95 * audits)

    def together(data, rng):
        """Answer for all by one response to the parity, as randomized response does for one."""
        flip = rng.random() > 1 / (1 + math.exp(-1.0))
        return np.full(len(data), int(np.sum(data) % 2) ^ flip)

    assert false_alarms(responses, audits, 1.0, guesses=60) <= most
    assert false_alarms(together, audits, 1.0, guesses=60) <= most
    # A twin that keeps a little less noise than it claims is accused more often than that.
    assert false_alarms(lambda d, rng: responses(d, rng, 1.5), 200, 1.0, guesses=60) > 0.1 * 200


@pytest.mark.slow
def test_the_level_with_delta_where_a_run_tells_all_now_and_then():
    def leaks(data, rng):
        return data if rng.random() < 0.04 else responses(data, rng)

    audits = 600
    most = 0.05 * audits + 3 * math.sqrt(0.05 * 0.95 * audits)
    assert false_alarms(leaks, audits, 1.0, delta=0.04, guesses=60) <= most
    # Two of three runs that tell all are no proof of more than that; delta 0 forgets it.
    assert false_alarms(leaks, 300, 1.0, delta=0.0, guesses=60, runs=20) > 0.2 * 300


def test_coins_are_fair_and_no_draw_of_the_mechanism_follows_them():
    def noise(data, rng):
        return rng.integers(0, 2, 2000)

    result = audit_one_run(
        noise, canaries=np.arange(2000), epsilon=1.0, threshold=0.5, guesses=2000
    )
    assert abs(result.correct - 1000) < 5 * math.sqrt(500)
    sizes = []

    def count(data):
        sizes.append(len(data))
        return np.zeros(100)

    audit_one_run(count, canaries=np.arange(100), epsilon=1.0, runs=50, isolate=False)
    assert len(set(sizes)) > 5
    assert abs(np.mean(sizes) - 50) < 5 * 5 / math.sqrt(50)


def test_datasets_of_every_kind():
    coins = np.array([True, False, True])
    array = Canaries(np.arange(6).reshape(3, 2), None, np.full((2, 2), 9))
    assert array.dataset(coins).tolist() == [[9, 9], [9, 9], [0, 1], [4, 5]]
    other = Canaries(np.arange(6).reshape(3, 2), -np.ones((3, 2)), None)
    assert other.dataset(coins).tolist() == [[0, 1], [-1, -1], [4, 5]]
    assert Canaries(["a", "b", "c"], None, ["z"]).dataset(coins) == ["z", "a", "c"]
    assert Canaries(("a", "b", "c"), ("d", "e", "f"), None).dataset(coins) == ("a", "e", "c")
    assert Canaries([None, 1, 2], None, None).dataset(coins) == [None, 2]
    frame = pd.DataFrame({"x": [1, 2, 3]})
    assert Canaries(frame, None, frame).dataset(coins)["x"].tolist() == [1, 2, 3, 1, 3]
    assert Canaries(frame, frame + 10, None).dataset(coins)["x"].tolist() == [1, 12, 3]
    assert other.relation == "replace-one"


def test_guesses_are_as_many_as_asked_for_and_follow_from_scores_alone():
    scores = np.array([0.1, 5.0, -3.0, 0.2, 0.2])
    assert guessed(scores, 2, None).tolist() == [0, 1, -1, 0, 0]
    assert guessed(scores, 3, 0.0).tolist() == [0, 1, -1, 1, 0]
    for guesses in range(1, 6):
        for threshold in (None, 0.0, 0.2):
            assert np.count_nonzero(guessed(np.zeros(5), guesses, threshold)) == guesses
    assert right(np.array([1, -1, 0, 1]), np.array([True, True, True, False])) == 1
    assert scores_of([1, 2], None, 2).tolist() == [1.0, 2.0]
    with pytest.raises(BrokenMechanismError, match="NaN for canary 1"):
        scores_of([1.0, math.nan], None, 2)


def test_coins_are_fair_and_no_two_runs_share_them():
    """Nor do runs that explore share them with runs that count: a choice would follow from them."""
    seen = []

    def noted(data, rng):
        seen.append(frozenset(data.tolist()))
        return histogram(data, rng)

    asked = {"canaries": np.arange(CELLS), "epsilon": 1.0, "isolate": False}
    audit_one_run(noted, runs=20, explore=20, **asked)
    assert len(set(seen)) == 40
    heads = sum(map(len, seen))
    assert abs(heads - 20 * CELLS) < 5 * math.sqrt(40 * CELLS / 4)
    for canary in range(0, CELLS, 100):
        assert 5 <= sum(canary in one for one in seen) <= 35


def test_runs_that_were_kept_are_not_made_again():
    made, kept = [], []

    def noted(data, rng):
        made.append(len(data))
        return histogram(data, rng)

    asked = {"canaries": np.arange(CELLS), "epsilon": 1.0, "runs": 4, "explore": 2, "seed": 1}
    asked |= {"isolate": False, "name": "noted"}
    whole = audit_one_run(noted, checkpoint=Checkpoint({}, kept.append), **asked)
    assert [one.name for one in kept] == ["guesses", "run 0", "run 1", "run 2", "run 3"]
    assert len(made) == 2 + 4
    some = {(one.pair, one.name): one for one in kept[:3]}
    again = audit_one_run(noted, checkpoint=Checkpoint(some), **asked)
    assert len(made) == 6 + 2
    assert again.one_run == whole.one_run
    assert RESUMED in again.notes
    assert not whole.notes
    # What is kept counts, and what no run can give is refused.
    other = {**some, (0, "run 0"): replace(kept[1], value=pack(0))}
    assert audit_one_run(noted, checkpoint=Checkpoint(other), **asked).correct < whole.correct
    wrong = {**some, (0, "run 0"): replace(kept[1], value=pack(CELLS + 1))}
    with pytest.raises(UnreadableError, match="not from 0 to"):
        audit_one_run(noted, checkpoint=Checkpoint(wrong), **asked)


def test_a_forked_process_tells_what_is_to_be_kept():
    kept = []
    asked = {"canaries": np.arange(CELLS), "epsilon": 1.0, "runs": 2}
    audit_one_run(histogram, checkpoint=Checkpoint({}, kept.append), **asked)
    assert [one.name for one in kept] == ["guesses", "run 0", "run 1"]


def test_runs_of_an_executor_are_those_of_this_process():
    asked = {"canaries": np.arange(CELLS), "epsilon": 1.0, "runs": 5, "explore": 1}
    here = audit_one_run(histogram, **asked)
    with ProcessPoolExecutor(2) as executor:
        there = audit_one_run(histogram, executor=executor, **asked)
        broken = audit_one_run(ends_soon, executor=executor, canaries=[1, 2], epsilon=1.0)
    assert there.one_run == here.one_run
    assert broken.reason.startswith("the mechanism raised ValueError")
    with (
        ThreadPoolExecutor(1) as threads,
        pytest.raises(UsageError, match="its canaries and its score cannot be sent"),
    ):
        audit_one_run(Unsendable(), executor=threads, canaries=[1, 2], epsilon=1.0)


class Unsendable:
    def __call__(self, data):
        return data

    def __reduce__(self):
        raise TypeError("not for others")


def ends_soon(data):
    raise ValueError("soon")


def test_an_interrupt_here_leaves_a_result():
    def interrupts(data):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)

    with pytest.raises(InterruptedAudit) as caught:
        audit_one_run(interrupts, canaries=[1, 2], epsilon=1.0, isolate=False)
    assert isinstance(caught.value.result, OneRunResult)
    assert caught.value.result.verdict is Verdict.UNKNOWN


def hangs(data):
    time.sleep(60)


def ends(data):
    os._exit(3)


@pytest.mark.parametrize(
    ("mechanism", "more", "reason"),
    [
        (lambda data: 1 / 0, {}, "raised ZeroDivisionError"),
        (hangs, {"time_limit": 0.3}, "no answer within 0.3 s"),
        (hangs, {"time_limit": 0.3, "isolate": False}, "no answer within 0.3 s"),
        (hangs, {"block_limit": 0.3, "runs": 9}, "no answer within 0.3 s: a block takes longer"),
        (lambda data: 1.0, {"score": hangs, "block_limit": 0.3}, "a block takes longer"),
        (ends, {}, "status 3"),
        (
            lambda data: [1.0],
            {},
            "an array of length 1, not one number for each of 3 canaries: give",
        ),
        (lambda data: "text", {}, "returned a str where one real number"),
        (lambda data: [1.0, 2.0, math.nan], {}, "NaN for canary 2"),
        (lambda data: 1.0, {"score": lambda output: [output]}, "the score returned an array of"),
        (lambda data: np.ones(3) * 1j, {}, "where one real number for each canary"),
        (lambda data: np.ma.array([1, 2, 3], mask=[0, 1, 0]), {}, "where one real number"),
        (
            lambda data: 1.0,
            {"score": lambda output: dict.fromkeys("abc", 1)},
            "score returned a dict",
        ),
        (lambda data: 1.0, {"score": lambda output: ["1", "2", "3"]}, "score returned a list"),
        (lambda data: 1.0, {"score": lambda output: 1 / 0}, "the score raised ZeroDivisionError: "),
        (lambda data, *, size, rng: 5.0, {}, "where one output was requested"),
    ],
)
def test_whatever_breaks_is_unknown_with_the_reason(mechanism, more, reason):
    result = audit_one_run(mechanism, canaries=[1, 2, 3], epsilon=1.0, **more)
    assert result.verdict is Verdict.UNKNOWN
    assert reason in result.reason
    assert (result.runs, result.epsilon_lower, result.chance) == (0, 0.0, 1.0)
    assert result.reason in str(result)


NOISE: list[np.ndarray] = []
CALLS = [0]


def noise_kept(data, rng):
    if not NOISE:
        NOISE.append(rng.laplace(size=3))
    return np.bincount(data, minlength=4)[1:] + NOISE[0]


def calls_counted(data, rng):
    CALLS[0] += 1
    return np.bincount(data, minlength=4)[1:] + rng.laplace(size=3)


def data_changed(data, rng):
    return [record.append(0) or rng.laplace() for record in data][:1] * 3


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_runs_that_depend_on_each_other_are_unknown(monkeypatch, start):
    monkeypatch.setenv("PROVADO_START", start)
    claim = {"canaries": [1, 2, 3], "epsilon": 1.0}
    kept = audit_one_run(noise_kept, runs=4, **claim)
    assert kept.verdict is Verdict.UNKNOWN
    assert "keeps state between calls (global 'NOISE' changed), and its last run" in kept.reason
    assert (
        audit_one_run(noise_kept, **claim).verdict is Verdict.NO_VIOLATION
    )  # one run has none before it
    assert audit_one_run(calls_counted, runs=4, **claim).verdict is Verdict.NO_VIOLATION
    records = {"canaries": [[1], [2], [3]], "data": [[0]], "epsilon": 1.0}
    assert "changed the dataset" in audit_one_run(data_changed, runs=2, **records).reason
    assert audit_one_run(data_changed, **records).verdict is Verdict.NO_VIOLATION


def test_workers_that_keep_state_are_unknown():
    with ThreadPoolExecutor(1) as executor:
        found = audit_one_run(
            calls_counted, canaries=[1, 2, 3], epsilon=1.0, runs=2, executor=executor
        )
    assert "no fresh process could be asked" in found.reason


FRAME = pd.DataFrame({"x": [1, 2, 3]})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"epsilon": None}, "epsilon is missing"),
        ({"epsilon": -1.0}, "epsilon is -1.0"),
        ({"canaries": []}, "at least one record"),
        ({"canaries": 5}, "canaries is 5"),
        ({"canaries": [1]}, "a threshold must say"),
        ({"canaries": None}, "canaries is None"),
        ({"replacements": [1]}, "replacements has 1 record"),
        ({"replacements": [1, 2, 3]}, "replacements equal the canaries"),
        (
            {"canaries": np.ones((3, 2)), "data": np.ones((5, 3))},
            r"data has records of shape \(3,\)",
        ),
        ({"canaries": np.ones(3), "replacements": np.array(list("abc"))}, "with text"),
        ({"canaries": FRAME, "data": FRAME.rename(columns={"x": "y"})}, r"data has the columns"),
        ({"replacements": (1, 2, 3)}, "of the same kind"),
        ({"data": np.arange(3)}, "of the same kind"),
        ({"guesses": 4}, "guesses is 4"),
        ({"runs": 0}, "runs is 0"),
        ({"explore": -1}, "explore is -1"),
        ({"explore": 1, "guesses": 2}, "explore is 1: exploring runs choose"),
        ({"block_limit": -1.0}, "block_limit is -1.0"),
        ({"executor": 5}, "executor is 5"),
        ({"score": 5}, "score is 5"),
        ({"threshold": math.nan}, "threshold is nan"),
        ({"threshold": "0.5"}, "threshold is '0.5'"),
        ({"threshold": [0.5]}, "threshold is"),
        ({"epsilon": None, "promise": ApproximateDP(0.0, 0.1)}, "needs ε above 0"),
        ({"time_limit": 0}, "time_limit is 0"),
        ({"confidence": 1.0}, "confidence is 1.0"),
        ({"delta": 1.0}, "delta is 1.0"),
    ],
)
def test_a_wrong_argument_is_named(given, said):
    with pytest.raises(UsageError, match=said):
        audit_one_run(histogram, **({"canaries": [1, 2, 3], "epsilon": 1.0} | given))
