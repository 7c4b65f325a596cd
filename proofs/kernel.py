"""The trusted kernel: the only code that turns data into ``proved``, ``refuted`` or ``verified``.

Any search may find a certificate or a counterexample; only this file believes one. It is fed frozen
data, uses the standard library and exact rationals, and makes no decision on a float. What fails a
check is refused by the name of the rule that it broke: ``KernelRefusal``.

Data. A *sum* is a tuple of pairs (q, c) and means Σ c·e^q. An *expression* is a tuple of terms
(c, q, k, a) and means Σ c·e^q·x^k·e^(a·x). *Pieces* are a tuple of (lower, upper, expression) that
covers the line from left to right; ``None`` stands for an infinite end. c, q, a and all points are
``int`` or ``Fraction``; k is a whole number from 0 on.

Each field must be of the kind that its annotation names, in each part exactly: a float is refused,
and so is a ``bool`` for a number, a number for a flag, and any subclass, whose methods could lie.
What is checked, and kept with the finding, is a copy that nobody else holds. Sizes are capped, and
the work on one piece of evidence is counted: what would take long is refused.

Why signs and identities can be decided. The functions x^k·e^(a·x) are linearly independent over the
reals on every interval, so that an expression vanishes only if each of its coefficients does. A
coefficient Σ c·e^q with distinct rational q vanishes only if every c does (Lindemann and
Weierstrass). So after collecting terms zero is seen, and the sign of anything else shows at some
finite precision.
"""

from __future__ import annotations

import hmac
import math
import secrets
from collections import Counter
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import InitVar, dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

Number = int | Fraction
Sum = tuple[tuple[Number, Number], ...]
Expression = tuple[tuple[Number, Number, int, Number], ...]
Pieces = tuple[tuple[Number | None, Number | None, Expression], ...]
Row = tuple[tuple[tuple[str, Number], ...], Number, bool]
Interval = tuple[Fraction, Fraction]
FunctionName = Literal["exp", "ln", "sqrt", "cbrt", "sin", "cos", "arctan", "normal"]
_Sum = dict[Fraction, Fraction]
_Function = dict[tuple[int, Fraction, Fraction], Fraction]  # (k, a, q) -> c

MOST_BITS = 16384
"""Precision at which a sign that is still open is refused as undecided."""
MOST_WORK = 10**6
"""Steps that one check may take; some ten of them are one operation on short fractions."""
MOST_DIGITS = 4096
"""Binary digits of a numerator or denominator in the evidence."""
MOST_POWER = 256
"""The largest exponent k of a variable."""
MOST_DEPTH = 64
"""How deep tuples and arguments may be nested."""
_ONE: Expression = ((1, 0, 0, 0),)
_TOKEN = object()
_KEY = secrets.token_bytes(32)
_LEFT: ContextVar[list[int] | None] = ContextVar("steps left to the check at hand", default=None)


class KernelRefusal(ValueError):  # noqa: N818 - a refusal is an answer, not a malfunction
    """The data do not show what they claim; ``rule`` names the rule, ``reason`` what broke it."""

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(f"{rule}: {reason}")
        self.rule, self.reason = rule, reason


@dataclass(frozen=True)
class Checked:
    """A finding. Only ``check`` makes one; building one without its token is refused.

    A pickled one is taken from this process and those forked from it, by its seal, and from nobody
    else. All this guards against accident, not against code that sets out to forge a finding.

    verdict: ``proved``, ``refuted`` or ``verified`` (exhaustively, on a finite scope).
    statement: what was found, in words made from the evidence itself.
    assumptions: what the finding takes for granted and this file cannot check.
    evidence: a copy of the data, which is what was checked; checked again, it gives the same.
    """

    verdict: Literal["proved", "refuted", "verified"]
    rule: str
    statement: str
    assumptions: tuple[str, ...]
    evidence: Any
    token: InitVar[object] = None

    def __post_init__(self, token: object) -> None:
        if token is not _TOKEN:
            raise KernelRefusal("finding", "only the kernel's check makes findings")

    def __init_subclass__(cls) -> None:
        raise KernelRefusal("finding", "what is derived from it was never checked")

    def __reduce__(self) -> tuple[Any, ...]:
        fields = self.verdict, self.rule, self.statement, self.assumptions, self.evidence
        return _unsealed, (fields, _seal(fields))

    def __setstate__(self, state: object) -> None:
        raise KernelRefusal("finding", "it is not filled in afterwards")


def _seal(fields: tuple[Any, ...]) -> bytes:
    return hmac.digest(_KEY, repr(fields).encode(), "sha256")


def _unsealed(fields: tuple[Any, Any, Any, Any, Any], seal: bytes) -> Checked:
    ours = hmac.compare_digest(seal, _seal(fields))
    _require(ours, "finding", "it comes from elsewhere, or was changed: check its evidence again")
    return Checked(*fields, _TOKEN)


# Certificates and counterexamples. ------------------------------------------------------------


@dataclass(frozen=True)
class MultivariateSign:
    """Σ c·Π x_i^(e_i) over terms (c, (e_1, …)) is ≥ 0 wherever x_i ≥ lower[i] for all i.

    Moving the corner to the origin must leave no negative coefficient, and for ``strict`` a
    positive constant. With ``upper`` the scope is instead all integers lower[i] ≤ x_i ≤ upper[i],
    which are tried one and all.
    """

    terms: tuple[tuple[Number, tuple[int, ...]], ...]
    lower: tuple[Number, ...]
    upper: tuple[int, ...] | None = None
    strict: bool = False


@dataclass(frozen=True)
class BoxSplit:
    """The box is cut where one variable is ``at``; each part is shown by itself, ``None``: at once.

    variable: its place among the variables.
    """

    variable: int
    at: Number
    below: BoxSplit | None = None
    above: BoxSplit | None = None


@dataclass(frozen=True)
class BoxSign:
    """Σ c·Π x_i^(e_i) over terms (c, (e_1, …)) is ≥ 0 (> 0 if ``strict``) on a box.

    The box holds all lower[i] ≤ x_i ≤ upper[i]; an upper end may be ``None``: there is none.
    splits: how the box is cut. On a part that is not cut, the coefficients of the polynomial in
    Bernstein's basis of each bounded variable, and in powers of x_i − lower[i] of each other one,
    are all ≥ 0; for > 0, those without such powers are all > 0.

    Soundness. Bernstein's polynomials are ≥ 0 on their interval and add up to 1, so that their
    weighted sum is at least the least weight; powers of what is ≥ 0 only add to it.
    """

    terms: tuple[tuple[Number, tuple[int, ...]], ...]
    lower: tuple[Number, ...]
    upper: tuple[Number | None, ...]
    splits: BoxSplit | None = None
    strict: bool = False


@dataclass(frozen=True)
class Identity:
    """Two expressions are the same function of x; without powers and x, the same number."""

    left: Expression
    right: Expression


@dataclass(frozen=True)
class Coefficients:
    """Moved to the left end l, f(l + t) has coefficients ≥ 0 only (for > 0: one above 0 at t^0).

    If f is one exponential times a polynomial of degree n and the scope is [l, u], it is instead
    (1 + t)^n·f((l + u·t)/(1 + t)), up to the exponential, that has none below 0 (for > 0: none 0
    at both ends of it), as t ≥ 0 runs through [l, u).
    """


@dataclass(frozen=True)
class Enclose:
    """f > 0 on a bounded interval, by interval arithmetic, term by term, with ``bits`` places."""

    bits: int = 64


@dataclass(frozen=True)
class Differentiate:
    """g = e^(multiply·x)·f is ≥ 0 at one end of the scope, and rises from there.

    ``end``: at ``left`` ``then`` shows g′ ≥ 0; at ``right`` it shows −g′ ≥ 0, and the right end of
    a half-line is the limit.
    """

    multiply: Number
    end: Literal["left", "right"]
    then: Argument


