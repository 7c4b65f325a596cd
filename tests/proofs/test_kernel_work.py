"""What would take long is refused: sizes are capped, and the work of a check is counted."""

from fractions import Fraction

import pytest

from provado.proofs import kernel
from provado.proofs.kernel import (
    MOST_BITS,
    MOST_DEPTH,
    MOST_DIGITS,
    MOST_POWER,
    MOST_WORK,
    AddLaplace,
    BoxSign,
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
    PrivacyCounterexample,
    Recount,
    Split,
    check,
    sum_sign,
)
from tests.proofs.sound_certificates import sound

F = Fraction
ONE, X = (1, 0, 0, 0), (1, 0, 1, 0)


def refusal(evidence, reference=None):
    with pytest.raises(KernelRefusal) as caught:
        check(evidence, reference)
    return caught.value


def deep(argument, levels):
    for _ in range(levels):
        argument = Differentiate(0, "left", argument)
    return argument


def nested(levels):
    label = 0
    for _ in range(levels):
        label = (label,)
    return label


LARGE = 3 ** (MOST_DIGITS * 5 // 8)
RATES = tuple((1, k, 0, F(1, k + 1)) for k in range(100))


def stairs(number):
    """Return 0 on so many pieces."""
    inner = tuple((k, k + 1, ()) for k in range(number - 2))
    return ((None, 0, ()), *inner, (number - 2, None, ()))


HUNDREDS = tuple((1, 0, k, 0) for k in range(MOST_POWER))

# Made when they are tried: some of them are large.
ENDLESS = {
    "e^(10^7)": lambda: Enclosure(((10**7, 1),), 0, 1),
    "e^(−10^9)": lambda: Enclosure(((-(10**9), 1), (0, -1)), 0, 1),
    "e^(10^300)": lambda: Enclosure(((10**300, 1), (0, -1)), 0, 1),
    "ln of e^(10^7)": lambda: Enclosure(((0, 1),), 10**7, 10**8, logarithm=True),
    "ε of 10^9": lambda: PrivacyCounterexample(
        (0,), (1,), "replace-one", "S", (((0, 1),), ((0, 1),)), 10**9
    ),
    "10^9 bits": lambda: ExpressionSign((ONE, (1, 0, 0, 1)), 0, Enclose(10**9), 1),
    "10^100 integers": lambda: ExpressionSign((ONE,), 0, Coefficients(), integers_to=10**100),
    "10^100 points": lambda: MultivariateSign(((1, (0,)),), (0,), (10**100,)),
    "10^6 points of ten terms": lambda: MultivariateSign(((1, (9, 9)),) * 10, (0, 0), (999, 999)),
    "10^6 integers": lambda: ExpressionSign((ONE, X), 0, None, 10**6, integers_to=10**6 + 1),
    "30 variables": lambda: MultivariateSign(((1, (1,) * 30),), (1,) * 30),
    "a box of 30 variables": lambda: BoxSign(((1, (1,) * 30),), (0,) * 30, (1,) * 30),
    "a box of long powers": lambda: BoxSign(((1, (250, 250)),), (0, 1), (1, None)),
    "a large polynomial at a long point": lambda: ExpressionSign(
        HUNDREDS, F(1, LARGE), Coefficients(), F(2, LARGE)
    ),
    "many long fractions": lambda: Enclosure(
        tuple((0, F(1, LARGE - k)) for k in range(1000)), 0, 1
    ),
    "long fractions in a table": lambda: Recount(
        tuple((k, F(1, LARGE - k)) for k in range(1000)), "sum", 1, 1000, "fractions"
    ),
    "products of long sums": lambda: Integral(((0, 1, (RATES,) * 9, ()),), ()),
    "many parts": lambda: ExpressionSign(
        HUNDREDS, 0, Split(tuple(range(1, 5000)), (Coefficients(),) * 5000)
    ),
    "many pieces of a step": lambda: AddLaplace(stairs(10**4), (1,), (stairs(10**4),)),
    "long fractions of many exponents": lambda: Enclosure(
        tuple((k, F(1 if k else -1, LARGE - k)) for k in range(1000)), 0, 1
    ),
    "a long bound": lambda: ExpressionSign(
        ((1, 0, 255, 0), (-1, 0, 254, 0)), F(LARGE - 2, LARGE - 1), Enclose(), 1
    ),
    "points of a hundred long sides": lambda: MultivariateSign(
        ((1, (MOST_POWER,) * 100), (-1, (0,) * 100)), (LARGE,) * 100, (LARGE + 1,) * 100
    ),
    "a hundred long variables": lambda: MultivariateSign(
        ((1, (MOST_POWER,) * 100),), (LARGE,) * 100
    ),
    "three million parts": lambda: Identity((ONE,) * 10**6, ()),
    "long labels": lambda: Recount((("a" * 65 * MOST_WORK, 1),), "count", 1, 1, "one"),
}


@pytest.mark.parametrize("evidence", ENDLESS.values(), ids=ENDLESS)
def test_work_without_end_is_counted_and_refused(evidence):
    assert refusal(evidence(), lambda data: ((0, 1),)).rule == "work"


TOO_LARGE = {
    "x^257": lambda: Identity(((1, 0, MOST_POWER + 1, 0),), ()),
    "x^(10^7)": lambda: ExpressionSign(((1, 0, 10**7, 0),), 1, Coefficients(), 2),
    "x^(10^7) of two variables": lambda: MultivariateSign(((1, (10**7, 1)),), (1, 1)),
    "a product beyond": lambda: Integral(((0, 1, ((HUNDREDS[-1],),) * 2, ()),), ()),
    "a long number": lambda: Identity(((1 << MOST_DIGITS, 0, 0, 0),), ()),
    "a long denominator": lambda: Identity(((F(1, 1 << MOST_DIGITS), 0, 0, 0),), ()),
    "a deep argument": lambda: ExpressionSign((ONE,), 0, deep(Coefficients(), MOST_DEPTH - 1)),
    "a very deep argument": lambda: ExpressionSign((ONE,), 0, deep(Coefficients(), 10**5)),
    "a deep label": lambda: Recount(((nested(MOST_DEPTH - 2), 1),), "sum", 1, 1, "one"),
    "a very deep label": lambda: Recount(((nested(10**5), 1),), "sum", 1, 1, "one"),
}


@pytest.mark.parametrize("evidence", TOO_LARGE.values(), ids=TOO_LARGE)
def test_sizes_are_capped(evidence):
    found = refusal(evidence())
    assert found.rule == "exact-data"
    assert "malformed" not in str(found)


def test_what_reaches_the_caps_is_decided():
    largest = (1 << MOST_DIGITS) - 1
    assert check(Identity(((largest, 0, MOST_POWER, 0),), ((largest, 0, MOST_POWER, 0),)))
    smallest = ((F(1, largest), 0, 0, 0),)
    assert check(Identity(smallest, smallest))
    argued = deep(Coefficients(), MOST_DEPTH - 2)
    assert check(ExpressionSign(((1, 0, 0, 1),), 0, argued)).verdict == "proved"
    assert check(Recount(((nested(MOST_DEPTH - 3), 1),), "sum", 1, 1, "one"))


def test_each_check_has_work_of_its_own():
    label = "a" * 40 * MOST_WORK
    table = Recount(((label, 1),), "count", 1, 1, "rows")

    def checking(data):
        # Neither adds to the check that asks for it, nor to the other.
        for _ in range(2):
            check(table)
        return data[0] + data[1]

    assert refusal(Recount(((label + label, 1),), "count", 1, 1, "rows")).rule == "work"
    change = ChangeCounterexample((1, 2), (1, 5), "replace-one", (3, 6), 2)
    assert check(change, checking).verdict == "refuted"


def test_the_caps_are_these():
    caps = MOST_BITS, MOST_WORK, MOST_DIGITS, MOST_POWER, MOST_DEPTH
    assert caps == (16384, 10**6, 4096, 256, 64)


def test_a_sign_is_sought_up_to_the_most_bits():
    # e^t − 1 − t is about t²/2.
    for digits, sign in ((8150, 1), (8250, None)):
        tiny = F(1, 1 << digits)
        close = ((tiny, 1), (0, -1 - tiny))
        if sign is None:
            with pytest.raises(KernelRefusal, match=r"^sum-sign: 16384"):
                sum_sign(close)
        else:
            assert sum_sign(close) == sign


LONG = (
    Identity(((LARGE, LARGE // 7, 2, F(1, LARGE)), (F(1, LARGE), 0, 0, 0)) * 2, ()),
    Enclosure(tuple((k, F(1, LARGE - k)) for k in range(9)), 0, 1),
    Enclosure(((F(9, 7), 1), (F(9, 7) + F(1, 10**300), -1)), 0, 1),
    Enclosure(((-3000, 1), (0, -1)), 0, 1),
    ExpressionSign(HUNDREDS[:4], F(1, LARGE), Coefficients(), F(2, LARGE)),
    ExpressionSign(RATES[:9], F(1, LARGE), Split((1,), (Enclose(90), Enclose(900))), 2),
    MultivariateSign(((1, (2, 1)),), (F(1, LARGE), LARGE)),
    MultivariateSign(((LARGE, (3, 9)),), (LARGE, 0), (LARGE + 3, 9)),
    AddLaplace(stairs(50), (1,), (stairs(40),)),
    Integral(((0, 1, (RATES[:9],) * 2, ()),), ()),
    Recount((("a" * 1000, LARGE), ("b" * 999, F(1, LARGE)), ((1, (2,)), 3)), "sum", 1, 3, "a" * 99),
)


def steps(evidence, reference=None):
    """Return how much work the check of ``evidence`` counts."""
    counted, spend = [], kernel._spend

    def noting(amount):
        counted.append(amount)
        spend(amount)

    kernel._spend = noting
    try:
        check(evidence, reference)
    except KernelRefusal:
        pass  # What is refused cost no less.
    finally:
        kernel._spend = spend
    assert sum(counted) <= MOST_WORK
    return sum(counted)


def test_so_much_work_is_counted():
    # What changes the count must be meant; then these numbers change with it.
    short: dict[str, int] = {}
    for one in sound():
        name = type(one.evidence).__name__
        short[name] = short.get(name, 0) + steps(one.evidence, one.reference)
    assert short == {
        "ExpressionSign": 8309,
        "MultivariateSign": 3407,
        "BoxSign": 9451,
        "Identity": 382,
        "Enclosure": 2184,
        "FunctionRange": 3430,
        "Integral": 1854,
        "AddLaplace": 4096,
        "LinearConsequence": 2020,
        "Recount": 294,
        "PointCounterexample": 360,
        "ChangeCounterexample": 1712,
        "PrivacyCounterexample": 1478,
        "RepeatedEvent": 5136,
    }
    long = [1762, 60611, 15702, 10851, 17090, 18245, 6456, 16275, 2724, 2658, 1640]
    assert [steps(evidence) for evidence in LONG] == long
