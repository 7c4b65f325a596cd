"""Figure 3: PCD with RCIT and with Kendall's τ on the flow-cytometry data of Sachs et al."""

import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.graph_discovery.tables.numeric import numeric_columns
from provado.proofs.ledger.zhang2023 import source

from ... import experiment
from ...experiment import Answers, Experiment, Findings, PaperClaim, PaperTable, Piece, Scope
from ...sources.networks import load_network
from ...sources.pairs import sachs_cells
from . import _paper as paper
from ._paper import EPSILONS, KENDALL, KENDALL_REPAIRED, PRINTED, REPAIRED, RIDGE, SETTINGS, TESTS

MEASURED, SAMPLED = "measured cells", "sampled from the network sachs of pgmpy"
RANGE = (0.0, 4.0)
"""Of the decimal logarithm of a measurement, which lies between 1 and 9,999."""

ROWS, REPETITIONS, ORDER = (1000, 200), (5, 2), 1


def data_source() -> str:
    """Return which data there are: the measured ones where cdt is installed."""
    return SAMPLED if importlib.util.find_spec("cdt") is None else MEASURED


def parts(setting: Scope) -> Sequence[Piece]:
    """One part a subset of the rows."""
    rows = setting.of(ROWS)
    own = {"source": data_source(), "rows": rows, "order": ORDER}
    seconds = 2.0 + 15.5 * (rows / 1000)
    return [Piece(f"subset {i}", own, seconds) for i in range(setting.of(REPETITIONS))]


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return precision, recall and F1 by test on rows drawn without replacement."""
    columns, true = rows_of(arguments["source"], arguments["rows"], rng)
    data = numeric_columns(columns, ranges=dict.fromkeys(columns, RANGE))
    return paper.searched(data, list(columns.values()), true, rng, arguments["order"])


def rows_of(
    source: str, rows: int, rng: np.random.Generator
) -> tuple[dict[str, NDArray[np.float64]], NDArray[np.bool_]]:
    """Return columns of so many rows, each in ``RANGE``, and the true skeleton."""
    if source == MEASURED:
        cells_ = sachs_cells()
        n = next(iter(cells_.columns.values())).size
        some = rng.choice(n, size=rows, replace=False)
        return {name: np.log10(column[some]) for name, column in cells_.columns.items()}, (
            cells_.skeleton
        )
    network = load_network("sachs")
    sample = network.sample(rows, rng)
    # Levels with noise of their width, so that they are numbers of which no two are equal.
    drawn = {
        name: (sample.codes[i] + rng.uniform(0, 1, rows)) * RANGE[1] / sample.levels[i]
        for i, name in enumerate(network.names)
    }
    return drawn, network.skeleton


def findings(setting: Scope, answers: Answers) -> Findings:
    """Return the three panels, the numbers, and the paper's statements."""
    means = paper.mean_of(list(answers.values()))
    rows, number, source = setting.of(ROWS), setting.of(REPETITIONS), data_source()
    panels = [
        paper.panel(f"Sachs: {measure}", measure, {test: means[test, measure] for test in TESTS})
        for measure in paper.MEASURES
    ]
    words = f"F1, precision and recall of the skeleton: {source}, {rows} rows."
    caption = f"Skeleton at ε = 1 and without privacy: means over {number} subsets of {rows} rows."
    lines: list[experiment.Cells] = [(test, *paper.cells(means, test)) for test in TESTS]
    table = PaperTable("sachs", caption, ("test", *paper.HEAD), lines)
    settings = (
        ("data", f"{source}; the paper does not say how many rows it takes"),
        ("rows", f"{rows}, in {number} subsets; decimal logarithms, from 0 to 4"),
        ("conditioning sets", f"of at most {ORDER}"),
        *SETTINGS,
    )
    return Findings(
        settings, [table], [experiment.Figure("sachs", words, panels)], _comparisons(means)
    )


def _comparisons(means: paper.Means) -> tuple[PaperClaim, ...]:
    f1 = {test: means[test, "f1"] for test in TESTS}
    small = [at for at, epsilon in enumerate(EPSILONS) if epsilon <= 1]
    kendall, ours = float(f1[KENDALL][small].mean()), float(f1[PRINTED][small].mean())
    wide = float((f1[PRINTED] - f1[KENDALL])[:-1].mean())
    recall = {test: means[test, "recall"] for test in TESTS}
    precision = means[PRINTED, "precision"]
    return (
        PaperClaim(
            "RCIT with PCD does better than Kendall's τ on this data",
            "Figure 3",
            f"mean F1 over ε, RCIT (λ = 1) less Kendall {wide:+.2f}; without privacy RCIT "
            f"{f1[PRINTED][-1]:.2f}, with λ = 2/m {f1[RIDGE][-1]:.2f}, Kendall "
            f"{f1[KENDALL][-1]:.2f}.",
            wide > 0,
            "Measured values repeat, so that Kendall's τ has strata of a few rows, in which it "
            "finds nothing and deletes: its recall without privacy is "
            f"{recall[KENDALL][-1]:.2f}, and {recall[KENDALL_REPAIRED][-1]:.2f} without sets.",
        ),
        PaperClaim(
            "the F1 of Kendall's τ is about .3 for ε up to 1",
            "Figure 3",
            f"mean F1 at ε up to 1: Kendall {kendall:.2f}.",
            abs(kendall - 0.3) <= 0.1,
        ),
        PaperClaim(
            "for ε up to 1 the F1 of Kendall's τ is far below that of RCIT",
            "Figure 3",
            f"mean F1 at ε up to 1: Kendall {kendall:.2f}, RCIT {ours:.2f}, repaired RCIT "
            f"{float(f1[REPAIRED][small].mean()):.2f}.",
            ours - kendall > 0.1,
        ),
        PaperClaim(
            "recall is low with both methods",
            "Figure 3",
            f"mean recall over ε: RCIT {float(recall[PRINTED][:-1].mean()):.2f}, Kendall "
            f"{float(recall[KENDALL][:-1].mean()):.2f}; without privacy "
            f"{recall[PRINTED][-1]:.2f} and {recall[KENDALL][-1]:.2f}.",
            max(float(recall[test][:-1].mean()) for test in (PRINTED, KENDALL)) < 0.5,
            "Recall depends on how often noise deletes. Without privacy what is low is precision, "
            f"{precision[-1]:.2f} for RCIT: conditional tests keep edges.",
        ),
    )


EXPERIMENT = Experiment(
    "zhang2023/figure3",
    "PCD on the protein-signaling data of Sachs et al.",
    source("Figure 3, Independence Test on Protein-Signaling Network"),
    *(parts, work, findings),
)
