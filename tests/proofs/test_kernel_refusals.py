"""Faulty certificates and counterexamples, at least one of each kind, each refused by name."""

import dataclasses
from fractions import Fraction

import pytest

from provado.proofs.kernel import (
    AddLaplace,
    BoxSign,
    BoxSplit,
    ChangeCounterexample,
    Checked,
    Coefficients,
    Differentiate,
    Enclose,
    Enclosure,
    ExpressionSign,
    FunctionRange,
    Identity,
    Integral,
    KernelRefusal,
    LinearConsequence,
    MultivariateSign,
    PointCounterexample,
    PrivacyCounterexample,
    Recount,
    Split,
    check,
    sum_sign,
)

F = Fraction
X = (1, 0, 1, 0)
ONE = (1, 0, 0, 0)
GROWS = (1, 0, 0, 1)
FALLS = (1, 0, 0, -1)
E = ((1, 1),)


def times(c, term):
    return (c * term[0], *term[1:])


STEP = ((None, 0, (ONE,)), (0, None, ()))
# Pr[Laplace(0, 1) > t].
TAIL = ((None, 0, (ONE, times(F(-1, 2), GROWS))), (0, None, (times(F(1, 2), FALLS),)))


def two_sided(c):
    """Return a claimed tail of two Laplace variables, with c for the 2 in (2 + t)·e^(−t)/4."""
    left = (ONE, (F(-c, 4), 0, 0, 1), (F(1, 4), 0, 1, 1))
    return ((None, 0, left), (0, None, ((F(c, 4), 0, 0, -1), (F(1, 4), 0, 1, -1))))


def total(data):
    """A reference function: the sum of a dataset."""
    return sum(data)


def first_wins(data):
    """A reference function: Pr[data[0] + Laplace(1) > 0] for data[0] ≤ 0."""
    return ((data[0], F(1, 2)),)


def floating(data):
    return float(sum(data))


CHANGE = ChangeCounterexample((1, 2), (1, 5), "replace-one", (3, 6), 2)
PRIVACY = PrivacyCounterexample(
    (0, 0), (-2, 0), 2, "first wins", (((0, F(1, 2)),), ((-2, F(1, 2)),)), 1
)
ROWS = ((("a", 0), 1), (("b", 0), 4))
AT_LEAST = ((("x", 1),), 0, False)

ALONE = ((1, (0,)),)
"""The number 1, of one variable."""

