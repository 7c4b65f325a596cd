"""The audit of Kusner et al. (2016), and what its repairs cost on simulated pairs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from provado.mechanisms.accounting import composition as cost
from provado.mechanisms.cause_effect import direction_probability as utility
from provado.mechanisms.cause_effect.additive_noise_model import LAMBDA, RESIDUAL_KERNEL
from provado.mechanisms.cause_effect.pair_budget import margins
from provado.mechanisms.cause_effect.releases import training_set
from provado.mechanisms.scores.hsic.hsic import hsic_sensitivity, hsic_sensitivity_improved
from provado.proofs.ledger.kusner2016 import WORK

from ...experiment import Answers, Cell, PaperTable, Piece, Scope
from .._audit import Advice, Cost, Pairing, Paper, audit_of
from ._paper import GENERATED, columns, pairs_of, sign

TOTALS = (1.0, 4.0, 16.0)
"""ε of everything that is released of one pair."""

PAIRS, SPLITS = (40, 4), 2

Scale = Callable[[int], float]
"""From the rows of either half to the noise's scale at a total ε of 1."""


def _each(sensitivity: Callable[[int], Any]) -> Scale:
    return lambda m: 2 * float(sensitivity(m))


def _trained(bound: Callable[[int, int, float, float], Any]) -> Scale:
    return _each(lambda m: bound(m, m, LAMBDA, RESIDUAL_KERNEL.lipschitz))


def _four(releases: int) -> Scale:
    return lambda _: cost.EPSILONS_PER_RELEASE * releases


RELEASES: tuple[tuple[str, str, str, Scale], ...] = (
    ("HSIC, test rows", "hsic", "printed: 16m − 8", _each(hsic_sensitivity)),
    ("HSIC, test rows", "hsic", "improved: 12m − 11", _each(hsic_sensitivity_improved)),
    ("IQR, test rows", "iqr", "printed: 9ε for four releases", _four(cost.IQR_RELEASES_PRINTED)),
    ("IQR, test rows", "iqr", "honest: 12ε for four releases", _four(cost.IQR_RELEASES)),
    (
        *("HSIC, training rows", "hsic", "printed: Theorem 7"),
        _trained(training_set.hsic_training_sensitivity_printed),
    ),
    (
        *("HSIC, training rows", "hsic", "sharper: 2cb√(m/(m − 1))"),
        _trained(training_set.hsic_training_sensitivity),
    ),
)
"""What is released, by which score, with which noise, and its scale."""

CORRECT = {"hsic": utility.two_laplace_correct, "iqr": utility.four_laplace_correct}
"""By score: the chance of the right direction from margins and the scale of the noise."""


def parts(setting: Scope) -> Sequence[Piece]:
    """One part a generated pair."""
    return [
        Piece(f"pair/{i}", {"pair": i, "seed": setting.seed}, 0.5) for i in range(setting.of(PAIRS))
    ]


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return the chance of the right direction of every release at each total ε."""
    pair = pairs_of(GENERATED, arguments["seed"])[arguments["pair"]]
    x, y = columns(pair, pair.x.size, rng)
    result = margins(x, y, splits=SPLITS, rng=rng)
    m = x.size - x.size // 2
    towards = {name: sign(pair) * margin for name, margin in result.items()}
    chances = [
        [float(CORRECT[score](towards[score], scale(m) / total).mean()) for total in TOTALS]
        for _, score, _, scale in RELEASES
    ]
    exact = {name: float((margin > 0).mean()) for name, margin in towards.items()}
    return {"chances": chances, "exact": exact}


def tables(answers: Answers) -> tuple[PaperTable, ...]:
    """Return the mean chances, beside the accuracy without noise."""
    rows: list[tuple[Cell, ...]] = []
    for i, (what, score, noise, _) in enumerate(RELEASES):
        chances = np.mean([a["chances"][i] for a in answers.values()], axis=0)
        exact = float(np.mean([a["exact"][score] for a in answers.values()]))
        rows.append((what, noise, *map(float, chances), exact))
    caption = (
        f"The honest noise beside the printed: chance of the right direction on {len(answers)} "
        "simulated pairs of 1,000 records, by total ε of all that is released. Both IQR rows take "
        "it that all four numbers are released."
    )
    heads = ("released", "noise", *(f"total ε = {t:g}" for t in TOTALS), "without noise")
    return (PaperTable("cost_of_repair", caption, heads, rows),)


EXPERIMENT = audit_of(
    Paper(
        "kusner2016",
        WORK,
        "Private Causal Inference (2016)",
        (
            Pairing("one log-IQR", "kusner2016/ptr-printed", "kusner2016/ptr"),
            Pairing("four log-IQRs", "kusner2016/iqr-joint-printed", "kusner2016/iqr-joint"),
            Pairing(
                "four log-IQRs, advanced composition",
                "kusner2016/iqr-joint-advanced-printed",
                "kusner2016/iqr-joint-advanced",
            ),
            Pairing(
                "log-IQRs of residuals, training rows",
                "kusner2016/training-iqr-printed",
                "kusner2016/training-iqr",
            ),
            Pairing(
                "HSIC, kernel width", "twin/kusner2016-hsic-median", "kusner2016/test-hsic-improved"
            ),
        ),
        (
            Advice(
                "a private direction, test rows protected",
                "HSIC with kernels fixed beforehand and the improved bound",
                "pure ε, the least noise for its margin; a width taken from the data breaks it",
                ("kusner2016/test-hsic-improved",),
                ("twin/kusner2016-hsic-median",),
            ),
            Advice(
                "a private direction from the IQR",
                "the repaired propose-test-release, 12ε and 4δ for four releases",
                "the printed test lets through too much, and one record reaches all four releases",
                ("kusner2016/ptr", "kusner2016/iqr-joint"),
                ("kusner2016/ptr-printed", "kusner2016/iqr-joint-printed"),
            ),
            Advice(
                "a private direction, training rows protected",
                "HSIC with the sharper bound on the residuals",
                "Theorem 7 holds, with some 16√m times the noise that is needed",
                ("kusner2016/training-hsic", "kusner2016/training-hsic-printed"),
            ),
        ),
        Cost(parts, work, tables),
    )
)
