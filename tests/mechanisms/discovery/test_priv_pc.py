from __future__ import annotations

import math
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.accounting.composition import basic_composition
from provado.mechanisms.accounting.pld import LaplaceNoise, tight_composition
from provado.mechanisms.definitions.promise import PureDP
from provado.mechanisms.graph_discovery.edges.priv_pc_edge import upper_tail
from provado.mechanisms.graph_discovery.independence_tests.margin import (
    PrintedMargin,
    ProvedMargin,
    PublicFacts,
    ReleasedMargin,
)
from provado.mechanisms.graph_discovery.methods.budget import SpentRounds
from provado.mechanisms.graph_discovery.methods.priv_pc import (
    priv_pc_printed,
    priv_pc_released,
    priv_pc_repaired,
    sieve_noise,
)
from provado.mechanisms.graph_discovery.methods.svt_pc import svt_pc_released, svt_pc_repaired
from provado.mechanisms.graph_discovery.search.skeleton import find_skeleton
from provado.mechanisms.graph_discovery.tables.contingency import stratified_tau
from provado.mechanisms.noise.sieve import sieve_epsilon
from provado.mechanisms.scores.conditional_ranks import (
    average_sensitivity,
    conditional_tau_average,
    p_value_sensitivity_released,
)
from tests.mechanisms.discovery.sampled_chain import chain, coded, path

REPAIRED = [
    partial(priv_pc_repaired, rounds=9),
    partial(svt_pc_repaired, rounds=9),
]
PUBLISHED = [
    partial(priv_pc_printed, threshold=0.9, tweak=0.05),
    priv_pc_released,
    svt_pc_released,
]


@pytest.mark.parametrize("method", [*REPAIRED, *PUBLISHED[1:]])
def test_without_noise_to_speak_of_it_is_pc(method):
    data = chain(20_000)
    found = method(data, epsilon=1000.0, rng=np.random.default_rng(0))
    plain = find_skeleton(
        4,
        lambda x, y, s: stratified_tau(data.tables(x, y, s)).p_value >= 0.1,
        stable=False,
    )
    assert np.array_equal(plain.adjacency, path(4))
    assert np.array_equal(found.skeleton, plain.adjacency)
    assert np.array_equal(found.cpdag, plain.adjacency)
    assert dict(found.separating) == dict(plain.separating)
    assert found.tests == plain.tests
    assert found.complete


@pytest.mark.parametrize("method", [*REPAIRED, *PUBLISHED])
def test_the_seed_settles_the_answer_and_noise_decides_it_at_a_small_epsilon(method):
    data = chain(500)
    runs = [method(data, epsilon=0.3, rng=np.random.default_rng(seed)) for seed in range(12)]
    again = method(data, epsilon=0.3, rng=np.random.default_rng(0))
    assert again.answers == runs[0].answers
    assert np.array_equal(again.skeleton, runs[0].skeleton)
    assert len({run.skeleton.tobytes() for run in runs}) > 2


