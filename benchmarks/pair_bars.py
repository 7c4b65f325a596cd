"""How often ``provado discover --x --y`` is right on the Tübingen pairs, where it names a cause.

``python -m benchmarks.pair_bars`` takes at most 1,000 rows of each of the 99 pairs and scores them
by HSIC without privacy, and with each ε that ``--epsilon`` names for the test rows. It needs the
files of the package cdt, as ``provado reproduce`` does.
"""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction

import numpy as np

from provado.mechanisms.cause_effect.pair import discover_pair
from provado.mechanisms.cause_effect.pair_budget import Protect
from provado.reports.commands.reproduce.sources.pairs import tuebingen_pairs

ROWS = 1000


def main() -> int:
    """Print for how many pairs a cause is named, and how many of them are right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epsilon", type=Fraction, nargs="*", default=[], help="private runs too")
    arguments = parser.parse_args()
    pairs = tuebingen_pairs(np.random.default_rng(0))
    for epsilon in (None, *arguments.epsilon):
        named: dict[str, list[bool]] = {}
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
            why = "noise decides" if answer.fits in ((True, False), (False, True)) else why
            kind = "cause named" if answer.cause is not None else f"cannot tell: {why}"
            named.setdefault(kind, []).append(answer.direction is pair.direction)
        print("without privacy" if epsilon is None else f"ε = {float(epsilon):g}")
        for kind, right in sorted(named.items()):
            print(f"  {kind}: the smaller score is right for {sum(right)} of {len(right)} pairs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
