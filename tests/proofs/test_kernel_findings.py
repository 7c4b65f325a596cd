"""What the kernel accepts is so: sound evidence of each kind, and random arguments by sampling."""

import ast
import random
import sys
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import pytest
from mpmath import mp, mpf

from provado.mechanisms import UsageError
from provado.proofs import kernel
from provado.proofs.algebra.certificates import log_enclosure
from provado.proofs.kernel import (
    AddLaplace,
    ChangeCounterexample,
    Coefficients,
    Differentiate,
    Enclose,
    Enclosure,
    ExpressionSign,
    Identity,
    Integral,
    KernelRefusal,
    MultivariateSign,
    PointCounterexample,
    PrivacyCounterexample,
    Recount,
    RepeatedEvent,
    Split,
    check,
    exp_enclosure,
    sum_enclosure,
    sum_sign,
)
from tests.proofs.kernel_truth import FUNCTIONS

F = Fraction
X, ONE = (1, 0, 1, 0), (1, 0, 0, 0)
STEP = ((None, 0, (ONE,)), (0, None, ()))
TAIL = ((None, 0, (ONE, (F(-1, 2), 0, 0, 1))), (0, None, ((F(1, 2), 0, 0, -1),)))


def total(data):
    """A reference function: the sum of a dataset."""
    return sum(data)


def first_wins(data):
    """A reference function: Pr[data[0] + Laplace(1) > 0] for data[0] ≤ 0."""
    return ((data[0], F(1, 2)),)


SOUND = [
    # e^x − 1 − x ≥ 0 on [0, ∞); x·e^(−x) ≤ 1/e there, with equality at 1.
    ExpressionSign(
        ((1, 0, 0, 1), (-1, 0, 0, 0), (-1, 0, 1, 0)),
        0,
        Differentiate(0, "left", Differentiate(0, "left", Coefficients())),
    ),
    # e^(−x) > 0 from its limit 0.
    ExpressionSign(((1, 0, 0, -1),), 0, Differentiate(0, "right", Coefficients()), strict=True),
    ExpressionSign(((1, 0, 1, 0), (-1, 0, 2, 0)), 0, Coefficients(), 1),
    # (1 − x)² touches 0 at the upper end.
    ExpressionSign((ONE, (-2, 0, 1, 0), (1, 0, 2, 0)), 0, Coefficients(), 1),
    ExpressionSign((ONE, (-1, 0, 1, 0)), -1, Enclose(), F(1, 2), strict=True),
    ExpressionSign((ONE, X), F(-1, 2), Enclose(), 0, strict=True),
    ExpressionSign((X,), 0, Split((1,), (Coefficients(), Coefficients()))),
    # n² − 3n + 2 ≥ 0 on whole numbers, not on the reals; then over the denominator n + 1.
    ExpressionSign(((1, 0, 2, 0), (-3, 0, 1, 0), (2, 0, 0, 0)), 0, Coefficients(), integers_to=2),
    ExpressionSign(((1, 0, 2, 0), (-3, 0, 1, 0), (2, 0, 0, 0)), 0, None, 2, False, 2, (X, ONE)),
    MultivariateSign(((1, (1, 1)), (-1, (1, 0)), (-1, (0, 1)), (1, (0, 0))), (1, 1)),
    MultivariateSign(((1, (1, 1)), (1, (0, 0))), (0, 0), strict=True),
    MultivariateSign(((1, (2,)), (-3, (1,)), (2, (0,))), (0,), (5,)),
    Identity(((1, 1, 0, 0), (1, 1, 0, 0)), ((2, 1, 0, 0),)),
    Enclosure(((1, 1),), F(271, 100), F(272, 100)),
    Enclosure(((0, 2),), F(693, 1000), F(694, 1000), logarithm=True),
    Enclosure(((1, 1),), 1, 1, logarithm=True),
    Integral(((0, 1, ((X,), (X,)), ((F(1, 3), 0, 3, 0),)),), ((0, F(1, 3)),)),
    Integral(((0, None, (((1, 0, 0, -1),),), ((-1, 0, 0, -1), ONE)),), ((0, 1),)),
    Integral(((None, 0, (((1, 0, 0, 1),),), ((1, 0, 0, 1),)),), ((0, 1),)),
    AddLaplace(STEP, (1,), (TAIL,)),
]


@pytest.mark.parametrize("evidence", SOUND)
def test_sound_evidence_is_found_so(evidence):
    finding = check(evidence)
    box = isinstance(evidence, MultivariateSign) and evidence.upper is not None
    assert finding.verdict == ("verified" if box else "proved")
    # A copy, which nobody else holds.
    assert finding.evidence == evidence
    assert finding.evidence is not evidence
    assert finding.assumptions == ()
    assert finding.statement


