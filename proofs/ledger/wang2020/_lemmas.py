"""Sieve-and-examine as a claim, on which Theorem 1 and the accounting of Algorithm 2 rest."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from provado.proofs.ledger import Claim, Line, Step, at_least_zero
from provado.proofs.ledger.fact import Equal, Fact, Polynomial
from provado.proofs.ledger.multivariate import variables
from provado.proofs.ledger.statement import Statement


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
