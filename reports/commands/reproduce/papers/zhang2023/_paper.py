"""The audit of Zhang et al. (2023), the tests that its experiments compare, and searches by them.

Printed: the decision rule of Algorithm 1. For Kendall's τ it has the two-sided normal p-value and,
for how far one record moves it, what Priv-PC's released code takes. Repaired: noise of the sparse
vector on a quantity whose sensitivity is proved.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.graph_discovery.independence_tests import rcit as rcit_test
from provado.mechanisms.graph_discovery.independence_tests.margin import rank_of_level
from provado.mechanisms.graph_discovery.methods import pcd
from provado.mechanisms.graph_discovery.methods.rounds import Ask
from provado.mechanisms.graph_discovery.search.skeleton import find_skeleton
from provado.mechanisms.graph_discovery.tables.numeric import NumericTable
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores import conditional_ranks
from provado.proofs.ledger.zhang2023 import WORK

from ...experiment import Curve, Panel
from ...sources.networks import precision_and_recall, skeleton_f1
from .._audit import Advice, Pairing, Paper, audit_of

EPSILONS = (0.1, 0.2, 0.4, 0.8, 1.0, 2.0, 4.0, 8.0)

LEVEL, PERMUTATIONS, BANDWIDTH = 0.05, 100, 0.5
"""BANDWIDTH: of the repaired test's kernels, in the unit of columns mapped to [−1, 1]."""

PRINTED, RIDGE, REPAIRED = "RCIT printed, λ = 1", "RCIT printed, λ = 2/m", "RCIT repaired"
KENDALL, KENDALL_REPAIRED = "Kendall printed", "Kendall repaired"
TESTS = (PRINTED, RIDGE, REPAIRED, KENDALL, KENDALL_REPAIRED)

LOOKS: Mapping[str, tuple[int, bool]] = {
    PRINTED: (0, False),
    RIDGE: (2, False),
    REPAIRED: (0, True),
    KENDALL: (1, False),
    KENDALL_REPAIRED: (1, True),
}
"""Color and dash of each test's curves."""

INFINITE = 32.0
"""Where a figure shows the test without privacy."""

SETTINGS = (
    ("level", f"{LEVEL:g}, {PERMUTATIONS} permutations"),
    ("λ", "1 as printed, where the ridge is m/2; λ = 2/m, a ridge of 1, is added"),
    (
        "kernels",
        f"median distance for the printed test; bandwidth {BANDWIDTH:g} for the repaired one",
    ),
    ("Kendall", "two-sided normal p-value; where no stratum has three rows, dependent"),
)


@dataclass(frozen=True)
class IndependenceTest:
    """One test on one table: by p-values and their bounds, or by margins of sensitivity 1."""

    shares: pcd.Shares | None
    margin: Ask | None

    def independent(
        self, x: int, y: int, given: tuple[int, ...], epsilon: float, rng: np.random.Generator
    ) -> tuple[bool, bool]:
        """Return whether the test calls two columns independent, and whether noise was used.

        epsilon: ∞ for the test without privacy.
        """
        if self.shares is not None:
            p, low, high = self.shares(x, y, given)
            if math.isinf(epsilon):
                return p > LEVEL, False
            return pcd.printed_decision(p, low, high, level=LEVEL, epsilon=epsilon, rng=rng)
        assert self.margin is not None
        margin = self.margin(x, y, given)
        if math.isinf(epsilon):
            return margin >= 0, False
        return margin + 4 / epsilon * rng.laplace() >= 2 / epsilon * rng.laplace(), True

    def skeleton(
        self, names: tuple[str, ...], epsilon: float, rng: np.random.Generator, order: int
    ) -> NDArray[np.bool_]:
        """Return the skeleton that the search of PCD finds, with sets of at most ``order``."""
        if math.isinf(epsilon):

            def certain(x: int, y: int, given: tuple[int, ...]) -> bool:
                return self.independent(x, y, given, epsilon, rng)[0]

            skeleton = find_skeleton(len(names), certain, max_order=order, stable=False)
            return skeleton.adjacency
        if self.shares is not None:
            return pcd.run_printed(
                names, self.shares, epsilon=epsilon, alpha=LEVEL, rng=rng, max_order=order
            ).skeleton
        assert self.margin is not None
        pairs = math.comb(len(names), 2)
        return pcd.run_repaired(
            names, self.margin, epsilon=epsilon, rounds=pairs, rng=rng, max_order=order
        ).skeleton


def asked_of(
    data: NumericTable, ranks: Sequence[NDArray[np.float64]], rng: np.random.Generator
) -> dict[str, IndependenceTest]:
    """Return ``TESTS`` on one table; each keeps what it found, for all ε.

    ranks: the columns as Kendall's τ sees them, without ties made by clipping. rng: draws the
    permutations.
    """
    m, rcit = data.n, partial(rcit_test.RCIT, data, permutations=PERMUTATIONS)

    def printed(lam: float) -> pcd.Shares:
        test = rcit(choose=rcit_test.median_kernel, lam=lam)
        return cache(pcd.printed_shares(test, m, lam, rng))

    repaired = pcd.proved_margin(
        rcit(choose=rcit_test.fixed_kernel(BANDWIDTH), lam=1.0),
        m,
        slope=SquaredExponential(BANDWIDTH).lipschitz,
        rank=rank_of_level(LEVEL, PERMUTATIONS),
        lam=1.0,
        rng=rng,
    )
    sums = _kendall_sums(ranks)
    return {
        PRINTED: IndependenceTest(printed(1.0), None),
        RIDGE: IndependenceTest(printed(2 / m), None),
        REPAIRED: IndependenceTest(None, cache(repaired)),
        KENDALL: IndependenceTest(kendall_shares(sums, m), None),
        KENDALL_REPAIRED: IndependenceTest(None, kendall_margin(sums, m)),
    }