def test_counterexamples_say_what_they_rest_on():
    change = ChangeCounterexample((1, 2), (1, 5), "replace-one", (3, 6), 2)
    finding = check(change, total)
    assert finding.verdict == "refuted"
    assert finding.assumptions[0].endswith(".total")
    added = ChangeCounterexample((1, 2), (2, 7, 1), "add-or-remove-one", (3, 10), F(13, 2))
    assert check(added, total).verdict == "refuted"
    # ln 9 − ln 3 > 1, though not 2.
    logs = ChangeCounterexample((1, 2), (1, 8), "replace-one", (3, 9), 1, logarithm=True)
    assert check(logs, total).verdict == "refuted"
    with pytest.raises(KernelRefusal, match=r"^change"):
        check(ChangeCounterexample((1, 2), (1, 8), "replace-one", (3, 9), 2, True), total)
    probabilities = (((0, F(1, 2)),), ((-2, F(1, 2)),))
    pair = ((0, 0), (-2, 0), 2, "first wins", probabilities)
    privacy = check(PrivacyCounterexample(*pair, F(199, 100)), first_wins)
    assert privacy.verdict == "refuted"
    assert privacy.assumptions[0].endswith(".first_wins")
    assert check(PointCounterexample(((1, 0, 0, 1), (-3, 0, 0, 0)), "≥ 0", 1)).verdict == "refuted"


def test_a_recount_is_verified_relative_to_its_table():
    rows = tuple((n, F(n * n, 7)) for n in range(-3, 4))
    for operation, claimed in [("sum", 4), ("maximum", F(9, 7)), ("minimum", 0), ("count", 7)]:
        finding = check(Recount(rows, operation, claimed, 7, "squares"))
        assert finding.verdict == "verified"
        assert "squares" in finding.assumptions[0]


@pytest.mark.parametrize("bits", [1, 8, 64, 300])
def test_enclosures_hold_the_value_and_are_narrow(bits):
    with localcontext() as context:
        context.prec = 700
        points = [F(0), F(1), F(-50), F(700), F(-700), F(1, 3), F(-7, 10**9), F(10**6, 999)]
        for x in points:
            low, high = exp_enclosure(x, bits)
            true = F((Decimal(x.numerator) / Decimal(x.denominator)).exp())
            slack = true / 10**600
            assert low - slack <= true <= high + slack
            assert high - low <= max(1, true) / 2**bits
        for x in [F(1), F(2, 3), F(4, 3), F(1, 2), F(3), F(10**30), F(5, 7**40), F(65, 63)]:
            low, high = log_enclosure(x, bits)
            true = F((Decimal(x.numerator) / Decimal(x.denominator)).ln())
            assert low - F(1, 10**600) <= true <= high + F(1, 10**600)
            assert high - low <= F(1, 2**bits)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_enclosed_narrowly(name):
    draw = random.Random(name)
    with mp.workprec(900):
        for bits in (1, 5, 64, 300):
            for _ in range(8):
                x = F(draw.randint(-(10**6), 10**6), draw.randint(1, 10 ** draw.randint(4, 8)))
                x = abs(x) + F(1, 10**9) if name in ("ln", "sqrt") else x
                low, high = kernel.function_enclosure(name, x, bits)
                true = FUNCTIONS[name](mpf(x.numerator) / x.denominator)
                assert mpf(low.numerator) / low.denominator <= true
                assert mpf(high.numerator) / high.denominator >= true
                assert mpf((high - low).numerator) <= (high - low).denominator * max(
                    1, true if name == "exp" else 1
                ) / mpf(2) ** (bits - 1)


def test_enclosures_without_a_value_or_a_bit_are_refused():
    for call in (lambda: log_enclosure(0), lambda: log_enclosure(2, 0)):
        with pytest.raises(UsageError):
            call()
    for call in (
        # Too few bits would end Taylor's series before its remainder is known.
        lambda: exp_enclosure(F(2999, 1000), -20),
        lambda: exp_enclosure(0.5),
        lambda: kernel.function_enclosure("sin", 0.5),
        lambda: kernel.function_enclosure("sin", 1, 0),
    ):
        with pytest.raises(KernelRefusal):
            call()


def test_signs_of_sums_agree_with_decimals():
    draw = random.Random(1)
    with localcontext() as context:
        context.prec = 100
        for _ in range(200):
            terms = [
                (F(draw.randint(-8, 8), draw.randint(1, 5)), F(draw.randint(-9, 9)))
                for _ in range(4)
            ]
            value = sum(
                (Decimal(int(c)) * (Decimal(q.numerator) / q.denominator).exp() for q, c in terms),
                Decimal(0),
            )
            near = abs(value) < Decimal(10) ** -80
            assert sum_sign(tuple(terms)) == (0 if near else (1 if value > 0 else -1))
            low, high = sum_enclosure(tuple(terms))
            assert low - F(1, 10**80) <= F(value) <= high + F(1, 10**80)