@dataclass(frozen=True)
class Split:
    """The scope is cut at ``points``, and each of the parts has its own argument."""

    points: tuple[Number, ...]
    parts: tuple[Argument, ...]


Argument = Coefficients | Enclose | Differentiate | Split


@dataclass(frozen=True)
class ExpressionSign:
    """An expression, over a ``denominator`` > 0, is ≥ 0 (> 0 if ``strict``) on [lower, upper].

    ``upper`` None: on [lower, ∞). With ``integers_to`` the scope is the integers in it: each one
    below ``integers_to`` is tried, and from there on the reals follow the argument, which is not
    needed if nothing is left. A denominator comes with its own argument, on the same scope.

    Soundness, by induction on the argument. Multiplying by an exponential keeps signs. With g ≥ 0
    at the left end and g′ ≥ 0, g ≥ 0 throughout (mean value theorem); likewise from the right end,
    where a falling g on a half-line is at least its limit. For > 0, a value > 0 at the end leaves
    g′ ≥ 0 to show; a limit of 0 asks for −g′ > 0. Leaves: ``Coefficients``, ``Enclose``.
    """

    terms: Expression
    lower: Number
    argument: Argument | None
    upper: Number | None = None
    strict: bool = False
    integers_to: int | None = None
    denominator: Expression = _ONE
    denominator_argument: Argument = Coefficients()


@dataclass(frozen=True)
class Enclosure:
    """lower ≤ value/over ≤ upper for sums, over > 0; with ``logarithm`` for ln(value/over)."""

    value: Sum
    lower: Number
    upper: Number
    over: Sum = ((0, 1),)
    logarithm: bool = False


@dataclass(frozen=True)
class FunctionRange:
    """lower ≤ f(x) ≤ upper for all x from ``first`` to ``last`` for which f is defined.

    ``None`` is no end. name: as in ``function_enclosure``, which is asked for so many ``bits``.
    """

    name: FunctionName
    first: Number | None
    last: Number | None
    lower: Number | None
    upper: Number | None
    bits: int = 64


@dataclass(frozen=True)
class Integral:
    """The integrals of products of factors over intervals add up to ``value``.

    parts: (lower, upper, factors, antiderivative); an antiderivative may have any constant, and at
    an infinite end its limit counts.
    """

    parts: tuple[tuple[Number | None, Number | None, tuple[Expression, ...], Expression], ...]
    value: Sum


@dataclass(frozen=True)
class AddLaplace:
    """after[-1](t) = E[before(t − Z_1 − … − Z_n)], Z_i independent Laplace(0, scales[i]).

    With before(t) = 1 for t < 0 and 0 beyond, it is Pr[Z_1 + … + Z_n > t].

    Soundness. For a bounded, piecewise continuous h, u = E[h(t − Z)] with Z of scale b is bounded,
    has a continuous derivative, and u − b²·u″ = h off the breakpoints: differentiate the two halves
    of the integral with e^(−|t − x|/b)/(2b). The difference w of two such functions has w = b²·w″
    everywhere, so that w = A·e^(t/b) + B·e^(−t/b), which is bounded for A = B = 0 only.
    """

    before: Pieces
    scales: tuple[Number, ...]
    after: tuple[Pieces, ...]


@dataclass(frozen=True)
class LinearConsequence:
    """Hypotheses on real numbers imply ``goal``; with the goal 0 > 0 they contradict each other.

    A row (terms, constant, strict) means Σ c·name + constant ≥ 0, and > 0 if strict, over terms
    (name, c). Each hypothesis is taken ``multipliers`` times, none below 0, and added up: the sum
    has the terms of the goal, and a constant that is not above the goal's. For > 0, the constant is
    below it, or a strict hypothesis has been taken. (Farkas' lemma: where there is a consequence at
    all, there are such multipliers.)
    """

    hypotheses: tuple[Row, ...]
    multipliers: tuple[Number, ...]
    goal: Row


@dataclass(frozen=True)
class Recount:
    """The sum, maximum, minimum or number of the values of a finite table is ``claimed``.

    rows: (label, value), with distinct labels; ``expected_rows`` is how many the enumeration has,
    and ``scope`` says of what it is one.
    """

    rows: tuple[tuple[Any, Number], ...]
    operation: Literal["sum", "maximum", "minimum", "count"]
    claimed: Number
    expected_rows: int
    scope: str


@dataclass(frozen=True)
class PointCounterexample:
    """Refutes that an expression is ≥ 0, > 0 or = 0 for all x in [lower, upper], by one point."""

    terms: Expression
    claim: Literal["≥ 0", "> 0", "= 0"]
    at: Number
    lower: Number | None = None
    upper: Number | None = None
    integers: bool = False


@dataclass(frozen=True)
class ChangeCounterexample:
    """Refutes that a score f moves by at most ``claimed`` between neighbors.

    values: f(D), f(D′) as numbers or sums, recomputed by the reference function given to ``check``.
    relation: ``replace-one``, ``add-or-remove-one``, or a number Δ for vectors of answers that move
        by at most Δ each.
    logarithm: f is the logarithm of the values.
    """

    d: tuple[Any, ...]
    d_prime: tuple[Any, ...]
    relation: str | Number
    values: tuple[Number | Sum, Number | Sum]
    claimed: Number
    logarithm: bool = False


@dataclass(frozen=True)
class PrivacyCounterexample:
    """Refutes (ε, δ)-differential privacy: Pr[S | D] − e^ε·Pr[S | D′] > δ for an event S.

    probabilities: sums, recomputed by the reference function given to ``check``; ``event`` says
    what S is. relation: as in ``ChangeCounterexample``.
    """

    d: tuple[Any, ...]
    d_prime: tuple[Any, ...]
    relation: str | Number
    event: str
    probabilities: tuple[Sum, Sum]
    epsilon: Number
    delta: Number = 0


@dataclass(frozen=True)
class RepeatedEvent:
    """Refutes ε-differential privacy for every ε, by an event that repeats m times.

    chances: of S_m on D at least chances[0]·chances[1]^m, on D′ at most chances[2]·p′^m, p′ being
    the largest of all from chances[3] on. With chances[1] > p′ the loss exceeds every ε; it exceeds
    ``epsilon`` with m = ``periods``. They are recomputed by the reference function given to
    ``check``; ``event`` says what S_m is.
    before, period: the answers of D and of D′; those of the period come m times, each time
    ``drift`` above those before. relation: by how much an answer may move.
    """

    before: tuple[tuple[Number, ...], tuple[Number, ...]]
    period: tuple[tuple[Number, ...], tuple[Number, ...]]
    drift: Number
    relation: Number
    event: str
    chances: tuple[Sum, ...]
    periods: int
    epsilon: Number


# Exact numbers. -------------------------------------------------------------------------------


def _require(holds: bool, rule: str, reason: str) -> None:
    if not holds:
        raise KernelRefusal(rule, reason)


def _spend(steps: int) -> None:
    """Count ``steps`` of work towards the check at hand; outside of a check work is not counted."""
    left = _LEFT.get()
    if left is not None:
        left[0] -= steps
        _require(left[0] >= 0, "work", f"the check would take more than {MOST_WORK} steps")


def _weigh(*values: Number) -> None:
    """Spend what a few operations on numbers of this length cost."""
    digits = max(max(v.numerator.bit_length(), v.denominator.bit_length()) for v in values)
    _spend(16 + (digits * digits >> 16))


def _total(values: Iterable[Fraction]) -> Fraction:
    total = Fraction(0)
    for value in values:
        _weigh(value, total)
        total += value
    return total


