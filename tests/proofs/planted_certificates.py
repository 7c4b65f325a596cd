"""280 false certificates, twenty of each rule of the kernel: none may be accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from provado.proofs.kernel import (
    AddLaplace,
    BoxSign,
    BoxSplit,
    ChangeCounterexample,
    Coefficients,
    Differentiate,
    Enclose,
    Enclosure,
    ExpressionSign,
    FunctionRange,
    Identity,
    Integral,
    LinearConsequence,
    MultivariateSign,
    PointCounterexample,
    PrivacyCounterexample,
    Recount,
    RepeatedEvent,
    Split,
)

F = Fraction
ONE, X, X2, GROWS, FALLS = (1, 0, 0, 0), (1, 0, 1, 0), (1, 0, 2, 0), (1, 0, 0, 1), (1, 0, 0, -1)
BY_COEFFICIENTS = Coefficients()


class Planted(NamedTuple):
    """A false certificate: for which rule, what is false in it, and what a replay would call."""

    rule: str
    words: str
    evidence: Any
    reference: Callable[[Any], Any] | None = None


def planted() -> tuple[Planted, ...]:
    """Return all of them, by rule."""
    return tuple(one for cases in _CASES for one in cases())


def times(c: Any, term: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the term with c times its coefficient."""
    return (c * term[0], *term[1:])


def _left(then: Any = BY_COEFFICIENTS, multiply: Any = 0) -> Differentiate:
    return Differentiate(multiply, "left", then)


def _right(then: Any = BY_COEFFICIENTS, multiply: Any = 0) -> Differentiate:
    return Differentiate(multiply, "right", then)


def _expression_signs() -> Iterator[Planted]:
    minus = times(-1, ONE)
    square = (X2, times(-3, X), times(2, ONE))  # (x − 1)(x − 2)
    for words, evidence in {
        "x − 1 is below 0 at 0": ExpressionSign((X, minus), 0, BY_COEFFICIENTS),
        "1 − x is below 0 at 2": ExpressionSign((ONE, times(-1, X)), 0, BY_COEFFICIENTS, 2),
        "x is not above 0 at 0": ExpressionSign((X,), 0, BY_COEFFICIENTS, 1, True),
        "x·e^x is not above 0 at 0": ExpressionSign(
            ((1, 0, 1, 1),), 0, BY_COEFFICIENTS, None, True
        ),
        "x² − x is below 0 within [0, 2]": ExpressionSign(
            (X2, times(-1, X)), 0, BY_COEFFICIENTS, 2
        ),
        "1/e − 1/e² is below 1/4": ExpressionSign(
            ((1, -1, 0, 0), (-1, -2, 0, 0), (F(-1, 4), 0, 0, 0)), 0, BY_COEFFICIENTS
        ),
        "−x is below 0 at 1": ExpressionSign((times(-1, X),), -1, Enclose(), 1),
        "−1 − x is below 0 on (−1, 0]": ExpressionSign((minus, times(-1, X)), -1, Enclose(), 0),
        "e^x − 2 − x is below 0 at 0": ExpressionSign(
            (GROWS, times(-2, ONE), times(-1, X)), 0, _left()
        ),
        "e^x − 1 − x is 0 at 0": ExpressionSign(
            (GROWS, minus, times(-1, X)), 0, _left(_left()), None, True
        ),
        "2 − x falls below 0": ExpressionSign((times(2, ONE), times(-1, X)), 0, _left()),
        "−e^(−x) rises to its limit 0": ExpressionSign((times(-1, FALLS),), 0, _right()),
        "−1, at no integer": ExpressionSign((minus,), F(1, 3), None, F(2, 3), integers_to=1),
        "−1 > 0 by a flag of −1": ExpressionSign((minus,), 0, None, 3, -1, 4),
        "(n − 1)(n − 2) is 0 at 1": ExpressionSign(square, 0, BY_COEFFICIENTS, None, True, 3),
        "1/2 − n is below 0 at 1": ExpressionSign(
            (times(F(1, 2), ONE), times(-1, X)), 0, None, 1, False, 1
        ),
        "1/x at 0": ExpressionSign((ONE,), 0, BY_COEFFICIENTS, denominator=(X,)),
        "1/(n − 1) is below 0 at 0": ExpressionSign((ONE,), 0, None, 3, False, 4, (X, minus)),
        "(x − 1)(x − 2) is below 0 between 1 and 2": ExpressionSign(
            square, 0, Split((1, 2), (BY_COEFFICIENTS,) * 3), 3
        ),
        "1 − x on the part of [0, 2] that has no argument": ExpressionSign(
            (ONE, times(-1, X)), 0, Split((1,), (BY_COEFFICIENTS,)), 2
        ),
    }.items():
        yield Planted("expression-sign", words, evidence)


