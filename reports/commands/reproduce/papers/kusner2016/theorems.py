"""Theorems 2 and 4.2: the chance that noise leaves the direction right, beside simulated noise."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from provado.mechanisms.cause_effect import direction_probability as utility
from provado.proofs.ledger import kusner2016

from ... import experiment
from ...experiment import Answers, Experiment, Findings, PaperTable, Piece, Scope
from ._paper import LEVEL, kept, theorem_2, theorem_4

RATIOS = (0.05, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""Margins γ in units of the noise's scale σ, on which alone the chance depends."""

RELEASES = (2, 4)
"""One score a direction (Theorem 2), or two log-IQRs a direction (Theorem 4.2)."""

TRIALS = (10_000_000, 200_000)


def parts(setting: Scope) -> Sequence[Piece]:
    """One part a number of releases and a margin."""
    trials = setting.of(TRIALS)
    return [
        Piece(
            _key(releases, ratio),
            {"releases": releases, "ratio": ratio, "trials": trials},
            0.01 + 2.5e-8 * releases * trials,
        )
        for releases in RELEASES
        for ratio in RATIOS
    ]


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return in how many trials the noisy direction is the right one; σ = 1."""
    releases, trials = arguments["releases"], arguments["trials"]
    return {"hits": kept(arguments["ratio"], 1.0, releases, trials, rng)}


def findings(setting: Scope, answers: Answers) -> Findings:
    """Return the formulas and the simulated frequencies over γ/σ."""
    trials = setting.of(TRIALS)
    hits = {k: [int(answers[_key(k, ratio)]["hits"]) for ratio in RATIOS] for k in RELEASES}
    two, four = utility.two_laplace_correct(RATIOS, 1.0), utility.four_laplace_correct(RATIOS, 1.0)
    printed = utility.four_laplace_correct_printed(RATIOS, 1.0)
    share = LEVEL / len(RATIOS)
    heads = ("simulated", "low", "high")
    table = PaperTable.of_columns(
        "chances",
        "Probability of the right direction over the margin in noise scales: the formulas, and "
        f"simulated frequencies with exact binomial limits at level 1 − {share:.1g} each.",
        ("γ/σ", RATIOS),
        ("Theorem 2", two.tolist()),
        *zip(heads, _frequencies(hits[2], trials), strict=True),
        ("Theorem 4.2 repaired", four.tolist()),
        ("as printed", printed.tolist()),
        *zip(heads, _frequencies(hits[4], trials), strict=True),
        digits=5,
    )
    figure = experiment.Figure(
        "chances",
        "Probability of the right direction: formulas as lines, simulated frequencies with exact "
        "limits. The printed Theorem 4.2 falls below 0.",
        (
            _panel("Theorem 2: two scores", (("Theorem 2", two, False),), hits[2], trials),
            _panel(
                "Theorem 4.2: four log-IQRs",
                (
                    ("Theorem 4.2, repaired", four, False),
                    ("Theorem 4.2, as printed", printed, True),
                ),
                hits[4],
                trials,
            ),
        ),
    )
    everywhere = "γ/σ from .05 to 10"
    return Findings(
        (("noisy directions", f"{trials:,} a margin"),),
        (table,),
        (figure,),
        (
            theorem_2("Theorem 2", everywhere, hits[2], trials, two),
            theorem_4("Theorem 4, part 2", everywhere, hits[4], trials, printed, four),
        ),
    )


def _key(releases: int, ratio: float) -> str:
    return f"{releases} releases, margin {ratio:g}"


def _frequencies(hits: Sequence[int], trials: int) -> tuple[list[float], ...]:
    # Here, so that the experiments are listed without scipy.
    from provado.audit.bounds.binomial import binomial_limits

    low, high = binomial_limits(hits, trials, LEVEL / len(hits) / 2)
    return [k / trials for k in hits], low.tolist(), high.tolist()


def _panel(
    title: str, formulas: Sequence[tuple[str, Any, bool]], hits: Sequence[int], trials: int
) -> experiment.Panel:
    share, low, high = _frequencies(hits, trials)
    # The band that is drawn has one width to either side: the larger of the two.
    spread = tuple(max(s - a, b - s) for s, a, b in zip(share, low, high, strict=True))
    curves = [
        experiment.Curve(label, RATIOS, tuple(values.tolist()), color=0, dashed=dashed)
        for label, values, dashed in formulas
    ]
    curves.append(experiment.Curve("simulated", RATIOS, tuple(share), spread, color=1))
    return experiment.Panel(title, "γ/σ", "probability", curves, limits=(-0.3, 1.05))


EXPERIMENT = Experiment(
    "kusner2016/theorems",
    "how often noise leaves the direction right, against the formulas",
    kusner2016.source("Theorems 2 and 4"),
    *(parts, work, findings),
)
