"""Priv-PC on two vertices: one edge, one test, and what a run without an answer is charged.

Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
Algorithm 2, on all records (m = n), where neither subsampling nor the two readings of its noise,
n/m and √(n/m), make a difference.

The score, larger where the columns are closer to independence, is 1 − |τ-a|, of sensitivity 4/n.

Its twin is Priv-PC's own accounting: a run without an answer is charged nothing.
"""

import math
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms import definitions
from provado.mechanisms.definitions.parameters import answers, natural, positive
from provado.mechanisms.scores.kendall import concordance, kendall_sensitivity

SILENT, KEPT, DELETED = 0, 1, 2
"""No answer: the sieve let nothing pass; answered and edge kept; answered and edge deleted."""


def independence(records: ArrayLike) -> Fraction:
    """Return 1 − |τ-a| of the two columns, exactly. Raises ``UsageError`` for bad records."""
    x, y = _columns(records)
    counts = concordance(x, y)
    return 1 - Fraction(abs(counts.concordant - counts.discordant), sum(counts))


def priv_pc_edge(
    records: ArrayLike,
    *,
    threshold: float,
    tweak: float = 0.0,
    epsilon: float,
    size: int,
    rng: Generator,
) -> NDArray[np.int8]:
    """Return ``size`` outputs of Algorithm 2 on two vertices: ``SILENT``, ``KEPT``, ``DELETED``.

    records: shape (n, 2). threshold, tweak: T and t, in terms of 1 − |τ|.
    epsilon: ε of one sieve-and-examine. With Δ = 4/n and ε′ = ε/2 the sieve has noise Lap(2Δ/ε′) on
        T − t and Lap(4Δ/ε′) on the score, the examination Lap(2Δ/ε).

    Guarantee: ε-DP under replacement of one record: one sieve-and-examine takes place, whether or
    not anything passes. Raises ``UsageError`` for bad records or parameters.
    """
    score, unit, trials = _setting(records, epsilon, size)
    level = threshold - tweak + rng.laplace(scale=2 * unit, size=trials)
    passed = score + rng.laplace(scale=4 * unit, size=trials) >= level
    kept = score + rng.laplace(scale=unit, size=trials) < threshold
    return np.where(passed, np.where(kept, KEPT, DELETED), SILENT).astype(np.int8)


def priv_pc_edge_silent(
    records: ArrayLike, *, size: int, rng: Generator, **setting: float
) -> NDArray[np.bool_]:
    """Return whether each of ``size`` runs ended without an answer, which is charged nothing.

    Priv-PC charges by advanced composition over the answers of a run; with none, it is ε = 0. That
    claims that this event is as likely, up to δ, under neighbors. It is not. Setting as of
    ``priv_pc_edge``.
    """
    return np.equal(priv_pc_edge(records, size=size, rng=rng, **setting), SILENT)


def upper_tail(x: float) -> float:
    """Return Pr[Y + Z > x] for independent Laplace variables of scales 2 and 4.

    For x ≥ 0 it is (2/3)·e^(−x/4) − (1/6)·e^(−x/2).
    """
    if x < 0:
        return 1 - upper_tail(-x)
    return 2 / 3 * math.exp(-x / 4) - math.exp(-x / 2) / 6


def _setting(records: ArrayLike, epsilon: float, size: int) -> tuple[float, float, int]:
    """Return the score, Δ/ε′ = 2Δ/ε, and the number of trials."""
    score = float(independence(records))
    n = _columns(records)[0].size
    unit = 2 * float(kendall_sensitivity(n)) / positive(epsilon, "epsilon")
    return score, unit, natural(size, "size")


def _columns(records: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    table = answers(records, "records")
    if table.ndim != 2 or table.shape[1] != 2:
        raise definitions.UsageError(f"records has shape {table.shape}: it must be (n, 2)")
    return table[:, 0], table[:, 1]


SOURCE = definitions.Source(
    "Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020)",
    "Algorithm 2",
)
PAIR = (tuple((i, i) for i in range(10)), (*((i, i) for i in range(9)), (9, -1)))
"""Ten records in the same order in both columns; then the last is first in the second column."""

SETTING: dict[str, Any] = {"threshold": 0.2, "epsilon": 4.0}


_SOUND = definitions.Mechanism(
    name="priv-pc/one-edge",
    run=partial(priv_pc_edge, **SETTING),
    promise=definitions.PureDP(SETTING["epsilon"]),
    relation=definitions.ReplaceOne(),
    pairs=(PAIR,),
    source=SOURCE,
    summary="Priv-PC on two vertices; one sieve-and-examine is charged, answer or none.",
    true_epsilon=1.8204084520444581,
    tags=("causal-discovery",),
)

MECHANISMS: tuple[definitions.Mechanism, ...] = (
    _SOUND,
    _SOUND.twin(
        "priv-pc-uncharged-sieve",
        run=partial(priv_pc_edge_silent, **SETTING),
        # The charge of no answer is ε = 0 at δ = 1e-3; a promise needs an ε above 0.
        promise=definitions.ApproximateDP(1e-9, 1e-3),
        summary="Whether Priv-PC on two vertices ended without an answer, an outcome that it "
        "charges ε = 0, as it charges by answers and leaves out the last sieve.",
        true_epsilon=0.3305283263997083,
    ),
)
