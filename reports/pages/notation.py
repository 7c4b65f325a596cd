"""The notation of formulas in texts: its pieces, and what of them is a word."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

_TOKEN: Final = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)"
    r"|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    r"|(?P<lowered>[₀₁₂₃₄₅₆₇₈₉]+)"
    r"|(?P<name>[^\W\d_](?:[^\W\d_⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉]|[\u0300-\u036f])*[′″]*)"
    r"|(?P<open>[(\[{⌊⌈⟨])|(?P<close>[)\]}⌋⌉⟩])"
    r"|(?P<mark>:=|.)",
    re.DOTALL,
)
_FUNCTIONS: Final = frozenset({"ln", "log", "exp", "max", "min", "Pr", "Lap", "Laplace"})
RELATIONS: Final = frozenset({*"=≠<>≤≥≈∈⇔", ":="})
OPERATORS: Final = RELATIONS | frozenset("+−·/|‖,∞⊥→…×⊕Σ∫*√^_")
INFIX: Final = RELATIONS | frozenset("+−·→×⊕")


@dataclass(frozen=True)
class Token:
    """A piece of a text: its kind, a group of the expression above, and its letters."""

    kind: str
    text: str


def tokens_of(text: str) -> list[Token]:
    """Return the pieces of a text, which joined are the text."""
    found = []
    for match in _TOKEN.finditer(text):
        kind, piece = str(match.lastgroup), match[0]
        letters = [c for c in piece if unicodedata.category(c)[0] == "L"]
        if kind == "name" and 1 < len(letters) <= 4 and any("α" <= c <= "ω" for c in letters):
            # A product of variables: nγλ.
            found += [Token("name", one) for one in re.findall(r"\w[\u0300-\u036f]*[′″]*", piece)]
        else:
            found.append(Token(kind, piece))
    return found


def is_word(token: Token, after: Token) -> bool:
    """Return whether letters are a word; a name of several letters has a bracket or an index."""
    letters = [c for c in token.text if unicodedata.category(c)[0] == "L"]
    if token.text in _FUNCTIONS:
        return False
    if len(letters) == 1:
        return token.text == "a" and after.kind == "space"
    return after.text not in ("(", "[", "_", "^") and after.kind != "lowered"
