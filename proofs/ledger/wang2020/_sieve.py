"""The sieve: its noise, the probabilities of Theorem 2, and sieve-and-examine as a claim.

The sieve has Y ~ Lap(2Δ/ε′) on the threshold and Z ~ Lap(4Δ/ε′) on the answer. An answer that lies
d above the tweaked threshold is missed with probability Pr[Y + Z > d·ε′/Δ]; here ε′ = x and the
noise is in units of Δ. On sieve-and-examine Theorem 1 and the accounting of Algorithm 2 rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from provado.proofs import kernel
from provado.proofs.algebra.exppoly import ExpPoly, Piecewise
from provado.proofs.algebra.exppoly.certificates import laplace_sum_tail
from provado.proofs.ledger import (
    Claim,
    Formula,
    LaplaceTail,
    Line,
    Step,
    at_least_zero,
    refute,
    show,
)
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import AtLeastZero, Equal, Fact, Fails, Polynomial
from provado.proofs.ledger.formula import variables

RECOVERED = Formula("2/3·(e^(−x/4) − 1/4·e^(−x/2))")
"""The shape of the printed bounds at x = ε′·distance/Δ."""
SIEVE_NOISE = LaplaceTail(
    (2, 4), RECOVERED, "the sieve's noise on threshold and answer, in units of Δ/ε′"
)


@cache
def two_noises() -> Piecewise:
    """Return t ↦ Pr[Y + Z > t] for Laplace variables of scales 2 and 4."""
    return laplace_sum_tail((2, 4))[0]


def tail_along(slope: int | Fraction) -> ExpPoly:
    """Return x ↦ Pr[Y + Z > slope·x] for x ≥ 0 and a slope of either sign, not 0."""
    tail = two_noises()
    return tail.piece_at(1 if slope > 0 else -1).compose(slope, 0)


def share_of(bits: tuple[int, ...], level: Fraction) -> tuple[Fraction, ...]:
    """Return how far each single record, as a subset, lies above the level; the query is a mean."""
    return tuple(bit - level for bit in bits)


def missed(bits: tuple[int, ...], level: Fraction) -> ExpPoly:
    """Return x ↦ the probability that the mean of a subset of one record misses the level."""
    total = ExpPoly()
    for distance in share_of(bits, level):
        total = total + tail_along(distance)
    return total * Fraction(1, len(bits))


@dataclass(frozen=True)
class ErrorAtMost(Claim):
    """The printed bound on an error of the sieve, tried where the subset is one record of two.

    The query is the mean, Δ = 1 on the subset, and ε′ = x. tail: the shape of the bound, at
    x·distance. threshold: T. margin: f(D) is T + margin for type I, T − margin for type II. tweak:
    t. passes: type II, the chance to pass instead of that to be missed.
    """

    tail: Formula
    threshold: Fraction
    margin: Fraction
    tweak: Fraction
    passes: bool

    @property
    def formula(self) -> str:
        error, sign = ("passes", "−") if self.passes else ("is missed", "+")
        return (
            f"a query at T {sign} α {error} with at most {self.tail} at x = ε′(α {sign} t)/Δ; "
            f"tried at T = {self.threshold}, α = {self.margin}, t = {self.tweak}"
        )

    def chance(self) -> ExpPoly:
        """Return the chance of the error under the subset of one of (0, 1), in x = ε′."""
        found = missed(BITS, self.threshold - self.tweak)
        return 1 - found if self.passes else found

    def counterexamples(self) -> tuple[Fact, ...]:
        distance = self.margin - self.tweak if self.passes else self.margin + self.tweak
        bound = self.tail.value().compose(distance, 0)
        at = self.threshold + (-self.margin if self.passes else self.margin)
        mean = Fraction(sum(BITS), len(BITS))
        return (
            *SIEVE_NOISE.obligations(),
            # f(D) is as far from T as the bound speaks of.
            Equal(((at, 0, 0, 0),), ((mean, 0, 0, 0),)),
            Fails((bound - self.chance()).as_data(), "≥ 0", 0),
        )

    def stays(self) -> AtLeastZero:
        """Return the fact that the chance stays above 1/4 for all x ≥ 16."""
        return AtLeastZero((self.chance() - Fraction(1, 4)).as_data(), 16)


BITS = (0, 1)
POINT = 40
"""ε′ at which the bound fails."""


def error_findings(claim: ErrorAtMost) -> tuple[kernel.Checked, ...]:
    """Return the findings that refute such a claim."""
    *before, fails = claim.counterexamples()
    return *map(show, before), refute(fails, POINT), show(claim.stays())


@dataclass(frozen=True)
class SieveAndExamine(Claim):
    """A sieve on a subset and an examination on all records together lose ε.

    threshold, answer: the noise on threshold and answer, times Δ/ε′. examination: the noise of the
    examination, times Δ/ε. sieve_share: of ε, for the sieve after subsampling. loss_on_subset: of
    an event on the subset, 1 + loss·(e^ε′ − 1).
    """

    threshold: int = 2
    answer: int = 4
    examination: int = 2
    sieve_share: Fraction = Fraction(1, 2)
    loss_on_subset: int = 1

    @property
    def formula(self) -> str:
        return (
            f"ε′ = ln((n/m)(e^({self.sieve_share}·ε) − 1) + 1), Lap({self.threshold}Δ/ε′) on the "
            f"threshold, Lap({self.answer}Δ/ε′) on the answers, Lap({self.examination}Δ/ε) on the "
            "examination: (ε, 0)-DP"
        )

    def statement(self) -> Statement | None:
        """Return the claim for all datasets, subsets, queries and outputs, e^x an exponential."""
        if self.loss_on_subset != 1 or self.sieve_share.numerator != 1:
            return None
        noise = f"({self.answer}%:R * change / eps') ({self.examination}%:R * change / eps)"
        chance = f"sieve_and_examine e I {noise} threshold lowered queries m"
        return Statement(
            "forall (R : realFieldType) (T : eqType) (e : R -> R) (I : (R -> R) -> R) "
            "(eps eps' change threshold lowered : R) (queries : seq (seq T -> R)) (m : nat) "
            "(d : seq T) (i : nat) (v : T) (k : option nat), exponential e -> 0 < eps -> "
            "0 < eps' -> 0 < change -> (0 < m <= size d)%N -> (i < size d)%N -> "
            "e eps' = (size d)%:R / m%:R * "
            f"(e (eps / {self.sieve_share.denominator}%:R) - 1) + 1 -> "
            f"laplace_mean e ({self.threshold}%:R * change / eps') I -> "
            "(forall j n, n \\in [:: m; size d] -> "
            "moves_at_most change (nth (fun=> 0) queries j) n) -> "
            f"{chance} d k <= e eps * {chance} (replace d i v) k",
            ("definitions.finite", "definitions.release", "definitions.sieve"),
        )

    def obligations(self) -> tuple[Fact, ...]:
        # Shifts by Δ and 2Δ: the sieve's loss in ε′; its share and the examination's, in ε.
        on_subset = Fraction(1, self.threshold) + Fraction(2, self.answer)
        both = self.sieve_share + Fraction(1, self.examination)
        one = ((1, 0, 0, 0),)
        return (
            Equal(((on_subset, 0, 0, 0),), one),
            Equal(((both, 0, 0, 0),), one),
            KEEPS_UP,
            amplification(self.loss_on_subset),
        )


KEEPS_UP = at_least_zero("e^(−y) − e^(−2y)", 0, variable="y")


def amplification(loss_on_subset: int = 1) -> Polynomial:
    """Return the fact that subsampling keeps a share q of e^ε′ − 1.

    loss_on_subset: an event loses 1 + loss·w on the subset; above 1 the fact is false.
    """
    a, r, w, mu, u, v, s = variables(7)
    n, kept, other = a + r, mu + u, mu + v
    lost = mu * (loss_on_subset * w) + mu
    right = (n + a * w) * (a * kept + r * other)
    left = n * (a * lost - a * s + r * other)
    return (right - left).nonnegative()


def sieve_steps(claim: SieveAndExamine) -> tuple[Line, ...]:
    """Return the argument for the sieve on the subset, and for subsampling."""
    on_subset, _, keeps_up, amplified = claim.obligations()
    return (
        Step(
            "Let b = Δ/ε′, and let each answer on the subset move by at most Δ between neighboring "
            "subsets. Shift the threshold's noise by +Δ for the outputs (⊥, …, ⊥, ⊤), and by +Δ "
            "too for (⊥, …, ⊥). The density of Lap(2b) loses at most the factor e^(−ε′/2), as "
            "|x + Δ| ≤ |x| + Δ. A ⊥ only gets likelier: the threshold has moved by Δ, the answer "
            "by Δ at most. For ⊤ the distance grows by at most 2Δ, and the upper tail S of Lap(4b) "
            "loses at most the factor e^(−2Δ/(4b)) = e^(−ε′/2), because e^x·S(x) does not fall: "
            "for x ≥ 0 it is 1/2, and for x = −y < 0 it is e^(−y) − e^(−2y)/2, with derivative in "
            "x of e^(−y) − e^(−2y) ≥ 0 (kernel). 1/2 + 2/4 = 1 (kernel).",
            (keeps_up, on_subset),
        ),
        "So which query passes first, or that none does, is ε′-DP on the subset, for any number of "
        "queries, chosen one after the other.",
        Step(
            "Replace record i of n. With probability q = m/n it is in the subset. Let p₁, p₁′ be "
            "the probabilities of an event given that it is, p₀ given that it is not, the same for "
            "both datasets. A subset with i turns into one without i by exchanging i for a uniform "
            "other record, so p₁ ≤ e^ε′·p₁′ and p₁ ≤ e^ε′·p₀. Then q·p₁ + (1 − q)·p₀ ≤ "
            "(1 + q(e^ε′ − 1))·(q·p₁′ + (1 − q)·p₀): with q = a/(a + r), e^ε′ = 1 + w, "
            "p₁′ = μ + u, p₀ = μ + v and p₁ = (1 + w)·μ − s, the difference times (a + r)² has no "
            "coefficient below 0 (kernel).",
            (amplified,),
        ),
        "With ε′ = ln((n/m)(e^(ε/2) − 1) + 1) the factor 1 + q(e^ε′ − 1) is e^(ε/2).",
    )
