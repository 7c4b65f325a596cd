"""What the kernel computes, step by step: its work and its enclosures are just these.

Other numbers need not be wrong, but no change of them goes unnoticed.
"""

from fractions import Fraction

import pytest

from provado.proofs import kernel
from tests.proofs.sound_certificates import sound

F = Fraction
POWERS = ((0, 3), (1, 3), (F(1, 3), 5), (F(-1, 3), 5), (-2, 4), (F(7, 2), 4), (-9, 2), (30, 8))

RANGES = [
    (name, first, last, bits)
    for name, bits in (
        ("exp", 3),
        ("sqrt", 4),
        ("arctan", 3),
        ("sin", 5),
        ("cos", 5),
        ("normal", 4),
    )
    for first, last in (
        (None, None),
        (None, 1),
        (1, None),
        (0, 1),
        (1, 2),
        (F(-8, 5), F(-1, 2)),
        (3, 4),
        (0, 6),
        (0, F(13, 2)),
        (-100, F(-971, 10)),
        (F(9, 2), 5),
        (F(8, 5), F(38, 5)),
    )
    if name != "sqrt" or last is None or last > 0
] + [("ln", 0, 2, 4), ("ln", F(1, 2), 1, 4), ("ln", -1, None, 4), ("ln", None, F(1, 2), 4)]

HEAVY = ((300, 2000), (-400, 1500), (F(1, 3**400), 5000), (F(10**40, 3**80), 9000))

