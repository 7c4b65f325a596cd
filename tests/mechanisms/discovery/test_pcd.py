from __future__ import annotations

import math
from functools import partial
from itertools import combinations

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.independence_tests.margin import margin_sensitivity
from provado.mechanisms.graph_discovery.independence_tests.rcit import (
    RCIT,
    fixed_kernel,
    median_kernel,
)
from provado.mechanisms.graph_discovery.methods.pcd import pc_numeric, pcd_printed, pcd_repaired
from provado.mechanisms.graph_discovery.search.cpdag import orient
from provado.mechanisms.graph_discovery.search.skeleton import find_skeleton
from provado.mechanisms.graph_discovery.tables.numeric import numeric_columns
from provado.mechanisms.regression.kernels import SquaredExponential

repaired = partial(pcd_repaired, rounds=4, bandwidth=0.5)
RANGES = dict.fromkeys("abcd", (-2.0, 2.0))


def columns(n, seed, *, collider):
    """Return a → b ← c or a → b → c."""
    draw = np.random.default_rng(seed)
    a = draw.uniform(-1, 1, n)
    if collider:
        c = draw.uniform(-1, 1, n)
        b = np.tanh(2 * a) + np.sin(2 * c) + 0.2 * draw.uniform(-1, 1, n)
    else:
        b = np.sin(2 * a) + 0.4 * draw.uniform(-1, 1, n)
        c = np.tanh(2 * b) + 0.4 * draw.uniform(-1, 1, n)
    return numeric_columns({"a": a, "b": b, "c": c}, ranges={k: RANGES[k] for k in "abc"})


def sparse(n, seed, d=4):
    """Return d columns of which only the first two depend on one another."""
    draw = np.random.default_rng(seed)
    values = draw.uniform(-1, 1, (d, n))
    values[1] = np.sin(2 * values[0]) + 0.3 * values[1]
    names = "abcd"[:d]
    return numeric_columns(
        dict(zip(names, values, strict=True)), ranges={k: RANGES[k] for k in names}
    )


@pytest.mark.parametrize("bandwidth", [None, 0.4])
def test_a_collider_is_recovered_from_500_rows(bandwidth):
    data = columns(500, 3, collider=True)
    found = pc_numeric(
        data, alpha=0.05, rng=np.random.default_rng(0), lam=0.01, bandwidth=bandwidth
    )
    assert np.array_equal(found.cpdag, np.array([[0, 1, 0], [0, 0, 0], [0, 1, 0]], dtype=bool))
    assert dict(found.separating) == {(0, 2): ()}


def test_a_chain_is_separated_by_its_middle_and_stays_undirected():
    data = columns(500, 2, collider=False)
    found = pc_numeric(data, alpha=0.05, rng=np.random.default_rng(0), lam=0.01)
    path = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
    assert np.array_equal(found.skeleton, path)
    assert np.array_equal(found.cpdag, path)
    assert dict(found.separating) == {(0, 2): (1,)}
    # λ = 1 in the objective as printed is a ridge of m/2: residuals keep what the middle explains.
    printed = pc_numeric(data, alpha=0.05, rng=np.random.default_rng(0), lam=1.0)
    assert printed.skeleton.sum() == 6


def naive_printed(data, epsilon, rng, alpha, lam, permutations):
    """Algorithm 1 with all of PC's order written out; returns edges, noised tests and all tests."""
    rcit = RCIT(data, choose=median_kernel, lam=lam, permutations=permutations)
    m, d = data.n, len(data.names)
    edges = {frozenset(pair) for pair in combinations(range(d), 2)}
    noised, asked, order = [], 0, 0

    def near(v):
        return [w for w in range(d) if frozenset((v, w)) in edges]

    while max(len(near(v)) for v in range(d)) - 1 >= order and order <= d - 2:
        for x, y in combinations(range(d), 2):
            if frozenset((x, y)) not in edges:
                continue
            sets = list(combinations([v for v in near(x) if v != y], order))
            sets += [
                s for s in combinations([v for v in near(y) if v != x], order) if s not in sets
            ]
            for given in sets:
                scores = rcit.scores(x, y, given, rng)
                h, permuted = scores.test.score, scores.test.permuted.tolist()
                if given:
                    gone = [math.exp(-128 / (m**2 * lam**3 * w**2)) for w in scores.widths]
                    delta = 2 * (m**2 - m) * (2 - gone[0] - gone[1]) / (m - 1) ** 2
                else:
                    delta = (12 * m - 11) / (m - 1) ** 2
                share = [
                    sum(h < other + shift for other in permuted) / permutations
                    for shift in (0, -2 * delta, 2 * delta)
                ]
                asked += 1
                if share[0] > alpha:
                    change = share[0] - share[1]
                    noisy = share[0] - change <= alpha
                else:
                    change = share[2] - share[0]
                    noisy = share[0] + change >= alpha
                delete = share[0] > alpha
                if noisy:
                    left = share[0] + rng.laplace() * 4 * change / epsilon
                    delete = left >= alpha + rng.laplace() * 2 * change / epsilon
                    noised.append((x, y, given, bool(delete)))
                if delete:
                    edges.remove(frozenset((x, y)))
                    break
        order += 1
    return edges, noised, asked


