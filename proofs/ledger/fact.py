"""What a finding says, without its certificate: the form in which findings and claims are compared.

A ``Fact`` mirrors a kind of the kernel's evidence. Expressions are kept in normal form, so that
equal facts are equal data; ``fact_of`` reads one off a finding. A claim says which facts it needs
(``provado.proofs.ledger.claim``); only equal facts match, never stronger or weaker ones. In words a
fact has expressions and ranges as a reader writes them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Literal

from provado.proofs import kernel
from provado.proofs.algebra import ExpPoly
from provado.proofs.kernel import Expression, Number, Pieces, Sum

POWERS = "⁰¹²³⁴⁵⁶⁷⁸⁹"


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
    raised = "".join(POWERS[int(d)] for d in str(k))
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


ONE: Expression = ((1, 0, 0, 0),)


def expression_of(data: Expression) -> ExpPoly:
    """Return the kernel's data as an expression to compute with."""
    return ExpPoly(((k, Fraction(a), Fraction(q)), Fraction(c)) for c, q, k, a in data)


def normal(expression: Expression) -> Expression:
    """Return an expression with like terms collected, in one order."""
    return expression_of(expression).as_data()


def _normal_sum(value: Sum) -> Sum:
    whole = normal(tuple((c, q, 0, 0) for q, c in value))
    return tuple((q, c) for c, q, _, _ in whole)


def _normal_pieces(pieces: Pieces) -> Pieces:
    return tuple((low, high, normal(part)) for low, high, part in pieces)


class _Normal:
    """Puts the fields named here into normal form when a fact is made."""

    def __post_init__(self) -> None:
        for field in fields(self):  # type: ignore[arg-type]
            if field.type in _NORMAL:
                value = _NORMAL[str(field.type)](getattr(self, field.name))
                object.__setattr__(self, field.name, value)


_NORMAL: dict[Any, Any] = {"Expression": normal, "Sum": _normal_sum, "Pieces": _normal_pieces}


@dataclass(frozen=True)
class AtLeastZero(_Normal):
    """terms over ``over`` is ≥ 0 (> 0 if strict) for all x, or all integers, in [lower, upper]."""

    terms: Expression
    lower: Number
    upper: Number | None = None
    strict: bool = False
    integers: bool = False
    over: Expression = ONE

    def __str__(self) -> str:
        over = "" if self.over == normal(ONE) else f"/({shown(self.over)})"
        whole = f"({shown(self.terms)}){over}" if over else shown(self.terms)
        scope = span(self.lower, self.upper, self.integers)
        return f"{whole} {'>' if self.strict else '≥'} 0 for {scope}"


@dataclass(frozen=True)
class Fails(_Normal):
    """Some x in [lower, upper], or some integer, breaks terms ≥ 0, > 0 or = 0."""

    terms: Expression
    claim: Literal["≥ 0", "> 0", "= 0"]
    lower: Number | None = None
    upper: Number | None = None
    integers: bool = False

    def __str__(self) -> str:
        scope = span(self.lower, self.upper, self.integers)
        return f"not {shown(self.terms)} {self.claim} for all {scope}"


@dataclass(frozen=True)
class Polynomial:
    """A polynomial in several variables is ≥ 0 (> 0) wherever x ≥ lower, or at all integers."""

    terms: tuple[tuple[Number, tuple[int, ...]], ...]
    lower: tuple[Number, ...]
    upper: tuple[int, ...] | None = None
    strict: bool = False

    def __post_init__(self) -> None:
        total: dict[tuple[int, ...], Number] = {}
        for c, powers in self.terms:
            total[powers] = total.get(powers, 0) + c
        object.__setattr__(self, "terms", tuple((c, p) for p, c in sorted(total.items()) if c))

    def __str__(self) -> str:
        names = [f"x{i}" for i in range(1, len(self.lower) + 1)]
        parts = [
            "·".join([str(c), *(power(n, p) for n, p in zip(names, powers, strict=True) if p)])
            for c, powers in self.terms
        ]
        ends = [f"{n} ≥ {low}" for n, low in zip(names, self.lower, strict=True)]
        ends += [f"{n} ≤ {high}" for n, high in zip(names, self.upper or (), strict=False)]
        sign = ">" if self.strict else "≥"
        return f"{' + '.join(parts) or '0'} {sign} 0 for {', '.join(ends)}"


@dataclass(frozen=True)
class Equal(_Normal):
    """Two expressions are the same function of x, or the same number."""

    left: Expression
    right: Expression

    def __str__(self) -> str:
        return f"{shown(self.left)} = {shown(self.right)}"


@dataclass(frozen=True)
class Enclosed(_Normal):
    """lower ≤ value/over ≤ upper, or the same of its logarithm."""

    value: Sum
    lower: Number
    upper: Number
    over: Sum = ((0, 1),)
    logarithm: bool = False

    def __str__(self) -> str:
        value, over = (shown(tuple((c, q, 0, 0) for q, c in s)) for s in (self.value, self.over))
        ratio = f"{'ln ' * self.logarithm}({value})" + ("" if over == "1" else f"/({over})")
        return f"{self.lower} ≤ {ratio} ≤ {self.upper}"


