"""One seed, a named stream for each mechanism, pair, phase and block."""

from __future__ import annotations

import zlib

import numpy as np

EXPLORE, CERTIFY, FRESH = 0, 1, 2
"""Phases: samples that are thrown away, samples that count, draws from fresh copies."""


def generators(
    seed: int, name: str, pair: int, phase: int, block: int
) -> tuple[np.random.Generator, np.random.Generator, np.random.Generator]:
    """Return the generators of one block: for the coin, for do(D), for do(D′).

    They depend on nothing else: an audit that is added, or a block that runs in another worker,
    moves no other's samples.
    """
    key = (zlib.crc32(name.encode()), pair, phase, block)
    children = np.random.SeedSequence(seed, spawn_key=key).spawn(3)
    coin, d, d_prime = (np.random.default_rng(child) for child in children)
    return coin, d, d_prime
