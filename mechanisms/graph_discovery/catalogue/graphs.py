"""Discovery of a whole graph: repaired, and as printed or released.

Repaired it has a proved sensitivity, and every round is paid for. The printed and released methods
charge ε for each round that gave an answer, which depends on the data. Their twins are held to
basic composition over the most rounds that any run can have, so that what an audit finds is not a
matter of how a run is charged: the sensitivities are too small.
"""

from functools import partial
from typing import Any

from provado.mechanisms.definitions import Mechanism, PureDP, ReplaceOne, Source
from provado.mechanisms.graph_discovery.exact.graph_distribution import (
    Method,
    draw_graphs,
    pair_epsilon,
    priv_pc_runs,
    svt_pc_runs,
)
from provado.mechanisms.graph_discovery.exact.pcd_runs import em_pc_runs
from provado.mechanisms.graph_discovery.independence_tests.margin import (
    PrintedMargin,
    ProvedMargin,
    ReleasedMargin,
)

from .datasets import GREEDY_PAIR, STRATUM_PAIR, TWO_STRATA_PAIR, Pair

WORK = "Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020)"
_CODE = "the authors' released code"
ROUNDS = 3
EPSILON = 0.5
"""Of a round."""

SETTING: dict[str, Any] = {"epsilon": EPSILON, "rounds": ROUNDS, "max_order": 1}

TESTS = 6
"""Three pairs of columns, each given nothing and given the third: as many answers of Priv-PC."""

EDGES = 3
"""Each answer of SVT-PC deletes an edge. Order 0 of EM-PC takes a round for each of 3 nodes."""


def drawn(rounds: int, method: partial[Any], *pairs: Pair) -> dict[str, Any]:
    """Return an entry's fields: the graphs that a method draws, charged so many times its ε."""
    return {
        "run": partial(draw_graphs, method=method),
        "promise": PureDP(method.keywords["epsilon"] * rounds),
        "pairs": pairs,
        "true_epsilon": partial(pair_epsilon, pairs[0], method),
    }


def _repaired(name: str, place: str, summary: str, method: Method, *pairs: Pair) -> Mechanism:
    return Mechanism(
        name=name,
        relation=ReplaceOne(),
        source=Source(WORK, place),
        summary=summary,
        tags=("causal-discovery",),
        **drawn(ROUNDS, partial(method, **SETTING), *pairs),
    )


_PRINTED = partial(priv_pc_runs, margin=PrintedMargin(0.9, 0.02), epsilon=0.3, max_order=1)
_RELEASED = partial(priv_pc_runs, margin=ReleasedMargin(), epsilon=0.1, max_order=1)
_SVT = partial(svt_pc_runs, margin=ReleasedMargin(tweak=0.0), epsilon=0.2, max_order=1)
_EM = partial(em_pc_runs, repaired=False, alpha=0.05, epsilon=0.5, max_order=0)

_PRIV_PC = _repaired(
    "priv-pc/graph",
    "Algorithm 2",
    "CPDAG of three columns by Priv-PC, repaired: 3 rounds fixed beforehand, all charged.",
    partial(priv_pc_runs, margin=ProvedMargin()),
    STRATUM_PAIR,
    TWO_STRATA_PAIR,
)
_SVT_PC = _repaired(
    "svt-pc/graph",
    "section 4.1",
    "CPDAG of three columns by SVT-PC, repaired: 3 rounds fixed beforehand, all charged.",
    partial(svt_pc_runs, margin=ProvedMargin(tweak=0.0)),
    STRATUM_PAIR,
    TWO_STRATA_PAIR,
)
_EM_PC = _repaired(
    "em-pc/graph",
    "section 4.1",
    "CPDAG of three columns by EM-PC, repaired: utilities of sensitivity 1, 3 rounds charged.",
    partial(em_pc_runs, repaired=True, alpha=0.1),
    GREEDY_PAIR,
)

MECHANISMS: tuple[Mechanism, ...] = (
    _PRIV_PC,
    _SVT_PC,
    _EM_PC,
    _PRIV_PC.twin(
        "priv-pc-graph-printed",
        source=Source(WORK, "Algorithm 2 and Theorem 3"),
        summary="CPDAG of three columns by Priv-PC as printed, m = n, charged for all 6 tests: "
        "9/(2n) is no bound on what one record moves the stratified τ.",
        **drawn(TESTS, _PRINTED, STRATUM_PAIR),
    ),
    _PRIV_PC.twin(
        "priv-pc-graph-released",
        source=Source(WORK, f"Algorithm 2; {_CODE}"),
        summary="CPDAG of three columns by Priv-PC as released, m = n, charged for all 6 tests: "
        "the normal mass of (0, 6/√n) is no bound on what one record moves the p-value.",
        **drawn(TESTS, _RELEASED, TWO_STRATA_PAIR),
    ),
    _SVT_PC.twin(
        "svt-pc-graph-released",
        source=Source(WORK, f"section 4.1; {_CODE}"),
        summary="CPDAG of three columns by SVT-PC as released, charged for all 3 edges: the normal "
        "mass of (0, 6/√n) is no bound on what one record moves the p-value.",
        **drawn(EDGES, _SVT, TWO_STRATA_PAIR),
    ),
    _EM_PC.twin(
        "em-pc-graph-released",
        source=Source(WORK, f"section 4.1; {_CODE}"),
        summary="CPDAG of three columns by EM-PC as released, order 0, charged for all 3 rounds: "
        "the greedy utility, taken as 1-sensitive, moves by n − 1.",
        **drawn(EDGES, _EM, GREEDY_PAIR),
    ),
)
