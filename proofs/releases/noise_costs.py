"""What releases cost: from how far neighbors move what they release, by a theorem for each noise.

=================== ==========================================================================
Laplace, scale b    ε = Σ|Dⱼ|/bⱼ for changes Dⱼ of numbers that are released, one after the other
                    (Dwork, McSherry, Nissim, Smith 2006); whole numbers with discrete Laplace
                    noise alike (Ghosh, Roughgarden, Sundararajan 2009)
Gaussian, σ         μ² = Σ(Dⱼ/σⱼ)² (Dong, Roth, Su 2022; adaptive: Smith, Thakurta 2022), and
                    ρ = μ²/2 (Bun, Steinke 2016; adaptive: Feldman, Zrnic 2021)
largest with noise  ε = max (Dᵢ − Dⱼ)/b over pairs of candidates. Laplace and exponential noise:
                    the winner's draw moves by (max Dᵢ − Dⱼ) ≥ 0, all others stay, and the same
                    one wins (after Dwork, Roth 2014, claim 3.9; exponential noise is
                    permute-and-flip: McKenna, Sheldon 2020, Ding et al. 2021). Gumbel noise is the
                    exponential mechanism, Pr ∝ e^(score/b) (McSherry, Talwar 2007)
one Laplace number  δ(ε) = 1 − e^((ε − |D|/b)/2) where |D|/b ≥ ε (Balle, Barthe, Gaboardi 2018)
pure ε              ρ = ε²/2 (Bun, Steinke 2016)
μ                   δ(ε) = Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ) (Balle, Wang 2018)
=================== ==========================================================================

Costs of several releases add up: ε, ρ and μ² each, also where later ones depend on earlier ones,
if each is bounded for all that came out before: numbers that came out are unknowns of the question.
"""

import itertools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from provado.proofs.kernel import function_enclosure
from provado.proofs.sensitivity.change.arrays import Following
from provado.proofs.sensitivity.change.expression import depends_on_data, function
from provado.proofs.sensitivity.change.find import find_bound, prove_bound
from provado.proofs.sensitivity.change.formula import formula_words, is_at_least_zero
from provado.proofs.sensitivity.change.prove import Followed, ProvedBound
from provado.proofs.sensitivity.change.ratio import Ratio, SymbolPolynomial, total

from .noise import CHOOSING, Release, bare_noise

TWO = Ratio.number(2)


@dataclass(frozen=True)
class ReleaseClaim:
    """What is claimed: ε (with δ), μ of Gaussian differential privacy, or ρ of zCDP."""

    epsilon: Fraction | None = None
    delta: Fraction = Fraction(0)
    mu: Fraction | None = None
    rho: Fraction | None = None

    def words(self) -> str:
        """Return it as it is written."""
        if self.mu is not None:
            return f"μ = {self.mu}"
        if self.rho is not None:
            return f"ρ = {self.rho}"
        return f"ε = {self.epsilon}" + f", δ = {float(self.delta):g}" * bool(self.delta)


@dataclass(frozen=True)
class ReleaseGroup:
    """Releases whose cost is one norm of one vector: changes of ``values`` in ``norm``.

    The norm is ε for Laplace noise (``l1``) and for a choice (``linf``), μ for Gaussian noise
    (``l2``). values: what is released, divided by the scales of noise; of a choice, differences
    of ``scores``.
    """

    name: str
    releases: tuple[Release, ...]
    values: tuple[Ratio, ...]
    norm: str
    scores: tuple[Ratio, ...] = ()

    @property
    def pure(self) -> bool:
        """Whether the norm is an ε."""
        return self.norm != "l2"

    @property
    def one_laplace(self) -> bool:
        """Whether it is one number with Laplace noise."""
        return len(self.values) == 1 and self.releases[0].kind == "Laplace" and not self.scores


@dataclass(frozen=True)
class ProvedCost:
    """A group of releases with a bound on its norm: one, or one for each of its numbers."""

    group: ReleaseGroup
    bounds: tuple[ProvedBound, ...]
    together: Ratio | None = None

    @property
    def cost(self) -> Ratio:
        """The bound on the norm: what the bounds add up to, where no other is stated."""
        return total(item.claim for item in self.bounds) if self.together is None else self.together


class NotShownError(Exception):
    """Why a claim was not proved."""


