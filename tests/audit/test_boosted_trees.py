"""Trees as plain data give what scikit-learn gives, bit for bit; others are not taken."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from provado.audit.events.learners.boosted_trees import MOST_LEAVES, BoostedTrees, plain_trees
from provado.audit.trials.checkpoint import pack, unpack


def fitted(columns, *, rounded, seed=0, rows=4000):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(rows, columns))
    matrix[rng.random(matrix.shape) < 0.05] = np.nan
    matrix = np.round(matrix, 1) if rounded else matrix
    product = np.nan_to_num(matrix[:, 0]) * np.nan_to_num(matrix[:, 1])
    labels = (product + rng.normal(size=rows) > 0).astype(int)
    model = HistGradientBoostingClassifier(
        max_iter=15, max_leaf_nodes=MOST_LEAVES, min_samples_leaf=20, early_stopping=False
    )
    return model.fit(matrix, labels), matrix


@pytest.mark.parametrize("rounded", [True, False])
@pytest.mark.parametrize("columns", [2, 9])
def test_the_log_odds_are_those_of_scikit_learn(columns, rounded):
    model, matrix = fitted(columns, rounded=rounded)
    trees = plain_trees(model, matrix)
    assert isinstance(trees, BoostedTrees)
    assert max(len(values) for _, values in trees.trees) == MOST_LEAVES
    others = np.random.default_rng(1).normal(size=(20_000, columns)).round(1)
    others[::7, 1] = np.nan
    # Numbers on a threshold go left, and the next ones right.
    on = np.array([split[1] for splits, _ in trees.trees for split in splits])
    others[: len(on), 0] = others[len(on) : 2 * len(on), 1] = on
    others[2 * len(on) : 3 * len(on), 0] = np.nextafter(on, np.inf)
    assert np.array_equal(trees.decision_function(others), model.decision_function(others))


def test_few_rows_and_a_single_leaf():
    model, matrix = fitted(2, rounded=False, rows=30)
    trees = plain_trees(model, matrix)
    assert all(splits == () for splits, _ in trees.trees)
    for rows in (matrix[:0], matrix[:1], matrix):
        expected = model.decision_function(rows) if len(rows) else np.empty(0)
        assert np.array_equal(trees.decision_function(rows), expected)


def test_they_are_read_again_as_they_were():
    trees = plain_trees(*fitted(3, rounded=True))
    data = pack(trees)
    assert data is not None
    assert b"sklearn" not in data
    assert unpack(data) == trees


@pytest.mark.parametrize("fault", ["value", "num_threshold", "missing_go_to_left", "left"])
def test_trees_that_differ_are_not_taken(fault):
    model, matrix = fitted(2, rounded=False)
    nodes = model._predictors[0][0].nodes.copy()
    inner = int(np.flatnonzero(nodes["is_leaf"] == 0)[0])
    place = int(np.flatnonzero(nodes["is_leaf"])[0]) if fault == "value" else inner
    if fault == "left":
        nodes["left"][place], nodes["right"][place] = nodes[place][["right", "left"]]
    elif fault == "missing_go_to_left":
        nodes[fault][place] ^= 1
    else:
        nodes[fault][place] += 0.5
    rest = model._predictors[1:]
    faulty = SimpleNamespace(
        _predictors=[[SimpleNamespace(nodes=nodes)], *rest],
        _baseline_prediction=model._baseline_prediction,
        decision_function=model.decision_function,
    )
    assert plain_trees(faulty, matrix) is faulty


@pytest.mark.parametrize("lacking", ["_predictors", "_baseline_prediction"])
def test_trees_in_another_form_are_not_taken(lacking):
    model, matrix = fitted(2, rounded=False)
    held = {"_predictors": model._predictors, "_baseline_prediction": model._baseline_prediction}
    other = SimpleNamespace(**{k: v for k, v in held.items() if k != lacking})
    assert plain_trees(other, matrix) is other
    assert pack(model) is None
