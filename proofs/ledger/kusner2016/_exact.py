"""What the paper computes, in exact numbers: quartiles, propose-test-release, linear ridge.

Propose-test-release: exact probability that noisy distances pass.

Source: Dwork and Roth (2014), Algorithm 13; Kusner et al. (2016), appendix, Algorithm 1 (two
proposed intervals, tried in turn).

Quartiles are order statistics, x_(⌈m/4⌉) and x_(⌈3m/4⌉): the inverse of the empirical distribution,
which needs no interpolation; the paper leaves the estimate open. Of Algorithm 1, for one IQR, there
are the intervals, the distances and the chance of a release. Kernel ridge regression has the kernel
k(x, y) = xy, which is positive semi-definite and at most 1 on [−1, 1]; its feature map is φ(x) = x,
so that the minimiser of (λ/2)w² + (1/n) Σ (w·x_i − y_i)² is w = Σ x_i·y_i/(Σ x_i² + λn/2).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs import kernel
from provado.proofs.algebra import ExpSum, exact, exp, positive_exact
from provado.proofs.algebra.certificates import log_enclosure
from provado.proofs.kernel import Number


@dataclass(frozen=True)
class PassTest:
    """Pass if distance + Laplace(scale) > offset + times·ln(1/δ), all parameters exact.

    times/scale must be a whole number, as δ^(times/scale) must be rational. For a δ = e^(−d) with
    rational d, add times·d to the offset and leave δ at 1.
    Algorithm 13 at ε: scale = times = 1/ε. Kusner et al., Algorithm 1: scale = 1/ε, times = 1,
    offset = 1, so that a rational δ needs a whole ε.
    """

    scale: Fraction | int
    offset: Fraction | int = 0
    delta: Fraction | int = 1
    times: Fraction | int = 0

    def __post_init__(self) -> None:
        power = exact(self.times, "times") / positive_exact(self.scale, "scale")
        if power < 0 or power.denominator != 1:
            raise UsageError(f"times/scale is {power}: it must be a whole number from 0 on")
        if not 0 < exact(self.delta, "delta") <= 1:
            raise UsageError(f"delta is {self.delta!r}: it must lie in (0, 1]")
        exact(self.offset, "offset")


def pass_probability(test: PassTest, distance: int | Fraction) -> ExpSum:
    """Return the exact probability that ``distance`` passes.

    With gap g = (offset + times·ln(1/δ) − distance)/scale it is e^(−g)/2 for g ≥ 0 and 1 − e^g/2
    below; e^(−g) = δ^(times/scale)·e^((distance − offset)/scale) is a sum of the algebra.
    """
    b = Fraction(test.scale)
    step = (exact(distance, "distance") - Fraction(test.offset)) / b
    power = int(Fraction(test.times) / b)
    weight = Fraction(test.delta) ** power
    if exp(step) * weight <= 1:
        return exp(step) * (weight / 2)
    return 1 - exp(-step) * (1 / (2 * weight))


def release_probability(test: PassTest, distances: Sequence[int | Fraction]) -> ExpSum:
    """Return the probability that at least one of the distances passes, with fresh noise each."""
    if not distances:
        raise UsageError("distances is empty: at least one interval must be proposed")
    silent = ExpSum.of(1)
    for distance in distances:
        silent = silent * (1 - pass_probability(test, distance))
    return 1 - silent


def quartile_ranks(m: int) -> tuple[int, int]:
    """Return the ranks p = ⌈m/4⌉ and q = ⌈3m/4⌉, from 1."""
    return -(-m // 4), -(-3 * m // 4)


def interquartile_range(values: Sequence[Number]) -> Fraction:
    """Return x_(q) − x_(p)."""
    p, q = quartile_ranks(len(values))
    ordered = sorted(values)
    return Fraction(ordered[q - 1]) - Fraction(ordered[p - 1])


def reachable(values: Sequence[Number], t: int) -> tuple[Fraction, Fraction | None]:
    """Return the lowest and highest range after replacing t points; ``None`` for no highest.

    Highest: u of the points go far up and t − u far down. Lowest: t points leave both ends and
    gather between the quartiles, so that a window of q − p − t + 1 old points remains.
    """
    x = sorted(values)
    m, (p, q) = len(x), quartile_ranks(len(x))
    wide = [
        None if q + u > m or p - (t - u) < 1 else Fraction(x[q + u - 1]) - x[p - (t - u) - 1]
        for u in range(t + 1)
    ]
    highest = None if None in wide else max(w for w in wide if w is not None)
    if t >= q - p:
        return Fraction(0), highest
    lowest = min(Fraction(x[j + q - p - t - 1]) - x[j - 1] for j in range(p, p + t + 1))
    return lowest, highest


def below_exp(value: Number, exponent: Number) -> bool:
    """Return whether value < e^exponent, exactly."""
    return kernel.sum_sign(((exponent, 1), (0, -Fraction(value)))) > 0


def changes_to_leave(values: Sequence[Number], low: Number, high: Number) -> int:
    """Return how many points must be replaced to move the range out of [e^low, e^high).

    0 if it is outside already.
    """
    t = 0
    while True:
        lowest, highest = reachable(values, t)
        if highest is None or not below_exp(highest, high) or below_exp(lowest, low):
            return t
        t += 1


def floor_log(value: Number, offset: Number = 0) -> int:
    """Return ⌊ln value + offset⌋ for value > 0, exactly."""
    k = int((log_enclosure(value)[1] + offset) // 1)
    return k - 1 if below_exp(value, k - offset) else k


HALF = Fraction(1, 2)
Interval = tuple[Fraction, Fraction]


def printed_intervals(iqr: Number) -> tuple[Interval, Interval]:
    """Return the exponents of B₁ and B₂ as printed: both from k = ⌊log IQR⌋."""
    k = Fraction(floor_log(iqr))
    return (k, k + 1), (k - HALF, k + HALF)


def repaired_intervals(iqr: Number) -> tuple[Interval, Interval]:
    """Return the exponents of two intervals that both hold the IQR, on two shifted grids."""
    k, shifted = Fraction(floor_log(iqr)), Fraction(floor_log(iqr, HALF))
    return (k, k + 1), (shifted - HALF, shifted + HALF)


def distances(values: Sequence[Number], intervals: tuple[Interval, Interval]) -> tuple[int, int]:
    """Return A₁ and A₂: how many points must be replaced to move the IQR out of each."""
    first, second = (changes_to_leave(values, *ends) for ends in intervals)
    return first, second


def printed_interval(epsilon: Fraction, root: Fraction) -> PassTest:
    """Return R_j > 1 + log(1/δ) with R_j = A_j + Lap(1/ε), for ε ≤ 1 or whole.

    root: δ^ε for ε < 1, and δ for a whole ε: the number that must be rational.
    """
    if epsilon >= 1:
        return PassTest(1 / epsilon, 1, root, 1)
    return PassTest(1 / epsilon, 1, root, 1 / epsilon)


def repaired_interval(epsilon: Fraction, delta: Fraction) -> PassTest:
    """Return R_j > 1 + log(1/δ)/ε with R_j = A_j + Lap(1/ε)."""
    return PassTest(1 / epsilon, 1, delta, 1 / epsilon)


@dataclass(frozen=True)
class RangeRelease:
    """One run of the algorithm: whether a number is released, and how large it is."""

    values: tuple[Number, ...]
    test: PassTest
    repaired: bool

    @property
    def probability(self) -> ExpSum:
        """Return the chance that it is not ⊥."""
        iqr = interquartile_range(self.values)
        intervals = repaired_intervals(iqr) if self.repaired else printed_intervals(iqr)
        return release_probability(self.test, distances(self.values, intervals))

    def above(self, level: Number, power: Fraction) -> ExpSum:
        """Return the chance of a released number above ``level``: log IQR + Lap(1/ε) > level.

        power: IQR^ε, which must be rational and is checked: power^(1/ε) = IQR for ε = 1/n, and
            power = IQR^ε for a whole ε.
        """
        iqr, epsilon = interquartile_range(self.values), 1 / Fraction(self.test.scale)
        if power**epsilon.denominator != iqr**epsilon.numerator:
            raise ValueError(f"{power} is not {iqr} to the power {epsilon}")
        if below_exp(iqr, level):
            return self.probability * exp(-epsilon * level) * (power / 2)
        return self.probability * (1 - exp(epsilon * level) * (1 / (2 * power)))


Rows = tuple[tuple[Number, Number], ...]


def slope(train: Rows, lam: Number) -> Fraction:
    """Return w."""
    top = sum((Fraction(x) * y for x, y in train), Fraction(0))
    return top / (sum(Fraction(x) ** 2 for x, _ in train) + Fraction(lam) * len(train) / 2)


def residuals(train: Rows, test: Rows, lam: Number) -> tuple[Fraction, ...]:
    """Return y′ − w·x′ for each row of the test set."""
    w = slope(train, lam)
    return tuple(Fraction(y) - w * x for x, y in test)


def spearman(a: Sequence[Number], b: Sequence[Number]) -> Fraction:
    """Return |1 − 6 Σ d²/(m(m² − 1))|, ties ranked by position."""
    m = len(a)
    moved = sum((r - s) ** 2 for r, s in zip(_ranks(a), _ranks(b), strict=True))
    return abs(1 - Fraction(6 * moved, m * (m * m - 1)))


def kendall(a: Sequence[Number], b: Sequence[Number]) -> Fraction:
    """Return |C − D|/(m(m − 1)/2), a pair that is not concordant being discordant."""
    pairs = list(combinations(range(len(a)), 2))
    concordant = sum((a[i] - a[j]) * (b[i] - b[j]) > 0 for i, j in pairs)
    return abs(Fraction(2 * concordant - len(pairs), len(pairs)))


def _ranks(values: Sequence[Number]) -> list[int]:
    order = sorted(range(len(values)), key=lambda i: values[i])
    ranks = [0] * len(values)
    for rank, i in enumerate(order):
        ranks[i] = rank
    return ranks