def _multivariate_signs() -> Iterator[Planted]:
    corner = ((1, (1, 1)), (-1, (1, 0)), (-1, (0, 1)))
    for words, evidence in {
        "xy − x − y is −1 at (1, 1)": MultivariateSign(corner, (1, 1)),
        "xy − x − y is −1 in the box": MultivariateSign(corner, (1, 1), (4, 4)),
        "xy is 0 at (0, 0)": MultivariateSign(((1, (1, 1)),), (0, 0), None, True),
        "x is 0 in the box": MultivariateSign(((1, (1,)),), (0,), (5,), True),
        "(x − 1)(x − 3) is −1 at 2": MultivariateSign(((1, (2,)), (-4, (1,)), (3, (0,))), (0,)),
        "(x − 1)(x − 3) is −1 in the box": MultivariateSign(
            ((1, (2,)), (-4, (1,)), (3, (0,))), (0,), (5,)
        ),
        "−1 at a power below 0": MultivariateSign(((1, (0,)), (-5, (-1,))), (1,)),
        "−1 over an empty box": MultivariateSign(((-1, (0,)),), (3,), (2,)),
        "−1 over a box with two empty sides": MultivariateSign(((-1, (0, 0)),), (3, 3), (1, 1)),
        "−1 without a variable": MultivariateSign(((-1, ()),), ()),
        "−1 > 0 by a flag of −1": MultivariateSign(((-1, (0,)),), (0,), None, -1),
        "0 > 0": MultivariateSign((), (0,), None, True),
        "0 > 0 in a box": MultivariateSign((), (0,), (1,), True),
        "x below its corner −1": MultivariateSign(((1, (1,)),), (-1,)),
        "x at the fractional corner −1/2": MultivariateSign(((1, (1,)),), (F(-1, 2),)),
        "x³ is below 0 left of 0": MultivariateSign(((1, (3,)),), (-2,), (2,)),
        "xyz − 1 at the corner": MultivariateSign(((1, (1, 1, 1)), (-1, (0, 0, 0))), (1, 1, 0)),
        "5 − x at the last side": MultivariateSign(((5, (0, 0)), (-1, (0, 1))), (0, 0), (3, 6)),
        "5 − x without an end": MultivariateSign(((5, (0,)), (-1, (1,))), (0,)),
        "x² − 2xy + y² − 1 on the diagonal": MultivariateSign(
            ((1, (2, 0)), (-2, (1, 1)), (1, (0, 2)), (-1, (0, 0))), (0, 0)
        ),
    }.items():
        yield Planted("multivariate-sign", words, evidence)


def _box_signs() -> Iterator[Planted]:
    square, half = ((1, (2,)), (-1, (1,)), (F(1, 4), (0,))), F(1, 2)
    edge = ((1, (1,)), (-1, (0,)))
    for words, evidence in {
        "x − 1 is −1 at 0": BoxSign(edge, (0,), (2,)),
        "x − 1 left of 1, without an end": BoxSign(edge, (0,), (None,)),
        "x − 1 left of the cut": BoxSign(edge, (0,), (2,), BoxSplit(0, 1)),
        "x − 1 right of a cut that is too low": BoxSign(
            edge, (F(3, 4),), (2,), BoxSplit(0, F(7, 8))
        ),
        "(x − 1/2)² > 0 at 1/2": BoxSign(square, (0,), (1,), BoxSplit(0, half), True),
        "(x − 1/2)² − 1/100 at 1/2": BoxSign(
            (*square, (F(-1, 100), (0,))), (0,), (1,), BoxSplit(0, half)
        ),
        "−1 without a variable": BoxSign(((-1, ()),), (), ()),
        "−1 over an empty box": BoxSign(((-1, (0,)),), (1,), (0,)),
        "−1 at a power below 0": BoxSign(((1, (0,)), (-5, (-1,))), (1,), (2,)),
        "1 − x without an end": BoxSign(((1, (0,)), (-1, (1,))), (0,), (None,)),
        "1 − x beyond the cut": BoxSign(((1, (0,)), (-1, (1,))), (0,), (None,), BoxSplit(0, 1)),
        "x > 0 at 0": BoxSign(((1, (1,)),), (0,), (1,), None, True),
        "x > 0 at 0, without an end": BoxSign(((1, (1,)),), (0,), (None,), None, True),
        "xy > 0 at (0, 0)": BoxSign(((1, (1, 1)),), (0, 0), (1, None), None, True),
        "−x > 0 at 0": BoxSign(((-1, (1, 0)),), (-1, 0), (0, None), None, True),
        "0 > 0": BoxSign((), (0,), (1,), None, True),
        "xy − x − y is −1 at (1, 1)": BoxSign(
            ((1, (1, 1)), (-1, (1, 0)), (-1, (0, 1))), (1, 1), (3, 3)
        ),
        "x³ is below 0 left of 0": BoxSign(((1, (3,)),), (-1,), (1,), BoxSplit(0, 0)),
        "−1 by a cut of a variable that is not there": BoxSign(
            ((-1, (0,)),), (0,), (1,), BoxSplit(1, half)
        ),
        "x − 1 by a cut at the lower end": BoxSign(edge, (0,), (2,), BoxSplit(0, 0)),
    }.items():
        yield Planted("box-sign", words, evidence)


