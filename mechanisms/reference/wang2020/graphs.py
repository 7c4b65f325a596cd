"""Discovery of a whole graph, repaired: a proved sensitivity and every round paid for."""

from __future__ import annotations

from functools import partial
from typing import Any

from provado.mechanisms import Mechanism, PureDP, ReplaceOne, Source, Verdict
from provado.mechanisms.discovery.graph.as_mechanism import (
    Method,
    draw_graphs,
    pair_epsilon,
    priv_pc_runs,
    svt_pc_runs,
)
from provado.mechanisms.discovery.graph.em_pc_runs import em_pc_runs
from provado.mechanisms.discovery.graph.margin import ProvedMargin
from provado.mechanisms.reference.wang2020.graph_pairs import (
    GREEDY_PAIR,
    STRATUM_PAIR,
    TWO_STRATA_PAIR,
    Pair,
)

WORK = "Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020)"
ROUNDS = 3
EPSILON = 0.5
"""Of a round."""

SETTING: dict[str, Any] = {"epsilon": EPSILON, "rounds": ROUNDS, "max_order": 1}


def _repaired(name: str, place: str, summary: str, method: Method, *pairs: Pair) -> Mechanism:
    return Mechanism(
        name=name,
        run=partial(draw_graphs, method=method),
        promise=PureDP(ROUNDS * EPSILON),
        relation=ReplaceOne(),
        pairs=pairs,
        source=Source(WORK, place),
        expected=Verdict.NO_VIOLATION,
        summary=summary,
        true_epsilon=pair_epsilon(pairs[0], method),
        tags=("causal-discovery",),
    )


MECHANISMS: tuple[Mechanism, ...] = (
    _repaired(
        "priv-pc/graph",
        "Algorithm 2",
        "CPDAG of three columns by Priv-PC, repaired: 3 rounds fixed beforehand, all charged.",
        partial(priv_pc_runs, margin=ProvedMargin(), **SETTING),
        STRATUM_PAIR,
        TWO_STRATA_PAIR,
    ),
    _repaired(
        "svt-pc/graph",
        "section 4.1",
        "CPDAG of three columns by SVT-PC, repaired: 3 rounds fixed beforehand, all charged.",
        partial(svt_pc_runs, margin=ProvedMargin(tweak=0.0), **SETTING),
        STRATUM_PAIR,
        TWO_STRATA_PAIR,
    ),
    _repaired(
        "em-pc/graph",
        "section 4.1",
        "CPDAG of three columns by EM-PC, repaired: utilities of sensitivity 1, 3 rounds charged.",
        partial(em_pc_runs, repaired=True, alpha=0.1, **SETTING),
        GREEDY_PAIR,
    ),
)