def edges_of(found):
    return {frozenset(map(int, pair)) for pair in np.argwhere(found.skeleton)}


@pytest.mark.parametrize("seed", range(4))
def test_the_printed_one_is_algorithm_1_and_charges_the_noised_tests_only(seed):
    # Enough rows for tests far from the level, which are not charged.
    data = sparse(700, seed)
    arguments = {"epsilon": 2.0, "alpha": 0.05, "lam": 0.9, "permutations": 12}
    found = pcd_printed(data, rng=np.random.default_rng(seed), **arguments)
    edges, noised, asked = naive_printed(data, rng=np.random.default_rng(seed), **arguments)
    assert edges_of(found) == edges
    assert [(a.x, a.y, a.given, a.deleted) for a in found.answers] == noised
    assert found.tests == asked
    assert found.spent.rounds == len(noised)
    assert found.spent.basic() == (2.0 * len(noised), 0.0)
    assert 0 < len(noised) < asked
    assert 0 < sum(a.tests for a in found.answers) <= asked


def naive_repaired(data, epsilon, rounds, rng, bandwidth, alpha, lam, permutations, noise=1.0):
    """The sparse vector, round after round, on PC's order; ``noise`` multiplies what is drawn."""
    rcit = RCIT(data, choose=fixed_kernel(bandwidth), lam=lam, permutations=permutations)
    slope = SquaredExponential(bandwidth).lipschitz
    level = noise * rng.laplace(scale=2 / epsilon)
    ended = 0

    def independent(x, y, given):
        nonlocal level, ended
        if ended == rounds:
            return False
        unit = margin_sensitivity(data.n, slope, lam if given else None)
        below = -math.inf
        if unit < (data.n / (data.n - 1)) ** 2 / 4:
            test = rcit.scores(x, y, given, rng).test
            below = sorted(test.permuted)[-(math.floor(alpha * permutations) + 1)] - test.score
        query = below / unit + noise * rng.laplace(scale=4 / epsilon)
        if query < level:
            return False
        ended += 1
        if ended < rounds:
            level = noise * rng.laplace(scale=2 / epsilon)
        return True

    found = find_skeleton(len(data.names), independent, stable=False)
    return found, ended


@pytest.mark.parametrize("epsilon", [0.5, 200.0])
@pytest.mark.parametrize("rounds", [1, 5])
def test_the_repaired_one_is_the_sparse_vector_on_margins(epsilon, rounds):
    data = sparse(300, 1)
    arguments = {
        "epsilon": epsilon,
        "rounds": rounds,
        "bandwidth": 0.5,
        "alpha": 0.05,
        "lam": 0.5,
        "permutations": 19,
    }
    for seed in range(3):
        found = pcd_repaired(data, rng=np.random.default_rng(seed), **arguments)
        naive, ended = naive_repaired(data, rng=np.random.default_rng(seed), **arguments)
        assert np.array_equal(found.skeleton, naive.adjacency)
        assert dict(found.separating) == dict(naive.separating)
        assert len(found.answers) == ended
        assert np.array_equal(found.cpdag, orient(naive))
        assert found.spent.rounds == rounds
        assert found.spent.basic() == (rounds * epsilon, 0.0)


