"""Linear forms Σ c·symbol + constant, and ratios of polynomials in the parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, reduce
from operator import mul
from typing import Any

from .ir import Binary, Constant, Expression, Name, UndecidedProgramError


@dataclass(frozen=True)
class LinearForm:
    """Σ c·symbol + constant; ``terms`` is sorted by symbol and holds no 0.

    rounded: whether floating point computes it from numbers without noise, and not exactly.
    """

    terms: tuple[tuple[str, Fraction], ...] = ()
    constant: Fraction = Fraction(0)
    rounded: bool = field(default=False, compare=False)

    @classmethod
    def of(cls, terms: Mapping[str, Fraction], constant: Fraction | int = 0) -> LinearForm:
        """Return the form with these coefficients."""
        exact = constant if isinstance(constant, Fraction) else Fraction(constant)
        return cls(tuple(sorted((s, c) for s, c in terms.items() if c)), exact)

    @classmethod
    def symbol(cls, name: str) -> LinearForm:
        """Return the symbol itself."""
        return cls(((name, Fraction(1)),))

    @classmethod
    def number(cls, value: Fraction | int) -> LinearForm:
        """Return a constant."""
        return cls((), Fraction(value))

    def __add__(self, other: LinearForm) -> LinearForm:
        total = dict(self.terms)
        for s, c in other.terms:
            total[s] = total[s] + c if s in total else c
        return LinearForm.of(total, self.constant + other.constant)

    def __neg__(self) -> LinearForm:
        return self.times(Fraction(-1))

    def __sub__(self, other: LinearForm) -> LinearForm:
        return self + -other

    def times(self, factor: Fraction) -> LinearForm:
        """Return the form, ``factor`` times."""
        if not factor:
            return LinearForm()
        terms = tuple((s, c * factor) for s, c in self.terms)
        return LinearForm(terms, self.constant * factor)

    def coefficient(self, name: str) -> Fraction:
        """Return the coefficient of a symbol."""
        return next((c for s, c in self.terms if s == name), Fraction(0))

    def symbols(self) -> Iterable[str]:
        """Return the symbols in it."""
        return (s for s, _ in self.terms)

    def replace(self, by: Callable[[str], LinearForm | None]) -> LinearForm:
        """Return the form with each symbol replaced where ``by`` has a form for it."""
        total: dict[str, Fraction] = {}
        constant = self.constant
        for s, c in self.terms:
            new = by(s)
            terms = ((s, c),) if new is None else (new if c == 1 else new.times(c)).terms
            for t, d in terms:
                total[t] = total[t] + d if t in total else d
            if new is not None and new.constant:
                constant += c * new.constant
        return LinearForm.of(total, constant)

    def __hash__(self) -> int:
        return self._hash

    def __getstate__(self) -> dict[str, Any]:
        # Another process has other hashes of texts.
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}

    @cached_property
    def _hash(self) -> int:
        return hash((self.terms, self.constant))

    @cached_property
    def _floats(self) -> tuple[float, list[tuple[str, float]]]:
        return float(self.constant), [(s, float(c)) for s, c in self.terms]

    @cached_property
    def line(self) -> tuple[LinearForm, int, Fraction]:
        """Of a form with terms these, the first one once, and how often: its sign, the constant."""
        first = self.terms[0][1]
        terms = LinearForm(self.times(1 / first).terms)
        return terms, 1 if first > 0 else -1, self.constant / abs(first)

    def value(self, at: Mapping[str, float]) -> float:
        """Return the value at a point, in floating point: for searches only."""
        total, terms = self._floats
        for s, c in terms:
            total += c * at[s]
        return total

    def words(self) -> str:
        """Return the form as people write it."""
        text = ""
        for s, c in self.terms:
            factor = "" if abs(c) == 1 else f"{abs(c)}·"
            text += f"{' - ' if c < 0 else ' + '}{factor}{s}"
        if self.constant or not text:
            text += f"{' - ' if self.constant < 0 else ' + '}{abs(self.constant)}"
        return text[3:] if text.startswith(" + ") else f"-{text[3:]}"


ZERO = LinearForm()


@dataclass(frozen=True)
class Atom:
    """``form`` ≥ 0, or > 0 if ``strict``."""

    form: LinearForm
    strict: bool = False

    def replace(self, by: Callable[[str], LinearForm | None]) -> Atom:
        """Return the atom about other symbols."""
        return Atom(self.form.replace(by), self.strict)

    def holds(self, at: Mapping[str, float], slack: float = 1e-9) -> bool:
        """Return whether it holds at a point, in floating point."""
        value = self.form.value(at)
        return value > slack if self.strict else value >= -slack

    def words(self) -> str:
        """Return the atom as people write it."""
        return f"{self.form.words()} {'>' if self.strict else '≥'} 0"


def opposite(atoms: Sequence[Atom]) -> tuple[int, int] | None:
    """Return two atoms that bound one form from both sides, so that it has no value left."""
    least: dict[tuple[LinearForm, int], tuple[Fraction, bool, int]] = {}
    for j, atom in enumerate(atoms):
        if not atom.form.terms:
            continue
        line, sign, constant = atom.form.line
        other, mine = least.get((line, -sign)), least.get((line, sign))
        if other is not None:
            total = other[0] + constant
            if total < 0 or (total == 0 and (other[1] or atom.strict)):
                return other[2], j
        if mine is None or constant < mine[0] or (constant == mine[0] and atom.strict):
            least[line, sign] = constant, atom.strict, j
    return None


def equal(left: LinearForm, right: LinearForm) -> tuple[Atom, Atom]:
    """Return left = right, as two atoms."""
    return Atom(left - right), Atom(right - left)


# Scales and claims: ratios of polynomials in the parameters, and when such are above 0.

Monomial = tuple[tuple[str, int], ...]
"""Parameters and their powers, sorted; no power is 0."""


@dataclass(frozen=True)
class ParameterPolynomial:
    """Σ c·monomial; ``terms`` is sorted and holds no 0."""

    terms: tuple[tuple[Monomial, Fraction], ...]

    @classmethod
    def of(cls, terms: Mapping[Monomial, Fraction]) -> ParameterPolynomial:
        """Return the polynomial with these coefficients."""
        return cls(tuple(sorted((m, c) for m, c in terms.items() if c)))

    @classmethod
    def number(cls, value: Fraction | int) -> ParameterPolynomial:
        """Return a constant."""
        return cls.of({(): Fraction(value)})

    @classmethod
    def linear(cls, form: LinearForm) -> ParameterPolynomial:
        """Return a linear form in parameters."""
        return cls.of({((s, 1),): c for s, c in form.terms} | {(): form.constant})

    def __add__(self, other: ParameterPolynomial) -> ParameterPolynomial:
        total = dict(self.terms)
        for m, c in other.terms:
            total[m] = total.get(m, Fraction(0)) + c
        return ParameterPolynomial.of(total)

    def __mul__(self, other: ParameterPolynomial) -> ParameterPolynomial:
        total: dict[Monomial, Fraction] = {}
        for m, c in self.terms:
            for n, d in other.terms:
                powers = dict(m)
                for p, k in n:
                    powers[p] = powers.get(p, 0) + k
                key = tuple(sorted((p, k) for p, k in powers.items() if k))
                total[key] = total.get(key, Fraction(0)) + c * d
        return ParameterPolynomial.of(total)

    def times(self, factor: Fraction) -> ParameterPolynomial:
        """Return the polynomial, ``factor`` times."""
        return ParameterPolynomial.of({m: c * factor for m, c in self.terms})

    def within(self, name: str, most: Fraction) -> ParameterPolynomial:
        """Return it times (1 + t)^degree, where the parameter is most/(1 + t); t has its name."""
        degree = max(dict(m).get(name, 0) for m, _ in self.terms)
        above = ParameterPolynomial.of({(): Fraction(1), ((name, 1),): Fraction(1)})
        total = ParameterPolynomial(())
        for m, c in self.terms:
            k, rest = dict(m).get(name, 0), tuple(part for part in m if part[0] != name)
            part = ParameterPolynomial.of({rest: c * most**k})
            total += reduce(mul, [above] * (degree - k), part)
        return total

    def parameters(self) -> set[str]:
        """Return the parameters in it."""
        return {p for m, _ in self.terms for p, _ in m}

    def value(self, at: Mapping[str, float]) -> float:
        """Return the value at a point, in floating point: for searches only."""
        total = 0.0
        for m, c in self.terms:
            part = float(c)
            for p, k in m:
                part *= at[p] ** k
            total += part
        return total

    def words(self) -> str:
        """Return the polynomial as people write it."""
        text = ""
        for m, c in self.terms:
            parts = [str(abs(c))] if abs(c) != 1 or not m else []
            parts += [p if k == 1 else f"{p}^{k}" for p, k in m]
            text += f"{' - ' if c < 0 else ' + '}{'·'.join(parts)}"
        return (text[3:] if text.startswith(" + ") else f"-{text[3:]}") if text else "0"


@dataclass(frozen=True)
class ParameterRatio:
    """top/bottom; scales and claims are such."""

    top: ParameterPolynomial
    bottom: ParameterPolynomial

    def value(self, at: Mapping[str, float]) -> float:
        """Return the value at a point, in floating point: for searches only."""
        return self.top.value(at) / self.bottom.value(at)

    def __add__(self, other: ParameterRatio) -> ParameterRatio:
        top = self.top * other.bottom + other.top * self.bottom
        return ParameterRatio(top, self.bottom * other.bottom)

    def __neg__(self) -> ParameterRatio:
        return ParameterRatio(self.top.times(Fraction(-1)), self.bottom)

    def __mul__(self, other: ParameterRatio) -> ParameterRatio:
        return ParameterRatio(self.top * other.top, self.bottom * other.bottom)

    def inverse(self) -> ParameterRatio:
        """Return bottom/top."""
        return ParameterRatio(self.bottom, self.top)

    def parameters(self) -> set[str]:
        """Return the parameters in it."""
        return self.top.parameters() | self.bottom.parameters()

    def unit(self) -> tuple[Fraction, ParameterRatio]:
        """Return (c, r) with this = c·r, r the same for all multiples of it by numbers."""
        top, bottom = _without_common(self.top, self.bottom)
        if not top.terms or not bottom.terms:
            raise UndecidedProgramError("a scale is 0")
        c, d = top.terms[0][1], bottom.terms[0][1]
        return c / d, ParameterRatio(top.times(1 / c), bottom.times(1 / d))

    def words(self) -> str:
        """Return the ratio as people write it."""
        top, bottom = self.top.words(), self.bottom.words()
        if bottom == "1":
            return top
        top = f"({top})" if len(self.top.terms) > 1 else top
        plain = len(self.bottom.terms) == 1 and "·" not in bottom
        return f"{top}/{bottom if plain else f'({bottom})'}"


def _without_common(
    top: ParameterPolynomial, bottom: ParameterPolynomial
) -> tuple[ParameterPolynomial, ParameterPolynomial]:
    """Divide both by the monomial that all of their terms share."""
    every = [dict(m) for m, _ in (*top.terms, *bottom.terms)]
    common = {p: min(m.get(p, 0) for m in every) for p in (every[0] if every else ())}

    def divided(polynomial: ParameterPolynomial) -> ParameterPolynomial:
        return ParameterPolynomial.of(
            {
                tuple((p, k - common.get(p, 0)) for p, k in m if k != common.get(p, 0)): c
                for m, c in polynomial.terms
            }
        )

    return divided(top), divided(bottom)


def ratio(part: Expression) -> ParameterRatio:
    """Return an expression over parameters as a ratio; raise ``UndecidedProgramError``."""
    one = ParameterPolynomial.number(1)
    match part:
        case Constant(value):
            return ParameterRatio(ParameterPolynomial.number(value), one)
        case Name(name):
            return ParameterRatio(ParameterPolynomial.of({((name, 1),): Fraction(1)}), one)
        case Binary("**", base, Constant(power)) if power.denominator == 1 and 0 <= power <= 16:
            return reduce(mul, [ratio(base)] * int(power), ParameterRatio(one, one))
        case Binary("+", left, right):
            return ratio(left) + ratio(right)
        case Binary("-", left, right):
            return ratio(left) + -ratio(right)
        case Binary("*", left, right):
            return ratio(left) * ratio(right)
        case Binary("/", left, right):
            return ratio(left) * ratio(right).inverse()
    raise UndecidedProgramError("a scale, or the claim, is no ratio of polynomials in parameters")
