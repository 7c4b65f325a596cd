"""Noise that is drawn twice from one stream, or that all who read the code know: none is proved."""

import copy
import math
import pickle
import random
from unittest import mock

import numpy as np
import pytest

from provado.audit.target.random_state import GeneratorSet, seeding
from provado.mechanisms import UsageError
from provado.mechanisms.programs.noise_calls import KNOWN, FoundGenerators
from provado.proofs import prove
from provado.proofs.releases import sources

CLAIM = {"epsilon": 1, "domain": (0.0, 1.0), "size": (3, None)}
FRESH = np.random.default_rng()
ONE, OTHER = FRESH.spawn(2)
COPIED = copy.deepcopy(FRESH)
SET = np.random.default_rng()
SET.bit_generator.state = FRESH.bit_generator.state
OF_PYTHON = random.Random(5)
DRAW, DRAW_AGAIN = FRESH.laplace, COPIED.laplace
SEEDED = np.random.default_rng(3)
OLD_SEEDED, OLD = np.random.RandomState(5), np.random.RandomState()
SYSTEM = random.SystemRandom()


class Quiet(np.random.Generator):
    def laplace(self, *_):
        return 0.0


class QuietSystem(random.SystemRandom):
    def gauss(self, *_):
        return 0.0


class LikeOne:
    def laplace(self):
        return 0.0


QUIET, QUIET_SYSTEM = Quiet(np.random.PCG64()), QuietSystem()


class Holder:
    def __init__(self, rng):
        self.rng = rng


def copied_inside(x, rng):
    other = copy.deepcopy(rng)
    return x.sum() + rng.laplace(), other.laplace()


def copied_by_copy(x, rng):
    other = copy.copy(rng)
    return x.sum() + rng.laplace(), other.laplace()


def pickled(x, rng):
    other = pickle.loads(pickle.dumps(rng))
    return x.sum() + rng.laplace(), other.laplace()


def copied_in_an_object(x, rng):
    one = Holder(rng)
    other = copy.deepcopy(one)
    return x.sum() + one.rng.laplace(), other.rng.laplace()


def copied_outside(x):
    return x.sum() + FRESH.laplace(), COPIED.laplace()


def with_the_same_state(x):
    return x.sum() + FRESH.laplace(), SET.laplace()


def with_a_seed_of_python(x):
    return x.sum() + OF_PYTHON.gauss(0, 2), x.max() + OF_PYTHON.gauss(0, 2)


def drawn_by_methods(x):
    return x.sum() + DRAW(), DRAW_AGAIN()


def seeded_outside(x):
    return x.sum() + SEEDED.laplace()


def seeded_argument(x, rng=SEEDED):
    return x.sum() + rng.laplace()


def old_seeded_outside(x):
    return x.sum() + OLD_SEEDED.laplace()


def old_seeded_argument(x, rng=OLD_SEEDED):
    return x.sum() + rng.laplace()


def of_its_own_kind(x):
    return x.sum() + QUIET.laplace()


def of_its_own_kind_as_an_argument(x, rng=QUIET):
    return x.sum() + rng.laplace()


def of_its_own_kind_of_python(x):
    return x.sum() + QUIET_SYSTEM.gauss(0, 1)


OWN = "a kind of generator of its own"
COPY, TWO = "a copy of a generator draws the same noise", "two generators may draw the same noise"
LEAKS = {
    **dict.fromkeys((copied_inside, copied_by_copy, pickled, copied_in_an_object), COPY),
    **dict.fromkeys((copied_outside, drawn_by_methods), TWO),
    with_the_same_state: "the state of a generator may have been set",
    **dict.fromkeys((seeded_outside, seeded_argument), KNOWN),
    **dict.fromkeys((old_seeded_outside, old_seeded_argument), KNOWN),
    with_a_seed_of_python: "does not tell its seed",
    **dict.fromkeys((of_its_own_kind, of_its_own_kind_as_an_argument), OWN),
    of_its_own_kind_of_python: OWN,
}


@pytest.mark.parametrize("function", LEAKS, ids=lambda one: one.__name__)
def test_noise_that_is_known_is_refused(function):
    found = prove(function, **CLAIM)
    assert found.verdict == "undecided"
    assert LEAKS[function] in found.reason


UNGUARDED = [copied_outside, drawn_by_methods, seeded_outside, seeded_argument, old_seeded_outside]


@pytest.mark.parametrize("function", [*UNGUARDED, of_its_own_kind])
def test_without_its_guard_it_would_be_proved(function):
    with mock.patch.object(FoundGenerators, "fault", return_value=""):
        assert prove(function, **CLAIM).verdict == "proved"


def test_without_its_guard_a_copy_would_be_proved():
    with mock.patch.object(sources.NoiseSource, "__reduce_ex__", object.__reduce_ex__):
        assert prove(copied_inside, **CLAIM).verdict == "proved"


