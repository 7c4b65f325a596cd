"""Sound mechanisms, randomized response at ε = 1 on one bit, that hold their own randomness."""

import random

import numpy as np

TRUTH = 0.7310585786300049


class Attribute:
    def __init__(self):
        self.rng = np.random.default_rng(1)

    def __call__(self, data):
        return int(data) ^ int(self.rng.random() >= TRUTH)


class AttributeInBatches(Attribute):
    def __call__(self, data, *, size, rng):  # noqa: ARG002
        return int(data) ^ (self.rng.random(size) >= TRUTH).astype(int)


class Legacy:
    def __init__(self):
        self.state = np.random.RandomState(2)

    def __call__(self, data):
        return int(data) ^ int(self.state.random_sample() >= TRUTH)


class OfPython:
    def __init__(self):
        self.random = random.Random(3)

    def __call__(self, data):
        return int(data) ^ int(self.random.random() >= TRUTH)


class Lazy:
    """Makes its generator on the first call."""

    def __init__(self):
        self.rng = None

    def __call__(self, data):
        if self.rng is None:
            self.rng = np.random.default_rng()
        return int(data) ^ int(self.rng.random() >= TRUTH)


def in_a_closure():
    rng = np.random.default_rng(4)
    return lambda data: int(data) ^ int(rng.random() >= TRUTH)


OF_THE_MODULE = np.random.default_rng(5)


def in_a_global(data):
    return int(data) ^ int(OF_THE_MODULE.random() >= TRUTH)


def of_numpy(data):
    return int(data) ^ int(np.random.random() >= TRUTH)  # noqa: NPY002


def of_random(data):
    return int(data) ^ int(random.random() >= TRUTH)


def beside_the_rng(data, rng):
    """Takes ``rng``, and draws from the global state all the same."""
    return int(data) ^ int((rng.random() + np.random.random()) % 1 >= TRUTH)  # noqa: NPY002


SEEDED = {
    "attribute": Attribute,
    "attribute, in batches": AttributeInBatches,
    "RandomState": Legacy,
    "random.Random": OfPython,
    "closure": in_a_closure,
    "module": lambda: in_a_global,
    "numpy.random": lambda: of_numpy,
    "random": lambda: of_random,
    "numpy.random beside rng": lambda: beside_the_rng,
}
"""Makers of mechanisms whose generators can be found and seeded."""


class ByHand:
    """A linear congruential generator in an integer, which nobody can find or seed."""

    def __init__(self):
        self.state = 12345

    def __call__(self, data):
        self.state = (6364136223846793005 * self.state + 1442695040888963407) % 2**64
        return int(data) ^ int(self.state / 2**64 >= TRUTH)


def of_the_system(data):
    return int(data) ^ int(random.SystemRandom().random() >= TRUTH)
