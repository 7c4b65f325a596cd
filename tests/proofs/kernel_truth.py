"""Whether what the kernel found is so, decided without it: by points, numbers and quadrature."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice, pairwise, product
from typing import Any

from mpmath import mp, mpf

FLAGS = {"strict", "logarithm", "integers"}
PLAIN = (type(None), bool, int, Fraction, str)
POINTS = [Fraction(n, 7) for n in range(-20, 31, 5)]


def is_plain(value: Any) -> bool:
    """Return whether all of the evidence is made of exactly Python's own types."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = vars(value)
        return all(type(fields[name]) is bool for name in FLAGS & fields.keys()) and all(
            map(is_plain, fields.values())
        )
    if type(value) is tuple:
        return all(map(is_plain, value))
    if type(value) is Fraction:
        exact = type(value.numerator) is int is type(value.denominator)
        return exact and Fraction(value.numerator, value.denominator) == value
    return type(value) in PLAIN


def is_true(finding: Any, reference: Callable[[Any], Any] | None = None) -> bool:
    """Return whether no point, number or integral that is tried speaks against the finding."""
    with mp.workdps(50):
        return _TRUE[type(finding.evidence).__name__](finding.evidence, reference)


def _value(terms: Any, x: Any) -> Any:
    """Return Σ c·e^q·x^k·e^(a·x), or an exact 0 where it is nothing beside its terms."""
    parts = [_mp(c) * _mp(x) ** k * mp.exp(_mp(q) + _mp(a) * _mp(x)) for c, q, k, a in terms]
    total = mp.fsum(parts)
    return mpf(0) if abs(total) < mpf(10) ** -40 * mp.fsum(map(abs, parts)) else total


def _mp(value: Any) -> Any:
    return mpf(value.numerator) / value.denominator


def _sum(data: Any) -> Any:
    terms = data if isinstance(data, tuple) else ((0, data),)
    return _value([(c, q, 0, 0) for q, c in terms], 0)


def _grid(low: Any, high: Any) -> list[Fraction]:
    high = low + 40 if high is None else high
    return [low + (high - low) * Fraction(i, 24) for i in range(25)]


def _expression_sign(e: Any, _: Any) -> bool:
    if e.upper is not None and not e.lower < e.upper:
        return False
    points: Any = _grid(e.lower, e.upper)
    if e.integers_to is not None:
        first = math.ceil(e.lower)
        last = first + 60 if e.upper is None else min(math.floor(e.upper), first + 60)
        points = range(first, last + 1)
    signs = [(_value(e.denominator, x), _value(e.terms, x)) for x in points]
    good = all(under > 0 and (over > 0 if e.strict else over >= 0) for under, over in signs)
    return bool(signs) and good


def _multivariate_sign(e: Any, _: Any) -> bool:
    if e.upper is None:
        steps = (0, Fraction(1, 3), 1, 7)
        points: Any = product(*([low + t for t in steps] for low in e.lower))
    else:
        sides = zip(e.lower, e.upper, strict=True)
        points = product(*(range(math.ceil(low), high + 1) for low, high in sides))
    values = [
        sum(
            c * math.prod(x**k for x, k in zip(point, powers, strict=True)) for c, powers in e.terms
        )
        for point in islice(points, 3000)
    ]
    least = min(values, default=-1)
    return e.lower != () and (least > 0 if e.strict else least >= 0)


def _box_sign(e: Any, _: Any) -> bool:
    sides = []
    for low, high in zip(e.lower, e.upper, strict=True):
        if high is not None and not low <= high:
            return False
        steps = (0, Fraction(1, 7), Fraction(1, 3), Fraction(1, 2), Fraction(3, 4), 1)
        more = (5, 40) if high is None else ()
        width = 1 if high is None else high - low
        sides.append([low + width * t for t in (*steps, *more)])
    values = [
        sum(c * math.prod(map(pow, point, powers)) for c, powers in e.terms)
        for point in islice(product(*sides), 4000)
    ]
    least = min(values, default=-1)
    return e.lower != () and (least > 0 if e.strict else least >= 0)


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "exp": mp.exp,
    "ln": mp.log,
    "sqrt": mp.sqrt,
    "sin": mp.sin,
    "cos": mp.cos,
    "arctan": mp.atan,
    "normal": mp.ncdf,
}


