"""Are the draws independent? Each trial counts as one of its own, so nothing may be shared.

Outputs of one batch may share a noise that was drawn once for all of them; two batches, the two
sides, or two worker processes may draw from one and the same stream. Whatever is shared makes
outputs alike (or opposite), which the tests here see: batches that differ from each other by more
than chance, and outputs at corresponding places that are equal or related more often than others.

All tests are at levels far below any audit's alpha, so that an independent mechanism is never
refused in practice; a sharing that they do not see is possible, and the smaller it is the likelier.
"""

import math
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate, pairwise
from multiprocessing.connection import wait
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc, chdtrc

from provado.audit.events.features.feature import Exact
from provado.audit.target import random_state
from provado.audit.target.call import Target
from provado.audit.target.output_encoding import (
    UNSEEN,
    BrokenMechanismError,
    Encoded,
    PatternBook,
    encode,
    mix,
)
from provado.audit.workers import Child, Send
from provado.audit.workers.time_limits import Watch

Ints = NDArray[np.int64]

IMPROBABLE = 1e-9
"""Level of every test here: small beside any audit's alpha."""

CELLS = 8
COLUMNS, KEYED = 8, 32
"""Outputs are compared by cells in at most so many numbers, and by whether so many are equal."""

LEAST_BATCH = 32
DISPERSED, COMPARED = 2**17, 2**13
"""At most so many outputs of a side are told off into cells by batch, so many compared in pairs."""

LEAST_PROBED, PROBED, PROBE_SECONDS = 64, 2048, 0.3


def improbable_table(table: NDArray[Any]) -> bool:
    """Return whether the rows of a table of counts differ beyond chance at level ``IMPROBABLE``."""
    table = table[:, table.sum(axis=0) > 0].astype(float)
    table = table[table.sum(axis=1) > 0]
    rows, columns = table.shape
    if rows < 2 or columns < 2:
        return False
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    # Columns with few expected counts have no chi-square distribution; they are left out.
    kept = expected.min(axis=0) >= 5
    statistic = float((((table - expected) ** 2) / expected)[:, kept].sum())
    return kept.sum() > 0 and float(chdtrc((rows - 1) * kept.sum(), statistic)) < IMPROBABLE


def improbable_constancy(table: NDArray[Any]) -> bool:
    """Return whether more rows of a table have all their counts in one column than by chance.

    Rows of a memory are constant, also where so few rows differ that ``improbable_table`` has too
    small counts to say it. A column's share is taken two standard errors above that of the table.
    """
    sizes, total = table.sum(axis=1), max(int(table.sum()), 1)
    share = table.sum(axis=0) / total
    above = np.minimum(share + 2 * np.sqrt(share * (1 - share) / total) + 1 / total, 1)
    constant = int(np.count_nonzero((table.max(axis=1) == sizes) & (sizes > 1)))
    rate = min(float((above ** max(int(sizes.min()), 1)).sum()), 1.0)
    return constant > 0 and float(bdtrc(constant - 1, len(table), rate)) < IMPROBABLE


