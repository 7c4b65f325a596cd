"""Sound certificates of every rule, with the verdict and the words that the kernel must find."""

from __future__ import annotations

from collections.abc import Callable
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
from tests.proofs.planted_certificates import (
    BY_COEFFICIENTS,
    FALLS,
    GROWS,
    ONE,
    STEP,
    TAIL,
    X2,
    X,
    first_wins,
    repeats,
    sure,
    times,
    total,
    two_laplace,
)

F = Fraction


class Sound(NamedTuple):
    """Evidence that must be accepted, what a replay calls, and the words that must be found."""

    evidence: Any
    reference: Callable[[Any], Any] | None
    verdict: str
    statement: str
    assumptions: tuple[str, ...]


def sound() -> tuple[Sound, ...]:
    """Return all of them, by rule."""
    return tuple(
        Sound(evidence, reference, _verdict(evidence), words, _rests_on(evidence, reference))
        for (evidence, reference), words in zip(_EVIDENCE, _STATEMENTS, strict=True)
    )


def _verdict(evidence: Any) -> str:
    if isinstance(evidence, PointCounterexample | ChangeCounterexample | PrivacyCounterexample):
        return "refuted"
    if isinstance(evidence, RepeatedEvent):
        return "refuted"
    boxed = isinstance(evidence, MultivariateSign) and evidence.upper is not None
    return "verified" if boxed or isinstance(evidence, Recount) else "proved"


def _rests_on(evidence: Any, reference: Callable[[Any], Any] | None) -> tuple[str, ...]:
    if isinstance(evidence, Recount):
        return (f"the table being that of {evidence.scope}",)
    if reference is not None:
        return (f"the reference function {reference.__module__}.{reference.__name__}",)
    return ()


def _left(then: Any = BY_COEFFICIENTS, multiply: Any = 0) -> Differentiate:
    return Differentiate(multiply, "left", then)


def _right(then: Any = BY_COEFFICIENTS, multiply: Any = 0) -> Differentiate:
    return Differentiate(multiply, "right", then)


_SQUARE = (ONE, times(-2, X), X2)
_STEPS = (X2, times(-3, X), times(2, ONE))  # (n − 1)(n − 2)
_HALF, _LESS = ((0, F(1, 2)),), ((-2, F(1, 2)),)
_TWO = ((None, -1, ()), (-1, 1, (times(3, ONE),)), (1, None, ()))
# 3 on [−1, 1] under Laplace noise of scale 1.
_BLURRED = (
    (None, -1, ((F(3, 2), 1, 0, 1), (F(-3, 2), -1, 0, 1))),
    (-1, 1, (times(3, ONE), (F(-3, 2), -1, 0, 1), (F(-3, 2), -1, 0, -1))),
    (1, None, ((F(3, 2), 1, 0, -1), (F(-3, 2), -1, 0, -1))),
)
_ROWS = tuple((n, F(n * n, 7)) for n in range(-3, 4))

_ABSURD = ((), 0, True)

