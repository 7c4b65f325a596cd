"""Noise that is drawn twice from one stream, or that all who read the code know: none is proved."""

import copy
import pickle
import random
from unittest import mock

import numpy as np
import pytest

from provado.proofs import prove
from provado.proofs.releases import sources

CLAIM = {"epsilon": 1, "domain": (0.0, 1.0), "size": (3, None)}
FRESH = np.random.default_rng()
ONE, OTHER = FRESH.spawn(2)
COPIED = copy.deepcopy(FRESH)
SET = np.random.default_rng()
SET.bit_generator.state = FRESH.bit_generator.state
FIRST, SECOND = random.Random(5), random.Random(5)
DRAW, DRAW_AGAIN = FRESH.laplace, COPIED.laplace
SEEDED = np.random.default_rng(3)


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


def with_the_same_seed(x):
    return x.sum() + FIRST.gauss(0, 1), SECOND.gauss(0, 1)


def drawn_by_methods(x):
    return x.sum() + DRAW(), DRAW_AGAIN()


def seeded_outside(x):
    return x.sum() + SEEDED.laplace()


def seeded_argument(x, rng=SEEDED):
    return x.sum() + rng.laplace()


COPY, TWO = "a copy of a generator draws the same noise", "two generators may draw the same noise"
LEAKS = {
    **dict.fromkeys((copied_inside, copied_by_copy, pickled, copied_in_an_object), COPY),
    **dict.fromkeys((copied_outside, with_the_same_state, with_the_same_seed), TWO),
    drawn_by_methods: TWO,
    **dict.fromkeys((seeded_outside, seeded_argument), sources.KNOWN),
}


@pytest.mark.parametrize("function", LEAKS, ids=lambda one: one.__name__)
def test_noise_that_is_known_is_refused(function):
    found = prove(function, **CLAIM)
    assert found.verdict == "undecided"
    assert LEAKS[function] in found.reason


@pytest.mark.parametrize("function", [copied_outside, drawn_by_methods, seeded_outside])
def test_without_its_guard_it_would_be_proved(function):
    with mock.patch.object(sources, "_tell_apart", return_value=None):
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


@pytest.mark.parametrize("function", [of_one, of_spawned, of_an_object])
def test_what_is_drawn_apart_is_proved(function):
    assert prove(function, **CLAIM).verdict == "proved"


def raises_the_data(x, rng):
    noisy = x.sum() + rng.laplace()
    if noisy > 1:
        raise ValueError(x.max())
    return noisy


def test_an_error_that_holds_data_ends_the_run():
    found = prove(raises_the_data, **CLAIM)
    assert found.verdict == "undecided"
    assert "depends on" in found.reason
