"""CURATE on three columns, repaired: tests paid for before they are answered.

Its twin is as released, held to the whole of its total, which is more than the ε of all tests of
any run add up to: so what an audit finds is not a matter of what is charged.
"""

from functools import partial

from provado.mechanisms.definitions import Mechanism, ReplaceOne, Source
from provado.mechanisms.graph_discovery.exact.curate_runs import (
    curate_released_runs,
    curate_repaired_runs,
)

from .datasets import STRATUM_PAIR, TWO_STRATA_PAIR
from .graphs import EPSILON, ROUNDS, drawn

SOURCE = Source(
    "Bhattacharjee and Tandon, CURATE: Scaling-Up Differentially Private Causal Graph Discovery "
    "(2024)",
    "constraint-based; the authors' released code",
)

_REPAIRED = partial(curate_repaired_runs, alpha=0.1, epsilon=EPSILON, rounds=ROUNDS, max_order=1)
_RELEASED = partial(curate_released_runs, epsilon=EPSILON, max_order=1)

_SOUND = Mechanism(
    name="curate/graph",
    relation=ReplaceOne(),
    source=SOURCE,
    summary="CPDAG of three columns by CURATE, repaired: 3 rounds pay for all tests beforehand.",
    tags=("causal-discovery",),
    **drawn(ROUNDS, _REPAIRED, STRATUM_PAIR, TWO_STRATA_PAIR),
)

MECHANISMS: tuple[Mechanism, ...] = (
    _SOUND,
    _SOUND.twin(
        "curate-graph-released",
        summary="CPDAG of three columns by CURATE as released, held to its total: 0.7253/√n is no "
        "bound on what one record moves the p-value.",
        **drawn(1, _RELEASED, TWO_STRATA_PAIR),
    ),
)
