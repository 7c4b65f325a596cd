"""Figure 1: the probability of the right direction against ε, on pairs where the score is right."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.cause_effect.direction_probability import four_laplace_correct_printed
from provado.mechanisms.cause_effect.pair_budget import SCORES, chance_of_positive, margins
from provado.proofs.ledger import kusner2016

from ... import experiment
from ...experiment import Answers, Experiment, Findings, PaperTable, Scope, under
from . import _paper as paper

EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
FIGURE_SCORES = ("hsic", "iqr")
SPLITS = ((10, 3), (10, 3))
TRIALS = 2_000
"""Noisy directions of each split and ε."""

DRASTIC = 0.3
"""A probability that rises by so much from the smallest ε to the largest rises drastically."""

parts = partial(paper.pair_parts, splits=SPLITS, seconds=lambda n: 0.003 + paper.halving_seconds(n))
"""One part a pair."""


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return, by score, the margins towards the right direction and how often noise keeps it.

    hits: shape (ε, splits), of ``TRIALS`` noisy directions each. A margin that is not finite is
    ``None``, and so are its hits.
    """
    pair = paper.pair_at(arguments)
    x, y = paper.columns(pair, arguments["most"], rng)
    result = margins(x, y, splits=arguments["splits"], rng=rng)
    m = x.size - x.size // 2
    scores = {}
    for name in FIGURE_SCORES:
        sensitivity = SCORES[name].sensitivity
        releases, unit = (4, 1.0) if sensitivity is None else (2, float(sensitivity(m)))
        margin = (paper.sign(pair) * result[name]).tolist()
        towards = [g if math.isfinite(g) else None for g in margin]
        hits = [
            [
                g if g is None else paper.kept(g, unit / epsilon, releases, TRIALS, rng)
                for g in towards
            ]
            for epsilon in EPSILONS
        ]
        scores[name] = {"margins": towards, "hits": hits}
    return {"records": int(x.size), "tested": m, "scores": scores}


def findings(setting: Scope, answers: Answers) -> Findings:
    """Return a panel and a table for each source and score, over the pairs that are selected."""
    panels, rows = [], []
    comparisons: list[experiment.PaperClaim] = []
    every: dict[str, list[Answer]] = {name: [] for name in FIGURE_SCORES}
    for source in paper.sources(setting):
        own = under(answers, source)
        for name in FIGURE_SCORES:
            chosen = [a for a in own.values() if right_without_noise(a["scores"][name]["margins"])]
            where = f"{name.upper()}, {source}, {len(chosen)} of {len(own)} pairs"
            if chosen:
                curves = _curves(name, chosen)
                panels.append(
                    experiment.Panel(where, "ε", "probability", curves, log_x=True, limits=(0.4, 1))
                )
                rows += [
                    (source, name, len(chosen), epsilon, *cells)
                    for epsilon, *cells in zip(EPSILONS, *_columns(name, chosen), strict=True)
                ]
                every[name] += chosen
            comparisons += _comparisons(name, where, chosen)
    comparisons += _theorems(every)
    head = ("source", "score", "pairs", "ε", "simulated", "formula", "Theorem 4.2 as printed")
    caption = (
        "Probability of the right direction over the pairs on which the score is right without "
        "noise on every split: simulated, and by Theorem 2 (HSIC) or the repaired Theorem 4.2."
    )
    settings = (
        *paper.pair_settings(setting, SPLITS),
        ("noise", f"for the test set only; {TRIALS:,} noisy directions a split and ε"),
        ("ε", "of each number that is released; the text at hand lacks the figure's own axis"),
    )
    return Findings(
        settings,
        (PaperTable("chances", caption, head, rows),),
        (experiment.Figure("chances", caption, panels),) if panels else (),
        comparisons,
    )


def right_without_noise(towards: Sequence[float | None]) -> bool:
    """Return whether all margins are finite and above 0."""
    return all(g is not None and g > 0 for g in towards)


Answer = Mapping[str, Any]
Grid = NDArray[np.float64]
"""Shape (ε, pairs and their splits)."""