def shared_noise(a: Encoded, b: Encoded, batches: Sequence[int]) -> str:
    """Return how outputs of exploration depend on each other, in words; empty where they do not.

    a, b: the outputs under do(D) and do(D′), the batches of each behind one another.
    """
    ends = list(accumulate(batches, initial=0))
    spans = [np.arange(i, j) for i, j in pairwise(ends) if j - i >= LEAST_BATCH]
    heads = [span[: -(-DISPERSED // len(spans))] for span in spans]
    for side in (a, b) if len(spans) > 1 else ():
        owner = np.repeat(np.arange(len(heads)), [len(head) for head in heads])
        for cells in _cells(_part(side, np.concatenate(heads))):
            table = np.bincount(CELLS * owner + cells, minlength=CELLS * len(heads))
            if improbable_table(table.reshape(-1, CELLS)):
                return "batches differ from each other by more than chance"
    for what, first, second in _pairings(spans):
        for side in (a, b):
            if related(_part(side, first), _part(side, second)):
                return what
    every = _few(np.arange(len(a)))
    if related(_part(a, every), _part(b, every)):
        return "draws under do(D) and do(D′) share their noise"
    return ""


def related(x: Encoded, y: Encoded) -> bool:
    """Return whether outputs at the same place of two samples are related beyond chance."""
    n = len(x)
    if n < 2:
        return False
    coarse = _many_structures(x) or _many_structures(y)
    first, second = _keys(x, coarse=coarse), _keys(y, coarse=coarse)
    equal = int(np.count_nonzero(first == second))
    # How often outputs at different places are equal is how often chance makes them so.
    values, counts = np.unique(first, return_counts=True)
    others, times = np.unique(second, return_counts=True)
    common, at, there = np.intersect1d(values, others, return_indices=True)
    by_chance = (int((counts[at] * times[there]).sum()) - equal) / (n * (n - 1))
    rate = min(1.0, by_chance + 2 * math.sqrt(by_chance * (1 - by_chance) / n) + 1 / (n * n))
    if equal > 1 and len(common) and float(bdtrc(equal - 1, n, rate)) < IMPROBABLE:
        return True
    return any(
        improbable_table(np.bincount(CELLS * c + d, minlength=CELLS**2).reshape(CELLS, CELLS))
        for c, d in zip(_cells(x), _cells(y), strict=True)
    )


def workers_share_noise(
    target: Target,
    data: Any,
    book: PatternBook,
    seed: int,
    pair: int,
    held: random_state.GeneratorSet,
    watch: Watch,
) -> str:
    """Return why draws of worker processes may not be independent; empty where they are.

    Two processes are started as workers are, each with seeds of its own, and draw outputs of one
    dataset. Those of a mechanism whose noise comes from a state that nobody can seed are alike.
    """
    size = int(min(max(PROBE_SECONDS / max(watch.mean, 1e-9), LEAST_PROBED), PROBED))
    draws = partial(_draw, target, data, size, book, seed, pair, held)
    children = [Child(partial(draws, number)) for number in range(2)]
    try:
        result = [_answer(child, watch, size) for child in children]
    finally:
        for child in children:
            child.end()
    drawn = [encoded for encoded in result if isinstance(encoded, Encoded)]
    if len(drawn) == 2:
        if related(*drawn):
            return "their draws are related"
        # Where even equal draws would be no surprise, these say nothing.
        return "" if related(drawn[0], drawn[0]) else "too few of their draws differ to decide"
    return next(encoded for encoded in result if isinstance(encoded, str))


def _draw(
    target: Target,
    data: Any,
    size: int,
    book: PatternBook,
    seed: int,
    pair: int,
    held: random_state.GeneratorSet,
    number: int,
    _: Send,
) -> Encoded | str:
    rng = random_state.generators(seed, target.name, pair, random_state.WORKERS, number)[1]
    try:
        with random_state.seeding(held) as seed_held:
            seed_held(
                random_state.held_generator(seed, target.name, pair, random_state.WORKERS, number)
            )
            return encode(target.draw(data, size, rng), size, book)
    except BrokenMechanismError as error:
        return f"it {error}"


def _answer(child: Child[Encoded | str], watch: Watch, size: int) -> Encoded | str:
    while not wait(child.handles, timeout=min(watch.patience(size), 0.5)):
        if watch.over:
            raise watch.ended()
    kind, value = child.receive()
    if kind == "began":
        return _answer(child, watch, size)
    encoded: Encoded | str = value if kind == "value" else f"one of them broke ({value})"
    return encoded


def _cells(outputs: Encoded) -> Iterator[Ints]:
    """Yield codes from 0 to ``CELLS`` − 1 of every output: by its place in some columns, by itself.

    The codes of a column are those of its quantiles in the sample itself.
    """
    width = outputs.values.shape[1]
    yield _keys(outputs, coarse=_many_structures(outputs)) >> 61 & 7
    for j in _columns(width, COLUMNS):
        column = outputs.column(j)
        finite = column[np.isfinite(column)]
        edges = np.empty(0)
        if len(finite):
            edges = np.quantile(finite, np.arange(1, CELLS) / CELLS, method="lower")
        yield np.searchsorted(edges, np.nan_to_num(column), side="left")


def _keys(outputs: Encoded, *, coarse: bool) -> Ints:
    """Return a key of each output: its structure and some of its numbers.

    coarse: its notes beside the coarse structure, instead of a structure that holds all text.
    """
    keys = Exact(_columns(outputs.values.shape[1], KEYED), coarse=coarse).read(outputs)
    if outputs.notes is None or not coarse:
        return keys
    notes = [zlib.crc32(repr(note).encode("utf-8", "replace")) for note in outputs.notes.tolist()]
    return mix(keys, np.array(notes, dtype=np.int64), 1)


def _many_structures(outputs: Encoded) -> bool:
    """Return whether there are too many structures to count: which are would depend on when."""
    return bool((outputs.pattern == UNSEEN).any())


def _pairings(spans: list[Ints]) -> Iterator[tuple[str, Ints, Ints]]:
    """Yield what a relation of outputs at corresponding places would say, and these places."""
    if not spans:
        return
    halves = [(span[: len(span) // 2], span[-(len(span) // 2) :]) for span in spans]
    within = {
        "neighbors": [(span[: len(span) // 2 * 2 : 2], span[1::2]) for span in spans],
        "halves": halves,
        "mirrored": [(first, second[::-1]) for first, second in halves],
    }
    for pairs in within.values():
        yield "outputs of one batch depend on each other", *_joined(pairs)
    # Each batch with the next, so far as both go; none is used twice.
    follow = [(x[: len(y)], y[: len(x)]) for x, y in zip(spans[::2], spans[1::2], strict=False)]
    if follow:
        yield "one batch repeats another", *_joined(follow)


def _joined(pairs: list[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    first, second = (np.concatenate(side) for side in zip(*pairs, strict=True))
    return _few(first), _few(second)


def _few(places: Ints) -> Ints:
    """Return at most ``COMPARED`` of the places, evenly spaced."""
    return places[:: -(-len(places) // COMPARED)] if len(places) else places


def _columns(width: int, most: int) -> tuple[int, ...]:
    """Return at most so many columns, evenly spaced."""
    return tuple(sorted({round(i) for i in np.linspace(0, width - 1, min(width, most)).tolist()}))


def _part(side: Encoded, which: Ints) -> Encoded:
    return side.part(which)
