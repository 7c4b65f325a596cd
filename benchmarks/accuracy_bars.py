"""Accuracy of the additive noise model, and how often its private versions keep the direction.

``python -m benchmarks.accuracy_bars`` runs both parts; ``--pairs`` and ``--trials`` shorten them.
"""

from __future__ import annotations

import argparse
import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import chi2

from provado.mechanisms.pairs.anm import CausalPair, generate_pairs
from provado.mechanisms.pairs.anm.margins import SCORES
from provado.mechanisms.pairs.anm.margins import margins as margins_of
from provado.mechanisms.pairs.utility import (
    four_laplace_correct,
    four_laplace_correct_printed,
    two_laplace_correct,
)

RECORDS = 1_000
BAR = 0.75
SEED = 20_160_407
EPSILONS = (0.3, 1.0, 3.0)
SIMULATED_PAIRS = 10
LEVEL = 1e-3
"""Chance that a correct formula fails part two, shared by all its comparisons."""

NAMES = ("hsic", "spearman", "kendall", "iqr")


def true_margins(
    pairs: tuple[CausalPair, ...], rng: np.random.Generator
) -> dict[str, NDArray[np.float64]]:
    """Return, for each score and pair, the score of the false direction minus that of the true."""
    found: dict[str, list[float]] = {name: [] for name in NAMES}
    for pair in pairs:
        sign = 1 if pair.direction == "X→Y" else -1
        for name, margin in margins_of(*pair.in_unit(), splits=1, rng=rng).items():
            found[name].append(sign * float(margin[0]))
    return {name: np.array(values) for name, values in found.items()}


def bench_hsic_accuracy(margins: dict[str, NDArray[np.float64]]) -> bool:
    """Print the accuracy of each score with its binomial standard error; judge that of HSIC."""
    count = margins["hsic"].size
    print(f"\nDirection found without noise, {count} simulated pairs of {RECORDS:,} records")
    for name, found in margins.items():
        share = float(np.mean(found > 0))
        error = math.sqrt(share * (1 - share) / count)
        bar = f"  bar {BAR}: {'met' if share >= BAR else 'MISSED'}" if name == "hsic" else ""
        print(f"{name:10s} {share:.3f} ± {error:.3f} (ratio to bar {share / BAR:.2f}){bar}")
    return float(np.mean(margins["hsic"] > 0)) >= BAR


def kept(margin: float, scale: float, releases: int, trials: int, rng: np.random.Generator) -> int:
    """Return how often the noisy smaller side stays smaller; half the releases on either side."""
    hits = 0
    for start in range(0, trials, 250_000):
        size = (min(250_000, trials - start), releases // 2)
        smaller = rng.laplace(scale=scale, size=size).sum(axis=1)
        larger = margin + rng.laplace(scale=scale, size=size).sum(axis=1)
        hits += int(np.count_nonzero(smaller < larger))
    return hits


def bench_noise(
    margins: dict[str, NDArray[np.float64]], trials: int, rng: np.random.Generator
) -> bool:
    """Print z-scores of simulated private directions against Theorems 2 and 4; judge the largest.

    For each pair the side that the scores prefer counts as correct, as in the theorems.
    """
    names = list(margins)
    count = len(names) * len(EPSILONS) * SIMULATED_PAIRS
    limit = float(-ndtri(LEVEL / 2 / count))
    print(
        f"\nPrivate direction equals the scores' own: {trials:,} noisy directions a pair "
        f"against Theorem 2 (one score a side) and repaired Theorem 4 (iqr); |z| must stay below "
        f"{limit:.2f}"
    )
    print("score      ε     probability, lowest to highest   largest |z|  p of Σz²   printed: |z|")
    fine = True
    for name in names:
        gaps = np.abs(margins[name][:SIMULATED_PAIRS])
        for epsilon in EPSILONS:
            four = name == "iqr"
            test_size = RECORDS - RECORDS // 2
            sensitivity = SCORES[name].sensitivity
            scale = (1 if sensitivity is None else float(sensitivity(test_size))) / epsilon
            law = four_laplace_correct if four else two_laplace_correct
            chances = np.array([float(law(gap, scale)) for gap in gaps])
            hits = np.array([kept(gap, scale, 4 if four else 2, trials, rng) for gap in gaps])
            z = _z(hits, chances, trials)
            worst, p = float(np.abs(z).max()), float(chi2.sf((z**2).sum(), z.size))
            good = worst < limit and p > LEVEL / count
            fine &= good
            printed = ""
            if four:
                wrong = np.clip(four_laplace_correct_printed(gaps, scale), 1e-6, 1 - 1e-6)
                printed = f"{float(np.abs(_z(hits, wrong, trials)).min()):.0f} or more"
            print(
                f"{name:10s} {epsilon:<5g} {chances.min():.4f} to {chances.max():.4f}"
                f"{worst:28.2f}  {p:9.3f}   {printed}{'' if good else '  MISSED'}"
            )
    return fine


def _z(hits: NDArray[np.int64], chances: NDArray[np.float64], trials: int) -> NDArray[np.float64]:
    spread = np.sqrt(trials * chances * (1 - chances))
    # Where the direction is all but sure, the Gaussian approximation needs some spread to stand on.
    return np.asarray((hits - trials * chances) / np.maximum(spread, 1.0))


def bench_accuracy(pairs: int = 200, trials: int = 1_000_000, seed: int = SEED) -> bool:
    """Run both parts, print their figures, and return whether every bar is met."""
    generator, splits, noise = np.random.default_rng(seed).spawn(3)
    margins = true_margins(generate_pairs(pairs, RECORDS, generator), splits)
    accurate = bench_hsic_accuracy(margins)
    faithful = bench_noise(margins, trials, noise)
    print(f"\naccuracy: {'all bars met' if accurate and faithful else 'BAR MISSED'}")
    return accurate and faithful


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=200, help="simulated pairs, at least 100")
    parser.add_argument("--trials", type=int, default=1_000_000, help="noisy directions a pair")
    parser.add_argument("--seed", type=int, default=SEED)
    chosen = parser.parse_args()
    return 0 if bench_accuracy(chosen.pairs, chosen.trials, chosen.seed) else 1


if __name__ == "__main__":
    raise SystemExit(main())
