"""PC on numeric columns by dpHSIC: which pairs of columns are dependent, and colliders among them.

Source: Kim and Schrab, Differentially Private Permutation Tests: Applications to Kernel Methods
(2023), for the test. The search around it is PC with no conditioning sets: the test is one of
unconditional independence. On residuals of a regression neither its level nor its sensitivity
holds: residuals of all records move where one record is replaced.
"""

from typing import Unpack

from numpy.random import Generator

from provado.mechanisms.definitions.parameters import natural, positive
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic.permuted import dphsic

from ..search.skeleton import find_skeleton
from ..search.work_limits import NoMoreTests, Work, most_tests
from ..tables.numeric import NumericTable
from .budget import SpentRounds
from .method import REPAIRED, Method, all_pairs, one_answer
from .rounds import Answer, PrivatelyDiscovered, with_directions
from .runtime_estimate import seconds_as_tests


def _pairs(d: int, n: int, max_order: int | None) -> tuple[int, ...]:
    """Return one test a pair of columns."""
    del n, max_order
    return most_tests(d, 0)


@seconds_as_tests(_pairs)
def dphsic_pc_repaired(
    data: NumericTable,
    *,
    epsilon: float,
    rounds: int,
    rng: Generator,
    bandwidth: float,
    alpha: float = 0.05,
    permutations: int = 199,
    **work: Unpack[Work],
) -> PrivatelyDiscovered:
    """Return what PC of order 0 finds with one private test for each pair of columns.

    epsilon: ε of a test. rounds: c, how many pairs are tested, in their order; the edges of the
    others stay. bandwidth: of all kernels, in the unit of the mapped columns, fixed without looking
    at the data. alpha, permutations: as of ``dphsic``. work: see ``Work`` and
    ``seconds_as_tests``.

    The paper has no search; repaired says that its cost is proved, as of the other methods. An edge
    stays where independence is rejected: it joins columns that are dependent, directly or through
    others, as nothing is conditioned on.

    Guarantee: under replacement of one record, what c mechanisms that are ε-DP promise together,
    for n fixed and columns that ``numeric_columns`` mapped by declared ranges; see ``dphsic``.
    Charged are c tests, however many took place. Raises ``UsageError`` for arguments out of range.
    """
    scale, limit = positive(epsilon, "epsilon"), natural(rounds, "rounds")
    kernel = SquaredExponential(bandwidth)
    answers: list[Answer] = []

    def independent(x: int, y: int, given: tuple[int, ...]) -> bool:
        if len(answers) == limit:
            raise NoMoreTests
        u, v = data.values[x], data.values[y]
        setting = {"epsilon": scale, "alpha": alpha}
        result = dphsic(u, v, kernel, kernel, rng=rng, permutations=permutations, **setting)
        answers.append(Answer(x, y, given, 1, not result))
        return not result

    skeleton = find_skeleton(len(data.names), independent, max_order=0, stable=False, **work)
    return with_directions(
        data.names, skeleton, answers, SpentRounds(limit, scale, one_answer(scale))
    )


METHODS = (
    Method(
        "dphsic-pc",
        REPAIRED,
        "PC with dpHSIC",
        dphsic_pc_repaired,
        {"alpha": 0.05, "permutations": 199, "bandwidth": 1.0},
        numeric=True,
        parts=one_answer,
        rounds=all_pairs,
        tests=_pairs,
    ),
)
