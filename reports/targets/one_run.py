"""What is asked of an audit of few runs with many interventions in each, as options."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from provado.mechanisms import Mechanism, NeighboringRelation, UsageError

from .dataset import load_dataset
from .load import load_target

OPTIONS = ("canaries", "instead", "score", "guesses", "threshold", "runs", "explore_runs")
"""The first says that an audit is one of few runs."""

OF_PAIRS = ("pair", "domain", "arithmetic", "timing", "read")
"""Options that state what such an audit has no use for."""

SETTINGS_OF_PAIRS = ("samples", "seconds", "explore", "stop_early")


def typed_few(options: argparse.Namespace) -> dict[str, Any]:
    """Return the keywords of ``audit_one_run`` that were given; raises ``UsageError`` for a file.

    ``explore_runs`` is its ``explore``.
    """
    found = {name: getattr(options, name) for name in OPTIONS}
    found = {name: value for name, value in found.items() if value is not None}
    for name in ("canaries", "instead"):
        if name in found:
            found[name] = load_dataset(found[name])
    if "score" in found:
        found["score"] = load_function(found["score"], "--score")
    if "explore_runs" in found:
        found["explore"] = found.pop("explore_runs")
    return found


def few_words(options: argparse.Namespace) -> list[str]:
    """Return these options as they are typed again."""
    words: list[str] = []
    for name in OPTIONS:
        value = getattr(options, name)
        if value is not None:
            word = f"--{spelled(name)}"
            # A number below 0 could be taken for an option.
            words += [f"{word}={value!r}"] if isinstance(value, float) else [word, str(value)]
    return words


def load_function(text: str, option: str) -> Callable[[Any], Any]:
    """Return the function of an output that an option names; raises ``UsageError`` for others."""
    try:
        return load_score(text)
    except UsageError as error:
        raise UsageError(f"{option}: {error}") from error


def load_score(text: str, folder: Path | None = None) -> Callable[[Any], Any]:
    """Return the function of an output that ``text`` names; raises ``UsageError`` for others."""
    found: Any = load_target(text, folder).mechanism
    if isinstance(found, Mechanism) or not callable(found):
        raise UsageError(f"{text!r} is a Mechanism: it must be a function of an output")
    return found  # type: ignore[no-any-return]


def check_relation(relation: NeighboringRelation | str | None, instead: Any) -> None:
    """Raise ``UsageError`` where a relation is stated that a coin is no step of."""
    own = "add-or-remove-one" if instead is None else "replace-one"
    if relation is None:
        return
    stated = relation if isinstance(relation, str) else relation.words()
    if stated != own:
        how = "without" if instead is None else "with"
        raise UsageError(f"relation is {stated!r}: canaries {how} instead are of {own!r}")


def spelled(name: str) -> str:
    """Return the name of an option as it is typed, without its dashes."""
    return name.replace("_", "-")
