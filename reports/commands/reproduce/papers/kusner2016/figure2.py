"""Figure 2: privacy of the training set for HSIC, over the regression's λ and over ε."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.cause_effect.anm import (
    INPUT_KERNEL,
    LAMBDA,
    RESIDUAL_KERNEL,
    fit_directions,
    residuals,
    score_directions,
    split_half,
)
from provado.mechanisms.cause_effect.releases.training_set import (
    HsicSensitivity,
    hsic_training_sensitivity,
    hsic_training_sensitivity_printed,
)
from provado.mechanisms.cause_effect.utility import two_laplace_correct
from provado.mechanisms.scores.hsic.hsic import hsic
from provado.proofs.ledger import kusner2016
from provado.reports.commands.reproduce.experiment import Answers, Experiment, Part, Setting, under
from provado.reports.commands.reproduce.findings import Cell, Curve, Figure, Findings, Panel, Table

from ._figure2_comparisons import comparisons
from ._pairs import columns, halving_seconds, pair_at, pair_parts, record_settings, sign, sources

LAMBDAS = tuple(round(LAMBDA * 10 ** (k / 2), 6) for k in range(11))
"""From the λ at which pairs are selected to 10⁵ times that; the printed bound needs λ ≤ 1."""

SHOWN = (1.0, 3.0, 10.0)
"""The ε of the plots over λ."""

EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
BOUNDS: Mapping[str, HsicSensitivity] = {
    "sharper": hsic_training_sensitivity,
    "Theorem 7": hsic_training_sensitivity_printed,
}
"""Theorem 7 as printed, and the bound that ``training_set`` proves for every λ."""

SPLITS, LARGE_SPLITS, QUICK_SPLITS = 5, 2, 2


def parts(setting: Setting) -> Sequence[Part]:
    """One part a pair."""
    usual, large = (QUICK_SPLITS, 1) if setting.quick else (SPLITS, LARGE_SPLITS)
    return pair_parts(setting, usual, large, lambda n: len(LAMBDAS) * halving_seconds(n))


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return the margins of HSIC towards the right direction, shape (splits, λ), and the sizes."""
    pair = pair_at(arguments)
    x, y = columns(pair, arguments["most"], rng)
    score = partial(hsic, kernel_a=INPUT_KERNEL, kernel_b=RESIDUAL_KERNEL)
    towards = []
    for _ in range(arguments["splits"]):
        split = split_half(x.size, rng)
        over_lambda = []
        for lam in LAMBDAS:
            fitted = fit_directions(x[split.train], y[split.train], lam=lam)
            left = residuals(fitted, x[split.test], y[split.test])
            over_lambda.append(sign(pair) * score_directions(left, score).margin)
        towards.append(over_lambda)
    return {"trained": x.size // 2, "tested": x.size - x.size // 2, "margins": towards}


def findings(setting: Setting, answers: Answers) -> Findings:
    """Return, a row of panels a source, the curves over λ at three ε and over ε at the best λ."""
    panels, compared = [], []
    rows: list[tuple[Cell, ...]] = []
    best_rows: list[tuple[Cell, ...]] = []
    for source in sources(setting):
        own = list(under(answers, source).values())
        chosen = [a for a in own if np.all(np.array(a["margins"])[:, 0] > 0)]
        where = f"{source}, {len(chosen)} of {len(own)} pairs"
        if not chosen:
            continue
        right = tuple(np.mean([np.array(a["margins"]) > 0 for a in _flat(chosen)], axis=0).tolist())
        found = {bound: _chances(chosen, bound) for bound in BOUNDS}
        single = [_chances([answer], "sharper") for answer in chosen]
        panels += _panels(source, right, found)
        rows += [
            (source, lam, right[k], *(_at(found[b], e, k) for b in BOUNDS for e in SHOWN))
            for k, lam in enumerate(LAMBDAS)
        ]
        best_rows += [
            (source, epsilon, *(cell for b in BOUNDS for cell in _best(found[b], epsilon)))
            for epsilon in EPSILONS
        ]
        compared += comparisons(where, LAMBDAS, right, found, single, SHOWN)
    note = (
        "on the pairs on which HSIC is right without noise on every split at λ = "
        f"{LAMBDA:g}. Noise by the sharper bound, or by Theorem 7 where λ ≤ 1."
    )
    heads = [f"{bound}, ε = {epsilon:g}" for bound in BOUNDS for epsilon in SHOWN]
    best_heads = [cell for bound in BOUNDS for cell in (f"{bound}: best λ", "probability")]
    settings = (
        (
            "splits",
            "2, of large pairs 1" if setting.quick else f"{SPLITS}, of large {LARGE_SPLITS}",
        ),
        *record_settings(setting),
        ("kernels", "fixed squared exponentials; the paper does not say which it used"),
        ("ε", "1, 3 and 10 over λ; the text at hand lacks the figure's own"),
    )
    return Findings(
        settings,
        (
            Table(
                "lambdas",
                f"Probability of the right direction over λ, {note}",
                ("source", "λ", "right without noise", *heads),
                tuple(rows),
            ),
            Table(
                "best",
                f"The largest mean probability over the λ tried, {note} The choice of λ is not "
                "private.",
                ("source", "ε", *best_heads),
                tuple(best_rows),
            ),
        ),
        (Figure("training", f"Probability of the right direction {note}", tuple(panels), 4),)
        if panels
        else (),
        tuple(compared),
    )


Chances = Mapping[float, Sequence[float]]
"""By ε: the mean probability at each λ for which there is a bound."""


def _flat(chosen: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return an entry for each split."""
    return [{**a, "margins": margins} for a in chosen for margins in a["margins"]]


def _chances(chosen: Sequence[Mapping[str, Any]], bound: str) -> Chances:
    lambdas = [lam for lam in LAMBDAS if bound == "sharper" or lam <= 1]

    def of(answer: Mapping[str, Any], epsilon: float) -> NDArray[np.float64]:
        n, m, slope = answer["trained"], answer["tested"], RESIDUAL_KERNEL.lipschitz
        scales = [float(BOUNDS[bound](n, m, lam, slope)) / epsilon for lam in lambdas]
        margins = np.array(answer["margins"])
        found = [two_laplace_correct(margins[:, k], scale) for k, scale in enumerate(scales)]
        return np.asarray(np.mean(found, axis=1))

    return {
        epsilon: np.mean([of(answer, epsilon) for answer in chosen], axis=0).tolist()
        for epsilon in EPSILONS
    }


def _at(found: Chances, epsilon: float, k: int) -> float | None:
    return found[epsilon][k] if k < len(found[epsilon]) else None


def _best(found: Chances, epsilon: float) -> tuple[float, float]:
    """Return the λ with the largest probability, and that."""
    k = int(np.argmax(found[epsilon]))
    return LAMBDAS[k], found[epsilon][k]


def _panels(source: str, right: tuple[float, ...], found: Mapping[str, Chances]) -> list[Panel]:
    made = []
    for epsilon in SHOWN:
        curves = [Curve("right without noise", LAMBDAS, right, color=2)]
        curves += [
            Curve(bound, LAMBDAS[: len(of[epsilon])], tuple(of[epsilon]), color=k, dashed=bool(k))
            for k, (bound, of) in enumerate(found.items())
        ]
        title = f"{source}, ε = {epsilon:g}"
        made.append(Panel(title, "λ", "probability", tuple(curves), log_x=True, limits=(0, 1.02)))
    curves = [
        Curve(bound, EPSILONS, tuple(_best(of, e)[1] for e in EPSILONS), color=k, dashed=bool(k))
        for k, (bound, of) in enumerate(found.items())
    ]
    title = f"{source}, best λ"
    return [
        *made,
        Panel(title, "ε", "probability", tuple(curves), log_x=True, limits=(0, 1.02)),
    ]


EXPERIMENT = Experiment(
    name="kusner2016/figure2",
    title="privacy of the training set for HSIC: the choice of λ",
    source=kusner2016.source("Figure 2"),
    parts=parts,
    work=work,
    findings=findings,
    needs=("cdt",),
)
