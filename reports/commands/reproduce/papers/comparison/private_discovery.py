"""Private causal discovery: claims, certified bounds, stated sensitivities, accuracy, levels.

Every method that is found in ``mechanisms/graph_discovery/methods`` and claims privacy is in it;
a new file there is a new row here.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from provado.mechanisms.definitions.mechanism import Source
from provado.mechanisms.graph_discovery.methods.method import Method, run_at_total
from provado.mechanisms.graph_discovery.methods.pc import pc
from provado.mechanisms.graph_discovery.methods.pcd import pc_numeric
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from provado.mechanisms.graph_discovery.tables.numeric import NumericTable, numeric_columns
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic.permuted import dphsic, draw_permutations, hsic_permuted

from ...experiment import Answers, Experiment, Findings, Piece, Scope
from ...sources.networks import load_network, numeric_sample, skeleton_f1
from .._audit import release
from . import _paper as paper

DISCRETE, ROWS = (("cancer", "asia", "sachs"), ("cancer",)), 100_000
NUMERIC, RECORDS = (("cancer", "asia"), ("cancer",)), 1_000
SEEDS, SAMPLES, NULLS, BLOCK = (5, 1), (200_000, 5_000), (10_000, 100), 100

RANGE = (-3.0, 3.0)
"""Of each standardised numeric column; what lies outside is clipped."""


def parts(setting: Scope) -> Sequence[Piece]:
    """One part an audit, a stated sensitivity, a sample of a network, and a block of nulls."""
    result = []
    samples = setting.of(SAMPLES)
    names = {n for m in paper.private_methods() if (n := paper.audited_as(m)) is not None}
    for name in sorted(names):
        arguments: dict[str, Any] = {"release": name, "samples": samples, "seed": setting.seed}
        result.append(Piece(f"release/{name}", arguments, 1.0 + samples * 4e-5))
    for number, stated in enumerate(paper.all_stated()):
        key = f"sensitivity/{stated.methods}: {stated.what}"
        result.append(Piece(key, {"stated": number}, 1.0))
    for seed in range(setting.of(SEEDS)):
        for network in setting.of(DISCRETE):
            result.append(Piece(f"f1/discrete/{network}/{seed}", {"discrete": network}, 6.0))
        for network in setting.of(NUMERIC):
            result.append(Piece(f"f1/numeric/{network}/{seed}", {"numeric": network}, 8.0))
    for block in range(setting.of(NULLS) // BLOCK):
        result.append(Piece(f"level/{block}", {"nulls": BLOCK}, 2.0))
    return result


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Do one part."""
    if "release" in arguments:
        return release(arguments["release"], arguments["samples"], arguments["seed"])
    if "stated" in arguments:
        stated = paper.all_stated()[arguments["stated"]]
        moved, d, d_prime = paper.largest_move(stated)
        facts = {"moved": moved, "bound": stated.bound, "n": stated.n, "ledger": stated.ledger}
        return {"d": list(d), "d_prime": list(d_prime), **facts}
    if "discrete" in arguments:
        return _discrete(arguments["discrete"], rng)
    if "numeric" in arguments:
        return _numeric(arguments["numeric"], rng)
    return _levels(arguments["nulls"], rng)


def _discrete(network: str, rng: np.random.Generator) -> dict[str, Any]:
    model = load_network(network)
    data = model.sample(ROWS, rng)
    plain = skeleton_f1(pc(data, alpha=0.1, stable=False).skeleton, model.skeleton)
    return {"plain": plain, "f1": _all_f1(paper.sound(False), data, model.skeleton, rng)}


def _numeric(network: str, rng: np.random.Generator) -> dict[str, Any]:
    graph = load_network(network)
    columns = numeric_sample(graph, RECORDS, rng)
    data = numeric_columns(columns, ranges=dict.fromkeys(columns, RANGE))
    plain = pc_numeric(data, alpha=paper.LEVEL, rng=rng, bandwidth=1.0, max_order=1)
    f1 = skeleton_f1(plain.skeleton, graph.skeleton)
    return {"plain": f1, "f1": _all_f1(paper.sound(True), data, graph.skeleton, rng)}


def _all_f1(
    chosen: Sequence[Method], data: CodedTable | NumericTable, truth: Any, rng: np.random.Generator
) -> dict[str, list[float]]:
    """Return F1 of each method at each total, which is shared out before the data are examined."""
    result: dict[str, list[float]] = {}
    for method, stream in zip(chosen, rng.spawn(len(chosen)), strict=True):
        for total in paper.TOTALS:
            run = run_at_total(method, data, epsilon=total, delta=paper.DELTA, rng=stream)
            result.setdefault(method.name, []).append(skeleton_f1(run.skeleton, truth))
    return result


def _levels(nulls: int, rng: np.random.Generator) -> dict[str, Any]:
    """Return how often each permutation test rejects where columns are independent."""
    kernel = SquaredExponential(1.0)
    rejected = {"HSIC, valid p-value": 0, "HSIC, printed p-value": 0, "dpHSIC, ε = 1": 0}
    for _ in range(nulls):
        u, v = rng.uniform(-1, 1, (2, paper.TESTED))
        orders = draw_permutations(paper.TESTED, 99, rng)
        test = hsic_permuted(u, v, orders, kernel, kernel)
        rejected["HSIC, valid p-value"] += float(test.p_valid) <= paper.LEVEL
        rejected["HSIC, printed p-value"] += float(test.p_printed) <= paper.LEVEL
        rejected["dpHSIC, ε = 1"] += dphsic(u, v, kernel, kernel, epsilon=1.0, rng=rng)
    return {"nulls": nulls, "rejected": {name: int(count) for name, count in rejected.items()}}


def findings(setting: Scope, answers: Answers) -> Findings:
    """Return the tables, and whether claims, sensitivities and levels hold."""
    fixed = "rounds and their ε are fixed before the data are examined"
    settings = (
        ("budget", f"δ = {paper.DELTA:g}; {fixed}"),
        ("trials of an audit", f"{setting.of(SAMPLES):,}"),
        ("samples of a network", str(setting.of(SEEDS))),
    )
    return Findings(
        settings, paper.tables(answers, ROWS, RECORDS), comparisons=paper.comparisons(answers)
    )


EXPERIMENT = Experiment(
    "comparison/private_discovery",
    "private causal discovery: what is claimed, what holds, what it is worth",
    Source("The methods of four papers and two later ones", "as implemented here"),
    *(parts, work, findings),
    needs=("pgmpy",),
)
