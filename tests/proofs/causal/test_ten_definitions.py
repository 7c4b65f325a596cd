import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.mechanisms import UsageError
from provado.proofs.causal.definitions import (
    DECIDE,
    bayesian_for,
    definition_1,
    definition_2,
    definition_3,
    definition_4_mutual,
    definition_4_printed,
    definition_5,
    definition_6,
    definition_7,
    definition_8,
    definition_9_for_data_points,
    definition_10,
    mutually_independent,
    pairwise_independent_given_the_rest,
)
from provado.proofs.causal.finite_mechanism import finite_mechanism
from provado.proofs.causal.model import distribution, population, uniform
from provado.proofs.causal.search import Case
from tests.proofs.causal.causal_strategies import (
    cases,
    distance,
    largest_ratio,
    mechanisms,
    populations,
)
from tests.proofs.causal.distant_products import independent
from tests.proofs.causal.factors import factor_at_most_exp

quick = settings(max_examples=30)


def by_distance(mechanism, allowed):
    """The largest Pr[A(a) = o]/Pr[A(b) = o] over datasets at an allowed distance, plainly."""
    return largest_ratio(
        pair
        for a, b in product(mechanism.datasets, repeat=2)
        if distance(a, b) in allowed
        for pair in zip(mechanism.table[a], mechanism.table[b], strict=True)
    )


@quick
@given(mechanisms())
def test_definitions_over_all_populations_against_plain_loops(mechanism):
    neighbors = by_distance(mechanism, {1})
    for decide in (
        definition_1,
        definition_2,
        definition_4_mutual,
        definition_5,
        definition_8,
        definition_9_for_data_points,
    ):
        assert decide(mechanism).factor == neighbors
    assert definition_3(mechanism).factor == by_distance(mechanism, {1, 2, 3})
    assert definition_4_printed(mechanism).factor == by_distance(mechanism, {1, 3})


@quick
@given(cases())
def test_definitions_for_one_population_against_the_model(case):
    mechanism, people = case
    model, points = mechanism.model, [f"D{i + 1}" for i in range(mechanism.n)]

    def laws(settings_, **how):
        found = []
        for setting in settings_:
            kind = next(iter(how))
            try:
                law = distribution(model, people, ["O"], **{how[kind]: setting})
            except UsageError:
                continue
            found.append((setting, [law.get((o,), Fraction(0)) for o in mechanism.outputs]))
        return found

    def largest(settings_, how):
        found = laws(settings_, how=how)
        return largest_ratio(
            pair
            for one, left in found
            for other, right in found
            if sum(one[name] != other[name] for name in one) == 1
            for pair in zip(left, right, strict=True)
        )

    whole = [dict(zip(points, d, strict=True)) for d in mechanism.datasets]
    single = [
        [{name: value} for value in domain]
        for name, domain in zip(points, mechanism.domains, strict=True)
    ]
    assert definition_6(mechanism, people).factor == largest(whole, "do")
    assert definition_10(mechanism, people).factor == largest(whole, "given")
    assert definition_7(mechanism, people).factor == max(largest(s, "do") for s in single)
    assert bayesian_for(mechanism, people).factor == max(largest(s, "given") for s in single)


@quick
@given(mechanisms())
def test_each_answer_is_reached_where_it_says(mechanism):
    """Replay the comparison in the model under its own population."""
    for key, how in (("2", "given"), ("3", "given"), ("4 as printed", "given"), ("8", "do")):
        answer = DECIDE[key](Case(mechanism))
        if answer.at is None:
            assert answer.factor == 1
            continue
        at = answer.at
        name = at.where.removeprefix("do(").removesuffix(")")
        sides = []
        for value in (at.d, at.d_prime):
            setting = {name: value}
            law = distribution(mechanism.model, at.people, ["O"], **{how: setting})
            sides.append(law.get((at.output,), Fraction(0)))
        assert sides == [at.left, at.right]
        assert answer.factor == (largest_ratio([tuple(sides)]))


@quick
@given(mechanisms(), st.data())
def test_no_population_needs_more_than_the_decided_bound(mechanism, data):
    people = data.draw(populations(mechanism))
    here = bayesian_for(mechanism, people).factor
    assert here <= definition_3(mechanism).factor
    if pairwise_independent_given_the_rest(people):
        assert here <= definition_4_printed(mechanism).factor
    if mutually_independent(people):
        assert here <= definition_4_mutual(mechanism).factor
    assert definition_10(mechanism, people).factor <= definition_2(mechanism).factor
    assert definition_7(mechanism, people).factor <= definition_8(mechanism).factor


