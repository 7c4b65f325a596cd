"""Accuracy of the additive noise model without noise, on simulated pairs.

``python -m benchmarks.accuracy_bars``; ``--pairs`` shortens it. How often noise leaves the
direction right is an experiment of ``provado reproduce``: ``kusner2016/theorems``.
"""

from __future__ import annotations

import argparse
import math

import numpy as np

from provado.mechanisms.cause_effect.additive_noise_model import generate_pairs
from provado.mechanisms.cause_effect.pair_budget import margins
from tests.mechanisms.anm.fit_and_score import in_unit

RECORDS = 1_000
BAR = 0.75
SEED = 20_160_407
NAMES = ("hsic", "spearman", "kendall", "iqr")


def bench_accuracy(pairs: int = 200, seed: int = SEED) -> bool:
    """Print the accuracy of each score with its binomial standard error; judge that of HSIC."""
    generator, splits = np.random.default_rng(seed).spawn(2)
    right = dict.fromkeys(NAMES, 0)
    for pair in generate_pairs(pairs, RECORDS, generator):
        sign = 1 if pair.direction == "X→Y" else -1
        found = margins(*in_unit(pair), splits=1, rng=splits)
        for name in NAMES:
            right[name] += sign * float(found[name][0]) > 0
    print(f"\nDirection found without noise, {pairs} simulated pairs of {RECORDS:,} records")
    for name, count in right.items():
        share = count / pairs
        error = math.sqrt(share * (1 - share) / pairs)
        bar = f"  bar {BAR}: {'met' if share >= BAR else 'MISSED'}" if name == "hsic" else ""
        print(f"{name:10s} {share:.3f} ± {error:.3f} (ratio to bar {share / BAR:.2f}){bar}")
    return right["hsic"] / pairs >= BAR


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=200, help="simulated pairs, at least 100")
    parser.add_argument("--seed", type=int, default=SEED)
    chosen = parser.parse_args()
    return 0 if bench_accuracy(chosen.pairs, chosen.seed) else 1


if __name__ == "__main__":
    raise SystemExit(main())
