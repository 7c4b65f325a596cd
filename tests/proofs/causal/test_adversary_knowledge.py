import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from provado.mechanisms import UsageError
from provado.proofs.causal.definitions import definition_1
from provado.proofs.causal.examples import noisy_count
from provado.proofs.causal.finite_mechanism import finite_mechanism, replaced
from provado.proofs.causal.model import Population, uniform
from provado.proofs.causal.posterior import largest_change, posterior
from tests.proofs.causal.causal_strategies import mechanisms, populations
from tests.proofs.causal.worst_posterior import (
    event_change,
    posterior_without,
    worst_mass,
    worst_prior,
)

quick = settings(max_examples=50)


def both(mechanism, prior, output, index, instead):
    with_data = posterior(mechanism, prior, output)
    without = posterior_without(mechanism, prior, output, index, instead)
    return with_data.weights, without.weights


@quick
@given(mechanisms(most_values=2, zeros=False), st.data())
def test_no_prior_moves_posteriors_further_than_the_bound(mechanism, data):
    prior = data.draw(populations(mechanism))
    index = data.draw(st.integers(0, mechanism.n - 1))
    instead = data.draw(st.sampled_from(mechanism.domains[index]))
    output = data.draw(st.sampled_from(mechanism.outputs))
    one, two = both(mechanism, prior, output, index, instead)
    s = largest_change(mechanism).factor
    for d in prior.weights:
        assert 1 / s <= one[d] / two[d] <= s
    gain = sum((max(one[d] - two[d], 0) for d in prior.weights), Fraction(0))
    # gain ≤ (√s − 1)/(√s + 1), without the root: (1 + gain)² ≤ s·(1 − gain)².
    assert (1 + gain) ** 2 <= s * (1 - gain) ** 2


@quick
@given(mechanisms(zeros=False))
def test_change_is_within_twice_epsilon(mechanism):
    r = definition_1(mechanism).factor
    assert largest_change(mechanism).factor <= r**2


@quick
@given(mechanisms(most_values=2, zeros=False), st.integers(1, 30))
def test_worst_prior_reaches_what_is_promised(mechanism, k):
    change = largest_change(mechanism)
    assume(change.high != change.low)
    mass = Fraction(1, k + 1)
    prior = worst_prior(mechanism, change, mass)
    one, two = both(mechanism, prior, change.output, change.index, change.instead)
    assert two[change.high] == mass
    assert one[change.high] - two[change.high] == event_change(change, mass)
    # As the mass goes to 0 the ratio goes to the factor.
    expected = change.factor / (mass * change.factor + 1 - mass)
    assert one[change.high] / two[change.high] == expected


def test_worst_mass_is_where_an_event_moves_most():
    change = largest_change(noisy_count(2, 2))
    assert change.factor == 4
    best = worst_mass(change)
    assert best == Fraction(1, 3)
    # (e^ε − 1)/(e^ε + 1) with e^ε = 2.
    assert event_change(change, best) == Fraction(1, 3)
    assert all(event_change(change, Fraction(k, 50)) <= Fraction(1, 3) for k in range(1, 50))


def test_worst_mass_of_an_irrational_root_is_close():
    m = finite_mechanism([(0, 1)], lambda d: {0: Fraction(1 + d, 3), 1: Fraction(2 - d, 3)})
    change = largest_change(m)
    assert change.factor == 2
    mass = worst_mass(change, digits=20)
    root = 1 / mass - 1
    assert root**2 <= 2 < (root + Fraction(1, 10**20)) ** 2
    gain = event_change(change, mass)
    assert event_change(change, mass + Fraction(1, 100)) < gain
    assert event_change(change, mass - Fraction(1, 100)) < gain


@quick
@given(mechanisms(most_points=2, most_values=2))
def test_factor_against_plain_loops(mechanism):
    """Ratios of odds over all pairs of datasets, with 0/0 asking nothing."""
    best = Fraction(1)
    for index, domain in enumerate(mechanism.domains):
        for instead, o in product(domain, mechanism.outputs):
            for a, b in product(mechanism.datasets, repeat=2):
                p = mechanism.chance(a, o) * mechanism.chance(replaced(b, index, instead), o)
                q = mechanism.chance(b, o) * mechanism.chance(replaced(a, index, instead), o)
                seen = any(mechanism.chance(replaced(d, index, instead), o) for d in (a, b))
                unseen = not mechanism.chance(a, o) and not mechanism.chance(b, o)
                if not seen or unseen:
                    continue
                blank = any(
                    not mechanism.chance(d, o)
                    and not mechanism.chance(replaced(d, index, instead), o)
                    for d in (a, b)
                )
                if blank:
                    continue
                best = max(best, p / q if q else (math.inf if p else Fraction(1)))
    assert largest_change(mechanism).factor == best


def test_what_is_impossible_without_the_data_can_become_certain():
    m = finite_mechanism([(0, 1)] * 2, lambda d, e: {"yes": d, "no": 1 - d} if e else {"yes": 1})
    change = largest_change(m)
    assert change.factor == math.inf
    with pytest.raises(UsageError, match="infinite"):
        worst_mass(change)
    with pytest.raises(UsageError, match="infinite"):
        event_change(change, Fraction(1, 2))
    prior = worst_prior(m, change, Fraction(1, 10))
    assert set(prior.weights) == {change.high, change.low}


def test_without_the_data_is_an_intervention_on_what_is_shown():
    m = noisy_count(2, 2)
    prior = uniform([(0, 0), (1, 1)])
    without = posterior_without(m, prior, 2, 0, 0)
    # Shown are (0, 0) and (0, 1): 1/6 against 1/3.
    assert without.weights == {(0, 0): Fraction(1, 3), (1, 1): Fraction(2, 3)}
    assert posterior(m, prior, 2).weights == {(0, 0): Fraction(1, 5), (1, 1): Fraction(4, 5)}


def test_wrong_questions_are_refused():
    m = finite_mechanism([(0, 1)], lambda d: {d: 1})
    prior = uniform([(0,)])
    with pytest.raises(UsageError, match="probability 0"):
        posterior(m, prior, 1)
    with pytest.raises(UsageError, match="not among"):
        posterior(m, prior, "o")
    with pytest.raises(UsageError, match="not a dataset"):
        posterior(m, Population(("D1",), {(5,): Fraction(1)}), 0)
    with pytest.raises(UsageError, match="counted from 0"):
        posterior_without(m, prior, 0, 1, 0)
    with pytest.raises(UsageError, match="not a value"):
        posterior_without(m, prior, 0, 0, 7)
    with pytest.raises(UsageError, match="mass"):
        worst_prior(m, largest_change(m), 1)
