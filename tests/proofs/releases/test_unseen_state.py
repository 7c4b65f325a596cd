"""What a function reads of its process, or of objects that change unseen: none of it is proved."""

import abc
import ctypes
import dataclasses
import datetime
import decimal
import functools
import gc
import inspect
import mmap
import operator
import os
import queue
import sqlite3
import sys
import threading
import time
import types
import warnings
import weakref
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from provado.mechanisms.programs import noise_calls
from provado.proofs import prove
from provado.proofs.sensitivity.trace import run

CLAIM = {"epsilon": 1, "domain": (0.0, 1.0), "size": (3, None)}


class Slotted:
    __slots__ = ("n",)


class Abstract(abc.ABC):  # noqa: B024
    calls = 0

    def count(self):
        Abstract.calls += 1
        return Abstract.calls


class OwnList(list):
    pass


class OwnInt(int):
    pass


class Meta(type):
    n = 0


COUNTED = Slotted()
COUNTED.n = 0
MAPPED, QUEUE, EVENT, LOCK = mmap.mmap(-1, 16), queue.Queue(), threading.Event(), threading.Lock()
WEAK, NESTED, INSIDE = weakref.WeakValueDictionary(), {"a": {"n": 0}}, ([0],)
OBJECTS = np.empty((1, 1), dtype=object)
OBJECTS[0, 0] = [0]
MASKED, FRAME, OF_C = np.ma.zeros(2), pd.DataFrame({"n": [0]}), ctypes.c_int(0)
DATABASE, ABSTRACT, LIST, WHOLE = sqlite3.connect(":memory:"), Abstract(), OwnList([0]), OwnInt(1)
WHOLE.n = 0
PARTIAL, POLYNOMIAL = functools.partial(int, "3"), np.poly1d([0.0, 0.0])
FOREIGN = np.frombuffer(MAPPED, dtype=np.uint8)
NORMAL, PATH = scipy.stats.norm(0, 1), Path("left-open")
PROXY = types.MappingProxyType({"a": [0]})
OF_PYTHON = np.frompyfunc(lambda _: QUEUE.qsize(), 1, 1)


def raised(one, name="n"):
    setattr(one, name, getattr(one, name, 0) + 1)
    return getattr(one, name)


def put_one(several):
    several[0] += 1
    return several[0]


# Each is asked whether it is beyond 1,000: then the data are released as they are.
STATES = {
    "environment": lambda: len(os.environ.get("A", "")),
    "process": lambda: os.getpid() - 10**9,
    "file": lambda: len(open(os.devnull).read()),  # noqa: PTH123, SIM115
    "path": PATH.exists,
    "clock": lambda: time.time() - 10**11,
    "date": lambda: datetime.date.today().year,
    "date of NumPy": lambda: int(np.datetime64("today") > np.datetime64("2500-01-01")) * 2000,
    "date of pandas": lambda: pd.Timestamp("now").year - 1500,
    "threads": threading.active_count,
    "modules": lambda: len(sys.modules) - 10**9,
    "settings of NumPy": lambda: len(np.geterr()),
    "printing": lambda: np.get_printoptions()["edgeitems"],
    "filters": lambda: len(warnings.filters),
    "interpreter": lambda: sys.getrecursionlimit() - 10**9,
    "decimal context": lambda: decimal.getcontext().prec,
    "collector": lambda: gc.get_threshold()[0],
    "stack": lambda: len(inspect.stack()),
    "hash": lambda: hash("a") % 7,
    "hash of an object": lambda: "a".__hash__() % 7,
    "address": lambda: id(object()) % 4096 - 10**9,
    "memory": lambda: np.empty(3)[0] > 1e300,
    "code": lambda: len(eval("[1]")),
    "an import": lambda: __import__("time").time() - 10**11,
    "globals of a library": lambda: dataclasses.field.__globals__["sys"].getrecursionlimit(),
    "by a method's name": lambda: len(operator.methodcaller("__subclasses__")(object)) - 10**9,
    "attribute of a library": lambda: raised(np.sum),
    "attribute of a metaclass": lambda: raised(Meta),
    "attribute of a partial": lambda: raised(PARTIAL),
    "attribute of a distribution": lambda: raised(NORMAL),
    "slots": lambda: raised(COUNTED),
    "own number": lambda: raised(WHOLE),
    "abstract class": lambda: ABSTRACT.count(),
    "memory map": lambda: MAPPED[0],
    "array of other memory": lambda: FOREIGN[0],
    "queue": lambda: QUEUE.qsize(),
    "function of Python in NumPy": lambda: OF_PYTHON(1),
    "event": lambda: EVENT.is_set(),
    "lock": lambda: LOCK.locked(),
    "weak references": lambda: len(WEAK),
    "nested": lambda: put_one(NESTED["a"].setdefault("b", [0])),
    "inside a tuple": lambda: put_one(INSIDE[0]),
    "inside objects": lambda: put_one(OBJECTS[0, 0]),
    "behind a proxy": lambda: put_one(PROXY["a"]),
    "own list": lambda: put_one(LIST),
    "masked array": lambda: put_one(MASKED),
    "polynomial": lambda: put_one(POLYNOMIAL),
    "frame": lambda: len(FRAME),
    "of another language": lambda: OF_C.value,
    "database": lambda: DATABASE.total_changes,
}


