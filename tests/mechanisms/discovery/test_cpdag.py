from __future__ import annotations

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.search.cpdag import (
    MEEK_RULES,
    close_by_meek,
    rule_1,
    rule_2,
    rule_3,
    rule_4,
    v_structures,
)
from provado.reports.commands.reproduce.sources.networks import skeleton_f1

A, B, C, D = range(4)


def graph(*edges, d=4):
    found = np.zeros((d, d), dtype=bool)
    for a, mark, b in edges:
        found[a, b] = True
        found[b, a] = mark == "-"
    return found


EXAMPLES = [
    (rule_1, graph((C, ">", A), (A, "-", B))),
    (rule_2, graph((A, ">", C), (C, ">", B), (A, "-", B))),
    (rule_3, graph((A, "-", B), (A, "-", C), (A, "-", D), (C, ">", B), (D, ">", B))),
    (rule_4, graph((A, "-", B), (A, "-", C), (A, "-", D), (C, ">", D), (D, ">", B))),
]
NEAR_MISSES = [
    (rule_1, graph((C, ">", A), (A, "-", B), (C, "-", B))),
    (rule_2, graph((A, ">", C), (B, ">", C), (A, "-", B))),
    (rule_3, graph((A, "-", B), (A, "-", C), (A, "-", D), (C, ">", B), (D, ">", B), (C, "-", D))),
    (
        rule_4,
        graph((A, "-", B), (A, "-", C), (A, "-", D), (C, ">", D), (D, ">", B), (C, "-", B)),
    ),
]


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_each_rule_alone_directs_its_example(rule, example):
    assert rule(example, A, B)
    assert not rule(example, B, A)
    assert [r for r in MEEK_RULES if r(example, A, B)] == [rule]
    closed = close_by_meek(example)
    assert closed[A, B]
    assert not closed[B, A]


@pytest.mark.parametrize(("rule", "example"), NEAR_MISSES)
def test_each_rule_leaves_its_near_miss(rule, example):
    assert not rule(example, A, B)


def test_closing_changes_no_direction_and_leaves_its_argument():
    before = EXAMPLES[2][1].copy()
    closed = close_by_meek(before)
    assert np.array_equal(before, EXAMPLES[2][1])
    assert np.all(closed <= before)
    assert np.array_equal(closed | closed.T, before | before.T)
    undirected = graph((A, "-", B), (B, "-", C))
    assert np.array_equal(close_by_meek(undirected), undirected)


def test_a_collider_is_directed_and_a_separator_is_not():
    skeleton = graph((A, "-", B), (B, "-", C), d=3)
    collider = graph((A, ">", B), (C, ">", B), d=3)
    assert np.array_equal(v_structures(skeleton, {(A, C): ()}), collider)
    assert np.array_equal(v_structures(skeleton, {(A, C): (B,)}), skeleton)
    assert np.array_equal(v_structures(skeleton, {}), skeleton)


def test_contradicting_colliders_leave_the_edge_undirected():
    skeleton = graph((A, "-", B), (B, "-", C), (C, "-", D))
    found = v_structures(skeleton, {(A, C): (), (B, D): ()})
    assert np.array_equal(found, graph((A, ">", B), (B, "-", C), (D, ">", C)))


def test_f1_counts_edges_whatever_their_direction():
    true = graph((A, ">", B), (B, ">", C), (C, ">", D))
    assert skeleton_f1(true.T, true) == 1
    assert skeleton_f1(graph((A, "-", B), (A, "-", D)), true) == pytest.approx(
        2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3)
    )
    empty = np.zeros((4, 4))
    assert skeleton_f1(empty, true) == 0
    assert skeleton_f1(empty, empty) == 1


def test_bad_graphs_are_named():
    with pytest.raises(UsageError, match="square"):
        close_by_meek(np.ones((2, 3)))
    with pytest.raises(UsageError, match="empty diagonal"):
        close_by_meek(np.eye(3))
    with pytest.raises(UsageError, match="must agree"):
        skeleton_f1(np.zeros((2, 2)), np.zeros((3, 3)))
