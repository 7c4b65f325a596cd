"""Figure 2: precision and recall of PCD with RCIT and with Kendall's τ, on four graphs."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from provado.mechanisms.graph_discovery.tables.numeric import numeric_columns
from provado.proofs.ledger.zhang2023 import source
from provado.reports.text.formatting import counted

from ... import experiment
from ...experiment import Answers, Experiment, Findings, PaperClaim, PaperTable, Piece, Scope, under
from ...sources.networks import load_network, numeric_sample
from . import _paper as paper
from ._paper import EPSILONS, KENDALL, KENDALL_REPAIRED, PRINTED, REPAIRED, RIDGE, SETTINGS, TESTS

SPAN = 3.0
"""Columns, standardised, are mapped from [−3, 3]; what lies outside is clipped."""


Plan = tuple[Mapping[int, float], int, int]
"""The seconds of one part by its number of records; repetitions; largest conditioning sets."""

PLANS: tuple[Mapping[str, Plan], Mapping[str, Plan]] = (
    {
        "cancer": ({500: 1.6, 1000: 3.7, 2000: 11.0}, 5, 3),
        "asia": ({500: 4.5, 1000: 10.0, 2000: 32.0}, 5, 2),
        "child": ({250: 26.0, 500: 45.0}, 4, 1),
        "alarm": ({250: 43.0, 500: 85.0}, 2, 1),
    },
    {"cancer": ({200: 0.8, 500: 1.4}, 2, 2), "asia": ({200: 1.2, 500: 2.5}, 1, 1)},
)
"""What is run, by graph."""


def parts(setting: Scope) -> Sequence[Piece]:
    """One part a graph, number of records and repetition."""
    return [
        Piece(f"{graph}/{n}/{i}", {"graph": graph, "n": n, "order": order}, cost)
        for graph, (seconds, repetitions, order) in setting.of(PLANS).items()
        for n, cost in seconds.items()
        for i in range(repetitions)
    ]


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return precision, recall and F1 by test on rows of a model drawn on the graph."""
    network = load_network(arguments["graph"])
    columns = numeric_sample(network, arguments["n"], rng)
    data = numeric_columns(columns, ranges=dict.fromkeys(columns, (-SPAN, SPAN)))
    ranks = list(columns.values())
    return paper.searched(data, ranks, network.skeleton, rng, arguments["order"])


_Found = Mapping[tuple[str, int], paper.Means]


def findings(setting: Scope, answers: Answers) -> Findings:
    """Return a figure a graph with precision and recall, a table, and the paper's statements."""
    plans = setting.of(PLANS)
    result = {
        (graph, n): paper.mean_of(list(under(answers, f"{graph}/{n}").values()))
        for graph, (seconds, _, _) in plans.items()
        for n in seconds
    }
    figures = [_figure(graph, result) for graph in plans]
    rows: list[experiment.Cells] = [
        (f"{graph}, {n}", test, *paper.cells(means, test))
        for (graph, n), means in result.items()
        for test in TESTS
    ]
    caption = (
        "Precision, recall and F1 of the skeleton at ε = 1 and without privacy: means. ε is that "
        "of one noisy test (printed) or of one round, which ends with a deletion (repaired)."
    )
    table = PaperTable("graphs", caption, ("graph, records", "test", *paper.HEAD), rows)
    run = "; ".join(
        f"{graph} {', '.join(map(str, seconds))} ({counted(repetitions, 'repetition')}, "
        f"sets of at most {order})"
        for graph, (seconds, repetitions, order) in plans.items()
    )
    settings = (
        ("records", f"{run}; the paper has 1000 to 8000, 100 repetitions and no bound on sets"),
        ("model", "as printed, each column standardised before its children see it"),
        *SETTINGS,
    )
    return Findings(settings, [table], figures, _comparisons(result))


def _figure(graph: str, found: _Found) -> experiment.Figure:
    panels = [
        paper.panel(f"{graph}, {n} records", measure, {t: means[t, measure] for t in TESTS})
        for (own, n), means in found.items()
        if own == graph
        for measure in ("precision", "recall")
    ]
    return experiment.Figure(graph, f"Precision and recall of the skeleton on {graph}.", panels)


