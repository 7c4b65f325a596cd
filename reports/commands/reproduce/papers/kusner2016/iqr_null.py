"""How often propose-test-release of the IQR answers ⊥, exactly and by simulated noise."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.cause_effect import additive_noise_model as anm
from provado.mechanisms.cause_effect.direction_probability import iqr_margin
from provado.mechanisms.cause_effect.releases import release as ptr
from provado.mechanisms.scores.iqr import log_iqr
from provado.proofs.ledger import kusner2016

from ...experiment import Answers, Experiment, Findings, PaperClaim, PaperTable, Scope, under
from ._paper import columns, halving_seconds, pair_at, pair_parts, pair_settings, sign, sources

FORMS: Mapping[str, tuple[ptr.Bins, ptr.Threshold]] = {
    "printed": (ptr.printed_bins, ptr.printed_threshold),
    "repaired": (ptr.repaired_bins, ptr.repaired_threshold),
}
"""Algorithm 1 of the appendix, and the form of it that is private."""

EPSILONS = (0.1, 1.0, 2.0)
DELTAS = (1e-5, 1e-4, 1e-3, 1e-2)
DRAWS = 10_000
"""Noisy releases of the four IQRs on each split."""

SPLITS = ((3, 2), (1, 1))

parts = partial(pair_parts, splits=SPLITS, seconds=lambda n: 0.05 + 0.5 * halving_seconds(n))
"""One part a pair."""


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return, for each split, the margin of the IQR and how often any of the four answers ⊥.

    By form: the distances A_j, shape (4, 2); by ε and δ, in this order, the exact probability and
    how many of ``DRAWS`` releases. A margin that is not finite is ``None``.
    """
    pair = pair_at(arguments)
    x, y = columns(pair, arguments["most"], rng)
    splits = []
    for _ in range(arguments["splits"]):
        split = anm.split_half(x.size, rng)
        fitted = anm.fit_directions(x[split.train], y[split.train])
        left = anm.residuals(fitted, x[split.test], y[split.test])
        noise = rng.laplace(size=(DRAWS, 4, 2))
        iqrs = [ptr.own_changes(v) for v in (left.x, left.y, left.r_x, left.r_y)]
        result: dict[str, Any] = {"margin": _margin(left, sign(pair))}
        for form, (bins, threshold) in FORMS.items():
            distances = np.array([[changes(b) for b in bins(width)] for width, changes in iqrs])
            levels = [(e, threshold(e, delta)) for e in EPSILONS for delta in DELTAS]
            result[form] = {
                "distances": distances.tolist(),
                "exact": [null_chance(distances, *level) for level in levels],
                "nulls": [null_count(distances, *level, noise) for level in levels],
            }
        splits.append(result)
    return {"records": int(x.size), "splits": splits}


def null_chance(distances: ArrayLike, epsilon: float, level: float) -> float:
    """Return the exact chance that any of several releases answers ⊥.

    distances: A_j, shape (releases, 2); a release answers ⊥ where no A_j + Lap(1/ε) exceeds the
    level.
    """
    t = (level - np.asarray(distances, dtype=np.float64)) * epsilon
    half = np.exp(-np.abs(t)) / 2
    below = np.where(t < 0, half, 1 - half)
    # By logarithms, as each chance of ⊥ may be far below what 1 − (1 − p) would keep.
    return abs(float(np.expm1(np.sum(np.log1p(-np.minimum(below.prod(axis=1), 1 - 2.0**-53))))))


def null_count(
    distances: ArrayLike, epsilon: float, level: float, noise: NDArray[np.float64]
) -> int:
    """Return in how many draws of noise Lap(1), shape (draws, releases, 2), any answers ⊥."""
    passed = np.asarray(distances, dtype=np.float64) + noise / epsilon > level
    released = np.all(np.any(passed, axis=2), axis=1)
    return int(np.count_nonzero(~released))


