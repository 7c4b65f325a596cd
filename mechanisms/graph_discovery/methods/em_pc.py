"""EM-PC on discrete columns: the exponential mechanism chooses how many edges go, and which.

For each order and each node with enough neighbors there is one round: ε/2 for how many of its edges
to delete, ε/2 for which. Two versions, named apart: as released and repaired.

Source: Xu, Yuan and Wu, Differential Privacy Preserving Causal Graph Discovery (2017), whose text
is not at hand; Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery
(2020), section 1, and their released code. The ledger's ``wang2020/empc-sensitivity``.
"""

import math
from types import MappingProxyType
from typing import Unpack

import numpy as np
from numpy.random import Generator

from provado.mechanisms.accounting.pld import Part
from provado.mechanisms.definitions import PureDP, UsageError
from provado.mechanisms.definitions.parameters import natural, positive

from ..search.skeleton import Skeleton, largest_order
from ..search.work_limits import NoMoreTests, Work, WorkLimiter
from ..tables.coded import CodedTable
from . import deletion_utility
from .budget import SpentRounds, rounds_by_nodes
from .method import REPAIRED, CostFlaw, Method, orders_by_rows
from .rounds import Answer, PrivatelyDiscovered, PrivateWork, with_directions
from .runtime_estimate import seconds_as_tests

Utility = deletion_utility.GreedyUtility | deletion_utility.ProvedUtility
"""Where the options of a round and their scores come from."""


def _tests(d: int, n: int, max_order: int | None) -> tuple[int, ...]:
    """Return those of PC, each from both of its ends."""
    return tuple(2 * tests for tests in orders_by_rows(d, n, max_order))


@seconds_as_tests(_tests)
def em_pc_released(
    data: CodedTable, *, alpha: float = 0.05, **work: Unpack[PrivateWork]
) -> PrivatelyDiscovered:
    """Return what EM-PC finds as the released code of Priv-PC's authors runs it.

    epsilon: ε of a round. alpha: of the G-test; their experiment takes .1. max_order:
    ``largest_order`` by default; their code sets no bound. work: see ``run_em`` and
    ``seconds_as_tests``.

    Charges one ε for each round that took place. No ε is promised: the utility's sensitivity, taken
    as 1, can be n − 1 (``greedy_removals``), the set that separates an edge is chosen by the data
    without being paid for, though the directions are drawn from it, and the number of rounds is not
    known beforehand. Departs from the code where that redraws an edge that is gone, and where it
    files a separating set under a wrong node.

    Raises ``UsageError`` for arguments out of range.
    """
    utility = deletion_utility.GreedyUtility(data, alpha=alpha)
    return run_em(utility, deletion_utility.counts_released, rounds=None, **work)


@seconds_as_tests(_tests)
def em_pc_repaired(
    data: CodedTable, *, rounds: int, alpha: float = 0.1, **work: Unpack[PrivateWork]
) -> PrivatelyDiscovered:
    """Return what EM-PC finds with utilities of sensitivity 1 and every round paid for.

    epsilon: ε of a round. rounds: c, fixed beforehand; after c the run ends and the edges that are
    left stay. Each order takes at most one for each node. alpha: see ``ProvedMargin``. max_order:
    ``largest_order`` by default. work: see ``run_em`` and ``seconds_as_tests``.

    Guarantee: under replacement of one record, what c mechanisms that are ε-DP promise together,
    for n and the columns' levels fixed beforehand. Charged are c rounds, however many took place.
    Given the answers before, the options of a round (node, neighbors, sets) do not depend on the
    data, and each margin has sensitivity 1 (``ProvedUtility``). So has the utility of each number
    of deletions (``counts_proved``), and each draw is the exponential mechanism at its share of ε
    (``choose``). An edge and the set that separates it are drawn together, so that the set is paid
    for; the directions read nothing else. Raises ``UsageError`` for arguments out of range.
    """
    utility, limit = deletion_utility.ProvedUtility(data, alpha=alpha), natural(rounds, "rounds")
    return run_em(utility, deletion_utility.counts_proved, rounds=limit, **work)


def run_em(
    utility: Utility,
    counts: deletion_utility.CountUtilities,
    *,
    epsilon: float,
    rng: Generator,
    max_order: int | None = None,
    rounds: int | None = None,
    **work: Unpack[Work],
) -> PrivatelyDiscovered:
    """Return what EM-PC finds by scores that may come from anywhere, such as a kept ``utility``.

    counts: the utility of each number of deletions. rounds: the most there may be, all charged;
    ``None`` charges those that took place. Others as of ``em_pc_repaired``.

    work: see ``Work``; a round begins only if all of its tests, those not asked and those of an
        earlier round included, are within ``max_tests``.

    An edge that goes is gone for the nodes that follow at once. A node none of whose tests is asked
    takes no round. Each of the ``answers`` is an edge that went; ``asked`` is how many tests its
    round examined.
    """
    scale, names = positive(epsilon, "epsilon"), utility.data.names
    order = largest_order(utility.data.n, len(names)) if max_order is None else max_order
    if order < 0:
        raise UsageError(f"max_order is {max_order!r}: it must be at least 0")
    adjacent = ~np.eye(len(names), dtype=bool)
    answers: list[Answer] = []
    watch, stopped = WorkLimiter(**work), None
    taken = tests = 0

    def search() -> None:
        """Do the orders from 0 on."""
        nonlocal taken, tests
        for size in range(order + 1):
            if adjacent.sum(axis=1).max() <= size:
                break
            for x in range(len(names)):
                near = np.flatnonzero(adjacent[x]).tolist()
                if len(near) <= size:
                    continue
                tried = len(near) * math.comb(len(near) - 1, size)
                watch.allow(tried)
                deletions, asked = utility.deletions(x, near, size)
                watch.count(size, tried)
                if not deletions:
                    continue
                if taken == rounds:
                    raise NoMoreTests
                taken, tests = taken + 1, tests + asked
                for gone in deletion_utility.choose(deletions, counts, epsilon=scale, rng=rng):
                    first, second = sorted((x, gone.y))
                    adjacent[first, second] = adjacent[second, first] = False
                    answers.append(Answer(first, second, gone.given, asked, True))

    try:
        search()
    except NoMoreTests as end:
        stopped = end.stop
    adjacent.setflags(write=False)
    separating = MappingProxyType({(a.x, a.y): a.given for a in answers})
    spent = SpentRounds(taken if rounds is None else rounds, scale, (PureDP(scale / 2),) * 2)
    return with_directions(names, Skeleton(adjacent, separating, tests, stopped), answers, spent)


def _parts(epsilon: float) -> tuple[Part, ...]:
    return PureDP(epsilon / 2), PureDP(epsilon / 2)


def _rounds(d: int, n: int, max_order: int | None) -> int:
    last = largest_order(n, d) if max_order is None else max(0, min(max_order, d - 2))
    return rounds_by_nodes(d, last)


_UNPAID = CostFlaw(
    "the utility's sensitivity is taken as 1, which one row can exceed; the set that separates an "
    "edge is not paid for; the number of rounds depends on the data",
    ("wang2020/empc-sensitivity",),
)

_REPAIRED = Method(
    "em-pc",
    REPAIRED,
    "EM-PC",
    em_pc_repaired,
    {"alpha": 0.1, "max_order": None},
    parts=_parts,
    rounds=_rounds,
    tests=_tests,
)
_PUBLISHED = {"alpha": 0.05, "max_order": None}

METHODS = (_REPAIRED, _REPAIRED.published("released", em_pc_released, _PUBLISHED, _UNPAID))
