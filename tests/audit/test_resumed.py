"""An audit that goes on from what was kept ends as if it had never been ended."""

import dataclasses
import io
import os
import pickle
import pickletools
import sys

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.events.features.feature import Column, EventKind
from provado.audit.events.learners.learn import candidates
from provado.audit.pipeline.isolated_run import RESUMED
from provado.audit.trials.checkpoint import (
    Checkpoint,
    CheckpointEntry,
    PairCheckpoint,
    UnreadableError,
    pack,
    unpack,
)
from provado.mechanisms import AddOrRemoveOne, ConcentratedDP, UsageError, Verdict


def laplace(data, *, size, rng):
    return sum(data) + rng.laplace(size=size)


def leaky(data, *, size, rng):
    return rng.random(size) < (0.9 if sum(data) > 2 else 0.1)


def gaussian(data, *, size, rng):
    return sum(data) + rng.normal(size=size)


def told(data, rng):
    """Text, a missing answer, an exception: whatever an output may be."""
    noisy = sum(data) + rng.laplace()
    if noisy > 5:
        raise ValueError("too many")
    return {"answer": noisy, "note": "high" if noisy > 2.5 else "low"} if noisy > 0 else None


def apart(data, *, size, rng):
    """Two numbers of which neither tells anything: boosted trees see what does."""
    pair = rng.normal(size=(size, 2))
    same = rng.random(size) < (0.9 if sum(data) > 1 else 0.1)
    pair[:, 1] = np.abs(pair[:, 1]) * np.sign(pair[:, 0]) * np.where(same, 1, -1)
    return pair


class Lazy:
    """Draws from a generator that it makes when it is first called."""

    def __init__(self):
        self.rng = None

    def __call__(self, data, *, size):
        if self.rng is None:
            self.rng = np.random.default_rng()
        return [sum(data) + self.rng.laplace() for _ in range(size)]


class Alone(Lazy):
    def __call__(self, data):
        return super().__call__(data, size=1)[0]


PAIR = ((0, 1, 1), (0, 1, 0))
LAPLACE = {"epsilon": 1.0, "pair": PAIR, "samples": 3000, "explore": 3000}
IDEAL = LAPLACE | {"arithmetic": "ideal"}
"""One experiment instead of two, and nobody to accuse: no fresh processes are asked."""

CASES = {
    "laplace": (laplace, LAPLACE),
    "several pairs": (laplace, IDEAL | {"pair": [PAIR, PAIR[::-1]]}),
    "stop early": (leaky, LAPLACE | {"stop_early": True}),
    "with delta": (laplace, IDEAL | {"delta": 0.01}),
    "ideal": (laplace, IDEAL),
    "a curve": (
        gaussian,
        {"promise": ConcentratedDP(0.5), "pair": PAIR, "samples": 3000, "explore": 3000},
    ),
    "one by one": (told, LAPLACE | {"samples": 1000, "explore": 1000}),
    "made on first use": (Alone(), LAPLACE | {"samples": 1000, "explore": 1000}),
    "boosted trees": (apart, LAPLACE | {"samples": 3000, "explore": 8000}),
    "workers": (laplace, IDEAL | {"jobs": 2}),
    "sequential": (laplace, {"epsilon": 0.5, "pair": PAIR, "samples": "auto:600"}),
    "sequential text": (told, {"epsilon": 1.0, "pair": PAIR, "samples": "auto:300"}),
    "sequential delta": (leaky, LAPLACE | {"samples": "auto:300", "explore": None, "delta": 0.1}),
    "sequential lazy": (Alone(), {"epsilon": 1.0, "pair": PAIR, "samples": "auto:300"}),
    "searched": (
        laplace,
        {
            "epsilon": 1.0,
            "data": [0, 1, 1],
            "relation": AddOrRemoveOne(),
            "domain": (0, 3),
            "samples": 1000,
            "arithmetic": "ideal",
        },
    ),
}


@pytest.fixture(autouse=True)
def fast(monkeypatch):
    """Let no exploration be so slow that it is kept, however busy the machine is."""
    monkeypatch.setattr("provado.audit.pipeline.explore.KEPT_A_SECOND", 1e-9)


def same(one, other):
    """Compare all but the time and how it was run."""
    bare = [dataclasses.replace(result, seconds=0.0, notes=()) for result in (one, other)]
    return repr(bare[0]) == repr(bare[1])


