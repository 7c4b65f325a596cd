"""Programs whose data take finitely many values and which tell no number with noise: all exact.

The probability of each output on each dataset is a ratio of exponential polynomials in ε. So is
each ratio of two of them, and the smallest ε that a program has, as a function of its parameter, is
the logarithm of the largest. Whether it is within the claim for every ε ≥ 0 is the sign of an
exponential polynomial, which the kernel decides. (Programs of this kind are those of Barthe,
Chadha, Jagannath, Sistla and Viswanathan, Deciding Differential Privacy for Programs with Finite
Inputs and Outputs, 2020.)
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from provado.mechanisms.definitions import UsageError
from provado.proofs import kernel
from provado.proofs.algebra import ExpPoly
from provado.proofs.algebra.certificates import prove_sign

from ..read.ir import Coin, UndecidedProgramError
from .exponential_integrals import ExponentialPiece, ExponentialRatio
from .output_probability import Event, ParameterValues, distribution

MOST_PAIRS = 4000
_RATES = tuple(map(Fraction, ("1/8", "1/2", "1", "2", "4", "8")))

Data = tuple[Fraction, ...]


@dataclass(frozen=True)
class Quotient:
    """p/p′ of an event on two datasets, as top/bottom; ``bottom`` 0 where p′ is."""

    d: Data
    d_prime: Data
    event: Event
    top: ExponentialPiece
    bottom: ExponentialPiece

    def loss(self, rate: Fraction) -> float:
        """Return ln(p/p′) at one value of the parameter, in floating point."""
        if not self.bottom:
            return math.inf
        above, below = (w.near(rate) for w in (self.top, self.bottom))
        return math.log(above / below)

    def words(self, name: str) -> str:
        """Return ln(p/p′) as a formula in the parameter."""
        return formula(self.top, self.bottom, name)


@dataclass(frozen=True)
class FiniteProof:
    """Every quotient is at most e^claim for all values ≥ 0 of the parameter, or for its value.

    worst: the quotients of which the largest is the exact ε: one where one is never below another.
    findings: the kernel's, one for each quotient; above: those that show the others below these.
    """

    rate: str | None
    worst: tuple[Quotient, ...]
    findings: tuple[kernel.Checked, ...]
    above: tuple[kernel.Checked, ...]
    datasets: int
    outputs: int


@dataclass(frozen=True)
class FiniteCounterexample:
    """A quotient beyond e^claim at ``at``; the kernel's finding that it is."""

    rate: str | None
    at: Fraction
    quotient: Quotient
    claimed: Fraction
    finding: kernel.Checked
    worst: tuple[Quotient, ...]

    @property
    def loss(self) -> float:
        """Return ln(p/p′) there."""
        return self.quotient.loss(self.at)


def datasets(domain: Sequence[Fraction], size: int) -> list[Data]:
    """Return all datasets of so many values of the domain; too many raise ``UsageError``."""
    if pairs_of(domain, size) > MOST_PAIRS:
        raise UsageError(
            f"domain: more than {MOST_PAIRS} pairs of neighbors, which are not all computed; take "
            "fewer values, or give the pairs (--pair)"
        )
    return list(itertools.product(dict.fromkeys(domain), repeat=size))


def pairs_of(domain: Sequence[Fraction], size: int) -> int:
    """Return how many pairs of neighbors there are, in both orders."""
    if len(set(domain)) < 2:
        raise UsageError("domain: it needs two values, or more")
    return int(len(domain) ** size) * size * (len(domain) - 1)


def neighbors_in(every: Sequence[Data]) -> list[tuple[Data, Data]]:
    """Return the pairs of datasets that differ in one value, in both orders."""
    return [
        (d, d_prime)
        for d in every
        for d_prime in every
        if sum(a != b for a, b in zip(d, d_prime, strict=True)) == 1
    ]