def _comparisons(found: _Found) -> tuple[PaperClaim, ...]:
    ahead = {test: _ahead(found, test) for test in (PRINTED, RIDGE, KENDALL)}
    private, exact = (
        {test: _mean(found, test, slice(*ends)) for test in TESTS}
        for ends in ((0, len(EPSILONS)), (len(EPSILONS), None))
    )
    growth = {graph: _gains(found, graph) for graph in dict.fromkeys(g for g, _ in found)}
    several = {graph: gains for graph, gains in growth.items() if len(gains) > 1}
    words = "; ".join(
        f"{graph} {', '.join(f'{gain:+.2f}' for gain in gains)}" for graph, gains in growth.items()
    )
    both = (PRINTED, KENDALL)
    return (
        PaperClaim(
            "precision is higher than recall in most cases",
            "Figure 2",
            "share of the cases (graph, records, ε) in which it is, without those in which they "
            f"are equal: {', '.join(f'{test} {share:.0%}' for test, share in ahead.items())}.",
            sum(ahead[test] for test in both) / len(both) > 0.5,
            "Without privacy, λ = 1 deletes hardly any edge by a conditioning set: precision "
            f"{_mean(found, PRINTED, slice(-1, None), 'precision'):.2f} at recall "
            f"{_mean(found, PRINTED, slice(-1, None), 'recall'):.2f}; λ = 2/m "
            f"{_mean(found, RIDGE, slice(-1, None), 'precision'):.2f} at "
            f"{_mean(found, RIDGE, slice(-1, None), 'recall'):.2f}.",
        ),
        PaperClaim(
            "RCIT does better than Kendall's τ, the more so the more records",
            "Figure 2, Performance on Causal Discovery",
            f"mean F1 over ε, RCIT (λ = 1) less Kendall, by rising numbers of records: {words}.",
            all(gains[-1] > 0 for gains in growth.values())
            and all(gains[-1] > gains[0] for gains in several.values()),
            f"The printed rule has, over ε, F1 {private[PRINTED]:.2f} with λ = 1 and "
            f"{private[RIDGE]:.2f} with λ = 2/m, Kendall {private[KENDALL]:.2f}; without privacy "
            f"{exact[PRINTED]:.2f}, {exact[RIDGE]:.2f} and {exact[KENDALL]:.2f}. The bound of "
            "equation (3) grows as λ falls, until noise decides nearly every conditional test; "
            f"repaired tests have {private[REPAIRED]:.2f} and, Kendall, "
            f"{private[KENDALL_REPAIRED]:.2f}.",
        ),
        PaperClaim(
            "the performance is largely determined by the type II error, not by that of type I",
            "Performance on Causal Discovery",
            "mean F1 without privacy, where λ = 1 errs by keeping edges only: λ = 1 "
            f"{exact[PRINTED]:.2f}, λ = 2/m {exact[RIDGE]:.2f}; over all ε {private[PRINTED]:.2f} "
            f"and {private[RIDGE]:.2f}.",
            # Then it would hardly matter that λ = 1 keeps nearly all edges it should delete.
            exact[RIDGE] - exact[PRINTED] <= 0.1,
            "A wrong rejection is repaired by another set only if some test can accept: with "
            "λ = 1 none does.",
        ),
    )


def _mean(found: _Found, test: str, at: slice, measure: str = "f1") -> float:
    return float(np.mean([means[test, measure][at] for means in found.values()]))


def _ahead(found: _Found, test: str) -> float:
    """Return how often precision is above recall, of all cases in which they differ."""
    gaps = np.concatenate([m[test, "precision"] - m[test, "recall"] for m in found.values()])
    differ = int((gaps != 0).sum())
    return float((gaps > 0).sum()) / differ if differ else 0.0


def _gains(found: _Found, graph: str) -> list[float]:
    """Return the mean F1 over ε of RCIT less that of Kendall, by rising numbers of records."""
    return [
        float((means[PRINTED, "f1"][:-1] - means[KENDALL, "f1"][:-1]).mean())
        for (own, _), means in sorted(found.items())
        if own == graph
    ]


EXPERIMENT = Experiment(
    "zhang2023/figure2",
    "precision and recall of PCD on four graphs",
    source("Figure 2, Performance on Causal Discovery"),
    *(parts, work, findings),
    needs=("pgmpy",),
)
