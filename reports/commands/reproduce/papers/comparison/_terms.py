"""Which methods are compared, and the terms on which they are."""

from __future__ import annotations

from functools import cache

from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.graph_discovery.methods.method import Method
from provado.mechanisms.graph_discovery.methods.walk import methods

TOTALS = (1.0, 4.0, 16.0)
DELTA = 1e-3
"""ε and δ of everything that a run of a repaired method spends, shared out beforehand."""

LEVEL, TESTED = 0.05, 60
"""Level of the permutation tests, and records of each null dataset."""


@cache
def private_methods() -> tuple[Method, ...]:
    """Return the methods of tests that claim privacy, in all versions."""
    return tuple(one for one in methods() if one.private and one.counts == "tests")


def sound(numeric: bool) -> tuple[Method, ...]:
    """Return those without a known flaw, on discrete or on numeric columns."""
    return tuple(m for m in private_methods() if m.flaw is None and m.numeric is numeric)


def audited_as(method: Method) -> str | None:
    """Return the name of a method's graph of three columns in the catalogue."""
    names = {one.name for one in catalogue()}
    wanted = f"{method.name}/graph"
    if method.flaw is not None:
        wanted = f"twin/{method.name}-graph-{method.version}"
    return wanted if wanted in names else None
