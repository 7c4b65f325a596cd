"""An experiment beside an observational study: the causal and the associative effect of one point.

Differential privacy bounds the relative probability under interventions do(D_i = d) and
do(D_i = d′) by e^ε (Tschantz, Sen, Datta 2022, sections 4 and 6, equations 26 to 28). It does not
bound Pr[O | D_i = d] / Pr[O | D_i = d′]: seeing D_i = d also tells of the data points that are
correlated with it, as Ada's does of Byron's (section 3).

The events of an output are chosen on samples that are discarded, then frozen.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.audit.api import audit
from provado.audit.events.features.feature import Aggregate, Column, Exact, Feature
from provado.audit.result import AuditResult
from provado.audit.target.call import Target
from provado.audit.target.output_encoding import (
    BrokenMechanismError,
    Encoded,
    PatternBook,
    encode,
    join,
)
from provado.audit.target.random_state import (
    CERTIFY,
    EXPLORE,
    FRESH,
    generators,
    held_generator,
    held_generators,
    seeding,
)
from provado.mechanisms import UsageError, Verdict
from provado.mechanisms.definitions.parameters import natural, positive, probability, real

from .population import DatasetPopulation, Datasets, as_population, place_of
from .relative import Estimate, estimate, no_effect_p_value

Labels = NDArray[np.int64]

MOST_VALUES = 12
"""Outputs with at most so many values are told apart by value."""

CELLS = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98)
"""Where numbers with more values are cut: finer in the tails, where the likelihoods part."""

OTHER = "any other output"

_MOST_COLUMNS = 64


@dataclass(frozen=True)
class Values:
    """One event for each output value seen (the most frequent ones, if there are many)."""

    names: tuple[str, ...]
    key: Exact
    keys: tuple[int, ...]

    def label(self, outputs: Encoded) -> Labels:
        """Return the position of each output's value."""
        read = self.key.read(outputs)
        labels = np.full(len(outputs), len(self.keys), dtype=np.int64)
        for event, key in enumerate(self.keys):
            labels[read == key] = event
        return labels


@dataclass(frozen=True)
class IntervalEvents:
    """One event for each interval between neighboring edges of one number read off the output."""

    names: tuple[str, ...]
    feature: Feature
    pattern: int
    edges: tuple[float, ...]

    def label(self, outputs: Encoded) -> Labels:
        """Return the position of each output's interval; another structure is another output."""
        read = self.feature.read(outputs)
        labels = np.searchsorted(np.asarray(self.edges), read, side="right").astype(np.int64)
        labels[(outputs.pattern != self.pattern) | np.isnan(read)] = len(self.edges) + 1
        return labels


Partition = Values | IntervalEvents
"""Disjoint events that cover every output; the last is ``OTHER``."""


def choose_events(outputs: Encoded, side: NDArray[np.bool_], book: PatternBook) -> Partition:
    """Return a partition of the outputs; ``side`` holds the intervention of each.

    Few distinct outputs: an event for each. Numbers with many values: intervals of the coordinate,
    or of the sum of all, that tells the sides apart best. Anything else: the most frequent outputs.
    """
    key = Exact(tuple(range(outputs.values.shape[1])))
    read = key.read(outputs)
    keys, first, count = np.unique(read, return_index=True, return_counts=True)
    patterns, of_pattern = np.unique(outputs.pattern, return_counts=True)
    main = int(patterns[np.argmax(of_pattern)])
    rows = outputs.pattern == main
    width = outputs.values.shape[1]
    if len(keys) > MOST_VALUES and width and np.isfinite(outputs.column(0)[rows]).all():
        return _cells(_most_informative(outputs, rows, side), outputs, rows, main)
    kept = np.argsort(-count, kind="stable")[:MOST_VALUES]
    if width == 1:
        kept = kept[np.argsort(outputs.column(0)[first[kept]], kind="stable")]
    names = tuple(f"output = {book.words(outputs, int(row))}" for row in first[kept])
    return Values((*names, OTHER), key, tuple(keys[kept].tolist()))


def _cells(
    feature: Feature, outputs: Encoded, rows: NDArray[np.bool_], main: int
) -> IntervalEvents:
    edges = _edges(feature.read(outputs)[rows])
    what = feature.words()
    shown = [f"{edge:.4g}" for edge in edges]
    names = (
        f"{what} < {shown[0]}",
        *(f"{a} ≤ {what} < {b}" for a, b in pairwise(shown)),
        f"{what} ≥ {shown[-1]}",
        OTHER,
    )
    return IntervalEvents(names, feature, main, edges)


def _edges(values: NDArray[np.float64]) -> tuple[float, ...]:
    values = values[np.isfinite(values)]
    # Rounded, so that the event that is counted is the one that is named.
    edges = {float(f"{edge:.4g}") for edge in np.quantile(values, CELLS).tolist()}
    return tuple(sorted(edges))


