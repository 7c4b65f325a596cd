import math

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.scores.hsic.hsic import HSIC
from provado.mechanisms.scores.kendall import KENDALL_PRINTED
from provado.mechanisms.scores.score import DependenceScore, columns, rows
from provado.mechanisms.scores.spearman import SPEARMAN
from tests.mechanisms.scores.score_variants import HSIC_MEDIAN, KENDALL_A, KENDALL_B, VARIANCE

SCORES = (SPEARMAN, KENDALL_PRINTED, KENDALL_A, KENDALL_B, HSIC, HSIC_MEDIAN, VARIANCE)


def test_good_columns_come_back_as_floats():
    a, b = columns([1, 2], (3, 4.5))
    assert a.dtype == b.dtype == np.float64
    assert (a.tolist(), b.tolist()) == ([1, 2], [3, 4.5])


@pytest.mark.parametrize("score", SCORES, ids=lambda score: score.name)
@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1.0], [2.0], "a has 1 row"),
        ([1.0, 2.0], [1.0], "b has 1 rows and a has 2"),
        ([1.0, math.nan], [1.0, 2.0], "a is .*nan.*finite"),
        ([1.0, 2.0], [1.0, -math.inf], "b is .*inf.*finite"),
        ([[1.0], [2.0]], [1.0, 2.0], "a is .*vector"),
        ([], [], "a is"),
        (["x", "y"], [1.0, 2.0], "a is"),
    ],
)
def test_every_score_refuses_bad_columns(score, a, b, message):
    with pytest.raises(UsageError, match=message):
        score.of(a, b)


@pytest.mark.parametrize("score", SCORES, ids=lambda score: score.name)
def test_every_score_takes_two_rows_and_is_symmetric(score):
    assert score.of([1.0, 2.0], [5.0, 3.0]) == pytest.approx(
        score.of([5.0, 3.0], [1.0, 2.0]), abs=1e-14
    )
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, 60))
    assert score.of(a, b) == pytest.approx(score.of(b, a), rel=1e-11)


@pytest.mark.parametrize("score", SCORES, ids=lambda score: score.name)
def test_stated_sensitivities_are_exact_functions_of_the_rows(score):
    assert isinstance(score, DependenceScore)
    if score.sensitivity is None:
        assert score in (KENDALL_B, HSIC_MEDIAN, VARIANCE)
        return
    assert score.sensitivity(10) > score.sensitivity(1000) > 0
    for bad in (0, 1, -3, 2.5, True):
        with pytest.raises(UsageError, match="m is"):
            score.sensitivity(bad)


def test_columns_are_not_written_to():
    rng = np.random.default_rng(6)
    a, b = rng.integers(0, 9, size=(2, 50)).astype(float)
    before = a.copy(), b.copy()
    for score in SCORES:
        score.of(a, b)
    assert np.array_equal(a, before[0])
    assert np.array_equal(b, before[1])


def test_rows():
    assert rows(np.int64(2)) == 2
    with pytest.raises(UsageError, match="m is 1"):
        rows(1)
