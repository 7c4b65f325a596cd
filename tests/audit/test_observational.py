"""Causal beside associative effects, their limits, and the test of no effect."""

import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom, binomtest

from provado.audit.experiments.effects.observational import (
    MOST_VALUES,
    OTHER,
    choose_events,
    effect_study,
    outputs_of,
)
from provado.audit.experiments.effects.population import as_population
from provado.audit.experiments.effects.relative import (
    estimate,
    no_effect_p_value,
    relative_probability_limits,
)
from provado.audit.target.call import Target
from provado.audit.target.output_encoding import BrokenMechanismError, PatternBook, encode
from provado.mechanisms import UsageError
from tests.audit.exact_no_effect import fisher_exact, permutation_p_value

COUNTS = st.integers(0, 300)
FAMILY = np.array([[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 1, 1]])
STRANGERS = np.array(list(product((0, 1), repeat=3)))


def survey(epsilon):
    """Return a count of three randomized responses; ε-DP under replacing one data point."""

    def count(data, *, size, rng):
        lies = rng.random((size, len(data))) >= math.exp(epsilon) / (1 + math.exp(epsilon))
        return (lies ^ (np.asarray(data) > 0)).sum(axis=1)

    return count


def exact_ratios(epsilon, rows):
    """Return Pr[count = k | D_0 = 1] / Pr[count = k | D_0 = 0], each report written out."""
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))

    def law(chosen):
        shares = np.zeros(4)
        for row in chosen:
            for reports in product((0, 1), repeat=3):
                same = sum(a == b for a, b in zip(reports, row, strict=True))
                shares[sum(reports)] += truth**same * (1 - truth) ** (3 - same) / len(chosen)
        return shares

    return law([r for r in rows if r[0] == 1]) / law([r for r in rows if r[0] == 0])


def study(mechanism, rows, **options):
    asked = {"point": 0, "values": (1, 0), "epsilon": 1.0, "samples": 20_000, "name": "survey"}
    return effect_study(mechanism, rows, **{**asked, **options})


def covered(found, truth):
    """Tell whether all limits of the counts 0 to 3 hold."""
    by_name = {one.event: one for one in found.events}
    names = [f"output = {k}" for k in range(4)]
    return all(by_name[n].low <= r <= by_name[n].high for n, r in zip(names, truth, strict=True))


# Limits on a relative probability


@given(COUNTS, COUNTS, st.floats(1e-6, 0.5))
def test_limits_are_those_of_clopper_and_pearson(hits, others, alpha):
    low, high = relative_probability_limits(hits, others, alpha)
    if hits + others == 0:
        assert (low, high) == (0.0, math.inf)
        return
    # A probability p as p / (1 - p), both exact to many digits though one is next to 0.
    slow_low = (0.0, 1.0)
    if hits:
        slow_low = (beta.ppf(alpha / 2, hits, others + 1), beta.isf(alpha / 2, others + 1, hits))
    assert low == pytest.approx(slow_low[0] / slow_low[1], rel=1e-6)
    if others == 0:
        assert high == math.inf
        return
    slow_high = (beta.isf(alpha / 2, hits + 1, others), beta.ppf(alpha / 2, others, hits + 1))
    assert high == pytest.approx(slow_high[0] / slow_high[1], rel=1e-6)


@given(st.integers(1, 300), COUNTS, st.floats(1e-6, 0.5))
def test_limits_keep_their_tails(hits, others, alpha):
    low, _ = relative_probability_limits(hits, others, alpha)
    assert binom.sf(hits - 1, hits + others, low / (1 + low)) <= alpha / 2 * (1 + 1e-9)


@given(COUNTS, COUNTS)
def test_limits_turn_over_with_the_sides(hits, others):
    low, high = relative_probability_limits(hits, others, 0.1)
    back_low, back_high = relative_probability_limits(others, hits, 0.1)
    assert low * back_high == pytest.approx(1) or (low == 0 and back_high == math.inf)
    assert high * back_low == pytest.approx(1) or (back_low == 0 and high == math.inf)


def test_a_ratio_of_nothing_is_unknown():
    found = estimate(["a", "b"], [0, 10], [0, 10], 0.05)
    assert math.isnan(found.events[0].ratio)
    assert found.factor_lower == 1.0
    assert found.largest.event == "a"
    assert found.factor_upper == found.events[1].factor_upper < math.inf


