"""Figure 1: F1 of the private methods against ε, on seven networks, beside PC without privacy.

The ε of the grid are those of one round, as in the released code: one sieve-and-examine, one answer
of the sparse vector, one node at one order of EM-PC. The paper's axis is what the rounds cost
together, from 1 to 100. A released method charges the rounds that took place, and keeps no promise;
a repaired one charges a number fixed beforehand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.graph_discovery.methods.deletion_choice import (
    counts_proved,
    counts_released,
)
from provado.mechanisms.graph_discovery.methods.deletion_utility import (
    Deletion,
    GreedyUtility,
    ProvedUtility,
)
from provado.mechanisms.graph_discovery.methods.pc import Test, pc
from provado.mechanisms.graph_discovery.methods.private_search import PrivatelyDiscovered
from provado.mechanisms.graph_discovery.search.skeleton import largest_order
from provado.mechanisms.textbook.exponential import exponential_probabilities
from provado.proofs.ledger.wang2020 import source
from provado.reports.commands.reproduce.experiment import Answers, Experiment, Part, Setting
from provado.reports.commands.reproduce.findings import Findings
from provado.reports.commands.reproduce.sources.networks import load_network
from provado.reports.commands.reproduce.sources.skeleton_f1 import skeleton_f1

from ._f1 import Grid, figures, tables
from ._f1_comparisons import comparisons
from ._runs import (
    ALPHA,
    FAMILIES,
    ROWS,
    Find,
    em,
    em_repaired,
    methods,
    networks,
    released,
    repaired,
    rows_of,
    total,
)

EPSILONS = tuple(np.logspace(-2, 1.5, 21).tolist())
QUICK_EPSILONS = (0.03, 0.1, 0.3, 1.0, 3.0, 30.0)
RUNS, QUICK_RUNS, QUICK_ROWS = 5, 2, 20_000

_SECONDS = {
    "earthquake": (0.3, 0.2, 0.2),
    "cancer": (0.3, 0.2, 0.2),
    "asia": (0.4, 0.3, 1.5),
    "survey": (0.3, 0.3, 0.5),
    "alarm": (25.0, 17.0, 45.0),
    "sachs": (3.0, 2.0, 6.0),
    "child": (14.0, 9.0, 30.0),
}
"""About how long a run of each family takes at all 21 ε on 100,000 rows."""


def parts(setting: Setting) -> Sequence[Part]:
    """One part a network, run and family of methods, and one a network for PC."""
    rows, runs = (QUICK_ROWS, QUICK_RUNS) if setting.quick else (ROWS, RUNS)
    epsilons = QUICK_EPSILONS if setting.quick else EPSILONS
    found = []
    for network in networks(setting.quick):
        for run in range(runs):
            own = {"network": network, "run": run, "rows": rows, "rows_seed": setting.seed}
            share = len(epsilons) / len(EPSILONS) * (rows / ROWS) ** 0.5
            for family, seconds in zip(FAMILIES, _SECONDS[network], strict=True):
                arguments = {**own, "family": family, "epsilons": list(epsilons)}
                found.append(Part(f"{network}/{run}/{family}", arguments, share * seconds))
            found.append(Part(f"{network}/{run}/PC", {**own, "family": "PC"}, 0.5))
    return found


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return F1 and the total ε of each method at each ε; without privacy F1 by test."""
    network, family = arguments["network"], arguments["family"]
    true = load_network(network).skeleton
    data = rows_of(network, arguments["run"], arguments["rows"], arguments["rows_seed"])
    if family == "PC":
        order = largest_order(data.n, len(data.names))
        found = {
            test.value: pc(data, alpha=ALPHA, test=test, max_order=order, stable=False)
            for test in (Test.KENDALL, Test.G)
        }
        return {name: skeleton_f1(one.skeleton, true) for name, one in found.items()}
    epsilons = arguments["epsilons"]
    if family != "EM-PC":
        return _at_each(methods(data, family), epsilons, true, rng)
    # What is computed from the rows is kept from one run to the next.
    greedy, ranks = GreedyUtility(data, alpha=ALPHA), ProvedUtility(data, alpha=ALPHA)
    watches: list[NumberOfDeletions] = []

    def watched(epsilon: float, rng: np.random.Generator) -> PrivatelyDiscovered:
        watches.append(NumberOfDeletions(epsilon))
        return em(greedy, watches[-1])(epsilon, rng)

    both = {released(family): watched, repaired(family): em_repaired(ranks)}
    varied = {
        "g, any number": em(greedy, counts_proved),
        "kendall, released number": em(ranks, counts_released),
        "kendall, any number": em(ranks, counts_proved),
    }
    limits = _at_each(varied, epsilons[-1:], true, rng)["f1"]
    return {
        **_at_each(both, epsilons, true, rng),
        "numbers": [watch.summary() for watch in watches],
        "limits": {name: f1[0] for name, f1 in limits.items()},
    }