PLANTED = [
    # Inequalities: x − 1 is below 0 at 0; the argument shows it nowhere.
    ("coefficients", ExpressionSign((X, times(-1, ONE)), 0, Coefficients())),
    # 1 − x on [0, 2] ends below 0; x on [0, 1] is 0 at an end; so is e^x·x on [0, ∞).
    ("coefficients", ExpressionSign((ONE, times(-1, X)), 0, Coefficients(), 2)),
    ("coefficients", ExpressionSign((X,), 0, Coefficients(), 1, strict=True)),
    ("coefficients", ExpressionSign(((1, 0, 1, 1),), 0, Coefficients(), strict=True)),
    # x² − x is below 0 within [0, 2] though 0 or more at both ends.
    ("coefficients", ExpressionSign(((1, 0, 2, 0), times(-1, X)), 0, Coefficients(), 2)),
    # e^(−1) − e^(−2) − 1/4 < 0: constants count with their exact sign.
    (
        "coefficients",
        ExpressionSign(((1, -1, 0, 0), (-1, -2, 0, 0), (F(-1, 4), 0, 0, 0)), 0, Coefficients()),
    ),
    # −x on [−1, 1]; and −1 − x on [−1, 0], whose upper end is 0.
    ("enclose", ExpressionSign((times(-1, X),), -1, Enclose(), 1)),
    ("enclose", ExpressionSign((times(-1, ONE), times(-1, X)), -1, Enclose(), 0)),
    ("enclose", ExpressionSign((ONE,), 0, Enclose())),
    # e^x − 2 − x starts below 0; e^x − 1 − x is not above 0 at 0.
    (
        "differentiate",
        ExpressionSign(
            (GROWS, times(-2, ONE), times(-1, X)), 0, Differentiate(0, "left", Coefficients())
        ),
    ),
    (
        "differentiate",
        ExpressionSign(
            (GROWS, times(-1, ONE), times(-1, X)),
            0,
            Differentiate(0, "left", Differentiate(0, "left", Coefficients())),
            strict=True,
        ),
    ),
    # 2 − x falls from 2: its derivative has the wrong sign.
    (
        "coefficients",
        ExpressionSign((times(2, ONE), times(-1, X)), 0, Differentiate(0, "left", Coefficients())),
    ),
    # −e^(−x) rises to its limit 0, so that the limit says nothing.
    (
        "coefficients",
        ExpressionSign((times(-1, FALLS),), 0, Differentiate(0, "right", Coefficients())),
    ),
    ("limit", ExpressionSign((X,), 0, Differentiate(0, "right", Coefficients()))),
    ("exact-data", ExpressionSign((X,), 0, Differentiate(0, "top", Coefficients()))),
    ("split", ExpressionSign((ONE,), 0, Split((2, 1), (Coefficients(),) * 3))),
    ("split", ExpressionSign((ONE,), 0, Split((5,), (Coefficients(),) * 2), 3)),
    ("split", ExpressionSign((ONE,), 0, Split((1,), (Coefficients(),)))),
    ("argument", ExpressionSign((ONE,), 0, None)),
    ("scope", ExpressionSign((ONE,), 1, Coefficients(), 1)),
    # n² − 3n + 2 = 0 at 1 and 2, and 1/2 − n below 0 from 1 on; 10^9 integers are too many.
    (
        "integers",
        ExpressionSign(
            ((1, 0, 2, 0), (-3, 0, 1, 0), times(2, ONE)),
            0,
            Coefficients(),
            strict=True,
            integers_to=3,
        ),
    ),
    ("integers", ExpressionSign(((F(1, 2), 0, 0, 0), times(-1, X)), 0, None, 1, False, 1)),
    ("coefficients", ExpressionSign((X, times(-5, ONE)), 5, Coefficients(), 9, True, 5)),
    ("work", ExpressionSign((ONE,), 0, Coefficients(), integers_to=10**9)),
    # A denominator that reaches 0.
    ("coefficients", ExpressionSign((ONE,), 0, Coefficients(), denominator=(X,))),
    ("denominator", ExpressionSign((ONE,), 0, None, 3, False, 4, (X,))),
    # x·y − x − y is below 0 at (1, 1); x·y is 0 at the corner (0, 0).
    ("multivariate-sign", MultivariateSign(((1, (1, 1)), (-1, (1, 0)), (-1, (0, 1))), (1, 1))),
    ("multivariate-sign", MultivariateSign(((1, (1, 1)),), (0, 0), strict=True)),
    ("multivariate-sign", MultivariateSign(((1, (2,)), (-4, (1,)), (3, (0,))), (0,), (5,))),
    ("multivariate-sign", MultivariateSign(((1, (1,)),), (0,), (5,), strict=True)),
    ("multivariate-sign", MultivariateSign(((1, (1, 1)),), (0,))),
    ("scope", MultivariateSign(((1, (1,)),), (3,), (2,))),
    ("exact-data", MultivariateSign(((1, (0,)), (-5, (-1,))), (1,))),
    # x − 1 is −1 at 0; x is 0 there; cuts that are none; ends that fit no term, and no box.
    ("box-sign", BoxSign(((1, (1,)), (-1, (0,))), (0,), (2,))),
    ("box-sign", BoxSign(((1, (1,)),), (0,), (1,), None, True)),
    ("box-sign", BoxSign(ALONE, (0,), (1,), BoxSplit(0, 0))),
    ("box-sign", BoxSign(ALONE, (0,), (1,), BoxSplit(0, 1))),
    ("box-sign", BoxSign(ALONE, (0,), (1,), BoxSplit(0, -1))),
    ("box-sign", BoxSign(ALONE, (0,), (1,), BoxSplit(0, 2))),
    ("box-sign", BoxSign(ALONE, (0,), (None,), BoxSplit(0, 0))),
    ("box-sign", BoxSign(ALONE, (0,), (1,), BoxSplit(1, F(1, 2)))),
    ("box-sign", BoxSign(ALONE, (0,), (1,), BoxSplit(-1, F(1, 2)))),
    ("box-sign", BoxSign(ALONE, (0,), (1, 1))),
    ("box-sign", BoxSign((), (0, 0), (1,))),
    ("box-sign", BoxSign(((1, (0, 0)),), (0,), (1,))),
    ("box-sign", BoxSign((*ALONE, (1, (0, 0))), (0,), (1,))),
    ("scope", BoxSign(((1, ()),), (), ())),
    ("scope", BoxSign(ALONE, (1,), (0,))),
    ("scope", BoxSign(((1, (0, 0)),), (0, 1), (1, 0))),
    ("exact-data", BoxSign(((1, (0,)), (-5, (-1,))), (1,), (2,))),
    # Identities and numbers.
    ("identity", Identity(((1, 2, 0, 0),), ((1, 1, 0, 0), (1, 1, 0, 0)))),
    ("identity", Identity((GROWS,), (ONE, X, (F(1, 2), 0, 2, 0)))),
    ("enclosure", Enclosure(E, F(2), F(27, 10))),
    ("enclosure", Enclosure(E, F(272, 100), F(3))),
    ("enclosure", Enclosure(((0, 2),), 0, F(69, 100), logarithm=True)),
    ("enclosure", Enclosure(((0, -2),), 0, 1, logarithm=True)),
    # A negative denominator turns the inequalities round: −1 is not in [1, −5].
    ("enclosure", Enclosure(((0, 1),), 1, -5, ((0, -1),))),
    ("function-range", FunctionRange("exp", 0, 1, 1, F(27, 10))),
    ("function-range", FunctionRange("exp", 0, 1, F(101, 100), 3)),
    ("function-range", FunctionRange("ln", 0, 1, -9, 0)),
    ("function-range", FunctionRange("exp", 0, None, 0, 9)),
    ("function-range", FunctionRange("exp", 0, 1, 1 + F(1, 10**15), 3)),
    ("function-range", FunctionRange("exp", None, 0, F(1, 100), 1)),
    ("function-range", FunctionRange("ln", F(1, 2), 1, F(-69, 100), 0)),
    ("function-range", FunctionRange("sqrt", -1, 2, F(1, 10), 2)),
    ("function-range", FunctionRange("sin", 0, 1, 0, F(84, 100))),
    ("function-range", FunctionRange("cos", None, 0, 0, 1)),
    ("function-range", FunctionRange("cos", 0, 7, 0, 1)),
    ("function-range", FunctionRange("normal", 0, None, F(1, 2), F(99, 100))),
    ("scope", FunctionRange("exp", 1, 0, 0, 9)),
    ("enclosure", FunctionRange("ln", None, -1, None, 0)),
    ("enclosure", FunctionRange("ln", None, 0, None, 0)),
    ("enclosure", FunctionRange("sqrt", -2, -1, 0, 1)),
    ("enclosure", FunctionRange("exp", 0, 1, 1, 3, 0)),
    ("enclosure", FunctionRange("exp", 0, 1, 1, 3, 16385)),
    ("exact-data", FunctionRange("tan", 0, 1, 0, 2)),
    # Integrals: a wrong antiderivative, a wrong value, no convergence, ends exchanged.
    ("integral", Integral(((0, 1, ((X,),), (X,)),), ((0, 1),))),
    ("integral", Integral(((0, 1, ((X,), (X,)), ((F(1, 3), 0, 3, 0),)),), ((0, F(1, 2)),))),
    ("limit", Integral(((0, None, ((ONE,),), (X,)),), ((0, 1),))),
    ("integral", Integral(((1, 0, ((ONE,),), (X,)),), ((0, -1),))),
    # Sums of Laplace variables: 3 for 2, a scale of 2 for 1, a jump, a gap, no bound.
    ("add-laplace", AddLaplace(STEP, (1, 1), (TAIL, two_sided(3)))),
    ("add-laplace", AddLaplace(STEP, (2, 1), (TAIL, two_sided(2)))),
    (
        "add-laplace",
        AddLaplace(STEP, (1,), (((None, 0, (ONE, times(-1, GROWS))), (0, None, (FALLS,))),)),
    ),
    # Continuous, and a solution on both sides, but its slope jumps.
    (
        "add-laplace",
        AddLaplace(
            STEP,
            (1,),
            (((None, 0, (ONE, times(F(-1, 4), GROWS))), (0, None, (times(F(3, 4), FALLS),))),),
        ),
    ),
    ("add-laplace", AddLaplace(STEP, (1, 1), (TAIL, TAIL))),
    ("add-laplace", AddLaplace(STEP, (0,), (STEP,))),
    ("add-laplace", AddLaplace(STEP, (-1,), (TAIL,))),
    ("add-laplace", AddLaplace(STEP, (1, 1), (TAIL,))),
    ("pieces", AddLaplace(((None, 0, (ONE,)), (1, None, ())), (1,), (TAIL,))),
    ("pieces", AddLaplace(STEP[1:], (1,), (TAIL,))),
    ("limit", AddLaplace(STEP, (1,), ((TAIL[0], (0, None, (FALLS, GROWS))),))),
    ("limit", AddLaplace(STEP, (1,), (((None, 0, (ONE, FALLS)), TAIL[1]),))),
    # Consequences: no multiplier, one below 0, other terms, a constant too large, no strict one.
    ("linear-consequence", LinearConsequence((AT_LEAST,), (), AT_LEAST)),
    ("linear-consequence", LinearConsequence((AT_LEAST,) * 2, (-1, 2), AT_LEAST)),
    ("linear-consequence", LinearConsequence((AT_LEAST,), (2,), AT_LEAST)),
    ("linear-consequence", LinearConsequence((AT_LEAST,), (1,), ((("x", 1),), -1, False))),
    ("linear-consequence", LinearConsequence((AT_LEAST,), (1,), ((("x", 1),), 0, True))),
    # Recounts: a wrong maximum, a row lost, a row twice, no such operation.
    ("recount", Recount(ROWS, "maximum", 5, 2, "pairs")),
    ("recount", Recount(ROWS, "sum", 5, 3, "pairs")),
    ("recount", Recount((ROWS[0], ROWS[0]), "sum", 2, 2, "pairs")),
    ("exact-data", Recount(ROWS, "median", 1, 2, "pairs")),
    # Counterexamples that are none.
    ("point-counterexample", PointCounterexample((X,), "≥ 0", 1)),
    ("point-counterexample", PointCounterexample((X,), "≥ 0", -1, lower=0)),
    ("point-counterexample", PointCounterexample((X,), "> 0", F(-1, 2), integers=True)),
    ("point-counterexample", PointCounterexample((X, times(-1, X)), "= 0", 7)),
    ("exact-data", PointCounterexample((X,), "≤ 0", 7)),
    ("change", dataclasses.replace(CHANGE, claimed=3)),
    ("change", dataclasses.replace(CHANGE, claimed=-1)),
    ("replay", dataclasses.replace(CHANGE, values=(3, 7))),
    ("neighbors", dataclasses.replace(CHANGE, d=(0, 3))),
    ("neighbors", dataclasses.replace(CHANGE, relation="add-or-remove-one")),
    ("neighbors", dataclasses.replace(CHANGE, relation=2)),
    ("neighbors", dataclasses.replace(CHANGE, d_prime=(1, 2), relation=2)),
    (
        "neighbors",
        ChangeCounterexample((1, 2), (1, 2, 3, 4), "add-or-remove-one", (3, 10), 2),
    ),
    # Not more than a factor e, though by more than 1, or nearly; and a logarithm of 0.
    *(
        ("change", ChangeCounterexample(d, d_prime, "replace-one", sums, 1, logarithm=True))
        for d, d_prime, sums in (
            ((1, 2), (1, 5), (3, 6)),
            ((1, 2), (1, 7), (3, 8)),
            ((0, 0), (0, 5), (0, 5)),
            ((0, 5), (0, 0), (5, 0)),
        )
    ),
    # Malformed data, floats, lists.
    ("exact-data", Identity(((1, 2, 0),), ())),
    ("exact-data", Identity(((0.5, 0, 0, 0),), ((F(1, 2), 0, 0, 0),))),
    ("exact-data", Identity([ONE], [ONE])),
    ("exact-data", Identity(((True, 0, 0, 0),), (ONE,))),
    ("exact-data", Identity(((1, 0, -1, 0),), ((1, 0, -1, 0),))),
    ("evidence", "x ≥ 0"),
]

