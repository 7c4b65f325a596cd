"""A second rule for rare outputs, beside a count that uses up its whole claim."""

import json
import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from benchmarks.rare_leaks import PAIR, RARE_LEAKS
from provado.audit import audit
from provado.audit.bounds import epsilon_lower
from provado.audit.bounds.counts import Counts
from provado.audit.events import cause, rare
from provado.audit.events.cause import Cause, CauseKind
from provado.audit.events.features.feature import EventKind as Event
from provado.audit.trials.checkpoint import Checkpoint, CheckpointEntry, PairCheckpoint
from provado.mechanisms import Verdict
from provado.reports.audit_report.document import run_from_json, run_to_json
from provado.reports.commands.recheck.recheck import recheck_document
from provado.reports.tasks.run import Record, Run, Settings
from provado.reports.text.cause_and_fix import FIXES
from provado.reports.text.report import AuditReport

TRIALS = 60_000
BATCHED = [replace(one, chance=1e-3) for one in RARE_LEAKS if not one.single]


def audited(leak, *, sound=False, **more):
    given = {"arithmetic": "ideal" if leak.smooth else "floating", "samples": TRIALS} | more
    return audit(leak.mechanism(sound=sound), epsilon=1.0, pair=PAIR, **given)


@cache
def audited_once(leak):
    """Return the audit of a leak that several tests look at."""
    return audited(leak)


def is_rare(pair):
    return pair.cause.kind is CauseKind.RARE


@pytest.mark.parametrize("leak", BATCHED, ids=lambda one: one.name)
def test_a_rare_leak_is_certified_beside_a_common_event(leak):
    result = audited_once(leak)
    assert result.verdict is Verdict.VIOLATION
    assert result.epsilon_lower > 0.6 * leak.limit(TRIALS)
    common, second = result.pairs
    assert (is_rare(common), is_rare(second)) == (False, True)
    assert result.explained_pair is second
    assert common.epsilon_lower < 1
    # Each has half of alpha, and both are counted on the same trials.
    assert common.method.alpha == second.method.alpha == pytest.approx(0.05 / 2, rel=0.01)
    assert common.counts.d_trials == second.counts.d_trials
    assert result.trials == TRIALS == second.counts.trials
    assert second.epsilon_lower == epsilon_lower(second.counts, second.method)
    assert "runs under D" in second.cause.words
    assert second.witness.examples_d or second.witness.examples_d_prime


def revealed(chance, *, seed):
    """Audit a claim of δ = 0.0005 of what reveals a record with this chance."""

    def reveals(data, *, size, rng):
        return (rng.random(size) < chance) & (len(data) > 1)

    claim = {"epsilon": 1.0, "delta": 5e-4, "samples": 30_000}
    return audit(reveals, pair=([0], [0, 1]), seed=seed, **claim)


def test_an_event_as_rare_as_is_said_is_certified_and_one_that_is_rarer_mostly_is_not():
    method = revealed(2.5e-4, seed=0).pairs[0].method
    rarest = rare.rarest_event(30_000, 30_000, method, 1.0)
    assert 3 * 5e-4 < rarest < 5 * 5e-4
    found = [
        sum(revealed(chance, seed=seed).verdict is Verdict.VIOLATION for seed in range(10))
        for chance in (rarest, rarest / 2)
    ]
    assert found[0] >= 8
    assert found[1] <= 5
    assert rare.rarest_event(10**6, 10**6, method, 1.0) < 1.4 * 5e-4
    assert rare.rarest_event(100, 100, method, 1.0) > 0.1
    assert rare.rarest_event(10, 10, method, 1.0) == 1


def test_without_a_rare_leak_alpha_is_not_divided():
    chosen = [leak for leak in BATCHED if not leak.name.startswith(("text", "another", "one "))]
    results = [audited(leak, sound=True, seed=seed) for leak in chosen for seed in range(3)]
    twice = sum(len(result.pairs) > 1 for result in results)
    assert twice <= len(results) // 8
    assert all(p.method.alpha > 0.99 * 0.05 / len(r.pairs) for r in results for p in r.pairs)


def test_tables_that_are_judged_on_what_they_were_learned_from_chase_noise(monkeypatch):
    """The broken twin: then sound mechanisms have a second rule more often than not."""

    def same_half(a, b):
        half = len(a) // 2
        return a[:half], a[:half], b[:half], b[:half]

    monkeypatch.setattr(rare, "_quarters", same_half)
    monkeypatch.setattr(rare, "A_KEY", 0.0)
    leak = replace(BATCHED[0], leak=lambda counts, hit, exact, rng: counts * 1000 + noise(rng, hit))
    results = [audited(leak, sound=True, seed=seed) for seed in range(3)]
    assert all(len(result.pairs) > 1 for result in results)
    monkeypatch.undo()
    results = [audited(leak, sound=True, seed=seed) for seed in range(3)]
    assert all(len(result.pairs) == 1 for result in results)


def noise(rng, hit):
    """Take any of a thousand values, whatever the data are."""
    return rng.integers(0, 1000, len(hit))


