"""Printed bounds in Coq's language, and claims on moves that are theorems there."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .claim import Bounded
from .formula import POWERS, POWERS_READ, Formula
from .statement import Statement

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

    text: the proposition; ``{bound}`` stands for the bound, ``{start}`` for where the claim
    begins. variable, suffix: as ``in_coq`` takes them. imports: the files of
    definitions.
    """

    text: str
    imports: tuple[str, ...]
    variable: str = "m%:R"
    suffix: str = "%:R"


@dataclass(frozen=True)
class Stated(Bounded):
    """A bound that is a theorem of Coq, too: its numbers are those of the claim."""

    wording: Wording | None = None

    def statement(self) -> Statement | None:
        """Return the wording with the claim's numbers."""
        if self.wording is None:
            return None
        start = min(Fraction(s.lower) for s in self.stretches)
        bound = in_coq(self.bound, self.wording.variable, self.wording.suffix)
        text = self.wording.text.replace("{bound}", bound).replace("{start}", f"{start}")
        return Statement(text, self.wording.imports)