def of_one(x):
    return x.sum() + FRESH.laplace(0, 2), x.max() + FRESH.laplace(0, 2)


def of_spawned(x):
    return x.sum() + ONE.laplace(0, 2), x.max() + OTHER.laplace(0, 2)


def of_an_object(x):
    return HOLDER.rng.laplace() + x.sum()


HOLDER = Holder(FRESH)


def of_an_old_one(x):
    return x.sum() + OLD.laplace()


def of_an_argument(x, rng=FRESH):
    return x.sum() + rng.laplace()


DRAWN_APART = [of_one, of_spawned, of_an_object, of_an_old_one, of_an_argument]


@pytest.mark.parametrize("function", DRAWN_APART)
def test_what_is_drawn_apart_is_proved(function):
    assert prove(function, **CLAIM).verdict == "proved"


def test_it_is_proved_after_an_audit_seeded_the_generators_that_it_found():
    before = OLD.get_state(legacy=False)
    with seeding(GeneratorSet([OLD])) as seed:
        seed(np.random.default_rng(0))
        first = OLD.random()
        seed(np.random.default_rng(0))
        assert OLD.random() == first
    np.testing.assert_equal(OLD.get_state(legacy=False), before)
    assert prove(of_an_old_one, **CLAIM).verdict == "proved"


def test_an_old_generator_that_was_seeded_later_is_not_proved():
    seeded = np.random.RandomState()
    seeded.seed(5)
    with mock.patch.dict(globals(), OLD=seeded):
        assert prove(of_an_old_one, **CLAIM).verdict == "undecided"


def test_the_system_s_own_noise_has_no_seed():
    def of_the_system(x):
        return x.sum() + SYSTEM.gauss(0, 1)

    claim = {"mu": 1, "domain": (0.0, 1.0), "size": (3, None)}
    assert prove(of_the_system, **claim).verdict == "proved"


def test_an_argument_that_is_called_rng_is_what_it_is():
    def of_an_object_of_its_own(x, rng=LikeOne()):  # noqa: B008
        return x.sum() + rng.laplace()

    assert prove(of_an_object_of_its_own, **CLAIM).verdict == "refuted"


def raises_the_data(x, rng):
    noisy = x.sum() + rng.laplace()
    if noisy > 1:
        raise ValueError(x.max())
    return noisy


def test_an_error_that_holds_data_ends_the_run():
    found = prove(raises_the_data, **CLAIM)
    assert found.verdict == "undecided"
    assert "depends on" in found.reason


def of_each_answer(q, eps):
    out = []
    for i in range(len(q)):
        out.append(q[i] + SEEDED.laplace(0, len(q) / eps))
    return out


def of_each_answer_of_an_old_one(q, eps):
    out = []
    for i in range(len(q)):
        out.append(q[i] + OLD_SEEDED.laplace(0, len(q) / eps))
    return out


def of_each_answer_twice(q, eps):
    out = []
    for i in range(len(q)):
        out.append(q[i] + FRESH.laplace(0, 2 * len(q) / eps))
        out.append(q[i] + DRAW_AGAIN(0, 2 * len(q) / eps))
    return out


def of_each_answer_by_two(q, eps):
    out = []
    for i in range(len(q)):
        out.append(q[i] + ONE.laplace(0, 2 * len(q) / eps))
        out.append(q[i] + OTHER.laplace(0, 2 * len(q) / eps))
    return out


PROGRAMS = {of_each_answer: KNOWN, of_each_answer_of_an_old_one: KNOWN, of_each_answer_twice: TWO}


@pytest.mark.parametrize("function", PROGRAMS)
def test_programs_of_answers_are_held_to_the_same(function):
    with pytest.raises(UsageError, match=PROGRAMS[function]):
        prove(function, epsilon="eps")
    with mock.patch.object(FoundGenerators, "fault", return_value=""):
        assert prove(function, epsilon="eps").verdict == "proved"


def test_a_program_may_draw_from_two_generators_that_are_apart():
    assert prove(of_each_answer_by_two, epsilon="eps").verdict == "proved"


SPELLINGS = {
    "location": lambda x, rng, b: rng.laplace(np.sort(x)[-2], b),
    "by Python": lambda x, rng, b: (
        sum(math.log(1 + v) / math.log(2) for v in x) + rng.laplace(0, b)
    ),
}


@pytest.mark.parametrize("kind", SPELLINGS)
def test_a_location_is_what_noise_is_added_to(kind):
    claim = {"epsilon": 1, "domain": (0.0, 1.0), "size": (3, None)}
    assert prove(SPELLINGS[kind], parameters={"b": 1.0}, **claim).verdict == "proved"
    assert prove(SPELLINGS[kind], parameters={"b": 0.5}, **claim).verdict == "refuted"