def reading(state):
    def function(x, rng):
        return x.sum() if state() > 1000 else x.sum() + rng.laplace()

    return function


def test_a_constant_is_still_proved():
    assert prove(reading(lambda: len([*map(abs, (1, 2))])), **CLAIM).verdict == "proved"


@pytest.mark.parametrize("kind", STATES)
def test_a_state_that_is_not_seen_is_not_followed(kind):
    found = prove(reading(STATES[kind]), **CLAIM)
    assert found.verdict == "undecided"
    said = ("cannot be seen", "the next call finds", "is not followed", "np.empty", "not traced")
    assert any(words in found.reason for words in said)


GUARDS = {
    "process": ("_is_followed", lambda *_: True),
    "clock": ("_is_followed", lambda *_: True),
    "hash of an object": ("_INSIDE", set()),
    "attribute of a library": ("_attributes", lambda _: {}),
    "array of other memory": ("_is_of_other_memory", lambda _: False),
}


@pytest.mark.parametrize("kind", GUARDS)
def test_without_its_guard_a_state_would_be_followed(kind):
    with mock.patch.object(run, *GUARDS[kind]):
        assert prove(reading(STATES[kind]), **CLAIM).verdict == "proved"


# Generators are made in each test: an audit in the same process seeds those that it finds.
def of_seed_5():
    result = np.random.default_rng()
    result.bit_generator.state = np.random.default_rng(5).bit_generator.state
    return result


def of_old_seed_3():
    result = np.random.RandomState()
    result.set_state(np.random.RandomState(3).get_state())
    return result


def with_a_number_set():
    result = np.random.default_rng()
    state = result.bit_generator.state
    result.bit_generator.state = state | {"state": state["state"] | {"state": 5}}
    return result


def one_draw_back():
    result = np.random.default_rng()
    result.bit_generator.advance(-1)
    return result


@pytest.mark.parametrize("make", [of_seed_5, of_old_seed_3, with_a_number_set, one_draw_back])
def test_a_generator_whose_state_was_set_is_refused(make):
    generator = make()

    def function(x):
        return x.sum() + generator.laplace()

    result = prove(function, **CLAIM)
    assert result.verdict == "undecided"
    assert "state of a generator" in result.reason
    with mock.patch.object(noise_calls, "_is_of_its_seed", return_value=True):
        assert prove(function, **CLAIM).verdict == "proved"


def test_a_generator_that_was_drawn_from_is_followed():
    generator = np.random.default_rng()
    generator.laplace(size=1000)

    def function(x):
        return x.sum() + generator.laplace()

    assert prove(function, **CLAIM).verdict == "proved"
