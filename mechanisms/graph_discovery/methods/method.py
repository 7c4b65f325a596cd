"""What a method of graph discovery says of itself: options, privacy cost, noise, flaw.

**Finds the methods by walking their folder; there is no list to edit.**
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from numpy.random import Generator

from provado.mechanisms.accounting.pld import Part
from provado.mechanisms.definitions import PureDP, UsageError
from provado.mechanisms.walk import modules_in

from ..noisy_tables.plan import TablesPlan
from ..search.skeleton import largest_order
from ..search.work_limits import MostTests, most_tests
from ..tables.coded import CodedTable
from ..tables.numeric import NumericTable
from .budget import round_epsilon, rounds_by_pairs
from .rounds import RoundNoise

REQUIRED = object()
"""Stands for the default of a parameter that must be given."""

REPAIRED = "repaired"

Counts = Literal["tests", "families"]
"""What work is counted in: tests of two columns, or scores of a column and its parents."""


def every_order(d: int, n: int, max_order: int | None) -> tuple[int, ...]:
    """Return the most tests of a search that conditions on all columns where no order is given."""
    del n
    return most_tests(d, d if max_order is None else max_order)


def asked_twice(d: int, n: int, max_order: int | None) -> tuple[int, ...]:
    """Return the most tests of ``every_order``, each for the skeleton and again for colliders."""
    return tuple(2 * tests for tests in every_order(d, n, max_order))


def orders_by_rows(d: int, n: int, max_order: int | None) -> tuple[int, ...]:
    """Return the most tests of a search up to ``largest_order`` where no order is given."""
    return most_tests(d, largest_order(n, d) if max_order is None else max_order)


@dataclass(frozen=True)
class CostFlaw:
    """Why the cost that a published version states is no guarantee.

    words: the reason. ledger: the statements of the ledger that show it.
    """

    words: str
    ledger: tuple[str, ...]


@dataclass(frozen=True)
class Method:
    """One method in one version; a file of this folder has those of its algorithm in ``METHODS``.

    name, version: as asked for; no version where none was published. title: for people. function:
    called with the table, ``rng`` where it is ``drawn``, ``epsilon`` and ``rounds`` where it is
    private, its parameters, and ``Work``. parameters: with defaults. numeric: whether it takes
    numeric columns. parts: what a round of a given ε is made of. rounds: how many there are by
    default, by d, n and the largest order; nothing else is known of the data. noise: of its
    queries, by the ε of a round and n, in units of the sensitivity that is proved for its test,
    where it has such. flaw: of a version whose cost is no guarantee. tests: the most that it asks
    at each order from 0 on, by d, n and the largest order. plan: of a private method without
    rounds, what it releases by n, the columns' levels and its whole (ε, δ), with which it is called
    as ``plan``. counts: what its work is.
    """

    name: str
    version: str | None
    title: str
    function: Callable[..., Any]
    parameters: Mapping[str, Any]
    numeric: bool = False
    parts: Callable[[float], tuple[Part, ...]] | None = None
    rounds: Callable[[int, int, int | None], int] | None = None
    noise: Callable[[float, int], RoundNoise] | None = None
    flaw: CostFlaw | None = None
    drawn: bool = True
    tests: MostTests = every_order
    plan: Callable[..., TablesPlan] | None = None
    counts: Counts = "tests"

    @property
    def private(self) -> bool:
        """Whether it claims any privacy."""
        return self.parts is not None or self.plan is not None

    def published(
        self,
        version: str,
        function: Callable[..., Any],
        parameters: Mapping[str, Any],
        flaw: CostFlaw,
    ) -> Method:
        """Return a version as printed or released, whose cost is no guarantee."""
        return replace(
            self, version=version, function=function, parameters=parameters, flaw=flaw, noise=None
        )


def one_answer(epsilon: float) -> tuple[Part, ...]:
    """Return what a round is made of that spends its ε on one answer."""
    return (PureDP(epsilon),)


def all_pairs(d: int, n: int, max_order: int | None) -> int:
    """Return one round a pair of columns."""
    del n, max_order
    return rounds_by_pairs(d)


NO_BOUND = CostFlaw(
    "a run is charged for the answers it gave, and silence reveals something too; the sensitivity "
    "taken for a test is no bound on it",
    ("wang2020/algorithm2-privacy", "wang2020/thm3-conditional-kendall"),
)
"""Of Priv-PC and SVT-PC as printed and released."""


@cache
def methods() -> tuple[Method, ...]:
    """Return all methods in all versions, by the names of their files."""
    modules = modules_in(__name__.rpartition(".")[0])
    return tuple(item for module in modules for item in getattr(module, "METHODS", ()))


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


def run_at_total(
    method: Method, data: CodedTable | NumericTable, *, epsilon: float, delta: float, rng: Generator
) -> Any:
    """Return what a sound method finds by its defaults at (ε, δ) in total, fixed beforehand.

    Raises ``UsageError`` for a method that claims no privacy or whose claim is flawed.
    """
    if not method.private or method.flaw is not None:
        raise UsageError(f"method {method.name!r} has no total cost that is a guarantee")
    if method.plan is not None and isinstance(data, CodedTable):
        plan = method.plan(data.n, data.levels, epsilon=epsilon, delta=delta)
        return method.function(data, plan=plan, rng=rng, **method.parameters)
    assert method.parts is not None
    assert method.rounds is not None
    rounds = method.rounds(len(data.names), data.n, None)
    share = round_epsilon(method.parts, rounds=rounds, epsilon=epsilon, delta=delta)
    return method.function(data, epsilon=share, rounds=rounds, rng=rng, **method.parameters)
