"""What a loop over the records does once for all of them, it may do otherwise the next time."""

import collections
import ctypes
import itertools
import threading
import types
from unittest import mock

import numpy as np
import pytest

from provado.proofs import bound_sensitivity, prove
from provado.proofs.sensitivity.trace import python, run

CLAIM = {"epsilon": 1, "domain": (0.0, 1.0), "size": (3, None)}


def counter(x, rng):
    numbers = itertools.count()
    return sum(v * (next(numbers) > 1000) for v in x) * 2 + rng.laplace()


def iterator(x, rng):
    weights = iter([0.0] * 1000 + [5.0] * 1000)
    return sum(v * next(weights) for v in x) + rng.laplace()


def list_of_a_function(x, rng):
    calls = [0]

    def late(v):
        calls[0] += 1
        return v * (calls[0] > 1000)

    return sum(late(v) for v in x) * 2 + rng.laplace()


def mapped(x, rng):
    calls = collections.Counter()

    def late(v):
        calls["all"] += 1
        return v * (calls["all"] > 1000)

    return sum(map(late, x)) * 2 + rng.laplace()


def enclosing_name(x, rng):
    calls = 0

    def late(v):
        nonlocal calls
        calls += 1
        return v * (calls > 1000)

    return np.sum([late(v) for v in x]) * 2 + rng.laplace()


def namespace(x, rng):
    kept = types.SimpleNamespace(calls=0)

    def late(v):
        kept.calls += 1
        return v * (kept.calls > 1000)

    return sum(late(v) for v in x) * 2 + rng.laplace()


class Late:
    def __init__(self):
        self.calls = 0

    def value(self, v):
        self.calls += 1
        return v * (self.calls > 1000)


def own_object(x, rng):
    late, total = Late(), 0.0
    for v in x:
        total += late.value(v)
    return total * 2 + rng.laplace()


class Slotted:
    __slots__ = ("calls",)

    def __init__(self):
        self.calls = 0

    def value(self, v):
        self.calls += 1
        return v * (self.calls > 1000)


def object_with_slots(x, rng):
    late = Slotted()
    return sum(late.value(v) for v in x) * 2 + rng.laplace()


def appended(x, rng):
    seen = []
    values = [(seen.append(1), v)[1] for v in x]
    return sum(values) * (len(seen) > 50) * 2 + rng.laplace()


def array_of_numbers(x, rng):
    weights = np.zeros(1)

    def late(v):
        weights[0] += 1
        return v * (weights[0] > 1000)

    return sum(late(v) for v in x) * 2 + rng.laplace()


class CountsMissing(dict):
    calls = 0

    def __missing__(self, key):
        self.calls += 1
        return self.calls > 1000


def attribute_of_a_dict(x, rng):
    kept = CountsMissing()
    return sum(v * kept["late"] for v in x) * 2 + rng.laplace()


def number_of_another_language(x, rng):
    calls = ctypes.c_int(0)

    def late(v):
        calls.value += 1
        return v * (calls.value > 1000)

    return sum(late(v) for v in x) * 2 + rng.laplace()


def view_of_bytes(x, rng):
    calls = memoryview(bytearray(1))

    def late(v):
        calls[0] += 1
        return v * (calls[0] > 100)

    return sum(late(v) for v in x) * 2 + rng.laplace()


def lock(x, rng):
    first = threading.Lock()
    return sum(v * (not first.acquire(blocking=False)) for v in x) * 2 + rng.laplace()


LATE = [counter, iterator, list_of_a_function, mapped, enclosing_name, namespace, own_object]
LATE += [appended, array_of_numbers, view_of_bytes]
UNSEEN = [object_with_slots, attribute_of_a_dict, number_of_another_language, lock]


@pytest.mark.parametrize("function", LATE)
def test_what_counts_its_calls_is_not_proved(function):
    found = prove(function, **CLAIM)
    assert found.verdict == "undecided"
    assert "what is done with each record" in found.reason


@pytest.mark.parametrize("function", UNSEEN)
def test_what_has_a_state_that_cannot_be_seen_is_not_proved(function):
    found = prove(function, **CLAIM)
    assert found.verdict == "undecided"
    assert "a state that cannot be seen" in found.reason
    with (
        mock.patch.object(run, "_is_followed", return_value=True),
        mock.patch.object(run, "_has_own_functions", return_value=False),
    ):
        assert "what is done with each record" in prove(function, **CLAIM).reason


@pytest.mark.parametrize("function", LATE)
def test_without_its_guard_it_would_be_proved(function):
    with mock.patch.object(python, "once", lambda function, *given: function(*given)):
        assert prove(function, **CLAIM).verdict == "proved"


def generator_twice(x):
    values = (v for v in x)
    return sum([0 * w + sum(values) for w in x])


def test_a_generator_is_not_read_in_a_loop():
    found = bound_sensitivity(generator_twice, domain=(0, 1), size=(3, None))
    assert found.verdict == "unknown"


WEIGHTS = {"low": 0.5, "high": 1.0}


def with_constants(x, rng):
    cut, factors = 0.5, [1.0, 2.0]

    def weight(v):
        return v * (WEIGHTS["high"] if factors[0] < cut + 1 else 0)

    return sum(weight(v) for v in x) + rng.laplace()


def test_what_changes_nothing_is_still_proved():
    assert prove(with_constants, **CLAIM).verdict == "proved"
    assert prove(with_constants, **{**CLAIM, "epsilon": 0.99}).verdict == "refuted"


def named_later(x):
    factor = 5.0
    values = [v * factor for v in x]
    factor = 0.5
    return sum(values) * factor


def test_a_list_is_made_of_what_names_stand_for_then():
    assert bound_sensitivity(named_later, "2.5", domain=(0, 1)).verdict == "proved"
    assert bound_sensitivity(named_later, "2.4", domain=(0, 1)).verdict == "refuted"
