"""Objects, iterators and containers that a replay looks into: what they hold, and of what kind."""

import itertools
from collections import deque, namedtuple
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace

import pyarrow as pa
import pytest
from scipy.sparse import csr_array

from provado.audit import replay
from provado.audit.experiments.replay import FindingKind, api, output_diff

PAIR = ([1.0, 2.0], [1.0, 2.0, 3.0])
Pair = namedtuple("Pair", "noisy exact")


@dataclass
class Answer:
    noisy: float
    exact: float


class Plain:
    def __init__(self, noisy, exact):
        self.noisy, self.exact = noisy, exact

    def __repr__(self):
        return "Plain()"


class Slotted:
    __slots__ = ("exact", "noisy")

    def __init__(self, noisy, exact):
        self.noisy, self.exact = noisy, exact


def yielded(noisy, exact):
    yield noisy
    yield exact


HOLDERS = {
    "list": lambda z, e: [z, e],
    "tuple": lambda z, e: (z, e),
    "namedtuple": Pair,
    "deque": lambda z, e: deque([z, e]),
    "dict": lambda z, e: {"noisy": z, "exact": e},
    "data class": Answer,
    "object": Plain,
    "slots": Slotted,
    "namespace": lambda z, e: SimpleNamespace(noisy=z, exact=e),
    "generator": yielded,
    "map": lambda z, e: map(float, (z, e)),
    "chain": lambda z, e: itertools.chain([z], [e]),
    "function": lambda z, e: lambda: (z, e),
    "table": lambda z, e: pa.table({"noisy": [float(z)], "exact": [e]}),
    "sparse": lambda z, e: csr_array([[float(z), e]]),
}


def replayed(run):
    return replay(run, pair=PAIR, epsilon=1.0, isolate=False)


def held(data, rng, hold, moves=False):
    return hold(len(data) + rng.laplace(0, 1), float(len(data)) if moves else 7.0)


SETS = {"set": lambda z, e: {z, e}, "frozenset": lambda z, e: frozenset({z, e})}
"""Their numbers have no places: which one is exact is not told."""


@pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS)
def test_what_an_output_holds_is_found_and_its_noise_followed(hold):
    right = replayed(partial(held, hold=hold))
    assert (right.completed, right.findings, right.pairs[0].epsilon) == (True, (), 1)
    wrong = replayed(partial(held, hold=hold, moves=True))
    assert [one.kind for one in wrong.findings] == [FindingKind.OUTPUT]
    assert "is 2.0 under D and 3.0 under D′" in wrong.findings[0].words


@pytest.mark.parametrize("hold", SETS.values(), ids=SETS)
def test_an_exact_number_in_a_set_is_found_or_not_followed(hold):
    found = replayed(partial(held, hold=hold, moves=True))
    assert found.findings or not found.completed


KINDS = [
    *(("list", "tuple"), ("list", "deque"), ("list", "set"), ("set", "frozenset")),
    *(("dict", "data class"), ("data class", "namespace"), ("object", "dict")),
    *(("list", "generator"), ("tuple", "namedtuple"), ("list", "map"), ("object", "slots")),
]


@pytest.mark.parametrize("names", KINDS, ids="-".join)
def test_containers_of_two_kinds_that_hold_the_same_are_a_finding(names):
    def run(data, rng):
        return held(data, rng, (HOLDERS | SETS)[names[len(data) - 2]])

    assert [one.kind for one in replayed(run).findings] == [FindingKind.TYPE]


def test_what_an_iterator_raises_is_raised_by_the_program():
    def run(data, rng):
        yield len(data) + rng.laplace(0, 1)
        if len(data) > 2:
            raise ValueError("too many")

    assert [one.kind for one in replayed(run).findings] == [FindingKind.EXCEPTION]


def test_what_cannot_be_looked_into_is_not_followed(monkeypatch):
    def endless(data, rng):
        while True:
            yield len(data) + rng.laplace(0, 1)

    def around(data, rng):
        answer = Plain(len(data) + rng.laplace(0, 1), 0)
        answer.exact = [Plain(answer, answer) for _ in range(4)]
        return answer

    # An endless iterator makes as many calls of noise as are taken of it.
    monkeypatch.setattr(api, "MOST_TAKEN", 20)
    for run in (endless, around):
        found = replayed(run)
        assert not found.completed
        notes = " ".join(found.pairs[0].notes)
        assert "is not looked into" in notes
        assert " at 0x" not in notes


def test_comparing_what_is_held_alone_hides_the_kind(monkeypatch):
    # The twin: kinds are compared after containers and objects were taken apart.
    before = output_diff._kind
    monkeypatch.setattr(output_diff, "_kind", lambda v: before(output_diff._unwrapped(v)))

    def run(data, rng):
        return held(data, rng, HOLDERS[("dict", "data class")[len(data) - 2]])

    assert not replayed(run).findings