def _function_range(e: Any, _: Any) -> bool:
    first = -40 if e.first is None else e.first
    last = first + 90 if e.last is None else e.last
    if first > last:
        return False
    points = [first + (last - first) * Fraction(k, 60) for k in range(61)]
    least = {"ln": Fraction(1, 10**90), "sqrt": Fraction(0)}.get(e.name)
    points = points if least is None else [max(x, least) for x in points]
    values = [FUNCTIONS[e.name](_mp(x)) for x in points]
    slack = mpf(10) ** -40
    low = e.lower is None or min(values) >= _mp(e.lower) - slack
    return low and (e.upper is None or max(values) <= _mp(e.upper) + slack)


def _identity(e: Any, _: Any) -> bool:
    minus = tuple((-c, q, k, a) for c, q, k, a in e.right)
    return all(_value((*e.left, *minus), x) == 0 for x in POINTS)


def _enclosure(e: Any, _: Any) -> bool:
    over, value = _sum(e.over), _sum(e.value)
    if over <= 0 or (e.logarithm and value <= 0):
        return False
    value = mp.log(value / over) if e.logarithm else value / over
    slack = mpf(10) ** -40 * (1 + abs(value))
    return _mp(e.lower) - slack <= value <= _mp(e.upper) + slack


def _quadrature(f: Callable[[Any], Any], ends: list[Any]) -> Any:
    with mp.workdps(25):
        return mp.quad(f, ends)


def _integral(e: Any, _: Any) -> bool:
    total = mpf(0)
    for lower, upper, factors, _antiderivative in e.parts:
        low, high = (
            -mp.inf if lower is None else _mp(lower),
            mp.inf if upper is None else _mp(upper),
        )
        if low > high:
            return False
        total += _quadrature(
            lambda x, factors=factors: mp.fprod(_raw(terms, x) for terms in factors), [low, high]
        )
    return bool(e.parts) and abs(total - _sum(e.value)) < mpf(10) ** -12 * (1 + abs(total))


def _raw(terms: Any, x: Any) -> Any:
    return mp.fsum(_mp(c) * x**k * mp.exp(_mp(q) + _mp(a) * x) for c, q, k, a in terms)


def _at(pieces: Any, x: Any) -> Any:
    for _low, high, terms in pieces:
        if high is None or x < _mp(high):
            return _raw(terms, x)
    raise AssertionError("the pieces end")


def _add_laplace(e: Any, _: Any) -> bool:
    before = e.before
    if not e.scales or len(e.scales) != len(e.after) or min(e.scales) <= 0:
        return False
    for scale, after in zip(map(_mp, e.scales), e.after, strict=True):
        for t in map(mpf, ("-3.1", "-0.3", "0.6", "1.9")):
            jumps = sorted({mpf(0), *(t - _mp(high) for _, high, _ in before[:-1])})

            def mean(z: Any, before: Any = before, t: Any = t, scale: Any = scale) -> Any:
                return _at(before, t - z) * mp.exp(-abs(z) / scale) / (2 * scale)

            ends = [-mp.inf, *jumps, mp.inf]
            found = mp.fsum(_quadrature(mean, list(pair)) for pair in pairwise(ends))
            if abs(found - _at(after, t)) > mpf(10) ** -8:
                return False
        before = after
    return True


def _linear_consequence(e: Any, _: Any) -> bool:
    if len(e.hypotheses) != len(e.multipliers):
        return False
    names = sorted({name for terms, _, _ in (*e.hypotheses, e.goal) for name, _ in terms})

    def holds(row: Any, at: dict[str, Fraction]) -> bool:
        value = sum(c * at[name] for name, c in row[0]) + row[1]
        return bool(value > 0 if row[2] else value >= 0)

    points = [Fraction(n, 4) for n in (-40, -6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 40)]
    for values in islice(product(points, repeat=len(names)), 3000):
        at = dict(zip(names, values, strict=True))
        if all(holds(row, at) for row in e.hypotheses) and not holds(e.goal, at):
            return False
    return True


