import numpy as np
import pandas as pd
import pytest

from provado.mechanisms import (
    AddOrRemoveOne,
    BoundedAnswers,
    NeighboringRelation,
    NotNeighborsError,
    ReplaceOne,
    UsageError,
)

NAN = float("nan")


@pytest.mark.parametrize(
    ("d", "d_prime"),
    [
        ([1, 2, 3], [1, 2, 3]),
        ([1, 2, 3], [1, 5, 4]),
        ([1, 2, 3], [1, 2]),
        ([1, 2, 3], [3, 1, 2]),
        ([NAN, 1], [NAN, 1]),
        (np.array([[1, 2], [3, 4]]), np.array([[0, 2], [0, 4]])),
        (0.0, 0.0),
        ("abc", "xyz"),
        (pd.DataFrame({"x": [1, 2]}), pd.DataFrame({"x": [3, 4]})),
    ],
)
def test_replace_one_refuses(d, d_prime):
    for pair in ((d, d_prime), (d_prime, d)):
        with pytest.raises(NotNeighborsError, match="pair:"):
            ReplaceOne().check(*pair)


@pytest.mark.parametrize(
    ("d", "d_prime"),
    [
        ([1, 2, 3], [1, 9, 3]),
        ((1, 2), (1, NAN)),
        (np.array([1.0, 2.0]), np.array([1.0, 3.0])),
        (np.array([[1, 2], [3, 4]]), np.array([[1, 2], [8, 9]])),
        (0, 1),
        (("red",), ("blue",)),
        ([{"age": 1}, {"age": 2}], [{"age": 1}, {"age": 3}]),
        (pd.DataFrame({"x": [1, 2], "y": [3, 4]}), pd.DataFrame({"x": [1, 7], "y": [3, 8]})),
        ([1, None], [1, 2]),
    ],
)
def test_replace_one_accepts(d, d_prime):
    ReplaceOne().check(d, d_prime)
    ReplaceOne().check(d_prime, d)


@pytest.mark.parametrize(
    ("d", "d_prime"),
    [
        ([1, 2], [1, 3]),
        ([1, 2], [1, 2]),
        ([1], [1, 2, 3]),
        ([1, 2], [1, 3, 4]),
        ([1, 1], [1, 2, 3]),
        (np.zeros((2, 2)), np.ones((3, 2))),
    ],
)
def test_add_or_remove_one_refuses(d, d_prime):
    for pair in ((d, d_prime), (d_prime, d)):
        with pytest.raises(NotNeighborsError, match="pair:"):
            AddOrRemoveOne().check(*pair)


@pytest.mark.parametrize(
    ("d", "d_prime"),
    [
        ([], [1]),
        ([1, 2], [2, 3, 1]),
        ([1, 1], [1, 1, 1]),
        ([NAN], [NAN, 2]),
        (np.zeros((2, 2)), np.array([[0, 0], [5, 6], [0, 0]])),
    ],
)
def test_add_or_remove_one_accepts(d, d_prime):
    AddOrRemoveOne().check(d, d_prime)
    AddOrRemoveOne().check(d_prime, d)


@pytest.mark.parametrize(
    ("relation", "d", "d_prime"),
    [
        (BoundedAnswers(), [0, 0], [0, 1.5]),
        (BoundedAnswers(), [0, 0], [0, NAN]),
        (BoundedAnswers(), [0, 0], [0, 0, 0]),
        (BoundedAnswers(sensitivity=0.5), 0, 1),
        (BoundedAnswers(monotone=True), [0, 1], [1, 0]),
        (BoundedAnswers(at_most=1), [0, 0], [1, 1]),
    ],
)
def test_bounded_answers_refuses(relation, d, d_prime):
    for pair in ((d, d_prime), (d_prime, d)):
        with pytest.raises(NotNeighborsError, match="pair:"):
            relation.check(*pair)


@pytest.mark.parametrize(
    ("relation", "d", "d_prime"),
    [
        (BoundedAnswers(), [0, 0], [1, -1]),
        (BoundedAnswers(), 0.0, 1.0),
        (BoundedAnswers(sensitivity=3), [1], [4]),
        (BoundedAnswers(monotone=True), [0, 1, 5], [1, 2, 5]),
        (BoundedAnswers(at_most=1), [0, 0], [0, 1]),
    ],
)
def test_bounded_answers_accepts(relation, d, d_prime):
    relation.check(d, d_prime)
    relation.check(d_prime, d)


@pytest.mark.parametrize("sensitivity", [0, -1, NAN])
def test_a_sensitivity_is_above_zero(sensitivity):
    with pytest.raises(UsageError, match="sensitivity is"):
        BoundedAnswers(sensitivity=sensitivity)


def test_relations_say_their_names():
    for relation in (ReplaceOne(), AddOrRemoveOne(), BoundedAnswers(2, monotone=True, at_most=1)):
        assert isinstance(relation, NeighboringRelation)
        assert relation.words()
    words = BoundedAnswers(2, monotone=True, at_most=1).words()
    assert "sensitivity 2" in words
    assert "at most 1" in words
    assert "one direction" in words
