import math
from fractions import Fraction
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

from provado.mechanisms import UsageError
from provado.mechanisms.cause_effect.catalogue.datasets import (
    CLOSE,
    EDGE_TEST,
    EDGE_TRAINING,
    FLIPPED,
    HSIC_TEST,
    HSIC_TRAINING,
    KERNEL,
    LAM,
)
from provado.mechanisms.cause_effect.releases.release import (
    Bin,
    printed_bins,
    repaired_bins,
)
from provado.mechanisms.cause_effect.releases.testing_set import two_scores
from provado.mechanisms.cause_effect.releases.training_set import (
    distance_floor,
    distance_repaired,
    distance_strict,
    hsic_training_sensitivity,
    hsic_training_sensitivity_printed,
    printed_move,
    release_training_hsic,
    release_training_iqr,
    release_training_ranks,
    repaired_move,
    rounding_allowance,
    rows_to_leave,
    smallest_gap,
    trained_vectors,
)
from provado.mechanisms.scores.hsic.hsic import hsic
from provado.mechanisms.scores.iqr import iqr
from provado.mechanisms.scores.kendall import kendall_printed
from tests.mechanisms.private.proposals import propose_training

trained = partial(trained_vectors, kernel=KERNEL)
HSIC = partial(hsic, kernel_a=KERNEL, kernel_b=KERNEL)


def neighbors(seed, n, m):
    draw = np.random.default_rng(seed)
    rows = draw.uniform(-1, 1, (n, 2)) if seed % 2 else draw.choice([-1.0, 0.0, 1.0], (n, 2))
    other = rows.copy()
    other[draw.integers(n)] = draw.choice([-1.0, 1.0], 2)
    return rows, other, draw.uniform(-1, 1, (m, 2))


def compared(lam, seeds=range(40), n=12, m=6):
    for seed in seeds:
        rows, other, test = neighbors(seed, n, m)
        yield trained(rows, test, lam=lam), trained(other, test, lam=lam)


@pytest.mark.parametrize("lam", [0.05, 1.0, 20.0])
def test_everything_the_releases_rest_on_holds_between_neighbors(lam):
    b = repaired_move(12, lam)
    bound = float(hsic_training_sensitivity(12, 6, lam, KERNEL.lipschitz))
    for here, there in compared(lam):
        assert np.all(np.abs(two_scores(here, HSIC) - two_scores(there, HSIC)) <= bound)
        scores = [two_scores(v, kendall_printed) for v in (here, there)]
        for k, (r, s) in enumerate(((here.r_y, there.r_y), (here.r_x, there.r_x))):
            assert np.max(np.abs(r - s)) <= b
            counts = [distance_repaired(smallest_gap(v), b) for v in (r, s)]
            assert abs(counts[0] - counts[1]) <= 1
            if max(counts):
                assert scores[0][k] == scores[1][k]
            bins = [repaired_bins(iqr(v)) for v in (r, s)]
            proposals = [propose_training(v, move=b) for v in (r, s)]
            for j in (0, 1):
                a, c = (p.distances[j] for p in proposals)
                assert abs(a - c) <= 1
                if bins[0][j] != bins[1][j]:
                    assert a == c == 1


def test_the_sensitivity_of_hsic_could_not_be_a_thirtieth():
    a, b = (two_scores(trained(rows, HSIC_TEST, lam=LAM), HSIC) for rows in HSIC_TRAINING)
    bound = float(hsic_training_sensitivity(10, 20, LAM, KERNEL.lipschitz))
    assert bound / 30 < np.max(np.abs(a - b)) <= bound


def test_the_repaired_sensitivity_of_hsic_is_far_below_the_printed_one():
    for n, m in ((10, 20), (500, 300)):
        ratio = hsic_training_sensitivity_printed(n, m, 1.0, 2.0) / hsic_training_sensitivity(
            n, m, 1.0, 2.0
        )
        assert ratio > 16 * math.sqrt(m)


def test_norms_in_the_proof_for_hsic():
    draw = np.random.default_rng(3)
    for _ in range(30):
        x = draw.uniform(-2, 2, draw.integers(2, 9)) * draw.choice([0.01, 1, 10])
        m = x.size
        gram = KERNEL(x[:, None], x[None, :])
        h = np.eye(m) - 1 / m
        assert np.linalg.norm(h @ gram @ h) <= m - 1 + 1e-12


eighths = st.integers(0, 80).map(lambda k: Fraction(k, 8))


@given(gap=eighths, other=eighths, move=st.integers(1, 8).map(lambda k: Fraction(k, 8)))
def test_repaired_distance_moves_by_one_and_is_zero_where_it_must_be(gap, other, move):
    here, there = (distance_repaired(float(g), float(move)) for g in (gap, other))
    if abs(gap - other) <= 2 * move:
        assert abs(here - there) <= 1
    if gap <= 2 * move:
        assert here == 0
    assert distance_strict(float(gap), float(move)) >= 1
    if gap % (2 * move) or not gap:
        assert distance_floor(float(gap), float(move)) == here
    else:
        assert distance_floor(float(gap), float(move)) == here + 1