def _recount(e: Any, _: Any) -> bool:
    values = [value for _, value in e.rows]
    labels = [label for label, _ in e.rows]
    if not values or len(set(labels)) != len(labels) or len(labels) != e.expected_rows:
        return False
    found = {"sum": sum, "maximum": max, "minimum": min, "count": len}[e.operation](values)
    return found == e.claimed


def _point(e: Any, _: Any) -> bool:
    inside = (e.lower is None or e.lower <= e.at) and (e.upper is None or e.at <= e.upper)
    value = _value(e.terms, e.at)
    fails = {"≥ 0": value < 0, "> 0": value <= 0, "= 0": value != 0}[e.claim]
    return fails and inside and (not e.integers or e.at == int(e.at))


def _neighbors(d: Any, d_prime: Any, relation: Any) -> bool:
    one, two = ([_typed(record) for record in data] for data in (d, d_prime))
    if relation == "replace-one":
        return len(one) == len(two) and sum(map(lambda a, b: a != b, one, two)) == 1
    if relation == "add-or-remove-one":
        short, long = sorted((one, two), key=len)
        for record in short:
            if record not in long:
                return False
            long.remove(record)
        return len(long) == 1
    if isinstance(relation, str) or len(d) != len(d_prime) or d == d_prime:
        return False
    return all(abs(a - b) <= relation for a, b in zip(d, d_prime, strict=True))


def _typed(record: Any) -> Any:
    parts = list(map(_typed, record)) if isinstance(record, tuple) else record
    return [type(record).__name__, parts]


def _replayed(e: Any, values: Any, reference: Any) -> Iterator[Any]:
    for data, stated in zip((e.d, e.d_prime), values, strict=True):
        found = _sum(reference(data))
        assert abs(found - _sum(stated)) < mpf(10) ** -30, "the values are not the reference's"
        yield found


def _change(e: Any, reference: Any) -> bool:
    one, two = _replayed(e, e.values, reference)
    if e.logarithm and min(one, two) <= 0:
        return False
    change = abs(mp.log(one) - mp.log(two)) if e.logarithm else abs(one - two)
    beyond = change - _mp(e.claimed) > mpf(10) ** -30
    return beyond and e.claimed >= 0 and _neighbors(e.d, e.d_prime, e.relation)


def _privacy(e: Any, reference: Any) -> bool:
    one, two = _replayed(e, e.probabilities, reference)
    excess = one - mp.exp(_mp(e.epsilon)) * two - _mp(e.delta)
    fine = 0 <= min(one, two) <= max(one, two) <= 1 and min(e.epsilon, e.delta) >= 0
    return fine and excess > 0 and _neighbors(e.d, e.d_prime, e.relation)


def _repeated(e: Any, reference: Any) -> bool:
    found = [_sum(chance) for chance in e.chances]
    again = [_sum(chance) for chance in reference((e.before, e.period, e.drift))]
    same = len(found) == len(again) > 3
    same = same and all(abs(x - y) < mpf(10) ** -30 for x, y in zip(found, again, strict=True))
    start, p, factor, most = (*found[:3], max(found[3:]))
    fine = 0 < min(start, p) <= max(start, p) <= 1 and 0 <= min(found[3:]) <= most < p
    loss = mp.log(start) + e.periods * mp.log(p) - mp.log(factor) - e.periods * mp.log(most)
    moved = e.before[0] == e.before[1] or _neighbors(*e.before, e.relation)
    return same and fine and loss > _mp(e.epsilon) and moved and _neighbors(*e.period, e.relation)


_TRUE: dict[str, Callable[[Any, Any], bool]] = {
    "ExpressionSign": _expression_sign,
    "MultivariateSign": _multivariate_sign,
    "BoxSign": _box_sign,
    "Identity": _identity,
    "Enclosure": _enclosure,
    "FunctionRange": _function_range,
    "Integral": _integral,
    "AddLaplace": _add_laplace,
    "LinearConsequence": _linear_consequence,
    "Recount": _recount,
    "PointCounterexample": _point,
    "ChangeCounterexample": _change,
    "PrivacyCounterexample": _privacy,
    "RepeatedEvent": _repeated,
}