@pytest.mark.parametrize(("hits", "others", "alpha"), [(-1, 2, 0.1), (1, -2, 0.1), (1, 1, 0)])
def test_bad_counts_and_levels_are_refused(hits, others, alpha):
    with pytest.raises(UsageError):
        relative_probability_limits(hits, others, alpha)


def test_alpha_is_split_over_events():
    alone = estimate(["a"], [30], [10], 0.05).events[0]
    among = estimate(["a", "b", "c"], [30, 1, 1], [10, 1, 1], 0.05).events[0]
    assert among.low < alone.low < alone.high < among.high
    assert among.low == relative_probability_limits(30, 10, 0.05 / 3)[0]


# The study


def test_correlation_lifts_the_association_above_the_bound_and_not_the_effect():
    found = study(survey(1.0), FAMILY)
    assert math.log(found.causal.factor_lower) <= 1
    assert found.epsilon_lower <= 1
    assert not found.violation
    assert math.log(found.associative.factor_lower) > 1
    assert found.association_exceeds
    assert covered(found.associative, exact_ratios(1.0, FAMILY))
    # The base is the first row, so that the other two points are 0.
    assert covered(found.causal, exact_ratios(1.0, [[0, 0, 0], [1, 0, 0]]))
    assert found.p_value == pytest.approx(1e-4)


def test_without_correlation_both_stay_within():
    found = study(survey(1.0), STRANGERS)
    assert not found.violation
    assert not found.association_exceeds
    assert covered(found.associative, exact_ratios(1.0, STRANGERS))


def test_a_broken_twin_is_certified_by_the_experiment():
    found = study(survey(2.0), STRANGERS)
    assert found.violation
    assert found.epsilon_lower > 1


def test_no_effect_without_an_effect():
    found = study(lambda data, *, size, rng: rng.integers(0, 3, size), FAMILY, samples=5000)
    assert found.p_value > 0.001
    assert found.causal.factor_lower == 1
    assert found.associative.factor_lower == 1


def same(one, other):
    """Tell whether two estimates are equal, with NaN for NaN."""
    return repr(one) == repr(other)


def test_a_sampler_a_frame_and_an_array_mean_the_same():
    def sampler(size, rng):
        return FAMILY[rng.integers(0, len(FAMILY), size)]

    frame = pd.DataFrame(FAMILY, columns=["ada", "byron", "neighbor"])
    truth = exact_ratios(1.0, FAMILY)
    assert covered(study(survey(1.0), sampler, base=[0, 0, 0]).associative, truth)
    named = study(survey(1.0), frame, point="ada")
    assert named.point == "ada"
    assert same(named.associative, study(survey(1.0), FAMILY).associative)


def test_a_seed_replays_and_another_does_not():
    one, two = (study(survey(1.0), FAMILY, samples=2000) for _ in range(2))
    assert same(one.causal, two.causal)
    assert same(one.associative, two.associative)
    other = study(survey(1.0), FAMILY, samples=2000, seed=1)
    assert not same(other.associative, one.associative)


def test_generators_that_others_hold_in_the_process_change_nothing():
    alone = study(survey(1.0), FAMILY, samples=2000)
    others = [np.random.default_rng(k) for k in range(3)]
    beside = study(survey(1.0), FAMILY, samples=2000)
    assert same(alone.causal, beside.causal)
    assert same(alone.associative, beside.associative)
    assert [rng.integers(100) for rng in others] == [
        np.random.default_rng(k).integers(100) for k in range(3)
    ]


def test_single_and_global_draws_replay():
    def count(data):
        lies = np.random.random(len(data)) >= math.e / (1 + math.e)  # noqa: NPY002
        return int((lies ^ (data > 0)).sum())

    one, two = (study(count, FAMILY, samples=1500) for _ in range(2))
    assert same(one.associative, two.associative)
    assert one.causal.trials + one.causal.other_trials == 1500


