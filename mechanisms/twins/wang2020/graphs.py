"""Discovery of a whole graph as printed and as released, held to the largest charge of a run.

The methods charge ε for each round that gave an answer, which depends on the data. Here each is
held to basic composition over the most rounds that any run can have, so that what an audit finds
is not a matter of how a run is charged: the sensitivities are too small.
"""

from __future__ import annotations

from functools import partial

from provado.mechanisms import Mechanism, PureDP, ReplaceOne, Source, Verdict
from provado.mechanisms.discovery.graph.as_mechanism import (
    Method,
    draw_graphs,
    pair_epsilon,
    priv_pc_runs,
    svt_pc_runs,
)
from provado.mechanisms.discovery.graph.em_pc_runs import em_pc_runs
from provado.mechanisms.discovery.graph.margin import PrintedMargin, ReleasedMargin
from provado.mechanisms.reference.wang2020.graph_pairs import (
    GREEDY_PAIR,
    STRATUM_PAIR,
    TWO_STRATA_PAIR,
    Pair,
)
from provado.mechanisms.reference.wang2020.graphs import WORK

TESTS = 6
"""Three pairs of columns, each given nothing and given the third: as many answers of Priv-PC."""

EDGES = 3
"""Each answer of SVT-PC deletes an edge. Order 0 of EM-PC takes a round for each of 3 nodes."""


def _twin(
    name: str, place: str, summary: str, method: Method, pair: Pair, charge: float
) -> Mechanism:
    return Mechanism(
        name=f"twin/{name}",
        run=partial(draw_graphs, method=method),
        promise=PureDP(charge),
        relation=ReplaceOne(),
        pairs=(pair,),
        source=Source(WORK, place),
        expected=Verdict.VIOLATION,
        summary=summary,
        true_epsilon=pair_epsilon(pair, method),
        tags=("twin", "causal-discovery"),
    )


MECHANISMS: tuple[Mechanism, ...] = (
    _twin(
        "priv-pc-graph-printed",
        "Algorithm 2 and Theorem 3",
        "CPDAG of three columns by Priv-PC as printed, m = n, charged for all 6 tests: 9/(2n) is "
        "no bound on what one record moves the stratified τ.",
        partial(priv_pc_runs, margin=PrintedMargin(0.9, 0.02), epsilon=0.3, max_order=1),
        STRATUM_PAIR,
        0.3 * TESTS,
    ),
    _twin(
        "priv-pc-graph-released",
        "Algorithm 2; the authors' released code",
        "CPDAG of three columns by Priv-PC as released, m = n, charged for all 6 tests: the "
        "normal mass of (0, 6/√n) is no bound on what one record moves the p-value.",
        partial(priv_pc_runs, margin=ReleasedMargin(), epsilon=0.1, max_order=1),
        TWO_STRATA_PAIR,
        0.1 * TESTS,
    ),
    _twin(
        "svt-pc-graph-released",
        "section 4.1; the authors' released code",
        "CPDAG of three columns by SVT-PC as released, charged for all 3 edges: the normal mass "
        "of (0, 6/√n) is no bound on what one record moves the p-value.",
        partial(svt_pc_runs, margin=ReleasedMargin(tweak=0.0), epsilon=0.2, max_order=1),
        TWO_STRATA_PAIR,
        0.2 * EDGES,
    ),
    _twin(
        "em-pc-graph-released",
        "section 4.1; the authors' released code",
        "CPDAG of three columns by EM-PC as released, order 0, charged for all 3 rounds: the "
        "greedy utility, taken as 1-sensitive, moves by n − 1.",
        partial(em_pc_runs, repaired=False, alpha=0.05, epsilon=0.5, max_order=0),
        GREEDY_PAIR,
        0.5 * EDGES,
    ),
)