# fmt: off
STEPS = (
    552, 580, 180, 270, 222, 296, 232, 296, 174, 174, 158, 158, 272, 108, 600, 154, 552, 286,
    286, 286, 362, 389, 315, 426, 296, 453, 174, 58, 620, 344, 314, 1198, 610, 319, 2, 2053,
    579, 111, 5, 6703, 110, 220, 52, 324, 402, 578, 332, 108, 332, 108, 76, 144, 72, 92, 108, 4,
    4, 100, 536, 440, 376, 0, 440, 522, 0, 516, 0, 0, 306, 336, 246, 966, 656, 1626, 1549, 265,
    236, 236, 326, 326, 6, 6, 884, 154, 42, 42, 42, 14, 192, 42, 84, 42, 180, 180, 184, 184,
    192, 396, 396, 416, 452, 464, 146, 1776, 1792, 1568,
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


SMALL_SERIES = ["-1/36893488147419103232", "1119/36893488147419103232"]
HALVES = [
    ["12582909/2097152", "12582913/2097152"],
    ["12582909/2097152", "12582913/2097152"],
    ["5505017/1048576", "11010059/2097152"],
]
LONG_SERIES = [25, 25, 23]
NORMALS = [
    ["3763062669411/11024268787712", "940772038449/2756066834432"],
    ["88270475225020239231/184956521086657527808", "353081901407417978053/739826084301223755776"],
    ["540347508665433/2822212550066176", "540347946038719/2822212531216384"],
]
FUNCTION_ENDS = [
    ("0", "0", 32),
    ("-2303963/2097152", "-2303951/2097152", 48),
    ("-425161/1048576", "-54420603/134217728", 64),
    ("32447726826027/8796093022208", "16223863413087/4398046511104", 80),
    ("-59337166173/8589934592", "-59337165889/8589934592", 76),
    ("27863350061/68719476736", "13931675033/34359738368", 80),
    ("381061692385/549755813888", "23816355775/34359738368", 52),
    ("0", "0", 4),
    ("2", "2", 4),
    ("181/128", "363/256", 4),
    ("908093/1572864", "1816187/3145728", 4),
    ("3/2", "3/2", 4),
    ("0", "0", 4),
    ("121541/262144", "486175/1048576", 36),
    ("2525451883/4294967296", "315681501/536870912", 68),
    ("13816870609401/17592186044416", "13816870609455/17592186044416", 60),
    ("12542499373/8589934592", "50169997781/34359738368", 108),
    ("-22110529745/68719476736", "-5527632433/17179869184", 44),
    ("-23324031000399/17592186044416", "-23324031000041/17592186044416", 148),
    ("0", "0", 44),
    ("3529381/4194304", "882347/1048576", 60),
    ("-451761299/536870912", "-451761291/536870912", 72),
    ("511888944077633/562949953421312", "1023777888155279/1125899906842624", 104),
    ("-135794032669/137438953472", "-135794032119/137438953472", 84),
    ("-952163199719481597/4611686018427387904", "-952163199691170025/4611686018427387904", 120),
    ("-93302815088945777/73786976294838206464", "-23325703658990231/18446744073709551616", 124),
    ("321996535723581/9007199254740992", "10303889615766449/288230376151711744", 124),
    ("1", "1", 48),
    ("2266189/4194304", "566549/1048576", 64),
    ("72518147/134217728", "72518149/134217728", 76),
    ("-234269842250643/562949953421312", "-468539684501273/1125899906842624", 108),
    ("21200157685/137438953472", "21200158235/137438953472", 84),
    ("-4512320154179368585/4611686018427387904", "-4512320154151057013/4611686018427387904", 124),
    (
        "-73786917304852752017/73786976294838206464",
        "-36893458652199883583/36893488147419103232",
        128,
    ),
    ("-288046141679327315/288230376151711744", "-288046141206715455/288230376151711744", 124),
    ("1/2", "1/2", 56),
    ("3/4", "7/8", 116),
    ("315/1024", "79/256", 116),
    ("2084129/2097152", "4168259/4194304", 288),
    ("0", "1/2048", 424),
    ("131071/131072", "1", 0),
    ("0", "1/262144", 0),
    ("1023/1024", "1", 0),
]
STEPS_OF_FUNCTIONS = [372, 329, 506700]
PI_ENDS = ["210828699/67108864", "3294199/1048576"]
RANGE_ENDS = [
    ["0", None],
    ["0", "22802639/8388608"],
    ["11401291/4194304", None],
    ["1", "22802639/8388608"],
    ["11401291/4194304", "61983979/8388608"],
    ["3387261/16777216", "2543975/4194304"],
    ["673958467/33554432", "1832011621/33554432"],
    ["1", "6768415045/16777216"],
    ["1", "22318466873/33554432"],
    [
        "513500415545702911607410999/13803492693581127574869511724554050904902217944340773110325048447598592",
        "583276949962314009813498349/862718293348820473429344482784628181556388621521298319395315527974912",
    ],
    ["1510236391/16777216", "4979923271/33554432"],
    ["41548983/8388608", "268193433065/134217728"],
    ["0", None],
    ["0", "1"],
    ["1", None],
    ["0", "1"],
    ["1", "23/16"],
    ["27/16", "2"],
    ["0", "5/2"],
    ["0", "41/16"],
    ["67/32", "9/4"],
    ["101/80", "221/80"],
    ["-105414373/67108864", "105414373/67108864"],
    ["-105414373/67108864", "105414373/134217728"],
    ["1647099/2097152", "105414373/67108864"],
    ["0", "105414373/134217728"],
    ["1647099/2097152", "148599037/134217728"],
    ["-135854837/134217728", "-1944673/4194304"],
    ["10477751/8388608", "355896529/268435456"],
    ["0", "377325729/268435456"],
    ["0", "380680997/268435456"],
    ["-418973217/268435456", "-837785873/536870912"],
    ["725917729/536870912", "368669525/268435456"],
    ["8490921/8388608", "386538773/268435456"],
    ["-1", "1"],
    ["-1", "1"],
    ["-1", "1"],
    ["0", "28235083/33554432"],
    ["28235079/33554432", "1"],
    ["-1", "-8043425/16777216"],
    ["-1664226354307/2199023255552", "79443501964121/562949953421312"],
    ["-1", "1"],
    ["-1", "1"],
    ["-321276275215579/1125899906842624", "1"],
    ["-1", "-2059274123/2147483648"],
    ["-1", "2146567971/2147483648"],
    ["-1", "1"],
    ["-1", "1"],
    ["-1", "1"],
    ["36259071/67108864", "1"],
    ["-14298696431/34359738368", "18129539/33554432"],
    ["-62705499/2147483648", "58893571/67108864"],
    ["-1", "-1437377453161/2199023255552"],
    ["-1", "1"],
    ["-1", "1"],
    ["-1", "1851815821/2147483648"],
    ["-1810722227/8589934592", "609159997/2147483648"],
    ["-1", "1"],
    ["0", "1"],
    ["0", "27/32"],
    ["53/64", "1"],
    ["1/2", "27/32"],
    ["53/64", "63/64"],
    ["3/64", "5/16"],
    ["15/16", "1"],
    ["1/2", "1"],
    ["1/2", "1"],
    ["0", "1/16"],
    ["15/16", "1"],
    ["15/16", "1"],
    [None, "23258165/33554432"],
    ["-23258165/33554432", "0"],
    [None, None],
    [None, "-23258155/33554432"],
]


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


# fmt: off
FUNCTION_POINTS = [
    (name, x, bits)
    for name, points in (
        ("ln", (1, F(1, 3), F(2, 3), 40, F(1, 1000), F(3, 2), 2)),
        ("sqrt", (0, 4, 2, F(1, 3), F(9, 4))),
        ("arctan", (0, F(1, 2), F(2, 3), 1, 9, F(-1, 3), -4)),
        ("sin", (0, 1, -1, 2, 30, F(-31, 2), F(22, 7), 100000)),
        ("cos", (0, 1, -1, 2, 30, F(-31, 2), F(22, 7), 100000)),
        ("normal", (0, 1, F(-1, 2), F(5, 2), -4, 6, -6, 5)),
    )
    for x, bits in zip(points, (3, 1, 8, 20, 9, 17, 18, 10), strict=False)
]
# fmt: on


def test_functions_lie_just_here_and_cost_so_many_steps():
    found = []
    for point in FUNCTION_POINTS:
        ends = [str(end) for end in kernel.function_enclosure(*point)]
        found.append((*ends, counted(lambda point=point: kernel.function_enclosure(*point))))
    assert found == FUNCTION_ENDS
    heavy = [("arctan", F(1, 3**300), 3000), ("sqrt", F(1, 3**300), 9000), ("sin", 7, 4000)]
    spent = [counted(lambda one=one: kernel.function_enclosure(*one)) for one in heavy]
    assert spent == STEPS_OF_FUNCTIONS
    assert [str(end) for end in kernel.pi_enclosure(4)] == PI_ENDS
    assert kernel.pi_enclosure() == kernel.pi_enclosure(64)
    assert kernel.function_enclosure("ln", 3) == kernel.function_enclosure("ln", 3, 64)
    assert kernel.function_range("ln", 3, 4) == kernel.function_range("ln", 3, 4, 64)


def test_a_series_ends_where_its_terms_fall_by_half():
    # The first term is below the unit, and the next ones are above it.
    small = kernel._series(F(1, 2**70), F(16), lambda k: (1, 2 * k + 3), 1, 1)
    assert [str(end) for end in small] == SMALL_SERIES
    halves = [kernel._series(F(3), F(1), lambda k, r=r: r, 1, 2) for r in ((1, 2), (2, 4), (3, 7))]
    assert [[str(end) for end in one] for one in halves] == HALVES
    # At so many places each step is counted.
    long = [(F(0), F(2, 5)), (F(0), F(3, 7)), (F(0), F(1, 3))]
    spent = [counted(lambda x=x: kernel._series(*x, lambda k: (1, 1), 1, 33000)) for x in long]
    assert spent == LONG_SERIES


def test_functions_need_a_bit_and_no_more_than_there_are():
    assert kernel.function_enclosure("sqrt", 4, kernel.MOST_BITS) == (2, 2)
    assert kernel.function_enclosure("sqrt", 4, 1) == (2, 2)
    for bits in (0, kernel.MOST_BITS + 1):
        with pytest.raises(kernel.KernelRefusal, match="not from 1 to 16384"):
            kernel.function_enclosure("sqrt", 4, bits)


def test_a_normal_lies_just_here_before_it_is_rounded():
    points = ((1, 1), (2, 3), (F(1, 2), 5))
    found = [[str(end) for end in kernel._normal_beyond_half(F(x), bits)] for x, bits in points]
    assert found == NORMALS


def test_ranges_of_functions_are_just_these():
    found = [[None if e is None else str(e) for e in kernel.function_range(*one)] for one in RANGES]
    assert found == RANGE_ENDS


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
