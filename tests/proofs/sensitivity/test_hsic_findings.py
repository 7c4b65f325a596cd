from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from provado.mechanisms.regression.kernels import SquaredExponential, median_bandwidth
from provado.mechanisms.scores.hsic.hsic import (
    hsic_blocked,
    hsic_median_heuristic,
    hsic_sensitivity,
)
from provado.proofs.kernel import KernelRefusal, sum_enclosure
from provado.proofs.ledger import Formula
from provado.proofs.ledger.kusner2016.hsic import ADDED
from tests.mechanisms.regression.matern import Matern
from tests.proofs.sensitivity.sharp_bounds.entries import hsic, hsic_median
from tests.proofs.sensitivity.sharp_bounds.exact_scores import hsic_exact, opposite, same
from tests.proofs.sensitivity.sharp_bounds.exponential_scores import (
    hsic_sum,
    median_distance,
    squared_exponential,
)
from tests.proofs.sensitivity.sharp_bounds.hsic_argument import (
    PRINTED,
    below_printed,
    range_below_printed,
)

POSITIVE, SIGNED, ADDING = hsic.FINDINGS


def trace_score(k, ell):
    m = len(k)
    centre = np.eye(m) - 1 / m
    return np.trace(k @ centre @ ell @ centre) / (m - 1) ** 2


def symmetric(rng, m, low):
    matrix = rng.integers(0, 2, size=(m, m)) if rng.random() < 0.5 else rng.random((m, m))
    return np.triu(low + (1 - low) * matrix) + np.triu(low + (1 - low) * matrix, 1).T


def covariance(f, g):
    return (f * g).mean() - f.mean() * g.mean()


def test_the_splitting_identity_holds_for_any_symmetric_matrices():
    rng = np.random.default_rng(1)
    for _ in range(100):
        m = int(rng.integers(3, 9))
        k, ell = symmetric(rng, m, -1), symmetric(rng, m, 0)
        (alpha, inner_k), (beta, inner_l) = ((x[0, 1:], x[1:, 1:]) for x in (k, ell))
        g, gamma = inner_k.mean(axis=0), inner_l.mean(axis=0)
        rest = trace_score(inner_k, inner_l) * ((m - 2) / (m - 1)) ** 2
        h = covariance(alpha - g, beta - gamma)
        p = k[0, 0] - 2 * alpha.mean() + g.mean()
        q = ell[0, 0] - 2 * beta.mean() + gamma.mean()
        assert rest + 2 * h / m + p * q / m**2 == pytest.approx(trace_score(k, ell), abs=1e-12)


def test_no_symmetric_matrices_in_0_1_move_by_more():
    # Not positive semi-definite, most of them: 21/(10m) + 8/m².
    rng = np.random.default_rng(2)
    for _ in range(2000):
        m = int(rng.integers(2, 12))
        pair = []
        k, ell = symmetric(rng, m, 0), symmetric(rng, m, 0)
        pair.append(trace_score(k, ell))
        for matrix in (k, ell):
            matrix[0, :] = matrix[:, 0] = rng.integers(0, 2, size=m)
        pair.append(trace_score(k, ell))
        assert abs(pair[0] - pair[1]) <= 2.1 / m + 8 / m**2


@pytest.mark.parametrize("kernel", [SquaredExponential(1.0), Matern(0.5, 1.0), Matern(2.5, 0.3)])
def test_no_random_replacement_moves_by_more(kernel):
    rng = np.random.default_rng(3)
    for _ in range(200):
        m = int(rng.integers(3, 30))
        data = rng.choice([0.0, 3.0, 6.0], size=(m, 2)) + rng.normal(scale=0.2, size=(m, 2))
        moved = data.copy()
        moved[0] = rng.choice([0.0, 3.0, 50.0], size=2)
        a, b = (hsic_blocked(*x.T, kernel, kernel) for x in (data, moved))
        assert abs(a - b) <= POSITIVE.upper(m)
        c = hsic_blocked(*data[1:].T, kernel, kernel)
        assert abs(a - c) <= ADDING.upper(m)


def test_no_random_replacement_moves_kernels_of_both_signs_by_more():
    rng = np.random.default_rng(4)
    for _ in range(300):
        m, width = int(rng.integers(2, 20)), int(rng.integers(1, 4))
        features = rng.normal(size=(2, m + 1, width))
        features /= np.linalg.norm(features, axis=2, keepdims=True)
        if rng.random() < 0.5:
            features = np.sign(features[:, :, :1])
        scores = []
        for keep in (np.arange(m), np.arange(1, m + 1)):
            k, ell = (f[keep] @ f[keep].T for f in features)
            scores.append(trace_score(k, ell))
        assert abs(scores[0] - scores[1]) <= SIGNED.upper(m) + 1e-12


@pytest.mark.parametrize(("finding", "kernel"), [(POSITIVE, same), (SIGNED, opposite)])
def test_the_cluster_family_is_worst_among_all_pairs_of_two_values(finding, kernel):
    for m in (2, 3, 4, 5, 6):
        places = list(product((1, -1), repeat=2))
        worst = 0
        for rest in combinations_with_replacement(places, m - 1):
            values = [hsic_exact((*rest, place), kernel, kernel) for place in places]
            worst = max(worst, max(values) - min(values))
        assert finding.at(m).worst.change == worst