def test_without_noise_to_speak_of_it_is_pc_with_the_same_permutations():
    for seed, collider in ((0, True), (1, False)):
        data = columns(1200, seed, collider=collider)
        arguments = {"bandwidth": 0.5, "alpha": 0.05, "lam": 0.01, "permutations": 40}
        found = pcd_repaired(
            data, epsilon=1e9, rounds=9, rng=np.random.default_rng(seed), **arguments
        )
        plain, _ = naive_repaired(data, 1e9, 9, np.random.default_rng(seed), noise=0.0, **arguments)
        assert np.array_equal(found.skeleton, plain.adjacency)
        assert dict(found.separating) == {(0, 2): () if collider else (1,)}
        assert found.tests == plain.tests
        assert found.complete
        assert not found.skeleton[0, 2]
        assert found.skeleton[0, 1]
        assert found.skeleton[1, 2]


@pytest.mark.parametrize("method", [partial(pcd_printed), repaired, partial(pc_numeric, alpha=0.1)])
def test_the_seed_settles_the_answer(method):
    data = sparse(120, 5)
    budget = {} if method.func is pc_numeric else {"epsilon": 1.0}
    first, again = (
        method(data, rng=np.random.default_rng(3), permutations=10, **budget) for _ in range(2)
    )
    assert np.array_equal(first.skeleton, again.skeleton)
    assert dict(first.separating) == dict(again.separating)
    others = {
        method(data, rng=np.random.default_rng(s), permutations=10, **budget).skeleton.tobytes()
        for s in range(8)
    }
    if budget:
        assert len(others) > 1


def test_a_silent_run_is_charged_in_full_and_an_exhausted_one_stops():
    tied = columns(400, 3, collider=False)
    both = numeric_columns({"a": tied.values[0], "b": tied.values[0]})
    rng = np.random.default_rng(0)
    silent = repaired(both, epsilon=200.0, rng=rng)
    assert not silent.answers
    assert silent.complete
    assert silent.spent.basic() == (800.0, 0.0)
    few = pcd_repaired(sparse(300, 2), epsilon=1e6, rounds=1, bandwidth=0.5, rng=rng)
    assert len(few.answers) == 1
    assert not few.complete
    assert few.spent.basic() == (1e6, 0.0)
    # The printed one pays nothing for deciding without noise.
    far = pcd_printed(
        numeric_columns({"a": np.arange(900), "b": np.arange(900)}), epsilon=1.0, rng=rng
    )
    assert far.skeleton[0, 1]
    assert far.spent.basic() == (0.0, 0.0)


def test_tests_without_hope_keep_their_edges_and_cost_no_round():
    data = columns(400, 2, collider=False)
    rng = np.random.default_rng(0)
    # λ = 1e-6: the bound with a conditioning set exceeds what a score can span.
    found = pcd_repaired(data, epsilon=1e-3, rounds=50, bandwidth=0.5, lam=1e-6, rng=rng)
    assert all(not answer.given for answer in found.answers)
    tiny = numeric_columns({"a": range(12), "b": range(12)})
    kept = pcd_repaired(tiny, epsilon=1e-3, rounds=50, bandwidth=0.5, rng=rng)
    assert kept.skeleton[0, 1]
    assert not kept.answers


@pytest.mark.parametrize(
    ("method", "change", "message"),
    [
        (repaired, {"epsilon": 0}, "epsilon is 0"),
        (repaired, {"rounds": 0}, "rounds is 0"),
        (repaired, {"bandwidth": 0.0}, "bandwidth is 0"),
        (repaired, {"alpha": 1.0}, "alpha is 1"),
        (repaired, {"lam": -1.0}, "lam is -1"),
        (repaired, {"permutations": 0}, "permutations is 0"),
        (repaired, {"max_order": -1}, "max_order is -1"),
        (pcd_printed, {"epsilon": -1}, "epsilon is -1"),
        (pcd_printed, {"lam": 1.5}, "lam is 1.5: equation"),
        (pcd_printed, {"alpha": 0}, "alpha is 0"),
    ],
)
def test_bad_arguments_are_named(method, change, message):
    arguments = {"epsilon": 1.0, "rng": np.random.default_rng(0)} | change
    with pytest.raises(UsageError, match=message):
        method(sparse(50, 0), **arguments)


def test_a_constant_column_is_named_where_its_median_is_needed():
    flat = numeric_columns({"a": range(50), "b": [1] * 50}, ranges={"b": (0, 2)})
    rng = np.random.default_rng(0)
    for run in (partial(pcd_printed, epsilon=1.0), partial(pc_numeric, alpha=0.05)):
        with pytest.raises(UsageError, match="column 'b'"):
            run(flat, rng=rng)
    assert pcd_repaired(flat, epsilon=1.0, rounds=1, bandwidth=1.0, rng=rng).tests == 1