def _function_ranges() -> Iterator[Planted]:
    tiny = F(1, 10**15)
    for words, *ends in [
        ("e ≤ 2.7", "exp", 0, 1, 1, F(27, 10)),
        ("e^x is bounded", "exp", 0, None, 1, 100),
        ("e^x lies from 1 to 3 from 1 to 0", "exp", 1, 0, 0, 3),
        ("ln x ≥ −100 next to 0", "ln", 0, 1, -100, 0),
        ("ln 2 ≤ 0.69", "ln", 1, 2, 0, F(69, 100)),
        ("√2 ≤ 1.4", "sqrt", 1, 2, 1, F(14, 10)),
        ("√2 ≥ 1.42", "sqrt", 2, 3, F(142, 100), 2),
        ("arctan x ≤ 1.57", "arctan", 0, None, 0, F(157, 100)),
        ("arctan x ≥ −1.57", "arctan", None, 0, F(-157, 100), 0),
        ("arctan 1 ≤ 0.78", "arctan", 0, 1, 0, F(78, 100)),
        ("sin x ≤ 0.99 beside π/2", "sin", 1, 2, F(84, 100), F(99, 100)),
        ("sin x ≥ −0.99 beside −π/2", "sin", -2, -1, F(-99, 100), 0),
        ("sin x ≤ 0.99 beside 5π/2", "sin", 7, 8, 0, F(99, 100)),
        ("cos x ≤ 0.99 beside 0", "cos", -1, 1, F(1, 2), F(99, 100)),
        ("cos x ≥ −0.99 beside π", "cos", 3, 4, F(-99, 100), 0),
        ("cos x ≤ 0.99 beside 2π", "cos", 6, 7, 0, F(99, 100)),
        ("Φ(1) ≤ 0.84", "normal", 0, 1, F(1, 2), F(84, 100)),
        ("Φ(−1) ≥ 0.16", "normal", -1, 1, F(16, 100), F(85, 100)),
        ("Φ > 0", "normal", None, 0, F(1, 100), F(1, 2)),
        ("Φ(−40) > 10^−15", "normal", -40, 0, tiny, F(1, 2)),
    ]:
        yield Planted("function-range", words, FunctionRange(*ends))


def _identities() -> Iterator[Planted]:
    tiny = F(1, 10**60)
    for words, left, right in [
        ("0 = 1", (), (ONE,)),
        ("x = 1", (X,), (ONE,)),
        ("x = x²", (X,), (X2,)),
        ("e^x = 1 + x", (GROWS,), (ONE, X)),
        ("e^x = e^(−x)", (GROWS,), (FALLS,)),
        ("e^2 = 2e", ((1, 2, 0, 0),), ((2, 1, 0, 0),)),
        ("e^x = e·e^x", (GROWS,), ((1, 1, 0, 1),)),
        ("e·x = e^x", ((1, 1, 1, 0),), (GROWS,)),
        ("x·e^x = e^x", ((1, 0, 1, 1),), (GROWS,)),
        ("1 = 1 + 10^(−60)", (ONE,), (times(1 + tiny, ONE),)),
        ("x = (1 + 10^(−60))·x", (X,), (times(1 + tiny, X),)),
        ("e = e^(1 + 10^(−60))", ((1, 1, 0, 0),), ((1, 1 + tiny, 0, 0),)),
        ("e^x = e^((1 + 10^(−60))·x)", (GROWS,), ((1, 0, 0, 1 + tiny),)),
        ("x + x = x²", (X, X), (X2,)),
        ("x − x = x", (X, times(-1, X)), (X,)),
        ("1 = −1", (ONE,), (times(-1, ONE),)),
        ("(x + 1)² = x² + 1", (X2, times(2, X), ONE), (X2, ONE)),
        ("e^x·e^x = 2e^x", ((1, 0, 0, 2),), (times(2, GROWS),)),
        ("x^(−1) = x^(−2)", ((1, 0, -1, 0),), ((1, 0, -2, 0),)),
        ("a term of three parts", ((1, 2, 0),), ()),
    ]:
        yield Planted("identity", words, Identity(left, right))