def test_large_sizes_approach_the_limit():
    assert float(POSITIVE.at(3001).worst.change * 3001) == pytest.approx(32 / 27, rel=0.01)
    assert float(SIGNED.at(3001).worst.change * 3001) == pytest.approx(128 / 27, rel=0.01)


@pytest.mark.parametrize("finding", hsic.FINDINGS, ids=lambda f: f"{f.score} {f.relation}")
def test_all_printed_bounds_hold(finding):
    for m in range(3, 60):
        assert all(finding.upper(m) <= printed(m) for printed in PRINTED.values())


def test_a_printed_bound_a_fifth_as_large_is_refused():
    with pytest.raises(KernelRefusal):
        below_printed((20, Fraction(21, 2)))
    with pytest.raises(KernelRefusal):
        below_printed((0, 0, 1))
    with pytest.raises(KernelRefusal):
        range_below_printed(Fraction(10), 3)


def test_exact_score_agrees_with_the_blocked_one():
    rng = np.random.default_rng(5)
    for _ in range(30):
        data = rng.integers(0, 3, size=(8, 2))
        records = tuple((int(a), int(b)) for a, b in data)
        narrow = SquaredExponential(1e-3)
        exact = hsic_exact(records, same, same)
        assert float(exact) == pytest.approx(
            hsic_blocked(*data.T.astype(float), narrow, narrow), abs=1e-12
        )
        kernel = squared_exponential(2)
        low, high = sum_enclosure(hsic_sum(records, kernel, kernel))
        assert high - low < Fraction(1, 10**12)
        wide = SquaredExponential(2.0)
        assert float(low) == pytest.approx(
            hsic_blocked(*data.T.astype(float), wide, wide), abs=1e-12
        )


def test_median_distance_agrees_with_the_bandwidth():
    rng = np.random.default_rng(6)
    for _ in range(50):
        column = rng.integers(0, 40, size=9)
        exact = median_distance(tuple(map(int, column)))
        if exact:
            assert float(exact) == pytest.approx(median_bandwidth(column))


def test_one_record_turns_the_median_and_a_fifth_of_the_range():
    d, d_prime = hsic_median.turning_pair(200)
    floats = [hsic_median_heuristic(*np.array(data, dtype=float).T) for data in (d, d_prime)]
    exact = [sum_enclosure(hsic_median.score(data))[0] for data in (d, d_prime)]
    assert floats == pytest.approx([float(value) for value in exact])
    assert abs(floats[0] - floats[1]) > 0.2
    assert hsic_median.breaks_printed_bound(200).verdict == "refuted"
    with pytest.raises(KernelRefusal):
        hsic_median.refute_at(20, hsic_sensitivity(20))


# The steps of the printed proofs.


def changed_matrices():
    """Return all pairs of symmetric 3 × 3 matrices of 0 and 1 that differ in the last row only."""
    entries = np.array(list(product((0, 1), repeat=9)))
    shared, before, after = entries[:, :3], entries[:, 3:6], entries[:, 6:]

    def build(last):
        a, b, c = shared.T
        d, e, f = last.T
        return np.stack([a, b, d, b, c, e, d, e, f], axis=1).reshape(-1, 3, 3)

    return build(before), build(after)


def test_the_three_maxima_of_the_appendix_for_three_records():
    k, k_new = changed_matrices()
    n = 3
    worst = [0, 0, 0]
    row_sums = [x.sum(axis=2) for x in (k, k_new)]
    totals = [x.sum(axis=1) for x in row_sums]
    flat = [x.reshape(len(x), -1) for x in (k, k_new)]
    for i in range(len(k)):
        parts = (
            flat[1] @ flat[1][i] - flat[0] @ flat[0][i],
            row_sums[1] @ row_sums[1][i] - row_sums[0] @ row_sums[0][i],
            totals[1] * totals[1][i] - totals[0] * totals[0][i],
        )
        worst = [max(w, int(np.abs(p).max())) for w, p in zip(worst, parts, strict=True)]
    assert worst == [2 * n - 1, n * n + (n - 1) * (2 * n - 1), n**4 - (n - 1) ** 4]


def test_the_norm_in_theorem_3_fails_for_kernels_of_both_signs():
    m = 6
    x = np.ones(m)
    moved = np.r_[-1.0, np.ones(m - 1)]
    change = np.abs(np.outer(x, x) - np.outer(moved, moved)).sum()
    assert change == 4 * (m - 1) > 2 * m - 1


@pytest.mark.parametrize("adds", [False, True])
def test_the_best_split_found_is_the_best_of_all(adds):
    for m in (41, 50):
        score = partial(hsic_exact, kernel_a=same, kernel_b=same)
        values = []
        for rare in range(1, m - 1):
            d, d_prime = hsic.cluster_pair(m, rare, adds)
            values.append(abs(score(d_prime) - score(d)))
        finding = ADDING if adds else POSITIVE
        assert finding.at(m).worst.change == max(values)


def test_the_ledger_states_the_same_bound_for_a_record_more():
    stated = Formula(ADDED, "m")
    for m in range(4, 40):
        assert ADDING.upper(m) <= stated.at(m)
    assert ADDING.upper(39) == stated.at(39)
