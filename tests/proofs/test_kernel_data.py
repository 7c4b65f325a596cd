"""Data that lie about themselves, scopes that hold nothing, and work without end are refused."""

import copy
import dataclasses
import pickle
import subprocess
import sys
from fractions import Fraction

import numpy as np
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
)

F = Fraction
ONE, X = (1, 0, 0, 0), (1, 0, 1, 0)
STEP = ((None, 0, (ONE,)), (0, None, ()))


def total(data):
    """A reference function: the sum of a dataset."""
    return sum(data)


def refusal(evidence, reference=None):
    with pytest.raises(KernelRefusal) as caught:
        check(evidence, reference)
    return caught.value


# Types that claim to be what they are not.


class LyingInt(int):
    """−1 by its digits, but never below anything."""

    def __lt__(self, other):
        return False

    def __ge__(self, other):
        return True

    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


class LyingFraction(Fraction):
    def __eq__(self, other):
        return True

    def __lt__(self, other):
        return False

    __hash__ = Fraction.__hash__


class LyingTuple(tuple):
    """Shows other parts each time that it is read."""

    __slots__ = ()

    def __iter__(self):
        return iter(())


class LyingText(str):
    __slots__ = ()

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


class LyingIdentity(Identity):
    pass


class LyingKind(type):
    def __eq__(cls, other):
        return True

    def __hash__(cls):
        return hash(Identity)


class Anything(metaclass=LyingKind):
    left, right = (ONE,), (X,)


def hollow(numerator, denominator):
    """A Fraction of the right type that holds what no Fraction may."""
    value = Fraction(1)
    value._numerator, value._denominator = numerator, denominator
    return value


CHANGE = ChangeCounterexample((1, 2), (1, 5), "replace-one", (3, 6), 2)

WRONG_TYPES = {
    "strict is a number": ExpressionSign(((-1, 0, 0, 0),), 0, None, 3, -1, 4),
    "strict is None": ExpressionSign((X,), 0, Coefficients(), strict=None),
    "strict is text": MultivariateSign(((1, (0,)),), (0,), strict="no"),
    "integers is a number": PointCounterexample((X,), "≥ 0", F(-1, 2), integers=0),
    "logarithm is a number": Enclosure(((0, 1),), 0, 0, logarithm=1),
    "logarithm is a large number": Enclosure(((0, 1),), 0, 0, logarithm=10**9),
    "logarithm of a change": dataclasses.replace(CHANGE, logarithm=0),
    "integers_to is a Fraction": ExpressionSign((X,), 0, Coefficients(), integers_to=F(1)),
    "integers_to is a bool": ExpressionSign((X,), 0, Coefficients(), integers_to=True),
    "bits is a bool": ExpressionSign((ONE,), 0, Enclose(True), 1),
    "bits is a Fraction": ExpressionSign((ONE,), 0, Enclose(F(64)), 1),
    "a bound is a Fraction": MultivariateSign(((1, (1,)),), (0,), (F(5),)),
    "no upper is no bound": MultivariateSign(((1, (1,)),), (0,), (None,)),
    "a power is a bool": Identity(((1, 0, True, 0),), (X,)),
    "a power is a Fraction": Identity(((1, 0, F(1), 0),), (X,)),
    "a power of two": Identity(((1, 0, LyingInt(1), 0),), (X,)),
    "a coefficient is a LyingInt": ExpressionSign(((LyingInt(-1), 0, 0, 0),), 0, Coefficients()),
    "a coefficient is a LyingFraction": Identity(((LyingFraction(2), 0, 0, 0),), (ONE,)),
    "an exponent is a LyingFraction": Identity(((1, LyingFraction(2), 0, 0),), (ONE,)),
    "terms are a LyingTuple": Identity(LyingTuple((X,)), ()),
    "a term is a LyingTuple": Identity((LyingTuple(X),), (X,)),
    "terms are a list": Identity([X], (X,)),
    "terms are a generator": Identity((t for t in (X,)), (X,)),
    "terms are None": Identity(None, ()),
    "a float": Identity(((1.0, 0, 0, 0),), (ONE,)),
    "numpy's whole number": Identity(((np.int64(1), 0, 0, 0),), (ONE,)),
    "a Fraction of numpy's": Identity(((F(np.int64(1), np.int64(2)), 0, 0, 0),), (ONE,)),
    "a Fraction over 0": Identity(((hollow(1, 0), 0, 0, 0),), (ONE,)),
    "a Fraction over −1": ExpressionSign(((hollow(1, -1), 0, 0, 0),), 0, Coefficients()),
    "a Fraction not in lowest terms": Identity(((1, hollow(2, 2), 0, 0),), ((1, 1, 0, 0),)),
    "a Fraction of a LyingInt": Identity(((hollow(LyingInt(3), 1), 0, 0, 0),), (ONE,)),
    "a Fraction over a LyingInt": Identity(((hollow(1, LyingInt(2)), 0, 0, 0),), (ONE,)),
    "an operation is a LyingText": Recount((("a", 1),), LyingText("sum"), 1, 1, "one"),
    "an operation that is none": Recount((("a", 1),), "product", 1, 1, "one"),
    "a claim from elsewhere": PointCounterexample((X,), "sum", -1),
    "an end from elsewhere": ExpressionSign((X,), 0, Differentiate(0, "≥ 0", Coefficients())),
    "a scope that is no text": Recount((("a", 1),), "sum", 1, 1, 1),
    "a number of rows is a bool": Recount((("a", 1),), "sum", 1, True, "one"),
    "a label is a list": Recount(((["a"], 1),), "sum", 1, 1, "one"),
    "a label is a float": Recount(((float("nan"), 1), (float("nan"), 1)), "sum", 2, 2, "two"),
    "a label is evidence": Recount(((Identity((), ()), 1),), "sum", 1, 1, "one"),
    "a row of three": Recount((("a", 1, 2),), "sum", 1, 1, "one"),
    "an argument is a class": ExpressionSign((X,), 0, Coefficients),
    "an argument is text": ExpressionSign((X,), 0, "coefficients"),
    "parts are a list": ExpressionSign((X,), 0, Split((1,), [Coefficients()] * 2)),
    "a denominator without argument": ExpressionSign(
        (X,), 0, Coefficients(), 1, False, None, (ONE,), None
    ),
    "a piece of two": AddLaplace(((None, (ONE,)),), (1,), (STEP,)),
    "a sum that is a number": Enclosure(1, 0, 2),
    "a relation is a bool": dataclasses.replace(CHANGE, relation=True),
    "a relation is a LyingText": dataclasses.replace(CHANGE, d=(7, 7), relation=LyingText("x")),
    "a dataset is a list": dataclasses.replace(CHANGE, d=[1, 2]),
    "a record is a list": dataclasses.replace(CHANGE, d=([1], 2)),
    "a record is a LyingInt": dataclasses.replace(CHANGE, d=(LyingInt(1), 2)),
    "three values": dataclasses.replace(CHANGE, values=(3, 6, 9)),
    "one probability a number": PrivacyCounterexample((0,), (1,), 1, "S", (1, ((0, 0),)), 0),
    "an event that is no text": PrivacyCounterexample((0,), (1,), 1, None, ((), ()), 0),
}


