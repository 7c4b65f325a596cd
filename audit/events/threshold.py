"""Where to cut a score: the two thresholds that promise the best certified bound.

And one-dimensional cells, in which the log-likelihood ratio of D against D′ is taken as constant.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, xlog1py, xlogy

Floats = NDArray[np.float64]
Counted = NDArray[Any]

CAUTION = 4.0
"""Standard errors of the selecting sample that are taken off an estimate before the best is picked.

A cut that did best on few samples among many cuts is a winner's curse; the best of some thousand
looks gains about so many standard errors by luck alone.
"""

FLOOR, SLACK = 4.5, 0.1
"""So many standard errors are taken off for the floor of a cut, by a limit that holds for a handful
of guesses too; a cut whose floor lies more than ``SLACK`` of the best floor below it is not taken.
"""


CLEAR, FAINT = 3.0, 0.02
"""Where δ > 0: standard errors by which a cut must exceed it at the claimed ε to be worth the claim
(by fewer, a part in proportion); and the part at most that one is worth which may yet exceed it."""


@dataclass(frozen=True)
class Goal:
    """What a rule is chosen for.

    trials: certifying trials. alpha: chance of a false alarm. delta: the δ of the claim.
    betting: whether the betting bound will be used. claimed: the claimed ε.
    epsilon: where a point of a curve is tested, its ε; a rule is then worth the δ that it is
        expected to certify there, and forecasts are of that δ.
    """

    trials: int
    alpha: float
    delta: float
    betting: bool
    epsilon: float | None = None
    claimed: float = 0.0

    @property
    def deviation(self) -> float:
        """Standard errors between estimate and certified limit in the certifying sample."""
        if self.betting:
            return math.sqrt(-2 * math.log(self.alpha))
        # One-sided normal quantile, near enough for planning.
        return float(-ndtri(self.alpha))


@dataclass(frozen=True)
class Cut:
    """Guess D where score ≥ ``high``, D′ where score ≤ ``low``; with ``sign`` −1 the other way.

    value: cautious forecast of the certified ε. floor: what it certifies beyond luck. error:
    standard error of the sample's own estimate of the log-odds that a guess is right. beyond: where
    δ > 0, by how many standard errors outputs of one sample alone exceed δ beyond some cut.
    """

    low: float
    high: float
    value: float
    floor: float
    error: float
    sign: int = 1
    beyond: float = -math.inf


NO_CUT = Cut(-math.inf, math.inf, -math.inf, -math.inf, math.inf)


def best_cut(a: Floats, b: Floats, goal: Goal, *, both_ways: bool = False) -> Cut:
    """Return the cut of a score with the best forecast, from scores under D (a) and D′ (b).

    NaN scores abstain. Cuts lie at a grid of ranks, geometric in the tails, and every pair of them
    is forecast in one array. ``both_ways``: large scores may also speak for D′.
    """
    size = len(a) + len(b)
    a, b = np.sort(a[~np.isnan(a)]), np.sort(b[~np.isnan(b)])
    pooled = np.sort(np.concatenate([a, b]), kind="stable")  # Merges what is sorted.
    if len(pooled) < 2:
        return NO_CUT
    ranks = np.concatenate([[0], rank_grid(len(pooled), 6, 64), [len(pooled) - 1]])
    values = np.unique(pooled[ranks])
    # The upper region is {score ≥ high}; the lower {score ≤ low}; "none" is a threshold too.
    highs = np.append(values, np.inf)
    lows = np.insert(values, 0, -np.inf)
    a_high = len(a) - np.searchsorted(a, highs, side="left")
    b_high = len(b) - np.searchsorted(b, highs, side="left")
    a_low = np.searchsorted(a, lows, side="right")
    b_low = np.searchsorted(b, lows, side="right")
    overlap = highs[:, None] <= lows[None, :]
    # [i, j]: says D on the upper region, D′ on the lower.
    straight = a_high[:, None] + b_low[None, :]
    crossed = b_high[:, None] + a_low[None, :]
    best, beyond = NO_CUT, -math.inf
    upper, lower = (a_high + b_high > 0), (a_low + b_low > 0)
    regions = upper[:, None].astype(np.int64) + lower[None, :]
    for sign, correct, wrong in ((1, straight, crossed), (-1, crossed, straight))[: 1 + both_ways]:
        value = forecast(correct, wrong, regions, size, goal)
        floor = _floor(correct, wrong, regions, size, goal)
        floor[overlap] = value[overlap] = -np.inf
        value[floor < admitted(float(floor.max()))] = -np.inf
        if goal.delta > 0 and goal.epsilon is None:
            alone = (wrong == 0) & ~overlap
            by = (correct - size * goal.delta * regions / 2) / np.sqrt(np.maximum(correct, 1))
            beyond = max(beyond, float(by[alone].max(initial=-math.inf)))
        i, j = np.unravel_index(int(np.argmax(value)), value.shape)
        if value[i, j] > best.value:
            error = math.sqrt(1 / max(correct[i, j], 1) + 1 / max(wrong[i, j], 1))
            if goal.epsilon is not None:
                error *= (correct[i, j] + wrong[i, j]) / size * 2 / regions[i, j]
            best = Cut(
                float(lows[j]), float(highs[i]), float(value[i, j]), float(floor[i, j]), error, sign
            )
    return replace(best, beyond=beyond)


def promised(said_a: NDArray[np.int8], said_b: NDArray[np.int8], goal: Goal) -> float:
    """Return the forecast of guesses as they are, made on outputs under D (a) and D′ (b)."""
    a, b = said_a.astype(np.float64), said_b.astype(np.float64)
    a[a == 0] = b[b == 0] = np.nan
    return best_cut(a, b, goal).value


def admitted(best: float) -> float:
    """Return the lowest floor that may be used with the best one."""
    return best - SLACK * abs(best) if math.isfinite(best) else -math.inf


def _floor(correct: Counted, wrong: Counted, regions: Counted, size: int, goal: Goal) -> Floats:
    """Return what ``FLOOR`` standard errors leave of the ε that this sample shows.

    Where δ is positive, at least 0: a guess at a common output has a floor a little below, one at a
    rare event none until it exceeds δ clearly, and neither certifies anything.
    """
    c, w = correct.astype(np.float64), wrong.astype(np.float64)
    n = np.maximum(c + w, 1.0)
    if goal.epsilon is not None:
        value = np.maximum(_excess(c, w, regions, size, goal.epsilon, FLOOR / math.sqrt(size)), 0.0)
    elif goal.delta == 0:
        value = _pure(w / n, n, FLOOR)
    else:
        own = Goal(size, math.exp(-(FLOOR**2) / 2), goal.delta, True)
        value = _approximate(w / n, n, regions, own)
        value = np.maximum(value, 0.0)
    return np.asarray(np.where(c + w > 0, value, -np.inf))


def forecast(
    correct: Counted,
    wrong: Counted,
    regions: Counted,
    size: int,
    goal: Goal,
    caution: float = CAUTION,
) -> Floats:
    """Return the ε̂ that ``goal`` may expect of rules that scored so on ``size`` trials.

    The rate of wrong guesses is taken ``caution`` standard errors above what this sample shows,
    one wrong guess added for each region that the rule guesses on; the certifying sample then
    costs ``goal.deviation`` more of its own.

    Where δ is positive and that promises nothing, rules are told apart by what they promise without
    the caution: then the forecast is negative, and the nearer to 0 the more they promise. A guess
    at a common output loses δ for nothing, while one at a rare event that just exceeds δ may win.
    What exceeds δ at the claimed ε is worth more than what is within the claim: see ``CLEAR``.
    """
    if goal.epsilon is not None:
        c, w = correct.astype(np.float64), (wrong + regions).astype(np.float64)
        errors = CAUTION / math.sqrt(size) + goal.deviation / math.sqrt(goal.trials)
        return _excess(c, w, regions, size, goal.epsilon, errors)
    value = _forecast(correct, wrong, regions, size, goal, caution)
    if goal.delta > 0:
        hope = _forecast(correct, wrong, regions, size, goal, 0.0)
        hope = np.where(hope > 0, -1 / (1 + np.maximum(hope, 0.0)), hope - 1)
        value = np.where(value > 0, value, hope)
        clear = _beyond(correct, wrong, regions, size, goal) / CLEAR
        worth = goal.claimed * np.minimum(np.maximum(clear, FAINT * (clear + 1)), 1)
        value = np.where((correct > 0) & (worth > 0), np.maximum(value, worth), value)
    return value


def _beyond(correct: Counted, wrong: Counted, regions: Counted, size: int, goal: Goal) -> Floats:
    """Return by how many standard errors guesses exceed δ at the claimed ε.

    One wrong guess is added for each region, as in ``forecast``.
    """
    factor = math.exp(min(goal.claimed, 300.0))
    w = wrong + regions.astype(np.float64)
    gap = correct - factor * w - size * goal.delta * regions / 2
    return np.asarray(gap / np.sqrt(np.maximum(correct + factor * factor * w, 1.0)))


def _excess(
    c: Floats, w: Floats, regions: Counted, size: int, epsilon: float, errors: float
) -> Floats:
    """Return the δ at ``epsilon`` that guesses show, less so many standard deviations of a trial.

    c, w: right and wrong guesses in ``size`` trials; a trial gives 1, −e^ε or 0. Of one region half
    of δ is all that it may give.
    """
    factor = math.exp(min(epsilon, 350.0))
    p, q = c / size, w / size
    mean = p - factor * q
    deviation = np.sqrt(np.maximum(p + factor * factor * q - mean * mean, 0.0))
    shown = (mean - errors * deviation) * 2 / np.maximum(regions, 1)
    return np.asarray(np.where(c > 0, shown, -np.inf))


def _forecast(
    correct: Counted, wrong: Counted, regions: Counted, size: int, goal: Goal, caution: float
) -> Floats:
    c, w = correct.astype(np.float64), wrong.astype(np.float64)
    n = np.maximum(c + w, 1.0)
    q = np.minimum((w + regions) / (n + 2), 1.0)
    q = np.minimum(q + caution * np.sqrt(q * (1 - q) / (n + 2)), 1.0)
    expected = n * (goal.trials / size)
    if goal.delta == 0 and not goal.betting:
        value = _pure(q, expected, goal.deviation)
    else:
        value = _approximate(q, expected, regions, goal)
    return np.asarray(np.where(c + w > 0, value, -np.inf))


def _pure(q: Floats, n: Floats, z: float) -> Floats:
    """Return the logit of Wilson's lower limit when n guesses miss at rate q, at z deviations."""
    miss = (q + z * z / (2 * n) + z * np.sqrt(q * (1 - q) / n + z * z / (4 * n * n))) / (
        1 + z * z / n
    )
    miss = np.clip(miss, 1e-300, 1 - 1e-12)
    return np.asarray(np.log1p(-miss) - np.log(miss))


