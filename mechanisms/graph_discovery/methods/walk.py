"""Finds the methods by walking their folder; there is no list to edit."""

from __future__ import annotations

from functools import cache

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.walk import modules_in

from .method import REPAIRED, Method


@cache
def methods() -> tuple[Method, ...]:
    """Return all methods in all versions, by the names of their files."""
    modules = modules_in(__name__.rpartition(".")[0])
    return tuple(one for module in modules for one in getattr(module, "METHODS", ()))


def find(name: str, version: str | None, test: str | None) -> Method:
    """Return the method that was asked for.

    ``pc`` with the test ``rcit`` is ``pc-numeric``. Raises ``UsageError`` for a version that the
    method does not have.
    """
    if test == "rcit" and name == "pc":
        name = "pc-numeric"
    versions = {method.version: method for method in methods() if method.name == name}
    wanted = None if None in versions else REPAIRED
    if version is not None and None in versions:
        why = "has" if versions[None].private else "is not private and has"
        raise UsageError(f"--version: --method {name} {why} no versions")
    if version is not None:
        wanted = version
    if wanted not in versions:
        have = ", ".join(v for v in versions if v is not None)
        raise UsageError(f"--version {version}: --method {name} has {have}")
    return versions[wanted]
