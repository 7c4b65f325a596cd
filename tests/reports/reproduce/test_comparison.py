import itertools

import numpy as np
import pytest

from provado.mechanisms.graph_discovery.methods.method import methods
from provado.proofs.ledger import ledger
from provado.reports.commands.reproduce.experiment import Scope
from provado.reports.commands.reproduce.papers.comparison import _paper
from provado.reports.commands.reproduce.papers.comparison import private_discovery as own
from provado.reports.commands.reproduce.papers.comparison._paper import (
    StatedSensitivity,
    all_stated,
    datasets,
    largest_move,
)

CELLS = ((0,), (1,), (3,))


def mean_of(counts):
    return sum(c * v[0] for c, v in zip(counts, CELLS, strict=True)) / sum(counts)


def test_all_datasets_and_all_neighbors_are_tried():
    for n in (1, 3, 4):
        found = set(datasets(3, n))
        by_hand = {
            tuple(np.bincount(rows, minlength=3).tolist())
            for rows in itertools.product(range(3), repeat=n)
        }
        assert found == by_hand
        moved, d, d_prime = largest_move(StatedSensitivity("", "", "", CELLS, n, mean_of, 3 / n))
        assert moved == pytest.approx(3 / n)
        assert abs(mean_of(d) - mean_of(d_prime)) == moved
        assert sum(d) == sum(d_prime) == n
        # Between neighbors only: the mean may differ by 3 between datasets at large.
        slow = max(
            abs(mean_of(a) - mean_of(b))
            for a in found
            for b in found
            if sum(abs(x - y) for x, y in zip(a, b, strict=True)) == 2
        )
        assert moved == slow


def answer(moved, bound=1.0):
    return {"moved": moved, "bound": bound, "n": 4, "d": [1], "d_prime": [0], "ledger": "a/b"}


def test_a_stated_sensitivity_that_is_exceeded_is_called_so():
    stated = {"x: loose": answer(0.5), "x: sharp": answer(1.0), "x: wrong": answer(1.01)}
    assert [_paper.exceeded(a) for a in stated.values()] == [False, False, True]
    found = _paper.compared({}, stated, [])
    assert [one.holds for one in found] == [None, None, False]
    rows = _paper._sensitivities(stated).rows
    assert [row[-2:] for row in rows] == [
        ("not exceeded", "a/b"),
        ("not exceeded", "a/b"),
        ("exceeded", "a/b"),
    ]


def test_a_level_is_lost_only_beyond_its_interval():
    def rows(rejected):
        blocks = {str(i): {"nulls": 100, "rejected": {"a test": r}} for i, r in enumerate(rejected)}
        return _paper.level_rows(blocks)

    (row,) = rows([5] * 10)
    assert row[1:4] == (1000, 50, 0.05)
    assert row[4] < 0.05 < row[5]
    for rejected, holds in (([6] * 10, True), ([9] * 10, False), ([0] * 10, True)):
        (compared,) = _paper.compared({}, {}, rows(rejected))
        assert compared.holds is holds


def test_every_private_method_is_in_it_and_its_graph_in_the_catalogue():
    private = list(_paper.private_methods())
    left_out = [method for method in methods() if method.private and method not in private]
    # It makes another graph of the tables of ``tables``, and is audited with them.
    assert [method.name for method in left_out] == ["tables-score"]
    assert {m.name for m in private} >= {"priv-pc", "svt-pc", "em-pc", "pcd", "curate", "dphsic-pc"}
    assert all(_paper.audited_as(method) for method in private)
    known = {entry.id for entry in ledger()}
    assert all(stated.ledger in known for stated in all_stated())


def test_the_greedy_count_is_exceeded_and_proved_bounds_are_not():
    by_name = {stated.methods: stated for stated in all_stated()}
    greedy = by_name["em-pc, released"]
    assert largest_move(greedy)[0] > 10 * greedy.bound
    for name in ("dphsic-pc", "pcd, order 0"):
        assert largest_move(by_name[name])[0] < by_name[name].bound


def test_a_run_of_each_sound_method_spends_the_same_total(monkeypatch):
    monkeypatch.setattr(own, "RECORDS", 150)
    rng = np.random.default_rng(0)
    part = next(p for p in own.parts(Scope(quick=True)) if "numeric" in p.arguments)
    found = own.work(part.arguments, rng)
    assert set(found["f1"]) == {method.name for method in _paper.sound(True)}
    assert all(len(f1) == len(_paper.TOTALS) for f1 in found["f1"].values())
    assert own.work(part.arguments, np.random.default_rng(0)) == found


@pytest.mark.slow
def test_permutation_tests_keep_their_level_over_a_thousand_nulls():
    blocks = {str(i): own.work({"nulls": 100}, np.random.default_rng([7, i])) for i in range(10)}
    for row in _paper.level_rows(blocks):
        assert row[4] <= _paper.LEVEL, row
