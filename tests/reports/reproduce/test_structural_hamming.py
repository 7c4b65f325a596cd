from __future__ import annotations

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.search.cpdag import cpdag_of
from tests.mechanisms.discovery.random_graphs import random_dag, true_cpdag
from tests.reports.reproduce.hamming import structural_hamming


@pytest.mark.parametrize("seed", range(25))
def test_the_cpdag_is_the_union_of_all_graphs_of_the_class(seed: int) -> None:
    dag = random_dag(4, seed)
    assert (cpdag_of(dag) == true_cpdag(dag)).all()


def test_pairs_that_differ_are_counted_once() -> None:
    true = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=bool)
    assert structural_hamming(true, true) == 0
    assert structural_hamming(true.T, true) == 2
    assert structural_hamming(true | true.T, true) == 2
    assert structural_hamming(np.zeros((3, 3)), true) == 2
    extra = true.copy()
    extra[0, 2] = True
    assert structural_hamming(extra, true) == 1


def test_wrong_shapes() -> None:
    with pytest.raises(UsageError, match="must agree"):
        structural_hamming(np.zeros((2, 2)), np.zeros((3, 3)))
    with pytest.raises(UsageError, match="must be square"):
        structural_hamming(np.zeros((2, 3)), np.zeros((2, 3)))
