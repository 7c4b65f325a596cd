"""Formulas as data, facts without certificates, and what claims ask for."""

from fractions import Fraction

import pytest

from provado.mechanisms import UsageError
from provado.proofs import kernel
from provado.proofs.algebra import ExpPoly
from provado.proofs.ledger import (
    All,
    Bounded,
    Formula,
    LaplaceTail,
    Stretch,
    show,
    show_claim,
)
from provado.proofs.ledger.claim import Private, Sensitivity, Setting
from provado.proofs.ledger.fact import (
    AtLeastZero,
    Enclosed,
    Equal,
    Fails,
    MovesMore,
    NotPrivate,
    Polynomial,
    Unshown,
    fact_of,
)
from provado.proofs.ledger.find_certificate import moves_more, not_private, refute
from provado.proofs.ledger.formula import at_least_zero, equal
from provado.proofs.ledger.theorem import Stated, Wording, in_coq
from provado.proofs.ledger.wang2020.conditional_scores import FewStrata

X = ExpPoly.term(power=1)


def grow(rate):
    return ExpPoly.term(rate=rate)


# Formulas. ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "top", "bottom"),
    [
        ("30/x", ExpPoly.of(30), X),
        ("(16x − 8)/(x − 1)²", 16 * X - 8, (X - 1) ** 2),
        ("(x + 2)/4·e^(−x)", (X + 2) * Fraction(1, 4) * grow(-1), ExpPoly.of(1)),
        ("5/x + 16/x²", 5 * X**2 + 16 * X, X**3),
        ("-x^3", -(X**3), ExpPoly.of(1)),
        ("2(x − 1)/(x(x − 1)/2)", 2 * (X - 1), X * (X - 1) * Fraction(1, 2)),
        ("e^(1 − 2x/3)", ExpPoly.term(rate=Fraction(-2, 3), exponent=1), ExpPoly.of(1)),
        ("12", ExpPoly.of(12), ExpPoly.of(1)),
    ],
)
def test_a_formula_is_what_it_reads(text, top, bottom):
    found = Formula(text).ratio()
    assert found[0] * bottom == top * found[1]
    assert str(Formula(text)) == text
    renamed = Formula(text.replace("x", "m"), "m")
    assert renamed.ratio() == found


@pytest.mark.parametrize(
    "text",
    ["", "x +", "(x", "x)", "y", "1/0", "x^y", "x^(−1)", "e^x", "e^(x²)", "e^(1/x)", "3 % 4", "²"],
)
def test_a_formula_that_cannot_be_read_is_refused_by_name(text):
    with pytest.raises(UsageError, match=r"^formula "):
        Formula(text)


def test_values_are_exact_or_refused():
    assert Formula("9/(2n)", "n").at(9) == Fraction(1, 2)
    with pytest.raises(UsageError, match="no rational number"):
        Formula("e^(x)").at(1)
    with pytest.raises(UsageError, match="not a number"):
        Formula("1/x").value()


# Facts. ---------------------------------------------------------------------------------------

ZEROS, ONES = ((0,), (1,)), ((0, 1),)


def ones(values):
    return sum(values)


def chance(values):
    return Fraction(1 + sum(values), 4)


FACTS = [
    at_least_zero("x² + 1", 0),
    at_least_zero("(x + 1)/(x + 2)", 0, 5, strict=True),
    at_least_zero("x² − 3x + 2", 0, 7, integers=True),
    Polynomial(((1, (1, 1)), (2, (0, 0))), (0, 0)),
    Polynomial(((1, (1,)),), (0,), (4,)),
    equal("(x + 1)²", "x² + 2x + 1"),
    Enclosed(((0, 3),), 1, 2, logarithm=True),
    LaplaceTail((1, 1), Formula("(x + 2)/4·e^(−x)"), "").obligations()[0],
]


@pytest.mark.parametrize("fact", FACTS, ids=str)
def test_a_fact_is_read_off_its_finding(fact):
    assert fact_of(show(fact)) == fact
    assert str(fact)


def test_counterexamples_are_read_off_with_what_they_refute():
    name = __name__
    fails = Fails((X - 1).as_data(), "≥ 0", 0)
    moves = MovesMore(f"{name}.ones", "replace-one", Fraction(1, 2))
    leaks = NotPrivate(f"{name}.chance", "replace-one", Fraction(1, 2))
    assert fact_of(refute(fails, Fraction(1, 2))) == fails
    assert fact_of(moves_more(moves, ZEROS, ones)) == moves
    assert fact_of(not_private(leaks, ((1,), (0,)), "yes", chance)) == leaks


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (at_least_zero("x", 0), at_least_zero("x", 1)),
        (at_least_zero("x", 0), at_least_zero("x", 0, 9)),
        (at_least_zero("x + 1", 0), at_least_zero("x + 1", 0, strict=True)),
        (at_least_zero("x", 0, 3), at_least_zero("x", 0, 3, integers=True)),
        (at_least_zero("x", 0), at_least_zero("2x", 0)),
        (MovesMore("f", "replace-one", 1), MovesMore("f", "add-or-remove-one", 1)),
        (MovesMore("f", "replace-one", 1), MovesMore("g", "replace-one", 1)),
        (NotPrivate("f", "replace-one", 1), NotPrivate("f", "replace-one", 1, 1)),
    ],
)
def test_neither_weaker_nor_stronger_facts_match(one, other):
    assert one != other


def test_normal_form_sees_through_how_it_is_written():
    collected = AtLeastZero(((2, 0, 1, 0),), 0)
    assert AtLeastZero(((1, 0, 1, 0), (1, 0, 1, 0), (0, 3, 0, 0)), 0) == collected
    assert Polynomial(((1, (1,)), (1, (1,))), (0,)) == Polynomial(((2, (1,)),), (0,))
    assert equal("x + x", "2x") == Equal(((2, 0, 1, 0),), ((2, 0, 1, 0),))


