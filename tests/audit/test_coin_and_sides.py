"""The law of the trials: a fair coin each, do(D) or do(D′) by it, counted as what it was.

Every test is at a fixed seed, with a level of 1e-6 where it asks for chance at all.
"""

import numpy as np
import pytest
from scipy.stats import binomtest, chi2, chi2_contingency

from provado.audit.bounds.counts import Counts
from provado.audit.target.call import Target
from provado.audit.trials.experiment import draw_block
from tests.audit.experiments import D_PRIME, Batched, D, Single, anything, plan_of, the_data

KINDS = [Batched, Single]
LEVEL = 1e-6


def draw(mechanism, plan, seed=0, block=0):
    return draw_block(Target.of(mechanism, "the name"), plan, seed, block)


def blocks(kind, answer, trials, number):
    """Return the counts of so many blocks of so many trials each."""
    plan = plan_of(trials * number, trials)
    return [draw(kind(answer), plan, block=block)[-1] for block in range(number)]


@pytest.mark.parametrize("kind", KINDS)
def test_the_coin_is_fair(kind):
    found = sum(blocks(kind, the_data, 500, 100), Counts())
    assert found.trials == 50_000
    assert binomtest(found.d_trials, found.trials).pvalue > LEVEL


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("trials", [1, 2, 3, 16])
def test_few_tosses_are_those_of_a_fair_coin(kind, trials):
    """Not one head for every tail: so many heads as a binomial shows, each as often."""
    heads = [counts.d_trials for counts in blocks(kind, the_data, trials, 600)]
    assert binomtest(sum(heads), trials * len(heads)).pvalue > LEVEL
    spread = sum((h - trials / 2) ** 2 for h in heads) / (trials / 4)
    if trials > 1:  # One toss has no spread but its mean's.
        # The variance of this sum of squares is 2n(1 − 1/trials), not the 2n of a chi-square.
        deviation = (spread - len(heads)) / np.sqrt(2 * len(heads) * (1 - 1 / trials))
        assert abs(deviation) < 5
    assert set(heads) <= set(range(trials + 1))
    assert len(set(heads)) > min(trials, 8)


@pytest.mark.parametrize("kind", KINDS)
def test_tosses_of_one_block_say_nothing_of_the_next(kind):
    heads = np.array([counts.d_trials for counts in blocks(kind, the_data, 64, 400)])
    assert len(set(heads.tolist())) > 10
    pairs = np.corrcoef(heads[:-1], heads[1:])[0, 1]
    assert abs(pairs) < 5 / np.sqrt(len(heads))


@pytest.mark.parametrize("kind", KINDS)
def test_the_side_says_nothing_of_an_output_that_ignores_the_data(kind):
    found = sum(blocks(kind, anything, 500, 100), Counts())
    table = [
        [found.d_guessed_d, found.d_guessed_d_prime, found.d_abstained],
        [found.d_prime_guessed_d, found.d_prime_guessed_d_prime, found.d_prime_abstained],
    ]
    assert chi2_contingency(table).pvalue > LEVEL
    assert binomtest(found.correct, found.guesses).pvalue > LEVEL
    # Each answer is as likely, so that the test sees all of them.
    assert min(map(min, table)) > 7_000


def test_single_outputs_say_nothing_of_the_side_of_their_neighbors():
    mechanism = Single(anything)
    draw(mechanism, plan_of(40_000))
    sides = np.array([data for data, _ in mechanism.asked]) > 0
    outputs = np.array([answer[0] for answer in mechanism.answered])
    for lag in (-2, -1, 0, 1, 2):
        shifted = np.roll(sides, lag)
        table = [[np.sum(outputs[shifted == s] == o) for o in (-1, 0, 1)] for s in (True, False)]
        assert chi2_contingency(table).pvalue > LEVEL
    for lag in (1, 2, 3):
        table = [[np.sum(np.roll(sides, lag)[sides == s] == t) for t in (0, 1)] for s in (0, 1)]
        assert chi2_contingency(table).pvalue > LEVEL


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("d", "d_prime"), [(D, D_PRIME), (D_PRIME, D)])
def test_each_intervention_is_counted_as_itself(kind, d, d_prime):
    (*_, counts) = draw(kind(the_data), plan_of(1000, d=d, d_prime=d_prime))
    right = (counts.d_guessed_d, counts.d_prime_guessed_d_prime)
    wrong = (counts.d_guessed_d_prime, counts.d_prime_guessed_d)
    if d < d_prime:
        right, wrong = wrong, right
    assert sum(right) == counts.trials == 1000
    assert min(right) > 400
    assert wrong == (0, 0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("trials", [1, 2, 63, 64, 65, 700])
def test_the_counts_are_those_of_what_was_asked_and_answered(kind, trials):
    """The naive twin: one trial after the other, from what the mechanism itself saw."""
    mechanism = kind(anything)
    plan = plan_of(trials)
    tables = draw(mechanism, plan, seed=3)
    expected = np.zeros((2, 3), dtype=int)
    for (data, size), answers in mechanism.calls():
        assert len(answers) == size
        for answer in answers:
            expected[int(data != plan.d), {1.0: 0, -1.0: 1, 0.0: 2}[answer]] += 1
    assert tables[-1] == Counts(*expected.ravel().tolist())
    assert tables[-1].trials == trials
    assert sum(size for _, size in mechanism.asked) == trials


def test_checkpoints_of_single_calls_are_the_trials_so_far():
    mechanism = Single(anything)
    plan = plan_of(5000)
    tables = draw(mechanism, plan)
    assert len(tables) == len(plan.checkpoints(0)) > 5
    for place, table in zip(plan.checkpoints(0), tables, strict=True):
        expected = np.zeros((2, 3), dtype=int)
        for (data, _), (answer,) in mechanism.calls()[:place]:
            expected[int(data != plan.d), {1.0: 0, -1.0: 1, 0.0: 2}[answer]] += 1
        assert table == Counts(*expected.ravel().tolist())


def test_checkpoints_of_batches_take_the_outputs_in_their_order():
    mechanism = Batched(anything)
    plan = plan_of(5000)
    tables = draw(mechanism, plan)
    answers = {data: batch for (data, _), batch in mechanism.calls()}
    for place, table in zip(plan.checkpoints(0), tables, strict=True):
        assert table.trials == place
        said = [answers[D][: table.d_trials].count(value) for value in (1, -1, 0)]
        said += [answers[D_PRIME][: table.d_prime_trials].count(v) for v in (1, -1, 0)]
        assert table == Counts(*said)


@pytest.mark.parametrize("kind", KINDS)
def test_heads_come_in_any_order(kind):
    """Heads among the first 64 of 256 trials, over many blocks: as of 64 fair coins."""
    plan = plan_of(256)
    early = [draw(kind(the_data), plan, seed=seed)[0] for seed in range(200)]
    heads = np.array([counts.d_trials for counts in early])
    assert {counts.trials for counts in early} == {64}
    assert binomtest(int(heads.sum()), 64 * len(heads)).pvalue > LEVEL
    statistic = float(((heads - 32) ** 2).sum() / 16)
    # The exact spread of 64 tosses is a hair below that of a normal law.
    assert chi2.ppf(LEVEL, len(heads)) < statistic < chi2.isf(LEVEL, len(heads))


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_drawn_but_what_is_counted(kind):
    mechanism = kind(the_data)
    counts = draw(mechanism, plan_of(300), seed=1)[-1]
    asked = dict.fromkeys((D, D_PRIME), 0)
    for data, size in mechanism.asked:
        asked[data] += size
    assert (asked[D], asked[D_PRIME]) == (counts.d_trials, counts.d_prime_trials)
