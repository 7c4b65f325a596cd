"""The methods of ``provado discover`` for graphs: what each takes, and what it promises."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from provado.mechanisms import UsageError
from provado.mechanisms.accounting.tight import LaplaceNoise, Part
from provado.mechanisms.discovery.graph.budget import rounds_by_nodes, rounds_by_pairs
from provado.mechanisms.discovery.graph.skeleton import largest_order
from provado.mechanisms.promise import PureDP

REQUIRED = object()
"""Stands for the default of a parameter that must be given."""

REPAIRED = "repaired"

_FOLDER = "provado.mechanisms.discovery.graph"


@dataclass(frozen=True)
class Flaw:
    """Why the cost that a published version states is no guarantee.

    words: the reason. ledger: the statements of the ledger that show it.
    """

    words: str
    ledger: tuple[str, ...]


@dataclass(frozen=True)
class Method:
    """One method in one version.

    name, version: as asked for; no version where nothing is private. title: for people. numeric:
    whether it takes numeric columns. place: ``module:function``, imported when it is needed.
    parameters: what it takes beside data, ε, rounds and randomness, with defaults. parts: what a
    round of a given ε is made of. rounds: how many there are by default, by d, n and the largest
    order; nothing else is known of the data. flaw: of a version whose cost is no guarantee.
    """

    name: str
    version: str | None
    title: str
    numeric: bool
    place: str
    parameters: Mapping[str, Any]
    parts: Callable[[float], tuple[Part, ...]] | None = None
    rounds: Callable[[int, int, int | None], int] | None = None
    flaw: Flaw | None = None
    drawn: bool = field(default=True)

    @property
    def private(self) -> bool:
        """Whether it claims any privacy."""
        return self.parts is not None

    @property
    def function(self) -> Callable[..., Any]:
        """The function itself."""
        module, name = self.place.split(":")
        found: Callable[..., Any] = getattr(importlib.import_module(f"{_FOLDER}.{module}"), name)
        return found


def find(name: str, version: str | None, test: str | None) -> Method:
    """Return the method that was asked for.

    ``pc`` with the test ``rcit`` is ``pc-numeric``. Raises ``UsageError`` for a version that the
    method does not have.
    """
    if test == "rcit" and name == "pc":
        name = "pc-numeric"
    versions = {method.version: method for method in METHODS if method.name == name}
    wanted = None if None in versions else REPAIRED
    if version is not None and None in versions:
        raise UsageError(f"--version: --method {name} is not private and has no versions")
    if version is not None:
        wanted = version
    if wanted not in versions:
        have = ", ".join(v for v in versions if v is not None)
        raise UsageError(f"--version {version}: --method {name} has {have}")
    return versions[wanted]


def _sieve_and_examine(epsilon: float) -> tuple[Part, ...]:
    return PureDP(epsilon / 2), LaplaceNoise(1.0, 2 / epsilon)


def _one(epsilon: float) -> tuple[Part, ...]:
    return (PureDP(epsilon),)


def _two_halves(epsilon: float) -> tuple[Part, ...]:
    return PureDP(epsilon / 2), PureDP(epsilon / 2)


def _twice_the_pairs(d: int, n: int, max_order: int | None) -> int:
    del n, max_order
    return rounds_by_pairs(d, 2)


def _pairs(d: int, n: int, max_order: int | None) -> int:
    del n, max_order
    return rounds_by_pairs(d)


def _nodes(d: int, n: int, max_order: int | None) -> int:
    last = largest_order(n, d) if max_order is None else max(0, min(max_order, d - 2))
    return rounds_by_nodes(d, last)


def _private(
    title: str,
    version: str,
    parameters: Mapping[str, Any],
    parts: Callable[[float], tuple[Part, ...]],
    rounds: Callable[[int, int, int | None], int],
    flaw: Flaw | None = None,
) -> Method:
    """Return a version of a private method, whose module and function are named after it."""
    name, numeric = title.lower(), "permutations" in parameters
    module = name.replace("-", "_")
    place = f"{module}:{module}_{version}"
    return Method(name, version, title, numeric, place, parameters, parts, rounds, flaw)


_NO_BOUND = Flaw(
    "a run is charged for the answers it gave, and silence tells something too; the sensitivity "
    "taken for a test is no bound on it",
    ("wang2020/algorithm2-privacy", "wang2020/thm3-conditional-kendall"),
)
_UNPAID = Flaw(
    "the utility's sensitivity is taken as 1, which one row can exceed; the set that separates an "
    "edge is not paid for; the number of rounds depends on the data",
    ("wang2020/empc-sensitivity",),
)
_FROM_THE_DATA = Flaw(
    "far from the level a test is decided without noise, near it the scale of the noise and the "
    "bandwidths are taken from the data",
    ("zhang2023/thm5", "zhang2023/thm4", "zhang2023/thm3-eq3"),
)

_DISCRETE = MappingProxyType({"alpha": 0.1, "max_order": None})
_SIEVE = MappingProxyType({**_DISCRETE, "tweak": 0.02})
_PRINTED = MappingProxyType({"threshold": REQUIRED, "tweak": REQUIRED, "max_order": None})
_RCIT = MappingProxyType({"alpha": 0.05, "lam": 1.0, "permutations": 100, "max_order": None})

_RCIT_BY_MEDIAN = MappingProxyType({**_RCIT, "bandwidth": None})

METHODS: tuple[Method, ...] = (
    Method("pc", None, "PC", False, "pc:pc", {**_DISCRETE, "test": "kendall"}, drawn=False),
    Method(
        "pc-numeric", None, "PC with RCIT", True, "pcd:pc_numeric", {**_RCIT, "bandwidth": None}
    ),
    _private("Priv-PC", REPAIRED, _SIEVE, _sieve_and_examine, _twice_the_pairs),
    _private("Priv-PC", "released", _SIEVE, _sieve_and_examine, _twice_the_pairs, _NO_BOUND),
    _private("Priv-PC", "printed", _PRINTED, _sieve_and_examine, _twice_the_pairs, _NO_BOUND),
    _private("SVT-PC", REPAIRED, _DISCRETE, _one, _pairs),
    _private("SVT-PC", "released", _DISCRETE, _one, _pairs, _NO_BOUND),
    _private("EM-PC", REPAIRED, _DISCRETE, _two_halves, _nodes),
    _private("EM-PC", "released", {**_DISCRETE, "alpha": 0.05}, _two_halves, _nodes, _UNPAID),
    _private("PCD", REPAIRED, {**_RCIT, "bandwidth": 1.0}, _one, _pairs),
    _private("PCD", "printed", _RCIT, _one, _pairs, _FROM_THE_DATA),
)
