"""HTML that is escaped by construction: only ``tag`` makes markup, and it escapes all text.

Formulas in a text are set as MathML: the same characters in the same order. The notation is that of
the ledger's claims: ``(x + 2)/4·e^(−x)``, ``nγλ^(3/2)/16``, ``√(n/m)``, ``r′_{i,Y}``, ``m²``. A
quotient takes the product without a dot before it, and one factor after it; brackets that a bar, a
root or a raised place makes superfluous are not shown. Words stay words.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from html import escape
from typing import Final
from xml.etree import ElementTree

VOID: Final = frozenset({"meta", "br", "wbr", "link", "input", "img"})
EMPTY_SVG: Final = frozenset({"line", "circle", "path", "rect", "polyline"})


class Markup(str):
    """Text that is HTML already. Everything else that reaches a page is escaped."""

    __slots__ = ()

    def __html__(self) -> Markup:
        """Return it as it is: for templates, which escape what has no such method."""
        return self


Child = str | Markup | None


def tag(name: str, *children: Child, **attributes: str | float | bool | None) -> Markup:
    """Return an element; children that are not ``Markup`` are escaped, ``None`` is left out.

    ``class_`` and ``for_`` lose their underscore, other underscores become hyphens (``view_box``
    is written as it is needed, ``viewBox``). An attribute of ``True`` stands alone; ``None`` and
    ``False`` are left out.
    """
    written = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        written.append(key if value is True else f'{key}="{escape(_text(value))}"')
    opening = " ".join(written)
    if name in EMPTY_SVG and not children:
        return Markup(f"<{opening}/>")
    if name in VOID:
        return Markup(f"<{opening}>")
    return Markup(f"<{opening}>{join(*children)}</{name}>")


def join(*children: Child) -> Markup:
    """Return children one after the other, escaped where they are not ``Markup``."""
    there = (child for child in children if child is not None)
    return Markup("".join(text if hasattr(text, "__html__") else escape(text) for text in there))


def _text(value: str | float) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


WIDEST: Final = 34.0
"""In letters: what no line may break and is wider stays text, for it would not fit on a phone."""

_SHORT: Final = 12.0
"""In letters: what is no wider is not broken."""

_SCRIPTS: Final = {"raised": "msup", "^": "msup", "lowered": "msub", "_": "msub"}
"""Kinds of tokens and signs, and where what they say stands."""

_TIGHT: Final = {"lspace": "0", "rspace": "0"}
_SPACE: Final = tag("mspace", width="0.2em")


@dataclass(frozen=True)
class _Node:
    """A piece: its mathematics, whether it is a word, a factor, and whether it needs setting."""

    shown: Markup
    kind: str
    needs: bool = False
    inside: Markup | None = None
    """Of a bracket what it holds, for where the bracket is not shown."""


def typeset(text: str) -> Markup:
    """Return a text with its mathematics as ``math`` elements, the rest escaped."""
    reader = _Reader(text)
    shown: list[Markup | str] = []
    while reader.left:
        start = reader.at
        run = reader.run()
        if run is None:
            # No mathematics begins here: one piece of prose.
            reader.at = start
            shown.append(reader.take().text)
        else:
            shown.append(run)
    return join(*shown)


def width(formula: str) -> float:
    """Return about how many letters of its text a formula is wide."""
    return _width(ElementTree.fromstring(formula))


def _width(element: ElementTree.Element) -> float:
    inside = [_width(child) for child in element]
    if element.tag == "mfrac":
        return max(inside)
    if element.tag in ("msub", "msup", "msubsup"):
        return inside[0] + 0.7 * max(inside[1:])
    around = {"mo": 1.0, "mspace": 0.5, "msqrt": 1.0}.get(element.tag, 0.0)
    return len(element.text or "") + sum(inside) + around


class _Reader:
    """Reads the tokens of a text from left to right."""

    def __init__(self, text: str) -> None:
        self.tokens, self.at = tokens_of(text), 0
        self.raised = 0
        """Above 0 in what is raised or lowered, where a quotient stays on its line."""

    @property
    def left(self) -> bool:
        return self.at < len(self.tokens)

    def peek(self, ahead: int = 0) -> Token:
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else Token("end", "")

    def take(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def run(self) -> Markup | None:
        """Return the mathematics that begins here, or ``None`` where there is none to set."""
        if self.peek().kind in ("space", "close") or self._prose() or self._holds_prose():
            return None
        nodes, end = self._sequence(None), self.at
        while nodes and nodes[-1].kind in ("space", "infix", "mark"):
            nodes.pop()
            end -= 1
        self.at = end
        if not any(node.needs for node in nodes):
            return None
        markups = [tag("math", *(node.shown for node in nodes))]
        if width(markups[0]) > _SHORT:
            # A line may break before each operator, and nowhere else.
            starts = [i for i, node in enumerate(nodes) if i and node.kind == "infix"]
            ends = zip([0, *starts], [*starts, None], strict=True)
            markups = [tag("math", *(node.shown for node in nodes[a:b])) for a, b in ends]
        return None if max(map(width, markups)) > WIDEST else Markup(tag("wbr").join(markups))

    def _prose(self) -> bool:
        """Return whether the next token is a word or ends a sentence, so that mathematics ends."""
        token, after = self.peek(), self.peek(1)
        if token.kind == "name":
            short = after.text == "." and self.peek(2).kind == "name"  # w.p.
            return short or is_word(token, after)
        if token.kind in ("mark", "raised", "lowered"):
            known = token.text in OPERATORS or token.kind != "mark"
            sign = token.text == "-" and after.kind == "number"
            return not (known or sign) or (token.text == "," and after.kind in ("space", "end"))
        return False

    def _holds_prose(self) -> bool:
        """Return whether a bracket begins here that holds words: prose in brackets."""
        depth, ahead = 0, 0
        while (token := self.peek(ahead)).kind != "end":
            depth += (token.kind == "open") - (token.kind == "close")
            if depth == 0:
                return False
            after = self.peek(ahead + 1)
            ends = token.text in ";:" or (token.text == "." and after.kind == "space")
            if ends or (token.kind == "name" and is_word(token, after)):
                return True
            ahead += 1
        return True

    def _sequence(self, close: str | None) -> list[_Node]:
        """Return the sequence up to a closing bracket, or at the top until mathematics ends."""
        nodes: list[_Node] = []
        while self.left:
            token = self.peek()
            beside = nodes and nodes[-1].kind == "factor"
            prose = self._prose() or (not beside and self._holds_prose())
            if token.kind == "close" or (close is None and prose):
                break
            if token.kind == "space":
                self.take()
                beside = nodes and nodes[-1].kind == "factor" and self.peek().kind == "name"
                nodes.append(_Node(_SPACE if beside else Markup(""), "space"))
            elif token.text == "/" and nodes and nodes[-1].kind == "factor" and not self.raised:
                self._over(nodes)
            else:
                nodes.append(self._scripted())
        return nodes

    def _over(self, nodes: list[_Node]) -> None:
        """Put the product that ends the nodes over the factor that follows the bar."""
        start = self.at
        self.take()
        if not self._factor_follows():
            self.at = start + 1
            nodes.append(_Node(tag("mo", "/"), "mark"))
            return
        top: list[_Node] = []
        while nodes and nodes[-1].kind == "factor":
            top.insert(0, nodes.pop())
        below = self._scripted()
        above = _bare(top[0]) if len(top) == 1 else tag("mrow", *(n.shown for n in top))
        nodes.append(_Node(tag("mfrac", above, _bare(below)), "factor", True))

    def _factor_follows(self) -> bool:
        token = self.peek()
        if token.kind == "name":
            return not is_word(token, self.peek(1))
        return token.kind in ("number", "open") or token.text in ("√", "…", "∞")

    def _scripted(self) -> _Node:
        """Return one piece with what is raised and lowered beside it."""
        base = self._piece()
        if base.kind != "factor":
            return base
        beside: dict[str, Markup] = {}
        while True:
            token, sign = self.peek(), self.peek().text in ("^", "_")
            name = _SCRIPTS.get(token.text if sign else token.kind, "")
            if not name or name in beside or (sign and self.peek(1).kind in ("space", "end")):
                break
            self.take()
            number = unicodedata.normalize("NFKC", token.text)
            beside[name] = _bare(self._place()) if sign else tag("mn", number)
        if not beside:
            return base
        name = "msubsup" if len(beside) > 1 else next(iter(beside))
        return _Node(tag(name, base.shown, beside.get("msub"), beside.get("msup")), "factor", True)

    def _place(self) -> _Node:
        """Return what is raised or lowered: a bracket, a signed number, or one piece."""
        self.raised += 1
        try:
            if self.peek().text in ("−", "-") and self.peek(1).kind not in ("space", "end"):
                sign = tag("mo", self.take().text)
                return _Node(tag("mrow", sign, self._piece().shown), "factor")
            return self._piece()
        finally:
            self.raised -= 1

    def _piece(self) -> _Node:
        token = self.take()
        if token.kind == "number":
            return _Node(tag("mn", token.text), "factor")
        if token.kind == "open":
            return self._bracket(token)
        if token.kind == "name":
            if is_word(token, self.peek()):
                return _Node(tag("mtext", token.text), "word")
            name = token.text.rstrip("′″")
            primes = token.text[len(name) :]
            shown = tag("mi", name)
            if primes:
                shown = tag("mrow", shown, tag("mo", primes, **_TIGHT))
            return _Node(shown, "factor")
        if token.text == "√" and (self._factor_follows() or self.peek().kind == "name"):
            return _Node(tag("msqrt", _bare(self._piece())), "factor", True)
        if token.text in ("∞", "⊥", "…"):
            return _Node(tag("mi", token.text), "factor")
        apart = self.at > 1 and self.tokens[self.at - 2].kind == "space"
        if token.text in ("|", "‖") and not (apart and self.peek().kind == "space"):
            return _Node(tag("mo", token.text, stretchy="false", **_TIGHT), "factor")
        if token.text in INFIX:
            shown = tag("mo", token.text, form="infix" if apart else None)
            return _Node(shown, "infix", token.text in RELATIONS)
        name = "mo" if token.text in OPERATORS or token.text == "-" else "mtext"
        return _Node(tag(name, token.text), "mark")

    def _bracket(self, opened: Token) -> _Node:
        start = self.at
        held = self._sequence(")")
        if not self.left:
            # It is never closed.
            self.at = start
            return _Node(tag("mo", opened.text), "mark")
        closed = self.take()
        inside = [_spaced(node, place, held) for place, node in enumerate(held)]
        whole = tag("mrow", tag("mo", opened.text), *inside, tag("mo", closed.text))
        wordy = any(node.kind == "word" for node in held)
        needs = any(node.needs and (node.kind == "factor" or not wordy) for node in held)
        bare = opened.text in "({" and closed.text in ")}"
        return _Node(whole, "factor", needs, tag("mrow", *inside) if bare else None)


def _bare(node: _Node) -> Markup:
    return node.shown if node.inside is None else node.inside


def _spaced(node: _Node, place: int, nodes: list[_Node]) -> Markup:
    """Return a piece of a bracket, with a space kept where it is beside a word."""
    beside = (nodes[max(place - 1, 0)], nodes[min(place + 1, len(nodes) - 1)])
    if node.kind == "space" and any(item.kind == "word" for item in beside):
        return tag("mtext", "\u00a0")
    return node.shown


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
    result = []
    for match in _TOKEN.finditer(text):
        kind, piece = str(match.lastgroup), match[0]
        letters = [c for c in piece if unicodedata.category(c)[0] == "L"]
        if kind == "name" and 1 < len(letters) <= 4 and any("α" <= c <= "ω" for c in letters):
            # A product of variables: nγλ.
            result += [
                Token("name", item) for item in re.findall(r"\w[\u0300-\u036f]*[′″]*", piece)
            ]
        else:
            result.append(Token(kind, piece))
    return result


def is_word(token: Token, after: Token) -> bool:
    """Return whether letters are a word; a name of several letters has a bracket or an index."""
    letters = [c for c in token.text if unicodedata.category(c)[0] == "L"]
    if token.text in _FUNCTIONS:
        return False
    if len(letters) == 1:
        return token.text == "a" and after.kind == "space"
    return after.text not in ("(", "[", "_", "^") and after.kind != "lowered"