def _most_informative(
    outputs: Encoded, rows: NDArray[np.bool_], side: NDArray[np.bool_]
) -> Feature:
    width = outputs.values.shape[1]
    features: Sequence[Feature] = [Column(j, width) for j in range(min(width, _MOST_COLUMNS))]
    if width > 1:
        features = [*features, Aggregate("sum")]

    def gain(feature: Feature) -> float:
        read = feature.read(outputs)[rows]
        if not np.isfinite(read).all():
            return -1.0
        cell = np.searchsorted(np.asarray(_edges(read)), read, side="right")
        one = np.bincount(cell[side[rows]], minlength=len(CELLS) + 1)
        two = np.bincount(cell[~side[rows]], minlength=len(CELLS) + 1)
        return float(np.sum((one - two) ** 2 / np.maximum(one + two, 1)))

    return max(features, key=gain)


MOST_EXPLORED, BLOCK = 10_000, 2**16

Given = Callable[[float, int, np.random.Generator], Datasets]
"""(value, size, rng) → datasets of one arm: intervened on, or conditioned upon."""


@dataclass(frozen=True)
class EffectStudy:
    """Both estimates for one data point and two of its values.

    point, values: the data point's name, and (d, d′). base: the dataset that was intervened on.
    epsilon: the claim, ``None`` without one. confidence: probability, at least, with which all
        limits here hold together; both estimates and the audit get a third of the rest each.
    causal, associative: effects under do(D_i = d) against do(D_i = d′), and given D_i = d against
        given D_i = d′, of the same events.
    audit: the auditor's result on the two datasets intervened on.
    p_value: of no effect at all (ε = 0), from the causal counts; valid by itself.
    """

    name: str
    point: str
    values: tuple[float, float]
    base: tuple[float, ...]
    epsilon: float | None
    confidence: float
    seed: int
    samples: int
    causal: Estimate
    associative: Estimate
    audit: AuditResult
    p_value: Fraction

    @property
    def epsilon_lower(self) -> float:
        """Certified lower limit on the mechanism's ε: the audit's or the causal estimate's."""
        return max(self.audit.epsilon_lower, math.log(self.causal.factor_lower))

    @property
    def violation(self) -> bool:
        """Whether the experiment certifies that the claim is false; association never does."""
        return self.epsilon is not None and self.epsilon_lower > self.epsilon

    @property
    def association_exceeds(self) -> bool:
        """Whether the association is certified to exceed the claimed e^ε."""
        return self.epsilon is not None and math.log(self.associative.factor_lower) > self.epsilon


def effect_study(
    mechanism: Any,
    population: Any,
    *,
    point: int | str,
    values: tuple[float, float],
    base: Any = None,
    epsilon: float | None = None,
    samples: int = 100_000,
    confidence: float = 0.95,
    seed: int = 0,
    name: str | None = None,
) -> EffectStudy:
    """Estimate the causal and the associative effect of one data point on a mechanism's output.

    mechanism: ``mechanism(data) -> output``, or with keywords ``size`` and ``rng`` as for
        ``audit``; ``data`` is a vector with one number for each data point.
    population: datasets, see ``as_population``. point: the data point, by name or position.
    values: (d, d′), which must differ and occur in the population.
    base: the dataset to intervene on; by default the population's first.
    samples: trials of each estimate, and certifying trials of the audit.

    Each trial tosses a fair coin for d or d′. The causal one sets D_i in ``base``; the associative
    one draws a whole dataset given D_i. Events are chosen on samples that are discarded.

    Guarantee: all limits hold together with probability at least ``confidence``. For an ε-DP
    mechanism the causal effect is at most e^ε; the associative one may be larger.

    Raises ``UsageError`` for a bad argument, and ``BrokenMechanismError`` where the mechanism
    breaks its protocol.
    """
    target = Target.of(mechanism, name)
    samples, share = natural(samples, "samples"), (1 - probability(confidence, "confidence")) / 3
    epsilon = None if epsilon is None else positive(epsilon, "epsilon")
    people = as_population(population, generators(seed, f"{target.name}/population", 0, 0, 0)[0])
    i = place_of(people, point)
    d, d_prime = (real(value, "values") for value in values)
    if not d != d_prime:
        raise UsageError(f"values are {d:g} and {d_prime:g}: they must differ")
    start = people.first() if base is None else _base(base, people)
    for value in (d, d_prime):
        people.given(i, value, 1, generators(seed, f"{target.name}/population", 0, 0, 1)[0])
    pair = (_set(start, i, d), _set(start, i, d_prime))
    result = audit(
        mechanism,
        # Without a claim any number does: the certified limit is valid whatever it is.
        epsilon=1.0 if epsilon is None else epsilon,
        # Copies: a mechanism may change what it is given.
        pair=(pair[0].copy(), pair[1].copy()),
        samples=samples,
        confidence=1 - share,
        seed=seed,
        name=target.name,
    )
    if result.verdict is Verdict.UNKNOWN:
        raise BrokenMechanismError(result.reason)

    def intervened(value: float, size: int, _: np.random.Generator) -> Datasets:
        return np.tile(pair[0] if value == d else pair[1], (size, 1))

    def conditioned(value: float, size: int, rng: np.random.Generator) -> Datasets:
        return people.given(i, value, size, rng)

    study = _Study(target, (d, d_prime), samples, seed)
    arms: tuple[Given, Given] = (intervened, conditioned)
    partition, book = study.explore(arms)
    causal, associative = (study.count(k, arms[k], partition, book, share) for k in (0, 1))
    hits, others = zip(*((e.hits, e.other_hits) for e in causal.events), strict=True)
    rng = generators(seed, f"{target.name}/no effect", 0, FRESH, 0)[0]
    return EffectStudy(
        name=target.name,
        point=people.names[i],
        values=(d, d_prime),
        base=tuple(start.tolist()),
        epsilon=epsilon,
        confidence=confidence,
        seed=seed,
        samples=samples,
        causal=causal,
        associative=associative,
        audit=result,
        p_value=no_effect_p_value(hits, others, rng=rng),
    )