def _enclosures() -> Iterator[Planted]:
    e, one, two = ((1, 1),), ((0, 1),), ((0, 2),)
    for words, value, lower, upper, over, logarithm in [
        ("e is above 2.70", e, 2, F(27, 10), one, False),
        ("e is below 2.72", e, F(272, 100), 3, one, False),
        ("e is not −e", e, -3, -2, one, False),
        ("e is no point", e, F(2718, 1000), F(2718, 1000), one, False),
        ("bounds exchanged", e, 3, 2, one, False),
        ("1/e is above 0.36", ((-1, 1),), 0, F(36, 100), one, False),
        ("e² is above 7", ((2, 1),), 0, 7, one, False),
        ("1/2 is below 1", one, 1, 2, two, False),
        ("2/1 is above 1", two, 0, 1, one, False),
        ("1/−1 with the inequalities turned round", one, 1, -5, ((0, -1),), False),
        ("1/0", one, 0, 1, (), False),
        ("0/0", (), 0, 0, (), False),
        ("e − e under the line", one, 0, 1, ((1, 1), (1, -1)), False),
        ("ln 2 is above 0.69", two, 0, F(69, 100), one, True),
        ("ln 2 is below 0.7", two, F(7, 10), 1, one, True),
        ("ln of −2", ((0, -2),), -1, 1, one, True),
        ("ln of 0", (), -(10**3), 0, one, True),
        ("ln(1/2) is below 0", one, 0, 1, two, True),
        ("ln 2 by a flag of 7", two, 4, 5, one, 7),
        ("e is no e + 10^(−60)", e, 0, F(271828, 10**5), ((0, 1 + F(1, 10**60)),), False),
    ]:
        yield Planted("enclosure", words, Enclosure(value, lower, upper, over, logarithm))


def _integrals() -> Iterator[Planted]:
    half, third = (F(1, 2), 0, 2, 0), (F(1, 3), 0, 3, 0)
    for words, parts, value in [
        ("the antiderivative of x is not x", ((0, 1, ((X,),), (X,)),), ((0, 1),)),
        ("∫ x on [0, 1] is 1/2", ((0, 1, ((X,),), (half,)),), ((0, 1),)),
        ("∫ x² on [0, 1] is 1/3", ((0, 1, ((X,), (X,)), (third,)),), ((0, F(1, 2)),)),
        ("∫ 1 on [0, ∞) is none", ((0, None, ((ONE,),), (X,)),), ((0, 1),)),
        ("∫ e^x on [0, ∞) is none", ((0, None, ((GROWS,),), (GROWS,)),), ((0, -1),)),
        ("∫ e^(−x) on (−∞, 0] is none", ((None, 0, ((FALLS,),), (times(-1, FALLS),)),), ((0, -1),)),
        ("∫ 1 on the line is none", ((None, None, ((ONE,),), (X,)),), ()),
        ("∫ e^(−x) on [0, ∞) is 1", ((0, None, ((FALLS,),), (times(-1, FALLS),)),), ((0, -1),)),
        ("∫ e^(−x) on [0, ∞) is not 0", ((0, None, ((FALLS,),), (times(-1, FALLS),)),), ()),
        ("ends exchanged", ((1, 0, ((ONE,),), (X,)),), ((0, -1),)),
        ("no integral is not 0", (), ()),
        ("no integral is 1", (), ((0, 1),)),
        ("a factor left out", ((0, 1, ((X,), (times(2, ONE),)), (half,)),), ((0, F(1, 2)),)),
        ("a factor counted twice", ((0, 1, ((X,),), (third,)),), ((0, F(1, 3)),)),
        ("one part of two", ((0, 1, ((X,),), (half,)),), ((0, 2),)),
        (
            "two parts for one",
            ((0, 1, ((X,),), (half,)), (0, 1, ((X,),), (half,))),
            ((0, F(1, 2)),),
        ),
        ("parts that cancel", ((0, 1, ((X,),), (half,)), (1, 2, ((X,),), (half,))), ((0, 1),)),
        ("e − 1 is not e", ((0, 1, ((GROWS,),), (GROWS,)),), ((1, 1),)),
        ("e − 1 up to 10^(−60)", ((0, 1, ((GROWS,),), (GROWS,)),), ((1, 1), (0, F(1, 10**60) - 1))),
        ("a constant that is 0", ((0, 1, ((),), (ONE,)),), ((0, 1),)),
    ]:
        yield Planted("integral", words, Integral(parts, value))


