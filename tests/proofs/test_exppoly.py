import math
import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import sympy
from scipy.integrate import quad

from provado.mechanisms import UsageError
from provado.proofs import kernel
from provado.proofs.algebra import (
    ExpPoly,
    ExpSum,
    Piecewise,
    combine,
    convolve,
    exact,
    exp,
    laplace,
    tail,
)
from provado.proofs.algebra.certificates import STEP, integral, laplace_sum_tail, prove_sign, same
from tests.proofs.exact_programs.densities import (
    below,
    exceeds,
    expectation,
    exponential,
    product,
    uniform,
)
from tests.proofs.exact_programs.signs import prove_nonnegative, refute_sign
from tests.proofs.exact_programs.to_sympy import to_sympy

F = Fraction
T = ExpPoly.term(power=1)


def rate(a):
    return ExpPoly.term(rate=a)


def value(f, x):
    """The naive twin: a piecewise function term by term in floating point."""
    part = f.piece_at(F(x))
    return math.fsum(
        float(c) * math.exp(q) * x**k * math.exp(a * x) for c, q, k, a in part.as_data()
    )


def numeric_integral(rule, breaks):
    """The naive twin of an integral over the line: quadrature between breakpoints."""
    ends = [min(breaks) - 60, *sorted(breaks), max(breaks) + 60]
    return sum(quad(rule, a, b, epsabs=1e-12)[0] for a, b in pairwise(ends) if a < b)


def random_line(draw):
    breaks = sorted(draw.sample([F(n, 2) for n in range(-5, 6)], 2))
    parts = [
        ExpPoly.term(draw.randint(1, 4), power=draw.randint(0, 2), rate=F(draw.randint(1, 3), 2)),
        sum(
            (
                ExpPoly.term(draw.randint(-3, 3), power=k, rate=draw.randint(-1, 1), exponent=k)
                for k in range(3)
            ),
            ExpPoly(),
        ),
        ExpPoly.term(draw.randint(1, 4), power=draw.randint(0, 2), rate=-draw.randint(1, 2)),
    ]
    return Piecewise(breaks, parts)


DENSITIES = [
    laplace(0, 1),
    laplace(F(1, 2), 2),
    laplace(-1, F(1, 3)),
    exponential(2),
    exponential(F(1, 2), -1),
    uniform(0, 1),
    uniform(F(-1, 2), 3),
]


def test_constants_compare_exactly():
    assert exp(1) * exp(-1) == 1
    assert (exp(F(1, 2)) + 1) * (exp(F(1, 2)) - 1) == exp(1) - 1
    assert exp(1) > F(27, 10)
    assert exp(1) < F(2719, 1000)
    assert exp(1) != exp(F(10**9 + 1, 10**9))
    # Nearly equal numbers that are not: 163-digit agreement would still be seen through.
    near = exp(0) * F(1, 10**80)
    assert near > 0 > -near
    assert float(exp(1) - 1 - 1 - F(1, 2)) == pytest.approx(math.e - 2.5, abs=1e-15)
    assert float(exp(F(1, 10**20)) - 1) == pytest.approx(1e-20, rel=1e-12)
    assert hash(ExpSum.of(3)) == hash(ExpSum([(0, 1), (0, 2)]))
    low, high = (exp(1) - exp(-1)).enclosure(100)
    assert 0 < high - low < F(1, 2**90)


@pytest.mark.parametrize("bad", [0.5, "1", None, True])
def test_a_float_is_refused_at_the_door(bad):
    for call in (
        lambda: exp(bad),
        lambda: laplace(0, bad),
        lambda: uniform(0, bad),
        lambda: T.at(bad),
        lambda: ExpPoly.term(bad),
        lambda: Piecewise((bad,), (0, 1)),
        lambda: laplace(0, 1).shift(bad),
    ):
        with pytest.raises(UsageError, match="must be an int or a Fraction"):
            call()


def test_every_rational_number_is_taken_exactly():
    found = exact(np.int64(3), "n")
    assert (found, type(found.numerator)) == (3, int)
    assert exact(Fraction(1, 3), "n") == Fraction(1, 3)


def test_malformed_functions_are_refused():
    for call in (
        lambda: Piecewise((1, 0), (0, 1, 2)),
        lambda: Piecewise((1,), (0,)),
        lambda: laplace(0, 0),
        lambda: exponential(-1),
        lambda: uniform(1, 1),
        lambda: ExpPoly.term(power=-1),
        lambda: laplace(0, 1).compose(0, 1),
        lambda: Piecewise.constant(1).integral(),
        lambda: Piecewise((0,), (0, T)).integral(),
        lambda: convolve(Piecewise.constant(1), Piecewise.constant(1)),
        lambda: rate(1).limit(1),
    ):
        with pytest.raises(UsageError):
            call()


