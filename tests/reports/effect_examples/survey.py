"""A survey of statuses by randomized response: Ada's is a copy of Byron's in the family."""

import math

import numpy as np


def count(data, *, size, rng):
    """Return how many report the status; each report tells the truth at ε = 1."""
    lies = rng.random((size, len(data))) >= math.e / (1 + math.e)
    return (lies ^ (np.asarray(data) > 0)).sum(axis=1)


def too_telling(data, *, size, rng):
    """The same at ε = 2, so that a claim of ε = 1 is false."""
    lies = rng.random((size, len(data))) >= math.exp(2) / (1 + math.exp(2))
    return (lies ^ (np.asarray(data) > 0)).sum(axis=1)


def family(size, rng):
    """Two copies of one status, and a neighbor of their own."""
    ada, neighbor = rng.integers(0, 2, size), rng.integers(0, 2, size)
    return np.column_stack([ada, ada, neighbor])


def breaks(data, *, size, rng):
    raise RuntimeError("boom")