def _approximate(miss: Floats, n: Floats, regions: Counted, goal: Goal) -> Floats:
    """Return the ε at which p − e^ε·q − δ lies ``goal.deviation`` standard errors above 0.

    p and q are the rates of right and wrong guesses among all trials; δ is half as large for a rule
    that guesses on one region alone. With r = e^ε the condition is
    (p − rq − δ)² = k(p + r²q − (p − rq)²), k = z²/trials: quadratic in r.
    """
    rate = np.minimum(n / goal.trials, 1.0)
    p, q = rate * (1 - miss), rate * miss
    k = goal.deviation**2 / goal.trials
    gain = p - goal.delta * regions / 2
    A = q * q * (1 + k) - k * q
    B = gain * q + k * p * q
    C = gain * gain - k * (p - p * p)
    root = np.sqrt(np.maximum(B * B - A * C, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        # C/(B + root) is the smaller root for A > 0 and the positive one for A < 0.
        ratio = np.where((gain > 0) & (C > 0), C / (B + root), 0.0)
        return np.asarray(np.where(ratio > 0, np.log(ratio), -np.inf))


Counts = NDArray[np.int64]


def rank_grid(n: int, per_octave: int = 8, middle: int = 128) -> Counts:
    """Return ranks in (0, n): geometric from both ends, even in the middle.

    Rare outputs lie in the tails, so cells there hold few samples each; in the middle n/``middle``.
    """
    octaves = max(int(np.log2(max(n // 2, 2))), 1)
    tail = np.unique(np.geomspace(1, max(n // 2, 1), octaves * per_octave + 1).astype(np.int64))
    even = np.linspace(0, n, middle + 1)[1:-1].astype(np.int64)
    ranks = np.unique(np.concatenate([tail, n - tail, even]))
    return ranks[(ranks > 0) & (ranks < n)]


def tally(edges: Floats, x: Floats) -> Counts:
    """Return how many of the sorted ``x`` fall in each cell of ``edges``: e ≤ x < next e."""
    below = np.searchsorted(x, edges, side="left")
    return np.diff(np.concatenate([[0], below, [len(x)]])).astype(np.int64)


def distance(a: Floats, b: Floats, points: int | None = None) -> float:
    """Return Kolmogorov's distance of two samples; 0 where one is empty.

    NaN, a value like another, stands last. points: examined are about so many, or all.
    """
    if not (len(a) and len(b)):
        return 0.0
    each = [np.sort(x) for x in (a, b)]
    pooled = np.sort(np.concatenate(each), kind="stable")  # Merges what is sorted.
    at = pooled if points is None else pooled[:: max(len(pooled) // points, 1)]
    below = [np.searchsorted(x, at, side="right") / len(x) for x in each]
    return float(np.max(np.abs(below[0] - below[1])))


def merge_cells(a: Counts, b: Counts, penalty: float) -> NDArray[np.bool_]:
    """Return which inner edges survive when neighbors that do not differ are merged.

    a, b: counts of the two samples in each of m cells. Neighbors are merged in the order of the
    loss of log-likelihood of the two-sample model, while the smallest loss is below ``penalty``;
    the rest is a piecewise constant likelihood ratio with as few pieces as the data support.
    """
    m = len(a)
    keep = np.ones(max(m - 1, 0), dtype=bool)
    if m < 2:
        return keep
    first, second = [float(x) for x in a], [float(x) for x in b]
    following, previous = list(range(1, m + 1)), list(range(-1, m - 1))
    alone = [*map(_log_likelihood, first, second)]

    def lost(i: int, j: int) -> float:
        together = _log_likelihood(first[i] + first[j], second[i] + second[j])
        return alone[i] + alone[j] - together

    loss = np.append([lost(i, i + 1) for i in range(m - 1)], np.inf)
    while loss[i := int(np.argmin(loss))] < penalty:
        # Cell i swallows the cell to its right; the edge between them goes.
        right = following[i]
        keep[right - 1] = False
        first[i] += first[right]
        second[i] += second[right]
        alone[i] = _log_likelihood(first[i], second[i])
        after = following[i] = following[right]
        loss[right] = np.inf
        if after < m:
            previous[after] = i
            loss[i] = lost(i, after)
        else:
            loss[i] = np.inf
        before = previous[i]
        if before >= 0:
            loss[before] = lost(before, i)
    return keep


def monotone_edges(a: Counts, b: Counts) -> NDArray[np.bool_]:
    """Return which inner edges survive a monotone fit (pool adjacent violators).

    Rising or falling, whichever is likelier; neighbors of one fitted value are merged.
    """
    from scipy.optimize import isotonic_regression

    total = np.maximum(a + b, 1)
    fits = [
        isotonic_regression(a / total, weights=total.astype(float), increasing=rising).x
        for rising in (True, False)
    ]
    fit = max(fits, key=lambda p: float(np.sum(xlogy(a, p) + xlog1py(b, -p))))
    kept = np.asarray(np.diff(fit) != 0)
    # Equal proportions may differ in the last place of their averages; whole numbers do not.
    starts = np.flatnonzero(np.append(True, kept))
    hits, trials = np.add.reduceat(a, starts), np.add.reduceat(total, starts)
    kept[starts[1:] - 1] = hits[1:] * trials[:-1] != hits[:-1] * trials[1:]
    return kept


def _log_likelihood(a: float, b: float) -> float:
    n = a + b
    return (a * math.log(a / n) if a else 0.0) + (b * math.log(b / n) if b else 0.0)