@pytest.mark.parametrize("fact", [Unshown("all"), MovesMore("f", "replace-one", 1)])
def test_what_needs_data_of_its_own_is_not_searched_for(fact):
    with pytest.raises(UsageError, match="data of its own"):
        show(fact)


@pytest.mark.parametrize(
    "fact", [at_least_zero("x − 1", 0), equal("x", "2x"), Enclosed(((0, 3),), 4, 5)]
)
def test_what_is_false_is_refused_by_the_kernel(fact):
    with pytest.raises(kernel.KernelRefusal):
        show(fact)


# Claims. --------------------------------------------------------------------------------------


def bounded(bound, **more):
    return Bounded("a move", Formula(bound, "m"), (Stretch(Formula("6/(m + 1)", "m"), 2),), **more)


def test_a_bound_asks_for_the_difference_to_the_derived_one():
    (fact,) = bounded("30/m").obligations()
    assert fact == at_least_zero("(24m + 30)/(m(m + 1))", 2, variable="m")
    assert bounded("30/m").formula == "a move ≤ 30/m for m ≥ 2"
    assert show_claim(bounded("30/m"))
    (against,) = bounded("5/m").counterexamples()
    assert fact_of(refute(against, 6)) == against


def test_a_bound_with_the_relation_turned_round_asks_for_the_opposite():
    claim = bounded("30/m", relation="≥")
    with pytest.raises(kernel.KernelRefusal):
        show_claim(claim)
    assert claim.obligations() != bounded("30/m").obligations()


def test_a_bound_that_is_the_derived_one_is_an_identity():
    claim = bounded("6/(m + 1)", same=True)
    assert len(show_claim(claim)) == 2
    with pytest.raises(kernel.KernelRefusal, match="identity"):
        show_claim(bounded("7/(m + 1)", same=True))


@pytest.mark.parametrize("tail", ["(x + 1)/4·e^(−x)", "(x + 2)/4·e^(−x/2)", "(x + 2)/5·e^(−x)"])
def test_a_wrong_tail_is_refused(tail):
    with pytest.raises(kernel.KernelRefusal):
        show_claim(LaplaceTail((1, 1), Formula(tail), ""))


def test_a_privacy_claim_asks_for_its_own_epsilon_delta_and_mechanism():
    claim = Private("A", "replace-one", (Setting("f", Fraction(1, 2), Fraction(1, 9)),), 3, 2)
    assert claim.counterexamples() == (
        NotPrivate("f", "replace-one", Fraction(3, 2), Fraction(2, 9)),
    )
    assert claim.formula == "A is (3ε, 2δ)-DP, tried at (ε, δ) = (1/2, 1/9)"
    pure = Private("A", "replace-one", (Setting("f", 1),))
    assert pure.counterexamples() == (NotPrivate("f", "replace-one", 1, 0),)
    assert claim.obligations() == pure.obligations() == ()


def test_a_sensitivity_claim_asks_for_its_bound_at_its_size():
    claim = Sensitivity("s", "replace-one", Formula("9/(2n)", "n"), (("f", 9), ("f", 3)))
    assert [fact.claimed for fact in claim.counterexamples()] == [Fraction(1, 2), Fraction(3, 2)]


def test_all_asks_for_everything_and_for_nothing_if_a_part_cannot_be_had():
    one, other = bounded("30/m"), bounded("6/(m + 1)", same=True)
    both = All((one, other))
    assert both.obligations() == one.obligations() + other.obligations()
    assert both.counterexamples() == ()
    assert All((one, Private("A", "replace-one", (Setting("f", 1),)))).obligations() == ()


@pytest.mark.parametrize(
    ("printed", "term"),
    [
        ("4/m", "4%:R / m%:R"),
        ("(16m − 8)/(m − 1)²", "(16%:R * m%:R - 8%:R) / (m%:R - 1) ^+ 2"),
        ("2m(m + 1)^12·3", "2%:R * m%:R * (m%:R + 1) ^+ 12 * 3%:R"),
        ("−m + 5/m + 16/m²", " - m%:R + 5%:R / m%:R + 16%:R / m%:R ^+ 2"),
    ],
)
def test_a_printed_bound_is_a_term_of_coq(printed: str, term: str) -> None:
    assert in_coq(Formula(printed, "m"), "m%:R") == term


def test_exponentials_are_no_term() -> None:
    with pytest.raises(UsageError, match="an exponential has no form"):
        in_coq(Formula("e^(x)"), "x")


def test_another_constant_or_size_is_another_statement() -> None:
    wording = Wording("({start} <= m)%N -> {bound}", ("definitions.dataset",))

    def text(bound: str, start: int) -> str:
        sharp = (Stretch(Formula("6/(m + 1)", "m"), start),)
        said = Stated("a move", Formula(bound, "m"), sharp, wording=wording).statement()
        return said.text if said else ""

    assert text("30/m", 2) == "(2 <= m)%N -> 30%:R / m%:R"
    assert len({text("30/m", 2), text("31/m", 2), text("30/m", 3), text("30/m²", 2)}) == 4
    assert Stated("a move", Formula("30/m", "m"), ()).statement() is None


@pytest.mark.parametrize(
    ("change", "bound"),
    [
        ({}, "12%:R / (2%:R * m%:R - 7%:R"),
        ({"both": 18}, "20%:R"),
        ({"shift": 1}, "2%:R * #|Z|%:R"),
    ],
)
def test_the_bound_over_strata_follows_from_its_parts(change, bound: str) -> None:
    assert bound in FewStrata(**change).statement().text