STEP = ((None, 0, (ONE,)), (0, None, ()))
TAIL = ((None, 0, (ONE, times(F(-1, 2), GROWS))), (0, None, (times(F(1, 2), FALLS),)))


def two_laplace(c: Any = 2) -> tuple[Any, ...]:
    """Return t ↦ Pr[Z_1 + Z_2 > t] for scales 1, with c for the 2 in (2 + t)·e^(−t)/4."""
    left = (ONE, (F(-c, 4), 0, 0, 1), (F(1, 4), 0, 1, 1))
    return ((None, 0, left), (0, None, ((F(c, 4), 0, 0, -1), (F(1, 4), 0, 1, -1))))


def _tail(left: Any, right: Any) -> tuple[Any, ...]:
    return ((None, 0, left), (0, None, right))


def _laplace_sums() -> Iterator[Planted]:
    halved = _tail((ONE, (F(-1, 2), 0, 0, F(1, 2))), ((F(1, 2), 0, 0, F(-1, 2)),))  # scale 2
    for words, before, scales, after in [
        ("3 for the 2 of two noises", STEP, (1, 1), (TAIL, two_laplace(3))),
        ("scale 2 has another tail", STEP, (2,), (TAIL,)),
        ("scale 1 has another tail", STEP, (1,), (halved,)),
        ("two noises have another tail than one", STEP, (1, 1), (TAIL, TAIL)),
        ("the first step is wrong", STEP, (1, 1), (halved, two_laplace())),
        ("a tail that jumps", STEP, (1,), (_tail((ONE, times(-1, GROWS)), (FALLS,)),)),
        (
            "a tail whose slope jumps",
            STEP,
            (1,),
            (_tail((ONE, times(F(-1, 4), GROWS)), (times(F(3, 4), FALLS),)),),
        ),
        ("no noise changes nothing", STEP, (0,), (STEP,)),
        ("a scale below 0", STEP, (-1,), (TAIL,)),
        ("one function for two noises", STEP, (1, 1), (TAIL,)),
        ("two functions for one noise", STEP, (1,), (TAIL, two_laplace())),
        ("a gap before", ((None, 0, (ONE,)), (1, None, ())), (1,), (TAIL,)),
        ("an overlap before", ((None, 1, (ONE,)), (0, None, ())), (1,), (TAIL,)),
        ("half the line", STEP[1:], (1,), (TAIL,)),
        ("half the line after", STEP, (1,), (TAIL[:1],)),
        ("a tail without bound to the right", STEP, (1,), (_tail(TAIL[0][2], (FALLS, GROWS)),)),
        ("a tail without bound to the left", STEP, (1,), (_tail((ONE, FALLS), TAIL[1][2]),)),
        ("a start without bound", ((None, None, (GROWS,)),), (1,), (((None, None, ()),),)),
        ("x without bound", ((None, None, (X,)),), (1,), (((None, None, (X,)),),)),
        ("1 stays 1, not 2", ((None, None, (ONE,)),), (1,), (((None, None, (times(2, ONE),)),),)),
    ]:
        yield Planted("add-laplace", words, AddLaplace(before, scales, after))


