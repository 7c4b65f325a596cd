"""By how few of its features a learned score is carried: only those are named that matter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from provado.audit.events.threshold import Goal, best_cut
from provado.audit.target.output_encoding import Encoded

from .classifier import Classifier, classify, feature_matrix
from .logistic_regression import reweigh
from .score import NAMED, Score, Weighted

CARRIES = 0.85
"""A part of an output carries a rule's bound where it promises so much of it by itself."""

TRIED = (1, 2, NAMED, 6, 12, 24)
"""Numbers of strongest features that are tried by themselves."""

LOOKED_AT = 4000
"""Outputs of each side on which the features of trees are put in order."""


def explained(
    score: Score,
    learned: tuple[Encoded, Encoded],
    held: tuple[Encoded, Encoded],
    goal: Goal,
    bound: float,
) -> Score:
    """Return a learned score that says by how many of its features it is carried; others as is.

    learned: outputs under D and D′ that it was learned from, and on which it is learned again from
    its strongest features only. held: others, on which its best cut promises ``bound`` and on which
    what is left of that is forecast.
    """
    if bound <= 0:
        return score
    if isinstance(score, Weighted):
        parts = score.parts
        names = [part.name for part in parts]

        def restricted(k: int) -> Score:
            return reweigh(parts[:k], *learned)

    elif isinstance(score, Classifier):
        features = [score.features[i] for i in _in_order(score, *learned)]
        names = [feature.words() for feature in features]

        def restricted(k: int) -> Score:
            return classify(features[:k], *learned)

    else:
        return score

    def carry(k: int) -> bool:
        part = restricted(k)
        return best_cut(part(held[0]), part(held[1]), goal).value >= CARRIES * bound

    return replace(score, told=_told(names, carry))


def _told(names: Sequence[str], carry: Callable[[int], bool]) -> str:
    """Name features, the strongest first, and say how many of them carry the score."""
    if len(names) <= NAMED:
        return ", ".join(names)
    tried = [k for k in TRIED if k < len(names)]
    enough, first = next(filter(carry, tried), None), ", ".join(names[:NAMED])
    if enough is None:
        how = f"the strongest {tried[-1]} do not carry the bound; first {first}"
    elif enough > NAMED:
        how = f"it takes the strongest {enough}, first {first}"
    else:
        how = f"chiefly {', '.join(names[:enough])}"
    return f"{len(names)} numbers ({how})"


def _in_order(score: Classifier, a: Encoded, b: Encoded) -> list[int]:
    """Return places of the features, those first without which the trees lose most likelihood.

    A feature is taken away by setting it to its median.
    """
    heads = [part.part(slice(0, LOOKED_AT)) for part in (a, b)]
    matrix = np.vstack([feature_matrix(score.features, head) for head in heads])
    sign = np.repeat([1.0, -1.0], [len(head) for head in heads])
    losses = []
    for j, column in enumerate(matrix.T.copy()):
        matrix[:, j] = np.nanmedian(column) if np.isfinite(column).any() else np.nan
        losses.append(float(np.logaddexp(0, -sign * score.model.decision_function(matrix)).sum()))
        matrix[:, j] = column
    return [int(j) for j in np.argsort(-np.array(losses), kind="stable")]
