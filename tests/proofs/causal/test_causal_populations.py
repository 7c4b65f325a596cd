from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings

from provado.mechanisms import UsageError
from provado.proofs.causal.definitions import (
    mutually_independent,
    pairwise_independent_given_the_rest,
)
from provado.proofs.causal.finite_mechanism import finite_mechanism, from_table
from provado.proofs.causal.model import Population, exact, point_mass, population, ratio, uniform
from tests.proofs.causal.causal_strategies import laws
from tests.proofs.causal.distant_products import independent, mixture_of_distant_products
from tests.proofs.causal.factors import factor_at_most_exp
from tests.proofs.causal.records import from_records

BITS3 = list(product((0, 1), repeat=3))


def plainly_independent_given_rest(people):
    """The printed condition by its definition: Pr[a, b | rest] = Pr[a | rest]·Pr[b | rest]."""
    n = len(people.names)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            rest = [name for k, name in enumerate(people.names) if k not in (i, j)]
            for values in people.weights:
                known = {n: v for n, v in zip(people.names, values, strict=True) if n in rest}
                here = people.given(known)
                one, two = here.marginal([people.names[i]]), here.marginal([people.names[j]])
                both = here.marginal([people.names[i], people.names[j]]).weights
                for (a,), p in one.weights.items():
                    for (b,), q in two.weights.items():
                        if both.get((a, b), 0) != p * q:
                            return False
    return True


@settings(max_examples=60)
@given(laws(8, most=2))
def test_conditions_on_three_people(weights):
    people = population(dict(zip(BITS3, weights, strict=True)))
    printed = pairwise_independent_given_the_rest(people)
    assert printed == plainly_independent_given_rest(people)
    assert printed == mixture_of_distant_products(people)
    assert printed or not mutually_independent(people)


def test_copies_of_one_status_meet_the_printed_condition_only():
    copies = uniform([(0, 0, 0), (1, 1, 1)])
    assert pairwise_independent_given_the_rest(copies)
    assert not mutually_independent(copies)
    two = uniform([(0, 0), (1, 1)])
    assert not pairwise_independent_given_the_rest(two)


def test_products_are_independent():
    people = independent([{0: Fraction(1, 3), 1: Fraction(2, 3)}] * 3)
    assert mutually_independent(people)
    assert pairwise_independent_given_the_rest(people)
    nudged = dict(people.weights)
    nudged[0, 0, 0] += Fraction(1, 10**30)
    nudged[1, 1, 1] -= Fraction(1, 10**30)
    assert not mutually_independent(Population(people.names, nudged))
    assert not pairwise_independent_given_the_rest(Population(people.names, nudged))


def test_records_are_counted_exactly():
    people = from_records([("ill", "ill"), ("ill", "well"), ("ill", "ill")], ["Ada", "Byron"])
    assert people.weights == {("ill", "ill"): Fraction(2, 3), ("ill", "well"): Fraction(1, 3)}
    assert people.marginal(["Byron"]).weights == {
        ("ill",): Fraction(2, 3),
        ("well",): Fraction(1, 3),
    }


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: population({(0,): 0.5, (1,): 0.5}), "floats"),
        (lambda: population({(0,): Fraction(1, 2)}), "add up"),
        (lambda: population({}), "add up to 0"),
        (lambda: population({(0,): 1, (0, 1): 0}), "not a tuple of 1"),
        (lambda: uniform([(0, 1)], ["R", "R"]), "not distinct"),
        (lambda: from_records([]), "no records"),
        (lambda: point_mass((0,)).marginal(["R2"]), "no variable"),
        (lambda: point_mass((0,)).given({"R1": 1}), "probability 0"),
        (lambda: from_table({}), "empty"),
        (lambda: from_table({(0, 0): {0: 1}, (1, 1): {0: 1}}), "disagree"),
        (lambda: from_table({(0,): {0: Fraction(1, 2)}}), "add up"),
        (lambda: from_table({(0,): {0: 1.0}}), "floats"),
        (lambda: finite_mechanism([()], lambda d: {0: 1}), "at least one"),
        (lambda: exact(True, "flag"), "flag"),
    ],
)
def test_bad_input_is_refused(make, message):
    with pytest.raises(UsageError, match=message):
        make()


def test_ratios_keep_zero_and_infinity_apart():
    assert ratio(Fraction(0), Fraction(0)) is None
    assert ratio(Fraction(1, 3), Fraction(0)) == float("inf")
    assert ratio(Fraction(0), Fraction(1, 3)) == 0


def test_comparison_with_exp_is_exact():
    # Fifty digits of e, cut off: below e, and above it with one more in the last place.
    e = 271828182845904523536028747135266249775724709369995
    assert factor_at_most_exp(Fraction(e, 10**50), 1)
    assert not factor_at_most_exp(Fraction(e + 1, 10**50), 1)
    assert float(Fraction(e, 10**50)) == float(Fraction(e + 1, 10**50))
    assert factor_at_most_exp(Fraction(1), 0)
    assert not factor_at_most_exp(1 + Fraction(1, 10**40), 0)
    assert not factor_at_most_exp(float("inf"), 100)
    assert factor_at_most_exp(Fraction(22026), 10)
    assert not factor_at_most_exp(Fraction(22027), 10)
    with pytest.raises(UsageError, match="at least 0"):
        factor_at_most_exp(Fraction(1), -1)