def _random_argument(draw, depth):
    kind = draw.choice(["coefficients", "enclose", "left", "right", "split"])
    if depth == 0 or kind == "coefficients":
        return Coefficients()
    if kind == "enclose":
        return Enclose(16)
    if kind == "split":
        point = F(draw.randint(-3, 12), 4)
        return Split((point,), tuple(_random_argument(draw, depth - 1) for _ in range(2)))
    return Differentiate(draw.randint(-2, 2), kind, _random_argument(draw, depth - 1))


def test_no_random_argument_convinces_the_kernel_of_a_falsehood():
    draw = random.Random(5)
    accepted = {True: 0, False: 0}
    for _ in range(2000):
        terms = tuple(
            (F(draw.randint(-4, 6)), 0, draw.randint(0, 2), draw.randint(-1, 1))
            for _ in range(draw.randint(1, 4))
        )
        low, strict = F(draw.randint(-2, 1)), draw.random() < 0.4
        high = None if draw.random() < 0.4 else low + F(draw.randint(1, 6), 2)
        evidence = ExpressionSign(terms, low, _random_argument(draw, 3), high, strict)
        try:
            check(evidence)
        except KernelRefusal:
            continue
        accepted[strict] += 1
        end = high if high is not None else low + 30
        for step in range(31):
            x = low + (end - low) * F(step, 30)
            sign = sum_sign(tuple((a * x, c * x**k) for c, _, k, a in terms))
            assert sign >= strict, (evidence, x)
    # The generator must reach acceptance, or nothing was tested.
    assert min(accepted.values()) > 40


def test_the_kernel_imports_the_standard_library_only_and_holds_no_float():
    tree = ast.parse(Path(kernel.__file__).read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module]
        else:
            names = []
        assert all(name.split(".")[0] in sys.stdlib_module_names for name in names)
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float))
        assert not (isinstance(node, ast.Name) and node.id == "float")


def repeated(chances, epsilon, periods=1):
    """Check a repeated event with these chances, which the reference function gives, too."""
    event = RepeatedEvent(((), ()), ((0,), (1,)), 0, 1, "on", chances, periods, epsilon)
    return check(event, lambda _: chances)


_SURE, _HALF, _THIRD = ((0, 1),), ((0, F(1, 2)),), ((0, F(1, 3)),)
_MIXED = ((0, 1), (-1, -1))
_NEAR = ((-1, 1), (F(-101, 100), -1))


@pytest.mark.parametrize(
    "chances",
    [
        (_SURE, _SURE, _THIRD, _THIRD),
        (_SURE, _SURE, _NEAR, _NEAR),
        (_SURE, _MIXED, _SURE, _HALF),
        (_SURE, _NEAR, _SURE, ((-20, 1),)),
        (_THIRD, _SURE, _SURE, _HALF),
        (_NEAR, _SURE, _SURE, _HALF),
    ],
)
def test_a_repeated_event_exceeds_what_is_below_its_loss_and_nothing_above_it(chances):
    # As near as 2^−600, where each number that is rounded must be rounded to the safe side.
    with mp.workprec(900):
        start, p, factor, most = (
            sum(
                mpf(c.numerator) / c.denominator * mp.exp(mpf(q.numerator) / q.denominator)
                for q, c in ((F(q), F(c)) for q, c in chance)
            )
            for chance in chances
        )
        loss = F(int(mp.floor(mp.log(start * p / factor / most) * mpf(2) ** 600)), 2**600)
    assert repeated(chances, loss - F(1, 2**100)).verdict == "refuted"
    with pytest.raises(KernelRefusal, match="holds with m = 1"):
        repeated(chances, loss + F(1, 2**600))


@pytest.mark.parametrize(("p", "most"), [(_SURE, _SURE), (_HALF, _HALF), (_THIRD, _HALF)])
def test_a_repeated_event_must_be_likelier_on_d_with_each_period(p, most):
    # One period exceeds 1 by the factor alone; more of them do not exceed every ε.
    with pytest.raises(KernelRefusal, match="a period is not more likely"):
        repeated((_SURE, p, ((0, F(1, 100)),), most), 1)


def test_a_repeated_event_may_be_impossible_in_a_cell():
    assert repeated((_SURE, _SURE, _SURE, (), _THIRD), 1).statement.endswith(
        "(1/3)^m; 1 with m = 1"
    )
    with pytest.raises(KernelRefusal, match="has no logarithm"):
        repeated((_SURE, _SURE, _SURE, ()), 1)


def test_coefficients_on_a_box_are_those_of_bernstein_or_of_powers() -> None:
    """x²/2 + x/3 is 5/6 at 1; with x = 1 + 2t it is 5/6 + 8/3·t + 2·t²."""
    terms = ((Fraction(1, 2), (2,)), (Fraction(1, 3), (1,)))
    on_box = kernel.bernstein(terms, (1,), (3,))
    assert on_box == {(0,): Fraction(5, 6), (1,): Fraction(13, 6), (2,): Fraction(11, 2)}
    from_end = kernel.bernstein(terms, (1,), (None,))
    assert from_end == {(0,): Fraction(5, 6), (1,): Fraction(4, 3), (2,): Fraction(1, 2)}
