"""The statement that proofs, audit and reports read: a mechanism, its source, its verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Literal

from .promise import PrivacyPromise
from .relation import NeighboringRelation


@dataclass(frozen=True)
class Source:
    """A published work and the place in it.

    ``work`` names authors, title and year; ``place`` the statement, page or algorithm in it.
    """

    work: str
    place: str

    def words(self) -> str:
        """Return work and place as one line."""
        return f"{self.work}, {self.place}"


class Verdict(StrEnum):
    """What an experiment may say. It can never say "proved".

    ``VIOLATION``: the certified lower bound on ε exceeds the claim.
    ``NO_VIOLATION``: it does not; how large a violation detectable by the rule would have shown is
    stated beside it.
    ``UNKNOWN``: something broke; the reason is stated beside it. Never a pass.
    """

    VIOLATION = "violation"
    UNKNOWN = "unknown"
    NO_VIOLATION = "no violation found"


class ExactVerdict(StrEnum):
    """What exact arithmetic may say besides ``Verdict.VIOLATION``; no experiment has these words.

    ``PROVED``: the claim holds for all neighbors of a finite mechanism. ``VERIFIED``: it holds for
    the pairs that were given, and of others nothing is said.
    """

    PROVED = "proved"
    VERIFIED = "verified on these pairs"


_MERGE_ORDER = (Verdict.VIOLATION, Verdict.UNKNOWN, Verdict.NO_VIOLATION)


def merge(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict on a claim of which several parts were audited.

    A violation anywhere is a violation of the whole; otherwise anything unknown leaves the whole
    unknown. No verdict at all is ``UNKNOWN``: nothing was examined.
    """
    result = set(verdicts)
    return next((verdict for verdict in _MERGE_ORDER if verdict in result), Verdict.UNKNOWN)


Dataset = Any
"""A dataset as the mechanism takes it: an array, a sequence of records, a data frame, …"""

Output = Any
"""One output, or ``size`` of them along the first axis: numbers, vectors, strings, None, …"""

Run = Callable[..., Output]
"""``run(data)`` returns one output; ``run(data, size=n, rng=g)`` returns n of them."""

Epsilon = float | None


class _LazyEpsilon:
    """A number, or a function that is called for it when it is first read."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type | None = None) -> Epsilon:
        if instance is None:
            # The field's default.
            return None
        value: Epsilon | Callable[[], Epsilon] = vars(instance)[self._name]
        if callable(value):
            value = vars(instance)[self._name] = value()
        return value

    def __set__(self, instance: object, value: Epsilon | Callable[[], Epsilon]) -> None:
        vars(instance)[self._name] = value


@dataclass(frozen=True)
class Mechanism:
    """A randomised algorithm with what it promises, to whom, and where that is stated.

    name: unique within the catalogue, ``family/variant``.
    run: the algorithm. ``run(data)`` returns one output. If it also takes the keywords ``size``
        and ``rng`` (a ``numpy.random.Generator``), it is called once for a whole batch and returns
        ``size`` independent outputs along its first axis.
    promise: what is claimed for every pair of neighbors.
    relation: which datasets are neighbors.
    pairs: pairs of neighbors on which an audit looks first, worst known ones first.
    source: where algorithm and claim are published.
    expected: the verdict that an audit is expected to reach; of a broken twin ``VIOLATION``.
    summary: one sentence for the report: what it does, and for a twin what is wrong with it.
    true_epsilon: the exact smallest ε of the first pair, where known; ``math.inf`` is possible. A
        function without arguments that returns it is called once, when the number is first read.
    seedable: whether ``run`` draws all its randomness from ``rng``; if not, reports say so.
    tags: ``"twin"``, ``"library"``, … for selection and grouping.
    """

    name: str
    run: Run
    promise: PrivacyPromise
    relation: NeighboringRelation
    pairs: Sequence[tuple[Dataset, Dataset]]
    source: Source
    expected: Verdict = Verdict.NO_VIOLATION
    summary: str = ""
    true_epsilon: _LazyEpsilon = _LazyEpsilon()
    seedable: bool = True
    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for d, d_prime in self.pairs:
            self.relation.check(d, d_prime)

    def twin(self, name: str, **changed: Any) -> Mechanism:
        """Return a broken twin: this statement but for what is ``changed``, which must break it.

        name: within the family ``twin``. It expects ``VIOLATION`` and has the tag ``"twin"``.
        changed: fields by name, ``summary`` and ``true_epsilon`` among them.
        """
        tags = ("twin", *self.tags)
        arguments = {"expected": Verdict.VIOLATION, "tags": tags, "true_epsilon": None, **changed}
        return replace(self, name=f"twin/{name}", **arguments)


@dataclass(frozen=True)
class ProgramFinding:
    """What ``provado prove`` finds of a program's claim of pure ε: in real numbers, not as it runs.

    verdict: of the claim. claim: the claimed ε as text. relation, scope: which neighbors, data and
    parameters it speaks of, in words. fixed_size: whether only of datasets of the size of the data.
    epsilon: what is proved to be enough, ``None`` where nothing is. exact: whether no smaller ε is.
    loss: of a refuted claim what the counterexample loses, which may be infinite.
    words: what was found, in sentences. assumptions: of a proof. reason: why the claim
    is undecided.
    """

    verdict: Literal["proved", "refuted", "undecided"]
    claim: str
    relation: str
    scope: str
    epsilon: float | None = None
    exact: bool = False
    loss: float | None = None
    words: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    reason: str = ""
    fixed_size: bool = False
