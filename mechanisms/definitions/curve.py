"""Promises that are curves: one parameter, and the δ(ε) that it allows at every ε.

What refutes such a promise is a point above its curve: a certified lower limit on δ at some ε that
no mechanism with the promise has. ``least`` turns it into the promise's own terms.

How much of a Rényi divergence a single event can show: a mechanism with δ(ε) ≥ δ has an event of
probability p under one dataset and q under the other with p − e^ε·q ≥ δ, and the divergences of
these two coins are at most those of the mechanism. So the least parameter of any such mechanism is
a minimum over two numbers, and the mechanism that releases the event alone reaches it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from .parameters import UsageError, positive
from .promise import GaussianDP, PrivacyPromise

SAFETY = 1e-8
"""Taken off in relative terms, for rounding and for the end of the search."""

_POINTS, _ROUNDS, _WIDEST = 16, 13, 60.0
"""Events examined together, and how often the stretch around the best of them is examined again;
the first stretch is of the logarithm of q."""

Floats = NDArray[np.float64]


@lru_cache(maxsize=4096)
def least_scale(epsilon: float, delta: float, orders: tuple[tuple[float, float], ...]) -> float:
    """Return a lower limit on t ≥ 0 of every mechanism with δ(``epsilon``) ≥ ``delta``.

    epsilon: ε ≥ 0. delta: δ in [0, 1].
    orders: pairs (α, w), α ≥ 1 and w > 0: the mechanism is held to D_α ≤ w·t for each, in both
        directions; order 1 is the Kullback–Leibler divergence.

    The least over events of the largest D_α/w, rounded down by 1e-8. Divergences
    are jointly quasi-convex, so that it has one valley along the line p = δ + e^ε·q.

    Source: Asoodeh, Liao, Calmon, Kosut and Sankar, Three Variants of Differential Privacy:
    Lossless Conversion and Applications (2021), section 3 (one order; the joint range of two
    divergences is that of coins); quasi-convexity: van Erven and Harremoës, Rényi Divergence and
    Kullback–Leibler Divergence (2014), Theorem 13.
    """
    if not delta > 0:
        return 0.0
    every, weights = np.array(orders, dtype=np.float64).T
    factor = math.exp(min(epsilon, 700.0))
    most = (1 - delta) / factor

    if not most > 0:
        return math.inf
    low, high, best = 0.0, _WIDEST, math.inf
    for _ in range(_ROUNDS):
        # Along log q, where the valley is wide even for the rarest of events.
        shares = np.linspace(low, high, _POINTS)
        q = most * np.exp(-shares)
        shown = (_divergences(delta + factor * q, q, every) / weights).max(axis=1)
        at = int(np.argmin(shown))
        best = min(best, float(shown[at]))
        low, high = float(shares[max(at - 1, 0)]), float(shares[min(at + 1, _POINTS - 1)])
    return max(best * (1 - SAFETY), 0.0)


@lru_cache(maxsize=256)
def most_delta(epsilon: float, scale: float, orders: tuple[tuple[float, float], ...]) -> float:
    """Return an upper limit on δ(``epsilon``) of every mechanism with D_α ≤ w·``scale``.

    The inverse of ``least_scale`` in δ, rounded up by less than 1e-8 of itself.
    """
    # Here, so that statements load without scipy.
    from scipy.optimize import brentq

    def excess(log_delta: float) -> float:
        return math.log(max(least_scale(epsilon, math.exp(log_delta), orders), 1e-300) / scale)

    low, high = -690.0, -1e-12
    if excess(low) > 0:
        return math.exp(low)
    if excess(high) <= 0:
        return 1.0
    result = float(brentq(excess, low, high, xtol=1e-10, rtol=1e-12))
    step = 1e-9
    # The root may lie on either side; what is returned must be refuted.
    while excess(min(result + step, high)) <= 0 and result + step < high:
        step *= 2
    return min(math.exp(result + step), 1.0)


def _divergences(p: Floats, q: Floats, orders: Floats) -> Floats:
    """Return the larger of D_α(p ‖ q) and D_α(q ‖ p) of coins; shape (coins, orders)."""
    p = np.minimum(p, 1.0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        both = ((p, np.log(p), np.log1p(-p)), (q, np.log(q), np.log1p(-q)))
        result = [_one_way(*pair, orders) for pair in (both, both[::-1])]
    return np.asarray(np.maximum(*result))


Coin = tuple[Floats, Floats, Floats]
"""Probabilities of an event, their logarithms, those of its complement."""


def _one_way(mine: Coin, other: Coin, orders: Floats) -> Floats:
    a = orders[None, :]
    terms = [
        np.where(x[:, None] == -np.inf, -np.inf, a * x[:, None] + (1 - a) * y[:, None])
        for x, y in zip(mine[1:], other[1:], strict=True)
    ]
    renyi = np.logaddexp(*terms) / (a - 1)
    p = mine[0]
    entropy = sum(
        np.where(share > 0, share * (x - y), 0.0)
        for share, x, y in zip((p, 1 - p), mine[1:], other[1:], strict=True)
    )
    return np.where(a == 1, np.asarray(entropy)[:, None], renyi)


LEAST_DELTA, POINTS = 1e-7, 9
"""Points to test a curve at lie from ε = 0 to where it falls to ``LEAST_DELTA``, so many."""

_ABOVE_ONE = tuple(np.exp(np.linspace(-3.0, 7.0, 301)).tolist())
ORDERS = (1.0, *(1 + above for above in _ABOVE_ONE))
"""Orders at which divergences are held to a promise; fewer of them only make a limit weaker."""

SLACK = 1e-11


@runtime_checkable
class CurvePromise(PrivacyPromise, Protocol):
    """A promise of one parameter, of which a larger one promises less."""

    @property
    def family(self) -> str:
        """``gdp``, ``zcdp``, ``rdp`` or ``curve``."""
        ...

    @property
    def symbol(self) -> str:
        """The parameter's letter."""
        ...

    @property
    def parameter(self) -> float:
        """What is claimed."""
        ...

    def least(self, epsilon: float, delta: float) -> float:
        """Return a lower limit on the parameter of mechanisms with δ(``epsilon``) ≥ ``delta``."""
        ...


