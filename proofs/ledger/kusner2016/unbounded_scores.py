"""Sections 3.3 and 4.3: one record moves the variance and the IQR without bound."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Literal

from provado.proofs.kernel import Number
from provado.proofs.ledger import Claim, Entry, Evidence, Step, Twin, show_claim
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Enclosed, Fact, Unshown

from . import source
from ._exact import interquartile_range, quartile_ranks

POWERS = (1, 10, 100)


def variance(values: Sequence[Number]) -> Fraction:
    """Return the mean squared deviation from the mean; the divisor m − 1 gives the same ratios."""
    mean = Fraction(sum(values), len(values))
    return sum(((v - mean) ** 2 for v in values), Fraction(0)) / len(values)


def variance_pair(m: int, power: int, base: int = 3) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return neighbors of m numbers: zeros and a 1 in D, zeros and base^power in D′."""
    zeros = (0,) * (m - 1)
    return (*zeros, 1), (*zeros, base**power)


def iqr_pair(m: int, power: int, base: int = 3) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return neighbors of m numbers with IQR 1 in D and base^power in D′.

    D holds zeros up to the lower quartile, ones up to the upper one and base^power beyond; D′ has
    base^power in place of the last 1.
    """
    p, q = quartile_ranks(m)
    far = base**power
    return (
        (0,) * p + (1,) * (q - p) + (far,) * (m - q),
        (0,) * p + (1,) * (q - p - 1) + (far,) * (m - q + 1),
    )


_SCORES = {
    "V": ("variance", variance, variance_pair, (2, 3, 10)),
    "IQR": ("interquartile_range", interquartile_range, iqr_pair, (2, 3, 4, 5, 7, 16)),
}
"""By name: its definition in Coq, the score, neighbors that it distinguishes, and sizes tried."""


@dataclass(frozen=True)
class Unbounded(Claim):
    """Neither a score nor its logarithm has a finite global sensitivity.

    On neighbors of m numbers, of which one is base^j, it moves by step·j·ln(base), for any j.

    score: its name. powers: the j that are tried, for each size m of the score.
    """

    score: Literal["V", "IQR"]
    step: int
    powers: tuple[int, ...] = POWERS
    base: int = 3
    sensitivity: Literal["has no finite", "has a finite"] = "has no finite"

    @property
    def formula(self) -> str:
        return f"each of {self.score} and log {self.score} {self.sensitivity} global sensitivity"

    def statement(self) -> Statement:
        score, unless = _SCORES[self.score][0], "~ " * (self.sensitivity == "has a finite")
        unbounded = (
            f"{unless}(forall (m : nat) (bound : R), (2 <= m)%N -> exists s s', "
            f"neighbors m s s' /\\ bound < {score} s' - {score} s) /\\ "
            f"{unless}log_unbounded (@{score} R)"
        )
        imports = ("definitions.finite", "definitions.spread")
        return Statement(f"forall R : realFieldType, {unbounded}", imports)

    def _moves(self, m: int, power: int) -> Fact:
        """Return that the logarithm moves by at least step·j."""
        _, score, pair, _ = _SCORES[self.score]
        d, d_prime = map(score, pair(m, power, self.base))
        least = self.step * power
        return Enclosed(((0, d_prime),), least, least + power, ((0, d),), logarithm=True)

    def obligations(self) -> tuple[Fact, ...]:
        if self.sensitivity == "has a finite":
            return (Unshown(f"a bound on log {self.score}"),)
        tried = (self._moves(m, j) for m in _SCORES[self.score][-1] for j in self.powers)
        return Enclosed(((0, self.base),), 1, 2, logarithm=True), *tried


def _gather(claim: Unbounded, *, neighbors: str, moves: str, tried: str) -> Evidence:
    base, *each = claim.obligations()
    return Evidence(
        printed=show_claim(claim),
        argument=(
            neighbors,
            Step(moves, (base,)),
            "j is free: no bound holds, for no m ≥ 2.",
            Step(tried, tuple(each)),
        ),
    )


_VARIANCE, _IQR = Unbounded("V", 2), Unbounded("IQR", 1)

VARIANCE_UNBOUNDED = Entry(
    id="kusner2016/variance-unbounded",
    source=source("section 3.3, variance score"),
    printed="Changes to a single input value can induce arbitrarily large changes to this score "
    "[log V(a) + log V(b)].",
    words="Neither a column's variance nor its logarithm has a finite global sensitivity.",
    scope="All m ≥ 2, replace-one, unbounded data.",
    claim=_VARIANCE,
    gather=partial(
        _gather,
        neighbors="Let D hold m − 1 zeros and 1, D′ m − 1 zeros and N = 3^j; b is any column with "
        "V(b) > 0 that stays.",
        moves="V(D′) = N²·V(D), as the variance is of degree 2, so the score moves by "
        "2j·ln 3 ≥ 2j, as ln 3 ≥ 1 (kernel).",
        tried="For m = 2, 3, 10 and j = 1, 10, 100 the logarithm of the two variances' ratio was "
        "enclosed: it is at least 2j (kernel).",
    ),
    twin=Twin("A move of 3j claimed where it is 2j·ln 3 = 2.2·j.", replace(_VARIANCE, step=3)),
)

IQR_GLOBAL_UNBOUNDED = Entry(
    id="kusner2016/iqr-global-unbounded",
    source=source("section 4.3"),
    printed="Unfortunately the IQR does not have a bounded global sensitivity, as there exist "
    "datasets for which the IQR can change by an unbounded amount.",
    words="Neither the IQR nor its logarithm has a finite global sensitivity.",
    scope="All m ≥ 2, replace-one, unbounded data; quartiles as order statistics.",
    claim=_IQR,
    gather=partial(
        _gather,
        neighbors="Let p = ⌈m/4⌉ < q = ⌈3m/4⌉ be the quartiles' ranks. D holds p zeros, q − p "
        "ones and m − q times N = 3^j; D′ has N in place of one 1.",
        moves="The upper quartile is 1 in D and N in D′, the lower one is 0: IQR moves from 1 to "
        "N, and log IQR by j·ln 3 ≥ j, as ln 3 ≥ 1 (kernel).",
        tried="For six sizes and j = 1, 10, 100 both IQRs were computed and the logarithm of "
        "their ratio enclosed: it is at least j (kernel).",
    ),
    twin=Twin("A move of 2j claimed where it is j·ln 3 = 1.1·j.", replace(_IQR, step=2)),
)

ENTRIES = (VARIANCE_UNBOUNDED, IQR_GLOBAL_UNBOUNDED)
