import math
from functools import partial

import numpy as np
import pytest
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.noise.quadrature import laplace_below, laplace_density, line_nodes
from provado.mechanisms.noise.threshold_patterns import ABOVE, BELOW, HALTED
from provado.mechanisms.textbook.sparse_vector import (
    PAIR,
    above_threshold,
    numeric_sparse,
    numeric_sparse_reusing_noise,
    sparse_vector,
    sparse_vector_3,
    sparse_vector_4,
    sparse_vector_5,
    sparse_vector_6,
)
from tests.mechanisms.exact.sparse_vector import pattern_epsilon, pattern_probabilities, patterns
from tests.mechanisms.goodness_of_fit import ALPHA, p_value

N = 100_000
ANSWERS = [1.0, 0.0, 2.5, 1.5]

# run, cut-off, scale on the threshold, scale on the answers, for ε = 2 and Δ = 1.
SYMBOLS = [
    (above_threshold, 1, 1.0, 2.0),
    (partial(sparse_vector, cutoff=1), 1, 1.0, 2.0),
    (partial(sparse_vector, cutoff=2), 2, 1.0, 4.0),
    (partial(sparse_vector_4, cutoff=2), 2, 2.0, 2 / 3),
    (sparse_vector_5, None, 1.0, 0.0),
    (sparse_vector_6, None, 1.0, 1.0),
]

# The same for those that release numbers.
NUMBERS = [
    (partial(numeric_sparse, cutoff=1), 1, 1.125, 2.25),
    (partial(sparse_vector_3, cutoff=1), 1, 1.0, 1.0),
    (partial(sparse_vector_3, cutoff=2), 2, 1.0, 2.0),
    (partial(numeric_sparse_reusing_noise, cutoff=1), 1, 1.0, 2.0),
]


def rng(seed=1):
    return np.random.default_rng(seed)


def codes(outputs):
    """Return one integer for each pattern."""
    return ((outputs.astype(int) + 1) * 3 ** np.arange(outputs.shape[1])).sum(axis=1)


def fit(outputs, cutoff, threshold, threshold_scale, query_scale):
    wanted = patterns(outputs.shape[1], cutoff)
    chances = pattern_probabilities(
        ANSWERS,
        wanted,
        threshold=threshold,
        threshold_scale=threshold_scale,
        query_scale=query_scale,
    )
    assert chances.sum() == pytest.approx(1, abs=1e-12)
    names = codes(np.array(wanted))
    order = np.argsort(names)
    return p_value(codes(outputs), names[order], chances[order])


@pytest.mark.parametrize(("run", "cutoff", "threshold_scale", "query_scale"), SYMBOLS)
def test_patterns_fit(run, cutoff, threshold_scale, query_scale):
    outputs = run(ANSWERS, threshold=1.2, epsilon=2.0, size=N, rng=rng())
    assert outputs.shape == (N, 4)
    assert outputs.dtype == np.int8
    assert fit(outputs, cutoff, 1.2, threshold_scale, query_scale) > ALPHA
    assert fit(outputs, cutoff, 1.3, threshold_scale, query_scale) < ALPHA


@pytest.mark.parametrize(("run", "cutoff", "threshold_scale", "query_scale"), NUMBERS)
def test_numbers_stand_where_the_patterns_say_above(run, cutoff, threshold_scale, query_scale):
    outputs = run(ANSWERS, threshold=1.2, epsilon=2.0, size=N, rng=rng())
    assert outputs.shape == (N, 4)
    assert outputs.dtype == np.float64
    finite = np.isfinite(outputs)
    assert np.all(outputs[finite] * 2**20 % 1 == 0)
    shape = np.where(finite, ABOVE, np.where(np.isnan(outputs), BELOW, HALTED))
    assert fit(shape, cutoff, 1.2, threshold_scale, query_scale) > ALPHA
    assert fit(shape, cutoff, 1.35, threshold_scale, query_scale) < ALPHA


def test_fresh_numbers_are_independent_of_the_comparison_and_reused_ones_are_not():
    def first(run):
        outputs = run(ANSWERS, threshold=1.2, epsilon=2.0, size=N, rng=rng())[:, 0]
        return outputs[np.isfinite(outputs)]

    law = stats.laplace(loc=1.0, scale=4.5)
    assert stats.kstest(first(partial(numeric_sparse, cutoff=1)), law.cdf).pvalue > ALPHA
    law = stats.laplace(loc=1.0, scale=2.0)
    reused = first(partial(numeric_sparse_reusing_noise, cutoff=1))
    assert stats.kstest(reused, law.cdf).pvalue < ALPHA


def test_a_naive_svt_1_one_trial_at_a_time():
    draw = rng(7)

    def naive():
        level, count, output = 1.2 + draw.laplace(scale=1.0), 0, []
        for answer in ANSWERS:
            if count == 2:
                output.append(HALTED)
            elif answer + draw.laplace(scale=4.0) >= level:
                output.append(ABOVE)
                count += 1
            else:
                output.append(BELOW)
        return output

    assert fit(np.array([naive() for _ in range(10_000)]), 2, 1.2, 1.0, 4.0) > ALPHA