Sums = Callable[[int, int, tuple[int, ...]], tuple[float, float]]
"""Σwτ and Σw over the strata that count; both 0 where none does."""


def kendall_shares(sums: Sums, m: int) -> pcd.Shares:
    """Return the two-sided p-value of conditional τ, and twice the released bound to either side.

    The bound is none, see ``p_value_sensitivity_released``. Where no stratum counts nothing is
    tested: p is 0, without noise.
    """
    moved = 2 * conditional_ranks.p_value_sensitivity_released(m)

    def shares(x: int, y: int, given: tuple[int, ...]) -> tuple[float, float, float]:
        top, bottom = sums(x, y, given)
        if not bottom:
            return 0.0, 0.0, 0.0
        p = math.erfc(abs(top) / math.sqrt(2 * bottom))
        return p, p - moved, p + moved

    return shares


def kendall_margin(sums: Sums, m: int) -> Ask:
    """Return how far |τ| lies below the level's quantile over 1.5·√m, over its sensitivity.

    −∞ with a conditioning set: the strata of numbers are not bounded beforehand. See
    ``ProvedMargin``, whose one-sided level is half of this one.
    """
    # Here, so that nothing is loaded before it is used.
    from scipy.special import ndtri

    threshold = -float(ndtri(LEVEL / 2)) / (1.5 * math.sqrt(m))
    unit = float(conditional_ranks.average_sensitivity(m, 1))

    def margin(x: int, y: int, given: tuple[int, ...]) -> float:
        if given:
            return -math.inf
        top, bottom = sums(x, y, ())
        return (threshold - (abs(top) / bottom if bottom else 0.0)) / unit

    return margin


def _kendall_sums(ranks: Sequence[NDArray[np.float64]]) -> Sums:
    alone = [np.unique(column).size == column.size for column in ranks]

    @cache
    def sums(x: int, y: int, given: tuple[int, ...]) -> tuple[float, float]:
        if any(alone[i] for i in given):
            # Each record is a stratum of its own.
            return 0.0, 0.0
        strata = np.column_stack([ranks[i] for i in given] or [np.zeros(ranks[x].size)])
        top, bottom = conditional_ranks.conditional_tau_sums(
            ranks[x], ranks[y], strata, rule="released"
        )
        return float(top), float(bottom)

    return sums


GRID = (*EPSILONS, math.inf)
MEASURES = ("precision", "recall", "f1")

Means = Mapping[tuple[str, str], NDArray[np.float64]]
"""By test and measure the mean over repetitions at each ε, then without privacy."""


def searched(
    data: NumericTable,
    ranks: Sequence[NDArray[np.float64]],
    true: ArrayLike,
    rng: np.random.Generator,
    order: int,
) -> dict[str, dict[str, list[float]]]:
    """Return precision, recall and F1 of the skeleton by test, at each ε and without privacy.

    ranks: see ``asked_of``. order: of the largest conditioning sets.
    """
    result: dict[str, dict[str, list[float]]] = {}
    for test, independence_test in asked_of(data, ranks, rng).items():
        graphs = [independence_test.skeleton(data.names, epsilon, rng, order) for epsilon in GRID]
        both = [precision_and_recall(graph, true) for graph in graphs]
        result[test] = {
            "precision": [item[0] for item in both],
            "recall": [item[1] for item in both],
            "f1": [skeleton_f1(graph, true) for graph in graphs],
        }
    return result


def mean_of(results: Sequence[Mapping[str, Mapping[str, Sequence[float]]]]) -> Means:
    """Return the means over the results of ``searched``."""
    return {
        (test, measure): np.mean([result[test][measure] for result in results], axis=0)
        for test in TESTS
        for measure in MEASURES
    }


def panel(title: str, y: str, values: Mapping[str, NDArray[np.float64]]) -> Panel:
    """Return a panel with a curve against ε for each test, from its values over ``GRID``."""
    curves = [
        Curve(test, (*EPSILONS, INFINITE), tuple(own.tolist()), (), *LOOKS[test])
        for test, own in values.items()
    ]
    where = f"ε; without privacy at {INFINITE:g}"
    return Panel(title, where, y, curves, log_x=True, limits=(-0.03, 1.03))


def cells(means: Means, test: str) -> tuple[float, ...]:
    """Return precision, recall and F1 at ε = 1, then the same without privacy."""
    at = (EPSILONS.index(1.0), -1)
    return tuple(float(means[test, measure][i]) for i in at for measure in MEASURES)


HEAD = ("precision, ε = 1", "recall", "F1", "precision, ∞", "recall", "F1")
"""Of ``cells``."""


EXPERIMENT = audit_of(
    Paper(
        "zhang2023",
        WORK,
        "Differentially Private Nonlinear Causal Discovery from Numerical Data",
        (
            Pairing("one edge by RCIT", "twin/pcd-one-edge", "pcd/one-edge"),
            Pairing("a graph of three columns", "twin/pcd-graph-printed", "pcd/graph"),
        ),
        (
            Advice(
                "a private graph of numeric columns",
                "PCD repaired: fixed kernels, a proved sensitivity, noise on every test",
                "the printed one decides without noise far from the level, and scales its noise "
                "by the data near it",
                rests_on=("pcd/graph", "pcd/one-edge"),
                against=("twin/pcd-graph-printed", "twin/pcd-one-edge"),
            ),
        ),
    )
)