def _consequences() -> Iterator[Planted]:
    x, y, none = (("x", 1),), (("y", 1),), ()
    rest = ((("x", 1), ("y", -1)), 0, False)  # x ≥ y
    for words, hypotheses, multipliers, goal in [
        ("x ≥ 0 does not give x ≥ 1", ((x, 0, False),), (1,), (x, -1, False)),
        ("x ≥ 0 does not give x > 0", ((x, 0, False),), (1,), (x, 0, True)),
        ("x ≥ 0 does not give −x ≥ 0", ((x, 0, False),), (-1,), ((("x", -1),), 0, False)),
        ("x ≥ 0 does not give y ≥ 0", ((x, 0, False),), (1,), (y, 0, False)),
        ("x ≥ 0 does not give 0 > 0", ((x, 0, False),), (1,), (none, 0, True)),
        ("nothing does not give 0 > 0", (), (), (none, 0, True)),
        ("nothing does not give −1 ≥ 0", (), (), (none, -1, False)),
        ("nothing does not give x ≥ 0", (), (), (x, 0, False)),
        ("x ≥ y and y ≥ 0 do not give x > 0", (rest, (y, 0, False)), (1, 1), (x, 0, True)),
        ("x ≥ y and y ≥ 0 do not give x ≥ 1", (rest, (y, 0, False)), (1, 1), (x, -1, False)),
        ("one multiplier for two", (rest, (y, 0, False)), (1,), (x, 0, False)),
        ("three multipliers for two", (rest, (y, 0, False)), (1, 1, 0), (x, 0, False)),
        ("half of what is needed", (rest, (y, 0, False)), (F(1, 2), 1), (x, 0, False)),
        ("a strict one that is not taken", ((x, 0, False), (x, 0, True)), (1, 0), (x, 0, True)),
        ("a strict one taken 0 times", ((y, 0, True), (x, 0, False)), (0, 1), (x, 0, True)),
        ("0 ≥ 0 does not give 0 > 0", ((none, 0, False),), (5,), (none, 0, True)),
        ("1 ≥ 0 does not give 0 > 0", ((none, 1, False),), (5,), (none, 0, True)),
        ("1 > 0 does not give −1 > 0", ((none, 1, True),), (1,), (none, -1, True)),
        ("x ≥ 0 twice is 2x ≥ 0", ((x, 0, False),) * 2, (1, 1), (x, 0, False)),
        ("a strict flag of 0", ((x, 0, 1),), (1,), (x, 0, True)),
    ]:
        evidence = LinearConsequence(hypotheses, multipliers, goal)
        yield Planted("linear-consequence", words, evidence)


def _recounts() -> Iterator[Planted]:
    rows = ((("a", 0), 1), (("b", 0), 4), (("c", 1), F(-1, 2)))
    for words, table, operation, claimed, expected in [
        ("the maximum is 4", rows, "maximum", 5, 3),
        ("the maximum is not the minimum", rows, "maximum", F(-1, 2), 3),
        ("the minimum is −1/2", rows, "minimum", 0, 3),
        ("the minimum is not the maximum", rows, "minimum", 4, 3),
        ("the sum is 9/2", rows, "sum", 5, 3),
        ("the sum is not the count", rows, "sum", 3, 3),
        ("there are 3", rows, "count", 4, 3),
        ("there are not 4", rows, "count", 4, 4),
        ("a row is missing", rows, "sum", F(9, 2), 4),
        ("a row too many", rows, "sum", F(9, 2), 2),
        ("a row twice", (*rows, rows[1]), "sum", F(17, 2), 4),
        ("a row twice, counted once", (*rows, rows[1]), "sum", F(17, 2), 3),
        ("a label twice, with two values", (*rows, (("a", 0), 9)), "maximum", 9, 4),
        ("a label twice, as True and 1", ((1, 5), (True, 7)), "maximum", 7, 2),
        ("a label twice, as 1 and 1/1", ((1, 5), (F(1), 7)), "maximum", 7, 2),
        ("labels that never equal themselves", ((float("nan"), 1),) * 2, "count", 2, 2),
        ("the largest of none", (), "maximum", 0, 0),
        ("none at all", (), "count", 0, 0),
        ("the sum of none", (), "sum", 0, 0),
        ("the mean is no operation", rows, "mean", F(3, 2), 3),
    ]:
        yield Planted("recount", words, Recount(table, operation, claimed, expected, "pairs"))


def _points() -> Iterator[Planted]:
    gap = ((1, 1, 0, 0), (F(-271828, 10**5), 0, 0, 0))  # e − 2.71828 > 0
    for words, terms, claim, at, scope in [
        ("1 ≥ 0", (X,), "≥ 0", 1, ()),
        ("0 ≥ 0", (X,), "≥ 0", 0, ()),
        ("1 > 0", (X,), "> 0", 1, ()),
        ("0 = 0", (X, times(-1, X)), "= 0", 7, ()),
        ("1 − 1 = 0", (X, times(-1, ONE)), "= 0", 1, ()),
        ("−1 lies left of the scope", (X,), "≥ 0", -1, (0,)),
        ("1 lies right of the scope", (times(-1, X),), "≥ 0", 1, (None, 0)),
        ("−1/2 is no integer", (X,), "≥ 0", F(-1, 2), (None, None, True)),
        ("1/2 is no integer of the scope", (X2, times(-1, X)), "≥ 0", F(1, 2), (0, 1, True)),
        ("an empty scope holds no point", (X,), "> 0", 0, (1, -1)),
        ("another empty scope", (X,), "> 0", 0, (F(1, 2), F(-1, 2))),
        ("a claim that is none", (X,), "≤ 0", 7, ()),
        ("a claim in other words", (X,), "< 0", 7, ()),
        ("e^1 − 2.71828 ≥ 0", gap, "≥ 0", 3, ()),
        ("e^1 − 2.71828 > 0", gap, "> 0", 3, ()),
        ("e^(−9) > 0", (FALLS,), "> 0", 9, ()),
        ("e^(−9) ≥ 0", (FALLS,), "≥ 0", 9, (0, 9)),
        ("the empty sum is 0", (), "= 0", 1, ()),
        ("a point that is no number", (X,), "≥ 0", None, ()),
        ("integers by a flag of 0", (X,), "≥ 0", F(-1, 2), (None, None, 0)),
    ]:
        evidence = PointCounterexample(terms, claim, at, *scope)
        yield Planted("point-counterexample", words, evidence)


