"""Discovery of a whole graph: repaired, and as printed or released.

Repaired it has a proved sensitivity, and every round is paid for. The printed and released methods
charge ε for each round that gave an answer, which depends on the data. Their twins are held to
basic composition over the most rounds that any run can have, so that what an audit finds is not a
matter of how a run is charged: the sensitivities are too small.

The pairs of neighbors have three columns. In the first two, one stratum of the third column counts
under one dataset only: there the first column is constant but for the record that differs, and a
stratum with a constant column is left out. So one record brings in nearly all records, among which
the columns are independent.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from provado.mechanisms.definitions import Mechanism, PureDP, ReplaceOne, Source

from ..edges.pcd_edge import SOURCE as PCD_SOURCE
from ..exact.curate_runs import curate_released_runs, curate_repaired_runs
from ..exact.graph_distribution import draw_graphs, priv_pc_runs, svt_pc_runs
from ..exact.pcd_runs import dphsic_runs, em_pc_runs, pcd_printed_runs, pcd_repaired_runs
from ..independence_tests.margin import PrintedMargin, ProvedMargin, ReleasedMargin

Record = tuple[int, ...]
Records = tuple[Record, ...]
Pair = tuple[Records, Records]


def replace_first(records: Records, old: Record, new: Record) -> Records:
    """Return the records with the first that equals ``old`` replaced."""
    place = records.index(old)
    return (*records[:place], new, *records[place + 1 :])


def repeat(cells: Mapping[Record, int]) -> Records:
    """Return each record as often as its count says."""
    return tuple(record for record, times in cells.items() for record in (record,) * times)


def _pair(cells: Mapping[Record, int], old: Record, new: Record) -> Pair:
    records = repeat(cells)
    return records, replace_first(records, old, new)


STRATUM_PAIR = _pair(
    {(0, 0, 0): 96, (0, 1, 0): 96, (0, 0, 1): 4, (1, 1, 1): 4}, (0, 1, 0), (1, 1, 0)
)
"""200 records. Given the third column, τ̄ of the first two goes from 4/7, over a stratum of 8
records, to nearly 0, over all."""

TWO_STRATA_PAIR = _pair(
    {(0, 0, 0): 19_920, (0, 1, 0): 8, (0, 0, 1): 8, (1, 1, 1): 64}, (0, 0, 0), (1, 0, 0)
)
"""20,000 records. The same happens to two tests at once: of the first column with the second and
with the third. The sensitivity that the released code takes shrinks as 1/√n only: that few records
are too few, as a p-value spans 1/2."""

GREEDY_PAIR = _pair(
    {(0, 1, 0): 1, (1, 0, 0): 1, (1, 1, 0): 20, (1, 1, 1): 18}, (0, 1, 0), (0, 0, 0)
)
"""40 records. The greedy count of EM-PC for the first two columns goes from 39 to 0."""


_SAME = tuple((s, s, u) for s in (1, -1) for u in (1, -1))
DPHSIC_PAIR: Pair = (_SAME, replace_first(_SAME, (1, 1, 1), (1, -1, 1)))
"""4 records: the first two columns agree in all, then in 3."""

PCD_PAIR = _pair(
    {(s, t, u): 174 if s == t else 6 for s in (1, -1) for t in (1, -1) for u in (1, -1)},
    (1, 1, 1),
    (1, -1, 1),
)
"""720 records: the first two columns agree in 696, then in 695; the third is independent."""

WORK = "Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020)"
_CODE = "the authors' released code"
ROUNDS = 3
EPSILON = 0.5
"""Of a round."""

SETTING: dict[str, Any] = {"epsilon": EPSILON, "rounds": ROUNDS, "max_order": 1}
PERMUTATIONS = 19
DPHSIC_SETTING: dict[str, Any] = {
    "epsilon": EPSILON,
    "alpha": 0.5,
    "permutations": PERMUTATIONS,
    "bandwidth": 0.3,
}
_PCD_SETTING: dict[str, Any] = {"alpha": 0.05, "permutations": PERMUTATIONS}

TESTS = 6
"""Three pairs of columns, each given nothing and given the third: as many answers of Priv-PC."""

EDGES = 3
"""Each answer of SVT-PC deletes an edge. Order 0 of EM-PC takes a round for each of 3 nodes, and of
PCD a test for each of 3 pairs."""


def drawn(rounds: int, true_epsilon: float, method: partial[Any], *pairs: Pair) -> dict[str, Any]:
    """Return an entry's fields: the graphs that a method draws, charged so many times its ε."""
    return {
        "run": partial(draw_graphs, method=method),
        "promise": PureDP(method.keywords["epsilon"] * rounds),
        "pairs": pairs,
        "true_epsilon": true_epsilon,
    }


def _repaired(
    name: str, true_epsilon: float, source: Source, summary: str, method: partial[Any], *pairs: Pair
) -> Mechanism:
    return Mechanism(
        name=name,
        relation=ReplaceOne(),
        source=source,
        summary=f"CPDAG of three columns by {summary}",
        tags=("causal-discovery",),
        **drawn(ROUNDS, true_epsilon, method, *pairs),
    )


