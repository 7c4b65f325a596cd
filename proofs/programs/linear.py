"""Linear forms Σ c·symbol + constant with rational coefficients."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True)
class Linear:
    """Σ c·symbol + constant; ``terms`` is sorted by symbol and holds no 0.

    rounded: whether floating point computes it from numbers without noise, and not exactly.
    """

    terms: tuple[tuple[str, Fraction], ...] = ()
    constant: Fraction = Fraction(0)
    rounded: bool = field(default=False, compare=False)

    @classmethod
    def of(cls, terms: Mapping[str, Fraction], constant: Fraction | int = 0) -> Linear:
        """Return the form with these coefficients."""
        return cls(tuple(sorted((s, c) for s, c in terms.items() if c)), Fraction(constant))

    @classmethod
    def symbol(cls, name: str) -> Linear:
        """Return the symbol itself."""
        return cls(((name, Fraction(1)),))

    @classmethod
    def number(cls, value: Fraction | int) -> Linear:
        """Return a constant."""
        return cls((), Fraction(value))

    def __add__(self, other: Linear) -> Linear:
        total = dict(self.terms)
        for s, c in other.terms:
            total[s] = total.get(s, Fraction(0)) + c
        return Linear.of(total, self.constant + other.constant)

    def __neg__(self) -> Linear:
        return self.times(Fraction(-1))

    def __sub__(self, other: Linear) -> Linear:
        return self + -other

    def times(self, factor: Fraction) -> Linear:
        """Return the form, ``factor`` times."""
        if not factor:
            return Linear()
        terms = tuple((s, c * factor) for s, c in self.terms)
        return Linear(terms, self.constant * factor)

    def coefficient(self, name: str) -> Fraction:
        """Return the coefficient of a symbol."""
        return next((c for s, c in self.terms if s == name), Fraction(0))

    def symbols(self) -> Iterable[str]:
        """Return the symbols in it."""
        return (s for s, _ in self.terms)

    def replace(self, by: Callable[[str], Linear | None]) -> Linear:
        """Return the form with each symbol replaced where ``by`` has a form for it."""
        total: dict[str, Fraction] = {}
        constant = self.constant
        for s, c in self.terms:
            new = by(s)
            for t, d in ((s, Fraction(1)),) if new is None else new.terms:
                total[t] = total.get(t, Fraction(0)) + c * d
            if new is not None:
                constant += c * new.constant
        return Linear.of(total, constant)

    def value(self, at: Mapping[str, float]) -> float:
        """Return the value at a point, in floating point: for searches only."""
        total = float(self.constant)
        for s, c in self.terms:
            total += float(c) * at[s]
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


ZERO = Linear()


@dataclass(frozen=True)
class Atom:
    """``form`` ≥ 0, or > 0 if ``strict``."""

    form: Linear
    strict: bool = False

    def replace(self, by: Callable[[str], Linear | None]) -> Atom:
        """Return the atom about other symbols."""
        return Atom(self.form.replace(by), self.strict)

    def holds(self, at: Mapping[str, float], slack: float = 1e-9) -> bool:
        """Return whether it holds at a point, in floating point."""
        value = self.form.value(at)
        return value > slack if self.strict else value >= -slack

    def words(self) -> str:
        """Return the atom as people write it."""
        return f"{self.form.words()} {'>' if self.strict else '≥'} 0"


def equal(left: Linear, right: Linear) -> tuple[Atom, Atom]:
    """Return left = right, as two atoms."""
    return Atom(left - right), Atom(right - left)
