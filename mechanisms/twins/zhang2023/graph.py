"""PCD on three columns as printed, held to the largest charge of a run: one ε for each test."""

from __future__ import annotations

from functools import partial

from provado.mechanisms import Mechanism, PureDP, ReplaceOne, Verdict
from provado.mechanisms.discovery.graph.as_mechanism import draw_graphs, pair_epsilon
from provado.mechanisms.discovery.graph.pcd_runs import pcd_printed_runs
from provado.mechanisms.reference.zhang2023.graph import ALPHA, PAIR, PERMUTATIONS
from provado.mechanisms.reference.zhang2023.pcd_edge import SOURCE

_EPSILON, _TESTS = 0.1, 3
_METHOD = partial(pcd_printed_runs, epsilon=_EPSILON, alpha=ALPHA, permutations=PERMUTATIONS)

MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="twin/pcd-graph-printed",
        run=partial(draw_graphs, method=_METHOD),
        promise=PureDP(_EPSILON * _TESTS),
        relation=ReplaceOne(),
        pairs=(PAIR,),
        source=SOURCE,
        expected=Verdict.VIOLATION,
        summary=(
            "CPDAG of three columns by PCD as printed, order 0, charged for all 3 tests: far from "
            "the level it decides without noise, and one record decides what is far."
        ),
        true_epsilon=pair_epsilon(PAIR, _METHOD),
        tags=("twin", "causal-discovery"),
    ),
)
