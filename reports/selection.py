"""Which mechanisms a command is about: the catalogue, the libraries, and a filter by name."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase

from provado.mechanisms import Mechanism, UsageError
from provado.mechanisms.catalogue import catalogue


def library_mechanisms() -> tuple[Mechanism, ...]:
    """Return the mechanisms of the released libraries that are installed."""
    try:
        # A library that greets its user on import must not do so in the JSON.
        with contextlib.redirect_stdout(sys.stderr):
            from provado.mechanisms.adapters.libraries import library_mechanisms

            return tuple(library_mechanisms())
    except ImportError as error:
        raise UsageError(
            f"--libraries: {error}; install them with pip install 'provado[libraries]'"
        ) from error


def select(
    from_catalogue: bool, from_libraries: bool, only: Sequence[str]
) -> list[tuple[str, Mechanism]]:
    """Return the chosen mechanisms, each with the option that it comes from, in catalogue order.

    only: patterns as a shell's, of which a name must match one; a pattern that matches no name
    raises ``UsageError``.
    """
    chosen: list[tuple[str, Mechanism]] = []
    if from_catalogue:
        chosen += [("--catalogue", mechanism) for mechanism in catalogue()]
    if from_libraries:
        chosen += [("--libraries", mechanism) for mechanism in library_mechanisms()]
    for pattern in only:
        if not any(_matches(mechanism.name, pattern) for _, mechanism in chosen):
            raise UsageError(f"--only {pattern!r}: no name matches; `provado list` shows them")
    if not only:
        return chosen
    return [
        (option, mechanism)
        for option, mechanism in chosen
        if any(_matches(mechanism.name, pattern) for pattern in only)
    ]


def _matches(name: str, pattern: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern)
