"""PC on discrete columns: skeleton, separating sets, CPDAG.

Source: Spirtes, Glymour and Scheines, Causation, Prediction, and Search (2000), section 5.4.2; see
``provado.mechanisms.graph_discovery.search.cpdag`` for the colliders.
"""

from collections.abc import Collection
from typing import Unpack

from provado.mechanisms.definitions.parameters import UsageError, probability

from ..independence_tests.discrete import Test, require_testable, shared_answers
from ..search import cpdag as graphs
from ..search.cpdag import Discovered, Orientation
from ..search.skeleton import one_by_one, search_skeleton
from ..search.work_limits import Answers, Independent, Work, WorkLimiter
from ..tables.coded import CodedTable
from .method import Method, asked_twice

__all__ = ["Orientation", "Test", "discover", "pc"]


def pc(
    data: CodedTable,
    *,
    alpha: float,
    test: Test = Test.G,
    max_order: int | None = None,
    stable: bool = True,
    orientation: Orientation = "agreed",
    ordered: Collection[str] | None = None,
    **work: Unpack[Work],
) -> Discovered:
    """Return what PC finds with a test at level ``alpha``: independent where p ≥ alpha.

    The defaults are those with which it errs least: the likelihood ratio test G², a skeleton that
    does not depend on the order of the columns, and colliders by all separating sets.

    For ``KENDALL``, p is that of the released code of Priv-PC: one-sided, at most 1/2, so that
    alpha must be below 1/2 to keep an edge. max_order, stable: see ``search_skeleton``.
    orientation: see ``discover``. ordered: see ``shared_answers``. work: see ``Work``.

    Where no stratum counts, as happens where the rows are spread over too many or a set determines
    a column, the edge stays, as nothing was tested; but ``CHI_SQUARED``, without a degree of
    freedom, takes the columns to be independent, as is customary.

    Not private. Raises ``UsageError`` for arguments out of range, and for rows that are too few for
    any test; see ``require_testable``.
    """
    watch, level = WorkLimiter(**work), probability(alpha, "alpha")
    if not isinstance(test, Test):
        raise UsageError(f"test is {test!r}: it must be one of {', '.join(map(str, Test))}")
    require_testable(data)
    answers = shared_answers(data.collapsed(), test, level, ordered=ordered)
    return _discover(data.names, answers, watch, max_order, stable, orientation)


def discover(
    names: tuple[str, ...],
    independent: Independent,
    *,
    max_order: int | None = None,
    stable: bool = True,
    orientation: Orientation = "first",
    **work: Unpack[Work],
) -> Discovered:
    """Return what PC finds by the answers of any test, such as an oracle's.

    orientation: what makes a collider of x − z − y. ``"first"``: z is not in the first separating
        set that was found, which depends on the order of the vertices, and takes a test without
        power at its word. ``"agreed"``, ``"majority"`` and ``"conservative"``: what all separating
        sets say, see ``judged_triples``; with ``stable`` the whole result then does not depend on
        that order. They ask up to twice as many tests.
    work: see ``Work``. Of triples that it does not reach nothing is said.

    Raises ``UsageError`` as ``search_skeleton`` does, and for another orientation.
    """
    answers, watch = one_by_one(independent), WorkLimiter(**work)
    return _discover(names, answers, watch, max_order, stable, orientation)


def _discover(
    names: tuple[str, ...],
    answers: Answers,
    watch: WorkLimiter,
    max_order: int | None,
    stable: bool,
    orientation: Orientation,
) -> Discovered:
    if orientation not in graphs.ORIENTATIONS:
        raise UsageError(f"orientation is {orientation!r}: it must be one of {graphs.ORIENTATIONS}")
    result = search_skeleton(len(names), answers, max_order=max_order, stable=stable, watch=watch)
    skeleton, apart = result.adjacency, result.separating
    if orientation == "first":
        return Discovered(
            names, skeleton, graphs.orient(result), apart, watch.tests, result.stopped
        )
    judged = graphs.judged_triples(
        skeleton, answers, rule=orientation, max_order=max_order, watch=watch
    )
    cpdag = graphs.close_by_meek(graphs.with_colliders(skeleton, judged.colliders), judged.unclear)
    return Discovered(names, skeleton, cpdag, apart, watch.tests, result.stopped or judged.stopped)


METHODS = (
    Method(
        "pc",
        None,
        "PC",
        pc,
        {"alpha": 0.01, "max_order": None, "test": "g"},
        drawn=False,
        tests=asked_twice,
    ),
)
