"""PCD on three columns, repaired: fixed kernels, a proved sensitivity, every round paid for."""

from __future__ import annotations

from functools import partial

from provado.mechanisms import Mechanism, PureDP, ReplaceOne, Verdict
from provado.mechanisms.discovery.graph.as_mechanism import draw_graphs, pair_epsilon
from provado.mechanisms.discovery.graph.pcd_runs import pcd_repaired_runs
from provado.mechanisms.reference.wang2020.graph_pairs import Pair, repeat, replace_first
from provado.mechanisms.reference.zhang2023.pcd_edge import SOURCE

_RECORDS = repeat(
    {(s, t, u): 174 if s == t else 6 for s in (1, -1) for t in (1, -1) for u in (1, -1)}
)
PAIR: Pair = (_RECORDS, replace_first(_RECORDS, (1, 1, 1), (1, -1, 1)))
"""720 records: the first two columns agree in 696, then in 695; the third is independent."""

ROUNDS, EPSILON, ALPHA, PERMUTATIONS = 3, 0.5, 0.05, 19

_METHOD = partial(
    pcd_repaired_runs,
    epsilon=EPSILON,
    alpha=ALPHA,
    permutations=PERMUTATIONS,
    bandwidth=0.8,
    rounds=ROUNDS,
)

MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="pcd/graph",
        run=partial(draw_graphs, method=_METHOD),
        promise=PureDP(ROUNDS * EPSILON),
        relation=ReplaceOne(),
        pairs=(PAIR,),
        source=SOURCE,
        expected=Verdict.NO_VIOLATION,
        summary="CPDAG of three columns by PCD, repaired: fixed kernels, 3 rounds charged.",
        true_epsilon=pair_epsilon(PAIR, _METHOD),
        tags=("causal-discovery",),
    ),
)
