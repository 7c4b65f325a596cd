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


_CHARGE = "a run is charged for the answers it gave, and silence tells something too"
_PRIV_PC = ("wang2020/algorithm2-privacy", "wang2020/thm3-conditional-kendall")
_NO_BOUND = f"{_CHARGE}; the sensitivity taken for a test is no bound on it"

_DISCRETE = MappingProxyType({"alpha": 0.1, "max_order": None})
_RCIT = MappingProxyType({"alpha": 0.05, "lam": 1.0, "permutations": 100, "max_order": None})

METHODS: tuple[Method, ...] = (
    Method(
        "pc",
        None,
        "PC",
        False,
        "pc:pc",
        {**_DISCRETE, "test": "kendall"},
        drawn=False,
    ),
    Method(
        "pc-numeric",
        None,
        "PC with RCIT",
        True,
        "pcd:pc_numeric",
        {**_RCIT, "bandwidth": None},
    ),
    Method(
        "priv-pc",
        REPAIRED,
        "Priv-PC",
        False,
        "priv_pc:priv_pc_repaired",
        {**_DISCRETE, "tweak": 0.02},
        _sieve_and_examine,
        _twice_the_pairs,
    ),
    Method(
        "priv-pc",
        "released",
        "Priv-PC",
        False,
        "priv_pc:priv_pc_released",
        {**_DISCRETE, "tweak": 0.02},
        _sieve_and_examine,
        _twice_the_pairs,
        Flaw(_NO_BOUND, _PRIV_PC),
    ),
    Method(
        "priv-pc",
        "printed",
        "Priv-PC",
        False,
        "priv_pc:priv_pc_printed",
        {"threshold": REQUIRED, "tweak": REQUIRED, "max_order": None},
        _sieve_and_examine,
        _twice_the_pairs,
        Flaw(_NO_BOUND, _PRIV_PC),
    ),
    Method(
        "svt-pc",
        REPAIRED,
        "SVT-PC",
        False,
        "svt_pc:svt_pc_repaired",
        _DISCRETE,
        _one,
        _pairs,
    ),
    Method(
        "svt-pc",
        "released",
        "SVT-PC",
        False,
        "svt_pc:svt_pc_released",
        _DISCRETE,
        _one,
        _pairs,
        Flaw(_NO_BOUND, _PRIV_PC),
    ),
    Method(
        "em-pc",
        REPAIRED,
        "EM-PC",
        False,
        "em_pc:em_pc_repaired",
        _DISCRETE,
        _two_halves,
        _nodes,
    ),
    Method(
        "em-pc",
        "released",
        "EM-PC",
        False,
        "em_pc:em_pc_released",
        {**_DISCRETE, "alpha": 0.05},
        _two_halves,
        _nodes,
        Flaw(
            "the utility's sensitivity is taken as 1, which one row can exceed; the set that "
            "separates an edge is not paid for; the number of rounds depends on the data",
            ("wang2020/empc-sensitivity",),
        ),
    ),
    Method(
        "pcd",
        REPAIRED,
        "PCD",
        True,
        "pcd:pcd_repaired",
        {**_RCIT, "bandwidth": 1.0},
        _one,
        _pairs,
    ),
    Method(
        "pcd",
        "printed",
        "PCD",
        True,
        "pcd:pcd_printed",
        _RCIT,
        _one,
        _pairs,
        Flaw(
            "far from the level a test is decided without noise, near it the scale of the noise "
            "and the bandwidths are taken from the data",
            ("zhang2023/thm5", "zhang2023/thm4", "zhang2023/thm3-eq3"),
        ),
    ),
)