def test_algebra_agrees_with_floating_point():
    draw = random.Random(2)
    for _ in range(30):
        f, g = random_line(draw), random_line(draw)
        for x in (F(-4), F(-5, 4), F(1, 3), F(0), F(2), F(7, 2)):
            a, b = value(f, float(x)), value(g, float(x))
            assert float(f.at(x)) == pytest.approx(a, rel=1e-9, abs=1e-9)
            assert float((f + g).at(x)) == pytest.approx(a + b, rel=1e-9, abs=1e-9)
            assert float((f - 2 * g).at(x)) == pytest.approx(a - 2 * b, rel=1e-9, abs=1e-9)
            assert float((f * g).at(x)) == pytest.approx(a * b, rel=1e-9, abs=1e-9)
            assert float((1 - f).at(x)) == pytest.approx(1 - a, rel=1e-9, abs=1e-9)
            assert f.shift(F(1, 2)).at(x) == f.at(x - F(1, 2))
            mirrored = -2 * x + F(1, 7)
            assert f.compose(-2, F(1, 7)).at(x) == f.at(mirrored)
    assert T * rate(1) + exp(2) == exp(2) + rate(1) * T
    assert 2 - T == -(T - 2)
    assert (T + 1) ** 3 == T * T * T + 3 * T * T + 3 * T + 1


def test_equality_is_that_of_functions():
    one = Piecewise((0,), (T * T - 1, (T - 1) * (T + 1)))
    assert one == Piecewise.constant(T * T - 1)
    assert one.breaks == ()
    assert laplace(0, 1) != laplace(0, F(10**12 + 1, 10**12))
    assert laplace(1, 2) == laplace(0, 2).shift(1)
    assert laplace(0, 1).compose(-1, 0) == laplace(0, 1)
    assert combine(lambda parts: parts[0] + parts[1], one, -one) == Piecewise.constant(0)
    assert product([]) == Piecewise.constant(1)


def test_integrals_agree_with_quadrature():
    draw = random.Random(3)
    for _ in range(10):
        f = random_line(draw)
        true = numeric_integral(lambda x, f=f: value(f, x), [float(b) for b in f.breaks])
        assert float(f.integral()) == pytest.approx(true, rel=1e-8, abs=1e-8)
        assert f.integral(-1, 2) == f.running_integral().at(2) - f.running_integral().at(-1)
        assert f.integral(2, -1) == -f.integral(-1, 2)
        assert f.integral(None, F(1, 3)) + f.integral(F(1, 3), None) == f.integral()


@pytest.mark.parametrize("f", DENSITIES)
def test_densities_are_densities(f):
    assert f.integral() == 1
    assert below(f).parts[-1].limit(1) == 1
    assert tail(f) + below(f) == Piecewise.constant(1)
    assert prove_nonnegative(f) is not None


@pytest.mark.parametrize("f", DENSITIES)
@pytest.mark.parametrize("g", DENSITIES)
def test_convolution_agrees_with_quadrature(f, g):
    h = convolve(f, g)
    assert h.integral() == 1
    assert h == convolve(g, f)
    points = [-3.3, -0.4, 0.3, 1.7, 4.1]
    for t in points[:: 2 if f.breaks < g.breaks else 1]:
        cuts = [*map(float, f.breaks), *(t - float(b) for b in g.breaks)]
        true = numeric_integral(lambda x, t=t: value(f, x) * value(g, t - x), cuts)
        assert value(h, t) == pytest.approx(true, abs=1e-8)


def test_comparisons():
    # Kusner et al. (2016), Theorem 2's form: (γ + 2σ)/(4σ)·e^(−γ/σ).
    for gamma, sigma in [(F(1), F(1)), (F(2), F(1)), (F(1, 3), F(5, 2))]:
        wrong = exceeds(laplace(0, sigma), laplace(gamma, sigma))
        assert wrong == exp(-gamma / sigma) * ((gamma + 2 * sigma) / (4 * sigma))
        assert wrong + exceeds(laplace(gamma, sigma), laplace(0, sigma)) == 1
    assert exceeds(exponential(1), exponential(3)) == F(1, 4)
    assert exceeds(uniform(0, 1), uniform(0, 2)) == F(1, 4)
    assert expectation(laplace(3, 2), Piecewise.constant(T * T)) == 9 + 2 * 4


