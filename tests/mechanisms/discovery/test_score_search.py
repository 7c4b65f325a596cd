"""Search by scores: over all graphs, by greedy steps, and where it ends early."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.search import best_score
from provado.mechanisms.graph_discovery.search.best_score import (
    Families,
    best_dag,
    greedy_equivalence,
)
from provado.mechanisms.graph_discovery.search.cpdag import cpdag_of, extension


def random_dag(d, rng, chance=0.5):
    order = rng.permutation(d)
    return np.triu(rng.random((d, d)) < chance, 1)[np.ix_(order, order)]


def gaussian_gain(dag, rng, n=1e6):
    """BIC's gain of linear Gaussian columns, known without sampling: the same for a whole class."""
    d = len(dag)
    weights = dag * rng.choice([-1, 1], (d, d)) * rng.uniform(0.4, 1.0, (d, d))
    spread = np.linalg.inv(np.eye(d) - weights.T)
    covariance = spread @ spread.T

    def log(columns):
        own = sorted(columns)
        return np.linalg.slogdet(covariance[np.ix_(own, own)])[1]

    def gain(x, parents):
        told = log(parents) + log({x}) - log(parents | {x})
        return n / 2 * told - len(parents) * np.log(n) / 2

    return gain


def is_acyclic(graph):
    left = graph.copy().astype(int)
    return not np.trace(sum(np.linalg.matrix_power(left, k) for k in range(1, len(graph) + 1)))


def every_dag(d):
    places = [(i, j) for i in range(d) for j in range(d) if i != j]
    for marks in itertools.product((False, True), repeat=len(places)):
        graph = np.zeros((d, d), dtype=bool)
        for place, mark in zip(places, marks, strict=True):
            graph[place] = mark
        if not (graph & graph.T).any() and is_acyclic(graph):
            yield graph


def total(graph, gain):
    found = 0.0
    for x in range(len(graph)):
        parents = frozenset(np.flatnonzero(graph[:, x]).tolist())
        found += gain(x, parents) if parents else 0.0
    return found


DAGS = tuple(every_dag(4))


@pytest.mark.parametrize("seed", range(5))
def test_the_best_graph_is_the_best_of_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = {}

    def gain(x, parents):
        return table.setdefault((x, parents), rng.normal() - 0.3 * len(parents))

    families = Families(gain)
    found, stopped = best_dag(4, families)
    assert stopped is None
    assert families.scored == 4 * (2**3 - 1)
    assert is_acyclic(found)
    assert total(found, gain) == pytest.approx(max(total(dag, gain) for dag in DAGS))
    assert len(DAGS) == 543


def test_no_edge_where_none_gains() -> None:
    found, _ = best_dag(4, Families(lambda x, parents: 0.0))
    assert not found.any()
    greedy, _ = greedy_equivalence(4, Families(lambda x, parents: 0.0))
    assert not greedy.any()


def test_steps_find_the_class_of_a_graph_and_need_to_go_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the score is that of infinitely many records; its twin never takes an edge away."""
    cases = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        dag = random_dag(6, rng)
        cases.append((dag, gaussian_gain(dag, rng)))
    for dag, gain in cases:
        found, stopped = greedy_equivalence(6, Families(gain))
        assert stopped is None
        assert (found == cpdag_of(dag)).all()
        best, _ = best_dag(6, Families(gain))
        assert (cpdag_of(best) == cpdag_of(dag)).all()
    monkeypatch.setattr(best_score, "_deletion", lambda sides, families: None)
    wrong = [(greedy_equivalence(6, Families(g))[0] != cpdag_of(dag)).any() for dag, g in cases]
    assert sum(wrong) >= 3


def test_an_extension_is_of_the_class() -> None:
    for seed in range(40):
        dag = random_dag(7, np.random.default_rng(seed))
        again = extension(cpdag_of(dag))
        assert is_acyclic(again)
        assert (cpdag_of(again) == cpdag_of(dag)).all()


def test_a_ring_of_lines_has_no_extension() -> None:
    ring = np.zeros((4, 4), dtype=bool)
    for x in range(4):
        ring[x, (x + 1) % 4] = ring[(x + 1) % 4, x] = True
    with pytest.raises(UsageError, match="graph has no acyclic graph"):
        extension(ring)


@pytest.mark.parametrize("search", [best_dag, greedy_equivalence])
def test_work_ends_with_the_graph_so_far(search) -> None:
    rng = np.random.default_rng(3)
    dag = random_dag(5, rng)
    gain = gaussian_gain(dag, rng)
    whole = Families(gain)
    found, _ = search(5, whole)
    seen = []
    exactly = Families(gain, max_tests=whole.scored, seen=lambda order, n: seen.append((order, n)))
    again, stopped = search(5, exactly)
    assert stopped is None
    assert (again == found).all()
    assert len(seen) == whole.scored
    assert all(1 <= order < 5 and n == 1 for order, n in seen)
    for most in (1, whole.scored - 1):
        short = Families(gain, max_tests=most)
        _, stopped = search(5, short)
        assert stopped == "tests"
        assert short.scored == most
    _, stopped = search(5, Families(gain, seconds=1e-9))
    assert stopped == "seconds"
