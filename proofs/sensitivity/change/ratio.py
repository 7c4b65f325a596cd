"""Exact rational functions of symbols: the normal form in which a query is followed.

A symbol is anything hashable with a fixed text; functions such as ``exp`` of an expression are
symbols too, so that equal ones cancel. Nothing here is approximate.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

Monomial = tuple[tuple[Hashable, int], ...]
"""Symbols with their powers, sorted by their texts; no power is 0."""

MOST_TERMS = 4000
"""Of a polynomial; a query that needs more is not followed."""


class TooLargeError(ValueError):
    """An expression has grown beyond what is worth following."""


@lru_cache(maxsize=100_000)
def text_of(symbol: Hashable) -> str:
    """Return the text by which symbols are ordered."""
    return repr(symbol)


@dataclass(frozen=True)
class SymbolPolynomial:
    """Σ c·monomial over monomials in a fixed order; no coefficient is 0."""

    terms: tuple[tuple[Monomial, Fraction], ...]

    @cached_property
    def _hash(self) -> int:
        return hash(self.terms)

    def __hash__(self) -> int:
        return self._hash

    @classmethod
    def of(cls, terms: Mapping[Monomial, Fraction]) -> SymbolPolynomial:
        """Return the polynomial with these coefficients."""
        kept = [(m, c) for m, c in terms.items() if c]
        if len(kept) > MOST_TERMS:
            raise TooLargeError(f"an expression has more than {MOST_TERMS} terms")
        return cls(tuple(sorted(kept, key=lambda term: _order(term[0]))))

    @classmethod
    def number(cls, value: Fraction | int) -> SymbolPolynomial:
        """Return a constant."""
        return cls((((), Fraction(value)),)) if value else cls(())

    @classmethod
    def symbol(cls, symbol: Hashable) -> SymbolPolynomial:
        """Return a symbol."""
        return cls(((((symbol, 1),), Fraction(1)),))

    @cached_property
    def symbols(self) -> frozenset[Hashable]:
        """The symbols in it."""
        return frozenset(s for m, _ in self.terms for s, _ in m)

    @cached_property
    def floats(self) -> tuple[tuple[float, Monomial], ...]:
        """The coefficients as floats, with their monomials: for searches only."""
        return tuple((float(c), m) for m, c in self.terms)

    @property
    def constant(self) -> Fraction | None:
        """Its value where it has no symbols; else ``None``."""
        if not self.terms:
            return Fraction(0)
        return self.terms[0][1] if len(self.terms) == 1 and not self.terms[0][0] else None

    def __add__(self, other: SymbolPolynomial) -> SymbolPolynomial:
        total = dict(self.terms)
        for m, c in other.terms:
            total[m] = total.get(m, Fraction(0)) + c
        return SymbolPolynomial.of(total)

    def __neg__(self) -> SymbolPolynomial:
        return SymbolPolynomial(tuple((m, -c) for m, c in self.terms))

    def __sub__(self, other: SymbolPolynomial) -> SymbolPolynomial:
        return self + -other

    def __mul__(self, other: SymbolPolynomial) -> SymbolPolynomial:
        for one, factor in ((self, other.constant), (other, self.constant)):
            if factor is not None:
                terms = one.terms if factor else ()
                return one if factor == 1 else type(self)(tuple((m, c * factor) for m, c in terms))
        if len(self.terms) * len(other.terms) > 250 * MOST_TERMS:
            raise TooLargeError("a product has too many terms")
        total: dict[Monomial, Fraction] = {}
        for m, c in self.terms:
            for k, d in other.terms:
                key = _joined(m, k)
                total[key] = total.get(key, Fraction(0)) + c * d
        return SymbolPolynomial.of(total)

    def power(self, exponent: int) -> SymbolPolynomial:
        """Return a whole power of at least 0."""
        result = SymbolPolynomial.number(1)
        for _ in range(exponent):
            result = result * self
        return result

    def degree(self, symbol: Hashable) -> int:
        """Return the highest power of a symbol."""
        return max((dict(m).get(symbol, 0) for m, _ in self.terms), default=0)

    def coefficients(self, symbol: Hashable) -> dict[int, SymbolPolynomial]:
        """Return the coefficient of each power of a symbol."""
        parts: dict[int, dict[Monomial, Fraction]] = {}
        for m, c in self.terms:
            power = next((k for s, k in m if s == symbol), 0)
            rest = tuple((s, k) for s, k in m if s != symbol)
            parts.setdefault(power, {})[rest] = c
        return {power: SymbolPolynomial.of(terms) for power, terms in parts.items()}

    def partial(self, symbol: Hashable) -> SymbolPolynomial:
        """Return the derivative by a symbol, the others held fixed."""
        result: dict[Monomial, Fraction] = {}
        for m, c in self.terms:
            power = dict(m).get(symbol, 0)
            if power:
                rest = tuple((s, k - (s == symbol)) for s, k in m if s != symbol or k > 1)
                result[rest] = result.get(rest, Fraction(0)) + c * power
        return SymbolPolynomial.of(result)


def _order(monomial: Monomial) -> tuple[tuple[str, int], ...]:
    return tuple((text_of(s), k) for s, k in monomial)


@lru_cache(maxsize=200_000)
def _joined(one: Monomial, other: Monomial) -> Monomial:
    powers = dict(one)
    for s, k in other:
        powers[s] = powers.get(s, 0) + k
    return tuple(sorted(powers.items(), key=lambda item: text_of(item[0])))


@dataclass(frozen=True)
class Ratio:
    """top/bottom. Common monomials and constant factors are cancelled; bottom is never 0."""

    top: SymbolPolynomial
    bottom: SymbolPolynomial

    @classmethod
    def of(cls, top: SymbolPolynomial, bottom: SymbolPolynomial | None = None) -> Ratio:
        """Return a quotient in lowest terms, as far as monomials and multiples go."""
        bottom = SymbolPolynomial.number(1) if bottom is None else bottom
        if not bottom.terms:
            raise ZeroDivisionError("a quotient by 0")
        if not top.terms:
            return cls(top, SymbolPolynomial.number(1))
        top, bottom = _without_common(top, bottom)
        lead = bottom.terms[0][1]
        if lead != 1:
            over = SymbolPolynomial.number(1 / lead)
            top, bottom = top * over, bottom * over
        if len(top.terms) == len(bottom.terms) > 1:
            factor = top.terms[0][1] / bottom.terms[0][1]
            multiple = tuple((m, c * factor) for m, c in bottom.terms)
            if top.terms == multiple:
                return cls(SymbolPolynomial.number(factor), SymbolPolynomial.number(1))
        return cls(top, bottom)

    @classmethod
    def number(cls, value: Fraction | int) -> Ratio:
        """Return a constant."""
        return cls(SymbolPolynomial.number(value), SymbolPolynomial.number(1))

    @classmethod
    def symbol(cls, symbol: Hashable) -> Ratio:
        """Return a symbol."""
        return cls(SymbolPolynomial.symbol(symbol), SymbolPolynomial.number(1))

    @cached_property
    def symbols(self) -> frozenset[Hashable]:
        """The symbols in it, those within functions left out."""
        return self.top.symbols | self.bottom.symbols

    @cached_property
    def constant(self) -> Fraction | None:
        """Its value where it has no symbols; else ``None``."""
        top, bottom = self.top.constant, self.bottom.constant
        return None if top is None or bottom is None else top / bottom

    def __add__(self, other: Ratio) -> Ratio:
        if self.bottom == other.bottom:
            return Ratio.of(self.top + other.top, self.bottom)
        top = self.top * other.bottom + other.top * self.bottom
        return Ratio.of(top, self.bottom * other.bottom)

    def __neg__(self) -> Ratio:
        return Ratio(-self.top, self.bottom)

    def __sub__(self, other: Ratio) -> Ratio:
        return self + -other

    def __mul__(self, other: Ratio) -> Ratio:
        return Ratio.of(self.top * other.top, self.bottom * other.bottom)

    def __truediv__(self, other: Ratio) -> Ratio:
        return Ratio.of(self.top * other.bottom, self.bottom * other.top)

    def power(self, exponent: int) -> Ratio:
        """Return a whole power, of at least 0 or below."""
        if exponent < 0:
            return Ratio.number(1) / self.power(-exponent)
        return Ratio.of(self.top.power(exponent), self.bottom.power(exponent))

    def replace(self, by: Callable[[Hashable], Ratio | None]) -> Ratio:
        """Return it with each symbol replaced for which ``by`` has an expression."""
        new = {s: value for s in self.symbols if (value := by(s)) is not None}
        if not new:
            return self
        return _replaced(self.top, new) / _replaced(self.bottom, new)


def _replaced(polynomial: SymbolPolynomial, new: Mapping[Hashable, Ratio]) -> Ratio:
    powers: dict[tuple[Hashable, int], Ratio] = {}
    parts = []
    for m, c in polynomial.terms:
        rest = tuple((s, k) for s, k in m if s not in new)
        part = Ratio(SymbolPolynomial(((rest, c),)), SymbolPolynomial.number(1))
        for s, k in m:
            if s in new:
                if (s, k) not in powers:
                    powers[s, k] = new[s].power(k)
                part = part * powers[s, k]
        parts.append(part)
    return total(parts)


def _without_common(
    top: SymbolPolynomial, bottom: SymbolPolynomial
) -> tuple[SymbolPolynomial, SymbolPolynomial]:
    shared = common_powers(*(m for m, _ in (*bottom.terms, *top.terms)))
    if not shared:
        return top, bottom
    return divided_by(top, shared), divided_by(bottom, shared)


def common_powers(*monomials: Monomial) -> dict[Hashable, int]:
    """Return the symbols that all monomials hold, with the least power of each."""
    shared: dict[Hashable, int] | None = None
    for monomial in monomials:
        powers = dict(monomial)
        shared = (
            powers if shared is None else {s: min(k, powers.get(s, 0)) for s, k in shared.items()}
        )
        if not (shared := {s: k for s, k in shared.items() if k}):
            return {}
    return shared or {}


def divided_by(polynomial: SymbolPolynomial, by: Mapping[Hashable, int]) -> SymbolPolynomial:
    """Return a polynomial over a monomial that all of its terms hold."""
    return SymbolPolynomial.of(
        {
            tuple((s, k - by.get(s, 0)) for s, k in m if k > by.get(s, 0)): c
            for m, c in polynomial.terms
        }
    )


def total(parts: Iterable[Ratio]) -> Ratio:
    """Return the sum of expressions: those over one divisor are added up first."""
    sums: dict[SymbolPolynomial, dict[Monomial, Fraction]] = {}
    for part in parts:
        terms = sums.setdefault(part.bottom, {})
        for m, c in part.top.terms:
            terms[m] = terms[m] + c if m in terms else c
    ratio = Ratio.number(0)
    for bottom, terms in sums.items():
        ratio = ratio + Ratio.of(SymbolPolynomial.of(terms), bottom)
    return ratio


def split_by(
    polynomial: SymbolPolynomial, chosen: Callable[[Hashable], bool]
) -> Iterator[tuple[SymbolPolynomial, SymbolPolynomial]]:
    """Yield pairs (monomial, factor): the polynomial is Σ monomial·factor.

    The monomials hold the symbols that are ``chosen``, the factors all others.
    """
    groups: dict[Monomial, dict[Monomial, Fraction]] = {}
    for m, c in polynomial.terms:
        ours = tuple((s, k) for s, k in m if chosen(s))
        rest = tuple((s, k) for s, k in m if not chosen(s))
        groups.setdefault(ours, {})[rest] = c
    for ours, others in groups.items():
        yield SymbolPolynomial.of({ours: Fraction(1)}), SymbolPolynomial.of(others)
