import math
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.mechanisms import UsageError
from provado.proofs.causal.composition import composition, models_in_sequence
from provado.proofs.causal.definitions import (
    bayesian_for,
    definition_1,
    definition_7,
    definition_9,
    joint_effect,
    relative_probability,
    total_effect,
)
from provado.proofs.causal.examples import (
    ada_and_byron,
    count_distribution,
    masked_group,
    noisy_count,
    one_time_pad,
    randomized_response,
    side_channel,
)
from provado.proofs.causal.model import (
    Equation,
    Population,
    assigned,
    distribution,
    point_mass,
    probability,
    structural_model,
    uniform,
)
from tests.proofs.causal.causal_strategies import cases, largest_ratio, laws, mechanisms, models
from tests.proofs.causal.factors import maximum_relative_probability
from tests.proofs.causal.path_effects import effect_through
from tests.proofs.causal.social_network import social_network

quick = settings(max_examples=40)


def plain_effect(model, people, y, x):
    """Equation (27) from its definition, one probability at a time."""
    pairs = []
    for a, b in permutations(product(*(model.ranges[name] for name in x)), 2):
        for values in product(*(model.ranges[name] for name in y)):
            event = dict(zip(y, values, strict=True))
            pairs.append(
                tuple(
                    probability(model, people, event, do=dict(zip(x, d, strict=True)))
                    for d in (a, b)
                )
            )
    return largest_ratio(pairs)


@quick
@given(models())
def test_maximum_relative_probability_against_plain_loops(pair):
    model, people = pair
    for x, y in ((["X"], ["Z"]), (["X", "Y"], ["Z"]), (["X"], ["Y", "Z"]), (["U"], ["Z"])):
        found = maximum_relative_probability(model, people, y, x)
        assert found.factor == plain_effect(model, people, y, x)


@quick
@given(models(), st.data())
def test_definition_9_bounds_every_population_and_is_reached(pair, data):
    model, people = pair
    bound = definition_9(model, ["X"], ["Z"])
    assert maximum_relative_probability(model, people, ["Z"], ["X"]).factor <= bound.factor
    points = [point_mass(u, ["U", "V"]) for u in product(model.ranges["U"], model.ranges["V"])]
    assert bound.factor == max(plain_effect(model, p, ["Z"], ["X"]) for p in points)
    shares = data.draw(laws(len(points)))
    mixed = Population(
        ("U", "V"), {next(iter(p.weights)): w for p, w in zip(points, shares, strict=True)}
    )
    assert plain_effect(model, mixed, ["Z"], ["X"]) <= bound.factor


def test_relative_probability():
    model = noisy_count(2, 2).model
    people = uniform([(0, 0), (1, 1)])
    one, two = {"D1": 1}, {"D1": 0}
    risk = relative_probability(model, people, {"O": 2}, one, two)
    # Count 1 or 2 against count 0 or 1, each half of the time: (1/3 + 2/3)/(1/6 + 1/3).
    assert risk == 2
    deterministic = one_time_pad()
    assert relative_probability(deterministic, None, {"Z": 1}, {"X": 1}, {"X": 0}) == math.inf
    with pytest.raises(UsageError, match="both probabilities are 0"):
        relative_probability(deterministic, None, {"Z": 1}, {"X": 0}, {"X": 0})


@pytest.mark.parametrize("r", [Fraction(2), Fraction(7, 5)])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_noisy_count_falls_by_r_with_each_step(n, r):
    for count in range(n):
        one, two = count_distribution(n, count, r), count_distribution(n, count + 1, r)
        assert sum(one.values()) == 1
        assert one[0] / two[0] == two[n] / one[n] == r
    assert definition_1(noisy_count(n, r)).factor == r


def test_ada_and_byron():
    r, model = Fraction(2), ada_and_byron(2)
    assert definition_9(model, ["D1"], ["O"]).factor == r
    assert definition_9(model, ["R1"], ["O"]).factor == r**2
    assert definition_9(model, ["R2"], ["O"]).factor == r
    assert total_effect(model, ["R1", "R2"], ["O"]) == r**3
    assert joint_effect(model, ["R1", "R2"], ["O"]).factor == r**2
    assert effect_through(model, "R1", ["D1"], ["O"]).factor == r
    assert effect_through(model, "R1", ["R2"], ["O"]).factor == r
    assert effect_through(model, "R1", ["D1", "R2"], ["O"]).factor == r**2


def test_seeing_ada_tells_twice_as_much_as_setting_her_data_point():
    mechanism, family = noisy_count(2, 2), uniform([(0, 0), (1, 1)])
    assert bayesian_for(mechanism, family).factor == 4
    assert definition_7(mechanism, family).factor == 2


