"""What a function changes of what its next call finds is not followed: it is never proved."""

import collections
import contextvars
import itertools
import logging
import threading
import warnings
from fractions import Fraction

import numpy as np
import pytest

from provado.proofs.programs.decide import ProgramVerdict
from provado.proofs.releases.decide import ReleaseDecision, decide_releases
from provado.proofs.releases.noise_costs import ReleaseClaim
from provado.proofs.sensitivity.bounded import bound_sensitivity
from provado.proofs.sensitivity.outcome import SensitivityVerdict


class Box:
    v = 0.0


class Mechanism:
    def __init__(self):
        self.v, self.calls = 0.0, 0

    def last_sum(self, x, rng):
        last, self.v = self.v, 10 * x.sum()
        return last + rng.laplace(scale=1.0)

    def free_after_a_while(self, x, rng):
        self.calls += 1
        return x.sum() if self.calls > 100 else x.sum() + rng.laplace(scale=1.0)

    def keeps_nothing(self, x, rng):
        total = x.sum()
        return total + rng.laplace(scale=1.0)


LAST, CALLS = 0.0, 0
LIST, QUEUE, HELD = [0.0], collections.deque([0.0]), {"v": 0.0}
COUNTED, DEFAULTS = collections.Counter(), collections.defaultdict(float)
ARRAY, OBJECTS = np.zeros(2), np.array([None, 0.0], dtype=object)
NUMBERS, CONTEXT = itertools.count(), contextvars.ContextVar("CONTEXT", default=0.0)
LOCAL = threading.local()
LOCAL.v = 0.0
OBJECT = Mechanism()


def of_a_global(x, rng):
    global LAST
    last, LAST = LAST, 10 * x.sum()
    return last + rng.laplace(scale=1.0)


def counted(x, rng):
    global CALLS
    CALLS += 1
    return x.sum() if CALLS > 100 else x.sum() + rng.laplace(scale=1.0)


def of_globals(x, rng):
    last = LAST
    globals()["LAST"] = 10 * x.sum()
    return last + rng.laplace(scale=1.0)


def of_a_list(x, rng):
    last, LIST[0] = LIST[0], 10 * x.sum()
    return last + rng.laplace(scale=1.0)


def of_a_queue(x, rng):
    last = QUEUE.popleft()
    QUEUE.append(10 * x.sum())
    return last + rng.laplace(scale=1.0)


def of_a_dictionary(x, rng):
    last = HELD["v"]
    HELD.update(v=10 * x.sum())
    return last + rng.laplace(scale=1.0)


def of_a_counter(x, rng):
    COUNTED["calls"] += 1
    return x.sum() if COUNTED["calls"] > 100 else x.sum() + rng.laplace(scale=1.0)


def of_defaults(x, rng):
    last = DEFAULTS["v"]
    DEFAULTS["v"] = 10 * x.sum()
    return last + rng.laplace(scale=1.0)


def of_an_array(x, rng):
    ARRAY[0] += 1
    return x.sum() if ARRAY[0] > 100 else x.sum() + rng.laplace(scale=1.0)


def of_objects(x, rng):
    last, OBJECTS[1] = OBJECTS[1], 10 * x.sum()
    return last + rng.laplace(scale=1.0)


def of_a_class(x, rng):
    last, Box.v = Box.v, 10 * x.sum()
    return last + rng.laplace(scale=1.0)


def of_a_class_by_name(x, rng):
    last = Box.v
    setattr(Box, "v", 10 * x.sum())  # noqa: B010
    return last + rng.laplace(scale=1.0)


def of_itself(x, rng):
    last = getattr(of_itself, "last", 0.0)
    of_itself.last = 10 * x.sum()
    return last + rng.laplace(scale=1.0)


def of_an_argument(x, rng, last=[0.0]):  # noqa: B006
    before, last[0] = last[0], 10 * x.sum()
    return before + rng.laplace(scale=1.0)


def of_an_iterator(x, rng):
    return x.sum() if next(NUMBERS) > 100 else x.sum() + rng.laplace(scale=1.0)


def of_a_context(x, rng):
    last = CONTEXT.get()
    CONTEXT.set(10 * x.sum())
    return last + rng.laplace(scale=1.0)


def of_a_thread(x, rng):
    last, LOCAL.v = LOCAL.v, 10 * x.sum()
    return last + rng.laplace(scale=1.0)


def of_an_object(x, rng):
    return OBJECT.last_sum(x, rng)


def an_enclosing():
    kept = 0.0

    def of_a_closure(x, rng):
        nonlocal kept
        last, kept = kept, 10 * x.sum()
        return last + rng.laplace(scale=1.0)

    return of_a_closure


KEEP = [
    *(of_a_global, counted, of_globals, of_a_list, of_a_queue, of_a_dictionary, of_a_counter),
    *(of_defaults, of_an_array, of_objects, of_a_class, of_a_class_by_name, of_itself),
    *(of_an_argument, of_an_iterator, of_a_context, of_a_thread, of_an_object, an_enclosing()),
    *(OBJECT.last_sum, OBJECT.free_after_a_while),
]

EDGES, SCALES, WEIGHTS = [0, 0.5, 1], {"sum": 2.0}, np.array([1.0, 1.0])


def of_constants(x, rng):
    noise = rng.laplace(scale=SCALES["sum"], size=2)
    return np.histogram(x, bins=EDGES)[0] * WEIGHTS + noise


def of_own_lists(x, rng):
    kept = dict(SCALES)
    kept["sum"] = x.sum()
    return kept["sum"] + rng.laplace(scale=1.0)


def of_own_objects(x, rng):
    box = Box()
    box.total = x.sum()
    return box.total + rng.laplace(scale=1.0)


LOG = logging.getLogger("test_kept_state")


def with_warnings_and_a_log(x, rng):
    warnings.warn("the budget is spent", stacklevel=1)
    LOG.debug("one release")
    return x.sum() + rng.laplace(scale=1.0)


def decided(function) -> ReleaseDecision:
    return decide_releases(
        function, ReleaseClaim(epsilon=Fraction(1)), domain=(0, 1), size=(2, None)
    )


@pytest.mark.parametrize("function", KEEP, ids=lambda one: one.__name__)
def test_what_the_next_call_finds_changed_is_named(function):
    found = decided(function)
    assert found.verdict is ProgramVerdict.UNDECIDED
    assert "the next call finds" in found.reason


@pytest.mark.filterwarnings("ignore:the budget")
@pytest.mark.parametrize(
    "function",
    [of_constants, of_own_lists, of_own_objects, OBJECT.keeps_nothing, with_warnings_and_a_log],
    ids=lambda one: one.__name__,
)
def test_what_nothing_outlives_is_proved(function):
    assert decided(function).verdict is ProgramVerdict.PROVED


def test_a_query_is_held_to_the_same_rule():
    def last_sum(x):
        global LAST
        last, LAST = LAST, 10 * x.sum()
        return last

    found = bound_sensitivity(last_sum, domain=(0, 1))
    assert found.verdict is SensitivityVerdict.UNKNOWN
    assert "the global name LAST" in found.reason


def test_what_was_found_is_left_as_it_was():
    for function in (of_a_list, of_a_dictionary, of_an_array, of_a_class, of_a_queue):
        decided(function)
    assert (LIST, HELD, ARRAY[0], Box.v, [*QUEUE]) == ([0.0], {"v": 0.0}, 0, 0.0, [0.0])
