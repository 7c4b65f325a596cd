"""dp-learning-ff: the mean of each class, for learning from features."""

import numpy as np
from atlas_row import Rows, by_scales, counted, low_bits
from dp_learning_ff import give_private_prototypes
from dp_learning_ff.mechanisms import CoinpressGM

PACKAGE = {"name": "dp-learning-ff", "version": "0.0.8", "what": "means of classes"}

rows = Rows(PACKAGE, "replace-one: the features of one of twenty examples")
DELTA, RATE, COSTS = 1e-5, 0.1, [0.5]
PAIR = [[[9.0, 9.0], *[[0.0, 0.0]] * 19], [[-9.0, -9.0], *[[0.0, 0.0]] * 19]]
SAMPLED = [[*one[1:6], one[0], *one[6:]] for one in PAIR]  # the seed selects this place


def prototypes(data, **options):
    features, targets = np.array(data), np.zeros(len(data), dtype=int)
    return give_private_prototypes(features, targets, COSTS, **options)[0].tolist()


def fine():
    """Confirm by the first number: positive, with one of these exponents and lowest set bits."""
    ends = {(False, *one) for one in ((1, 1), (-1, 1), (-2, 1), (-3, 2), (-4, 3))}
    return counted(prototypes, PAIR, lambda out: low_bits(out[0]) in ends, 40_000, DELTA)


def declare(name, pair, how, rate=1.0, **options):
    def release(data):
        return prototypes(data, **options)

    exact = by_scales(release, pair, "normal", DELTA)
    release.__name__ = name
    rows.row(
        f"`give_private_prototypes`, {how}",
        epsilon=lambda: CoinpressGM(COSTS, p_sampling=rate).get_approxDP(DELTA),
        delta=DELTA,
        pairs=[pair],
        claim="Returns a private prototype for each class.",
        place="dp_learning_ff/prototypes.py, give_private_prototypes; ε by CoinpressGM",
        check=fine if rate == 1.0 else exact,
        exact=exact,
    )(release)


declare("prototypes_of_all", PAIR, "ρ = 0.5")
# The seed that selects the examples is 42 in every call: the same ones are used each time, and one
# may be used more than once.
declare("sampled", SAMPLED, "ρ = 0.5, `subsampling=0.1`", RATE, subsampling=RATE)
