"""Facts in words: expressions and ranges as a reader writes them."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.kernel import Expression, Number


def shown(expression: Expression) -> str:
    """Return an expression as text: ``1/2·x·e^(−x) − 3``."""
    text = ""
    for c, q, k, a in expression:
        parts = [f"e^({_rate(a, q)})"] * bool(a or q) + [power("x", k)] * (k > 0)
        size = abs(c)
        factors = "·".join([str(size)] * (size != 1 or not parts) + parts[::-1])
        sign = "−" if c < 0 else "+"
        text = f"{text} {sign} {factors}" if text else f"{'−' * (c < 0)}{factors}"
    return text or "0"


def span(lower: Number | None, upper: Number | None, integers: bool = False) -> str:
    """Return a range of x as text."""
    kind = "integers x" if integers else "x"
    if lower is not None and upper is not None:
        return f"{kind} = {lower}" if lower == upper else f"{kind} from {lower} to {upper}"
    if lower is None:
        return f"all {kind}" if upper is None else f"{kind} ≤ {upper}"
    return f"{kind} ≥ {lower}"


def power(name: str, k: int) -> str:
    """Return a power as text: ``x²``."""
    raised = "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(d)] for d in str(k))
    return name if k == 1 else f"{name}{raised}"


def _rate(a: Number, q: Number) -> str:
    plain = {Fraction(0): "", Fraction(1): "x", Fraction(-1): "−x"}
    rate = plain.get(Fraction(a), f"{a}·x".replace("-", "−"))
    if not q:
        return rate
    ahead = str(q).replace("-", "−")
    return f"{ahead} + {rate}".replace("+ −", "− ") if rate else ahead


def related(relation: str | Number) -> str:
    """Return which datasets are neighbors, as text."""
    if isinstance(relation, str):
        return f"{relation} neighbors"
    return f"neighbors whose entries differ by at most {relation}"
