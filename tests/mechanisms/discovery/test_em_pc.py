from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.methods.deletion_utility import (
    GreedyUtility,
    ProvedUtility,
    choice_probabilities,
    counts_proved,
    counts_released,
)
from provado.mechanisms.graph_discovery.methods.em_pc import em_pc_released, em_pc_repaired, run_em
from provado.mechanisms.graph_discovery.search.skeleton import find_skeleton
from provado.mechanisms.graph_discovery.tables.contingency import stratified_tau
from tests.mechanisms.discovery.sampled_chain import chain, coded, path

METHODS = [partial(em_pc_repaired, rounds=99), em_pc_released]


def test_without_noise_to_speak_of_the_repaired_one_is_pc():
    data = chain(20_000)
    found = em_pc_repaired(data, epsilon=1000.0, rounds=99, rng=np.random.default_rng(0))
    plain = find_skeleton(4, lambda x, y, s: stratified_tau(data.tables(x, y, s)).p_value >= 0.1)
    assert np.array_equal(plain.adjacency, path(4))
    assert np.array_equal(found.skeleton, plain.adjacency)
    assert found.complete
    gone = {(a.x, a.y): a.given for a in found.answers}
    assert gone == dict(found.separating)
    assert found.skeleton.sum() == 2 * (6 - len(gone))
    for (x, y), given in gone.items():
        assert stratified_tau(data.tables(x, y, given)).p_value >= 0.1


def test_the_released_one_keeps_the_last_edge_of_a_node_however_much_it_may_spend():
    rng = np.random.default_rng(4)
    data = coded(*rng.integers(0, 2, (2, 5000)), levels=(2, 2))
    runs = partial(em_pc_released, data, epsilon=1000.0, rng=rng)
    assert stratified_tau(data.tables(0, 1)).p_value >= 0.1
    assert all(runs().skeleton.any() for _ in range(20))
    repaired = em_pc_repaired(data, epsilon=1000.0, rounds=9, rng=rng)
    assert not repaired.skeleton.any()


@pytest.mark.parametrize("method", METHODS)
def test_the_seed_settles_the_answer_and_chance_decides_it_at_a_small_epsilon(method):
    data = chain(150)
    runs = [method(data, epsilon=0.3, rng=np.random.default_rng(seed)) for seed in range(12)]
    again = method(data, epsilon=0.3, rng=np.random.default_rng(0))
    assert again.answers == runs[0].answers
    assert np.array_equal(again.skeleton, runs[0].skeleton)
    assert len({run.skeleton.tobytes() for run in runs}) > 2


def naive_run(data, utility, counts, epsilon, rng, rounds):
    """The search, line by line, with each softmax by hand; the draws are those of the fast one."""
    d = len(data.levels)
    adjacent = {frozenset(pair) for pair in combinations(range(d), 2)}
    answers, done = [], 0

    def draw(scores, rate):
        weights = np.exp(rate * (np.array(scores) - max(scores)))
        return int(rng.choice(len(scores), p=weights / weights.sum()))

    for order in range(d - 1):
        for x in range(d):
            near = [y for y in range(d) if frozenset((x, y)) in adjacent]
            if len(near) < order + 1:
                continue
            options, _ = utility.deletions(x, near, order)
            if not options:
                continue
            if done == rounds:
                return adjacent, answers, done
            done += 1
            number = draw(counts(options), epsilon / 4)
            for _ in range(number):
                pick = options[draw([o.score for o in options], epsilon / 4 / number)]
                options = [o for o in options if o.y != pick.y]
                adjacent.remove(frozenset((x, pick.y)))
                answers.append((frozenset((x, pick.y)), pick.given))
    return adjacent, answers, done


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rounds", [99, 3])
@pytest.mark.parametrize(
    ("make", "counts"),
    [
        (partial(ProvedUtility, alpha=0.1), counts_proved),
        (partial(GreedyUtility, alpha=0.05), counts_released),
    ],
)
def test_the_search_equals_the_one_line_by_line(seed, rounds, make, counts):
    data = chain(300)
    utility = make(data)
    found = run_em(
        utility, counts, epsilon=0.8, rng=np.random.default_rng(seed), max_order=2, rounds=rounds
    )
    adjacent, answers, done = naive_run(
        data, utility, counts, 0.8, np.random.default_rng(seed), rounds
    )
    assert [(frozenset((a.x, a.y)), a.given) for a in found.answers] == answers
    assert {frozenset(e) for e in np.argwhere(found.skeleton).tolist()} == adjacent
    assert found.spent.rounds == rounds
    released = run_em(
        utility, counts, epsilon=0.8, rng=np.random.default_rng(seed), max_order=2, rounds=None
    )
    assert released.spent.rounds >= done
    assert found.complete is (released.spent.rounds <= rounds)


def test_every_round_is_charged_whatever_came_out():
    tied = coded(*[[0, 1] * 2000] * 2, levels=(2, 2))
    silent = em_pc_repaired(tied, epsilon=8.0, rounds=9, rng=np.random.default_rng(0))
    assert not silent.answers
    assert silent.spent.basic() == (72.0, 0.0)
    few = em_pc_repaired(chain(3000), epsilon=8.0, rng=np.random.default_rng(0), rounds=1)
    assert not few.complete
    assert few.spent.basic() == (8.0, 0.0)
    parts = [part.point() for part in few.spent.parts]
    assert parts == [(4.0, 0.0), (4.0, 0.0)]
    took_place = em_pc_released(tied, epsilon=8.0, rng=np.random.default_rng(0))
    assert took_place.spent.rounds == 2


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"epsilon": 0}, "epsilon is 0"),
        ({"alpha": 1.0}, "alpha is 1.0"),
        ({"max_order": -1}, "max_order is -1"),
    ],
)
def test_bad_arguments_are_named(method, change, message):
    with pytest.raises(UsageError, match=message):
        method(chain(300), **({"epsilon": 1.0, "rng": np.random.default_rng(0)} | change))


def test_rounds_must_be_a_whole_number():
    with pytest.raises(UsageError, match="rounds is 0"):
        em_pc_repaired(chain(300), epsilon=1.0, rounds=0, rng=np.random.default_rng(0))


def test_answers_of_a_whole_run_have_their_exact_chance():
    rng = np.random.default_rng(6)
    data = chain(200, d=3, seed=5)
    utility = ProvedUtility(data, alpha=0.1)
    options, _ = utility.deletions(0, [1, 2], 0)
    law = choice_probabilities(options, counts_proved, epsilon=0.2)
    wanted = {tuple((0, d.y, d.given) for d in a): p for a, p in law.items()}
    trials = 1500
    runs = (
        run_em(utility, counts_proved, epsilon=0.2, rounds=1, rng=rng, max_order=0)
        for _ in range(trials)
    )
    seen = Counter(tuple((a.x, a.y, a.given) for a in run.answers) for run in runs)
    assert set(seen) <= set(wanted)
    counts = [seen[answer] for answer in wanted]
    assert stats.chisquare(counts, trials * np.array([*wanted.values()])).pvalue > 1e-4
    wrong = choice_probabilities(options, counts_proved, epsilon=0.4).values()
    assert stats.chisquare(counts, trials * np.array([*wrong])).pvalue < 1e-4