def naive_repaired(data, epsilon, rounds, rng, subset):
    """Algorithm 2, line by line on rows, with exact τ and the noise of each test's own Δ."""
    columns = data.codes.astype(int)
    d, n = columns.shape
    within = math.log(n / subset * (math.exp(epsilon / 2) - 1) + 1)
    adjacent = {frozenset(pair) for pair in combinations(range(d), 2)}
    answers, seen = [], set()

    def score(rows, x, y, given_columns):
        z = columns[list(given_columns)][:, rows].T if given_columns else np.zeros(len(rows))
        return float(abs(conditional_tau_average(columns[x][rows], columns[y][rows], z)))

    def delta(m, given_columns):
        return 12 / (2 * m - 7 * math.prod(data.levels[g] for g in given_columns))

    def fresh():
        everything = np.arange(n)
        rows = (
            everything if subset == n else rng.choice(n, size=subset, replace=False, shuffle=False)
        )
        return rows, rng.laplace(scale=2 / within)

    rows, level = fresh()
    for order in range(d - 1):
        for x, y in combinations(range(d), 2):
            sets = [
                s
                for end, other in ((x, y), (y, x))
                for s in combinations(
                    [v for v in range(d) if frozenset((end, v)) in adjacent and v != other], order
                )
            ]
            for s in sets:
                if frozenset((x, y)) not in adjacent or (x, y, frozenset(s)) in seen:
                    continue
                seen.add((x, y, frozenset(s)))
                if len(answers) == rounds:
                    return adjacent, answers
                limit = stats.norm.isf(0.08) / (1.5 * math.sqrt(subset))
                noise = rng.laplace(scale=4 / within)
                if (limit - score(rows, x, y, s)) / delta(subset, s) + noise < level:
                    continue
                limit = stats.norm.isf(0.1) / (1.5 * math.sqrt(n))
                noise = rng.laplace(scale=2 / epsilon)
                gone = (limit - score(range(n), x, y, s)) / delta(n, s) + noise >= 0
                answers.append((x, y, s, gone))
                if gone:
                    adjacent.remove(frozenset((x, y)))
                if len(answers) < rounds:
                    rows, level = fresh()
    return adjacent, answers


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("subset", "rounds"), [(400, 20), (150, 20), (400, 3)])
def test_the_repaired_one_equals_the_algorithm_line_by_line(seed, subset, rounds):
    data = chain(400)
    assert data.collapsed() is data
    found = priv_pc_repaired(
        data, epsilon=1.5, rounds=rounds, rng=np.random.default_rng(seed), subset=subset
    )
    adjacent, answers = naive_repaired(data, 1.5, rounds, np.random.default_rng(seed), subset)
    assert [(a.x, a.y, a.given, a.deleted) for a in found.answers] == answers
    assert {frozenset(e) for e in np.argwhere(found.skeleton).tolist()} == {
        frozenset(e) for e in adjacent
    }


def test_an_answer_has_the_probability_of_two_laplace_tails():
    rng = np.random.default_rng(8)
    x = rng.integers(0, 2, 300)
    data = coded(x, np.where(rng.random(300) < 0.1, x, rng.integers(0, 2, 300)), levels=(2, 2))
    trials, epsilon = 6000, 1.0
    look = PublicFacts(300, 300, 1, sieve=True)
    sieve = ProvedMargin()(data.tables(0, 1), look)
    exam = ProvedMargin()(data.tables(0, 1), PublicFacts(300, 300, 1, sieve=False))
    passes = upper_tail(-sieve * epsilon / 2)
    deletes = passes * stats.laplace.sf(-exam * epsilon / 2)
    assert 0.1 < deletes < passes < 0.9
    runs = [priv_pc_repaired(data, epsilon=epsilon, rounds=1, rng=rng) for _ in range(trials)]
    for chance, times in (
        (passes, sum(len(r.answers) for r in runs)),
        (deletes, sum(not r.skeleton.any() for r in runs)),
    ):
        assert stats.binomtest(times, trials, chance).pvalue > 1e-4
    # Half the noise in the examination would be noticed.
    wrong = passes * stats.laplace.sf(-exam * epsilon)
    assert stats.binomtest(times, trials, wrong).pvalue < 1e-4


def margin_change(margin, data, other, strata):
    look = PublicFacts(data.n, data.n, strata, sieve=True)
    given_columns = tuple(range(2, len(data.levels)))
    return abs(
        margin(data.tables(0, 1, given_columns), look)
        - margin(other.tables(0, 1, given_columns), look)
    )


@settings(max_examples=150)
@given(st.data())
def test_the_proved_margin_moves_by_at_most_one(data):
    n = data.draw(st.integers(15, 40))
    levels = (data.draw(st.integers(2, 4)), data.draw(st.integers(2, 4)), 2)
    record = st.tuples(*(st.integers(0, k - 1) for k in levels))
    rows = data.draw(st.lists(record, min_size=n, max_size=n))
    changed = [data.draw(record), *rows[1:]]
    tables = [coded(*zip(*r, strict=True), levels=levels) for r in (rows, changed)]
    assert margin_change(ProvedMargin(), *tables, 2) <= 1 + 1e-9