def _at_each(
    finds: Mapping[str, Find],
    epsilons: Sequence[float],
    true: NDArray[np.bool_],
    rng: np.random.Generator,
) -> dict[str, dict[str, list[float]]]:
    """Return F1 and the total ε by label, at each ε."""
    f1, totals = {}, {}
    for label, find in finds.items():
        runs = [find(epsilon, rng) for epsilon in epsilons]
        f1[label] = [skeleton_f1(one.skeleton, true) for one in runs]
        totals[label] = [total(one) for one in runs]
    return {"f1": f1, "total": totals}


class NumberOfDeletions:
    """EM-PC's utility of a number of deletions as released, which keeps how the draws would fall.

    The right number is how many edges of the node pass as independent by the data.
    """

    def __init__(self, epsilon: float) -> None:
        """Start without any round; epsilon: of a round, half of which draws the number."""
        self._half = epsilon / 2
        self._chances: list[tuple[float, float, float]] = []
        self._all_pass = 0

    def __call__(self, deletions: Sequence[Deletion]) -> NDArray[np.float64]:
        """Return ``counts_released``."""
        utilities = counts_released(deletions)
        chances = exponential_probabilities(utilities, epsilon=self._half)
        right = len({d.y for d in deletions if d.passes})
        self._all_pass += right == chances.size
        at = float(chances[right]) if right < chances.size else 0.0
        fewer = float(chances[:right].sum())
        self._chances.append((fewer, at, float(chances[right + 1 :].sum())))
        return utilities

    def summary(self) -> dict[str, float]:
        """Return the number of rounds, and of how many the number is too low, right, too high.

        Expected numbers, from the exact chances of each draw. all_pass: in how many rounds all
        edges pass, so that the right number is not among the options.
        """
        low, at, high = map(sum, zip(*self._chances, strict=True)) if self._chances else (0,) * 3
        number = len(self._chances)
        return {
            "rounds": number,
            "low": low,
            "right": at,
            "high": high,
            "all_pass": self._all_pass,
        }


def findings(setting: Setting, answers: Answers) -> Findings:
    """Return a figure a network, what EM-PC's parts contribute, and the paper's statements."""
    epsilons = QUICK_EPSILONS if setting.quick else EPSILONS
    grid = Grid.of(epsilons, networks(setting.quick), answers)
    settings = (
        ("rows", f"{QUICK_ROWS if setting.quick else ROWS:,}, drawn from the networks of pgmpy"),
        ("runs", str(QUICK_RUNS if setting.quick else RUNS)),
        ("ε of a round", f"{len(epsilons)} values from {epsilons[0]:g} to {epsilons[-1]:.3g}"),
        ("level", "p ≥ .1 as released: one-sided for Kendall's τ; the G-test for EM-PC"),
        ("total", "the smaller of basic and advanced composition at δ = .001"),
    )
    return Findings(settings, tables(grid), figures(grid), comparisons(grid))


EXPERIMENT = Experiment(
    name="wang2020/figure1",
    title="F1 against ε: Priv-PC, SVT-PC, EM-PC, and PC without privacy",
    source=source("Figure 1, section 4.2"),
    parts=parts,
    work=work,
    findings=findings,
    needs=("pgmpy",),
)
