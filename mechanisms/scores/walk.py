"""Finds the dependence scores by walking this folder; there is no list to edit."""

from __future__ import annotations

from functools import cache

from provado.mechanisms.walk import modules_in

from .score import DependenceScore


@cache
def scores() -> dict[str, DependenceScore]:
    """Return the scores to choose from by name: what the files have as ``SCORE``.

    A name is that of the score up to a slash, behind which its variant is named.
    """
    modules = modules_in(__name__.rpartition(".")[0])
    found = [module.SCORE for module in modules if hasattr(module, "SCORE")]
    return {score.name.partition("/")[0]: score for score in found}