def _product(value: Fraction, factors: Iterable[Number]) -> Fraction:
    for factor in factors:
        value *= factor
        _weigh(value)
    return value


def _exact(value: Any) -> Fraction:
    if type(value) is not int and type(value) is not Fraction:
        raise KernelRefusal("exact-data", f"a {type(value).__name__} is no int and no Fraction")
    return Fraction(value)


def _power(value: int) -> int:
    _require(0 <= value <= MOST_POWER, "exact-data", f"a power is not from 0 to {MOST_POWER}")
    return value


@cache
def _members(kind: Any) -> tuple[tuple[type, Any], ...]:
    """Return the types that a value of this kind may have, each with the kind that it then has."""
    if kind is Any:
        kind = None | bool | int | Fraction | str | tuple[Any, ...]
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return tuple((str if get_origin(k) is Literal else get_origin(k) or k, k) for k in kinds)


_fields: Callable[[Any], dict[str, Any]] = cache(get_type_hints)


def _read(value: Any, kind: Any, depth: int = 0) -> Any:
    """Return a copy of ``value``, each part of which is exactly of its kind; else refuse."""
    for allowed, member in _members(kind):
        # By identity: a type, too, can claim to equal another.
        if allowed is type(value):
            return _copy(value, member, depth)
    raise KernelRefusal("exact-data", f"a {type(value).__name__} stands where {kind} belongs")


def _copy(value: Any, kind: Any, depth: int) -> Any:
    if type(value) is bool or value is None:
        return value
    if type(value) is str:
        if get_origin(kind) is Literal and value not in get_args(kind):
            raise KernelRefusal("exact-data", f"{value!r} stands where {kind} belongs")
        _spend(len(value) >> 6)
        return value
    if type(value) is int or type(value) is Fraction:
        n, d = value.numerator, value.denominator
        # A Fraction is no better than the two numbers that it was given.
        is_whole = type(n) is int and type(d) is int and d > 0
        _require(is_whole, "exact-data", "a Fraction is not made of two whole numbers")
        short = n.bit_length() <= MOST_DIGITS >= d.bit_length()
        _require(short, "exact-data", f"a number has more than {MOST_DIGITS} binary digits")
        _require(math.gcd(n, d) == 1, "exact-data", "a Fraction is not in lowest terms")
        _spend(n.bit_length() + d.bit_length() >> 8)
        return n if type(value) is int else Fraction(n, d)
    _require(depth < MOST_DEPTH, "exact-data", f"nested more than {MOST_DEPTH} deep")
    if type(value) is tuple:
        _spend(2 * len(value))
        kinds = get_args(kind)
        if kinds[-1] is ...:
            return tuple([_read(part, kinds[0], depth + 1) for part in value])
        if len(kinds) != len(value):
            raise KernelRefusal("exact-data", f"{len(value)} parts stand where {kind} belongs")
        return tuple([_read(part, k, depth + 1) for part, k in zip(value, kinds, strict=True)])
    fields, given = _fields(kind), vars(value)
    _require(given.keys() == fields.keys(), "exact-data", "a field is missing or unknown")
    return kind(**{name: _read(given[name], k, depth + 1) for name, k in fields.items()})


def _sum(data: Number | Sum) -> _Sum:
    total: _Sum = {}
    for q, c in data if isinstance(data, tuple) else ((0, data),):
        key, more = _exact(q), _exact(c)
        _weigh(key, more, before := total.get(key, Fraction(0)))
        total[key] = before + more
    return {q: c for q, c in total.items() if c}


def _combine(*parts: tuple[_Sum, Number, Number]) -> _Sum:
    """Return Σ factor·e^power·sum over the parts (sum, factor, power)."""
    return _sum(tuple((q + p, c * f) for s, f, p in parts for q, c in s.items()))


