"""Whole curve tests without processes: plan on samples, count on others or, broken, on the same."""

import numpy as np

from provado.audit.bounds import parameter_lower
from provado.audit.bounds.counts import Counts
from provado.audit.pipeline.explore import Explored, make_plans
from provado.audit.target.exceptions import Raises
from provado.audit.target.output_encoding import PatternBook, encode
from provado.mechanisms.textbook.discrete_gaussian import discrete_gaussian

GRID = 2.0**-10


def gaussian(data, *, size, rng):
    """Exactly 1-GDP before rounding, hence 1/2-zCDP and (α, α/2)-RDP, and with them tight."""
    return np.rint((data + rng.standard_normal(size)) / GRID) * GRID


def integers(data, *, size, rng):
    """1/8-zCDP, tight: a discrete Gaussian with σ² = 4 and sensitivity 1."""
    return discrete_gaussian(data, variance=4, size=size, rng=rng)


def certified(promise, run, trials, seed, *, reuse=False, pair=(0, 1)):
    """Return the certified parameter. reuse: plan on the very trials that are counted (broken)."""
    rng = np.random.default_rng(seed)
    book = PatternBook()
    half = trials // 2

    def drawn(sizes):
        return [
            encode(run(data, size=size, rng=rng), size, book)
            for data, size in zip(pair, sizes, strict=True)
        ]

    a, b = drawn((half, half))
    book.closed = True
    explored = Explored(a, b, book, (half,), trials, Raises())
    plans = make_plans(
        explored,
        *pair,
        pair=0,
        trials=trials,
        alpha=0.05,
        delta=0.0,
        anytime=False,
        ideal=True,
        curve=promise,
    )
    if not reuse:
        heads = int(rng.binomial(trials, 0.5))
        a, b = drawn((heads, trials - heads))
    return parameter_lower(counted(plans[0], a, b), plans[0].method, promise)


def counted(plan, a, b):
    """Return the counts of outputs under D (a) and D′ (b) by a plan."""
    said = [[int(np.sum(plan.rule.guess(side) == say)) for say in (1, -1, 0)] for side in (a, b)]
    cells = ()
    if plan.edges:
        tallied = [np.bincount(plan.cells(side), minlength=plan.most_cells) for side in (a, b)]
        cells = tuple(np.concatenate(tallied).tolist())
    return Counts(*said[0], *said[1], cells=cells)
