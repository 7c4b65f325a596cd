import math
from fractions import Fraction

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.edges.priv_pc_edge import (
    DELETED,
    KEPT,
    SILENT,
    independence,
    priv_pc_edge,
    priv_pc_edge_silent,
    upper_tail,
)
from tests.mechanisms.exact.edges import silent_probability

RECORDS = (*((i, i) for i in range(8)), (8, 0), (9, 1))
SETTING = {"threshold": 0.5, "tweak": 0.1, "epsilon": 3.0}


def naive(records, rng, *, threshold, tweak, epsilon):
    n = len(records)
    delta, within = 4 / n, epsilon / 2
    signs = sum(
        np.sign(x - u) * np.sign(y - v) for i, (x, y) in enumerate(records) for u, v in records[:i]
    )
    score = 1 - abs(signs) / (n * (n - 1) / 2)
    level = threshold - tweak + rng.laplace(scale=2 * delta / within)
    if score + rng.laplace(scale=4 * delta / within) < level:
        return SILENT
    return DELETED if score + rng.laplace(scale=2 * delta / epsilon) >= threshold else KEPT


def test_draws_agree_with_one_run_at_a_time():
    rng = np.random.default_rng(1)
    slow = np.array([naive(RECORDS, rng, **SETTING) for _ in range(3000)])
    fast = priv_pc_edge(RECORDS, **SETTING, size=200_000, rng=rng)
    for code in (SILENT, KEPT, DELETED):
        assert np.mean(slow == code) == pytest.approx(np.mean(fast == code), abs=0.04)
    exact = silent_probability(RECORDS, **SETTING)
    assert np.mean(fast == SILENT) == pytest.approx(exact, abs=0.005)
    silent = priv_pc_edge_silent(RECORDS, **SETTING, size=200_000, rng=rng)
    assert silent.mean() == pytest.approx(exact, abs=0.005)
    other = silent_probability(RECORDS, **(SETTING | {"tweak": 0.3}))
    assert abs(other - exact) > 0.02


def test_the_tail_by_simulation():
    rng = np.random.default_rng(2)
    noise = rng.laplace(scale=2, size=10**6) + rng.laplace(scale=4, size=10**6)
    for x in (-3.0, 0.0, 1.0, 8.0):
        assert np.mean(noise > x) == pytest.approx(upper_tail(x), abs=0.003)
    assert upper_tail(0.0) == pytest.approx(0.5, abs=1e-15)


def test_the_score_moves_by_four_over_n_at_most():
    rng = np.random.default_rng(3)
    for _ in range(100):
        records = rng.integers(0, 5, (9, 2))
        other = records.copy()
        other[0] = rng.integers(0, 5, 2)
        assert abs(independence(records) - independence(other)) <= Fraction(4, 9)
    assert independence([(0, 0), (1, 1), (2, 2)]) == 0
    assert independence([(0, 0), (1, 0), (2, 0)]) == 1


def test_bad_parameters_are_refused():
    rng = np.random.default_rng(1)
    with pytest.raises(UsageError, match="records has shape"):
        priv_pc_edge([1, 2, 3], **SETTING, size=1, rng=rng)
    with pytest.raises(UsageError, match="records is"):
        priv_pc_edge([(1, math.nan)], **SETTING, size=1, rng=rng)
    for bad in ({"epsilon": -1}, {"epsilon": math.inf}):
        with pytest.raises(UsageError, match="epsilon is"):
            priv_pc_edge(RECORDS, **(SETTING | bad), size=1, rng=rng)
    with pytest.raises(UsageError, match="size is"):
        priv_pc_edge(RECORDS, **SETTING, size=0, rng=rng)