def test_a_mechanism_that_changes_its_dataset_is_no_result():
    def spoils(data, *, size, rng):
        drawn = survey(1.0)(data, size=size, rng=rng)
        data[:] = 7
        return drawn

    rows = FAMILY.copy()
    with pytest.raises(BrokenMechanismError, match="changed the dataset"):
        study(spoils, rows, samples=2000)
    assert (rows == FAMILY).all()


def test_outputs_keep_the_order_of_their_datasets():
    target = Target.of(lambda data, *, size, rng: np.repeat(data[0] * 10 + data[1], size))
    datasets = np.random.default_rng(3).integers(0, 3, (200, 2))
    found = outputs_of(target, datasets, np.random.default_rng(0), PatternBook())
    assert found.column(0).tolist() == (datasets[:, 0] * 10 + datasets[:, 1]).tolist()


@pytest.mark.parametrize(
    ("rows", "options", "said"),
    [
        (FAMILY, {"values": (1, 1)}, "must differ"),
        (FAMILY, {"values": (1, 3)}, "never occurs at data point '0'.*takes 0, 1"),
        (FAMILY, {"point": 3}, "no such data point"),
        (FAMILY, {"point": "eve"}, "'eve'"),
        (FAMILY, {"base": [0, 0]}, "vector of 3"),
        (FAMILY, {"samples": 0}, "samples is 0"),
        (FAMILY, {"epsilon": -1.0}, "epsilon is -1"),
        (FAMILY[:1], {}, "fewer than 2 rows"),
        (np.array([["a", "b"], ["c", "d"]]), {}, "must be numbers"),
        (np.array([[0.0, math.nan], [1.0, 0.0]]), {}, "must be finite"),
        (np.array([0, 1]), {}, "shape"),
        (lambda size, rng: FAMILY[:2], {}, "drew 2 datasets where 1 were"),
        (lambda size, rng: np.zeros((size, 2)), {}, "occurs in 0 of"),
    ],
)
def test_bad_arguments_are_named(rows, options, said):
    with pytest.raises(UsageError, match=said):
        study(survey(1.0), rows, **options)


def test_a_sampler_that_raises_is_named():
    def sampler(size, rng):
        raise KeyError("eve")

    with pytest.raises(UsageError, match="population: it raised KeyError"):
        study(survey(1.0), sampler)


def test_a_broken_mechanism_is_no_result():
    with pytest.raises(BrokenMechanismError, match="ZeroDivisionError"):
        study(lambda data: 1 / 0, FAMILY)


# Events


def labelled(outputs, side, later):
    book = PatternBook()
    chosen = choose_events(encode(outputs, len(outputs), book), side, book)
    book.closed = True
    return chosen.names, chosen.label(encode(later, len(later), book)).tolist()


def test_few_outputs_are_told_apart_by_value():
    side = np.arange(6) % 2 == 0
    names, labels = labelled(["no", "yes", "no", "no", None, "yes"], side, ["yes", None, "?"])
    assert names[-1] == OTHER
    assert len(names) == 4
    assert [names[i] for i in labels] == ["output = 'yes'", "output = None", OTHER]


def test_many_numbers_are_cut_into_intervals_as_they_are_named():
    rng = np.random.default_rng(5)
    drawn = rng.normal(size=2000)
    later = rng.normal(size=300)
    names, labels = labelled(drawn, drawn > 0, later)
    for x, label in zip(later, labels, strict=True):
        name = names[label]
        if name.startswith("output <"):
            assert x < float(name.split("<")[1])
        elif name.startswith("output ≥"):
            assert x >= float(name.split("≥")[1])
        else:
            low, rest = name.split(" ≤ output < ")
            assert float(low) <= x < float(rest)


def test_the_coordinate_that_tells_the_sides_apart_is_cut():
    rng = np.random.default_rng(6)
    side = rng.random(3000) < 0.5
    outputs = np.column_stack([rng.normal(size=3000), rng.normal(size=3000) + 3 * side])
    names, _ = labelled(outputs, side, outputs[:3])
    assert "output[1]" in names[0]


def test_outputs_without_numbers_are_not_ordered():
    outputs = [f"word {i % 40}" for i in range(400)]
    names, labels = labelled(outputs, np.arange(400) % 2 == 0, ["word 39", np.nan])
    assert len(names) == MOST_VALUES + 1
    assert labels[1] == MOST_VALUES


