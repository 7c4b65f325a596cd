"""The audit of Wang, Pang and Song (2020), and what its repairs cost on three networks."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from provado.proofs.ledger.wang2020 import WORK

from ...experiment import Answers, Cell, PaperTable, Piece, Scope
from ...sources.networks import load_network, skeleton_f1
from .._audit import Advice, Cost, Pairing, Paper, audit_of
from ._paper import DELTA, ROWS, methods, total

NETWORKS = (("cancer", "asia", "sachs"), ("cancer",))
ROUNDS_EPSILON = (0.1, 1.0, 10.0)
SEEDS = (5, 2)
COMPARED = ("Priv-PC", "SVT-PC")


def parts(setting: Scope) -> Sequence[Piece]:
    """One part a network and seed."""
    return [
        Piece(f"{network}/{seed}", {"network": network, "sample": seed}, 2.0)
        for network in setting.of(NETWORKS)
        for seed in range(setting.of(SEEDS))
    ]


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return F1 and the charged total of each method at each ε of a round."""
    network = load_network(arguments["network"])
    data = network.sample(ROWS, rng)
    result: dict[str, list[list[float]]] = {}
    for epsilon in ROUNDS_EPSILON:
        for family in COMPARED:
            for method, find in methods(data, family).items():
                run = find(epsilon, rng)
                f1 = skeleton_f1(run.skeleton, network.skeleton)
                result.setdefault(method, []).append([f1, total(run)])
    return {"found": result}


def tables(answers: Answers) -> tuple[PaperTable, ...]:
    """Return median F1 and charged total by network, method and ε of a round."""
    rows: list[tuple[Cell, ...]] = []
    for network in dict.fromkeys(key.partition("/")[0] for key in answers):
        own = [a["found"] for key, a in answers.items() if key.startswith(f"{network}/")]
        for method in own[0]:
            middle = np.median([item[method] for item in own], axis=0)
            cells = (float(cell) for pair in middle for cell in pair)
            rows.append((network, method, *cells))
    caption = (
        f"What the repairs cost: median F1 of the skeleton over {len(own)} samples of {ROWS:,} "
        f"rows, and the median total ε that is charged at δ = {DELTA:g}, by basic or advanced "
        "composition, by ε of a round. A released method charges the rounds that took place, and "
        "keeps no promise; a repaired one charges one round for each pair of columns, fixed "
        "beforehand."
    )
    heads = [
        f"{what} at ε = {epsilon:g}" for epsilon in ROUNDS_EPSILON for what in ("F1", "charged")
    ]
    return (PaperTable("cost_of_repair", caption, ("network", "method", *heads), rows),)


EXPERIMENT = audit_of(
    Paper(
        "wang2020",
        WORK,
        "Towards Practical Differentially Private Causal Graph Discovery",
        (
            Pairing("Priv-PC, printed", "twin/priv-pc-graph-printed", "priv-pc/graph"),
            Pairing("Priv-PC, released code", "twin/priv-pc-graph-released", "priv-pc/graph"),
            Pairing("SVT-PC, released code", "twin/svt-pc-graph-released", "svt-pc/graph"),
            Pairing("EM-PC, released code", "twin/em-pc-graph-released", "em-pc/graph"),
            Pairing(
                "an empty run, charged nothing", "twin/priv-pc-uncharged-sieve", "priv-pc/graph"
            ),
        ),
        (
            Advice(
                "a private graph of categorical columns",
                "Priv-PC or SVT-PC repaired: a proved sensitivity of the stratified τ, rounds "
                "fixed beforehand",
                "the printed sensitivity is too small, and a run is charged for its answers, "
                "though silence reveals something too",
                ("priv-pc/graph", "svt-pc/graph"),
                ("twin/priv-pc-graph-printed", "twin/priv-pc-graph-released"),
            ),
            Advice(
                "a private graph at a small ε",
                "EM-PC repaired, whose utility has a proved sensitivity",
                "the released greedy utility moves by more than the noise allows for",
                ("em-pc/graph",),
                ("twin/em-pc-graph-released",),
            ),
        ),
        Cost(parts, work, tables),
        needs=("pgmpy",),
    )
)