_PRIV_PC = _repaired(
    "priv-pc/graph",
    0.03251312808008602,
    Source(WORK, "Algorithm 2"),
    "Priv-PC, repaired: 3 rounds fixed beforehand, all charged.",
    partial(priv_pc_runs, margin=ProvedMargin(), **SETTING),
    STRATUM_PAIR,
    TWO_STRATA_PAIR,
)
_SVT_PC = _repaired(
    "svt-pc/graph",
    0.029299187479295594,
    Source(WORK, "section 4.1"),
    "SVT-PC, repaired: 3 rounds fixed beforehand, all charged.",
    partial(svt_pc_runs, margin=ProvedMargin(tweak=0.0), **SETTING),
    STRATUM_PAIR,
    TWO_STRATA_PAIR,
)
_EM_PC = _repaired(
    "em-pc/graph",
    0.07155277819391716,
    Source(WORK, "section 4.1"),
    "EM-PC, repaired: utilities of sensitivity 1, 3 rounds charged.",
    partial(em_pc_runs, repaired=True, alpha=0.1, **SETTING),
    GREEDY_PAIR,
)
_CURATE = _repaired(
    "curate/graph",
    0.08375262163926804,
    Source(
        "Bhattacharjee and Tandon, CURATE: Scaling-Up Differentially Private Causal Graph "
        "Discovery (2024)",
        f"constraint-based; {_CODE}",
    ),
    "CURATE, repaired: 3 rounds pay for all tests beforehand.",
    partial(curate_repaired_runs, alpha=0.1, **SETTING),
    STRATUM_PAIR,
    TWO_STRATA_PAIR,
)
_DPHSIC = _repaired(
    "dphsic-pc/graph",
    0.14175071962597607,
    Source(
        "Kim and Schrab, Differentially Private Permutation Tests: Applications to Kernel Methods "
        "(2023)",
        "dpHSIC",
    ),
    "PC with dpHSIC, order 0: 3 tests, all charged.",
    partial(dphsic_runs, **DPHSIC_SETTING),
    DPHSIC_PAIR,
)
_PCD = _repaired(
    "pcd/graph",
    0.019129023656187454,
    PCD_SOURCE,
    "PCD, repaired: fixed kernels, 3 rounds charged.",
    partial(pcd_repaired_runs, epsilon=EPSILON, bandwidth=0.8, rounds=ROUNDS, **_PCD_SETTING),
    PCD_PAIR,
)

_PRINTED = partial(priv_pc_runs, margin=PrintedMargin(0.9, 0.02), epsilon=0.3, max_order=1)
_RELEASED = partial(priv_pc_runs, margin=ReleasedMargin(), epsilon=0.1, max_order=1)
_SVT = partial(svt_pc_runs, margin=ReleasedMargin(tweak=0.0), epsilon=0.2, max_order=1)
_EM = partial(em_pc_runs, repaired=False, alpha=0.05, epsilon=0.5, max_order=0)
_AS_RELEASED = partial(curate_released_runs, epsilon=EPSILON, max_order=1)
_SHARED = partial(dphsic_runs, **DPHSIC_SETTING, noise_over=1.0 + PERMUTATIONS)
_PCD_PRINTED = partial(pcd_printed_runs, epsilon=0.1, **_PCD_SETTING)

MECHANISMS: tuple[Mechanism, ...] = (
    *(_PRIV_PC, _SVT_PC, _EM_PC, _CURATE, _DPHSIC, _PCD),
    _PRIV_PC.twin(
        "priv-pc-graph-printed",
        source=Source(WORK, "Algorithm 2 and Theorem 3"),
        summary="CPDAG of three columns by Priv-PC as printed, m = n, charged for all 6 tests: "
        "9/(2n) is no bound on what one record moves the stratified τ.",
        **drawn(TESTS, 4.315748802411565, _PRINTED, STRATUM_PAIR),
    ),
    _PRIV_PC.twin(
        "priv-pc-graph-released",
        source=Source(WORK, f"Algorithm 2; {_CODE}"),
        summary="CPDAG of three columns by Priv-PC as released, m = n, charged for all 6 tests: "
        "the normal mass of (0, 6/√n) is no bound on what one record moves the p-value.",
        **drawn(TESTS, 0.9174922556524578, _RELEASED, TWO_STRATA_PAIR),
    ),
    _SVT_PC.twin(
        "svt-pc-graph-released",
        source=Source(WORK, f"section 4.1; {_CODE}"),
        summary="CPDAG of three columns by SVT-PC as released, charged for all 3 edges: the normal "
        "mass of (0, 6/√n) is no bound on what one record moves the p-value.",
        **drawn(EDGES, 1.0575690726191636, _SVT, TWO_STRATA_PAIR),
    ),
    _EM_PC.twin(
        "em-pc-graph-released",
        source=Source(WORK, f"section 4.1; {_CODE}"),
        summary="CPDAG of three columns by EM-PC as released, order 0, charged for all 3 rounds: "
        "the greedy utility, taken as 1-sensitive, moves by n − 1.",
        **drawn(EDGES, 4.7510941869662195, _EM, GREEDY_PAIR),
    ),
    # Held to the whole of its total, which is more than the ε of all tests of any run add up to.
    _CURATE.twin(
        "curate-graph-released",
        summary="CPDAG of three columns by CURATE as released, held to its total: 0.7253/√n is no "
        "bound on what one record moves the p-value.",
        **drawn(1, 5.802234226413415, _AS_RELEASED, TWO_STRATA_PAIR),
    ),
    _DPHSIC.twin(
        "dphsic-pc-graph-shared-noise",
        summary="CPDAG of three columns by PC with dpHSIC, its noise divided by the 20 scores of a "
        "test, as if they were averaged.",
        **drawn(ROUNDS, 2.867264877192159, _SHARED, DPHSIC_PAIR),
    ),
    # Held to the largest charge of a run: one ε for each test.
    _PCD.twin(
        "pcd-graph-printed",
        summary="CPDAG of three columns by PCD as printed, order 0, charged for all 3 tests: far "
        "from the level it decides without noise, and one record decides what is far.",
        **drawn(EDGES, 1.5886078469306004, _PCD_PRINTED, PCD_PAIR),
    ),
)
