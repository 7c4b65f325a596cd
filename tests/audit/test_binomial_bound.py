"""The exact binomial bound: against naive twins, at its borders, and its level by enumeration."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, norm

from provado.audit.bounds import binomial
from provado.audit.bounds.binomial import binomial_epsilon_lower, binomial_limits


def naive_limit(correct, wrong, alpha):
    """Return the largest ε whose binomial makes so many right guesses improbable."""

    def refuted(epsilon):
        miss = 1 / (1 + math.exp(epsilon))
        return binom.cdf(wrong, correct + wrong, miss) <= alpha

    if correct == 0 or not refuted(0.0):
        return 0.0
    low, high = 0.0, 800.0
    while high - low > 1e-11:
        middle = (low + high) / 2
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low


def wald_limit(correct, wrong, alpha):
    """Return the textbook normal limit: the broken twin."""
    n = correct + wrong
    rate = correct / n
    low = rate - norm.isf(alpha) * math.sqrt(rate * (1 - rate) / n)
    return math.log(low / (1 - low)) if 0.5 < low < 1 else (math.inf if low >= 1 else 0.0)


def false_alarms(limit, n, epsilon, alpha):
    """Return the exact chance that the limit from n guesses exceeds ε when that is the truth."""
    correct = np.arange(n + 1)
    chances = binom.pmf(correct, n, 1 / (1 + math.exp(-epsilon)))
    return sum(
        chance
        for c, chance in zip(correct.tolist(), chances.tolist(), strict=True)
        if limit(c, n - c, alpha) > epsilon
    )


COUNTS = [(1, 0), (5, 0), (3, 1), (8, 2), (60, 40), (731, 269), (100, 0), (0, 7), (5, 5), (40, 60)]


@pytest.mark.parametrize(("correct", "wrong"), COUNTS)
@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-3, 1e-9])
def test_it_equals_a_direct_search(correct, wrong, alpha):
    assert binomial_epsilon_lower(correct, wrong, alpha) == pytest.approx(
        naive_limit(correct, wrong, alpha), abs=1e-9
    )


@pytest.mark.parametrize(("correct", "wrong"), COUNTS)
def test_it_is_the_logit_of_the_clopper_pearson_limit(correct, wrong):
    test = binomtest(correct, correct + wrong, alternative="greater")
    low = test.proportion_ci(confidence_level=0.95, method="exact").low
    expected = max(0.0, math.log(low / (1 - low))) if low > 0 else 0.0
    assert binomial_epsilon_lower(correct, wrong, 0.05) == pytest.approx(expected, abs=1e-9)


def test_no_guess_and_no_right_guess_certify_nothing():
    assert binomial_epsilon_lower(0, 0, 0.05) == 0.0
    assert binomial_epsilon_lower(0, 1000, 0.05) == 0.0


@pytest.mark.parametrize("n", [5, 100, 10**6, 10**12])
def test_all_right_has_a_closed_form(n):
    # The limit p solves p^n = alpha.
    miss = -math.expm1(math.log(0.05) / n)
    assert binomial_epsilon_lower(n, 0, 0.05) == pytest.approx(
        math.log1p(-miss) - math.log(miss), abs=1e-9
    )


def test_huge_counts_come_close_to_the_rate():
    correct, wrong = 731_058_579_000, 268_941_421_000
    limit = binomial_epsilon_lower(correct, wrong, 0.05)
    assert 0 < math.log(correct / wrong) - limit < 1e-5


@given(st.integers(0, 3000), st.integers(0, 3000), st.floats(1e-9, 0.5))
def test_the_exact_tail_at_the_limit_never_exceeds_alpha(correct, wrong, alpha):
    limit = binomial_epsilon_lower(correct, wrong, alpha)
    assert math.isfinite(limit)
    assert limit >= 0
    if limit > 0:
        tail = binom.cdf(wrong, correct + wrong, 1 / (1 + math.exp(limit)))
        assert tail <= alpha * (1 + 1e-9) + 1e-15
        assert limit <= math.log(correct / wrong) if wrong else True


def test_a_limit_that_comes_out_too_high_is_lowered(monkeypatch):
    inverse = binomial.betainccinv
    monkeypatch.setattr(binomial, "betainccinv", lambda *given: inverse(*given) * (1 - 1e-6))
    for correct, wrong in [(5, 0), (9, 1), (60, 40), (731, 269), (73_100, 26_900)]:
        limit = binomial_epsilon_lower(correct, wrong, 0.05)
        assert limit == pytest.approx(naive_limit(correct, wrong, 0.05), abs=1e-5)
        tail = binom.cdf(wrong, correct + wrong, 1 / (1 + math.exp(limit)))
        assert tail <= 0.05 * (1 + 1e-12)


@given(st.integers(0, 500), st.integers(0, 500), st.floats(1e-6, 0.5))
def test_it_rises_with_right_guesses_and_falls_with_wrong_ones(correct, wrong, alpha):
    limit = binomial_epsilon_lower(correct, wrong, alpha)
    assert binomial_epsilon_lower(correct + 1, wrong, alpha) >= limit - 1e-9
    assert binomial_epsilon_lower(correct, wrong + 1, alpha) <= limit + 1e-9
    assert binomial_epsilon_lower(correct, wrong, alpha / 2) <= limit + 1e-9


EPSILONS = [0.0, 0.01, 0.1, 0.3, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]


@pytest.mark.parametrize("alpha", [0.05, 0.2, 1e-3])
def test_its_level_is_exact_for_small_numbers_of_guesses(alpha):
    for n in (1, 2, 3, 5, 10, 23, 60):
        for epsilon in EPSILONS:
            assert false_alarms(binomial_epsilon_lower, n, epsilon, alpha) <= alpha + 1e-12


def test_its_level_holds_at_every_epsilon_that_it_could_certify():
    # The chance of a false alarm jumps just below each possible limit: the worst true values.
    for n in (7, 30):
        for correct in range(1, n + 1):
            limit = binomial_epsilon_lower(correct, n - correct, 0.05)
            if limit > 0:
                assert false_alarms(binomial_epsilon_lower, n, limit - 1e-9, 0.05) <= 0.05 + 1e-8


def test_the_wald_limit_fails_the_same_check():
    worst = max(false_alarms(wald_limit, n, e, 0.05) for n in (10, 60) for e in EPSILONS)
    assert worst > 0.1


@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-9])
@pytest.mark.parametrize("trials", [1, 2, 17, 400])
def test_limits_of_a_rate_are_where_its_tails_are_alpha(trials, alpha):
    """Of every number of hits; none and all have no limit on their own side."""
    hits = np.arange(trials + 1)
    low, high = binomial_limits(hits, trials, alpha)
    assert binom.sf(hits[1:] - 1, trials, low[1:]) == pytest.approx(alpha, rel=1e-6)
    assert binom.cdf(hits[:-1], trials, high[:-1]) == pytest.approx(alpha, rel=1e-6)
    assert (low[0], high[-1]) == (0.0, 1.0)
