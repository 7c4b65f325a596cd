"""PCD on numeric columns: as printed, repaired, and the same search without privacy.

Source: Zhang et al., Differentially Private Nonlinear Causal Discovery from Numerical Data (2023),
Algorithm 1. What is wrong with it, and the argument for the repaired one: the ledger's
``zhang2023/thm3-eq3``, ``thm4`` and ``thm5``.

The paper fixes λ = 1. In its objective the ridge is then m/2, which leaves in a residual most of
what the conditioning columns explain: tests with a conditioning set hardly ever separate. With
λ = 2/m the ridge is 1, and they do; but the sensitivity grows as λ falls.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Unpack

from numpy.random import Generator

from provado.mechanisms.definitions import PureDP, UsageError
from provado.mechanisms.definitions.parameters import natural, positive, probability
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic.hsic import hsic_sensitivity_improved

from ..independence_tests.margin import is_asked, margin_sensitivity, rank_of_level
from ..independence_tests.rcit import RCIT, fixed_kernel, median_kernel, rcit_sensitivity_printed
from ..search.cpdag import Discovered
from ..search.skeleton import find_skeleton
from ..search.work_limits import OrderedWork
from ..tables.numeric import NumericTable
from . import method
from .budget import SpentRounds
from .pc import discover
from .rounds import (
    Answer,
    Ask,
    PrivatelyDiscovered,
    PrivateWork,
    Questions,
    run_rounds,
    vector_noise,
    with_directions,
)
from .runtime_estimate import seconds_as_tests

Shares = Callable[[int, int, tuple[int, ...]], tuple[float, float, float]]
"""p of columns x and y given others, and how low and how high one record is taken to move it."""


def printed_shares(rcit: RCIT, m: int, lam: float, rng: Generator) -> Shares:
    """Return p, A and B of equations (7) and (8), with Δ_R of equations (3) and (4).

    m: records. lam: λ of the regressions. rng: draws the permutations.
    """

    def shares(x: int, y: int, given: tuple[int, ...]) -> tuple[float, float, float]:
        scores = rcit.scores(x, y, given, rng)
        bound = (
            rcit_sensitivity_printed(m, lam, *scores.widths)
            if given
            else float(hsic_sensitivity_improved(m))
        )
        p, low, high = map(float, scores.shares(bound))
        return p, low, high

    return shares


def run_printed(
    names: tuple[str, ...],
    shares: Shares,
    *,
    alpha: float,
    epsilon: float,
    rng: Generator,
    **work: Unpack[OrderedWork],
) -> PrivatelyDiscovered:
    """Return what Algorithm 1 finds by p-values and bounds that may come from anywhere.

    Others as of ``pcd_printed``.
    """
    scale, level = positive(epsilon, "epsilon"), probability(alpha, "alpha")
    answers: list[Answer] = []
    seen = 0

    def independent(x: int, y: int, given: tuple[int, ...]) -> bool:
        """Do lines 3 to 17 of Algorithm 1."""
        nonlocal seen
        seen += 1
        p_and_bounds = shares(x, y, given)
        deleted, noisy = printed_decision(*p_and_bounds, level=level, epsilon=scale, rng=rng)
        if noisy:
            answers.append(Answer(x, y, given, seen, deleted))
            seen = 0
        return deleted

    skeleton = find_skeleton(len(names), independent, stable=False, **work)
    spent = SpentRounds(len(answers), scale, (PureDP(scale),))
    return with_directions(names, skeleton, answers, spent)


def printed_decision(
    p: float, low: float, high: float, *, level: float, epsilon: float, rng: Generator
) -> tuple[bool, bool]:
    """Return whether lines 4 to 17 of Algorithm 1 delete the edge, and whether they used noise.

    p: the p-value, between ``low`` and ``high`` for all neighbors, as the paper has it; that is
    what is wrong with it, see ``pcd_printed``.
    """
    far = low > level if p > level else high < level
    if far:
        return p > level, False
    unit = (p - low if p > level else high - p) / epsilon
    left = p + 4 * unit * rng.laplace()
    right = level + 2 * unit * rng.laplace()
    return left >= right, True


def proved_margin(
    rcit: RCIT, m: int, *, slope: float, rank: int, lam: float, rng: Generator
) -> Ask:
    """Return how far the score lies below the rank-th largest permuted one, over its sensitivity.

    m: records. slope, lam: see ``margin_sensitivity``. rng: draws the permutations. −∞ where the
    test is not asked, see ``is_asked``.
    """

    def margin(x: int, y: int, given: tuple[int, ...]) -> float:
        strength = lam if given else None
        if not is_asked(m, slope, strength):
            return -math.inf
        return rcit.scores(x, y, given, rng).below(rank) / margin_sensitivity(m, slope, strength)

    return margin


def run_repaired(
    names: tuple[str, ...], margin: Ask, *, rounds: int, **work: Unpack[PrivateWork]
) -> PrivatelyDiscovered:
    """Return what the sparse vector finds by margins of sensitivity 1 that may come from anywhere.

    Others as of ``pcd_repaired``.
    """
    asked, epsilon = Questions(whole=margin, fresh=lambda _: margin), work["epsilon"]
    noise, parts = vector_noise(epsilon), method.one_answer(epsilon)
    return run_rounds(names, asked, noise, parts, natural(rounds, "rounds"), **work)


@seconds_as_tests(method.every_order)
def pcd_printed(
    data: NumericTable,
    *,
    alpha: float = 0.05,
    lam: float = 1.0,
    permutations: int = 100,
    **work: Unpack[PrivateWork],
) -> PrivatelyDiscovered:
    """Return what Algorithm 1 finds, with bandwidths by the median distance.

    epsilon: ε of a test that is answered with noise. alpha: the level. lam: λ of the regressions.
    permutations: k, drawn anew for each test. max_order: the largest conditioning sets; all by
    default, among neighbors, as PC has it: the printed loop says all subsets and when to stop not.
    work: see ``Work`` and ``seconds_as_tests``.

    Charges ε_t as printed: one ε for each test near the level, an ``Answer`` each, nothing for the
    others. It is not ε-DP, nor ε_t-DP: far from the level it decides without noise, near it the
    scale of the noise is taken from the data, as are the bandwidths, and equation (3) is no bound.
    Raises ``UsageError`` for arguments out of range, λ above 1, for which equation (3) is not
    stated, and columns that are constant or half of whose pairs are ties.
    """
    if positive(lam, "lam") > 1:
        raise UsageError(f"lam is {lam!r}: equation (3) is stated for lam at most 1")
    rcit = RCIT(data, choose=median_kernel, lam=lam, permutations=permutations)
    shares = printed_shares(rcit, data.n, float(lam), work["rng"])
    return run_printed(data.names, shares, alpha=alpha, **work)


@seconds_as_tests(method.every_order)
def pcd_repaired(
    data: NumericTable,
    *,
    rounds: int,
    bandwidth: float,
    alpha: float = 0.05,
    lam: float = 1.0,
    permutations: int = 100,
    **work: Unpack[PrivateWork],
) -> PrivatelyDiscovered:
    """Return what PCD finds with a proved sensitivity, fixed kernels and every round paid for.

    epsilon: ε of each round. rounds: c, fixed beforehand; each deletion ends a round, and after c
    the search ends and the edges that are left stay. bandwidth: of all kernels, in the unit of
    the mapped columns, fixed without looking at the data. alpha, lam, permutations, max_order,
    work: as of ``pcd_printed``, λ any number above 0.

    An edge goes where the score is below the r-th largest permuted one, r = ⌊αk⌋ + 1, in units of
    ``margin_sensitivity`` and with noise of the sparse vector. Where that bound is above
    what a score can span, a rule that knows m, λ and the bandwidth only, the test is not asked and
    the edge stays.

    Guarantee: under replacement of one record, what c mechanisms that are ε-DP promise together,
    for n fixed and columns that ``numeric_columns`` mapped by declared ranges. Charged are c
    rounds, however many took place. Given the permutations, which are drawn whatever the data,
    each round is the sparse vector on queries of sensitivity 1 with noise Lap(2/ε) on the level
    and Lap(4/ε) on each query. Noise is drawn in floating point; only comparisons with it are
    released. Raises ``UsageError`` for arguments out of range.
    """
    choose = fixed_kernel(bandwidth)
    rcit = RCIT(data, choose=choose, lam=lam, permutations=permutations)
    rank, slope = rank_of_level(alpha, permutations), SquaredExponential(bandwidth).lipschitz
    margin = proved_margin(rcit, data.n, slope=slope, rank=rank, lam=lam, rng=work["rng"])
    return run_repaired(data.names, margin, rounds=rounds, **work)


def pc_numeric(
    data: NumericTable,
    *,
    alpha: float,
    rng: Generator,
    lam: float = 1.0,
    permutations: int = 100,
    bandwidth: float | None = None,
    **work: Unpack[OrderedWork],
) -> Discovered:
    """Return what PC finds with RCIT at level ``alpha``: independent where p > alpha.

    rng: draws the permutations. bandwidth: of all kernels; by default medians of distances, as in
    the paper. work: see ``Work``. Other parameters as of ``pcd_printed``, λ any number above 0; the
    search does not depend on the order of the columns but through the permutations.

    Not private. Raises ``UsageError`` for arguments out of range, and without a bandwidth for
    columns that are constant or half of whose pairs are ties.
    """
    level = probability(alpha, "alpha")
    choose = median_kernel if bandwidth is None else fixed_kernel(bandwidth)
    rcit = RCIT(data, choose=choose, lam=lam, permutations=permutations)

    @cache
    def independent(x: int, y: int, given: tuple[int, ...]) -> bool:
        return float(rcit.scores(x, y, given, rng).shares()[0]) > level

    return discover(data.names, independent, orientation="majority", **work)


_RCIT = {"alpha": 0.05, "lam": 1.0, "permutations": 100, "max_order": None}

_FROM_THE_DATA = method.CostFlaw(
    "far from the level a test is decided without noise, near it the scale of the noise and the "
    "bandwidths are taken from the data",
    ("zhang2023/thm5", "zhang2023/thm4", "zhang2023/thm3-eq3"),
)

_WITHOUT_PRIVACY = method.Method(
    "pc-numeric",
    None,
    "PC with RCIT",
    pc_numeric,
    {**_RCIT, "bandwidth": None},
    numeric=True,
    tests=method.asked_twice,
)
_REPAIRED = method.Method(
    "pcd",
    method.REPAIRED,
    "PCD",
    pcd_repaired,
    {**_RCIT, "bandwidth": 1.0},
    numeric=True,
    parts=method.one_answer,
    rounds=method.all_pairs,
)

METHODS = (
    _WITHOUT_PRIVACY,
    _REPAIRED,
    _REPAIRED.published("printed", pcd_printed, _RCIT, _FROM_THE_DATA),
)