_NO_REPLAYS = (
    ExpressionSign((GROWS, times(-1, ONE), times(-1, X)), 0, _left(_left())),
    # x·e^(−x) ≤ 1/e, with equality at 1; from the left of it and from the right.
    ExpressionSign(
        ((1, -1, 0, 0), (-1, 0, 1, -1)),
        0,
        Split((1,), (_right(), _left())),
    ),
    ExpressionSign((FALLS,), 0, _right(), strict=True),
    ExpressionSign((FALLS, ONE), 0, _right(), strict=True),
    ExpressionSign((X, times(-1, X2)), 0, Coefficients(), 1),
    ExpressionSign(_SQUARE, 0, Coefficients(), 1),
    ExpressionSign(_SQUARE, 1, Coefficients()),
    ExpressionSign(_SQUARE, F(5, 4), Coefficients(), 7, strict=True),
    ExpressionSign(((2, 0, 0, 1), (-1, 0, 1, 1)), -3, Coefficients(), F(3, 2), strict=True),
    ExpressionSign(((1, 1, 1, 2), (-1, 1, 0, 2)), 1, Coefficients(), 4),
    ExpressionSign((ONE, times(-1, X)), -1, Enclose(), F(1, 2), strict=True),
    ExpressionSign((ONE, X), F(-1, 2), Enclose(), 0, strict=True),
    ExpressionSign((X2, times(F(1, 10), GROWS), (F(1, 99), 0, 3, 0)), -1, Enclose(8), 2),
    ExpressionSign((X2,), -1, Enclose(1), 2),
    ExpressionSign((GROWS, times(-1, X)), 0, Split((F(1, 2), 1), (Enclose(),) * 3), F(5, 4)),
    ExpressionSign((X,), 0, Split((1,), (Coefficients(), Coefficients()))),
    # ln-like: e^(−x) − 1 + x on [0, 2] from the left, 1 − e^(x − 2) from the right.
    ExpressionSign((FALLS, times(-1, ONE), X), 0, _left(_left()), 2),
    ExpressionSign((ONE, (-1, -2, 0, 1)), 0, _right(), 2),
    ExpressionSign((times(2, ONE), (-1, -2, 0, 1)), 0, _right(), 2, strict=True),
    ExpressionSign(((1, 0, 0, 2), (-1, 0, 0, 1)), 0, _left(multiply=-1)),
    # n² − 3n + 2 ≥ 0 on whole numbers, not on the reals; then over the denominator n + 1.
    ExpressionSign(_STEPS, 0, Coefficients(), integers_to=2),
    ExpressionSign(_STEPS, 0, None, 2, False, 2, (X, ONE)),
    ExpressionSign(_STEPS, F(-1, 2), None, F(5, 2), False, 9),
    ExpressionSign(_STEPS, 0, Coefficients(), 9, False, 2),
    ExpressionSign(_STEPS, 3, Coefficients(), 9, True, 1),
    ExpressionSign((*_STEPS, times(F(1, 9), ONE)), 0, Coefficients(), None, True, 3, (GROWS,)),
    ExpressionSign((X,), 0, Coefficients(), denominator=(X, ONE)),
    ExpressionSign((), 0, Coefficients()),
    MultivariateSign(((1, (1, 1)), (-1, (1, 0)), (-1, (0, 1)), (1, (0, 0))), (1, 1)),
    MultivariateSign(((1, (1, 1)), (1, (0, 0))), (0, 0), strict=True),
    MultivariateSign(((1, (2,)), (-2, (1,)), (F(3, 2), (0,))), (F(3, 2),), strict=True),
    MultivariateSign(((1, (3, 0)), (-1, (0, 1)), (9, (0, 0))), (-2, 0), (1, 1)),
    MultivariateSign(((1, (2,)), (-3, (1,)), (2, (0,))), (0,), (5,)),
    MultivariateSign(((1, (2,)), (-3, (1,)), (F(9, 4), (0,))), (F(-1, 2),), (2,), True),
    MultivariateSign((), (0,)),
    BoxSign(((1, (2,)), (-1, (1,)), (F(1, 4), (0,))), (0,), (1,), BoxSplit(0, F(1, 2))),
    BoxSign(((1, (1, 1)), (1, (0, 0))), (0, 0), (None, 2), None, True),
    BoxSign(((1, (0,)),), (1,), (1,), None, True),
    BoxSign((), (0,), (None,)),
    BoxSign(
        ((1, (2, 0)), (-1, (1, 1)), (1, (0, 2))),
        (0, 1),
        (1, 2),
        BoxSplit(1, F(3, 2), None, BoxSplit(0, F(1, 4))),
        True,
    ),
    Identity(((1, 1, 0, 0), (1, 1, 0, 0)), ((2, 1, 0, 0),)),
    Identity((X, GROWS, times(-1, X), (F(1, 3), 2, 1, -2)), ((F(1, 3), 2, 1, -2), GROWS)),
    Identity((X, times(-1, X)), ()),
    Enclosure(((1, 1),), F(271, 100), F(272, 100)),
    Enclosure(((-3, 2), (0, -1)), F(-91, 100), F(-9, 10)),
    Enclosure(((1, 1),), F(9, 10), 1, ((0, 1), (-3, 40))),
    Enclosure(((0, 2),), F(693, 1000), F(694, 1000), logarithm=True),
    Enclosure(((1, 1),), 1, 1, logarithm=True),
    Enclosure(((0, 1),), F(-70, 100), F(-69, 100), ((0, 2),), True),
    Enclosure(((0, 7),), 7, 7),
    FunctionRange("exp", 0, 1, 1, F(272, 100)),
    FunctionRange("exp", 1, 1, F(271, 100), F(272, 100)),
    FunctionRange("exp", None, F(-1, 2), 0, F(61, 100)),
    FunctionRange("ln", F(1, 3), 2, F(-11, 10), F(7, 10), 5),
    FunctionRange("ln", 0, 2, None, F(7, 10)),
    FunctionRange("sqrt", -1, 2, 0, F(3, 2)),
    FunctionRange("sqrt", 4, None, 2, None),
    FunctionRange("arctan", None, None, F(-158, 100), F(158, 100)),
    FunctionRange("arctan", -5, F(3, 4), F(-138, 100), F(65, 100)),
    FunctionRange("sin", 1, 2, F(84, 100), 1),
    FunctionRange("sin", F(-8, 5), 0, -1, F(1, 10**9)),
    FunctionRange("sin", -3, 9, -1, 1),
    FunctionRange("cos", F(1, 10), 3, F(-99, 100), F(996, 1000)),
    FunctionRange("cos", 3, F(7, 2), -1, F(-93, 100)),
    FunctionRange("cos", 0, None, -1, 1),
    FunctionRange("normal", -1, F(1, 2), F(158, 1000), F(692, 1000)),
    FunctionRange("normal", None, None, 0, 1),
    FunctionRange("normal", -40, 40, 0, 1),
    Integral(((0, 1, ((X,), (X,)), ((F(1, 3), 0, 3, 0),)),), ((0, F(1, 3)),)),
    Integral(((0, None, ((FALLS,),), (times(-1, FALLS), ONE)),), ((0, 1),)),
    Integral(((None, 0, ((GROWS,),), (GROWS,)),), ((0, 1),)),
    Integral(
        (
            (0, 1, ((X,), (GROWS,)), ((1, 0, 1, 1), times(-1, GROWS))),
            (1, 1, ((ONE,),), (X,)),
            (1, 2, ((X,),), ((F(1, 2), 0, 2, 0), times(5, ONE))),
        ),
        ((0, F(5, 2)),),
    ),
    AddLaplace(STEP, (1,), (TAIL,)),
    AddLaplace(STEP, (1, 1), (TAIL, two_laplace())),
    AddLaplace(_TWO, (1,), (_BLURRED,)),
    AddLaplace(((None, None, (times(2, ONE),)),), (F(1, 2),), (((None, None, (times(2, ONE),)),),)),
    LinearConsequence((((("x", 1),), 0, False),), (2,), ((("x", 2),), 1, False)),
    LinearConsequence((((("x", 1),), 0, True),), (F(1, 3),), ((("x", F(1, 3)),), 0, True)),
    LinearConsequence((((("x", 1),), -1, False), ((("x", -1),), F(1, 2), False)), (1, 1), _ABSURD),
    LinearConsequence((((("x", 1),), 0, True), ((("x", -1),), 0, False)), (1, 1), _ABSURD),
    LinearConsequence((), (), ((), 0, False)),
    LinearConsequence((), (), ((), F(1, 9), True)),
    LinearConsequence(
        (
            ((("y", -1), ("x", 1)), 0, False),
            ((("y", 1), ("z", 0)), 2, True),
            ((("y", 1), ("y", 2)), 2, False),
        ),
        (1, F(1, 4), F(1, 4)),
        ((("x", 1), ("x", 0)), 1, True),
    ),
    Recount(_ROWS, "sum", 4, 7, "squares"),
    Recount(_ROWS, "maximum", F(9, 7), 7, "squares"),
    Recount(_ROWS, "minimum", 0, 7, "squares"),
    Recount(_ROWS, "count", 7, 7, "squares"),
    Recount((((None, "a", (True,)), -1),), "maximum", -1, 1, "one row"),
    PointCounterexample((GROWS, times(-3, ONE)), "≥ 0", 1),
    PointCounterexample((X,), "> 0", 0, 0, 0, True),
    PointCounterexample((X, (1, 1, 0, 0)), "= 0", F(1, 2), F(1, 2), 9),
    PointCounterexample((X,), "= 0", -1, upper=-1),
)
_REPLAYS = (
    (ChangeCounterexample((1, 2), (1, 5), "replace-one", (3, 6), F(29, 10)), total),
    (ChangeCounterexample((1, 5), (1, 2), "replace-one", (6, 3), 0), total),
    (ChangeCounterexample((1, 2), (2, 7, 1), "add-or-remove-one", (3, 10), F(13, 2)), total),
    (ChangeCounterexample((2, 7, 1), (1, 2), "add-or-remove-one", (10, 3), F(13, 2)), total),
    (ChangeCounterexample((1, 2), (2, 3), 1, (((0, 3),), ((0, 5),)), 1), total),
    (ChangeCounterexample((1, 2), (1, 8), "replace-one", (3, 9), 1, True), total),
    (ChangeCounterexample((1, 8), (1, 2), "replace-one", (9, 3), 1, True), total),
    (
        PrivacyCounterexample((0, 0), (-2, 0), 2, "first wins", (_HALF, _LESS), F(199, 100)),
        first_wins,
    ),
    (
        PrivacyCounterexample((0, 0), (-2, 0), "replace-one", "S", (_HALF, _LESS), 1, F(3, 10)),
        first_wins,
    ),
    (PrivacyCounterexample((0,), (-2, 0), "add-or-remove-one", "S", (_HALF, _LESS), 0), first_wins),
    (
        PrivacyCounterexample((1,), (0,), "replace-one", "all", (((0, 1),), ()), 50, F(1, 2)),
        total,
    ),
    (RepeatedEvent(((), ()), ((0,), (1,)), 0, 1, "on", repeats(()), 3, F(6, 5)), repeats),
    (RepeatedEvent(((2,), (2,)), ((0, 5), (0, 6)), -3, 1, "on", repeats(()), 9, 7), repeats),
    (RepeatedEvent(((2,), (1,)), ((0, 5), (0, 6)), -3, 1, "on", sure(()), 1, F(1, 2)), sure),
)