def total(data: tuple[Any, ...]) -> Any:
    """Return the sum of a dataset: a reference function."""
    return sum(data)


def typed(data: tuple[Any, ...]) -> int:
    """Return how many records are no ints: a reference that tells True from 1."""
    return 10 * sum(type(record) is not int for record in data)


def _changes() -> Iterator[Planted]:
    good = ChangeCounterexample((1, 2), (1, 5), "replace-one", (3, 6), 2)
    mixed = ChangeCounterexample((1, 2), (True, F(5)), "replace-one", (0, 20), 15)
    logs = replace(good, logarithm=True, claimed=F(1, 2))
    for words, evidence, reference in [
        ("3 to 6 is a change of 3", replace(good, claimed=3), total),
        ("the sum is not 7", replace(good, values=(3, 7)), total),
        ("the sum is not 0", replace(good, values=(0, 6)), total),
        ("sums exchanged", replace(good, values=(6, 3)), total),
        ("two records differ", replace(good, d=(0, 3)), total),
        ("no record differs", replace(good, d_prime=(1, 2), values=(3, 3), claimed=0), total),
        ("none is added", replace(good, relation="add-or-remove-one"), total),
        (
            "two are added",
            replace(good, relation="add-or-remove-one", d_prime=(1, 2, 3, 4), values=(3, 10)),
            total,
        ),
        (
            "one is added, another replaced",
            replace(good, relation="add-or-remove-one", d_prime=(1, 3, 4), values=(3, 8)),
            total,
        ),
        ("one is added under replace-one", replace(good, d_prime=(1, 2, 9), values=(3, 12)), total),
        ("an answer moves by 3, not 2", replace(good, relation=2), total),
        (
            "no answer moves",
            replace(good, d_prime=(1, 2), relation=2, values=(3, 3), claimed=0),
            total,
        ),
        ("a relation that is none", replace(good, relation="replace-two"), total),
        ("two records differ, one as True and 1", mixed, typed),
        ("ln 6 − ln 3 is below 1", replace(logs, claimed=1), total),
        ("ln of 0", replace(logs, d=(1, -1), values=(0, 6)), total),
        ("ln of −1", replace(logs, d=(1, -2), values=(-1, 6)), total),
        (
            "a bound below 0 on no change",
            replace(good, d_prime=(1, 3), values=(3, 4), claimed=-1),
            total,
        ),
        ("no reference function", good, None),
        ("a reference in floating point", good, lambda data: float(sum(data))),
    ]:
        yield Planted("change", words, evidence, reference)


