import types

import numpy as np
import pytest

from provado.mechanisms import (
    AddOrRemoveOne,
    ApproximateDP,
    GaussianDP,
    PureDP,
    ReplaceOne,
    UsageError,
)
from provado.mechanisms.adapters.measurement_like import ADAPTER, method_of, promise_of

PAIRS = (([0, 1], [0, 2]),)


def thing(**attributes):
    """Return an object with these attributes and no call."""
    return types.SimpleNamespace(**attributes)


def released(data):
    return sum(data)


class Called:
    epsilon = 0.5

    def __call__(self, _):
        return -1

    def invoke(self, data):
        return sum(data)

    randomise = invoke


class Contradictory(Called):
    def release(self, _):
        return 0


@pytest.mark.parametrize(
    ("obj", "method"),
    [
        *((thing(**{each: released}), each) for each in ("invoke", "randomise", "randomize")),
        *((thing(**{each: released}), each) for each in ("release", "quick_result")),
        (released, "__call__"),
        # A name goes before the call, and two names of one function are one.
        (Called(), "invoke"),
    ],
)
def test_the_first_method_that_releases(obj, method):
    assert method_of(obj) == method
    made = ADAPTER.to_mechanism(
        obj,
        pairs=PAIRS,
        relation=ReplaceOne(),
        promise=None if isinstance(obj, Called) else PureDP(0.5),
    )
    assert made.source.place == method
    assert made.run([0, 1]) == 1
    assert np.array_equal(made.run([0, 1], size=3), [1, 1, 1])
    assert not made.seedable


def test_two_methods_are_refused_and_one_can_be_named():
    with pytest.raises(UsageError, match="has the methods invoke and randomise and release: which"):
        method_of(Contradictory())
    assert method_of(Contradictory(), "release") == "release"
    with pytest.raises(UsageError, match="method is 'draw': Contradictory has no such method"):
        method_of(Contradictory(), "draw")
    with pytest.raises(UsageError, match="has none of the methods invoke, randomise"):
        method_of(thing(release=3))
    with pytest.raises(UsageError, match="Called is a class: give an object of it"):
        method_of(Called)


@pytest.mark.parametrize(
    ("stated", "promise"),
    [
        ({"epsilon": 0.5}, PureDP(0.5)),
        ({"epsilon": 0.5, "delta": 0.0}, PureDP(0.5)),
        ({"epsilon": 0.5, "delta": None}, PureDP(0.5)),
        ({"epsilon": 0.5, "delta": 1e-6}, ApproximateDP(0.5, 1e-6)),
        ({"epsilon": lambda: 0.5, "delta": lambda: 1e-6}, ApproximateDP(0.5, 1e-6)),
        ({"privacy_cost": (0.5, 1e-6)}, ApproximateDP(0.5, 1e-6)),
        ({"privacy_cost": lambda: {"epsilon": 0.5}}, PureDP(0.5)),
        ({"privacy_cost": thing(epsilon=0.5, delta=1e-6)}, ApproximateDP(0.5, 1e-6)),
        ({"privacy_cost": 0.5, "epsilon": 0.5}, PureDP(0.5)),
        ({"mu": 0.7}, GaussianDP(0.7)),
        ({"promise": GaussianDP(0.7), "mu": 0.7}, GaussianDP(0.7)),
        ({"map": lambda d_in: d_in / 2}, PureDP(1.0)),
        ({"map": lambda d_in: (d_in / 2, 1e-6)}, ApproximateDP(1.0, 1e-6)),
        ({"map": lambda d_in: d_in / 2, "epsilon": 1.0}, PureDP(1.0)),
    ],
)
def test_the_promise_is_what_the_object_states(stated, promise):
    obj = thing(release=released, **stated)
    assert ADAPTER.matches(obj)
    assert promise_of(obj, d_in=2 if "map" in stated else None) == promise
    assert promise_of(obj, d_in=2 if "map" in stated else None, given=promise) == promise
    with pytest.raises(UsageError, match=r"states two costs: .* and promise=… as given is 3-DP"):
        promise_of(obj, d_in=2 if "map" in stated else None, given=PureDP(3.0))


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({}, "states no privacy cost: give an attribute epsilon, or promise=PureDP"),
        ({"map": lambda d_in: d_in}, r"states no privacy cost: give d_in=… for its map"),
        ({"epsilon": "much"}, r"SimpleNamespace.epsilon is 'much': it must be a number"),
        ({"epsilon": None}, r"epsilon is None: it must be a number"),
        ({"epsilon": -1}, r"epsilon is -1.0: it must be a finite number above 0"),
        ({"epsilon": 1, "delta": 2}, r"delta is 2.0: it must lie in \[0, 1\)"),
        ({"epsilon": lambda data: 1}, r"epsilon: epsilon raised TypeError"),
        ({"privacy_cost": (1, 2, 3)}, r"privacy_cost is \(1, 2, 3\): a cost is ε, \(ε, δ\)"),
        ({"epsilon": 1, "mu": 1}, r"states two costs: epsilon is 1-DP and mu is 1-GDP"),
        ({"epsilon": 1, "privacy_cost": 2}, r"privacy_cost is 2-DP and epsilon is 1-DP"),
    ],
)
def test_what_is_not_stated_well_is_refused(stated, words):
    with pytest.raises(UsageError, match=words):
        promise_of(thing(release=released, **stated))


def test_the_relation_is_given_or_the_objects_own():
    obj = thing(release=released, epsilon=1.0)
    with pytest.raises(UsageError, match=r"relation is None: .* give relation=ReplaceOne\(\)"):
        ADAPTER.to_mechanism(obj, pairs=PAIRS)
    obj.relation = ReplaceOne()
    assert ADAPTER.to_mechanism(obj, pairs=PAIRS).relation == ReplaceOne()
    pairs = (([0], [0, 1]),)
    given = ADAPTER.to_mechanism(obj, pairs=pairs, relation=AddOrRemoveOne())
    assert given.relation == AddOrRemoveOne()


def test_rng_and_size_are_passed_where_the_method_takes_them():
    seen = []

    def both(data, *, size, rng):
        seen.append(size)
        return rng.normal(size=size)

    def one(data, rng):
        return rng.normal()

    for release in (both, one):
        obj = thing(release=release, epsilon=1.0, relation=ReplaceOne())
        made = ADAPTER.to_mechanism(obj, pairs=PAIRS)
        assert made.seedable
        drawn = made.run([0], size=5, rng=np.random.default_rng(3))
        assert np.array_equal(drawn, np.random.default_rng(3).normal(size=5))
    assert seen == [5]


@pytest.mark.parametrize("obj", [None, 3, "text", released, [1], Called, thing(epsilon=1)])
def test_what_is_not_like_a_measurement(obj):
    assert not ADAPTER.matches(obj)