def kept_of(mechanism, **asked):
    """Return an audit's result and what it wants to be kept, in order."""
    entries = []
    return audit(mechanism, **asked, checkpoint=Checkpoint({}, entries.append)), entries


def gone_on(mechanism, entries, **asked):
    """Return an audit that goes on from these entries, and those that it adds."""
    added = []
    known = {(one.pair, one.name): one for one in entries}
    return audit(mechanism, **asked, checkpoint=Checkpoint(known, added.append)), added


ONCE = [True, pytest.param(False, marks=pytest.mark.slow)]
"""Whether it is ended at one moment only."""


@pytest.mark.parametrize("once", ONCE)
@pytest.mark.parametrize("name", CASES)
def test_it_ends_as_an_unbroken_one_wherever_it_was_ended(name, once):
    mechanism, asked = CASES[name]
    unbroken, entries = kept_of(mechanism, **asked)
    assert unbroken.pairs
    # What is drawn before a generator is there does not follow the seed.
    moments = {3 if isinstance(mechanism, Lazy) else 1, len(entries) // 2, len(entries) - 1}
    for moment in [len(entries) // 2] if once else sorted(moments):
        again, added = gone_on(mechanism, entries[:moment], **asked)
        assert same(again, unbroken), f"ended after {moment} of {len(entries)} entries"
        assert [(one.pair, one.name) for one in added] == [
            (one.pair, one.name) for one in entries[moment:]
        ] or "jobs" in asked
        assert any(note.startswith(RESUMED) for note in again.notes)


def raises_at_times(data, *, size, rng):
    noisy = laplace(data, size=size, rng=rng)
    if (noisy > 6).any():
        raise ValueError("too many")
    return noisy


def wide(data, *, size, rng):
    return np.sum(data) + rng.laplace(scale=40, size=(size, 300))


EXPLORED = {
    "batches": (laplace, IDEAL),
    "one by one": (told, LAPLACE | {"samples": 400, "explore": 1000}),
    "a batch that raises": (raises_at_times, LAPLACE | {"samples": 400, "explore": 1000}),
    "more than is kept whole": (wide, LAPLACE | {"samples": 400, "explore": "2400:400"}),
}


@pytest.mark.parametrize("name", EXPLORED)
@pytest.mark.parametrize("once", ONCE)
def test_slow_exploration_is_not_lost_either(name, once, monkeypatch):
    # As if all outputs came slowly.
    monkeypatch.setattr("provado.audit.pipeline.explore.KEPT_A_SECOND", np.inf)
    mechanism, asked = EXPLORED[name]
    unbroken, entries = kept_of(mechanism, **asked)
    explored = [i for i, one in enumerate(entries) if one.name.startswith(("batch", "single runs"))]
    assert len(explored) > 3
    moments = (explored[0] + 1, explored[2] + 1, explored[-1] + 1)
    for moment in moments[1:2] if once else moments:
        again, added = gone_on(mechanism, entries[:moment], **asked)
        assert same(again, unbroken)
        assert [one.name for one in added] == [one.name for one in entries[moment:]]


def test_fast_exploration_is_drawn_again():
    _, entries = kept_of(laplace, **IDEAL)
    assert not any(one.name.startswith("batch") for one in entries)


def test_who_keeps_nothing_gets_the_same():
    assert same(audit(laplace, **IDEAL), kept_of(laplace, **IDEAL)[0])


def test_blocks_may_have_come_in_any_order():
    asked = IDEAL
    unbroken, entries = kept_of(laplace, **asked)
    some = [one for one in entries if "block" not in one.name or int(one.name[-1]) % 3]
    some = [one for one in some if one.name != "done"]
    assert len(some) < len(entries) - 2
    for jobs in (1, 3):
        again, added = gone_on(laplace, some, **asked, jobs=jobs)
        assert same(again, unbroken)
        assert len(added) == len(entries) - len(some)


def test_what_is_known_is_not_drawn_again():
    calls = []

    def counted(data, *, size, rng):
        calls.append(size)
        return laplace(data, size=size, rng=rng)

    asked = IDEAL | {"isolate": False, "name": "laplace", "confidence": 0.9}
    _, entries = kept_of(counted, **asked)
    before, calls[:] = sum(calls), []
    gone_on(counted, entries[:-1], **asked)
    # Only a few calls, for what a mechanism may make on first use.
    assert sum(calls) < before
    drawn = [one for one in entries if "block" in one.name]
    calls[:] = []
    gone_on(counted, [one for one in entries if one.name != "done"], **asked)
    timed, calls[:] = sum(calls), []
    gone_on(counted, entries, **asked)
    assert calls == []
    assert drawn
    assert timed <= 2 * 4096 + 4096


def test_a_changed_count_is_told_from_the_unbroken_run():
    """The broken twin: what is kept does matter."""
    unbroken, entries = kept_of(laplace, **IDEAL)
    place = next(i for i, one in enumerate(entries) if "block" in one.name)
    entries[place] = dataclasses.replace(
        entries[place], value=entries[place].value.replace(b"[[", b"[[1")
    )
    again, _ = gone_on(laplace, [one for one in entries if one.name != "done"], **IDEAL)
    assert not same(again, unbroken)


def test_another_seed_draws_other_blocks():
    """The broken twin of the comparison itself: it can fail."""
    unbroken, entries = kept_of(laplace, **IDEAL)
    plan = [one for one in entries if one.name in ("settled", "plan")]
    again, _ = gone_on(laplace, plan, **IDEAL, seed=1)
    assert not same(again, unbroken)


def test_time_counts_from_the_first_run_on():
    entry = CheckpointEntry(0, "settled", 100.0, b"")
    checkpoint = Checkpoint(
        {(0, "settled"): entry, (1, "plan"): dataclasses.replace(entry, pair=1)}
    )
    assert (checkpoint.seconds(0), checkpoint.seconds(2), checkpoint.spent) == (100.0, 0.0, 200.0)
    assert PairCheckpoint(checkpoint, 2).started - PairCheckpoint(checkpoint, 0).started > 99


def test_the_time_that_was_planned_stays_planned(ticking):
    asked = {"epsilon": 1.0, "pair": PAIR, "seconds": 20.0, "explore": 2000, "isolate": False}
    ticking(0.05)
    unbroken, entries = kept_of(laplace, **asked)
    ticking(0.2)
    again, _ = gone_on(laplace, [one for one in entries if "block" not in one.name][:2], **asked)
    assert again.pairs[0].planned_trials == unbroken.pairs[0].planned_trials
    assert "time given" in " ".join(again.notes)


class Mine:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_a_rule_of_trees_is_gone_on_with_without_scikit_learn(monkeypatch):
    def only_trees(*given):
        _, slow, looked = candidates(*given)
        return [], [each for each in slow if each[0] is EventKind.TREES], looked

    monkeypatch.setattr("provado.audit.events.rule.candidates", only_trees)
    mechanism, asked = CASES["boosted trees"]
    asked = asked | {"arithmetic": "ideal", "isolate": False}
    unbroken, entries = kept_of(mechanism, **asked)
    assert unbroken.verdict is Verdict.VIOLATION
    assert unbroken.pairs[0].rule["score"]["kind"] == "classifier"
    plan = next(i for i, one in enumerate(entries) if one.name == "plan")
    assert b"sklearn" not in entries[plan].value
    for name in [name for name in sys.modules if name.split(".")[0] == "sklearn"]:
        monkeypatch.setitem(sys.modules, name, None)
    again, added = gone_on(mechanism, entries[: plan + 1], **asked)
    assert same(again, unbroken)
    assert [one.name for one in added] == [one.name for one in entries[plan + 1 :]]


def test_objects_of_users_are_neither_kept_nor_called(tmp_path):
    place = tmp_path / "made"
    assert pack(Mine(place)) is None
    assert not place.exists()
    with pytest.raises(UnreadableError, match="mkdir"):
        unpack(pickle.dumps(Mine(place)))
    assert not place.exists()
    for harmful in (os.system, audit, io.open):
        with pytest.raises(UnreadableError):
            unpack(pickle.dumps(harmful))
    with pytest.raises(UsageError, match="cannot be read"):
        unpack(b"no pickle")
    data = pack((Column(1, 2), {"a": np.arange(3)}))
    assert data is not None
    assert unpack(data)[0] == Column(1, 2)
    assert any(op.name == "STACK_GLOBAL" for op, _, _ in pickletools.genops(data))


def test_a_plan_that_cannot_be_kept_is_made_again(monkeypatch):
    unbroken = audit(laplace, **IDEAL)
    monkeypatch.setattr("provado.audit.trials.checkpoint.pack", lambda value: None)
    result, entries = kept_of(laplace, **IDEAL)
    assert same(result, unbroken)
    again, _ = gone_on(laplace, entries[:3], **IDEAL)
    assert same(again, unbroken)