def first_wins(data: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return Pr[data[0] + Laplace(1) > 0] for data[0] ≤ 0: a reference function."""
    return ((data[0], F(1, 2)),)


def _privacy() -> Iterator[Planted]:
    half, less = ((0, F(1, 2)),), ((-2, F(1, 2)),)
    good = PrivacyCounterexample((0, 0), (-2, 0), 2, "first wins", (half, less), 1)
    two = replace(good, probabilities=(((0, 2),), ((0, F(1, 2)),)))
    for words, evidence, reference in [
        ("ε = 2 holds", replace(good, epsilon=2), first_wins),
        ("ε = 3 holds", replace(good, epsilon=3), first_wins),
        ("δ = 1/3 holds", replace(good, delta=F(1, 3)), first_wins),
        ("δ = 2 holds", replace(good, epsilon=0, delta=2), first_wins),
        ("ε below 0 is no claim", replace(good, epsilon=-1), first_wins),
        ("δ below 0 is no claim", replace(good, epsilon=2, delta=F(-1, 10)), first_wins),
        (
            "the less likely first",
            replace(good, d=(-2, 0), d_prime=(0, 0), probabilities=(less, half), epsilon=0),
            first_wins,
        ),
        ("another probability", replace(good, probabilities=(((0, 1),), less)), first_wins),
        ("another probability of D′", replace(good, probabilities=(half, ())), first_wins),
        ("probabilities exchanged", replace(good, probabilities=(less, half)), first_wins),
        ("an answer moves by 2, not 1", replace(good, relation=1), first_wins),
        (
            "no answer moves",
            replace(good, d_prime=(0, 0), probabilities=(half, half), epsilon=0),
            first_wins,
        ),
        ("two records differ", replace(good, relation="replace-one", d=(0, 1)), first_wins),
        ("none is added", replace(good, relation="add-or-remove-one"), first_wins),
        ("a probability of 2", two, lambda data: 2 + F(3, 4) * data[0]),
        (
            "a probability of −1",
            replace(good, probabilities=(half, ((0, -1),))),
            lambda data: F(1, 2) + F(3, 4) * data[0],
        ),
        (
            "a probability of 1 + 10^(−60)",
            replace(good, probabilities=(((0, 1 + F(1, 10**60)),), ())),
            lambda data: (1 + F(1, 10**60)) * (data[0] == 0),
        ),
        (
            "two records differ, one as False and 0",
            replace(good, relation="replace-one", d=(0, 0), d_prime=(-2, False)),
            first_wins,
        ),
        ("no reference function", good, None),
        ("a reference in floating point", good, lambda data: 0.5),
    ]:
        yield Planted("privacy", words, evidence, reference)


def repeats(_: Any) -> tuple[Any, ...]:
    """Return 1/2, 1/2, 3, and two chances of which the larger one is 1/2·e^(−1)."""
    half = ((0, F(1, 2)),)
    return half, half, ((0, 3),), ((-1, F(1, 2)),), ((0, F(1, 10)),)


def sure(_: Any) -> tuple[Any, ...]:
    """Return 1 three times, and e^(−1)."""
    return ((0, 1),), ((0, 1),), ((0, 1),), ((-1, 1),)


def _as_stated(good: RepeatedEvent, at: int, chance: Any) -> tuple[RepeatedEvent, Any]:
    """Return the event with another chance, which the reference function gives, too."""
    chances = (*good.chances[:at], chance, *good.chances[at + 1 :])
    return replace(good, chances=chances), lambda _: chances


def _repeated() -> Iterator[Planted]:
    chances, half = repeats(()), ((0, F(1, 2)),)
    good = RepeatedEvent(((0,), (1,)), ((0, 5), (0, 6)), 3, 1, "on, m times", chances, 3, 1)
    for words, evidence in [
        ("two periods are too few", replace(good, periods=2)),
        ("ε = 5/4 holds", replace(good, epsilon=F(5, 4))),
        ("no period", replace(good, periods=0, epsilon=-9)),
        ("fewer than none", replace(good, periods=-3, epsilon=-9)),
        ("another start", replace(good, chances=(((0, 1),), *chances[1:]))),
        ("another chance", replace(good, chances=(half, ((0, F(3, 4)),), *chances[2:]))),
        ("a smaller factor", replace(good, chances=(half, half, half, *chances[3:]))),
        ("a smaller cell", replace(good, chances=(*chances[:3], ((-2, 1),), chances[4]))),
        ("a cell is left out", replace(good, chances=chances[:4])),
        ("nothing moves", replace(good, period=((0, 5), (0, 5)))),
        ("an answer moves by 2", replace(good, period=((0, 5), (2, 5)))),
        ("an answer before moves by 2", replace(good, before=((0,), (2,)))),
        ("one answer more on D′", replace(good, period=((0, 5), (0, 6, 1)))),
        ("one answer more before on D′", replace(good, before=((0,), (0, 1)))),
    ]:
        yield Planted("repeated", words, evidence, repeats)
    for words, at, chance in [
        ("a start of 0", 0, ()),
        ("a chance of 2", 1, ((0, 2),)),
        ("a cell below 0", 4, ((0, -1),)),
        ("as likely in a cell of D′", 4, half),
    ]:
        yield Planted("repeated", words, *_as_stated(good, at, chance))
    alone = replace(good, chances=chances[:3])
    yield Planted("repeated", "no cell", alone, lambda _: chances[:3])
    yield Planted("repeated", "no reference function", good, None)


_CASES = (
    _expression_signs,
    _multivariate_signs,
    _box_signs,
    _function_ranges,
    _identities,
    _enclosures,
    _integrals,
    _laplace_sums,
    _consequences,
    _recounts,
    _points,
    _changes,
    _privacy,
    _repeated,
)
