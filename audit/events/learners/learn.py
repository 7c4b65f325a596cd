"""Candidate scores from one half of the exploration samples."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from provado.audit.events.features.feature import (
    Aggregate,
    Column,
    Difference,
    Exact,
    Feature,
    FloatBits,
    Floats,
)
from provado.audit.events.features.kinds import WITHOUT_NUMBERS, Kind, Looked, leaving_out, merged
from provado.audit.events.features.screen import Part, PartKey, telling_parts
from provado.audit.events.threshold import tally
from provado.audit.target.output_encoding import Encoded

from .classifier import classify, weigh
from .piecewise import TELLING, Cells, narrow_windows
from .score import Raw, Score
from .table import Grouped, Table, split_groups

FEW_VALUES = 64
"""A coordinate with at most so many values, each of them repeated, is discrete."""

MOST_SINGLE, MOST_BITS, MOST_SUMMED = 4, 2, 64
"""How many features are tried by themselves, for their bits, in a sum: the most telling ones."""

SCREENED = 20_000
"""Samples of each side from which features are put in that order, and slow scores are judged."""

MANY_VALUES = 512
"""Values of a part of the output from which on cells of it are learned, not a table."""

OF_PARTS = tuple(k for k in Kind if k in WITHOUT_NUMBERS and k is not Kind.STRUCTURE)
"""Kinds of event that are screened together."""

WELL_SEEN = 200
"""Samples for each value of a key from which a table of it is the whole likelihood ratio."""


@dataclass(frozen=True)
class Candidates:
    """Scores to compare: those that are quick to apply, and builders of those that are not.

    A slow one is worth building and applying only where it beats the quick ones clearly on a part
    of the samples. looked: the kinds of event that they all look at, and those that failed.
    """

    quick: tuple[Table | Cells | Raw | Grouped, ...]
    slow: tuple[tuple[Kind, Callable[[], Score]], ...]
    looked: tuple[Looked, ...]


def candidates(a: Encoded, b: Encoded, spell: Callable[[Encoded, int], str]) -> Candidates:
    """Return scores learned from outputs under D (``a``) and under D′ (``b``)."""
    width = a.values.shape[1]
    columns = [Column(j, width) for j in range(width)]
    discrete = tuple(j for j in range(width) if _is_discrete(a, b, j))
    everything = tuple(range(width))
    failed: list[Looked] = []
    groups = Table.learn(Exact(discrete, width), a, b, spell)
    grouped = len(groups.keys) > 1
    dense = len(groups.keys) * WELL_SEEN <= len(a) + len(b)
    quick: list[Table | Cells | Raw | Grouped] = [groups] if grouped and dense else []
    features = informative([*columns, *derived(columns)], a, b)
    smooth = [f for f in features if not (isinstance(f, Column) and f.j in discrete)]
    inner = [f for f in smooth if isinstance(f, Column)]
    ordered = [f for f in features if isinstance(f, Column)]
    telling: list[Part] = []
    screened: set[Kind] = set()
    with leaving_out(failed, *OF_PARTS):
        telling, screened = telling_parts(ordered, discrete, a, b)
    with leaving_out(failed, Kind.INTERVALS):
        single = [*smooth[:MOST_SINGLE], *_with_windows(inner[MOST_SINGLE:], a, b)]
        quick += [Cells.learn(f, f.read(a), f.read(b), narrow=True) for f in single]
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
        with leaving_out(failed, Kind.WITHIN):
            split = split_groups(groups, inner[:MOST_SUMMED], a, b)
            quick += [Grouped.learn(groups, split, monotone=monotone) for monotone in (False, True)]
    if a.values.dtype.kind == "f":
        with leaving_out(failed, Kind.FLOAT_BITS):
            quick += [Table.learn(FloatBits(f.j, width), a, b, spell) for f in inner[:MOST_BITS]]
    looked = [*failed, *(score.looked() for score in quick)]
    looked += [Looked(kind) for kind in Kind if kind in screened]
    parts = [(part.kind, partial(_part_score, part, a, b, spell)) for part in telling]
    slow: list[tuple[Kind, Callable[[], Score]]] = []
    if discrete == everything and dense:
        # The table is the whole likelihood ratio already.
        return Candidates(tuple(quick), tuple(parts), merged(looked))
    summed = tuple(feature.words() for feature in features[:MOST_SUMMED])
    if len(features) > 1:
        slow.append((Kind.WEIGHTED, lambda: weigh(features[:MOST_SUMMED], a, b)))
        looked.append(Looked(Kind.WEIGHTED, summed))
    if len(smooth) > 1 or (smooth and grouped):
        slow.append((Kind.TREES, lambda: classify(features[:MOST_SUMMED], a, b)))
        looked.append(Looked(Kind.TREES, summed))
    return Candidates(tuple(quick), (*slow, *parts), merged(looked))


def _part_score(part: Part, a: Encoded, b: Encoded, spell: Callable[[Encoded, int], str]) -> Score:
    """Return a table of the values of a part, or cells of it where they are many."""
    values = np.unique(part.read(a.part(slice(0, SCREENED))))
    if len(values) > MANY_VALUES:
        return Cells.learn(part, part.read(a), part.read(b))
    return Table.learn(PartKey(part), a, b, spell)


def _with_windows(features: list[Column], a: Encoded, b: Encoded) -> list[Column]:
    """Return the features with the most telling narrow windows, if any has one."""
    found = []
    for feature in features:
        x, y = feature.read(a), feature.read(b)
        windows = narrow_windows(np.sort(x[np.isfinite(x)]), np.sort(y[np.isfinite(y)]), 1)
        if windows and windows[0][2] > TELLING + np.log(len(features)):
            found.append((windows[0][2], feature))
    found.sort(key=lambda one: -one[0])
    return [feature for _, feature in found[:MOST_BITS]]


def _is_discrete(a: Encoded, b: Encoded, j: int) -> bool:
    """Tell whether coordinate j takes few values again and again, on the first samples of each."""
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
    """Return the features, those first that tell D from D′ best by themselves."""
    head_a, head_b = a.part(slice(0, SCREENED)), b.part(slice(0, SCREENED))
    gain = [-_divergence(f.read(head_a), f.read(head_b)) for f in features]
    return [features[i] for i in np.argsort(gain, kind="stable")]


def _divergence(a: Floats, b: Floats) -> float:
    """Return a two-sample chi-square over 32 quantile cells, missing values a cell of their own."""
    missing = np.array([np.isnan(a).sum()]), np.array([np.isnan(b).sum()])
    a, b = np.sort(a[np.isfinite(a)]), np.sort(b[np.isfinite(b)])
    pooled = np.sort(np.concatenate([a, b]))
    if len(pooled) == 0:
        return 0.0
    edges = np.unique(pooled[np.linspace(0, len(pooled) - 1, 33).astype(np.int64)])
    x = np.concatenate([tally(edges, a), missing[0]]).astype(float)
    y = np.concatenate([tally(edges, b), missing[1]]).astype(float)
    return float(np.sum((x - y) ** 2 / np.maximum(x + y, 1)))