def _hits(name: str, chosen: Sequence[Answer]) -> Grid:
    return np.concatenate([np.array(a["scores"][name]["hits"], float) for a in chosen], axis=1)


def _formula(name: str, chosen: Sequence[Answer]) -> Grid:
    def of(a: Answer, epsilon: float) -> Grid:
        margins = a["scores"][name]["margins"]
        return chance_of_positive(name, margins, m=a["tested"], epsilon=epsilon)

    return np.array([np.concatenate([of(a, epsilon) for a in chosen]) for epsilon in EPSILONS])


def _printed(chosen: Sequence[Answer]) -> Grid:
    every = np.concatenate([a["scores"]["iqr"]["margins"] for a in chosen])
    return np.array([four_laplace_correct_printed(every, 1 / epsilon) for epsilon in EPSILONS])


def _columns(name: str, chosen: Sequence[Answer]) -> tuple[list[Any], ...]:
    """Return over ε the simulated mean, that of the formula, and that of the printed one if any."""
    simulated = (_hits(name, chosen).mean(axis=1) / TRIALS).tolist()
    formula = _formula(name, chosen).mean(axis=1).tolist()
    printed = _printed(chosen).mean(axis=1).tolist() if name == "iqr" else [None] * len(EPSILONS)
    return simulated, formula, printed


def _curves(name: str, chosen: Sequence[Answer]) -> tuple[experiment.Curve, ...]:
    simulated, formula, printed = _columns(name, chosen)
    curves = [
        experiment.Curve("by the formula", EPSILONS, tuple(formula), color=0),
        experiment.Curve("simulated", EPSILONS, tuple(simulated), color=1, dashed=True),
    ]
    if name == "iqr":
        curves.append(experiment.Curve("Theorem 4.2 as printed", EPSILONS, tuple(printed), color=2))
    return tuple(curves)


def _comparisons(name: str, where: str, chosen: Sequence[Answer]) -> list[experiment.PaperClaim]:
    if not chosen:
        return [
            experiment.PaperClaim(
                "as ε increases, so does the probability of the right direction",
                "section 6, Figure 1",
                f"{where}: the score is right on every split of no pair.",
                None,
            )
        ]
    hits = _hits(name, chosen)
    trials = TRIALS * hits.shape[1]
    steps = [int(hits[EPSILONS.index(epsilon)].sum()) for epsilon in (0.1, 1.0, 10.0)]
    own = [np.mean(a["scores"][name]["hits"], axis=1) / TRIALS for a in chosen]
    climbs = [float(chances[-1] - chances[0]) for chances in own]
    steep = sum(climb >= DRASTIC for climb in climbs)
    return [
        experiment.PaperClaim(
            "for low ε the probability of the right direction is lower; as ε increases, so does it",
            "section 6, Figure 1",
            f"{where}: {', '.join(f'{step / trials:.3f}' for step in steps)} at ε = .1, 1, 10.",
            paper.rises(steps, trials),
        ),
        experiment.PaperClaim(
            "in some cases drastically",
            "section 6, Figure 1",
            f"{where}: by {DRASTIC:g} or more on {steep}, by {max(climbs):.3f} at most.",
            True if steep else False if len(chosen) >= paper.DRAWN else None,
        ),
    ]


def _theorems(every: Mapping[str, Sequence[Answer]]) -> list[experiment.PaperClaim]:
    result = []
    for name, chosen in every.items():
        if not chosen:
            continue
        where = f"{name.upper()}, {len(chosen)} pairs, all splits, all ε"
        hits = [int(h) for h in _hits(name, chosen).ravel()]
        formula = _formula(name, chosen).ravel()
        if name == "iqr":
            printed, place = _printed(chosen).ravel(), "Theorem 4, part 2; Figure 1"
            result.append(paper.theorem_4(place, where, hits, TRIALS, printed, formula))
        else:
            result.append(paper.theorem_2("Theorem 2; Figure 1", where, hits, TRIALS, formula))
    return result


EXPERIMENT = Experiment(
    "kusner2016/figure1",
    "how ε moves the probability of the right direction, for HSIC and the IQR",
    kusner2016.source("Figure 1"),
    *(parts, work, findings),
    needs=("cdt",),
)
