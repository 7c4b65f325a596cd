"""Callables under audit that the tests share: sound, broken, and stateful ones."""

import functools
import math
import random
import time

import numpy as np

from provado.mechanisms.textbook.laplace import laplace_on_grid
from provado.mechanisms.textbook.randomized_response import randomized_response

truthful = functools.partial(randomized_response, epsilon=1.0)
"""Randomized response at exactly ε = 1 on one bit."""

grid_laplace = functools.partial(laplace_on_grid, scale=1)


def flip(bit, rng, epsilon=1.0):
    """Return one report on one bit."""
    return int(bit) ^ int(rng.random() >= 1 / (1 + math.exp(-epsilon)))


def one_at_a_time(data, rng):
    return flip(data, rng)


def by_global_numpy(data):
    return int(data) ^ int(np.random.random() >= 0.7310585786300049)  # noqa: NPY002


def by_global_random(data):
    return int(data) ^ int(random.random() >= 0.7310585786300049)


class Counting:
    """Counts its calls, which changes nothing."""

    def __init__(self):
        self.calls = 0

    def __call__(self, data, *, size, rng):
        self.calls += 1
        return truthful(data, size=size, rng=rng)


class LazyTable:
    """Builds a table on its first call, which changes nothing."""

    def __init__(self):
        self.table = None

    def __call__(self, data, *, size, rng):
        if self.table is None:
            self.table = {0: 0, 1: 1}
        return truthful(self.table[data], size=size, rng=rng)


class Memoised:
    """Randomized response that gives its first answer again and again."""

    def __init__(self):
        self.answers = {}

    def __call__(self, data, rng):
        if data not in self.answers:
            self.answers[data] = flip(data, rng)
        return self.answers[data]


ANSWERS = {}


def memoised_in_a_global(data, rng):
    if data not in ANSWERS:
        ANSWERS[data] = flip(data, rng)
    return ANSWERS[data]


def memoise_in_a_global():
    ANSWERS.clear()
    return memoised_in_a_global


def memoised_in_a_closure():
    answers = {}

    def report(data, rng):
        if data not in answers:
            answers[data] = flip(data, rng)
        return answers[data]

    return report


def memoised_by_lru_cache():
    @functools.lru_cache
    def report(data):
        return flip(data, np.random.default_rng())

    return report


def memoised_in_a_default():
    def report(data, rng, answers={}):  # noqa: B006
        if data not in answers:
            answers[data] = flip(data, rng)
        return answers[data]

    return report


def memoised_by_a_helper():
    remember = memoised_in_a_closure()

    def report(data, rng):
        return remember(data, rng)

    return report


class Drifting:
    """Answers nearly by chance for so many calls and nearly truthfully from then on."""

    clock = []  # noqa: RUF012

    def __init__(self, calls):
        self.calls = calls
        Drifting.clock.clear()

    def __call__(self, data, rng):
        Drifting.clock.append(1)
        return flip(data, rng, 0.5 if len(Drifting.clock) < self.calls else 2.0)


def hang_at_once(data):
    while True:
        pass


def sleep_at_once(data):
    time.sleep(60)


class Late:
    """Does something only after so many calls, so that exploring sees nothing of it."""

    clock = []  # noqa: RUF012

    def __init__(self, calls, act):
        self._calls, self._act = calls, act
        Late.clock.clear()

    def __call__(self, data, rng):
        Late.clock.append(1)
        if len(Late.clock) > self._calls:
            return self._act()
        return flip(data, rng)
