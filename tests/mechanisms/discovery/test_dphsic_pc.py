from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.catalogue.graphs import DPHSIC_PAIR as PAIR
from provado.mechanisms.graph_discovery.catalogue.graphs import DPHSIC_SETTING as SETTING
from provado.mechanisms.graph_discovery.catalogue.graphs import MECHANISMS
from provado.mechanisms.graph_discovery.exact.pcd_runs import dphsic_runs
from provado.mechanisms.graph_discovery.methods.dphsic_pc import dphsic_pc_repaired
from provado.mechanisms.graph_discovery.search.search_tree import graph_code
from provado.mechanisms.graph_discovery.tables.numeric import numeric_columns
from tests.mechanisms.discovery.test_graph_mechanisms import RARE, chi_squared, numeric
from tests.mechanisms.exact.graphs import distribution, pair_epsilon

RECORDS = PAIR[1] * 6
CLEAR = {"epsilon": 6.0, "alpha": 0.2, "permutations": 9, "bandwidth": 0.6}


def graphs(runs, seed):
    table, rng = numeric(RECORDS), np.random.default_rng(seed)
    return [
        graph_code(dphsic_pc_repaired(table, rounds=3, rng=rng, **CLEAR).cpdag) for _ in range(runs)
    ]


@pytest.mark.parametrize(
    ("runs", "seed"), [(700, 1), pytest.param(5000, 2, marks=pytest.mark.slow)]
)
def test_runs_have_the_exact_law(runs, seed):
    law = distribution(dphsic_runs(RECORDS, **CLEAR))
    assert sum(law.values()) == pytest.approx(1, abs=1e-9)
    found = graphs(runs, seed)
    assert chi_squared(law, found) > RARE
    for wrong in ({"noise_over": 1.5}, {"alpha": 0.5}, {"permutations": 39}):
        assert chi_squared(distribution(dphsic_runs(RECORDS, **{**CLEAR, **wrong})), found) < RARE


def test_the_promise_is_kept_and_shared_noise_breaks_it():
    sound, twin = (one for one in MECHANISMS if "dphsic" in one.name)
    assert sound.true_epsilon <= sound.promise.epsilon
    assert twin.true_epsilon > 1.5 * twin.promise.epsilon
    for flipped in range(4):
        for changed in ((1, 1, -1), (-1, -1, -1), (-1, 1, 1)):
            records = (*PAIR[0][:flipped], changed, *PAIR[0][flipped + 1 :])
            pair = (PAIR[0] * 3, (*records, *PAIR[0] * 2))
            for alpha in (0.05, 0.2, 0.5):
                method = partial(dphsic_runs, **{**SETTING, "alpha": alpha})
                assert pair_epsilon(pair, method) <= sound.promise.epsilon


def test_a_common_effect_is_found_where_the_budget_is_huge():
    rng = np.random.default_rng(5)
    a, b = rng.uniform(-1, 1, (2, 600))
    columns = {"a": a, "b": b, "c": np.tanh(2 * (a + b))}
    table = numeric_columns(columns, ranges=dict.fromkeys(columns, (-1.0, 1.0)))
    found = dphsic_pc_repaired(
        table, epsilon=1000.0, rounds=3, rng=rng, bandwidth=0.5, alpha=0.01, permutations=199
    )
    assert np.argwhere(found.cpdag).tolist() == [[0, 2], [1, 2]]
    assert found.tests == found.spent.rounds == len(found.answers) == 3


def test_pairs_beyond_the_rounds_keep_their_edges():
    table, rng = numeric(RECORDS), np.random.default_rng(6)
    for rounds in (1, 2, 3, 9):
        found = dphsic_pc_repaired(table, rounds=rounds, rng=rng, **CLEAR)
        assert len(found.answers) == found.tests == min(rounds, 3)
        assert found.complete == (rounds >= 3)
        assert found.spent.rounds == rounds


def test_bad_arguments_are_refused():
    table, rng = numeric(RECORDS), np.random.default_rng(7)
    for bad, words in (
        ({"epsilon": 0.0}, "epsilon is"),
        ({"rounds": 0}, "rounds is"),
        ({"bandwidth": 0.0}, "bandwidth is"),
        ({"alpha": 0.0}, "alpha is"),
    ):
        with pytest.raises(UsageError, match=words):
            dphsic_pc_repaired(table, **{**CLEAR, "rounds": 3, "rng": rng, **bad})
    for records, words in ((((1, 1, 1, 1),) * 3, "4 columns"), (((0, 1), (1, 1)), "each entry")):
        with pytest.raises(UsageError, match=words):
            dphsic_runs(records, **CLEAR)
