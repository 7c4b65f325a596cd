"""Candidate scores, learned from one half of the exploration samples.

Scores of many features are gradient-boosted trees and weighted sums of cells by logistic
regression; the trees are for what cells and weighted sums do not see. Of any learned score a report
names only the few features that carry it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from provado.audit.events.features.feature import (
    WITHOUT_NUMBERS,
    Aggregate,
    Column,
    Difference,
    EventKind,
    EventSet,
    Exact,
    Feature,
    FloatBits,
    Floats,
    leaving_out,
    merged,
)
from provado.audit.events.features.screen import Part, PartKey, distinguishing_parts
from provado.audit.events.features.text import Noted, numbers_in_text
from provado.audit.events.threshold import Goal, best_cut, tally
from provado.audit.target.output_encoding import Encoded
from provado.mechanisms.definitions.relation import counted

from .boosted_trees import Classifier, classify, feature_matrix
from .piecewise import (
    NAMED,
    TELLING,
    CellRatios,
    Named,
    Raw,
    Score,
    Weighted,
    narrow_windows,
)
from .table import Grouped, Table, split_groups

FITTED = 40_000
"""Samples of each side that the weights are fitted on."""


def weigh(features: list[Feature], a: Encoded, b: Encoded) -> Weighted:
    """Weigh the cells of each feature by logistic regression (ridge penalty 1, Newton's method).

    Features whose share of the score varies by less than 0.01 are left out; the strongest come
    first.
    """
    heads = [part.part(slice(0, FITTED)) for part in (a, b)]
    cells = [CellRatios.learn(f, *(f.read(head) for head in heads)) for f in features]
    cells = [cell for cell in cells if len(cell.edges)]
    if not cells:
        return Weighted((), ())
    columns, labels = design(cells, a, b)
    shares = np.abs(_logistic(columns, labels)) * columns.std(axis=0)
    told = [i for i in np.argsort(-shares, kind="stable").tolist() if shares[i] > 0.01]
    weights = _logistic(columns[:, told], labels)
    return Weighted(tuple(cells[i] for i in told), tuple(weights.tolist()))


def reweigh(parts: Sequence[Named], a: Encoded, b: Encoded) -> Weighted:
    """Weigh some scores as they are, at least one, again without those that stood beside them."""
    return Weighted(tuple(parts), tuple(_logistic(*design(parts, a, b)).tolist()))


def design(parts: Sequence[Named], a: Encoded, b: Encoded) -> tuple[Floats, Floats]:
    """Return scores as columns, and 1 for outputs under D."""
    heads = [part.part(slice(0, FITTED)) for part in (a, b)]
    columns = np.vstack([np.column_stack([part(head) for part in parts]) for head in heads])
    return columns, np.repeat([1.0, 0.0], [len(head) for head in heads])


def _logistic(columns: Floats, labels: Floats) -> Floats:
    """Return the weights of a logistic regression without intercept, ridge penalty 1."""
    weights = np.zeros(columns.shape[1])
    for _ in range(8):
        p = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
        gradient = columns.T @ (labels - p) - weights
        hessian = (columns.T * (p * (1 - p))) @ columns + np.eye(len(weights))
        step = np.linalg.solve(hessian, gradient)
        weights = weights + step
        if np.max(np.abs(step), initial=0.0) < 1e-3:
            break
    return weights


CARRIES = 0.85
"""A part of an output carries a rule's bound where it promises so much of it by itself."""

TRIED = (1, 2, NAMED, 6, 12, 24)
"""Numbers of strongest features that are tried by themselves."""

LOOKED_AT = 4000
"""Outputs of each side on which the features of trees are put in order."""


def explained(
    score: Score,
    learned: tuple[Encoded, Encoded],
    unseen: tuple[Encoded, Encoded],
    goal: Goal,
    bound: float,
) -> Score:
    """Return a learned score that says by how many of its features it is carried; others as is.

    learned: outputs under D and D′ that it was learned from, and on which it is learned again from
    its strongest features only. unseen: others, on which its best cut promises ``bound`` and on
    which what is left of that is forecast.
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
        return best_cut(part(unseen[0]), part(unseen[1]), goal).value >= CARRIES * bound

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
    return f"{counted(len(names), 'number')} ({how})"


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


FEW_VALUES = 64
"""A coordinate with at most so many values, each of them repeated, is discrete."""

MOST_SINGLE, MOST_BITS, MOST_SUMMED = 4, 2, 64
"""How many features are tried alone, for their bits, in a sum: the most informative ones."""

SCREENED = 20_000
"""Samples of each side from which features are put in that order, and slow scores are judged."""

MANY_VALUES = 512
"""Values of a part of the output from which on cells of it are learned, not a table."""

OF_PARTS = tuple(k for k in EventKind if k in WITHOUT_NUMBERS and k is not EventKind.STRUCTURE)
"""Kinds of event that are screened together."""

WELL_SEEN = 200
"""Samples for each value of a key from which a table of it is the whole likelihood ratio."""


Quick = Table | CellRatios | Raw | Grouped
Slow = tuple[EventKind, Callable[[], Score]]


def candidates(
    a: Encoded, b: Encoded, spell: Callable[[Encoded, int], str]
) -> tuple[list[Quick], list[Slow], tuple[EventSet, ...]]:
    """Return scores learned from outputs under D (``a``) and under D′ (``b``).

    First those that are quick to apply, then builders of slow ones: a slow score is worth building
    only if it clearly beats the quick ones on a part of the samples. Last the kinds of event that
    all of them read, and those that failed.
    """
    width = a.values.shape[1]
    columns = [Column(j, width) for j in range(width)]
    discrete = tuple(j for j in range(width) if _is_discrete(a, b, j))
    everything = tuple(range(width))
    failed: list[EventSet] = []
    groups = Table.learn(Exact(discrete, width), a, b, spell)
    grouped = len(groups.keys) > 1
    dense = len(groups.keys) * WELL_SEEN <= len(a) + len(b)
    quick: list[Quick] = [groups] if grouped and dense else []
    texts = numbers_in_text(a, b)
    features = informative([*columns, *derived(columns), *texts], a, b)
    smooth = [f for f in features if not (isinstance(f, Column) and f.j in discrete)]
    inner = [f for f in smooth if isinstance(f, Column)]
    ordered = [f for f in features if isinstance(f, Column)]
    distinguishing: list[Part] = []
    screened: set[EventKind] = set()
    with leaving_out(failed, *OF_PARTS):
        distinguishing, screened = distinguishing_parts(ordered, discrete, a, b)
    with leaving_out(failed, EventKind.INTERVALS):
        single = [*smooth[:MOST_SINGLE], *_with_windows(inner[MOST_SINGLE:], a, b)]
        quick += [CellRatios.learn(f, f.read(a), f.read(b), narrow=True) for f in single]
    quick += [Raw(feature) for feature in features[:MOST_SINGLE]]
    if grouped and not dense:
        quick.append(groups)
        if len(np.unique(a.pattern[:SCREENED])) > FEW_VALUES:
            # Text or names of keys are random by themselves.
            rough = Table.learn(Exact(discrete, width, coarse=True), a, b, spell)
            groups = rough if 1 < len(rough.keys) < len(groups.keys) else groups
            quick += [groups] if groups is rough else []
    if discrete != everything and _repeats(a, everything):
        quick.append(Table.learn(Exact(everything, width), a, b, spell))
    if grouped and inner:
        with leaving_out(failed, EventKind.WITHIN):
            split = split_groups(groups, inner[:MOST_SUMMED], a, b)
            quick += [Grouped.learn(groups, split, monotone=monotone) for monotone in (False, True)]
    if texts:
        with leaving_out(failed, EventKind.WITHIN):
            wording = Table.learn(PartKey(Noted("words", "wording")), a, b, spell)
            split = split_groups(wording, [f for f in texts if f.how == "value of number"], a, b)
            quick += [Grouped.learn(wording, split, monotone=upward) for upward in (False, True)]
    if a.values.dtype.kind == "f":
        with leaving_out(failed, EventKind.FLOAT_BITS):
            quick += [Table.learn(FloatBits(f.j, width), a, b, spell) for f in inner[:MOST_BITS]]
    looked = [*failed, *(score.event_set() for score in quick)]
    looked += [EventSet(kind) for kind in EventKind if kind in screened]
    parts: list[Slow] = [
        (part.kind, partial(_part_score, part, a, b, spell)) for part in distinguishing
    ]
    slow: list[Slow] = []
    if discrete == everything and dense and not texts:
        # The table is the whole likelihood ratio already.
        return quick, parts, merged(looked)
    summed = tuple(feature.words() for feature in features[:MOST_SUMMED])
    if len(features) > 1:
        slow.append((EventKind.WEIGHTED, lambda: weigh(features[:MOST_SUMMED], a, b)))
        looked.append(EventSet(EventKind.WEIGHTED, summed))
    if len(smooth) > 1 or (smooth and grouped):
        slow.append((EventKind.TREES, lambda: classify(features[:MOST_SUMMED], a, b)))
        looked.append(EventSet(EventKind.TREES, summed))
    return quick, [*slow, *parts], merged(looked)


def _part_score(part: Part, a: Encoded, b: Encoded, spell: Callable[[Encoded, int], str]) -> Score:
    """Return a table of the values of a part, or cells of it where they are many."""
    values = np.unique(part.read(a.part(slice(0, SCREENED))))
    if len(values) > MANY_VALUES:
        return CellRatios.learn(part, part.read(a), part.read(b))
    return Table.learn(PartKey(part), a, b, spell)


def _with_windows(features: list[Column], a: Encoded, b: Encoded) -> list[Column]:
    """Return the features with the most informative narrow windows, if any has one."""
    result = []
    for feature in features:
        x, y = feature.read(a), feature.read(b)
        windows = narrow_windows(np.sort(x[np.isfinite(x)]), np.sort(y[np.isfinite(y)]), 1)
        if windows and windows[0][2] > TELLING + np.log(len(features)):
            result.append((windows[0][2], feature))
    result.sort(key=lambda item: -item[0])
    return [feature for _, feature in result[:MOST_BITS]]


def _is_discrete(a: Encoded, b: Encoded, j: int) -> bool:
    """Return whether coordinate j takes few values repeatedly, on the first samples of each."""
    head = np.concatenate([a.values[:SCREENED, j], b.values[:SCREENED, j]])
    distinct = len(np.unique(head))
    return distinct <= FEW_VALUES and distinct * 4 <= len(head)


def _repeats(a: Encoded, columns: tuple[int, ...]) -> bool:
    keys = Exact(columns).read(a.part(slice(0, SCREENED)))
    return len(np.unique(keys)) * 2 <= len(keys)


def derived(columns: list[Column]) -> list[Feature]:
    """Return what is read off several coordinates: aggregates, and steps where they are few."""
    if not 1 < len(columns) <= 256:
        return []
    aggregates: list[Feature] = [Aggregate("sum"), Aggregate("max"), Aggregate("min")]
    steps = [Difference(column.j) for column in columns[:-1]] if len(columns) <= 32 else []
    return [*aggregates, *steps]


def informative(features: list[Feature], a: Encoded, b: Encoded) -> list[Feature]:
    """Return the features, those first that distinguish D from D′ best by themselves."""
    head_a, head_b = a.part(slice(0, SCREENED)), b.part(slice(0, SCREENED))
    gain = [-_divergence(f.read(head_a), f.read(head_b)) for f in features]
    return [features[i] for i in np.argsort(gain, kind="stable")]


def _divergence(a: Floats, b: Floats) -> float:
    """Return a two-sample chi-square over 32 quantile cells, missing values a cell of their own."""
    missing = np.array([np.isnan(a).sum()]), np.array([np.isnan(b).sum()])
    a, b = np.sort(a[np.isfinite(a)]), np.sort(b[np.isfinite(b)])
    pooled = np.sort(np.concatenate([a, b]), kind="stable")  # Merges what is sorted.
    if len(pooled) == 0:
        return 0.0
    edges = np.unique(pooled[np.linspace(0, len(pooled) - 1, 33).astype(np.int64)])
    x = np.concatenate([tally(edges, a), missing[0]]).astype(float)
    y = np.concatenate([tally(edges, b), missing[1]]).astype(float)
    return float(np.sum((x - y) ** 2 / np.maximum(x + y, 1)))
