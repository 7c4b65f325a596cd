"""Finds the experiments by walking their folder; there is no list to edit."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache

from provado.mechanisms.walk import modules_in
from provado.reports.text.did_you_mean import require_matches

from .experiment import Experiment


@cache
def experiments() -> tuple[Experiment, ...]:
    """Return what the files of ``papers`` have as ``EXPERIMENT``, by name."""
    modules = modules_in(f"{__name__.rpartition('.')[0]}.papers")
    found = [module.EXPERIMENT for module in modules if hasattr(module, "EXPERIMENT")]
    return tuple(sorted(found, key=lambda one: one.name))


def choose(names: Sequence[str]) -> tuple[Experiment, ...]:
    """Return the experiments that any of the names means: a name, a paper, or a glob.

    Raises ``UsageError`` for one that means none, with the nearest that does.
    """
    known = experiments()
    globs = {name: name if "/" in name or "*" in name else f"{name}/*" for name in names}
    papers = sorted({one.name.partition("/")[0] for one in known})
    require_matches(globs, [one.name for one in known], papers, "no experiment has this name")
    return tuple(
        one for one in known if any(fnmatchcase(one.name, glob) for glob in globs.values())
    )


def missing(experiment: Experiment) -> tuple[str, ...]:
    """Return the wheels whose files the experiment reads and that are not installed."""
    return tuple(one for one in experiment.needs if importlib.util.find_spec(one) is None)
