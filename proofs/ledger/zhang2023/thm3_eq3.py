"""Theorem 3, equation (3): the sensitivity of the RCIT score with a conditioning set."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.algebra.exppoly import ExpSum, exp
from provado.proofs.ledger import (
    Claim,
    Entry,
    Evidence,
    LedgerVerdict,
    Step,
    Twin,
    at_least_zero,
    moves_more,
    show,
)
from provado.proofs.ledger.fact import AtLeastZero, Enclosed, Fact, MovesMore

from . import source
from ._hsic import Table, covariance, trace

M, V = 700, 2
"""Records, and v = 2/δ² for δ = 1."""
CLAIMED = Fraction(21, 20000)
_D: Table = (350, 0, 0, 350)
_D_PRIME: Table = (349, 1, 0, 350)


def score(table: Table) -> kernel.Sum:
    """Return HSIC of the residuals where z is the same in all records.

    The regressions then take one number off each column, which leaves all differences as they are.
    """
    m = sum(table)
    return (trace(covariance(table, 0, 1), V) * Fraction(1, (m - 1) ** 2)).as_data()


@dataclass(frozen=True)
class Equation3:
    """Equation (3) at λ = δ_k = δ_l = 1: factor·m/(m − 1)·(2 − 2e^(−exponent/m²))."""

    factor: int = 2
    exponent: int = 128

    def bound(self, m: int) -> ExpSum:
        """Return the bound for m records."""
        inner = 2 - 2 * exp(Fraction(-self.exponent, m * m))
        return inner * Fraction(self.factor * m, m - 1)

    def __str__(self) -> str:
        return f"{self.factor}·m/(m − 1)·(2 − 2e^(−{self.exponent}/m²))"


@dataclass(frozen=True)
class SmallMove(Claim):
    """The score moves by at most equation (3).

    rounded: a number that it does not exceed for ``M`` records. least: (1 − e^(−2))² is at least
    that, and (m − 1) times the move as well.
    """

    printed: Equation3
    rounded: Fraction = CLAIMED
    least: Fraction = Fraction(7476, 10000)

    @property
    def formula(self) -> str:
        return f"|ΔHSIC(U, V)| ≤ {self.printed} at λ = δ = 1, tried at m = {M}"

    def counterexamples(self) -> tuple[Fact, ...]:
        width = 1 - exp(-V)
        linear = 2 * self.printed.factor * self.printed.exponent
        return (
            MovesMore("zhang2023.thm3_eq3.score", 1, self.rounded),
            Enclosed(self.printed.bound(M).as_data(), 0, self.rounded),
            # For all even m ≥ 686: least/(m − 1) > linear/(m(m − 1)) ≥ the bound.
            Enclosed((width * width).as_data(), self.least, 1),
            BELOW_LINE,
            AtLeastZero(((self.least, 0, 1, 0), (-linear, 0, 0, 0)), 686),
        )


BELOW_LINE = at_least_zero("x − 1 + e^(−x)", 0)


PRINTED_BOUND = Equation3()
CLAIM = SmallMove(PRINTED_BOUND)
_RATIO = at_least_zero("m − 1", 2, variable="m")


def _gather(claim: SmallMove) -> Evidence:
    moved, below, width, line, linear = claim.counterexamples()
    return Evidence(
        printed=(
            moves_more(moved, (_D, _D_PRIME), score),
            *map(show, (below, width, line, linear)),
        ),
        corrected=(show(_RATIO),),
        correction="|HSIC(U, V) − HSIC(Ũ, Ṽ)| ≤ 8/(m − 1) + 4η(L_k + L_l)(m − 2)/(m − 1), with η = "
        "4(1 + 1/√(2λ))/(mλ) and L = e^(−1/2)/δ the steepest slope of the kernel: of order 1/m.",
        kind="repair",
        argument=(
            "Let z be equal in all m = 700 records, λ = 1, δ_k = δ_l = 1, x and y in {−1, 1}. A "
            "dataset is the counts of (x, y) = (1, 1), (1, −1), (−1, 1), (−1, −1). D has 350, 0, "
            "0, 350; D′ has one record of the first moved to the second: one y is replaced.",
            "The regressions take one number off each column; K and L depend on differences only, "
            "so the score is trace(KHLH)/(m − 1)² = (1 − e^(−2))²/4·q²/(m − 1)², q = Σxy − "
            "(Σx)(Σy)/m, and q goes from 700 to 698.",
            Step(
                "The score moves by (1 − e^(−2))²/699, about 1.0695·10⁻³, above 21/20000 (kernel, "
                "replayed); equation (3) is 2·700·(2 − 2e^(−128/490000))/699, below 21/20000 "
                "(kernel).",
                (moved, below),
            ),
            Step(
                "In all the same: for even m the score moves by (1 − e^(−2))²/(m − 1), at least "
                ".7476/(m − 1) (kernel). As 1 − e^(−x) ≤ x (kernel), equation (3) is at most "
                "512/(m(m − 1)), which is less for all m ≥ 686 (kernel). The bound falls as 1/m², "
                "the score moves by 1/m.",
                (width, line, linear),
            ),
            "Two steps fail. The replaced record's own residual moves by up to 2 (thm2). And "
            "1 − e^(−(2η)²/(2δ²)) bounds how far the kernel moves from 1, for equal arguments, not "
            "from any other value: elsewhere it moves by L·2η, of order 1/m.",
            Step(
                "Repaired: the replaced record's row of K and L costs 8(m − 1) as in thm1. Each of "
                "the (m − 1)(m − 2) other entries moves by at most 2ηL and meets |L̄_ij| ≤ 2, so K "
                "and L cost 4η(L_k + L_l)(m − 1)(m − 2) together. Divide by (m − 1)² (m ≥ 2, "
                "kernel). These steps are in words.",
                (_RATIO,),
            ),
        ),
        proof_remark="Appendix B is not in the text.",
    )


ENTRY = Entry(
    id="zhang2023/thm3-eq3",
    source=source("Theorem 3, equation (3)"),
    printed="If Z ≠ ∅, then |HSIC(U, V) − HSIC(Ũ, Ṽ)| ≤ 2(m² − m)(2 − e^(−128/(m²λ³δ_k²)) − "
    "e^(−128/(m²λ³δ_l²)))/(m − 1)².",
    words="With a conditioning set, replacing one record moves the RCIT score by an amount of "
    "order 1/m² at most.",
    scope="Replace-one, 0 < λ ≤ 1, Gaussian kernels of fixed bandwidths, data in [−1, 1].",
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin(
        "The same pair as a counterexample to 11/10000, which it does not exceed.",
        SmallMove(PRINTED_BOUND, rounded=Fraction(11, 10000)),
    ),
)
