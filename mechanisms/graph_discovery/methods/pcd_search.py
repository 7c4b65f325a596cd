"""The searches of PCD by tests that may come from anywhere: as printed, and repaired.

Source: Zhang et al., Differentially Private Nonlinear Causal Discovery from Numerical Data (2023),
Algorithm 1; ``pcd.py`` says what is wrong with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Unpack

import numpy as np

from provado.mechanisms.definitions import PureDP
from provado.mechanisms.definitions.parameters import natural, positive, probability
from provado.mechanisms.graph_discovery.independence_tests.rank_margin import (
    is_asked,
    margin_sensitivity,
)
from provado.mechanisms.graph_discovery.independence_tests.rcit import RCIT
from provado.mechanisms.graph_discovery.search.skeleton import find_skeleton
from provado.mechanisms.graph_discovery.search.work import Work
from provado.mechanisms.scores.hsic.hsic import hsic_sensitivity_improved
from provado.mechanisms.scores.rcit import rcit_sensitivity_printed

from .budget import Spent
from .private_search import PrivatelyDiscovered, with_directions
from .rounds import Answer, Ask, Noise, Questions, Rounds

Shares = Callable[[int, int, tuple[int, ...]], tuple[float, float, float]]
"""p of columns x and y given others, and how low and how high one record is taken to move it."""


def printed_shares(rcit: RCIT, m: int, lam: float, rng: np.random.Generator) -> Shares:
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
    epsilon: float,
    alpha: float,
    rng: np.random.Generator,
    max_order: int | None = None,
    **work: Unpack[Work],
) -> PrivatelyDiscovered:
    """Return what Algorithm 1 finds by p-values and bounds that may come from anywhere.

    Others as of ``pcd_printed``.
    """
    scale, level = positive(epsilon, "epsilon"), probability(alpha, "alpha")
    tests = _PrintedTests(shares, scale, level, rng)
    found = find_skeleton(len(names), tests, max_order=max_order, stable=False, **work)
    spent = Spent(len(tests.answers), scale, (PureDP(scale),))
    return with_directions(names, found, tests.answers, spent)


def printed_decision(
    p: float, low: float, high: float, *, level: float, epsilon: float, rng: np.random.Generator
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
    rcit: RCIT, m: int, *, slope: float, rank: int, lam: float, rng: np.random.Generator
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
    names: tuple[str, ...],
    margin: Ask,
    *,
    epsilon: float,
    rounds: int,
    rng: np.random.Generator,
    max_order: int | None = None,
    **work: Unpack[Work],
) -> PrivatelyDiscovered:
    """Return what the sparse vector finds by margins of sensitivity 1 that may come from anywhere.

    Others as of ``pcd_repaired``.
    """
    scale = positive(epsilon, "epsilon")
    asked, limit = Questions(whole=margin, fresh=lambda _: margin), natural(rounds, "rounds")
    tests = Rounds(asked, Noise(2 / scale, 4 / scale, None), rng, limit=limit)
    found = find_skeleton(len(names), tests, max_order=max_order, stable=False, **work)
    spent = Spent(rounds, scale, (PureDP(scale),))
    return with_directions(names, found, tests.answers, spent)


@dataclass
class _PrintedTests:
    """Lines 3 to 17 of Algorithm 1 as a test for ``find_skeleton``."""

    shares: Shares
    epsilon: float
    level: float
    rng: np.random.Generator
    answers: list[Answer] = field(default_factory=list)
    seen: int = 0

    def __call__(self, x: int, y: int, given: tuple[int, ...]) -> bool:
        self.seen += 1
        deleted, noisy = printed_decision(
            *self.shares(x, y, given), level=self.level, epsilon=self.epsilon, rng=self.rng
        )
        if noisy:
            self.answers.append(Answer(x, y, given, self.seen, deleted))
            self.seen = 0
        return deleted