def test_randomized_response_protects_the_attribute_and_not_the_answer():
    model = randomized_response(3)
    assert definition_9(model, ["R1"], ["D1"]).factor == 3
    assert definition_9(model, ["R1"], ["O"]).factor == 9
    assert definition_9(model, ["D1"], ["O"]).factor == math.inf
    assert effect_through(model, "R1", ["D1"], ["O"]).factor == 3


def test_evidence_of_participation_is_an_indirect_effect():
    model = social_network(2)
    assert effect_through(model, "B", ["own"], ["O"]).factor == 2
    assert effect_through(model, "B", ["between"], ["O"]).factor == 2
    assert definition_9(model, ["B"], ["O"]).factor == 4


def test_effects_of_a_group_may_hide_in_each_other():
    model = masked_group(2)
    assert definition_9(model, ["R1"], ["O"]).factor == 1
    assert total_effect(model, ["R1", "R2"], ["O"]) == 2
    assert joint_effect(model, ["R1", "R2"], ["O"]).factor == 4
    # Held at the reference or elsewhere, the two arrows of R1 have effects of their own.
    assert effect_through(model, "R1", ["O"], ["O"]).factor == 2
    assert effect_through(model, "R1", ["R2"], ["O"], others_at_reference=False).factor == 2


def test_other_arrows_stay_at_the_reference():
    """O = 1 half of the time, but a quarter at (1, 0): seen from above, not from below."""
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    chance = {(0, 0): half, (1, 0): quarter, (0, 1): half, (1, 1): half}
    model = structural_model(
        {"X": (0, 1)},
        {
            "M": assigned(["X"], lambda x: x),
            "O": Equation(("X", "M"), lambda x, m: {1: chance[x, m], 0: 1 - chance[x, m]}),
        },
    )
    # From x′ = 0, with M left at 0, Pr[O = 0] rises from 1/2 to 3/4; from x′ = 1 nothing moves.
    assert effect_through(model, "X", ["O"], ["O"]).factor == Fraction(3, 2)
    assert effect_through(model, "X", ["O"], ["O"], others_at_reference=False).factor == 2


@quick
@given(mechanisms(most_points=2, most_values=2))
def test_joint_effect_of_data_points_is_within_their_total(mechanism):
    names = [f"D{i + 1}" for i in range(mechanism.n)]
    joint = joint_effect(mechanism.model, names, ["O"]).factor
    assert joint <= total_effect(mechanism.model, names, ["O"])


@quick
@given(models())
def test_all_arrows_together_carry_the_whole_effect(pair):
    model, _ = pair
    children = [name for name, node in model.nodes.items() if "X" in node.parents]
    if children:
        whole = effect_through(model, "X", children, ["Z"]).factor
        assert whole == definition_9(model, ["X"], ["Z"]).factor


def test_composition_of_sequences():
    for model in list(models_in_sequence())[::7]:
        effects = composition(model)
        assert effects.excess >= 1
        assert effects.whole == definition_9(model, ["X"], ["Y", "Z"]).factor
        assert effects.last <= effects.whole


def test_a_tight_composition_has_no_excess():
    tight = next(m for m in models_in_sequence() if composition(m).whole == 6)
    assert composition(tight).excess == 1
    assert (composition(tight).first, composition(tight).second) == (3, 2)


@pytest.mark.parametrize("model", [one_time_pad(), side_channel()])
def test_further_parents_break_the_remark(model):
    effects = composition(model)
    assert (effects.first, effects.second, effects.whole) == (1, 1, math.inf)
    assert effects.excess == 0
    assert distribution(model, None, ["Z"], do={"X": 1}) == {(1,): 1}


@quick
@given(cases(most_points=2, most_values=2))
def test_joint_population_effect_is_definition_7(case):
    mechanism, people = case
    whole = max(
        maximum_relative_probability(mechanism.model, people, ["O"], [f"D{i + 1}"]).factor
        for i in range(mechanism.n)
    )
    assert whole == definition_7(mechanism, people).factor


def test_wrong_questions_are_refused():
    model = one_time_pad()
    with pytest.raises(UsageError, match="not in sequence"):
        composition(model, "Y", "X", "Z")
    with pytest.raises(UsageError, match="no arrow"):
        effect_through(model, "X", ["Z"], ["Z"])
    with pytest.raises(UsageError, match="needs a cause"):
        definition_9(model, [], ["Z"])
    with pytest.raises(UsageError, match="above 1"):
        ada_and_byron(1)
    with pytest.raises(UsageError, match="floats"):
        noisy_count(2, 1.5)
