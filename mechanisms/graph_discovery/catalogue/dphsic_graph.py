"""PC with dpHSIC on three columns. Its twin divides the noise by the number of scores."""

from functools import partial
from typing import Any

from provado.mechanisms.definitions import Mechanism, ReplaceOne, Source
from provado.mechanisms.graph_discovery.exact.pcd_runs import dphsic_runs

from .datasets import Pair, replace_first
from .graphs import EPSILON, drawn

_RECORDS = tuple((s, s, u) for s in (1, -1) for u in (1, -1))
PAIR: Pair = (_RECORDS, replace_first(_RECORDS, (1, 1, 1), (1, -1, 1)))
"""4 records: the first two columns agree in all, then in 3."""

ROUNDS, PERMUTATIONS = 3, 19
SETTING: dict[str, Any] = {
    "epsilon": EPSILON,
    "alpha": 0.5,
    "permutations": PERMUTATIONS,
    "bandwidth": 0.3,
}

_SOUND = Mechanism(
    name="dphsic-pc/graph",
    relation=ReplaceOne(),
    source=Source(
        "Kim and Schrab, Differentially Private Permutation Tests: Applications to Kernel Methods "
        "(2023)",
        "dpHSIC",
    ),
    summary="CPDAG of three columns by PC with dpHSIC, order 0: 3 tests, all charged.",
    tags=("causal-discovery",),
    **drawn(ROUNDS, partial(dphsic_runs, **SETTING), PAIR),
)

MECHANISMS: tuple[Mechanism, ...] = (
    _SOUND,
    _SOUND.twin(
        "dphsic-pc-graph-shared-noise",
        summary="CPDAG of three columns by PC with dpHSIC, its noise divided by the 20 scores of a "
        "test, as if they were averaged.",
        **drawn(ROUNDS, partial(dphsic_runs, **SETTING, noise_over=1.0 + PERMUTATIONS), PAIR),
    ),
)