PLANTED_PRIVACY = [
    ("privacy", dataclasses.replace(PRIVACY, epsilon=2)),
    ("privacy", dataclasses.replace(PRIVACY, delta=F(1, 3))),
    ("privacy", dataclasses.replace(PRIVACY, epsilon=-1)),
    ("replay", dataclasses.replace(PRIVACY, probabilities=(((0, 1),), ((-2, F(1, 2)),)))),
    ("neighbors", dataclasses.replace(PRIVACY, relation=1)),
]


@pytest.mark.parametrize(("rule", "evidence"), PLANTED)
def test_a_planted_fault_is_refused_by_name(rule, evidence):
    with pytest.raises(KernelRefusal) as refusal:
        check(evidence, total)
    assert refusal.value.rule == rule
    assert str(refusal.value).startswith(f"{rule}: ")


@pytest.mark.parametrize(("rule", "evidence"), PLANTED_PRIVACY)
def test_a_planted_privacy_counterexample_is_refused_by_name(rule, evidence):
    with pytest.raises(KernelRefusal) as refusal:
        check(evidence, first_wins)
    assert refusal.value.rule == rule


def test_probabilities_above_one_are_refused():
    def double(data):
        return first_wins(data)[0][1] * 4

    twice = dataclasses.replace(PRIVACY, probabilities=(((0, 2),), ((0, 2),)))
    with pytest.raises(KernelRefusal, match=r"^probability:"):
        check(twice, double)


