"""What the kernel computes, step by step: its work and its enclosures are just these.

Other numbers need not be wrong, but no change of them goes unnoticed.
"""

from fractions import Fraction

import pytest

from provado.proofs import kernel
from tests.proofs.sound_certificates import sound

F = Fraction
POWERS = ((0, 3), (1, 3), (F(1, 3), 5), (F(-1, 3), 5), (-2, 4), (F(7, 2), 4), (-9, 2), (30, 8))

HEAVY = ((300, 2000), (-400, 1500), (F(1, 3**400), 5000), (F(10**40, 3**80), 9000))

# fmt: off
STEPS = (
    552, 580, 180, 270, 222, 296, 232, 296, 174, 174, 158, 158, 272, 108, 600, 154, 552, 286,
    286, 286, 362, 389, 315, 426, 296, 453, 174, 58, 620, 344, 314, 1198, 610, 319, 2, 901, 483,
    95, 5, 6703, 110, 220, 52, 324, 402, 578, 332, 108, 332, 108, 306, 336, 246, 966, 656, 1626,
    1549, 265, 236, 236, 326, 326, 6, 6, 884, 154, 42, 42, 42, 14, 192, 42, 84, 42, 180, 180,
    184, 184, 192, 396, 396, 416, 452, 464, 146,
)
# fmt: on
STEPS_OF_POWERS = (4, 28, 24, 24, 40, 36, 56, 56, 1730, 2053, 944, 78802)
ENDS = (
    ("1", "1"),
    ("11401291/4194304", "22802639/8388608"),
    ("11707237/8388608", "11707255/8388608"),
    ("12021399/16777216", "24042807/33554432"),
    ("18164393/134217728", "18164395/134217728"),
    ("555584911/16777216", "2222341095/67108864"),
    ("2171048233/17592186044416", "1085524117/8796093022208"),
    ("183592234644583097132301/17179869184", "91796118004897743397233/8589934592"),
)


def counted(call):
    """Return how many steps are spent while a function is called."""
    spent, spend = [], kernel._spend

    def counting(steps):
        spent.append(steps)
        spend(steps)

    kernel._spend = counting
    try:
        call()
    finally:
        kernel._spend = spend
    return sum(spent)


def steps(one):
    return counted(lambda: kernel.check(one.evidence, one.reference))


def steps_of_exp(x, bits):
    return counted(lambda: kernel.exp_enclosure(x, bits))


def test_a_sound_certificate_costs_so_many_steps():
    assert tuple(map(steps, sound())) == STEPS


def test_a_power_of_e_costs_so_many_steps():
    assert tuple(steps_of_exp(*power) for power in (*POWERS, *HEAVY)) == STEPS_OF_POWERS


def test_a_power_of_e_lies_just_here():
    found = [[str(end) for end in kernel.exp_enclosure(*power)] for power in POWERS]
    assert found == [list(ends) for ends in ENDS]
    assert kernel.exp_enclosure(F(5, 7)) == kernel.exp_enclosure(F(5, 7), 64)
    assert kernel.sum_enclosure(((1, 2),)) == kernel.sum_enclosure(((1, 2),), 64)


def test_a_power_of_e_needs_a_bit():
    assert kernel.exp_enclosure(1, 1)
    with pytest.raises(kernel.KernelRefusal, match="bits is 0") as refusal:
        kernel.exp_enclosure(1, 0)
    assert refusal.value.rule == "enclosure"


def test_the_last_step_is_allowed_and_one_more_is_not():
    token = kernel._LEFT.set([5])
    try:
        kernel._spend(0)
        kernel._spend(5)
        kernel._spend(0)
        with pytest.raises(kernel.KernelRefusal) as refusal:
            kernel._spend(1)
    finally:
        kernel._LEFT.reset(token)
    assert refusal.value.rule == "work"
    # Outside of a check nothing is counted.
    kernel._spend(10**9)


def test_products_and_shifts_of_functions():
    f, g = {(1, F(2), F(3)): F(5)}, {(2, F(-1), F(7)): F(2)}
    assert kernel._times(f, g) == {(3, F(1), F(10)): F(10)}
    shifted = kernel._shift({(2, F(3), F(5)): F(7)}, F(2))
    assert shifted == {(0, F(3), F(11)): F(28), (1, F(3), F(11)): F(28), (2, F(3), F(11)): F(7)}
    assert kernel._value({(2, F(3), F(5)): F(7)}, F(2)) == {F(11): F(28)}
    assert kernel._derivative({(2, F(3), F(5)): F(7)}) == {
        (2, F(3), F(5)): F(21),
        (1, F(3), F(5)): F(14),
    }
    assert kernel._plus((2, f), (-3, g)) == {(1, F(2), F(3)): F(10), (2, F(-1), F(7)): F(-6)}


@pytest.mark.parametrize("c", [F(1, 2), F(-1, 2), F(3), F(-3), F(1), F(-1)])
def test_a_sum_takes_the_end_that_makes_it_wider(c):
    low, high = kernel.exp_enclosure(F(1, 3), 8)
    wide = sorted((c * low, c * high))
    assert kernel.sum_enclosure(((F(1, 3), c),), 8) == tuple(wide)