def moving_record(a):
    """A record that leaves a stratum in one order for one in the opposite order."""
    first = [(i, i, 0) for i in range(a)]
    second = [(i, a - 1 - i, 1) for i in range(a)]
    # Shifted by one, so that the record can disagree with all of the first stratum.
    rows = [(x + 1, y + 1, z) for x, y, z in first + second]
    pair = [(a + 1, 0, 0), *rows], [(a + 1, a + 1, 1), *rows]
    return [coded(*zip(*r, strict=True), levels=(a + 2, a + 2, 2)) for r in pair]


def test_the_worst_known_pair_breaks_the_published_sensitivities_only():
    data, other = moving_record(60)
    # The averages lie around 0: taken with its sign, the score moves by more than 9/(2n).
    averages = [stratified_tau(d.tables(0, 1, (2,)), rule="all").average for d in (data, other)]
    moved = abs(averages[0] - averages[1])
    assert 9 / (2 * data.n) < moved <= float(average_sensitivity(data.n, 2))
    assert margin_change(ProvedMargin(), data, other, 2) <= 1
    # One record brings in a stratum that the released rule leaves out: y is constant in it.
    rows = [(i % 2, 0, 0) for i in range(50)] + [(i % 2, i % 2, 1) for i in range(50)]
    rows[0] = (0, 0, 1)
    brought = [(0, 1, 0), *rows[1:]]
    pair = [coded(*zip(*r, strict=True), levels=(2, 2, 2)) for r in (rows, brought)]
    assert margin_change(PrintedMargin(0.9, 0.0), *pair, 2) > 1
    assert margin_change(ProvedMargin(), *pair, 2) <= 1


def test_the_released_p_value_moves_further_than_the_released_code_takes_it():
    # A stratum of 40 with p = .03, and one of 600 that one record brings in: p becomes .32.
    counted = [(0, 0, 1)] * 14 + [(0, 1, 1)] * 6 + [(1, 0, 1)] * 6 + [(1, 1, 1)] * 14
    rows = [(i % 2, 0, 0) for i in range(600)] + counted
    other = [(0, 1, 0), *rows[1:]]
    pair = [coded(*zip(*r, strict=True), levels=(2, 2, 2)) for r in (rows, other)]
    changes = [stratified_tau(d.tables(0, 1, (2,))).p_value for d in pair]
    assert abs(changes[0] - changes[1]) > p_value_sensitivity_released(640)
    assert margin_change(ReleasedMargin(), *pair, 2) > 1


def test_the_released_noise_is_that_of_the_released_code():
    n, m, epsilon = 10_000, 2_500, 0.7
    s, q = p_value_sensitivity_released(n), m / n
    within = math.log((math.exp(epsilon / 2) - 1) / q + 1)
    assert sieve_epsilon(epsilon, n, m) == pytest.approx(within)
    table = np.array([[[30, 20], [25, 30]]])
    unit = (
        1
        / (
            ReleasedMargin(0.1, 0.05)(table, PublicFacts(m, n, 1, sieve=True))
            - ReleasedMargin(0.1, 0.05)(table, PublicFacts(m, n, 1, sieve=False))
        )
        * 0.05
    )
    noise = sieve_noise(epsilon, n, m)
    assert noise.threshold * unit == pytest.approx(2 * s / (math.sqrt(q) * within))
    assert noise.query * unit == pytest.approx(4 * s / (math.sqrt(q) * within))
    assert noise.examination * s == pytest.approx(s / (epsilon / 2))