def findings(setting: Scope, answers: Answers) -> Findings:
    """Return how often ⊥ comes out over the pairs on which the IQR is right without noise."""
    rows = []
    compared = []
    for source in sources(setting):
        own = under(answers, source).values()
        chosen = [a for a in own if all((s["margin"] or 0) > 0 for s in a["splits"])]
        if not chosen:
            continue
        where = f"{source}, {len(chosen)} of {len(own)} pairs"
        splits = [split for answer in chosen for split in answer["splits"]]
        for form in FORMS:
            exact = np.array([split[form]["exact"] for split in splits])
            nulls = np.array([split[form]["nulls"] for split in splits])
            cells = [(epsilon, delta) for epsilon in EPSILONS for delta in DELTAS]
            for k, cell in enumerate(cells):
                means = float(nulls[:, k].mean()) / DRAWS, float(exact[:, k].mean())
                ends = float(exact[:, k].max()), float(np.mean(nulls[:, k] == 0))
                rows.append((source, len(chosen), form, *cell, *means, *ends))
        compared += [_comparison(where, splits, epsilon) for epsilon in EPSILONS]
    head = (
        *("source", "pairs", "form", "ε", "δ"),
        *("simulated ⊥", "exact ⊥", "largest exact ⊥", f"no ⊥ in {DRAWS:,}"),
    )
    caption = (
        "How often any of the four IQRs of a pair answers ⊥, on the pairs on which the IQR is "
        "right without noise on every split: over all splits, and the share of splits on which "
        f"{DRAWS:,} releases hold no ⊥."
    )
    settings = (
        *pair_settings(setting, SPLITS),
        ("ε", "of each of the noisy counts; the paper does not say which it used"),
    )
    table = PaperTable("nulls", caption, head, rows)
    return Findings(settings, (table,), comparisons=tuple(compared))


def _comparison(where: str, splits: Sequence[Mapping[str, Any]], epsilon: float) -> PaperClaim:
    first = EPSILONS.index(epsilon) * len(DELTAS)
    here = slice(first, first + len(DELTAS))
    nulls = {form: np.array([s[form]["nulls"][here] for s in splits]) for form in FORMS}
    exact = {form: np.array([s[form]["exact"][here] for s in splits]) for form in FORMS}
    none = {form: float(np.mean(np.all(nulls[form] == 0, axis=1))) for form in FORMS}
    words = ", ".join(
        f"{form} {float(nulls[form].mean()) / DRAWS:.2g} in the mean, "
        f"{float(exact[form].max()):.2g} exactly at the most, no ⊥ at all on {none[form]:.0%} of "
        "the splits"
        for form in FORMS
    )
    return PaperClaim(
        "for δ from 1e-5 to 1e-2 none of 10,000 samples falls below the threshold: the probability "
        "of ⊥ is essentially 0",
        "section 6",
        f"{where}, ε = {epsilon:g}: {words}.",
        none["printed"] == 1,
        _why(none),
    )


def _why(none: Mapping[str, float]) -> str:
    if none["printed"] == 1:
        return ""
    if none["repaired"] == 1:
        return (
            "The printed B₂ does not hold an IQR whose logarithm has a fraction of .5 or more, and "
            "then everything depends on B₁; with both intervals around the IQR there is no ⊥."
        )
    return (
        "Where few records are tested, few changes lead out of an interval; and for small ε the "
        "noise on the counts, and the repaired threshold, are as large as the counts."
    )


def _margin(left: anm.Residuals, sign: float) -> float | None:
    logs = [log_iqr(v) for v in (left.x, left.y, left.r_x, left.r_y)]
    return sign * iqr_margin(*logs) if np.all(np.isfinite(logs)) else None


EXPERIMENT = Experiment(
    "kusner2016/iqr_null",
    "how often the private IQR answers ⊥",
    kusner2016.source("section 6, on Algorithm 1 of the appendix"),
    *(parts, work, findings),
    needs=("cdt",),
)