@dataclass(frozen=True)
class _Study:
    target: Target
    values: tuple[float, float]
    trials: int
    seed: int

    def explore(self, arms: tuple[Given, Given]) -> tuple[Partition, PatternBook]:
        """Choose the events on samples of both arms, which are discarded."""
        book = PatternBook()
        n = min(max(self.trials, 1000), MOST_EXPLORED)
        seen = [self._block(k, EXPLORE, 0, n, arm, book) for k, arm in enumerate(arms)]
        book.closed = True
        outputs = join([part for part, _ in seen], book.width)
        return choose_events(outputs, np.concatenate([side for _, side in seen]), book), book

    def count(
        self, arm: int, given: Given, partition: Partition, book: PatternBook, alpha: float
    ) -> Estimate:
        """Draw the trials of one arm and count the events on each side."""
        k = len(partition.names)
        hits, others = np.zeros(k, dtype=np.int64), np.zeros(k, dtype=np.int64)
        for block in range(-(-self.trials // BLOCK)):
            n = min(BLOCK, self.trials - block * BLOCK)
            outputs, side = self._block(arm, CERTIFY, block, n, given, book)
            labels: Labels = partition.label(outputs)
            if book.unread:
                raise BrokenMechanismError(f"the mechanism {book.unread_words()}")
            hits += np.bincount(labels[side], minlength=k)
            others += np.bincount(labels[~side], minlength=k)
        return estimate(partition.names, hits.tolist(), others.tolist(), alpha)

    def _block(
        self, arm: int, phase: int, block: int, n: int, given: Given, book: PatternBook
    ) -> tuple[Encoded, NDArray[np.bool_]]:
        """Return the outputs of one block of trials, and which were on the side d."""
        where = (self.seed, f"{self.target.name}/effect", arm, phase, block)
        # Found before our own are made: those would be seeded by their place among all others.
        with seeding(held_generators(of=self.target.call)) as seed_held:
            coin, people, draws = generators(*where)
            seed_held(held_generator(*where))
            side = coin.integers(0, 2, n).astype(bool)
            one = given(self.values[0], int(side.sum()), people)
            two = given(self.values[1], int((~side).sum()), people)
            datasets = np.empty((n, one.shape[1]), dtype=np.result_type(one, two))
            datasets[side], datasets[~side] = one, two
            return outputs_of(self.target, datasets, draws, book), side


def outputs_of(
    target: Target, datasets: Datasets, rng: np.random.Generator, book: PatternBook
) -> Encoded:
    """Return one output of the mechanism for each dataset, in order.

    A mechanism that draws in batches gets equal datasets together: the same experiment, as trials
    are independent. Raises ``BrokenMechanismError`` where the mechanism breaks.
    """
    if not target.batched:
        drawn = [target.draw(data.copy(), 1, rng)[0] for data in datasets]
        return encode(drawn, len(datasets), book)
    distinct, which = np.unique(datasets, axis=0, return_inverse=True)
    which = which.ravel()
    parts = []
    for data, size in zip(distinct, np.bincount(which).tolist(), strict=True):
        parts.append(encode(target.draw(data.copy(), size, rng), size, book))
    together = join(parts, book.width)
    back = np.argsort(np.argsort(which, kind="stable"), kind="stable")
    return together.part(back)


def _set(data: Datasets, point: int, value: float) -> Datasets:
    is_whole = data.dtype.kind != "i" or value == int(value)
    changed = data.copy() if is_whole else data.astype(np.float64)
    changed[point] = value
    return changed


def _base(base: Any, population: DatasetPopulation) -> Datasets:
    n = len(population.names)
    first = population.first()
    try:
        array = np.asarray(base, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.shape != (n,) or not np.all(np.isfinite(array)):
        raise UsageError(f"base is {base!r}: it must be a vector of {n} finite numbers")
    is_whole = first.dtype.kind == "i" and bool(np.all(array == np.floor(array)))
    return array.astype(first.dtype) if is_whole else array