_EVIDENCE = (*((one, None) for one in _NO_REPLAYS), *_REPLAYS)
_STATEMENTS = (
    "-1 + 1·e^(1·x) + -1·x^1 ≥ 0 for real x in [0, ∞)",
    "1·e^(-1) + -1·x^1·e^(-1·x) ≥ 0 for real x in [0, ∞)",
    "1·e^(-1·x) > 0 for real x in [0, ∞)",
    "1·e^(-1·x) + 1 > 0 for real x in [0, ∞)",
    "1·x^1 + -1·x^2 ≥ 0 for real x in [0, 1]",
    "1 + -2·x^1 + 1·x^2 ≥ 0 for real x in [0, 1]",
    "1 + -2·x^1 + 1·x^2 ≥ 0 for real x in [1, ∞)",
    "1 + -2·x^1 + 1·x^2 > 0 for real x in [5/4, 7]",
    "2·e^(1·x) + -1·x^1·e^(1·x) > 0 for real x in [-3, 3/2]",
    "-1·e^(1)·e^(2·x) + 1·e^(1)·x^1·e^(2·x) ≥ 0 for real x in [1, 4]",
    "1 + -1·x^1 > 0 for real x in [-1, 1/2]",
    "1 + 1·x^1 > 0 for real x in [-1/2, 0]",
    "1/10·e^(1·x) + 1·x^2 + 1/99·x^3 ≥ 0 for real x in [-1, 2]",
    "1·x^2 ≥ 0 for real x in [-1, 2]",
    "1·e^(1·x) + -1·x^1 ≥ 0 for real x in [0, 5/4]",
    "1·x^1 ≥ 0 for real x in [0, ∞)",
    "1·e^(-1·x) + -1 + 1·x^1 ≥ 0 for real x in [0, 2]",
    "1 + -1·e^(-2)·e^(1·x) ≥ 0 for real x in [0, 2]",
    "2 + -1·e^(-2)·e^(1·x) > 0 for real x in [0, 2]",
    "-1·e^(1·x) + 1·e^(2·x) ≥ 0 for real x in [0, ∞)",
    "2 + -3·x^1 + 1·x^2 ≥ 0 for integer x in [0, ∞)",
    "2 + -3·x^1 + 1·x^2 over 1 + 1·x^1 ≥ 0 for integer x in [0, 2]",
    "2 + -3·x^1 + 1·x^2 ≥ 0 for integer x in [-1/2, 5/2]",
    "2 + -3·x^1 + 1·x^2 ≥ 0 for integer x in [0, 9]",
    "2 + -3·x^1 + 1·x^2 > 0 for integer x in [3, 9]",
    "19/9 + -3·x^1 + 1·x^2 over 1·e^(1·x) > 0 for integer x in [0, ∞)",
    "1·x^1 over 1 + 1·x^1 ≥ 0 for real x in [0, ∞)",
    "0 ≥ 0 for real x in [0, ∞)",
    "1·x^(1, 1) + -1·x^(1, 0) + -1·x^(0, 1) + 1·x^(0, 0) ≥ 0 for x ≥ (1, 1)",
    "1·x^(1, 1) + 1·x^(0, 0) > 0 for x ≥ (0, 0)",
    "1·x^(2,) + -2·x^(1,) + 3/2·x^(0,) > 0 for x ≥ (3/2,)",
    "1·x^(3, 0) + -1·x^(0, 1) + 9·x^(0, 0) ≥ 0 for integers x from (-2, 0) to (1, 1)",
    "1·x^(2,) + -3·x^(1,) + 2·x^(0,) ≥ 0 for integers x from (0,) to (5,)",
    "1·x^(2,) + -3·x^(1,) + 9/4·x^(0,) > 0 for integers x from (-1/2,) to (2,)",
    "0 ≥ 0 for x ≥ (0,)",
    "1·x^(2,) + -1·x^(1,) + 1/4·x^(0,) ≥ 0 for x from (0,) to (1,)",
    "1·x^(1, 1) + 1·x^(0, 0) > 0 for x from (0, 0) to (None, 2)",
    "1·x^(0,) > 0 for x from (1,) to (1,)",
    "0 ≥ 0 for x from (0,) to (None,)",
    "1·x^(2, 0) + -1·x^(1, 1) + 1·x^(0, 2) > 0 for x from (0, 1) to (1, 2)",
    "both expressions are 2·e^(1)",
    "both expressions are 1·e^(1·x) + 1/3·e^(2)·x^1·e^(-2·x)",
    "both expressions are 0",
    "271/100 ≤ (1·e^(1))/(1) ≤ 68/25",
    "-91/100 ≤ (2·e^(-3) + -1)/(1) ≤ -9/10",
    "9/10 ≤ (1·e^(1))/(40·e^(-3) + 1) ≤ 1",
    "693/1000 ≤ ln (2)/(1) ≤ 347/500",
    "1 ≤ ln (1·e^(1))/(1) ≤ 1",
    "-7/10 ≤ ln (1)/(2) ≤ -69/100",
    "7 ≤ (7)/(1) ≤ 7",
    "exp(x) lies from 1 to 68/25 for real x in [0, 1]",
    "exp(x) lies from 271/100 to 68/25 for real x in [1, 1]",
    "exp(x) lies from 0 to 61/100 for real x in (−∞, -1/2]",
    "ln(x) lies from -11/10 to 7/10 for real x in [1/3, 2]",
    "ln(x) lies from None to 7/10 for real x in [0, 2]",
    "sqrt(x) lies from 0 to 3/2 for real x in [-1, 2]",
    "sqrt(x) lies from 2 to None for real x in [4, ∞)",
    "arctan(x) lies from -79/50 to 79/50 for real x in (−∞, ∞)",
    "arctan(x) lies from -69/50 to 13/20 for real x in [-5, 3/4]",
    "sin(x) lies from 21/25 to 1 for real x in [1, 2]",
    "sin(x) lies from -1 to 1/1000000000 for real x in [-8/5, 0]",
    "sin(x) lies from -1 to 1 for real x in [-3, 9]",
    "cos(x) lies from -99/100 to 249/250 for real x in [1/10, 3]",
    "cos(x) lies from -1 to -93/100 for real x in [3, 7/2]",
    "cos(x) lies from -1 to 1 for real x in [0, ∞)",
    "normal(x) lies from 79/500 to 173/250 for real x in [-1, 1/2]",
    "normal(x) lies from 0 to 1 for real x in (−∞, ∞)",
    "normal(x) lies from 0 to 1 for real x in [-40, 40]",
    "∫ 1·x^2 for real x in [0, 1] = 1/3",
    "∫ 1·e^(-1·x) for real x in [0, ∞) = 1",
    "∫ 1·e^(1·x) for real x in (−∞, 0] = 1",
    (
        "∫ 1·x^1·e^(1·x) for real x in [0, 1] + ∫ 1 for real x in [1, 1] + ∫ 1·x^1 for real x in "
        "[1, 2] = 5/2"
    ),
    (
        "(1 for real x in (−∞, 0]; 0 for real x in [0, ∞)) under Laplace noise of scales 1 has "
        "the mean (1 + -1/2·e^(1·x) for real x in (−∞, 0]; 1/2·e^(-1·x) for real x in [0, ∞))"
    ),
    (
        "(1 for real x in (−∞, 0]; 0 for real x in [0, ∞)) under Laplace noise of scales 1, 1 "
        "has the mean (1 + -1/2·e^(1·x) + 1/4·x^1·e^(1·x) for real x in (−∞, 0]; 1/2·e^(-1·x) + "
        "1/4·x^1·e^(-1·x) for real x in [0, ∞))"
    ),
    (
        "(0 for real x in (−∞, -1]; 3 for real x in [-1, 1]; 0 for real x in [1, ∞)) under "
        "Laplace noise of scales 1 has the mean (-3/2·e^(-1)·e^(1·x) + 3/2·e^(1)·e^(1·x) for "
        "real x in (−∞, -1]; -3/2·e^(-1)·e^(-1·x) + 3 + -3/2·e^(-1)·e^(1·x) for real x in [-1, "
        "1]; -3/2·e^(-1)·e^(-1·x) + 3/2·e^(1)·e^(-1·x) for real x in [1, ∞))"
    ),
    (
        "(2 for real x in (−∞, ∞)) under Laplace noise of scales 1/2 has the mean (2 for real x "
        "in (−∞, ∞))"
    ),
    "(2·x + 1 ≥ 0) follows from: 1·x + 0 ≥ 0",
    "(1/3·x + 0 > 0) follows from: 1·x + 0 > 0",
    "(0 > 0) follows from: 1·x + -1 ≥ 0; -1·x + 1/2 ≥ 0",
    "(0 > 0) follows from: 1·x + 0 > 0; -1·x + 0 ≥ 0",
    "(0 ≥ 0) follows from: nothing",
    "(1/9 > 0) follows from: nothing",
    "(1·x + 1 > 0) follows from: 1·x + -1·y + 0 ≥ 0; 1·y + 2 > 0; 3·y + 2 ≥ 0",
    "the sum over squares (7 rows) is 4",
    "the maximum over squares (7 rows) is 9/7",
    "the minimum over squares (7 rows) is 0",
    "the count over squares (7 rows) is 7",
    "the maximum over one row (1 rows) is -1",
    "-3 + 1·e^(1·x) ≥ 0 for all real x in (−∞, ∞): not at x = 1",
    "1·x^1 > 0 for all integer x in [0, 0]: not at x = 0",
    "1·e^(1) + 1·x^1 = 0 for all real x in [1/2, 9]: not at x = 1/2",
    "1·x^1 = 0 for all real x in (−∞, -1]: not at x = -1",
    "a change of at most 29/10: D = (1, 2), D′ = (1, 5) (replace-one), values (3) and (6)",
    "a change of at most 0: D = (1, 5), D′ = (1, 2) (replace-one), values (6) and (3)",
    (
        "a change of at most 13/2: D = (1, 2), D′ = (2, 7, 1) (add-or-remove-one), values (3) "
        "and (10)"
    ),
    (
        "a change of at most 13/2: D = (2, 7, 1), D′ = (1, 2) (add-or-remove-one), values (10) "
        "and (3)"
    ),
    "a change of at most 1: D = (1, 2), D′ = (2, 3) (1), values (3) and (5)",
    "a change of at most 1: D = (1, 2), D′ = (1, 8) (replace-one), values ln (3) and ln (9)",
    "a change of at most 1: D = (1, 8), D′ = (1, 2) (replace-one), values ln (9) and ln (3)",
    (
        "(199/100, 0)-differential privacy: D = (0, 0), D′ = (-2, 0) (2), S = first wins, Pr[S | "
        "D] = 1/2, Pr[S | D′] = 1/2·e^(-2)"
    ),
    (
        "(1, 3/10)-differential privacy: D = (0, 0), D′ = (-2, 0) (replace-one), S = S, Pr[S | "
        "D] = 1/2, Pr[S | D′] = 1/2·e^(-2)"
    ),
    (
        "(0, 0)-differential privacy: D = (0,), D′ = (-2, 0) (add-or-remove-one), S = S, Pr[S | "
        "D] = 1/2, Pr[S | D′] = 1/2·e^(-2)"
    ),
    (
        "(50, 1/2)-differential privacy: D = (1,), D′ = (0,) (replace-one), S = all, Pr[S | D] = "
        "1, Pr[S | D′] = 0"
    ),
    (
        "ε-differential privacy for every ε: D = (0,), D′ = (1,) (1), each time 0 higher, S_m = "
        "on, Pr[S_m | D] ≥ (1/2)·(1/2)^m, Pr[S_m | D′] ≤ (3)·(1/2·e^(-1))^m; 6/5 with m = 3"
    ),
    (
        "ε-differential privacy for every ε: D = (0, 5), D′ = (0, 6) (1), each time -3 higher, "
        "S_m = on, Pr[S_m | D] ≥ (1/2)·(1/2)^m, Pr[S_m | D′] ≤ (3)·(1/2·e^(-1))^m; 7 with m = 9"
    ),
    (
        "ε-differential privacy for every ε: D = (0, 5), D′ = (0, 6) (1), each time -3 higher, "
        "S_m = on, Pr[S_m | D] ≥ (1)·(1)^m, Pr[S_m | D′] ≤ (1)·(1·e^(-1))^m; 1/2 with m = 1"
    ),
)