@dataclass(frozen=True)
class ConcentratedDP:
    """ρ-zero-concentrated differential privacy: D_α ≤ αρ for every order α > 1, both ways.

    Source: Bun and Steinke, Concentrated Differential Privacy (2016), Definition 1.1.
    """

    rho: float

    def __post_init__(self) -> None:
        positive(self.rho, "rho")

    family, symbol = "zcdp", "ρ"

    @property
    def parameter(self) -> float:
        """ρ."""
        return self.rho

    @property
    def orders(self) -> tuple[tuple[float, float], ...]:
        """Pairs (α, w): D_α ≤ w·ρ."""
        return _CONCENTRATED

    def weight(self, order: float) -> float | None:
        """Return w with D_α ≤ w·ρ at an order α ≥ 1."""
        return order

    def delta(self, epsilon: float) -> float:
        """Return the largest δ of any ρ-zCDP mechanism, rounded up; see ``least_scale``.

        At most that of Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy
        (2020), Corollary 13, which drops one of two terms.
        """
        return most_delta(epsilon, self.rho, self.orders)

    def least(self, epsilon: float, delta: float) -> float:
        """Return the least ρ of any mechanism with δ(``epsilon``) ≥ ``delta``, rounded down."""
        return least_scale(epsilon, delta, self.orders)

    def point(self) -> tuple[float, float]:
        """Return (ε, 0.001)."""
        return point_at(self, 1e-3)

    def words(self) -> str:
        """Return ``ρ-zCDP`` with the number in place."""
        return f"{self.rho:g}-zCDP"


_CONCENTRATED = tuple((order, order) for order in ORDERS)


