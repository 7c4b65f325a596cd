"""Programs with finitely many values: the exact ε, for every ε, as a formula."""

import math
from fractions import Fraction

import pytest

from provado.mechanisms import UsageError
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import decide
from provado.proofs.programs.probability.exponential_integrals import ExponentialPiece
from provado.proofs.programs.probability.finite_data import (
    FiniteCounterexample,
    FiniteProof,
    formula,
)
from tests.proofs.programs.written import function

F = Fraction

RESPONSE = function(
    """
    def response(x: int, epsilon):
        if bernoulli(exp(epsilon) / (1 + exp(epsilon))):
            output(x)
        else:
            output(1 - x)
    """
)
SPARSE = function(
    """
    def sparse(q, epsilon, threshold=0):
        level = threshold + laplace(2 / epsilon)
        for x in q:
            if x + laplace(4 / epsilon) >= level:
                output(True)
                break
            output(False)
    """
)


def test_randomized_response_has_just_its_epsilon():
    found = decide(RESPONSE, domain=[0, 1])
    assert found.verdict is ProgramVerdict.PROVED
    assert isinstance(found.finite, FiniteProof)
    assert [one.words("ε") for one in found.finite.worst] == ["ε"]


def test_a_smaller_claim_is_refuted_at_some_epsilon():
    found = decide(RESPONSE, epsilon="epsilon*99/100", domain=[0, 1])
    assert found.verdict is ProgramVerdict.REFUTED
    assert isinstance(found.finite, FiniteCounterexample)
    assert found.finite.loss > float(found.finite.claimed)


@pytest.mark.parametrize(("epsilon", "verdict"), [("1", "proved"), ("0.99", "refuted")])
def test_a_number_is_claimed_of_the_program_at_its_parameters(epsilon, verdict):
    found = decide(RESPONSE, epsilon=epsilon, parameters={"epsilon": 1}, domain=[0, 1])
    assert str(found.verdict) == verdict


def test_sparse_vector_on_two_bits_for_all_epsilon():
    found = decide(SPARSE, domain=[0, 1], size=2)
    assert isinstance(found.finite, FiniteProof)
    exact = max(one.loss(F(1)) for one in found.finite.worst)
    assert 0 < exact < 1
    # The exact ε is enough, and nothing below it is.
    just = F(exact).limit_denominator(10**4)
    for factor, verdict in ((just + F(1, 1000), "proved"), (just - F(1, 1000), "refuted")):
        at_one = decide(SPARSE, epsilon=factor, parameters={"epsilon": 1}, domain=[0, 1], size=2)
        assert str(at_one.verdict) == verdict


def test_a_formula_is_as_short_as_it_can_be():
    e = ExponentialPiece.exp(ExponentialPiece.rate(), ExponentialPiece.of(1), plain=False)
    assert formula(e * e, e, "ε") == "ε"
    assert formula(e + ExponentialPiece.of(1), e * (e + ExponentialPiece.of(1)), "ε") == "-ε"
    assert formula(ExponentialPiece.of(1), ExponentialPiece.of(1), "ε") == "0"
    assert formula(ExponentialPiece.of(1), ExponentialPiece(), "ε") == "∞"
    assert formula(e + ExponentialPiece.of(2), ExponentialPiece.of(3), "ε") == "ln((e^(ε) + 2)/(3))"


def test_coins_beyond_0_and_1_are_undecided():
    text = """
    def f(x: int, epsilon):
        if bernoulli(epsilon):
            output(x)
        else:
            output(0)
    """
    found = decide(function(text), domain=[0, 1])
    assert found.verdict is ProgramVerdict.UNDECIDED
    assert "from 0 to 1" in found.reason


def test_numbers_with_noise_are_not_finite():
    text = "def f(x: int, epsilon):\n    output(x + laplace(1 / epsilon))\n"
    found = decide(function(text), domain=[0, 1])
    assert found.verdict is ProgramVerdict.UNDECIDED
    assert "not finite" in found.reason


def test_a_domain_is_not_too_large_and_not_too_small():
    for domain, size in (([0], 1), (range(9), 5)):
        with pytest.raises(UsageError, match="domain"):
            decide(SPARSE, domain=domain, size=size)
    with pytest.raises(UsageError, match="one number"):
        decide(RESPONSE, domain=[0, 1], size=2)


def test_given_pairs_are_all_neighbors():
    # Of three values only the first two are neighbors.
    text = "def f(x: int, epsilon):\n    output(0 if x < 2 else 1)\n"
    assert decide(function(text), pairs=[((0,), (1,))]).verdict is ProgramVerdict.PROVED
    for pairs in ([((1,), (2,))], [((2,), (0,))]):
        found = decide(function(text), pairs=pairs)
        assert found.verdict is ProgramVerdict.REFUTED
        assert "given pair" in found.relation


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"pairs": []}, "there must be one"),
        ({"pairs": [((0, 1), (1,))]}, "as many numbers"),
        ({"pairs": [((0, 1), (1, 1))]}, "one number"),
        ({"pairs": [((0,), (1,))], "domain": [0, 1]}, "without a domain"),
        ({"pairs": [(("1/2",), (1,))]}, "whole numbers"),
        ({"domain": [0, "1/2"]}, "whole numbers"),
    ],
)
def test_pairs_are_of_data_that_the_program_takes(given, words):
    with pytest.raises(UsageError, match=words):
        decide(RESPONSE, **given)


def test_an_impossible_output_needs_more_than_any_epsilon():
    found = decide(function("def f(x: int, epsilon):\n    output(x)\n"), domain=[0, 1])
    assert isinstance(found.finite, FiniteCounterexample)
    assert found.finite.loss == math.inf
