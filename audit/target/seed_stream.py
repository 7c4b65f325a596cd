"""One seed, a named stream for each mechanism, pair, phase and block."""

from __future__ import annotations

import zlib

import numpy as np

EXPLORE, CERTIFY, FRESH, WORKERS, TIMED, SEQUENTIAL, SEARCH, ONE_RUN, LEARN_RUN = range(9)
"""Phases: samples that are thrown away, samples that count, draws of processes that are compared
with each other (before the first call; as workers would), draws that only time is taken of, blocks
of a sequential audit, draws that a pair is chosen by, runs with many interventions: those that
count, those that are thrown away."""


def generators(
    seed: int, name: str, pair: int, phase: int, block: int
) -> tuple[np.random.Generator, np.random.Generator, np.random.Generator]:
    """Return the generators of one block: for the coin, for do(D), for do(D′).

    They depend on nothing else: an audit that is added, or a block that runs in another worker,
    moves no other's samples.
    """
    coin, d, d_prime = (_stream(seed, name, pair, phase, block, part) for part in range(3))
    return coin, d, d_prime


def held_generator(seed: int, name: str, pair: int, phase: int, block: int) -> np.random.Generator:
    """Return the generator that seeds, for one block, those that the mechanism holds itself."""
    return _stream(seed, name, pair, phase, block, 3)


def _stream(
    seed: int, name: str, pair: int, phase: int, block: int, part: int
) -> np.random.Generator:
    key = (zlib.crc32(name.encode()), pair, phase, block, part)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