@dataclass(frozen=True)
class RenyiDP:
    """(α, ε)-Rényi differential privacy: D_α ≤ ε, both ways.

    alpha: the order α > 1.

    Source: Mironov, Rényi Differential Privacy (2017), Definition 4.
    """

    alpha: float
    epsilon: float

    def __post_init__(self) -> None:
        if not 1 < float(self.alpha) < math.inf:
            raise UsageError(f"alpha is {self.alpha!r}: an order is a finite number above 1")
        positive(self.epsilon, "epsilon")

    family, symbol = "rdp", "ε"

    @property
    def parameter(self) -> float:
        """ε."""
        return self.epsilon

    @property
    def orders(self) -> tuple[tuple[float, float], ...]:
        """The pair (α, 1): D_α ≤ 1·ε. Lower orders are held to ε too, which says no more."""
        return ((self.alpha, 1.0),)

    def weight(self, order: float) -> float | None:
        """Return w with D_a ≤ w·ε at an order a ≥ 1; ``None`` above α, of which nothing is said."""
        return 1.0 if order <= self.alpha else None

    def delta(self, epsilon: float) -> float:
        """Return the largest δ of any mechanism with this promise, rounded up.

        Source: Asoodeh et al. (2021); see ``least_scale``.
        """
        return most_delta(epsilon, self.epsilon, self.orders)

    def least(self, epsilon: float, delta: float) -> float:
        """Return the least D_α of any mechanism with δ(``epsilon``) ≥ ``delta``, rounded down."""
        return least_scale(epsilon, delta, self.orders)

    def point(self) -> tuple[float, float]:
        """Return (ε, 0.001)."""
        return point_at(self, 1e-3)

    def words(self) -> str:
        """Return ``(α, ε)-RDP`` with the numbers in place."""
        return f"({self.alpha:g}, {self.epsilon:g})-RDP"