@quick
@given(mechanisms(most_points=3, most_values=2), st.data())
def test_independent_populations_stay_within_definition_4(mechanism, data):
    shares = [data.draw(st.integers(0, 6)) for _ in range(mechanism.n)]
    marginals = [
        {0: Fraction(k, 6), 1: Fraction(6 - k, 6)} if len(domain) == 2 else {0: Fraction(1)}
        for k, domain in zip(shares, mechanism.domains, strict=True)
    ]
    people = independent(marginals)
    assert mutually_independent(people)
    assert bayesian_for(mechanism, people).factor <= definition_4_mutual(mechanism).factor


@quick
@given(mechanisms(most_values=2, zeros=False), st.data())
def test_mixtures_of_boxes_stay_within_the_printed_definition_4(mechanism, data):
    """Two distant datasets with random weights: the populations that the printed condition adds."""
    d = data.draw(st.sampled_from(mechanism.datasets))
    other = tuple(
        1 - v if len(dom) == 2 else v for v, dom in zip(d, mechanism.domains, strict=True)
    )
    share = Fraction(data.draw(st.integers(1, 9)), 10)
    if d == other:
        return
    people = population({d: share, other: 1 - share})
    if len(d) == 2:
        assert not pairwise_independent_given_the_rest(people)
    else:
        assert pairwise_independent_given_the_rest(people)
        assert bayesian_for(mechanism, people).factor <= definition_4_printed(mechanism).factor


def test_rationals_that_tie_as_floats_are_told_apart():
    tiny = Fraction(1, 10**40)
    third = Fraction(1, 3)
    m = finite_mechanism(
        [(0, 1)], lambda d: {0: third + d * tiny, 1: 1 - third - d * tiny}
    )  # fmt: skip
    exact = 1 + 3 * tiny
    assert float(exact) == 1.0
    for key in ("1", "2", "3", "4 as printed", "4 with mutual independence", "5", "8", "9"):
        answer = DECIDE[key](Case(m))
        assert answer.factor == exact
        assert answer.within(exact)
        assert not answer.within(exact - tiny)
        assert not factor_at_most_exp(answer.factor, 0)
        assert factor_at_most_exp(answer.factor, 3 * tiny)
    people = uniform(m.datasets)
    for key in ("6", "7", "10"):
        assert DECIDE[key](Case(m, people)).factor == exact


def test_the_larger_of_two_ratios_that_tie_as_floats_is_reported():
    tiny = Fraction(1, 10**40)
    rows = {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 2) + tiny}
    m = finite_mechanism([(0, 1, 2)], lambda d: {0: rows[d], 1: 1 - rows[d]})
    answer = definition_1(m)
    assert answer.at.d == (2,)
    assert answer.factor == 2 + 4 * tiny
    assert float(answer.factor) == 2.0


def test_zero_probabilities():
    m = finite_mechanism(
        [(0, 1)], lambda d: {0: 1} if d else {0: Fraction(1, 2), 1: Fraction(1, 2)}
    )
    answer = definition_1(m)
    assert answer.factor == math.inf
    assert (answer.at.left, answer.at.right) == (Fraction(1, 2), 0)
    assert not answer.within(10**9)
    assert definition_7(m, uniform([(1,)])).factor == math.inf
    assert definition_10(m, uniform([(1,)])).at is None


def test_one_value_asks_nothing():
    m = finite_mechanism([("only",)] * 2, lambda *_: {"yes": Fraction(1, 3), "no": Fraction(2, 3)})
    for key, decide in DECIDE.items():
        answer = decide(Case(m, uniform(m.datasets)))
        assert (answer.factor, answer.at) == (1, None), key


def test_domains_may_differ():
    m = finite_mechanism(
        [(0, 1), ("a", "b", "c")], lambda d, e: {0: Fraction(1 + d, 3), 1: Fraction(2 - d, 3)}
    )
    assert definition_1(m).factor == definition_8(m).factor == definition_3(m).factor == 2


def test_populations_must_fit():
    m = finite_mechanism([(0, 1)], lambda d: {d: 1})
    for decide in (definition_10, bayesian_for):
        with pytest.raises(UsageError, match="not a dataset"):
            decide(m, uniform([(2,)]))
    for decide in (definition_6, definition_7):
        with pytest.raises(UsageError, match="1 data points"):
            decide(m, uniform([(0, 0)]))
        with pytest.raises(UsageError, match="not a dataset"):
            decide(m, uniform([(2,)]))
    with pytest.raises(UsageError, match="given population"):
        DECIDE["7"](Case(m))
