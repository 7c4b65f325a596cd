"""The exact ε of one pair of datasets, and its δ at any ε, from exact output probabilities."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs import kernel
from provado.proofs.algebra import ExpSum, Piecewise, exact, exp
from provado.proofs.algebra.certificates import log_enclosure
from tests.proofs.exact_programs.signs import prove_nonnegative
from tests.proofs.exact_programs.to_sympy import to_sympy

Law = Mapping[Any, ExpSum]
"""The exact probability of each output of a finite alphabet."""


@dataclass(frozen=True)
class ExactEpsilon:
    """ε = ln(likelier/rarer), the largest absolute log ratio of one pair, at ``output``.

    likelier, rarer: the probabilities of ``output`` under the two datasets. Rarer is 0 where an
    output is possible under one dataset only: then ε is infinite.
    """

    output: Hashable
    likelier: ExpSum
    rarer: ExpSum

    def __float__(self) -> float:
        if not self.rarer:
            return math.inf
        low, high = self.enclosure()
        return float((low + high) / 2)

    def enclosure(self, bits: int = 64) -> tuple[Fraction, Fraction]:
        """Return rational bounds on a finite ε, about 2^(−bits) apart."""
        if not self.rarer:
            raise UsageError(f"epsilon is infinite at {self.output!r}: it has no enclosure")
        places = bits
        while True:
            top, bottom = self.likelier.enclosure(places), self.rarer.enclosure(places)
            if bottom[0] > 0 and top[0] > 0:
                low = log_enclosure(top[0] / bottom[1], bits + 8)[0]
                high = log_enclosure(top[1] / bottom[0], bits + 8)[1]
                if high - low <= Fraction(1, 2**bits):
                    return _outward(low, -1, bits + 8), _outward(high, 1, bits + 8)
            places *= 2

    def checked(self, bits: int = 64) -> kernel.Checked:
        """Return the kernel's finding on the enclosure."""
        low, high = self.enclosure(bits)
        return kernel.check(
            kernel.Enclosure(
                self.likelier.as_data(), low, high, self.rarer.as_data(), logarithm=True
            )
        )

    def to_sympy(self) -> Any:
        """Return ln(likelier/rarer) as a SymPy expression."""
        import sympy

        if not self.rarer:
            return sympy.oo
        return sympy.log(to_sympy(self.likelier) / to_sympy(self.rarer))


def _outward(x: Fraction, side: int, bits: int) -> Fraction:
    return Fraction(side * math.ceil(side * x * 2**bits), 2**bits)


def exact_epsilon(law: Law, law_prime: Law) -> ExactEpsilon:
    """Return the exact smallest ε for which the pair is ε-indistinguishable, and where.

    Both laws have the same outputs, and each adds up to 1, exactly; else ``UsageError``. Ratios are
    compared exactly.
    """
    _check(law, law_prime)
    best: ExactEpsilon | None = None
    for output in law:
        p, q = law[output], law_prime[output]
        if not p and not q:
            continue
        one = ExactEpsilon(output, *((p, q) if p >= q else (q, p)))
        if not one.rarer:
            return one
        if best is None or _exceeds(one, best):
            best = one
    assert best is not None  # some output has a probability above 0
    return best


def _exceeds(one: ExactEpsilon, best: ExactEpsilon) -> bool:
    """Decide one > best: by enclosures where they are apart, else by the exact cross product."""
    if (one.likelier, one.rarer) == (best.likelier, best.rarer):
        return False
    first, second = one.enclosure(32), best.enclosure(32)
    if first[0] > second[1] or first[1] < second[0]:
        return first[0] > second[1]
    return one.likelier * best.rarer > best.likelier * one.rarer


def exact_delta(law: Law, law_prime: Law, epsilon: int | Fraction) -> ExpSum:
    """Return the exact smallest δ for which the pair is (ε, δ)-indistinguishable.

    It is the larger of Σ max(0, p − e^ε·p′) and Σ max(0, p′ − e^ε·p). epsilon: ``int`` or
    ``Fraction`` ≥ 0.
    """
    _check(law, law_prime)
    if exact(epsilon, "epsilon") < 0:
        raise UsageError(f"epsilon is {epsilon!r}: it must not be below 0")
    one, other = (_excess(a, b, epsilon) for a, b in ((law, law_prime), (law_prime, law)))
    return one if one >= other else other


def _excess(law: Law, law_prime: Law, epsilon: int | Fraction) -> ExpSum:
    total = ExpSum()
    for output, p in law.items():
        difference = p - exp(epsilon) * law_prime[output]
        if difference > 0:
            total = total + difference
    return total


def _check(law: Law, law_prime: Law) -> None:
    if law.keys() != law_prime.keys():
        raise UsageError(
            f"laws have {len(law)} and {len(law_prime)} outputs: they must be the same"
        )
    for one in (law, law_prime):
        total = sum(one.values(), ExpSum())
        if total != 1 or any(p < 0 for p in one.values()):
            raise UsageError(f"probabilities add up to {total!r}: they must to 1, none below 0")


def prove_density_ratio(
    f: Piecewise, g: Piecewise, epsilon: int | Fraction
) -> tuple[kernel.Checked, ...] | None:
    """Return findings that f ≤ e^ε·g and g ≤ e^ε·f on the whole line, if arguments are found.

    f, g: the densities of an output under the two datasets, for programs that release a number.
    """
    first = prove_nonnegative(g * exp(epsilon) - f)
    second = prove_nonnegative(f * exp(epsilon) - g)
    return None if first is None or second is None else first + second