def test_convolution_agrees_with_sympy():
    t, x = sympy.symbols("t x", real=True)
    density = sympy.exp(-x) * sympy.Rational(1, 2)
    # Both positive, one negative and one positive: by hand for t > 0.
    both = sympy.integrate(density * density.subs(x, t - x), (x, 0, t))
    apart = 2 * sympy.integrate(density * density.subs(x, x - t), (x, t, sympy.oo))
    ours = to_sympy(convolve(laplace(0, 1), laplace(0, 1)).parts[1], "t")
    assert sympy.simplify(ours - both - apart) == 0


def test_sympy_prints_what_is_meant():
    f = convolve(laplace(F(1, 2), 2), uniform(0, 1))
    x = sympy.Symbol("x", real=True)
    printed = to_sympy(f)
    for point in (-2, sympy.Rational(3, 4), 1, 5):
        there = float(printed.subs(x, point))
        assert there == pytest.approx(float(f.at(F(int(point * 4), 4))), abs=1e-14)
    assert to_sympy(exp(F(-1, 2)) * F(3, 4)) == sympy.Rational(3, 4) * sympy.exp(-sympy.S.Half)
    assert to_sympy(Piecewise.constant(T)) == x


def printed_tail(constant=48):
    return (constant + 33 * T + 9 * T * T + T * T * T) * rate(-1) * F(1, 96)


def test_tail_of_two_and_four_laplace_variables_is_proved():
    two, finding = laplace_sum_tail([1, 1])
    assert finding.verdict == "proved"
    assert same(two.parts[1], (2 + T) * rate(-1) * F(1, 4)).verdict == "proved"
    four, finding = laplace_sum_tail([1] * 4)
    assert finding.verdict == "proved"
    assert same(four.parts[1], printed_tail()).verdict == "proved"
    with pytest.raises(kernel.KernelRefusal, match=r"^identity"):
        same(four.parts[1], printed_tail(49))
    # From the densities, by another route.
    pair = convolve(laplace(0, 1), laplace(0, 1))
    assert tail(convolve(pair, pair)) == four


def test_the_printed_exponent_is_refuted_at_a_point():
    # Kusner et al. (2016), Theorem 4, prints e^(−σ/γ) for e^(−γ/σ): at σ = 1, γ = 2.
    four, _ = laplace_sum_tail([1] * 4)
    polynomial = (printed_tail() * rate(1)).at(2)
    difference = ExpPoly.of(exp(F(-1, 2)) * polynomial - four.at(2))
    counterexample = kernel.PointCounterexample(difference.as_data(), "= 0", 0)
    assert kernel.check(counterexample).verdict == "refuted"


def test_sums_of_unequal_scales_agree_with_the_densities():
    scales = [1, F(1, 2), 3]
    tails, finding = laplace_sum_tail(scales)
    density = laplace(0, 1)
    for scale in scales[1:]:
        density = convolve(density, laplace(0, scale))
    assert tails == tail(density)
    assert finding.rule == "add-laplace"
    assert STEP.at(-1) == 1


def test_integral_certificates():
    f, g = laplace(0, 1), below(laplace(1, 2))
    value_, finding = integral([f, g])
    assert value_ == (f * g).integral()
    assert finding.verdict == "proved"
    wrong = kernel.Integral(finding.evidence.parts, (value_ + F(1, 10**9)).as_data())
    with pytest.raises(kernel.KernelRefusal, match=r"^integral"):
        kernel.check(wrong)


NONNEGATIVE = [
    (rate(1) - 1 - T, 0, None, ()),
    (exp(-1) - T * rate(-1), 0, None, (1,)),
    (T * T - 2 * T + F(101, 100), 0, None, ()),
    ((T - 1) * (T - 1), -2, None, (1,)),
    (1 - T * T, -1, 1, ()),
    (rate(-1) - 1 + T, -3, None, (0,)),
    (1 - (1 + T) * rate(-1), 0, None, ()),
    (F(1, 2) - printed_tail(), 0, None, ()),
    (rate(1) + rate(-1) - 2, 0, None, ()),
]


@pytest.mark.parametrize(("f", "lower", "upper", "cuts"), NONNEGATIVE)
def test_signs_are_proved_where_they_hold(f, lower, upper, cuts):
    finding = prove_sign(f, lower, upper, cuts=cuts)
    assert finding is not None
    assert finding.verdict == "proved"
    assert refute_sign(f, lower, upper) is None
    # The broken twin: a little lower, it is refuted and cannot be proved.
    lowered = f - F(1, 50)
    if upper is None and not cuts and f.at(lower) > F(1, 50):
        return
    assert prove_sign(lowered, lower, upper, cuts=cuts) is None
    if f.at(lower) == 0:
        refuted = refute_sign(lowered, lower, upper)
        assert refuted is not None
        assert refuted.verdict == "refuted"