def test_no_number_is_another_output():
    drawn = np.random.default_rng(7).normal(size=500)
    names, labels = labelled(drawn, drawn > 0, np.array([0.0, np.nan, np.inf]))
    assert labels[1:] == [len(names) - 1] * 2


# No effect


@pytest.mark.parametrize(("one", "two"), [((7, 1), (2, 8)), ((3, 4), (4, 3)), ((9, 0), (0, 9))])
def test_the_permutation_test_agrees_with_all_assignments(one, two):
    outputs = [0] * one[0] + [1] * one[1] + [0] * two[0] + [1] * two[1]
    treated = [True] * sum(one) + [False] * sum(two)

    def unlike(a, b):
        # Pearson's statistic of a 2 × 2 table grows with the distance from the expected count.
        return abs(len(outputs) * sum(a) - sum(outputs) * len(a))

    exact = permutation_p_value(outputs, treated, unlike)
    rng = np.random.default_rng(8)
    found = no_effect_p_value(one, two, rng=rng)
    assert float(found) == pytest.approx(float(exact), abs=5 * math.sqrt(0.25 / 9999))


def test_a_strong_effect_gets_the_least_p_value():
    rng = np.random.default_rng(9)
    assert no_effect_p_value([900, 100], [100, 900], rng=rng, draws=99) == pytest.approx(0.01)
    assert fisher_exact([90, 10], [10, 90]) < 1e-20


@pytest.mark.parametrize(("one", "two"), [([1], [1, 2]), ([], []), ([-1, 2], [1, 2])])
def test_bad_tables_are_refused(one, two):
    with pytest.raises(UsageError, match="counts"):
        no_effect_p_value(one, two, rng=np.random.default_rng(0))


# Levels by simulation


def simulated(probabilities, others, runs, trials, rng):
    """Yield the counts of both sides of an experiment, again and again."""
    for _ in range(runs):
        n = int(rng.binomial(trials, 0.5))
        yield rng.multinomial(n, probabilities), rng.multinomial(trials - n, others)


@pytest.mark.slow
@pytest.mark.parametrize("trials", [60, 1000])
def test_the_limits_hold_together_as_often_as_they_promise(trials):
    p, q = np.array([0.5, 0.45, 0.04, 0.01]), np.array([0.3, 0.6, 0.09, 0.01])
    rng, missed, runs, alpha = np.random.default_rng(10), 0, 4000, 0.2
    for one, two in simulated(p, q, runs, trials, rng):
        found = estimate("abcd", one.tolist(), two.tolist(), alpha)
        missed += any(not e.low <= r <= e.high for e, r in zip(found.events, p / q, strict=True))
    # A level above alpha would be refuted; so would limits that are needlessly wide.
    assert binomtest(missed, runs, alpha, alternative="greater").pvalue > 1e-4
    assert missed / runs > alpha / 20


@pytest.mark.slow
def test_the_test_of_no_effect_keeps_its_level():
    p = np.array([0.5, 0.45, 0.05])
    rng, runs = np.random.default_rng(11), 3000
    values = [
        float(no_effect_p_value(a.tolist(), b.tolist(), rng=rng, draws=199))
        for a, b in simulated(p, p, runs, 100, rng)
    ]
    for level in (0.05, 0.2):
        hit = sum(value <= level for value in values)
        assert binomtest(hit, runs, level, alternative="greater").pvalue > 1e-4
        assert hit / runs > level / 3


@pytest.mark.slow
def test_the_limits_of_a_whole_study_hold():
    truth, missed, runs = exact_ratios(1.0, FAMILY), 0, 60
    for seed in range(runs):
        found = study(survey(1.0), FAMILY, samples=1500, seed=seed, confidence=0.7)
        missed += not covered(found.associative, truth)
        assert found.causal.level == pytest.approx(0.9)
    assert binomtest(missed, runs, 0.1, alternative="greater").pvalue > 1e-3


def test_a_population_draws_given_a_value():
    people = as_population(FAMILY, np.random.default_rng(0))
    drawn = people.given(1, 1, 50, np.random.default_rng(1))
    assert drawn.shape == (50, 3)
    assert (drawn[:, :2] == 1).all()
    assert set(drawn[:, 2].tolist()) == {0, 1}