def test_a_replay_needs_an_exact_reference():
    with pytest.raises(KernelRefusal, match=r"^reference:"):
        check(CHANGE)
    with pytest.raises(KernelRefusal, match=r"^exact-data:"):
        check(CHANGE, floating)


def test_an_open_sign_is_refused_and_more_precision_decides_it():
    tiny = F(1, 10**15)
    # e^t − 1 − t is about t²/2.
    close = ((tiny, 1), (0, -1 - tiny))
    with pytest.raises(KernelRefusal, match=r"^sum-sign: 64"):
        sum_sign(close, 64)
    assert sum_sign(close) == 1


def test_nobody_else_makes_a_finding():
    with pytest.raises(KernelRefusal, match=r"^finding:"):
        Checked("proved", "identity", "0 = 1", (), None)
    finding = check(Identity((ONE,), (ONE,)))
    with pytest.raises((KernelRefusal, ValueError)):
        dataclasses.replace(finding, statement="0 = 1")
    with pytest.raises(dataclasses.FrozenInstanceError):
        finding.verdict = "refuted"


def test_every_kind_of_evidence_has_a_planted_fault():
    kinds = {type(evidence) for _, evidence in PLANTED + PLANTED_PRIVACY}
    assert kinds >= {
        BoxSign,
        ExpressionSign,
        MultivariateSign,
        Identity,
        Enclosure,
        FunctionRange,
        Integral,
        AddLaplace,
        Recount,
        PointCounterexample,
        ChangeCounterexample,
        PrivacyCounterexample,
    }
