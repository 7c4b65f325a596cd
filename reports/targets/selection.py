"""Which mechanisms a command is about: the catalogue, the libraries, and a filter by name."""

import contextlib
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase

from provado.mechanisms import Mechanism, UsageError
from provado.mechanisms.catalogue import catalogue
from provado.reports.text import did_you_mean


def library_mechanisms(only: Sequence[str] = ()) -> tuple[tuple[Mechanism, ...], tuple[str, ...]]:
    """Return what the adapters release, and a line for each adapter that had to be left out.

    only: patterns of names; an adapter none of whose releases could match is not asked, and its
        library not imported.
    """
    try:
        # A library that greets its user on import must not do so in the JSON.
        with contextlib.redirect_stdout(sys.stderr):
            from provado.mechanisms.adapters.plugins import released_mechanisms

            released = released_mechanisms(
                lambda name: not only or any(_may_match(name, pattern) for pattern in only)
            )
    except ImportError as error:
        raise UsageError(
            f"--libraries: {error}; install them with pip install 'provado[libraries]'"
        ) from error
    return released.mechanisms, tuple(each.words() for each in released.broken)


def select(
    from_catalogue: bool, from_libraries: bool, only: Sequence[str]
) -> list[tuple[str, Mechanism]]:
    """Return the chosen mechanisms, each with the option that it comes from, in catalogue order.

    only: patterns as a shell's, of which a name must match one; a pattern that matches no name
    raises ``UsageError``. Adapters that are left out are told about on standard error.
    """
    chosen: list[tuple[str, Mechanism]] = []
    left_out: tuple[str, ...] = ()
    if from_catalogue:
        chosen += [("--catalogue", mechanism) for mechanism in catalogue()]
    if from_libraries:
        mechanisms, left_out = library_mechanisms(only)
        chosen += [("--libraries", mechanism) for mechanism in mechanisms]
    for pattern in only:
        if not any(_matches(mechanism.name, pattern) for _, mechanism in chosen):
            reasons = "".join(f"; {line}" for line in left_out)
            near = did_you_mean.hint(pattern, (mechanism.name for _, mechanism in chosen))
            raise UsageError(
                f"--only {pattern!r}: no name matches; `provado list` shows them{near}{reasons}"
            )
    for line in left_out:
        print(f"provado: warning: {line}", file=sys.stderr)
    if not only:
        return chosen
    return [
        (option, mechanism)
        for option, mechanism in chosen
        if any(_matches(mechanism.name, pattern) for pattern in only)
    ]


def _matches(name: str, pattern: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern)


def _may_match(adapter: str, pattern: str) -> bool:
    """Say whether a name that starts with ``adapter/`` could match: the pattern's beginning does.

    Stars, question marks and brackets match the stroke too, so each may be where the beginning
    ends.
    """
    ends = [i + 1 for i, character in enumerate(pattern) if character in "*?]/"]
    return any(fnmatchcase(f"{adapter}/", pattern[:end]) for end in ends)
