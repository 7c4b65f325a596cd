"""Seeds of single calls, from the one seed of the session."""

from __future__ import annotations

import hashlib
import secrets


def call_seed(session_seed: int, test: str, fixture: str, number: int) -> int:
    """Return the seed of the ``number``-th call of ``fixture`` in a test, at most 2^62.

    It depends on nothing else: neither on the order of the tests, nor on which others run, nor on
    the worker.
    """
    key = "\0".join((str(session_seed), test, fixture, str(number)))
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") >> 2


def fresh_seed() -> int:
    """Return a new seed of the operating system, short enough to be typed again."""
    return secrets.randbelow(2**32)