def test_what_a_rare_rule_looks_for_is_said():
    _, second = audited_once(BATCHED[0]).pairs
    assert {Event.PLACES, Event.THRESHOLDS, Event.VALUES} <= {o.kind for o in second.event_kinds}
    _, joint = audited_once(next(one for one in BATCHED if "joint" in one.name)).pairs
    assert Event.JOINT in {one.kind for one in joint.event_kinds}
    assert joint.witness.guess_d == "(output[1], output[2]) is (7, 7)"


def test_an_early_stop_may_be_earned_by_the_rare_rule():
    result = audited(replace(BATCHED[0], chance=2e-3), stop_early=True)
    assert result.verdict is Verdict.VIOLATION
    assert result.trials < TRIALS
    for pair in result.pairs:
        assert pair.method.name == "betting"
        assert pair.epsilon_lower == epsilon_lower(pair.counts, pair.method)


@pytest.mark.parametrize("chance", [2e-3, 5e-5])
def test_a_rare_event_counts_beyond_delta_only(chance):
    result = audited(replace(BATCHED[0], chance=chance), delta=2e-4)
    assert (result.verdict is Verdict.VIOLATION) == (chance > 2e-4)


def test_a_report_with_two_rules_of_one_pair_is_rechecked():
    result = audited_once(BATCHED[0])
    assert len(result.pairs) == 2
    settings = Settings(None, None, 0.95, 0, 3600.0)
    run = Run("1", {"python": "3"}, settings, (Record(result, ("x:t",), settings),))
    document = json.loads(json.dumps(run_to_json(run)))
    assert all(one.agrees for one in recheck_document(document))
    # Of one and the same rule there are no two results.
    document["audits"][0]["pairs"][1]["cause"]["kind"] = "shape"
    _, checked = recheck_document(document)
    assert any("must be distinct" in one for one in checked.differences)


def test_what_is_kept_of_a_block_has_the_counts_of_each_rule():
    told = list[CheckpointEntry]()
    other = Counts(1, 2, 3, 4, 5, 6)
    counts = (Counts(6, 5, 4, 3, 2, 1, beside=(other,)),)
    PairCheckpoint(Checkpoint(save=told.append), 0).put_counts("block 3", counts)
    known = {(one.pair, one.name): one for one in told}
    assert PairCheckpoint(Checkpoint(known), 0).counts("block 3") == counts
    assert (counts[0] + counts[0]).each[1] == other + other


@pytest.mark.slow
def test_the_second_rule_raises_false_alarms_no_more_often_than_stated(monkeypatch):
    """Rare outputs of exactly ε = 1, with a second rule planned as often as can be."""
    monkeypatch.setattr(rare, "EVIDENCE", 1.0)
    audits, low, high = 400, 2e-3, 2e-3 * math.e

    def at_its_claim(data, size, rng):
        chance = high if 7 in data else low
        usual = np.where(rng.random(size) < 0.5, 1, rng.integers(2, 4, size))
        return np.where(rng.random(size) < chance, rng.integers(1000, 1004, size), usual)

    results = [
        audit(at_its_claim, epsilon=1.0, pair=PAIR, samples=20_000, seed=seed)
        for seed in range(audits)
    ]
    alarms = sum(result.verdict is Verdict.VIOLATION for result in results)
    planned = sum(any(map(is_rare, result.pairs)) for result in results)
    assert planned > audits / 20
    # 5 % of 400 is 20; a binomial exceeds 33 with probability 0.2 %.
    assert alarms <= 33


class OneIn:
    """A rule that says D of one output in so many."""

    def __init__(self, number):
        self.number = number

    def guess(self, outputs):
        return (np.arange(len(outputs)) % self.number == 0).astype(np.int8)

    def words(self):
        return "far out", ""


@pytest.mark.parametrize("number", [2, 500])
@pytest.mark.parametrize("kind", CauseKind)
def test_rare_outputs_carry_the_cause_of_the_noise_whose_tail_they_are(kind, number):
    outputs = np.zeros(1000)
    found = cause._rare(OneIn(number), outputs, outputs, Cause(kind, "The noise is small.", 1.0))
    assert found.kind is CauseKind.RARE
    assert found.tail_of is (kind if kind in cause.OF_TAILS else None)
    assert found.words.startswith("The noise") == (number == 2 or found.tail_of is not None)


@pytest.mark.parametrize("kind", [None, *cause.OF_TAILS])
def test_the_fix_of_a_tail_is_that_of_its_noise_also_once_it_was_written(kind):
    result = audited_once(BATCHED[0])
    pair = replace(result.explained_pair, cause=Cause(CauseKind.RARE, "Any words.", None, kind))
    result = replace(result, pairs=(result.pairs[0], pair))
    settings = Settings(TRIALS, None, 0.95, 0, 3600.0)
    document = run_to_json(
        Run("1", {"python": "3"}, settings, (Record(result, ("x:t",), settings),))
    )
    assert ("tail_of" in document["audits"][0]["pairs"][1]["cause"]) == (kind is not None)
    for one in (result, run_from_json(json.loads(json.dumps(document))).results[0]):
        assert one.explained_pair.cause == pair.cause
        (fix,) = (text for name, text in AuditReport(one, anytime=False).rows if name == "Fix")
        assert fix == f"{FIXES[kind or CauseKind.RARE]}."