def test_patterns_are_all_that_can_happen():
    assert len(patterns(10, 1)) == 11
    assert len(patterns(10, None)) == 1024
    assert set(patterns(2, 1)) == {(ABOVE, HALTED), (BELOW, ABOVE), (BELOW, BELOW)}
    assert len(patterns(4, 2)) == 1 + 4 + 6


def test_known_pairs_lose_what_is_known_of_them():
    def epsilon(pair, cutoff, threshold, threshold_scale, query_scale):
        return pattern_epsilon(
            pair,
            patterns(10, cutoff),
            threshold=threshold,
            threshold_scale=threshold_scale,
            query_scale=query_scale,
        )

    swap = ((1.0,) * 5 + (0.0,) * 5, (0.0,) * 5 + (1.0,) * 5)
    assert epsilon(PAIR, 1, 0.5, 2.0, 4.0) == pytest.approx(0.93, abs=0.005)
    assert 1.7 < epsilon(PAIR, 1, 1.0, 4.0, 4 / 3) < 1.75
    assert epsilon(PAIR, None, 1.0, 2.0, 0.0) == math.inf
    # Over all 1,024 patterns, none is worse than the one that the catalogue names.
    worst = epsilon(swap, None, 1.0, 2.0, 2.0)
    named = pattern_epsilon(
        swap, [(1,) * 5 + (0,) * 5], threshold=1.0, threshold_scale=2.0, query_scale=2.0
    )
    assert worst == pytest.approx(named, abs=1e-10)
    assert worst == pytest.approx(4.03, abs=0.005)


def test_svt_5_pattern_is_possible_under_one_dataset_only():
    five = [(ABOVE,) * 5 + (BELOW,) * 5]
    d, d_prime = (
        pattern_probabilities(a, five, threshold=1.0, threshold_scale=2.0, query_scale=0.0)[0]
        for a in PAIR
    )
    assert d == 0
    assert d_prime == pytest.approx(1 - math.exp(-1 / 2), abs=1e-13)


@pytest.mark.parametrize(
    ("cutoff", "threshold_scale", "query_scale", "bound"),
    [(1, 2.0, 4.0, 1.0), (2, 2.0, 8.0, 1.0), (1, 4.0, 4 / 3, 1.75)],
)
def test_bounds_hold_on_many_neighbors(cutoff, threshold_scale, query_scale, bound):
    draw = rng(11)
    losses = []
    for _ in range(60):
        answers = draw.integers(0, 4, 5) / 2.0
        moved = answers + draw.choice([-1.0, 1.0], 5)
        losses.append(
            pattern_epsilon(
                (answers, moved),
                patterns(5, cutoff),
                threshold=1.0,
                threshold_scale=threshold_scale,
                query_scale=query_scale,
            )
        )
    assert 0.4 * bound < max(losses) <= bound + 1e-9


def log_density(answers, place, value, threshold, threshold_scale, query_scale):
    """Return ln of the density of ⊥ before ``place``, then ``value``, the number compared."""
    edge = value - threshold
    z, weights = line_nodes(
        [0.0, edge, *(np.array(answers) - threshold)], width=1.0, tail=threshold_scale
    )
    chance = np.where(z < edge, weights * laplace_density(z, threshold_scale), 0.0)
    for answer in answers[:place]:
        chance = chance * laplace_below(threshold + z - answer, query_scale)
    return math.log(chance.sum()) - abs(value - answers[place]) / query_scale


@pytest.mark.parametrize(
    ("pair", "threshold_scale", "query_scale", "expected"),
    [
        (PAIR, 2.0, 2.0, 3.0),
        (((1.0,) * 10, (2.0,) * 9 + (0.0,)), 2.25, 4.5, 10 / 4.5),
    ],
)
def test_releasing_the_compared_number_loses_what_the_catalogue_says(
    pair, threshold_scale, query_scale, expected
):
    losses = {
        (place, value): abs(
            log_density(pair[0], place, value, 1.0, threshold_scale, query_scale)
            - log_density(pair[1], place, value, 1.0, threshold_scale, query_scale)
        )
        for place in range(10)
        for value in np.arange(-6.0, 8.5, 0.5)
    }
    worst = max(losses, key=lambda key: losses[key])
    assert losses[worst] == pytest.approx(expected, abs=1e-9)
    assert worst[1] == 1.0


@pytest.mark.parametrize(("run", "cutoff", "_a", "_b"), SYMBOLS + NUMBERS)
def test_bad_parameters_are_refused(run, cutoff, _a, _b):
    good = {"threshold": 1.0, "epsilon": 1.0, "size": 3, "rng": rng()}
    for bad in ({"epsilon": 0}, {"size": 0}, {"sensitivity": -1}, {"threshold": math.nan}):
        with pytest.raises(UsageError):
            run(ANSWERS, **(good | bad))
    with pytest.raises(UsageError, match="answers is"):
        run([math.nan], **good)
    if isinstance(run, partial):
        with pytest.raises(UsageError, match="cutoff is"):
            run(ANSWERS, **(good | {"cutoff": 0}))
