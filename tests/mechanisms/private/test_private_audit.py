"""The auditor tells the printed releases from the repaired ones, on the same pair and claim."""

import dataclasses
import functools

import pytest

from provado.audit import audit
from provado.mechanisms import Verdict
from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.cause_effect.catalogue.datasets import EDGE, EDGE_TRAINING
from provado.mechanisms.cause_effect.releases.release import propose_test_release

MECHANISMS = {m.name: m for m in catalogue() if "kusner2016" in m.tags}


def run(name, pair, samples=20_000, **more):
    return audit(MECHANISMS[name], pair=pair, samples=samples, **more)


@pytest.mark.parametrize(
    ("printed", "repaired", "pair"),
    [
        ("kusner2016/ptr-printed", "kusner2016/ptr", EDGE),
        ("kusner2016/training-iqr-printed", "kusner2016/training-iqr", EDGE_TRAINING),
    ],
)
def test_printed_is_a_violation_and_repaired_is_not(printed, repaired, pair):
    claims = {MECHANISMS[name].promise.point() for name in (printed, repaired)}
    assert len(claims) == 1
    assert run(printed, pair).verdict is Verdict.VIOLATION
    found = run(repaired, pair)
    assert found.verdict is Verdict.NO_VIOLATION
    assert found.epsilon_lower < MECHANISMS[repaired].promise.point()[0]


@pytest.mark.parametrize(
    "name", ["twin/kusner2016-ptr-only-bins", "twin/kusner2016-ptr-only-threshold"]
)
def test_one_repair_is_not_enough(name):
    twin = MECHANISMS[name]
    assert run(name, twin.pairs[0]).verdict is Verdict.VIOLATION
    point = twin.promise.point()
    epsilon, delta = twin.run.keywords["epsilon"], twin.run.keywords["delta"]
    assert point == (pytest.approx(3 * float(epsilon)), delta)
    repaired = functools.partial(propose_test_release, epsilon=epsilon, delta=delta)
    sound = audit(repaired, epsilon=point[0], delta=point[1], pair=twin.pairs[0], samples=20_000)
    assert sound.verdict is Verdict.NO_VIOLATION


def test_the_witness_replays():
    first, again, other = (
        run("kusner2016/ptr-printed", EDGE, samples=4_000, seed=seed) for seed in (3, 3, 4)
    )
    timeless = [dataclasses.replace(result, seconds=0.0) for result in (first, again)]
    # As text: a NaN that came from another process equals no other.
    assert repr(timeless[0]) == repr(timeless[1])
    assert first.counts == again.counts
    assert first.counts.trials == 4_000
    assert other.counts != first.counts


def test_certified_bounds_stay_below_the_exact_loss():
    for name in ("kusner2016/ptr-printed", "kusner2016/ptr"):
        mechanism = MECHANISMS[name]
        found = audit(mechanism, pair=mechanism.pairs[0], samples=20_000, confidence=0.999)
        assert found.epsilon_lower <= mechanism.true_epsilon


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MECHANISMS))
def test_every_verdict_is_the_expected_one(name):
    assert audit(MECHANISMS[name], samples=200_000).verdict is MECHANISMS[name].expected