@pytest.mark.parametrize("evidence", WRONG_TYPES.values(), ids=WRONG_TYPES)
def test_each_field_is_exactly_of_its_own_kind(evidence):
    assert refusal(evidence, total).rule == "exact-data"


@pytest.mark.parametrize("evidence", [LyingIdentity((ONE,), (ONE,)), Anything(), Identity, None, 1])
def test_what_is_not_exactly_a_kind_of_evidence_is_refused(evidence):
    assert refusal(evidence).rule == "evidence"


def test_a_type_that_equals_all_others_is_none_of_them():
    class Argument(metaclass=LyingKind):
        __hash__ = None

    for field in (Argument(), Anything()):
        assert refusal(ExpressionSign((X,), 0, field)).rule == "exact-data"
        assert refusal(Identity(((field, 0, 0, 0),), ())).rule == "exact-data"


def test_evidence_with_fields_lost_or_added_is_refused():
    lost = object.__new__(ExpressionSign)
    object.__setattr__(lost, "terms", (ONE,))
    added = Identity((ONE,), (ONE,))
    object.__setattr__(added, "remark", "0 = 1")
    assert refusal(lost).rule == refusal(added).rule == "exact-data"


NUMBER, SCOPE = "Number", "Number | None = None"
CLASSES: dict[type, dict[str, str]] = {
    ExpressionSign: {
        "terms": "Expression",
        "lower": NUMBER,
        "argument": "Argument | None",
        "upper": SCOPE,
        "strict": "bool = False",
        "integers_to": "int | None = None",
        "denominator": "Expression = ((1, 0, 0, 0),)",
        "denominator_argument": "Argument = Coefficients()",
    },
    MultivariateSign: {
        "terms": "tuple[tuple[Number, tuple[int, ...]], ...]",
        "lower": "tuple[Number, ...]",
        "upper": "tuple[int, ...] | None = None",
        "strict": "bool = False",
    },
    BoxSign: {
        "terms": "tuple[tuple[Number, tuple[int, ...]], ...]",
        "lower": "tuple[Number, ...]",
        "upper": "tuple[Number | None, ...]",
        "splits": "BoxSplit | None = None",
        "strict": "bool = False",
    },
    Identity: {"left": "Expression", "right": "Expression"},
    Enclosure: {
        "value": "Sum",
        "lower": NUMBER,
        "upper": NUMBER,
        "over": "Sum = ((0, 1),)",
        "logarithm": "bool = False",
    },
    FunctionRange: {
        "name": "FunctionName",
        "first": "Number | None",
        "last": "Number | None",
        "lower": "Number | None",
        "upper": "Number | None",
        "bits": "int = 64",
    },
    Integral: {
        "parts": "tuple[tuple[Number | None, Number | None, tuple[Expression, ...], Expression], "
        "...]",
        "value": "Sum",
    },
    AddLaplace: {"before": "Pieces", "scales": "tuple[Number, ...]", "after": "tuple[Pieces, ...]"},
    LinearConsequence: {
        "hypotheses": "tuple[Row, ...]",
        "multipliers": "tuple[Number, ...]",
        "goal": "Row",
    },
    Recount: {
        "rows": "tuple[tuple[Any, Number], ...]",
        "operation": "Literal['sum', 'maximum', 'minimum', 'count']",
        "claimed": NUMBER,
        "expected_rows": "int",
        "scope": "str",
    },
    PointCounterexample: {
        "terms": "Expression",
        "claim": "Literal['≥ 0', '> 0', '= 0']",
        "at": NUMBER,
        "lower": SCOPE,
        "upper": SCOPE,
        "integers": "bool = False",
    },
    ChangeCounterexample: {
        "d": "tuple[Any, ...]",
        "d_prime": "tuple[Any, ...]",
        "relation": "str | Number",
        "values": "tuple[Number | Sum, Number | Sum]",
        "claimed": NUMBER,
        "logarithm": "bool = False",
    },
    PrivacyCounterexample: {
        "d": "tuple[Any, ...]",
        "d_prime": "tuple[Any, ...]",
        "relation": "str | Number",
        "event": "str",
        "probabilities": "tuple[Sum, Sum]",
        "epsilon": NUMBER,
        "delta": "Number = 0",
    },
    Coefficients: {},
    Enclose: {"bits": "int = 64"},
    Differentiate: {"multiply": NUMBER, "end": "Literal['left', 'right']", "then": "Argument"},
    Split: {"points": "tuple[Number, ...]", "parts": "tuple[Argument, ...]"},
    BoxSplit: {
        "variable": "int",
        "at": NUMBER,
        "below": "BoxSplit | None = None",
        "above": "BoxSplit | None = None",
    },
}


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_the_kinds_that_are_declared_are_these(kind):
    fields = {
        field.name: field.type
        + ("" if field.default is dataclasses.MISSING else f" = {field.default!r}")
        for field in dataclasses.fields(kind)
    }
    assert fields == CLASSES[kind]
    assert kind.__dataclass_params__.frozen