def test_the_strict_inequality_calls_an_unstable_dataset_stable():
    here, there = (trained(rows, CLOSE, lam=LAM) for rows in FLIPPED)
    assert kendall_printed(here.x, here.r_y) != kendall_printed(there.x, there.r_y)
    for vectors in (here, there):
        gap = smallest_gap(vectors.r_y)
        assert distance_repaired(gap, repaired_move(100, LAM)) == 0
        assert distance_strict(gap, printed_move(100, LAM)) == 1


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=12))
def test_the_smallest_gap_is_that_of_all_pairs(values):
    assert smallest_gap(values) == min(abs(a - b) for a, b in combinations(values, 2))


@given(
    width=st.integers(0, 60), low=st.integers(0, 40), size=st.integers(1, 30), b=st.integers(1, 9)
)
def test_rows_to_leave_is_the_first_that_leaves(width, low, size, b):
    proposed = Bin(float(low), float(low + size), 0.0, 1.0)
    expected = next(
        t for t in range(100) if width - 2 * b * t < low or width + 2 * b * t >= low + size
    )
    assert rows_to_leave(float(width), proposed, float(b)) == expected


@pytest.mark.parametrize("lam", [1e-3, 1.0])
def test_the_rounding_of_residuals_is_far_below_the_allowance(lam):
    draw = np.random.default_rng(5)
    x, y, at = draw.uniform(-1, 1, 12), draw.uniform(-1, 1, 12), draw.uniform(-1, 1, 5)

    def k(s, t):
        return mp.exp(-((mp.mpf(s) - mp.mpf(t)) ** 2) / (2 * mp.mpf(KERNEL.bandwidth) ** 2))

    with mp.workdps(60):
        gram = mp.matrix([[k(s, t) for t in x] for s in x]) + mp.eye(12) * mp.mpf(lam) * 6
        alpha = mp.lu_solve(gram, mp.matrix(y.tolist()))
        exact = [float(mp.fsum(alpha[i] * k(x[i], t) for i in range(12))) for t in at]
    vectors = trained(np.stack((x, y), axis=1), np.stack((at, 0 * at), axis=1), lam=lam)
    assert np.max(np.abs(-vectors.r_y - exact)) < rounding_allowance(12, lam) / 10


def test_printed_counts_for_the_iqr_are_zero_and_large_between_neighbors():
    here, there = (
        propose_training(
            trained(rows, EDGE_TEST, lam=LAM).r_y, move=printed_move(326, LAM), bins=printed_bins
        )
        for rows in EDGE_TRAINING
    )
    assert here.distances == (1, 0)
    assert there.distances[1] > 7


def test_outputs_are_scores_or_refusals():
    size, rng = 4000, np.random.default_rng(1)
    data, common = FLIPPED[0], {"kernel": KERNEL, "lam": LAM, "size": size, "rng": rng}
    ranks = release_training_ranks(
        data, test=CLOSE, score=kendall_printed, epsilon=1, delta=0.2, **common
    )
    exact = two_scores(trained(data, CLOSE, lam=LAM), kendall_printed)
    assert ranks.shape == (size, 2)
    for column, score in zip(ranks.T, exact, strict=True):
        assert set(column[~np.isnan(column)]) == {score}
    assert 0.07 < (~np.isnan(ranks[:, 0])).mean() < 0.13
    widths = release_training_iqr(EDGE_TRAINING[0], test=EDGE_TEST, epsilon=1, delta=0.1, **common)
    assert widths.shape == (size, 2)
    scores = release_training_hsic(
        HSIC_TRAINING[0],
        test=HSIC_TEST,
        input_kernel=KERNEL,
        residual_kernel=KERNEL,
        epsilon=1,
        **common,
    )
    assert np.isfinite(scores).all()


def test_bad_parameters_are_refused():
    good = {"test": CLOSE, "kernel": KERNEL, "lam": LAM, "epsilon": 1, "delta": 0.1, "size": 2}
    run = partial(release_training_ranks, score=kendall_printed, rng=np.random.default_rng(1))
    for bad in ({"epsilon": 0}, {"delta": 0}, {"size": 0}, {"lam": 0}, {"test": [[2.0, 0.0]] * 3}):
        with pytest.raises(UsageError):
            run(FLIPPED[0], **(good | bad))
    with pytest.raises(UsageError, match="lam is"):
        printed_move(10, 1.5)
    with pytest.raises(UsageError):
        run([[0.0, 1.5]], **good)
