"""How often ``provado discover --x --y`` is right where it names a cause.

``python -m benchmarks.pair_bars`` takes at most 1,000 rows of each of the 99 Tübingen pairs and
scores them by HSIC without privacy, and with each ε that ``--epsilon`` names for the test rows. It
needs the files of the package cdt, as ``provado reproduce`` does. With ``--made-up ROWS`` it takes
pairs of many kinds instead, three of each, some of which have no cause; exit 1 where less than 95 %
of the causes named are right, or all that are named of a kind are wrong.
"""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction
from itertools import permutations, product

import numpy as np

from provado.mechanisms.cause_effect.additive_noise_model import Direction
from provado.mechanisms.cause_effect.pair import EXCLUDED, POSSIBLE, discover_pair
from provado.mechanisms.cause_effect.pair_budget import Protect
from provado.reports.commands.reproduce.sources.pairs import tuebingen_pairs
from tests.mechanisms.discovery.pair_kinds import ADDITIVE, KINDS, NONE, RECORDED, UNEVEN, pair_of

ROWS = 1000
WAYS = (Direction.FORWARD, Direction.BACKWARD)
GROUPS = {
    "sums": ADDITIVE,
    "uneven noise": UNEVEN,
    "other scales": RECORDED,
    "without a cause": NONE,
}


def made_up(rows: int, epsilons: list[Fraction | None]) -> bool:
    """Print for each group how many causes are named, and how many of them are right."""
    fine = True
    for epsilon in epsilons:
        protect = Protect.NONE if epsilon is None else Protect.TEST
        named: dict[str, list[bool]] = {kind: [] for kind in KINDS}
        for kind, seed in product(KINDS, range(3)):
            x, y, first = pair_of(kind, seed, rows)
            rng = np.random.default_rng(seed)
            answer = discover_pair(x, y, score="hsic", protect=protect, epsilon=epsilon, rng=rng)
            if answer.cause is not None:
                named[kind].append(first is (answer.cause is Direction.FORWARD))
        print(f"{rows:,} rows, {'without privacy' if epsilon is None else f'ε = {epsilon}'}")
        for group, kinds in GROUPS.items():
            right = [each for kind in kinds for each in named[kind]]
            print(
                f"  {group}: {sum(right)} of {len(right)} named are right, {3 * len(kinds)} pairs"
            )
        wrong = [kind for kind, right in named.items() if not all(right)]
        print(f"  wrong at: {', '.join(wrong) or 'none'}")
        every = [each for right in named.values() for each in right]
        fine &= sum(every) >= 0.95 * len(every) and all(any(named[kind]) for kind in wrong)
    return fine


def main() -> int:
    """Print for how many pairs a cause is named, and how many of them are right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epsilon", type=Fraction, nargs="*", default=[], help="private runs too")
    parser.add_argument("--made-up", type=int, metavar="ROWS", help="made-up pairs of so many rows")
    arguments = parser.parse_args()
    if arguments.made_up is not None:
        return 0 if made_up(arguments.made_up, [None, *arguments.epsilon]) else 1
    pairs = tuebingen_pairs(np.random.default_rng(0))
    for epsilon in (None, *arguments.epsilon):
        named: dict[str, list[bool]] = {}
        sums: list[bool] = []
        for number, pair in enumerate(pairs):
            chosen = np.random.default_rng([number, 1]).permutation(pair.x.size)[:ROWS]
            answer = discover_pair(
                pair.x[chosen],
                pair.y[chosen],
                score="hsic",
                protect=Protect.NONE if epsilon is None else Protect.TEST,
                epsilon=epsilon,
                rng=np.random.default_rng([number, 2]),
            )
            why = "both fit" if answer.fits == (True, True) else "neither fits"
            why = "one fits" if answer.fits in ((True, False), (False, True)) else why
            kind = "cause named" if answer.cause is not None else f"cannot tell: {why}"
            named.setdefault(kind, []).append(answer.direction is pair.direction)
            for way, (own, other) in zip(WAYS, permutations(answer.explained or ()), strict=True):
                fits = own.additive >= POSSIBLE and not own.lumped
                if fits and other.additive < EXCLUDED <= other.widest:
                    sums.append(way is pair.direction)
        print("without privacy" if epsilon is None else f"ε = {float(epsilon):g}")
        for kind, right in sorted(named.items()):
            print(f"  {kind}: the smaller score is right for {sum(right)} of {len(right)} pairs")
        print(f"  a sum fits one way, wider models both: right for {sum(sums)} of {len(sums)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