def test_the_printed_noise_has_the_share_without_its_root():
    table = np.array([[[30, 20], [25, 30]]])
    margin = PrintedMargin(0.5, 0.1)
    change = [
        margin(table, PublicFacts(m, 1000, 1, sieve=True))
        - margin(table, PublicFacts(m, 1000, 1, sieve=False))
        for m in (1000, 250)
    ]
    assert change == pytest.approx([0.1 / (9 / 2000), 0.1 / (4 * 9 / 2000)])


def test_too_many_strata_are_not_asked():
    table = np.array([[[9, 9], [9, 9]]])
    assert ProvedMargin()(table, PublicFacts(36, 36, 6, sieve=True)) == -math.inf
    assert ProvedMargin()(table, PublicFacts(36, 36, 5, sieve=True)) > -math.inf


@pytest.mark.parametrize("method", REPAIRED)
def test_every_round_is_charged_whatever_came_out(method):
    tied = coded(*[[0, 1] * 2000] * 2, levels=(2, 2))
    silent = method(tied, epsilon=8.0, rng=np.random.default_rng(0))
    assert not silent.answers
    assert silent.spent.rounds == 9
    assert silent.spent.basic() == (72.0, 0.0)
    few = method(chain(3000), epsilon=8.0, rng=np.random.default_rng(0), rounds=2)
    assert len(few.answers) == 2
    assert not few.complete
    assert few.spent.basic() == (16.0, 0.0)


def test_the_published_charge_forgets_a_silent_round():
    tied = coded(*[[0, 1] * 2000] * 2, levels=(2, 2))
    silent = svt_pc_released(tied, epsilon=8.0, rng=np.random.default_rng(0))
    assert silent.spent.rounds == 0
    assert silent.spent.basic() == silent.spent.advanced(1e-3) == (0.0, 0.0)
    found = priv_pc_released(chain(3000), epsilon=1.0, rng=np.random.default_rng(0))
    assert found.spent.rounds == len(found.answers) > 0


def test_rounds_account_for_every_test():
    found = priv_pc_released(chain(3000, d=5), epsilon=0.5, rng=np.random.default_rng(2))
    asked = sum(a.tests for a in found.answers)
    assert 0 < asked <= found.tests
    assert all(a.tests >= 1 for a in found.answers)
    gone = {(a.x, a.y): a.given for a in found.answers if a.deleted}
    assert gone == dict(found.separating)
    assert found.skeleton.sum() == 2 * (10 - len(gone))


def test_totals_are_those_of_the_accountants():
    parts = (PureDP(0.05), LaplaceNoise(1.0, 20.0))
    spent = SpentRounds(40, 0.1, parts)
    assert spent.basic() == basic_composition([PureDP(0.1)] * 40).point()
    root = math.sqrt(80 * math.log(1000)) * 0.1 + 4 * math.expm1(0.1)
    assert spent.advanced(1e-3) == pytest.approx((root, 1e-3), rel=1e-9)
    few = SpentRounds(6, 0.1, parts)
    tight = few.tight(1e-3)[0]
    assert tight == pytest.approx(tight_composition(parts * 6, 1e-3), abs=2e-3)
    assert tight < few.basic()[0] < few.advanced(1e-3)[0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"epsilon": 0}, "epsilon is 0"),
        ({"epsilon": 2000}, "epsilon is 2000"),
        ({"rounds": 0}, "rounds is 0"),
        ({"alpha": 0.6}, "alpha is 0.6"),
        ({"tweak": 0.2}, "tweak is 0.2"),
        ({"subset": 301}, "m is 301"),
        ({"max_order": -1}, "max_order is -1"),
    ],
)
def test_bad_arguments_are_named(change, message):
    arguments = {"epsilon": 1.0, "rounds": 3, "rng": np.random.default_rng(0)} | change
    with pytest.raises(UsageError, match=message):
        priv_pc_repaired(chain(300), **arguments)


def test_an_empty_subset_is_refused():
    with pytest.raises(UsageError, match="has 5 records"):
        priv_pc_released(chain(5), epsilon=0.1, rng=np.random.default_rng(0))