def groups_of(releases: Sequence[Release], *, by_square: bool = False) -> list[ReleaseGroup]:
    """Return releases that depend on data in groups; raises ``NotShownError`` where one has none.

    by_square: ρ is asked for, to which Laplace noise contributes half of the square as well.
    """
    groups, added, gaussian = [], [], []
    for item in releases:
        moving = [value for value in item.values if depends_on_data(value)]
        if not moving:
            continue
        if item.kind is None:
            bare = next(filter(None, map(bare_noise, moving)), "")
            raise NotShownError(
                f"what is made of the {bare} (rounded, cut off, its absolute value) is added to a "
                "number that depends on the data: add the noise first, then round or cut off"
                if bare
                else "a number that depends on the data is released without noise"
            )
        if item.chosen:
            scores = tuple(value / item.scale for value in _without_shared(item.values))
            apart = tuple(one - other for one, other in itertools.combinations(scores, 2))
            name = f"the place of the largest with {item.kind} noise, line {item.line}"
            groups.append(ReleaseGroup(name, (item,), apart, "linf", scores))
        elif "Gaussian" in item.kind:
            gaussian.append(item)
        elif "Laplace" in item.kind:
            added.append(item)
        else:
            beside = "two draws subtracted do" + " or a place is chosen" * (item.kind in CHOOSING)
            raise NotShownError(f"line {item.line}: {item.kind} noise hides no number; {beside}")
    if by_square:
        # Both contribute half of a square.
        added, gaussian = [], [*added, *gaussian]
    for some, norm in ((added, "l1"), (gaussian, "l2")):
        if some:
            kinds = " and ".join(dict.fromkeys(str(release.kind) for release in some))
            lines = ", ".join(dict.fromkeys(str(release.line) for release in some))
            values = tuple(
                v / release.scale for release in some for v in release.values if depends_on_data(v)
            )
            name = f"{kinds} noise, line{'s' * (',' in lines)} {lines}"
            groups.append(ReleaseGroup(name, tuple(some), values, norm))
    return groups


def _without_shared(scores: Sequence[Ratio]) -> list[Ratio]:
    """Return scores without the terms that all of them have, such as their largest: they cancel."""
    if len({score.bottom for score in scores}) > 1:
        return [*scores]
    shared = set.intersection(*(set(score.top.terms) for score in scores))
    return [score - Ratio.of(SymbolPolynomial.of(dict(shared)), score.bottom) for score in scores]


@dataclass(frozen=True)
class CostBounds:
    """Bounds costs of one way through a function. until: when to give up, by ``time.monotonic``."""

    following: Following
    until: float

    def _followed(self, values: Sequence[Ratio]) -> Followed:
        return Followed(tuple(values), self.following)

    def _left(self, share: int = 1) -> float:
        return max((self.until - time.monotonic()) / share, 0.1)

    def within(self, group: ReleaseGroup, limit: Ratio) -> ProvedCost | None:
        """Return a proof that a group costs at most ``limit``, if there is one."""
        apart = self._apart(group, lambda item: prove_bound(item, limit / TWO, "l1", self._left(4)))
        if apart is not None:
            return apart
        bound = prove_bound(self._followed(group.values), limit, group.norm, self._left())
        if bound is not None:
            return ProvedCost(group, (bound,))
        several = self.least(group) if len(group.values) > 1 else None
        fits = several is not None and self._is_at_most(several.cost, limit)
        return several if fits else None

    def _apart(
        self, group: ReleaseGroup, bound: Callable[[Followed], ProvedBound | None]
    ) -> ProvedCost | None:
        """Return the cost of a choice by its scores: they differ by twice what each moves by."""
        shown: list[ProvedBound] = []
        for score in group.scores:
            if (proved_bound := bound(self._followed([score]))) is None:
                return None
            shown.append(proved_bound)
        for item in shown:
            if all(self._is_at_most(other.claim, item.claim) for other in shown):
                return ProvedCost(group, tuple(shown), TWO * item.claim)
        return None

    def least(self, group: ReleaseGroup) -> ProvedCost | None:
        """Return the least cost that could be proved of a group; of many numbers, one by one."""
        bound = find_bound(self._followed(group.values), group.norm, self._left(2))
        if bound is not None:
            return ProvedCost(group, (bound,))
        if group.scores:
            return self._apart(group, self._found)
        if len(group.values) == 1 or group.norm == "l2":
            return None
        each = [self._found(self._followed([value])) for value in group.values]
        known = tuple(proved_bound for proved_bound in each if proved_bound is not None)
        return ProvedCost(group, known) if len(known) == len(each) else None

    def _found(self, followed: Followed) -> ProvedBound | None:
        return find_bound(followed, "l1", self._left(4))

    def _is_at_most(self, cost: Ratio, limit: Ratio) -> bool:
        return is_at_least_zero(limit - cost, (self.following.least, self.following.most))

    def prove(self, releases: Sequence[Release], claim: ReleaseClaim) -> list[ProvedCost]:
        """Return proofs whose costs are together at most the claim; raises ``NotShownError``."""
        groups = groups_of(releases, by_square=claim.rho is not None)
        normal = [group for group in groups if not group.pure]
        if claim.epsilon is not None:
            if not normal:
                alone = len(groups) == 1 and groups[0].one_laplace
                beyond = most_beyond(claim.delta) if alone else 0
                return self._add_up(groups, Ratio.number(claim.epsilon + beyond))
            if not claim.delta:
                raise NotShownError("Gaussian noise keeps no ε without a δ")
            pure = [self._known(group) for group in groups if group.pure]
            left = Ratio.number(claim.epsilon) - total(cost.cost for cost in pure)
            if left.constant is None or left.constant < 0:
                raise NotShownError("what is released without Gaussian noise takes all of ε")
            most = Ratio.number(most_mu(left.constant, claim.delta))
            return [*pure, *(self._limited(release_group, most) for release_group in normal)]
        wanted = claim.mu if claim.mu is not None else claim.rho
        assert wanted is not None
        limit = Ratio.number(wanted)
        square = limit * limit if claim.mu is not None else TWO * limit
        root = limit if claim.mu is not None else function("sqrt", square)
        if len(groups) == 1 and (normal or claim.rho is not None):
            # ε²/2 is a ρ, so that ε ≤ √(2ρ) is enough as well.
            return [self._limited(groups[0], root)]
        shown = [self._known(group) for group in groups]
        squares = [
            Ratio.number(mu_of_epsilon(cost.cost) ** 2)
            if claim.mu is not None and cost.group.pure
            else cost.cost * cost.cost
            for cost in shown
        ]
        if not self._is_at_most(total(squares), square):
            raise NotShownError(_spent(shown))
        return shown

    def _add_up(self, groups: Sequence[ReleaseGroup], limit: Ratio) -> list[ProvedCost]:
        if len(groups) == 1:
            return [self._limited(groups[0], limit)]
        shown = [self._known(group) for group in groups]
        if not self._is_at_most(total(cost.cost for cost in shown), limit):
            raise NotShownError(_spent(shown))
        return shown

    def _limited(self, group: ReleaseGroup, limit: Ratio) -> ProvedCost:
        cost = self.within(group, limit)
        if cost is None:
            raise NotShownError(
                f"that {group.name} costs at most {formula_words(limit)} could not be shown"
            )
        return cost

    def _known(self, group: ReleaseGroup) -> ProvedCost:
        cost = self.least(group)
        if cost is None:
            raise NotShownError(f"no bound on the cost of {group.name} could be shown")
        return cost