@dataclass(frozen=True, eq=False)
class PrivacyCurve:
    """Any curve ε ↦ δ(ε).

    profile: a function of ε ≥ 0 that returns δ and does not increase, or an object with
        ``get_delta_for_epsilon``, such as a ``PrivacyLossDistribution`` of dp-accounting.
    name: what to call it.
    factor: the claim is δ(ε) ≤ ``factor``·profile(ε), 1 unless given; the smallest one that counts
        do not refute is what an audit certifies of such a claim.

    Raises ``UsageError`` where a point of it is no probability.
    """

    profile: Callable[[float], float] | Any
    name: str = "privacy curve"
    factor: float = 1.0
    _read: Callable[[float], float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        positive(self.factor, "factor")
        read = getattr(self.profile, "get_delta_for_epsilon", self.profile)
        if not callable(read):
            raise UsageError(
                f"profile is of type {type(self.profile).__name__}: it must be a function of ε, or "
                "have get_delta_for_epsilon"
            )
        object.__setattr__(self, "_read", read)
        values = [self._profile(epsilon) for epsilon in (0.0, 0.1, 1.0, 10.0)]
        if any(later > before + 1e-12 for before, later in itertools.pairwise(values)):
            raise UsageError("profile increases with ε: a privacy curve does not")

    family, symbol = "curve", "factor"

    @property
    def parameter(self) -> float:
        """The factor."""
        return self.factor

    def _profile(self, epsilon: float) -> float:
        value = float(self._read(epsilon))
        if not -1e-12 <= value <= 1 + 1e-12:
            raise UsageError(f"profile at ε = {epsilon:g} is {value!r}: δ must lie in [0, 1]")
        return min(max(value, 0.0), 1.0)

    def delta(self, epsilon: float) -> float:
        """Return δ(ε)."""
        return min(self.factor * self._profile(epsilon), 1.0)

    def least(self, epsilon: float, delta: float) -> float:
        """Return the factor by which δ at ``epsilon`` must be raised to reach ``delta``."""
        known = self._profile(epsilon)
        if not delta > 0:
            return 0.0
        return delta / known * (1 - SLACK) if known > 0 else math.inf

    def point(self) -> tuple[float, float]:
        """Return (ε, 0.001)."""
        return point_at(self, 1e-3)

    def words(self) -> str:
        """Return its name and its default point."""
        epsilon, delta = self.point()
        return f"{self.name} through ({epsilon:.4g}, {delta:g})"


@dataclass(frozen=True)
class CurveRecord:
    """A curve promise as plain data.

    order: the α of a Rényi promise, else ``None``. points: of a curve without a formula (ε, δ), by
    rising ε.
    """

    family: str
    symbol: str
    parameter: float
    order: float | None = None
    points: tuple[tuple[float, float], ...] = ()

    @classmethod
    def of(cls, promise: CurvePromise) -> CurveRecord:
        """Return the record of a promise."""
        points: tuple[tuple[float, float], ...] = ()
        if promise.family == "curve":
            # The profile itself; the factor is stored apart.
            points = tuple((e, d / promise.parameter) for e, d in grid_of(promise))
        order = getattr(promise, "alpha", None)
        return cls(promise.family, promise.symbol, promise.parameter, order, points)

    def promise(self) -> CurvePromise:
        """Return the promise again; a curve without a formula is known at its points.

        Between them it is a straight line in e^ε, which is not below a profile as those are convex
        there. Raises ``UsageError`` for an unknown family.
        """
        if self.family == "gdp":
            return GaussianDP(self.parameter)
        if self.family == "zcdp":
            return ConcentratedDP(self.parameter)
        if self.family == "rdp" and self.order is not None:
            return RenyiDP(self.order, self.parameter)
        if self.family == "curve" and self.points:
            return PrivacyCurve(_Tabulated(self.points), factor=self.parameter)
        raise UsageError(f"family is {self.family!r}: it must be gdp, zcdp, rdp or curve")


@dataclass(frozen=True)
class _Tabulated:
    points: tuple[tuple[float, float], ...]

    def __call__(self, epsilon: float) -> float:
        for (left, above), (right, below) in itertools.pairwise(self.points):
            if epsilon == left:
                return above
            if left < epsilon < right:
                share = math.expm1(epsilon - left) / math.expm1(right - left)
                return above + share * (below - above)
        return self.points[-1][1] if epsilon >= self.points[-1][0] else 1.0


def point_at(promise: CurvePromise, delta: float) -> tuple[float, float]:
    """Return (ε, ``delta``), ε the least at which δ(ε) is at most that, rounded up by 1e-9.

    Where the curve begins below ``delta`` it is (0, δ(0)). Raises ``UsageError`` where no ε does.
    """

    def above(epsilon: float) -> bool:
        return promise.least(epsilon, delta) <= promise.parameter

    if not above(0.0):
        return (0.0, promise.delta(0.0))
    low, high = 0.0, 1.0
    while above(high):
        low, high = high, 2 * high
        if high > 1e4:
            raise UsageError(f"{promise!r}: at no ε does it fall to δ = {delta:g}")
    while high - low > 1e-9 * max(high, 1.0):
        middle = (low + high) / 2
        low, high = (middle, high) if above(middle) else (low, middle)
    return (high, delta)


def grid_of(promise: CurvePromise) -> tuple[tuple[float, float], ...]:
    """Return the points (ε, δ(ε)) among which an audit chooses the one to test.

    They follow from the promise alone: ε evenly from 0 to where δ(ε) is ``LEAST_DELTA``, or stays
    as far as the curve falls. Points with δ = 0 or δ = 1 are left out.
    """
    key: Any = promise
    return _grid(key)


@lru_cache(maxsize=64)
def _grid(promise: Any) -> tuple[tuple[float, float], ...]:
    try:
        last = point_at(promise, LEAST_DELTA)[0]
    except UsageError:
        last = 10.0
    every = [(float(e), promise.delta(float(e))) for e in np.linspace(0.0, last, POINTS)]
    return tuple((e, delta) for e, delta in every if 0 < delta < 1)