# Scopes that hold nothing.

EMPTY = {
    "no integer between 1/3 and 2/3": ExpressionSign(
        ((-1, 0, 0, 0),), F(1, 3), None, upper=F(2, 3), integers_to=1
    ),
    "none, and the reals argued": ExpressionSign(
        (ONE,), F(1, 3), Coefficients(), upper=F(2, 3), integers_to=0
    ),
    "no variable": MultivariateSign(((1, ()),), ()),
    "no variable in a box": MultivariateSign(((1, ()),), (), ()),
    "a side from 3 to 2": MultivariateSign(((-1, (0, 0)),), (3, 0), (2, 5)),
    "a side without an integer": MultivariateSign(((-1, (0,)),), (F(1, 3),), (0,)),
    "two empty sides": MultivariateSign(((-1, (0, 0)),), (3, 3), (1, 1)),
    "no rows": Recount((), "count", 0, 0, "nothing"),
    "no integral": Integral((), ()),
    "no noise": AddLaplace(STEP, (), ()),
    "no pieces": AddLaplace((), (1,), ((),)),
    "an interval turned round": ExpressionSign((X,), 1, Coefficients(), 0),
    "a point outside": PointCounterexample((X,), "> 0", 0, 1, -1),
    "no parts": ExpressionSign((X,), 0, Split((), ())),
    "a change below 0": dataclasses.replace(CHANGE, claimed=-1),
    "no change at all": dataclasses.replace(CHANGE, d_prime=(1, 2), values=(3, 3), relation=0),
}