def decide_finite(
    setting: ParameterValues, pairs: Sequence[tuple[Data, Data]], factor: Fraction
) -> FiniteProof | FiniteCounterexample:
    """Decide the claim ``factor``·ε, with ε the open parameter; or just ``factor`` without one.

    pairs: all neighbors, in both orders. Raises ``UndecidedProgramError`` where a sign is left
    open.
    """
    every = list(dict.fromkeys(d for d, _ in pairs))
    check_coins(setting)
    tables = {d: distribution(setting, d) for d in every}
    outputs = {event for table in tables.values() for event in table}
    for table in tables.values():
        _check_table(setting, table)
    result = list(dict.fromkeys(_quotients(tables, pairs)))
    distinct = {(q.top, q.bottom): q for q in reversed(result)}
    quotients = list(distinct.values())
    worst, above = _worst(setting, quotients)
    findings = []
    for item in sorted(quotients, key=lambda q: -q.loss(Fraction(1))):
        finding = _within(setting, item, factor)
        if finding is None:
            return _beyond(setting, item, factor, worst)
        findings.append(finding)
    if setting.ways.inexact:
        raise UndecidedProgramError(setting.ways.inexact)
    return FiniteProof(setting.rate, worst, tuple(findings), above, len(every), len(outputs))


def check_coins(setting: ParameterValues) -> None:
    """Refuse a coin whose probability is not seen to be from 0 to 1 for all ε."""
    coins = [item for way in setting.ways.all() for item in way.fixed if isinstance(item, Coin)]
    for coin, side in itertools.product(coins, (0, 1)):
        share = setting.weight(coin, side)
        if None in (_sign(setting, share.top), _sign(setting, share.bottom)):
            raise UndecidedProgramError("a coin's probability is not seen to be from 0 to 1")


def _check_table(setting: ParameterValues, table: Mapping[Event, ExponentialRatio]) -> None:
    """Refuse what is no distribution: each chance is ≥ 0 for all ε, and they add up to 1."""
    total = ExponentialRatio(ExponentialPiece(), ExponentialPiece.of(1))
    for share in table.values():
        total = total + share
        for part in (share.top, share.bottom):
            if _sign(setting, part) is None:
                raise UndecidedProgramError("a probability is not seen to be ≥ 0 for all ε ≥ 0")
    if total.top - total.bottom:
        raise UndecidedProgramError("probabilities do not add up to 1")


def _quotients(
    tables: Mapping[Data, Mapping[Event, ExponentialRatio]], pairs: Sequence[tuple[Data, Data]]
) -> Iterator[Quotient]:
    nothing = ExponentialRatio(ExponentialPiece(), ExponentialPiece.of(1))
    for d, d_prime in pairs:
        for event, p in tables[d].items():
            if p:
                yield quotient(d, d_prime, event, p, tables[d_prime].get(event, nothing))


def quotient(
    d: Data, d_prime: Data, event: Event, p: ExponentialRatio, q: ExponentialRatio
) -> Quotient:
    """Return p/q as a quotient of waves, as short as it can be."""
    same = p.bottom == q.bottom
    above, below = (p.top, q.top) if same else (p.top * q.bottom, q.top * p.bottom)
    return Quotient(d, d_prime, event, *_shortened(above, below))


def _shortened(
    top: ExponentialPiece, bottom: ExponentialPiece
) -> tuple[ExponentialPiece, ExponentialPiece]:
    """Divide both by a common exponential and number, so that equal quotients look more alike."""
    if not bottom:
        return ExponentialPiece.of(1), bottom
    if top == bottom:
        return ExponentialPiece.of(1), ExponentialPiece.of(1)
    low = min(q for w in (top, bottom) for _, _, _, q in w.terms)
    first = next(iter(sorted(bottom.terms.items(), key=lambda i: (i[0][3], i[0][2]))))[1]

    def shorter(wave: ExponentialPiece) -> ExponentialPiece:
        return ExponentialPiece(
            ((k, a, m, q - low), c / abs(first)) for (k, a, m, q), c in wave.terms.items()
        )

    return shorter(top), shorter(bottom)