def exp_enclosure(x: Number, bits: int = 64) -> Interval:
    """Return rationals lo ≤ e^x ≤ hi with hi − lo ≤ 2^(−bits)·max(1, e^x).

    Taylor's series at |x|/2^m ≤ 1, where what is left out is at most the last term kept, then m
    squarings, all on integers with 2^w to the unit and rounded outward.
    """
    x = _exact(x)
    _require(bits >= 1, "enclosure", f"bits is {bits}: at least 1 is needed")
    n, d = abs(x.numerator), x.denominator
    m = (n // d + 1).bit_length()
    # Each squaring doubles the relative error and adds one; 2|x| bits hold e^|x|.
    w = bits + 2 * m + 16 + (2 * -(-n // d) if x < 0 else 0)
    _spend((m + 4) * (w + 2 * (n // d)) ** 2 >> 20)
    d <<= m
    each = 4 + (w * (n.bit_length() + d.bit_length() + 16) >> 15)
    low = high = low_term = high_term = 1 << w
    k = 0
    while high_term > 1:
        _spend(each)
        k += 1
        low_term, high_term = low_term * n // (d * k), -(-high_term * n // (d * k))
        low, high = low + low_term, high + high_term
    high += high_term
    for _ in range(m):
        low, high = low * low >> w, -(-high * high >> w)
    if x < 0:
        low, high = (1 << 2 * w) // high, -(-(1 << 2 * w) // low)
    return Fraction(low, 1 << w), Fraction(high, 1 << w)


def _series(
    first: Fraction, factor: Fraction, ratio: Callable[[int], tuple[int, int]], sign: int, bits: int
) -> Interval:
    """Return ends around Σ sign^k·t_k, with t_0 = first ≥ 0 and t_(k+1) = t_k·factor·a/b.

    (a, b) = ratio(k), where factor·a/b stays at most 1/2 once it is. Then what is left out is at
    most the last term kept. On integers with 2^w to the unit, rounded outward; e^(2·factor) times
    the first is more than any term.
    """
    n, d = factor.numerator, factor.denominator
    w = bits + 16 + 3 * math.ceil(factor)
    each = 4 + (w * (n.bit_length() + d.bit_length() + 16) >> 15)
    low_term, high_term = _places(first, w)
    low = high = k = 0
    while True:
        _spend(each)
        added = (low_term, high_term) if sign**k == 1 else (-high_term, -low_term)
        low, high = low + added[0], high + added[1]
        a, b = ratio(k)
        if high_term <= 1 and 2 * n * a <= d * b:
            return Fraction(low - high_term, 1 << w), Fraction(high + high_term, 1 << w)
        low_term, high_term = low_term * n * a // (d * b), -(-high_term * n * a // (d * b))
        k += 1


def _places(x: Fraction, bits: int) -> tuple[int, int]:
    """Return x·2^bits, rounded down and up."""
    return (x.numerator << bits) // x.denominator, -(-(x.numerator << bits) // x.denominator)


def _odd_series(x: Fraction, sign: int, bits: int) -> Interval:
    """Return ends around Σ sign^k·x^(2k + 1)/(2k + 1) for |x| ≤ 1/2: artanh x, or arctan x."""
    low, high = _series(abs(x), x * x, lambda k: (2 * k + 1, 2 * k + 3), sign, bits)
    return (low, high) if x >= 0 else (-high, -low)


def pi_enclosure(bits: int = 64) -> Interval:
    """Return ends around π = 16·arctan(1/5) − 4·arctan(1/239) (Machin)."""
    five, other = (_odd_series(Fraction(1, k), -1, bits + 5) for k in (5, 239))
    return 16 * five[0] - 4 * other[1], 16 * five[1] - 4 * other[0]


def _arctan(x: Fraction, bits: int) -> Interval:
    if x < 0:
        low, high = _arctan(-x, bits)
        return -high, -low
    if x <= Fraction(1, 2):
        return _odd_series(x, -1, bits)
    # arctan x = π/4 + arctan((x − 1)/(x + 1)); the second is at most 1/2 after two steps.
    rest, whole = _arctan((x - 1) / (x + 1), bits + 2), pi_enclosure(bits)
    return whole[0] / 4 + rest[0], whole[1] / 4 + rest[1]


def _ln(x: Fraction, bits: int) -> Interval:
    _require(x > 0, "enclosure", f"{x} has no logarithm")
    m = x.numerator.bit_length() - x.denominator.bit_length()
    x /= Fraction(2) ** m
    # Now x is between 1/2 and 2, and (x − 1)/(x + 1) at most 1/3.
    rest = _odd_series((x - 1) / (x + 1), 1, bits + 2)
    twos = sorted(m * end for end in _odd_series(Fraction(1, 3), 1, bits + m.bit_length() + 2))
    return 2 * (rest[0] + twos[0]), 2 * (rest[1] + twos[1])


def _sqrt(x: Fraction, bits: int) -> Interval:
    _require(x >= 0, "enclosure", f"{x} has no root")
    square = (x.numerator * x.denominator) << 2 * bits
    _spend(4 + (square.bit_length() ** 2 >> 20))
    low = math.isqrt(square)
    unit = x.denominator << bits
    return Fraction(low, unit), Fraction(low + (low * low < square), unit)


def _cbrt(x: Fraction, bits: int) -> Interval:
    _require(x >= 0, "enclosure", f"{x} has no root")
    cube = (x.numerator * x.denominator**2) << 3 * bits
    _spend(4 + (cube.bit_length() ** 2 >> 16))
    low, step = 0, 1 << -(-cube.bit_length() // 3)
    while step:
        low, step = low + step * ((low + step) ** 3 <= cube), step >> 1
    unit = x.denominator << bits
    return Fraction(low, unit), Fraction(low + (low**3 < cube), unit)


def _circular(x: Fraction, bits: int, odd: int) -> Interval:
    """Return ends around the sine (odd = 1) or the cosine (odd = 0)."""
    low, high = pi_enclosure(bits + math.ceil(abs(x)).bit_length() + 2)
    turns = round(x / (2 * low))
    rest, slip = x - 2 * turns * low, 2 * abs(turns) * (high - low)
    first = abs(rest) if odd else Fraction(1)
    factors = lambda k: (1, (2 * k + 1 + odd) * (2 * k + 2 + odd))  # noqa: E731
    low, high = _series(first, rest * rest, factors, -1, bits + 2)
    low, high = (-high, -low) if odd and rest < 0 else (low, high)
    # Both move by at most as much as x.
    return max(low - slip, Fraction(-1)), min(high + slip, Fraction(1))


def _normal_beyond_half(x: Fraction, bits: int) -> Interval:
    """Return ends around Φ(x) − 1/2 for x ≥ 0."""
    square = x * x
    places = bits + 3 * math.ceil(square)
    density, whole = exp_enclosure(-square / 2, places), pi_enclosure(places)
    inside = _series(x, square, lambda k: (1, 2 * k + 3), 1, bits)
    low = density[0] * inside[0] / _sqrt(2 * whole[1], places)[1]
    high = density[1] * inside[1] / _sqrt(2 * whole[0], places)[0]
    return low, high


def _normal(x: Fraction, bits: int) -> Interval:
    """Return ends around Φ(x) = 1/2 + e^(−x²/2)/√(2π)·(x + x³/3 + x⁵/(3·5) + …)."""
    square = x * x
    if square >= 2 * bits:
        # Beyond x there is at most e^(−x²/2) < 2^−bits.
        tail = Fraction(1, 1 << bits)
        return (Fraction(0), tail) if x < 0 else (1 - tail, Fraction(1))
    low, high = _normal_beyond_half(abs(x), bits + 4)
    below = Fraction(_places(low, bits + 2)[0], 4 << bits)
    above = Fraction(_places(high, bits + 2)[1], 4 << bits)
    half = Fraction(1, 2)
    return (half + below, half + above) if x >= 0 else (half - above, half - below)


_FUNCTIONS: dict[str, Callable[[Fraction, int], Interval]] = {
    "exp": exp_enclosure,
    "ln": _ln,
    "sqrt": _sqrt,
    "cbrt": _cbrt,
    "sin": lambda x, bits: _circular(x, bits, 1),
    "cos": lambda x, bits: _circular(x, bits, 0),
    "arctan": _arctan,
    "normal": _normal,
}


def function_enclosure(name: FunctionName, x: Number, bits: int = 64) -> Interval:
    """Return rationals lo ≤ f(x) ≤ hi, about 2^(−bits) apart; of an exponential as it says.

    name: ``normal`` is Φ, the distribution function of a standard normal.
    """
    _require(1 <= bits <= MOST_BITS, "enclosure", f"bits is {bits}, not from 1 to {MOST_BITS}")
    return _FUNCTIONS[name](_exact(x), bits)


def function_range(
    name: FunctionName, first: Number | None, last: Number | None, bits: int = 64
) -> tuple[Fraction | None, Fraction | None]:
    """Return ends around a function between two points, where it is defined; ``None`` for none.

    Sine and cosine are largest and least at the two points, or at a multiple of π, the sine at π/2
    more. All others rise.
    """
    one = Fraction(1)
    first, last = (None if x is None else _exact(x) for x in (first, last))
    if name in ("sin", "cos"):
        if first is None or last is None or last - first > 6:
            return -one, one
        shift = Fraction(name == "sin", 2)
        whole = pi_enclosure(bits + math.ceil(max(abs(first), abs(last))).bit_length())
        values = [v for x in (first, last) for v in function_enclosure(name, x, bits)]
        for k in range(math.floor(first / whole[0]) - 1, math.ceil(last / whole[0]) + 2):
            near, far = sorted(end * (k + shift) for end in whole)
            values += [(-one) ** k] * (near <= last and far >= first)
        return min(values), max(values)
    low: Fraction | None = dict.fromkeys(("exp", "sqrt", "cbrt", "normal"), 0 * one).get(name)
    high = one if name == "normal" else None
    if name == "arctan":
        high = pi_enclosure(bits)[1] / 2
        low = -high
    if first is not None and (name not in ("ln", "sqrt", "cbrt") or first > 0):
        low = function_enclosure(name, first, bits)[0]
    return low, high if last is None else function_enclosure(name, last, bits)[1]


def sum_enclosure(value: Sum, bits: int = 64) -> Interval:
    """Return rationals lo ≤ Σ c·e^q ≤ hi, the closer the more ``bits``."""
    return _enclose(_sum(value), bits)


def _enclose(value: _Sum, bits: int) -> Interval:
    low = high = Fraction(0)
    for q, c in value.items():
        ends = exp_enclosure(q, bits)
        _weigh(low, high, c)
        low, high = low + c * ends[c < 0], high + c * ends[c > 0]
    return low, high


def sum_sign(value: Sum, bits: int = MOST_BITS) -> int:
    """Return −1, 0 or 1; refuse a sign that ``bits`` binary places leave open."""
    return _sign(_sum(value), bits)


def _sign(value: _Sum, bits: int = MOST_BITS) -> int:
    if all(c >= 0 for c in value.values()) or all(c <= 0 for c in value.values()):
        return next((1 if c > 0 else -1 for c in value.values()), 0)
    places = 64
    while places <= bits:
        low, high = _enclose(value, places)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        places *= 2
    raise KernelRefusal("sum-sign", f"{bits} binary places leave the sign of {_show(value)} open")


# Expressions. ---------------------------------------------------------------------------------


def _function(data: Iterable[tuple[Number, Number, int, Number]]) -> _Function:
    total: _Function = {}
    for c, q, k, a in data:
        key, more = (_power(k), _exact(a), _exact(q)), _exact(c)
        _weigh(*key[1:], more, before := total.get(key, Fraction(0)))
        total[key] = before + more
    return {key: c for key, c in total.items() if c}


def _plus(*parts: tuple[Number, _Function]) -> _Function:
    return _function((f * c, q, k, a) for f, g in parts for (k, a, q), c in g.items())


def _times(f: _Function, g: _Function) -> _Function:
    return _function(
        (c * d, q + r, k + j, a + b) for (k, a, q), c in f.items() for (j, b, r), d in g.items()
    )


def _derivative(f: _Function) -> _Function:
    return _function(
        term
        for (k, a, q), c in f.items()
        for term in ((c * a, q, k, a), (c * k, q, max(k - 1, 0), a))
    )


def _shift(f: _Function, by: Fraction) -> _Function:
    """Return t ↦ f(by + t)."""
    return _function(
        (c * math.comb(k, j) * by ** (k - j), q + a * by, j, a)
        for (k, a, q), c in f.items()
        for j in range(k + 1)
    )


def _value(f: _Function, x: Fraction) -> _Sum:
    return _sum(tuple((q + a * x, c * x**k) for (k, a, q), c in f.items()))


def _end(f: _Function, x: Number | None, side: int) -> _Sum:
    """Return f(x), or with x = ``None`` the limit at ``side``·∞."""
    if x is not None:
        return _value(f, _exact(x))
    if any(a * side > 0 or (a == 0 and k > 0) for k, a, _ in f):
        raise KernelRefusal("limit", f"{_words(f)} has no finite limit at {'-+'[side > 0]}∞")
    return _sum(tuple((q, c) for (_, a, q), c in f.items() if a == 0))


def _words(f: _Function) -> str:
    parts = [
        "·".join(
            [str(c)] + [f"e^({q})"] * (q != 0) + [f"x^{k}"] * (k > 0) + [f"e^({a}·x)"] * (a != 0)
        )
        for (k, a, q), c in sorted(f.items())
    ]
    return " + ".join(parts) or "0"


def _show(value: _Sum) -> str:
    return _words({(0, Fraction(0), q): c for q, c in value.items()})


def _plain(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_plain, value))}{',' * (len(value) == 1)})"
    return str(value) if isinstance(value, Fraction) else repr(value)


def _scope(lower: Number | None, upper: Number | None, integers: bool = False) -> str:
    ends = (
        f"[{lower}, " if lower is not None else "(−∞, ",
        f"{upper}]" if upper is not None else "∞)",
    )
    return f"{'integer' if integers else 'real'} x in {''.join(ends)}"


# The rules. -----------------------------------------------------------------------------------

_Found = tuple[Literal["proved", "refuted", "verified"], str, tuple[str, ...]]
_Reference = Callable[[Any], Any] | None


def _argue(
    f: _Function, low: Fraction, high: Fraction | None, strict: bool, argument: Argument | None
) -> None:
    """Return if ``argument`` shows f ≥ 0 (> 0 if strict) on [low, high]; else refuse."""
    if isinstance(argument, Coefficients):
        _argue_coefficients(f, low, high, strict)
    elif isinstance(argument, Enclose):
        if high is None:
            raise KernelRefusal("enclose", "the scope must be bounded")
        bound = _lower_bound(f, low, high, argument.bits)
        _require(bound > 0 or (bound == 0 and not strict), "enclose", f"the bound is {bound}")
    elif isinstance(argument, Split):
        ends = [low, *map(_exact, argument.points)]
        rising = all(a < b for a, b in pairwise([*ends, *([] if high is None else [high])]))
        _require(rising, "split", f"the points {argument.points} do not rise within the scope")
        _require(len(argument.parts) == len(ends), "split", "each part needs one argument")
        for a, b, part in zip(ends, [*ends[1:], high], argument.parts, strict=True):
            _argue(f, a, b, strict, part)
    elif isinstance(argument, Differentiate):
        left = argument.end == "left"
        g = _times(f, _function([(1, 0, 0, argument.multiply)]))
        sign = _sign(_end(g, low if left else high, 1))
        needed = strict and (left or high is not None)
        _require(
            sign >= needed, "differentiate", f"{_words(g)} has sign {sign} at its {argument.end}"
        )
        slope = _plus((1 if left else -1, _derivative(g)))
        _argue(slope, low, high, strict and sign == 0, argument.then)
    else:
        raise KernelRefusal("argument", "there is none, and not everything was tried")


def _argue_coefficients(f: _Function, low: Fraction, high: Fraction | None, strict: bool) -> None:
    degree = max((k for k, _, _ in f), default=0)
    if high is not None and len({a for _, a, _ in f}) == 1:
        f = _function(
            (c * math.comb(k, i) * low ** (k - i) * high**i * math.comb(degree - k, j), q, i + j, 0)
            for (k, _, q), c in f.items()
            for i in range(k + 1)
            for j in range(degree - k + 1)
        )
        both = {(k, Fraction(0)) for k in (0, degree)}
    else:
        f, both = _shift(f, low), set()
    signs = {key: _sign(part) for key, part in _coefficients(f).items()}
    _require(min(signs.values(), default=0) >= 0, "coefficients", f"{_words(f)} has one below 0")
    positive = both <= signs.keys() if both else any(k == 0 for k, _ in signs)
    _require(positive or not strict, "coefficients", f"{_words(f)} may be 0 at an end")


def _coefficients(f: _Function) -> dict[tuple[int, Fraction], _Sum]:
    result: dict[tuple[int, Fraction], _Sum] = {}
    for (k, a, q), c in f.items():
        result.setdefault((k, a), {})[q] = c
    return result


def _lower_bound(f: _Function, low: Fraction, high: Fraction, bits: int) -> Fraction:
    least = []
    for (k, a, q), c in f.items():
        powers = [low**k, high**k] + [Fraction(0)] * (k > 0 and low < 0 < high)
        growth = [v for x in (low, high) for v in exp_enclosure(q + a * x, bits)]
        least.append(min(c * p * e for p in powers for e in (min(growth), max(growth))))
    return _total(least)


def _expression_sign(e: ExpressionSign, _: _Reference) -> _Found:
    low, high = _exact(e.lower), None if e.upper is None else _exact(e.upper)
    _require(high is None or low < high, "scope", f"[{low}, {high}] is not an interval")
    top, bottom = _function(e.terms), _function(e.denominator)
    rest = low
    if e.integers_to is not None:
        rest = max(low, _exact(e.integers_to))
        first = math.ceil(low)
        _require(high is None or first <= high, "scope", f"[{low}, {high}] holds no integer")
        stop = math.ceil(rest) if high is None or rest < high else math.floor(high) + 1
        _spend(max(0, stop - first))
        for n in map(Fraction, range(first, stop)):
            _require(_sign(_value(bottom, n)) > 0, "denominator", f"it is not above 0 at {n}")
            sign = _sign(_value(top, n))
            _require(sign >= e.strict, "integers", f"the sign at {n} is {sign}")
    if high is None or rest < high:
        _argue(bottom, rest, high, True, e.denominator_argument)
        _argue(top, rest, high, e.strict, e.argument)
    over = "" if bottom == _function(_ONE) else f" over {_words(bottom)}"
    scope = _scope(low, high, e.integers_to is not None)
    return "proved", f"{_words(top)}{over} {'>' if e.strict else '≥'} 0 for {scope}", ()


def _multivariate_sign(e: MultivariateSign, _: _Reference) -> _Found:
    lower = [_exact(v) for v in e.lower]
    terms = [(_exact(c), tuple(map(_power, powers))) for c, powers in e.terms]
    ragged = any(len(powers) != len(lower) for _, powers in terms)
    ragged = ragged or (e.upper is not None and len(e.upper) != len(lower))
    _require(not ragged, "multivariate-sign", "terms and bounds differ in the number of variables")
    _require(lower != [], "scope", "there is no variable")
    text = " + ".join(f"{c}·x^{powers}" for c, powers in terms) or "0"
    claim = f"{text} {'>' if e.strict else '≥'} 0 for"
    if e.upper is not None:
        corner = list(map(math.ceil, lower))
        sides = [b - a + 1 for a, b in zip(corner, e.upper, strict=True)]
        _require(min(sides) > 0, "scope", f"no integers x from {e.lower} to {e.upper}")
        _spend(math.prod(sides))
        for x in product(*(range(a, a + side) for a, side in zip(corner, sides, strict=True))):
            v = _total(_product(c, map(pow, x, powers)) for c, powers in terms)
            _require(v >= 0 and (v > 0 or not e.strict), "multivariate-sign", f"{v} at {x}")
        return "verified", f"{claim} integers x from {_plain(e.lower)} to {_plain(e.upper)}", ()
    moved = {(0,) * len(lower): Fraction(0)}
    for c, powers in terms:
        for js in product(*(range(k + 1) for k in powers)):
            weights = (
                math.comb(k, j) * a ** (k - j) for k, j, a in zip(powers, js, lower, strict=True)
            )
            moved[js] = _total((moved.get(js, Fraction(0)), _product(c, weights)))
    below = [js for js, c in moved.items() if c < 0]
    _require(not below, "multivariate-sign", f"at the corner, t^{below} have coefficients below 0")
    positive = moved[(0,) * len(lower)] > 0
    _require(positive or not e.strict, "multivariate-sign", "at the corner the constant is 0")
    return "proved", f"{claim} x ≥ {_plain(e.lower)}", ()


def bernstein(
    terms: Iterable[tuple[Number, tuple[int, ...]]],
    lower: tuple[Number, ...],
    upper: tuple[Number | None, ...],
) -> dict[tuple[int, ...], Fraction]:
    """Return the coefficients on a box, as ``BoxSign`` says; those of powers only if not 0."""
    exact: dict[tuple[int, ...], Fraction] = {}
    for c, powers in terms:
        exact[powers] = exact.get(powers, Fraction(0)) + c
    # As whole numbers over one divisor.
    over = math.lcm(*(c.denominator for c in exact.values()))
    result = {powers: int(c * over) for powers, c in exact.items()}
    for i, (low, high) in enumerate(zip(lower, upper, strict=True)):
        lines: dict[tuple[int, ...], dict[int, int]] = {}
        for powers, c in result.items():
            lines.setdefault(powers[:i] + powers[i + 1 :], {})[powers[i]] = c
        degree = max((max(line) for line in lines.values()), default=0)
        width = None if high is None else Fraction(high - low)
        exact_shares = {
            k: _shares(k, degree, Fraction(low), width) for k in set().union(*lines.values())
        }
        whole = math.lcm(*(share.denominator for row in exact_shares.values() for share in row))
        shares = {k: [int(share * whole) for share in row] for k, row in exact_shares.items()}
        over, result = over * whole, {}
        for rest, line in lines.items():
            for j in range(degree + 1):
                parts = [c * shares[k][j] for k, c in line.items()]
                _weigh(*parts)
                if sum(parts) or high is not None:
                    result[(*rest[:i], j, *rest[i:])] = sum(parts)
    return {powers: Fraction(c, over) for powers, c in result.items()}


def _shares(k: int, degree: int, low: Fraction, width: Fraction | None) -> list[Fraction]:
    """Return how much of x^k is in each coefficient: of powers of x − low, or of Bernstein's."""
    moved = [
        _product(Fraction(math.comb(k, j)), [low ** (k - j)]) if j <= k else Fraction(0)
        for j in range(degree + 1)
    ]
    if width is None:
        return moved
    scaled = [
        _product(c, [width**j, Fraction(1, math.comb(degree, j))]) for j, c in enumerate(moved)
    ]
    return [
        _total(_product(c, [math.comb(j, i)]) for i, c in enumerate(scaled[: j + 1]))
        for j in range(degree + 1)
    ]


def _on_box(
    e: BoxSign,
    lower: tuple[Fraction, ...],
    upper: tuple[Fraction | None, ...],
    cut: BoxSplit | None,
) -> None:
    _spend(1)
    if cut is not None:
        i, at = cut.variable, _exact(cut.at)
        _require(i in range(len(lower)), "box-sign", f"there is no variable {i}")
        high = upper[i]
        inside = lower[i] < at and (high is None or at < high)
        _require(inside, "box-sign", f"{at} does not cut variable {i}")
        _on_box(e, lower, (*upper[:i], at, *upper[i + 1 :]), cut.below)
        _on_box(e, (*lower[:i], at, *lower[i + 1 :]), upper, cut.above)
        return
    result = bernstein(e.terms, lower, upper)
    least = min(result.values(), default=Fraction(0))
    _require(least >= 0, "box-sign", f"a coefficient is {least} from {lower} to {upper}")
    if e.strict:
        open_ = [i for i, high in enumerate(upper) if high is None]
        degrees = [max((powers[i] for _, powers in e.terms), default=0) for i in range(len(upper))]
        ends = [range(1 if i in open_ else d + 1) for i, d in enumerate(degrees)]
        _spend(math.prod(map(len, ends)))
        inside = all(result.get(powers, Fraction(0)) > 0 for powers in product(*ends))
        _require(inside, "box-sign", f"it may be 0 from {lower} to {upper}")


def _box_sign(e: BoxSign, _: _Reference) -> _Found:
    lower = tuple(map(_exact, e.lower))
    upper = tuple(None if v is None else _exact(v) for v in e.upper)
    ragged = len(lower) != len(upper) or any(len(p) != len(lower) for _, p in e.terms)
    _require(not ragged, "box-sign", "terms and ends differ in the number of variables")
    _require(lower != (), "scope", "there is no variable")
    for _c, powers in e.terms:
        _spend(sum(map(_power, powers)) + 1)
    fine = all(high is None or low <= high for low, high in zip(lower, upper, strict=True))
    _require(fine, "scope", f"from {lower} to {upper} is no box")
    _on_box(e, lower, upper, e.splits)
    text = " + ".join(f"{c}·x^{powers}" for c, powers in e.terms) or "0"
    scope = f"from {_plain(e.lower)} to {_plain(e.upper)}"
    return "proved", f"{text} {'>' if e.strict else '≥'} 0 for x {scope}", ()


def _identity(e: Identity, _: _Reference) -> _Found:
    left, right = _function(e.left), _function(e.right)
    rest = _plus((1, left), (-1, right))
    _require(not rest, "identity", f"the difference is {_words(rest)}")
    return "proved", f"both expressions are {_words(left)}", ()


def _enclosure(e: Enclosure, _: _Reference) -> _Found:
    value, over = _sum(e.value), _sum(e.over)
    low, high = _exact(e.lower), _exact(e.upper)
    _require(_sign(over) > 0, "enclosure", "the denominator is not above 0")
    # For a logarithm the lower bound shows that the value is > 0: value ≥ e^lower·over.
    for bound, side in ((low, 1), (high, -1)):
        edge = (over, -1, bound) if e.logarithm else (over, -bound, 0)
        holds = _sign(_combine((value, 1, 0), edge)) * side >= 0
        _require(holds, "enclosure", f"the value lies on the wrong side of {bound}")
    ratio = f"({_show(value)})/({_show(over)})"
    return "proved", f"{low} ≤ {'ln ' * e.logarithm}{ratio} ≤ {high}", ()


def _function_range(e: FunctionRange, _: _Reference) -> _Found:
    rising = e.first is None or e.last is None or e.first <= e.last
    _require(rising, "scope", f"from {e.first} to {e.last} is no interval")
    low, high = function_range(e.name, e.first, e.last, e.bits)
    for bound, side, end in ((e.lower, 1, low), (e.upper, -1, high)):
        holds = bound is None or (end is not None and (end - _exact(bound)) * side >= 0)
        _require(holds, "function-range", f"the values are not known to keep {bound}")
    scope = _scope(e.first, e.last)
    return "proved", f"{e.name}(x) lies from {e.lower} to {e.upper} for {scope}", ()


def _integral(e: Integral, _: _Reference) -> _Found:
    _require(e.parts != (), "integral", "there is none")
    total: _Sum = {}
    words = []
    for lower, upper, factors, antiderivative in e.parts:
        whole, primitive = _function(_ONE), _function(antiderivative)
        for factor in factors:
            whole = _times(whole, _function(factor))
        rest = _plus((1, _derivative(primitive)), (-1, whole))
        _require(not rest, "integral", f"the antiderivative misses {_words(rest)}")
        rising = lower is None or upper is None or _exact(lower) <= _exact(upper)
        _require(rising, "integral", f"from {lower} to {upper} is not an interval")
        words.append(f"∫ {_words(whole)} for {_scope(lower, upper)}")
        total = _combine(
            (total, 1, 0), (_end(primitive, upper, 1), 1, 0), (_end(primitive, lower, -1), -1, 0)
        )
    missing = _combine((total, 1, 0), (_sum(e.value), -1, 0))
    _require(not missing, "integral", f"they differ from the value by {_show(missing)}")
    return "proved", f"{' + '.join(words)} = {_show(total)}", ()


def _line(data: Pieces) -> list[tuple[Fraction | None, Fraction | None, _Function]]:
    """Return pieces that cover the line and stay bounded at both of its ends; else refuse."""
    pieces = [
        (None if a is None else _exact(a), None if b is None else _exact(b), _function(f))
        for a, b, f in data
    ]
    inner = [a for a, _, _ in pieces[1:]]
    joined = bool(pieces) and pieces[0][0] is None is pieces[-1][1]
    joined = joined and inner == [b for _, b, _ in pieces[:-1]] and None not in inner
    joined = joined and all(a < b for a, b in pairwise(x for x in inner if x is not None))
    _require(joined, "pieces", "they do not cover the line once, from left to right")
    _end(pieces[0][2], None, -1), _end(pieces[-1][2], None, 1)
    return pieces


def _add_laplace(e: AddLaplace, _: _Reference) -> _Found:
    _require(len(e.scales) == len(e.after) > 0, "add-laplace", "one function after each noise")
    before = _line(e.before)
    for scale, data in zip(map(_exact, e.scales), e.after, strict=True):
        _require(scale > 0, "add-laplace", f"the scale {scale} is not above 0")
        after = _line(data)
        for a, b, u in after:
            wave = _plus((1, u), (-(scale**2), _derivative(_derivative(u))))
            _spend(len(before))
            for c, d, h in before:
                apart = (b is not None and c is not None and b <= c) or (
                    d is not None and a is not None and d <= a
                )
                holds = apart or not _plus((1, wave), (-1, h))
                _require(holds, "add-laplace", f"u − b²·u″ ≠ h for {_scope(a, b)}")
        for (b, u), (_b, v) in pairwise((right, f) for _left, right, f in after):
            for f, g in ((u, v), (_derivative(u), _derivative(v))):
                smooth = b is not None and _value(f, b) == _value(g, b)
                _require(smooth, "add-laplace", f"u or u′ jumps at {b}")
        before = after
    start, end = (
        "; ".join(f"{_words(f)} for {_scope(a, b)}" for a, b, f in line)
        for line in (_line(e.before), before)
    )
    noise = ", ".join(map(str, e.scales))
    return "proved", f"({start}) under Laplace noise of scales {noise} has the mean ({end})", ()


def _terms(row: Row) -> dict[str, Fraction]:
    total: dict[str, Fraction] = {}
    for name, c in row[0]:
        total[name] = _total((total.get(name, Fraction(0)), _exact(c)))
    return {name: c for name, c in total.items() if c}


def _row(row: Row) -> str:
    parts = [f"{c}·{name}" for name, c in sorted(_terms(row).items())]
    return f"{' + '.join([*parts, str(_exact(row[1]))])} {'>' if row[2] else '≥'} 0"


def _linear_consequence(e: LinearConsequence, _: _Reference) -> _Found:
    fits = len(e.multipliers) == len(e.hypotheses)
    _require(fits, "linear-consequence", "each hypothesis needs one multiplier")
    weights = [_exact(w) for w in e.multipliers]
    _require(min(weights, default=0) >= 0, "linear-consequence", "a multiplier is below 0")
    taken = [(w, row) for w, row in zip(weights, e.hypotheses, strict=True) if w]
    terms = tuple((x, _product(c, [w])) for w, row in taken for x, c in _terms(row).items())
    added = _terms((terms, 0, False))
    _require(added == _terms(e.goal), "linear-consequence", f"they add up to the terms {added}")
    constant = _total(_product(_exact(row[1]), [w]) for w, row in taken)
    rest = _exact(e.goal[1]) - constant
    sharp = rest > 0 or not e.goal[2] or any(row[2] for _, row in taken)
    _require(rest >= 0 and sharp, "linear-consequence", f"they add up to the constant {constant}")
    given = "; ".join(map(_row, e.hypotheses)) or "nothing"
    return "proved", f"({_row(e.goal)}) follows from: {given}", ()


def _recount(e: Recount, _: _Reference) -> _Found:
    values = [_exact(v) for _, v in e.rows]
    labels = len({label for label, _ in e.rows})
    is_whole = labels == len(values) == e.expected_rows
    _require(
        is_whole, "recount", f"{labels} labels, {len(values)} rows, {e.expected_rows} expected"
    )
    kinds: dict[str, Callable[[list[Fraction]], Number]]
    kinds = {"sum": _total, "maximum": max, "minimum": min, "count": len}
    _require(values != [], "recount", "there are no rows")
    result = kinds[e.operation](values)
    _require(result == _exact(e.claimed), "recount", f"the {e.operation} is {result}")
    text = f"the {e.operation} over {e.scope} ({e.expected_rows} rows) is {result}"
    return "verified", text, (f"the table being that of {e.scope}",)


def _point(e: PointCounterexample, _: _Reference) -> _Found:
    x = _exact(e.at)
    inside = (e.lower is None or _exact(e.lower) <= x) and (e.upper is None or x <= _exact(e.upper))
    inside = inside and not (e.integers and x.denominator != 1)
    _require(inside, "point-counterexample", f"{x} is outside the scope")
    f = _function(e.terms)
    sign = _sign(_value(f, x))
    holds = {"≥ 0": sign >= 0, "> 0": sign > 0, "= 0": sign == 0}[e.claim]
    _require(not holds, "point-counterexample", f"the claim holds at {x}")
    scope = _scope(e.lower, e.upper, e.integers)
    return "refuted", f"{_words(f)} {e.claim} for all {scope}: not at x = {x}", ()


def _neighbors(d: tuple[Any, ...], d_prime: tuple[Any, ...], relation: str | Number) -> str:
    # By their texts, which differ where a reference can tell records apart: True and 1 are equal.
    texts = tuple(map(repr, d)), tuple(map(repr, d_prime))
    if relation == "replace-one":
        holds = len(d) == len(d_prime) and sum(a != b for a, b in zip(*texts, strict=True)) == 1
    elif relation == "add-or-remove-one":
        short, long = map(Counter, sorted(texts, key=len))
        holds = short <= long and (long - short).total() == 1
    else:
        width = _exact(relation)
        holds = len(d) == len(d_prime) and d != d_prime
        holds = holds and all(
            abs(_exact(a) - _exact(b)) <= width for a, b in zip(d, d_prime, strict=True)
        )
    words = f"D = {_plain(d)}, D′ = {_plain(d_prime)}"
    _require(holds, "neighbors", f"{words} are not {relation} neighbors")
    return f"{words} ({relation})"


def _replay(
    d: tuple[Any, ...], d_prime: tuple[Any, ...], values: tuple[Any, Any], reference: _Reference
) -> tuple[_Sum, _Sum, tuple[str, ...]]:
    sums = _sum(values[0]), _sum(values[1])
    for data, stated in zip((d, d_prime), sums, strict=True):
        name, answer = _answer(reference, data, Number | Sum)
        result = _sum(answer)
        _require(result == stated, "replay", f"{name} gives {_show(result)} on {data}")
    return *sums, (f"the reference function {name}",)


def _answer(reference: _Reference, data: tuple[Any, ...], kind: Any) -> tuple[str, Any]:
    """Return the name of the reference function, and what it gives on the data."""
    if reference is None:
        raise KernelRefusal("reference", "a replay needs the reference function")
    # It has a copy of its own, and its own work is not counted.
    token = _LEFT.set(None)
    try:
        answer = _read(reference(_read(data, Any)), kind)
    finally:
        _LEFT.reset(token)
    return f"{reference.__module__}.{reference.__qualname__}", answer


def _change(e: ChangeCounterexample, reference: _Reference) -> _Found:
    pair = _neighbors(e.d, e.d_prime, e.relation)
    v, w, rests = _replay(e.d, e.d_prime, e.values, reference)
    bound, one = _exact(e.claimed), {Fraction(0): Fraction(1)}
    _require(bound >= 0, "change", f"no change is at most {bound}")
    _require(not e.logarithm or _sign(v) > 0 < _sign(w), "change", "a logarithm is not defined")
    factor, step = (bound, Fraction(0)) if e.logarithm else (Fraction(0), bound)
    beyond = [_combine((b, 1, 0), (a, -1, factor), (one, -step, 0)) for a, b in ((v, w), (w, v))]
    _require(max(map(_sign, beyond)) > 0, "change", f"the change does not exceed {bound}")
    values = " and ".join(f"{'ln ' * e.logarithm}({_show(u)})" for u in (v, w))
    return "refuted", f"a change of at most {bound}: {pair}, values {values}", rests


def _privacy(e: PrivacyCounterexample, reference: _Reference) -> _Found:
    pair = _neighbors(e.d, e.d_prime, e.relation)
    p, p_prime, rests = _replay(e.d, e.d_prime, e.probabilities, reference)
    epsilon, delta, one = _exact(e.epsilon), _exact(e.delta), {Fraction(0): Fraction(1)}
    _require(epsilon >= 0 <= delta, "privacy", "ε and δ must not be below 0")
    for chance in (p, p_prime):
        fine = _sign(chance) >= 0 <= _sign(_combine((one, 1, 0), (chance, -1, 0)))
        _require(fine, "probability", f"{_show(chance)} lies outside [0, 1]")
    excess = _combine((p, 1, 0), (p_prime, -1, epsilon), (one, -delta, 0))
    _require(_sign(excess) > 0, "privacy", f"({epsilon}, {delta}) holds for this event")
    chances = f"Pr[S | D] = {_show(p)}, Pr[S | D′] = {_show(p_prime)}"
    text = f"({epsilon}, {delta})-differential privacy: {pair}, S = {e.event}, {chances}"
    return "refuted", text, rests


def _repeated(e: RepeatedEvent, reference: _Reference) -> _Found:
    pair = _neighbors(e.period[0], e.period[1], e.relation)
    if e.before[0] != e.before[1]:
        _neighbors(e.before[0], e.before[1], e.relation)
    name, answer = _answer(reference, (e.before, e.period, e.drift), tuple[Sum, ...])
    sums = [_sum(chance) for chance in e.chances]
    _require(sums == [_sum(chance) for chance in answer], "replay", f"{name} gives other chances")
    _require(len(sums) > 3 and e.periods > 0, "repeated", "a chance or a period is missing")
    for chance in (*sums[:2], *sums[3:]):
        fine = (
            _sign(chance)
            >= 0
            <= _sign(_combine(({Fraction(0): Fraction(1)}, 1, 0), (chance, -1, 0)))
        )
        _require(fine, "probability", f"{_show(chance)} lies outside [0, 1]")
    least = [_ln(_enclose(chance, 128)[0], 128)[0] for chance in sums[:2]]
    most = [_enclose(chance, 128)[1] for chance in sums[2:]]
    at = max(range(1, len(most)), key=lambda k: most[k])
    slope = least[1] - _ln(most[at], 128)[1]
    _require(slope > 0, "repeated", "a period is not more likely on D than on D′")
    loss = least[0] - _ln(most[0], 128)[1] + e.periods * slope
    _require(loss > _exact(e.epsilon), "repeated", f"{e.epsilon} holds with m = {e.periods}")
    low, high = (f"({_show(u)})·({_show(v)})^m" for u, v in (sums[:2], (sums[2], sums[2 + at])))
    return (
        "refuted",
        f"ε-differential privacy for every ε: {pair}, each time {_exact(e.drift)} higher, "
        f"S_m = {e.event}, Pr[S_m | D] ≥ {low}, Pr[S_m | D′] ≤ {high}; {e.epsilon} with m = "
        f"{e.periods}",
        (f"the reference function {name}",),
    )


_RULES: dict[type, tuple[str, Callable[[Any, _Reference], _Found]]] = {
    ExpressionSign: ("expression-sign", _expression_sign),
    MultivariateSign: ("multivariate-sign", _multivariate_sign),
    BoxSign: ("box-sign", _box_sign),
    Identity: ("identity", _identity),
    Enclosure: ("enclosure", _enclosure),
    FunctionRange: ("function-range", _function_range),
    Integral: ("integral", _integral),
    AddLaplace: ("add-laplace", _add_laplace),
    LinearConsequence: ("linear-consequence", _linear_consequence),
    Recount: ("recount", _recount),
    PointCounterexample: ("point-counterexample", _point),
    ChangeCounterexample: ("change", _change),
    PrivacyCounterexample: ("privacy", _privacy),
    RepeatedEvent: ("repeated", _repeated),
}


def check(evidence: Any, reference: Callable[[Any], Any] | None = None) -> Checked:
    """Check one certificate or counterexample; return the finding, or raise ``KernelRefusal``.

    reference: for ``ChangeCounterexample`` and ``PrivacyCounterexample`` only, the exact function
        of a dataset whose values or probabilities are replayed; it returns an int, a ``Fraction``
        or a sum. It is not trusted silently: the finding names it in ``assumptions``.
    """
    kind = next((kind for kind in _RULES if kind is type(evidence)), None)
    if kind is None:
        raise KernelRefusal("evidence", "it is of no kind that a rule is for")
    rule, decide = _RULES[kind]
    token = _LEFT.set([MOST_WORK])
    try:
        copy = _read(evidence, kind)
        verdict, statement, assumptions = decide(copy, reference)
    except KernelRefusal:
        raise
    except Exception as error:
        # Malformed data are refused too; a crash is never a pass.
        raise KernelRefusal("malformed", f"a {type(error).__name__} came of it") from error
    finally:
        _LEFT.reset(token)
    return Checked(verdict, rule, statement, assumptions, copy, _TOKEN)
