import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.cause_effect.additive_noise_model import (
    Direction,
    TrainTestSplit,
    direction_of,
    fit_directions,
    generate_pairs,
    residuals,
    score_directions,
    split_half,
)
from provado.mechanisms.regression.kernels import SquaredExponential
from tests.mechanisms.anm.fit_and_score import anm, in_unit

KERNEL = SquaredExponential(0.3)


def covariance_of_squares(a, b):
    """A score of its own: how the size of the residual goes with the input."""
    return abs(float(np.cov(np.abs(np.asarray(a)), np.abs(np.asarray(b)))[0, 1]))


def pair(m, seed=1):
    return in_unit(generate_pairs(1, m, np.random.default_rng(seed))[0])


def naive_anm(x, y, train, test, score, lam):
    """Algorithm 1 one line at a time."""

    def regression(xs, ys):
        gram = [[float(KERNEL(s, t)) for t in xs] for s in xs]
        alpha = np.linalg.solve(np.array(gram) + lam * len(xs) / 2 * np.eye(len(xs)), ys)
        return lambda point: sum(
            a * float(KERNEL(point, s)) for a, s in zip(alpha, xs, strict=True)
        )

    f = regression([x[i] for i in train], [y[i] for i in train])
    g = regression([y[i] for i in train], [x[i] for i in train])
    left_y = [y[i] - f(x[i]) for i in test]
    left_x = [x[i] - g(y[i]) for i in test]
    return score([x[i] for i in test], left_y), score([y[i] for i in test], left_x)


def test_it_is_algorithm_1():
    x, y = pair(24)
    split = split_half(24, np.random.default_rng(2))
    found = anm(x, y, score=covariance_of_squares, kernel=KERNEL, lam=0.02, split=split)
    naive = naive_anm(x, y, split.train, split.test, covariance_of_squares, 0.02)
    assert (found.score_forward, found.score_backward) == pytest.approx(naive, abs=1e-12)
    assert found.direction == direction_of(*naive)
    assert found.margin == pytest.approx(naive[1] - naive[0], abs=1e-12)
    # Residuals against the other column give other scores.
    left = residuals(
        fit_directions(x[split.train], y[split.train], kernel=KERNEL, lam=0.02),
        x[split.test],
        y[split.test],
    )
    assert covariance_of_squares(left.x, left.r_x) != pytest.approx(naive[0], abs=1e-6)


def test_exchanging_the_columns_reverses_the_answer():
    x, y = pair(60, seed=5)
    split = split_half(60, np.random.default_rng(2))
    one = anm(x, y, score=covariance_of_squares, split=split)
    other = anm(y, x, score=covariance_of_squares, split=split)
    assert (one.score_forward, one.score_backward) == (other.score_backward, other.score_forward)
    assert other.direction == one.direction.reversed()
    assert one.direction != Direction.UNDECIDED


def test_the_test_set_never_reaches_the_regression_nor_other_residuals():
    x, y = pair(40)
    split = split_half(40, np.random.default_rng(3))
    fitted = fit_directions(x[split.train], y[split.train])
    before = residuals(fitted, x[split.test], y[split.test])
    x[split.test[4]], y[split.test[4]] = -0.7, 0.8
    after = residuals(fitted, x[split.test], y[split.test])
    for a, b in zip(
        (before.x, before.y, before.r_x, before.r_y),
        (after.x, after.y, after.r_x, after.r_y),
        strict=True,
    ):
        assert np.flatnonzero(a != b).tolist() == [4]


def test_directions():
    assert direction_of(0.1, 0.2) is Direction.FORWARD
    assert direction_of(0.2, 0.1) is Direction.BACKWARD
    assert direction_of(0.2, 0.2) is Direction.UNDECIDED
    assert direction_of(-np.inf, 0.0) is Direction.FORWARD
    assert [str(d) for d in Direction] == ["X→Y", "Y→X", "undecided"]
    assert Direction.UNDECIDED.reversed() is Direction.UNDECIDED
    with pytest.raises(UsageError, match="score_backward is nan"):
        direction_of(0.0, np.nan)


def test_equal_scores_are_undecided():
    x, _ = pair(20)
    assert anm(x, x, score=covariance_of_squares, rng=np.random.default_rng(1)).direction == (
        Direction.UNDECIDED
    )


@pytest.mark.parametrize("n", [2, 3, 10, 101])
def test_splits_take_each_row_once(n):
    split = split_half(n, np.random.default_rng(n))
    assert split.train.size == n // 2
    assert sorted([*split.train, *split.test]) == list(range(n))
    assert np.all(np.diff(split.test) > 0)
    again = split_half(n, np.random.default_rng(n))
    assert np.array_equal(split.train, again.train)


def test_each_row_trains_half_the_time():
    draw = np.random.default_rng(1)
    counts = np.bincount(
        np.concatenate([split_half(6, draw).train for _ in range(4000)]), minlength=6
    )
    assert np.all(np.abs(counts - 2000) < 5 * np.sqrt(4000 / 4))


def test_bad_input_is_refused():
    x, y = pair(10)
    draw = np.random.default_rng(1)
    good = {"score": covariance_of_squares, "rng": draw}
    with pytest.raises(UsageError, match=r"x\[0\] is 3.0|must lie in"):
        anm(3 * np.ones(10), y, **good)
    with pytest.raises(UsageError, match="y has 9 rows and x has 10"):
        anm(x, y[:9], **good)
    with pytest.raises(UsageError, match="needs at least 4"):
        anm(x[:3], y[:3], **good)
    with pytest.raises(UsageError, match="exactly one"):
        anm(x, y, score=covariance_of_squares)
    split = split_half(10, draw)
    with pytest.raises(UsageError, match="exactly one"):
        anm(x, y, split=split, **good)
    with pytest.raises(UsageError, match="each below 8"):
        anm(x[:8], y[:8], score=covariance_of_squares, split=split)
    with pytest.raises(UsageError, match="may stand once"):
        TrainTestSplit(np.array([0, 1]), np.array([1, 2]))
    with pytest.raises(UsageError, match="at least one row"):
        anm(x, y, score=covariance_of_squares, split=TrainTestSplit(split.train, split.test[:0]))
    with pytest.raises(UsageError, match="vectors of one length"):
        fit_directions(x, y[:3])
    assert score_directions(residuals(fit_directions(x, y), x, y), lambda a, b: 1.0) == (1, 1)