@pytest.mark.parametrize("evidence", EMPTY.values(), ids=EMPTY)
def test_a_claim_about_nothing_is_refused(evidence):
    assert refusal(evidence, total).rule not in ("malformed", "exact-data")


# Neighbors, and the reference function.


@pytest.mark.parametrize(
    ("d", "d_prime", "relation"),
    [
        # True equals 1 and hides that two records differ; so does 1 as a Fraction.
        ((1, 2), (True, 5), "replace-one"),
        ((1, 2), (F(1), 5), "replace-one"),
        (((1,), 2), ((True,), 5), "replace-one"),
        ((1, 2), (True, 2, 5), "add-or-remove-one"),
        ((1, 2), (2, 2, 1, 1), "add-or-remove-one"),
        ((1, 1), (1, 2, 3), "add-or-remove-one"),
        ((), (), "replace-one"),
        ((), (), 5),
        ((1, 2), (1, 2, 3), 5),
        ((1, 2), (1, 5), "replace"),
        ((1, "2"), (1, 3), 5),
    ],
)
def test_only_neighbors_are_believed(d, d_prime, relation):
    evidence = ChangeCounterexample(d, d_prime, relation, (0, 9), 1)
    found = refusal(evidence, lambda data: 0 if data == d else 9)
    assert found.rule in ("neighbors", "exact-data")


def test_an_empty_dataset_has_neighbors():
    evidence = ChangeCounterexample((), (5,), "add-or-remove-one", (0, 5), 4)
    assert check(evidence, total).verdict == "refuted"


@pytest.mark.parametrize(
    "answer",
    [LyingInt(3), LyingFraction(3), 3.0, True, None, "3", [3], LyingTuple(((0, 3),)), hollow(6, 2)],
)
def test_a_reference_function_answers_in_exact_data(answer):
    assert refusal(CHANGE, lambda data: answer).rule == "exact-data"


def test_a_reference_function_that_raises_is_refused():
    class SilentError(Exception):
        def __str__(self):
            raise RuntimeError("no words")

    def broken(data):
        raise SilentError

    assert refusal(CHANGE, broken).rule == "malformed"


def test_a_reference_function_cannot_change_what_is_checked():
    d, d_prime = (F(1), 2), (F(1), 5)
    evidence = ChangeCounterexample(d, d_prime, "replace-one", (3, 6), 2)

    def meddling(data):
        object.__setattr__(evidence, "claimed", 0)
        answer = sum(data)
        data[0]._numerator = 100
        return answer

    finding = check(evidence, meddling)
    assert finding.evidence.claimed == 2
    assert finding.evidence.d == (*finding.evidence.d_prime[:1], 2) == (F(1), 2)
    assert finding.statement.startswith("a change of at most 2")


# Findings.


def test_a_finding_is_neither_derived_nor_read_from_a_file():
    finding = check(Identity((ONE,), (ONE,)))
    text = pickle.dumps(finding)
    fields = vars(finding)
    for call in (
        lambda: pickle.loads(text.replace(b"proved", b"forged")),
        lambda: pickle.loads(text.replace(b"both", b"BOTH")),
        lambda: finding.__reduce__()[0]((*fields.values(),), b"no seal"),
        # As the pickle module would rebuild any other object.
        lambda: object.__new__(Checked).__setstate__(fields),
        lambda: type("Forged", (Checked,), {"__post_init__": lambda self, token: None}),
        lambda: Checked("proved", "identity", "0 = 1", (), None, object()),
    ):
        with pytest.raises(KernelRefusal, match=r"^finding:"):
            call()
    for change in ({"statement": "0 = 1"}, {"verdict": "refuted", "token": None}):
        with pytest.raises((KernelRefusal, ValueError)):
            dataclasses.replace(finding, **change)


def test_a_pickled_finding_is_taken_by_the_process_that_checked_it_alone():
    finding = check(Identity((ONE,), (ONE,)))
    text = pickle.dumps(finding)
    assert pickle.loads(text) == copy.deepcopy(finding) == finding
    other = "import pickle, sys; pickle.load(sys.stdin.buffer)"
    run = subprocess.run([sys.executable, "-c", other], input=text, capture_output=True)
    assert run.returncode == 1
    assert b"KernelRefusal: finding: it comes from elsewhere" in run.stderr


def test_changing_the_evidence_afterwards_does_not_change_the_finding():
    evidence = Identity((ONE,), (ONE,))
    finding = check(evidence)
    object.__setattr__(evidence, "right", (X,))
    assert finding.evidence == Identity((ONE,), (ONE,))
    assert check(finding.evidence).statement == finding.statement