def _spent(shown: Sequence[ProvedCost]) -> str:
    parts = [f"{cost.group.name}: {formula_words(cost.cost)}" for cost in shown]
    return f"together its releases cost more, by what could be shown ({'; '.join(parts)})"


def delta_ends(mu: Fraction, epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """Return ends around δ(ε) of μ: Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ)."""
    if mu == 0:
        return Fraction(0), Fraction(0)
    first, second = (
        function_enclosure("normal", sign * mu / 2 - epsilon / mu, 96) for sign in (1, -1)
    )
    power = function_enclosure("exp", epsilon, 96)
    return first[0] - power[1] * second[1], first[1] - power[0] * second[0]


def _bisected(holds: Callable[[Fraction], bool], most: int) -> tuple[Fraction, Fraction]:
    """Return two numbers close together, between which something holds no more; up to ``most``."""
    low, high = Fraction(0), Fraction(1)
    while holds(high) and high < most:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low, high


def most_mu(epsilon: Fraction, delta: Fraction) -> Fraction:
    """Return a μ, hardly below the largest, that keeps (ε, δ)."""
    return _bisected(lambda mu: delta_ends(mu, epsilon)[1] <= delta, 2**20)[0]


def most_beyond(delta: Fraction) -> Fraction:
    """Return by how much |D|/b of one Laplace number may exceed ε where it keeps (ε, δ)."""
    return Fraction(math.floor(-2 * 10**9 * function_enclosure("ln", 1 - delta, 96)[1]), 10**9)


def mu_of_epsilon(epsilon: Ratio) -> Fraction:
    """Return a μ that any ε-private release keeps: Φ(μ/2) ≥ e^ε/(1 + e^ε).

    The trade-off of ε meets that of μ where both errors are equal; one side of it is a chord of a
    convex curve there.
    """
    value = epsilon.constant
    if value is None:
        raise NotShownError("a cost that depends on the number of records is turned into no μ")
    power = function_enclosure("exp", value, 96)[1]
    wanted = power / (1 + power)

    def is_below(mu: Fraction) -> bool:
        return function_enclosure("normal", mu / 2)[0] < wanted

    _, high = _bisected(is_below, 2**10)
    if is_below(high):
        raise NotShownError("so large an ε is turned into no μ")
    return high