def _sign(setting: ParameterValues, wave: ExponentialPiece) -> kernel.Checked | None:
    """Return the kernel's finding that a wave is ≥ 0 for all ε ≥ 0, or at 1 where none is open."""
    f = ExpPoly(
        ((m, q, Fraction(0)), c) if setting.rate else ((0, Fraction(0), q), c)
        for (_, _, m, q), c in wave.terms.items()
    )
    if not f:
        return kernel.check(kernel.Identity((), ()))
    return prove_sign(f, 0)


def scaled(wave: ExponentialPiece, factor: Fraction) -> ExponentialPiece:
    """Return e^(factor·ε) times the wave."""
    return ExponentialPiece(((k, a, m, q + factor), c) for (k, a, m, q), c in wave.terms.items())


def _within(setting: ParameterValues, value: Quotient, factor: Fraction) -> kernel.Checked | None:
    return _sign(setting, scaled(value.bottom, factor) - value.top)


def _beyond(
    setting: ParameterValues, value: Quotient, factor: Fraction, worst: tuple[Quotient, ...]
) -> FiniteCounterexample:
    rates = _RATES if setting.rate else (Fraction(1),)
    difference = scaled(value.bottom, factor) - value.top
    for rate in rates:
        claimed = factor * rate if setting.rate else factor
        if value.loss(rate) <= float(claimed):
            continue
        terms = (
            difference.in_epsilon()
            if setting.rate
            else tuple((c, q, 0, 0) for (_, _, _, q), c in difference.terms.items())
        )
        try:
            finding = kernel.check(kernel.PointCounterexample(terms, "≥ 0", rate, 0))
        except kernel.KernelRefusal:
            continue
        return FiniteCounterexample(setting.rate, rate, value, claimed, finding, worst)
    raise UndecidedProgramError("the sign of a difference of probabilities is left open")


def _worst(
    setting: ParameterValues, quotients: list[Quotient]
) -> tuple[tuple[Quotient, ...], tuple[kernel.Checked, ...]]:
    """Return the quotients of which the largest is the exact ε, and why the others are below."""
    infinite = [q for q in quotients if not q.bottom]
    if infinite:
        return (infinite[0],), ()
    rates = _RATES if setting.rate else (Fraction(1),)
    tops = [max(quotients, key=lambda q, r=rate: q.loss(r)) for rate in rates]  # type: ignore[misc]
    kept = list(dict.fromkeys(tops))
    above = []
    for one in quotients:
        if one in kept:
            continue
        for other in kept:
            finding = _sign(setting, other.top * one.bottom - one.top * other.bottom)
            if finding is not None:
                above.append(finding)
                break
        else:
            kept.append(one)
    return tuple(kept), tuple(above)


def formula(top: ExponentialPiece, bottom: ExponentialPiece, name: str) -> str:
    """Return ln(top/bottom) as people write it."""
    if not bottom:
        return "∞"
    if len(top.terms) == len(bottom.terms) == 1:
        ((_, _, m, q), c), ((_, _, n, r), d) = (*top.terms.items(), *bottom.terms.items())
        if m == n and c == d:
            return _power(q - r, name) or "0"
    for power in sorted({q - r for _, _, _, q in top.terms for _, _, _, r in bottom.terms}):
        if not (scaled(bottom, power) - top):
            return _power(power, name) or "0"
    if bottom == ExponentialPiece.of(1):
        return f"ln({_sum(top, name)})"
    return f"ln(({_sum(top, name)})/({_sum(bottom, name)}))"


def _power(q: Fraction, name: str) -> str:
    if not q or not name:
        return str(q) if q else ""
    factor = "" if q == 1 else "-" if q == -1 else f"{q}·"
    return f"{factor}{name}"


def _sum(wave: ExponentialPiece, name: str) -> str:
    parts = []
    for (_, _, m, q), c in sorted(wave.terms.items(), key=lambda item: (-item[0][3], -item[0][2])):
        factors = [str(c)] if c != 1 or (not m and not q) else []
        factors += [name if m == 1 else f"{name}^{m}"] if m else []
        factors += [f"e^({_power(q, name)})"] if q else []
        parts.append("·".join(factors))
    return " + ".join(parts)