@pytest.mark.parametrize("c", [F(1, 2), F(-1, 2), F(1), F(-1), F(2), F(-2)])
def test_the_first_term_does_not_decide_a_sign(c):
    # e^3 is larger than 2 + 1, whatever stands first.
    for sign in (1, -1):
        far = (3, F(sign))
        assert kernel.sum_sign(((0, c), far)) == kernel.sum_sign((far, (0, c))) == sign
    assert kernel.sum_sign(((0, c),)) == (1 if c > 0 else -1)


def test_a_rate_of_many_digits_costs_more():
    one, large = ([(1, 0, 0, F(rate))] for rate in (3, 3**2000))
    assert counted(lambda: kernel._function(one)) < counted(lambda: kernel._function(large))


def test_points_of_a_split_rise():
    def split(*points):
        parts = (kernel.Enclose(8),) * (len(points) + 1)
        return kernel.ExpressionSign(((1, 0, 0, 1),), 0, kernel.Split(points, parts), 3)

    assert kernel.check(split(1, 2)).verdict == "proved"
    for points in ((1, 1), (2, 1), (0, 1), (1, 3)):
        with pytest.raises(kernel.KernelRefusal) as refusal:
            kernel.check(split(*points))
        assert refusal.value.rule == "split"


def test_one_integer_is_a_scope_and_none_is_not():
    def on(low, high):
        return kernel.ExpressionSign(((1, 0, 0, 0),), low, None, high, integers_to=2)

    assert kernel.check(on(F(1, 2), 1)).verdict == "proved"
    assert kernel.check(on(1, F(3, 2))).verdict == "proved"
    with pytest.raises(kernel.KernelRefusal, match="holds no integer") as refusal:
        kernel.check(on(F(1, 4), F(1, 2)))
    assert refusal.value.rule == "scope"


@pytest.mark.parametrize(
    "ends",
    [
        (),
        ((None, 0),),
        ((0, None),),
        ((None, 0), (1, None)),
        ((None, 0), (0, 0), (0, None)),
        ((None, 1), (1, 0), (0, None)),
        ((None, None), (None, None)),
        ((None, 0), (0, None), (None, None)),
    ],
)
def test_pieces_that_do_not_cover_the_line_once(ends):
    with pytest.raises(kernel.KernelRefusal) as refusal:
        kernel._line(tuple((a, b, ()) for a, b in ends))
    assert refusal.value.rule == "pieces"


def test_pieces_that_cover_the_line_once():
    for ends in (((None, None),), ((None, 0), (0, None)), ((None, 0), (0, 1), (1, None))):
        assert len(kernel._line(tuple((a, b, ()) for a, b in ends))) == len(ends)


def tail(scale):
    """Return the chance that Laplace noise of a scale exceeds t, and the step that it is of."""
    rate, half = 1 / F(scale), F(1, 2)
    below, above = ((1, 0, 0, 0), (-half, 0, 0, rate)), ((half, 0, 0, -rate),)
    step = ((None, 0, ((1, 0, 0, 0),)), (0, None, ()))
    return step, ((None, 0, below), (0, None, above))


@pytest.mark.parametrize("scale", [F(1, 2), F(2, 3), F(2), F(3)])
def test_laplace_noise_of_a_scale(scale):
    step, chance = tail(scale)
    assert kernel.check(kernel.AddLaplace(step, (scale,), (chance,))).verdict == "proved"
    for other in (1 / scale, scale * scale, -scale, F(0)):
        with pytest.raises(kernel.KernelRefusal) as refusal:
            kernel.check(kernel.AddLaplace(step, (other,), (chance,)))
        assert refusal.value.rule == "add-laplace"
    for nothing in (F(0), F(-1, 2)):
        with pytest.raises(kernel.KernelRefusal, match="not above 0"):
            kernel.check(kernel.AddLaplace(step, (nothing,), (step,)))


def test_a_strict_claim_may_rest_on_its_start():
    # The slope of a constant is 0, not above.
    flat = kernel.Differentiate(0, "left", kernel.Coefficients())
    assert kernel.check(kernel.ExpressionSign(((1, 0, 0, 0),), 0, flat, strict=True)).verdict


def test_a_box_of_one_point_and_the_rules_of_others():
    one = ((1, (0,)),)
    assert kernel.check(kernel.MultivariateSign(one, (0,), (0,))).verdict == "verified"
    for rule, wrong in {
        "scope": kernel.MultivariateSign(one, (1,), (0,)),
        "multivariate-sign": kernel.MultivariateSign(one, (0,), (0, 0)),
        "integral": kernel.Integral((), ()),
        "recount": kernel.Recount((), "sum", 0, 0, "nothing"),
    }.items():
        with pytest.raises(kernel.KernelRefusal) as refusal:
            kernel.check(wrong)
        assert refusal.value.rule == rule
    with pytest.raises(kernel.KernelRefusal) as refusal:
        kernel.check(kernel.MultivariateSign(((1, ()),), ()))
    assert refusal.value.rule == "scope"


def test_a_bound_takes_the_powers_that_there_are():
    one, square = ((1, 0, 0, 0),), ((1, 0, 2, 0), (F(1, 2), 0, 0, 0))
    for terms in (one, square):
        sign = kernel.ExpressionSign(terms, -1, kernel.Enclose(8), 1, strict=True)
        assert kernel.check(sign).verdict == "proved"
