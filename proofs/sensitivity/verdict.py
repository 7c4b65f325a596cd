"""What ``check_sensitivity`` may say, in the words of the ledger."""

from __future__ import annotations

from enum import StrEnum


class SensitivityVerdict(StrEnum):
    """The verdict on one claimed sensitivity of one score.

    ``ARGUED``: a bound for all data follows from how the query is built, by a textbook inequality
    at each step. ``VERIFIED``: every pair of neighbors of the named finite scope was tried.
    ``SUPPORTED``: searched and nothing found; not a proof. ``REFUTED``: a pair of neighbors that
    replays.
    ``UNKNOWN``: the score broke somewhere; the reason stands beside it. Never a pass.
    """

    ARGUED = "argued"
    VERIFIED = "verified"
    SUPPORTED = "supported"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


class Cause(StrEnum):
    """Why a score moves by more than was claimed.

    ``REAL``: the function itself does, in exact numbers. ``ROUNDING``: the exact function keeps the
    claim on this pair, and floating point breaks it. ``OPEN``: the score returns floats, and no
    exact version was given to tell the two apart.
    """

    REAL = "real numbers"
    ROUNDING = "floating point"
    OPEN = "not decided between real numbers and floating point"
