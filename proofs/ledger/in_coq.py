"""Printed bounds in Coq's language, and claims on moves that are theorems there."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .claim import Bounded, Statement
from .fact import POWERS, AtLeastZero, Fact
from .formula import POWERS_READ, Formula

_SIGNS = {"·": " * ", "/": " / ", "+": " + ", "-": " - ", "^": " ^+ "}


def in_coq(formula: Formula, variable: str, suffix: str = "%:R") -> str:
    """Return a formula without exponentials as a term of Coq, token by token.

    variable: the term for its variable. suffix: what follows a number; empty for natural numbers.

    Raises ``UsageError`` for exponentials.
    """
    text, before = "", ""
    for token in formula.tokens():
        if token == "e":
            raise formula.refusal("an exponential has no form in Coq here")
        if before == "^":
            shown = token
        elif token[0] in POWERS:
            shown = f" ^+ {token.translate(POWERS_READ)}"
        elif token.isdecimal() or token in (formula.variable, "("):
            # Factors may stand side by side.
            text += " * " if before and before not in "·/+-(" else ""
            number = token if token == "1" else f"{token}{suffix}"
            shown = {formula.variable: variable, "(": "("}.get(token, number)
        else:
            shown = _SIGNS.get(token, token)
        text, before = text + shown, token
    return text


@dataclass(frozen=True)
class Wording:
    """How a claim on a bound reads in Coq, with its numbers left out.

    text: the proposition; ``{bound}`` stands for the bound, ``{derived}`` for the first derived
    one, ``{start}`` for where the claim begins, ``{reached}`` for where it is sharp. variable,
    suffix: as ``in_coq`` takes them. imports: the files of definitions.
    """

    text: str
    imports: tuple[str, ...]
    variable: str = "m%:R"
    suffix: str = "%:R"


@dataclass(frozen=True)
class Reached:
    """For all sizes from ``start`` on some datasets reach the derived bound.

    rest: what must not fall below 0 for that.
    """

    rest: Formula
    start: int


@dataclass(frozen=True)
class Stated(Bounded):
    """A bound that is a theorem of Coq, too: its numbers are those of the claim.

    sharp: where the first derived bound, which may be the printed one, is reached.
    """

    wording: Wording | None = None
    sharp: Reached | None = None

    @property
    def formula(self) -> str:
        """Return the bound, and from where on it is reached."""
        if self.sharp is None:
            return super().formula
        bound = self.bound if self.same else self.stretches[0].derived
        return f"{super().formula}; {bound} is reached from {bound.variable} = {self.sharp.start}"

    def obligations(self) -> tuple[Fact, ...]:
        """Return those of the bound, and that it is reached."""
        if self.sharp is None:
            return super().obligations()
        rest = self.sharp.rest.value().as_data()
        return *super().obligations(), AtLeastZero(rest, self.sharp.start)

    def statement(self) -> Statement | None:
        """Return the wording with the claim's numbers."""
        if self.wording is None:
            return None
        start = min(Fraction(s.lower) for s in self.stretches)
        text = self.wording.text.replace("{start}", f"{start}")
        if self.sharp is not None:
            text = text.replace("{reached}", f"{self.sharp.start}")
        for name, bound in (("bound", self.bound), ("derived", self.stretches[0].derived)):
            if f"{{{name}}}" in text:
                term = in_coq(bound, self.wording.variable, self.wording.suffix)
                text = text.replace(f"{{{name}}}", term)
        return Statement(text, self.wording.imports)
