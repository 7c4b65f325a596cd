"""PCD on three columns, repaired: fixed kernels, a proved sensitivity, every round paid for.

Its twin is as printed, held to the largest charge of a run: one ε for each test.
"""

from functools import partial
from typing import Any

from provado.mechanisms.definitions import Mechanism, ReplaceOne
from provado.mechanisms.graph_discovery.exact.pcd_runs import pcd_printed_runs, pcd_repaired_runs

from .datasets import Pair, repeat, replace_first
from .graphs import drawn
from .pcd_edge import SOURCE

_RECORDS = repeat(
    {(s, t, u): 174 if s == t else 6 for s in (1, -1) for t in (1, -1) for u in (1, -1)}
)
PAIR: Pair = (_RECORDS, replace_first(_RECORDS, (1, 1, 1), (1, -1, 1)))
"""720 records: the first two columns agree in 696, then in 695; the third is independent."""


ROUNDS, EPSILON, TESTS, PRINTED_EPSILON = 3, 0.5, 3, 0.1
SETTING: dict[str, Any] = {"alpha": 0.05, "permutations": 19}

_REPAIRED = partial(pcd_repaired_runs, epsilon=EPSILON, bandwidth=0.8, rounds=ROUNDS, **SETTING)
_PRINTED = partial(pcd_printed_runs, epsilon=PRINTED_EPSILON, **SETTING)

_SOUND = Mechanism(
    name="pcd/graph",
    relation=ReplaceOne(),
    source=SOURCE,
    summary="CPDAG of three columns by PCD, repaired: fixed kernels, 3 rounds charged.",
    tags=("causal-discovery",),
    **drawn(ROUNDS, _REPAIRED, PAIR),
)

MECHANISMS: tuple[Mechanism, ...] = (
    _SOUND,
    _SOUND.twin(
        "pcd-graph-printed",
        summary="CPDAG of three columns by PCD as printed, order 0, charged for all 3 tests: far "
        "from the level it decides without noise, and one record decides what is far.",
        **drawn(TESTS, _PRINTED, PAIR),
    ),
)
