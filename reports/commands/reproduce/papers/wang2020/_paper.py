"""The rows and the methods that the experiments of this paper run."""

import math
from collections.abc import Callable, Mapping
from zlib import crc32

import numpy as np

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.methods import deletion_utility as utilities
from provado.mechanisms.graph_discovery.methods.em_pc import Utility, run_em
from provado.mechanisms.graph_discovery.methods.priv_pc import priv_pc_released, priv_pc_repaired
from provado.mechanisms.graph_discovery.methods.rounds import PrivatelyDiscovered
from provado.mechanisms.graph_discovery.methods.svt_pc import svt_pc_released, svt_pc_repaired
from provado.mechanisms.graph_discovery.tables.coded import CodedTable

from ...sources.networks import NETWORKS, load_network

ROWS, ALPHA, DELTA = 100_000, 0.1, 1e-3

SMALL = ("earthquake", "cancer", "asia", "survey")
"""The networks that the paper calls small; the others have 11 variables and more."""

QUICK_NETWORKS = (*SMALL, "sachs")

FAMILIES = ("Priv-PC", "SVT-PC", "EM-PC")

EM_ORDERS = 5
"""The repaired EM-PC is charged a round for each node at each of so many orders."""

Find = Callable[[float, np.random.Generator], PrivatelyDiscovered]
"""A method with all but the ε of a round and the generator settled."""


_TESTED: Mapping[str, tuple[Callable[..., PrivatelyDiscovered], ...]] = {
    "Priv-PC": (priv_pc_released, priv_pc_repaired),
    "SVT-PC": (svt_pc_released, svt_pc_repaired),
}
"""Families of tests, as released and as repaired."""


def networks(quick: bool) -> tuple[str, ...]:
    """Return the networks of an experiment, in the paper's order."""
    return QUICK_NETWORKS if quick else NETWORKS


def rows_of(network: str, run: int, rows: int, seed: int) -> CodedTable:
    """Return the rows of one run; all methods see the same."""
    rng = np.random.default_rng([seed, run, crc32(network.encode())])
    return load_network(network).sample(rows, rng)


def released(name: str) -> str:
    """Return the label of a method as released."""
    return f"{name} released"


def repaired(name: str) -> str:
    """Return the label of a method as repaired."""
    return f"{name} repaired"


def methods(data: CodedTable, family: str) -> Mapping[str, Find]:
    """Return the two versions of one of ``FAMILIES`` on ``data``, by label."""
    edges = math.comb(len(data.names), 2)
    if family in _TESTED:
        first, second = _TESTED[family]
        of: tuple[Find, Find] = (
            lambda e, rng: first(data, epsilon=e, rng=rng, alpha=ALPHA),
            lambda e, rng: second(data, epsilon=e, rng=rng, rounds=edges, alpha=ALPHA),
        )
    elif family == "EM-PC":
        # What is computed from the rows is kept from one ε to the next.
        of = (
            em(utilities.GreedyUtility(data, alpha=ALPHA), utilities.counts_released),
            em_repaired(utilities.ProvedUtility(data, alpha=ALPHA)),
        )
    else:
        raise UsageError(f"family is {family!r}: it must be one of {', '.join(FAMILIES)}")
    return dict(zip((released(family), repaired(family)), of, strict=True))


def em(utility: Utility, counts: utilities.CountUtilities, rounds: int | None = None) -> Find:
    """Return EM-PC by any utility of a deletion and of a number of deletions."""
    return lambda e, rng: run_em(utility, counts, epsilon=e, rng=rng, rounds=rounds)


def em_repaired(utility: Utility) -> Find:
    """Return the repaired EM-PC by a proved utility."""
    return em(utility, utilities.counts_proved, EM_ORDERS * len(utility.data.names))


def total(result: PrivatelyDiscovered) -> float:
    """Return what a run charges: the smaller of basic and advanced composition at δ = .001."""
    return min(result.spent.basic()[0], result.spent.advanced(DELTA)[0])


def listed(numbers: Mapping[str, float], form: str = ".2f") -> str:
    """Return numbers by name in words."""
    return ", ".join(f"{name} {value:{form}}" for name, value in numbers.items())
