"""Every course that PC can take on few columns, as a tree over the answers of its tests."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations

from provado.mechanisms.definitions import UsageError

from .cpdag import Graph, orient
from .skeleton import find_skeleton
from .work_limits import NoMoreTests

Asked = tuple[int, int, tuple[int, ...]]
"""A test: columns x and y given others."""

MOST_COLUMNS = 3
"""Four columns have up to 2^24 courses."""


@dataclass(frozen=True)
class SearchStep:
    """A point in the course of PC.

    graph: code of the CPDAG (``graph_code``) if nothing is answered any more.
    asked: the next test; ``None`` at the end. kept, deleted: where its answer leads.
    """

    graph: int
    asked: Asked | None = None
    kept: SearchStep | None = None
    deleted: SearchStep | None = None

    def branches(self) -> tuple[Asked, SearchStep, SearchStep]:
        """Return the next test, and the steps after it where the edge stays and where it goes.

        Raises ``UsageError`` at the end of a course, where there is none.
        """
        if self.asked is None or self.kept is None or self.deleted is None:
            raise UsageError(f"step of graph {self.graph}: the course ends here")
        return self.asked, self.kept, self.deleted

    def tests(self) -> tuple[Asked, ...]:
        """Return every test that may be asked from here on, each once."""
        if self.asked is None:
            return ()
        question, kept, deleted = self.branches()
        return tuple(dict.fromkeys((question, *kept.tests(), *deleted.tests())))


@cache
def search_tree(d: int, max_order: int) -> SearchStep:
    """Return the first step of PC on d columns, conditioning on at most ``max_order`` of them.

    Deletions count at once, as in the private searches. The tree asks ``find_skeleton`` itself what
    comes next. Raises ``UsageError`` for more than ``MOST_COLUMNS`` or fewer than 2 columns.
    """
    if not 2 <= d <= MOST_COLUMNS:
        raise UsageError(f"d is {d!r}: all courses are listed for 2 to {MOST_COLUMNS} columns")
    return _after((), d, max_order)


def graph_code(graph: Graph) -> int:
    """Return a CPDAG as a whole number with one decimal digit for each pair of columns.

    The pairs stand in the order (0, 1), (0, 2), (1, 2); a digit is 0 for no edge, 1 for →, 2 for ←,
    3 for an edge without direction. So 103 is 0 → 1, 1 − 2.
    """
    code = 0
    for x, y in combinations(range(len(graph)), 2):
        code = 10 * code + int(graph[x, y]) + 2 * int(graph[y, x])
    return code


def _after(answers: tuple[bool, ...], d: int, max_order: int) -> SearchStep:
    given, asked = iter(answers), []

    def replay(x: int, y: int, condition: tuple[int, ...]) -> bool:
        for answer in given:
            return answer
        asked.append((x, y, condition))
        raise NoMoreTests

    code = graph_code(orient(find_skeleton(d, replay, max_order=max_order, stable=False)))
    if not asked:
        return SearchStep(code)
    kept, deleted = (_after((*answers, answer), d, max_order) for answer in (False, True))
    return SearchStep(code, asked[0], kept, deleted)
