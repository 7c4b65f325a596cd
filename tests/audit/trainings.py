"""DP-SGD on canaries, each with a direction of its own, and what their scores read off a run."""

import functools

import numpy as np

from provado.mechanisms.textbook.dp_sgd import SgdFlaw, dp_sgd_delta, dp_sgd_epsilon, trainer

CANARIES = 200
DELTA = 1e-5

USUAL = {"steps": 40, "rate": 0.1, "noise": 2.0, "batch": 15.0}
"""About (1.48, 1e-5)-DP: for slips that add too little noise for what is clipped."""

QUIET = {"steps": 4, "rate": 0.25, "noise": 0.25, "batch": 30.0}
"""One epoch of four batches with little noise: for who takes part, and how often."""

NEAR_ZERO = 0.05
"""ε at which the quiet training is audited, with a large δ: what shuffling shows is that no canary
was left out by chance."""


def examples():
    """Return the canaries, whose gradients are long, and the other examples."""
    canaries = np.zeros((CANARIES, CANARIES + 2))
    canaries[np.arange(CANARIES), np.arange(CANARIES)] = 100
    canaries[:, -1] = 1e6
    others = np.zeros((50, CANARIES + 2))
    others[:, CANARIES] = others[:, -1] = np.linspace(-1, 1, 50)
    return canaries, others


def final_weights(path):
    return path[-1, :CANARIES]


def likelihood(path):
    """Return the log-likelihood ratio of one participation in one of the steps against none."""
    pace = 0.1 / QUIET["batch"]
    moves = np.diff(path, axis=0, prepend=np.zeros((1, path.shape[1])))[:, :CANARIES] / pace
    each = (moves - 0.5) / QUIET["noise"] ** 2
    return np.logaddexp.reduce(each, axis=0) - np.log(len(each))


@functools.cache
def asked(flaw, shuffling=False):
    """Return the trainer and the arguments of its audit."""
    canaries, others = examples()
    common = {"canaries": canaries, "data": others, "name": f"dp-sgd/{flaw}"}
    if not shuffling:
        claim = {k: USUAL[k] for k in ("steps", "rate", "noise")}
        epsilon = dp_sgd_epsilon(**claim, delta=DELTA)
        return trainer(flaw, **USUAL), common | {
            "epsilon": epsilon,
            "delta": DELTA,
            "score": final_weights,
        }
    claim = {k: QUIET[k] for k in ("steps", "rate", "noise")}
    return trainer(flaw, **QUIET), common | {
        "epsilon": NEAR_ZERO,
        "delta": dp_sgd_delta(**claim, epsilon=NEAR_ZERO),
        "score": likelihood,
        "threshold": 0.0,
        "guesses": CANARIES,
    }


SLIPS = (
    (SgdFlaw.CLIPS_BATCH, False),
    (SgdFlaw.NOISE_PER_BATCH, False),
    (SgdFlaw.RATE_IN_NOISE, False),
    (SgdFlaw.SHUFFLES, True),
)
