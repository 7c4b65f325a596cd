"""What the paper says of its Table 2, held against the probabilities of the right direction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from provado.reports.commands.reproduce.findings import Comparison

from ._pairs import DRAWN
from ._printed import TABLE_2

EPSILONS = (0.1, 1.0, 2.0)
LEVELS = ("∞", *(f"{epsilon:g}" for epsilon in EPSILONS))
PAPER_SCORES = ("spearman", "kendall", "hsic", "iqr")
RIGHT = 0.9
"""A score is right on a pair where it is on so many of its splits; wrong where on 1 − this."""

FEW = DRAWN
"""Among fewer pairs than the paper has, that a kind is missing decides nothing."""

Shares = Mapping[str, Mapping[str, Sequence[Sequence[float]]]]
"""By pair and score: of each level, the probability of the right direction on each split."""


def comparisons(found: Mapping[str, Shares]) -> tuple[Comparison, ...]:
    """Return what is said of Table 2 beside each source of pairs, by the source's name."""
    made: list[Comparison] = []
    for source, shares in found.items():
        made += [
            _coin(source, shares),
            _grows(source, shares),
            _kendall(source, shares),
            _complementary(source, shares),
        ]
    return tuple(made)


def _mean(shares: Shares, score: str, at: int) -> float:
    return float(np.mean([np.mean(of[score][at]) for of in shares.values()]))


def _coin(source: str, shares: Shares) -> Comparison:
    most = max(abs(float(np.mean(of["iqr"][1])) - 0.5) for of in shares.values())
    return Comparison(
        "at ε = .1 the noise of the IQR leaves a tossed coin: .50 or .51 wherever a number is left",
        "Table 2",
        f"{source}: IQR {_mean(shares, 'iqr', 1):.3f} in the mean at ε = .1, {most:.3f} from .5 at "
        f"most on a pair; {_mean(shares, 'iqr', 0):.3f} without noise.",
        most < 0.05,
        ""
        if most < 0.05
        else "Where quartiles of a column nearly agree, the margin of the "
        "logarithms is large, and no noise of scale 1/ε hides it.",
    )


def _grows(source: str, shares: Shares) -> Comparison:
    means = [_mean(shares, "hsic", at) for at in (1, 2, 3, 0)]
    off = [distances(shares, at)["hsic"] for at in (1, 2, 3)]
    return Comparison(
        "the probability of HSIC moves from a coin's to its noise-free value as ε grows",
        "Table 2, Figure 1",
        f"{source}: {', '.join(f'{mean:.3f}' for mean in means)} in the mean at ε = .1, 1, 2, ∞; "
        f"a pair's is off its noise-free value by {', '.join(f'{one:.3f}' for one in off)}.",
        all(a > b for a, b in pairwise(off)),
    )


def distances(shares: Shares, at: int) -> dict[str, float]:
    """Return, by rank score and HSIC, how far noise moves a pair's probability in the mean."""
    return {
        score: float(
            np.mean([abs(np.mean(of[score][at]) - np.mean(of[score][0])) for of in shares.values()])
        )
        for score in ("kendall", "spearman", "hsic")
    }


def printed_shares() -> dict[str, dict[str, list[list[float]]]]:
    """Return the printed means in the form of ``Shares``; without the IQR, of which a row lacks."""
    return {
        str(i): {
            score: [[TABLE_2[level, score][i][0]] for level in LEVELS]
            for score in ("spearman", "kendall", "hsic")
        }
        for i in range(len(TABLE_2["∞", "hsic"]))
    }


def _kendall(source: str, shares: Shares) -> Comparison:
    own, printed = distances(shares, 1), distances(printed_shares(), 1)
    least = own["kendall"] < min(own["spearman"], own["hsic"])
    words = ", ".join(f"{score} {value:.3f}" for score, value in own.items())
    paper = ", ".join(f"{score} {value:.3f}" for score, value in printed.items())
    return Comparison(
        f"Kendall's τ needs the least ε: at ε = .1 a pair's probability is off its noise-free "
        f"value by the least ({paper}, computed from the printed numbers)",
        "Table 2",
        f"{source}: {words}.",
        least,
        ""
        if least
        else "A score that is a coin without noise as well has nothing to lose by noise.",
    )


def _complementary(source: str, shares: Shares) -> Comparison:
    right = {
        score: {pair: float(np.mean(of[score][0])) for pair, of in shares.items()}
        for score in ("spearman", "kendall", "hsic")
    }

    def pairs(good: Sequence[str], bad: Sequence[str]) -> list[str]:
        return [
            pair
            for pair in shares
            if all(right[score][pair] >= RIGHT for score in good)
            and all(right[score][pair] <= 1 - RIGHT + 1e-9 for score in bad)
        ]

    ranks = ("spearman", "kendall")
    ours, theirs = pairs(("hsic",), ranks), pairs(ranks, ("hsic",))
    return Comparison(
        "the scores are often complementary: ranks do well where HSIC does worse, and vice versa",
        "section 6",
        f"{source}: of {len(shares)} pairs HSIC is right and both rank scores wrong on "
        f"{len(ours)}, the reverse on {len(theirs)} (right: on {RIGHT:.0%} of the splits).",
        True if ours and theirs else False if len(shares) >= FEW else None,
        "" if ours and theirs else "No pair of one of the two kinds is among these.",
    )