@dataclass(frozen=True)
class Integrated:
    """The integrals of products over intervals add up to a value."""

    parts: tuple[tuple[Number | None, Number | None, Expression], ...]
    value: Sum

    def __str__(self) -> str:
        value = shown(tuple((c, q, 0, 0) for q, c in self.value))
        parts = [f"∫ {shown(f)} for {span(low, high)}" for low, high, f in self.parts]
        return f"{' + '.join(parts)} = {value}"


@dataclass(frozen=True)
class NoisyMean(_Normal):
    """E[before(t − Z_1 − … − Z_n)] is ``after``, for independent Laplace noise of these scales."""

    before: Pieces
    scales: tuple[Number, ...]
    after: Pieces

    def __str__(self) -> str:
        noise = ", ".join(map(str, self.scales))
        ends = "; ".join(f"{shown(f)} for {span(a, b)}" for a, b, f in self.after)
        if self.before == _normal_pieces(STEP):
            return f"Laplace noise of scales {noise} adds up to more than x with chance {ends}"
        return f"mean under Laplace noise of scales {noise}: {ends}"


STEP: Pieces = ((None, 0, ((1, 0, 0, 0),)), (0, None, ()))
"""1 below 0 and 0 beyond: its mean under noise is the chance that the noise exceeds t."""


@dataclass(frozen=True)
class Recounted:
    """The sum, maximum, minimum or number over an enumeration of so many rows is ``value``."""

    operation: str
    value: Number
    rows: int
    scope: str

    def __str__(self) -> str:
        return f"the {self.operation} over {self.scope} ({self.rows} rows) is {self.value}"


@dataclass(frozen=True)
class MovesMore:
    """A reference function moves by more than ``claimed`` between two neighbors."""

    score: str
    relation: str | Number
    claimed: Number
    logarithm: bool = False

    def __str__(self) -> str:
        score = f"ln {self.score}" if self.logarithm else self.score
        return f"{score} moves by more than {self.claimed} between {related(self.relation)}"


@dataclass(frozen=True)
class NotPrivate:
    """A reference mechanism breaks (ε, δ)-differential privacy on two neighbors."""

    mechanism: str
    relation: str | Number
    epsilon: Number
    delta: Number = 0

    def __str__(self) -> str:
        loss = f"({self.epsilon}, {self.delta})"
        return f"{self.mechanism} is not {loss}-DP, on {related(self.relation)}"


@dataclass(frozen=True)
class Unshown:
    """Something that no rule of the kernel states, so that no finding ever meets it."""

    words: str

    def __str__(self) -> str:
        return self.words


Fact = (
    AtLeastZero
    | Fails
    | Polynomial
    | Equal
    | Enclosed
    | Integrated
    | NoisyMean
    | Recounted
    | MovesMore
    | NotPrivate
    | Unshown
)


def vacuous(fact: Fact) -> bool:
    """Return whether a fact says 0 = 0 or 0 ≥ 0 and so shows nothing, or cannot be shown at all."""
    match fact:
        case Unshown():
            return True
        case AtLeastZero() | Polynomial():
            return not fact.terms
        case Equal():
            return not fact.left and not fact.right
        case Enclosed():
            return not fact.value
    return False


def fact_of(finding: kernel.Checked) -> Fact:
    """Return what the kernel found, without the certificate."""
    match finding.evidence:
        case kernel.ExpressionSign() as e:
            is_whole = e.integers_to is not None
            return AtLeastZero(e.terms, e.lower, e.upper, e.strict, is_whole, e.denominator)
        case kernel.MultivariateSign() as e:
            return Polynomial(e.terms, e.lower, e.upper, e.strict)
        case kernel.Identity() as e:
            return Equal(e.left, e.right)
        case kernel.Enclosure() as e:
            return Enclosed(e.value, e.lower, e.upper, e.over, e.logarithm)
        case kernel.Integral() as e:
            return integrated(e)
        case kernel.AddLaplace() as e:
            return NoisyMean(e.before, e.scales, e.after[-1])
        case kernel.Recount() as e:
            return Recounted(e.operation, e.claimed, e.expected_rows, e.scope)
        case kernel.PointCounterexample() as e:
            return Fails(e.terms, e.claim, e.lower, e.upper, e.integers)
        case kernel.ChangeCounterexample() as e:
            return MovesMore(_reference(finding), e.relation, e.claimed, e.logarithm)
        case kernel.PrivacyCounterexample() as e:
            return NotPrivate(_reference(finding), e.relation, e.epsilon, e.delta)
    return Unshown(f"evidence of the kind {type(finding.evidence).__name__}")


def integrated(e: kernel.Integral) -> Integrated:
    """Return what an integral says, its factors multiplied out."""
    parts = []
    for lower, upper, factors, _ in e.parts:
        poly = ExpPoly.of(1)
        for factor in factors:
            poly = poly * expression_of(factor)
        parts.append((lower, upper, poly.as_data()))
    return Integrated(tuple(parts), _normal_sum(e.value))


_REFERENCE, _ROOM = "the reference function ", "provado.proofs.ledger."


def _reference(finding: kernel.Checked) -> str:
    name = finding.assumptions[0].removeprefix(_REFERENCE)
    return name.removeprefix(_ROOM).replace("<locals>.", "")
