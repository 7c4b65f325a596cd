"""Kendall's τ as a dependence score: a tied pair counts as discordant.

Source: Kusner et al., Private Causal Inference (2016), section 3.3 and Theorem 1; for the count in
O(m log m) Knight, A Computer Method for Calculating Kendall's Tau with Ungrouped Data (1966).

On the proof of Theorem 1. It counts m − 1 pairs that a new a_k affects and m − 1 more for a new b_k
and divides their number by that of all pairs. The two are the same m − 1 pairs, those of record k;
but each that turns from concordant to discordant moves C − D by 2, which gives the same 4/m. The
bound holds for any rule that gives each pair a number in [−1, 1], so also for τ-a. It is not
claimed for τ-b, whose denominator depends on the data: let a be 1 in the first record and b in the
first two, and both 0 elsewhere; with b set to 0 in the first record, τ-b falls from
√((m − 2)/(2m − 2)) to −1/(m − 1).

Inversions of a permutation are counted with whole-array operations only. The sequence is split by
value at the middle of its range, group by group, each group keeping its order of positions. All
groups have one width and, as the values are a permutation, exactly half of each lies below the
middle. So the inversions that a split resolves are a sum of positions: that of the values below the
middle, less what it would be if they all came first. Groups of at most ``NARROW`` values are
finished by comparing each pair. Values have the narrowest unsigned type that holds them: narrow is
fast.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import Source

from .score import Column, RankScore, columns, rows

NARROW = 96
"""Widest group that is finished pair by pair; its values fit into eight bits."""


def count_inversions(permutation: NDArray[np.signedinteger]) -> int:
    """Return the number of pairs of positions i < j with permutation[i] > permutation[j].

    permutation: each of 0 … m − 1 exactly once; not checked. O(m log m) time and O(m) memory.
    """
    m = permutation.size
    levels = 0
    while -(-m >> levels) > NARROW:
        levels += 1
    width = -(-m >> levels) << levels
    values = np.empty(width, dtype=np.min_scalar_type(width - 1))
    values[:m] = permutation
    # Padding with the largest values, in increasing order and at the end, adds no inversion.
    values[m:] = np.arange(m, width)
    total = 0
    for _ in range(levels):
        found, values = _split(values, width)
        total += found
        width //= 2
    return total + _pair_by_pair(values.reshape(-1, width))


def _split(
    values: NDArray[np.unsignedinteger], width: int
) -> tuple[int, NDArray[np.unsignedinteger]]:
    """Return the inversions across the middles of all groups, and the groups split there."""
    half, groups = width // 2, values.size // width
    above = values >= half
    low, high = np.flatnonzero(~above), np.flatnonzero(above)
    all_first = groups * (half * (half - 1) // 2) + half * width * (groups * (groups - 1) // 2)
    split = np.empty((groups, 2, half), dtype=np.min_scalar_type(half - 1))
    split[:, 0] = values[low].reshape(groups, half)
    split[:, 1] = (values[high] - values.dtype.type(half)).reshape(groups, half)
    return int(low.sum()) - all_first, split.reshape(-1)


def _pair_by_pair(groups: NDArray[np.unsignedinteger]) -> int:
    """Return the inversions within the rows of a narrow table."""
    # Transposed, a comparison at one lag runs over all groups in one contiguous pass.
    by_place = np.ascontiguousarray(groups.T)
    return sum(
        int(np.count_nonzero(by_place[:-lag] > by_place[lag:]))
        for lag in range(1, by_place.shape[0])
    )


_WORK = "Kusner et al., Private Causal Inference (2016)"

CELLS_PER_RECORD = 16
"""Largest contingency table, in cells for each record, that is counted cell by cell."""


class PairCounts(NamedTuple):
    """How the m(m − 1)/2 pairs of records divide; the five numbers add up to that.

    concordant, discordant: both columns order the two records, alike or oppositely.
    tied_a, tied_b: tied in that column only. tied_both: tied in both.
    """

    concordant: int
    discordant: int
    tied_a: int
    tied_b: int
    tied_both: int


def concordance(a: ArrayLike, b: ArrayLike) -> PairCounts:
    """Return the exact counts of pairs, in O(m log m) time and O(m) memory.

    a, b: columns of one length m ≥ 2. Raises ``UsageError`` for bad columns.
    """
    first, second = columns(a, b)
    by_a = np.argsort(first)
    ranks_a = _dense_ranks(first[by_a])
    along = second[by_a]
    by_b = np.argsort(along)
    ascending = _dense_ranks(along[by_b])
    m = first.size
    if ranks_a[-1] == ascending[-1] == m - 1:
        # ``by_b`` is the inverse of the permutation in question, with as many inversions.
        discordant = count_inversions(by_b)
        return PairCounts(m * (m - 1) // 2 - discordant, discordant, 0, 0, 0)
    ranks_b = np.empty_like(ascending)
    ranks_b[by_b] = ascending
    return _with_ties(ranks_a, ranks_b)


def kendall_printed(a: ArrayLike, b: ArrayLike) -> float:
    """Return |C − D|/(m(m − 1)/2), where each pair that is not concordant is discordant.

    That is the paper's rule: tied pairs count as discordant, so that two constant columns score 1.
    A pair is concordant if a and b order it alike; the paper's "a_i > a_j and b_i > b_j" is read
    for unordered pairs. Source: Kusner et al. (2016), section 3.3. Raises ``UsageError`` for bad
    columns.
    """
    counts = concordance(a, b)
    total = sum(counts)
    return abs(2 * counts.concordant - total) / total


def kendall_sensitivity(m: int) -> Fraction:
    """Return 4/m, the bound of Kusner et al. (2016), Theorem 1, for m ≥ 2 records."""
    return Fraction(4, rows(m))


def kendall_by_pair(m: int) -> Fraction:
    """Return 4/(m(m − 1)), for any rule that gives each pair a number in [−1, 1]."""
    return Fraction(4, rows(m) * (m - 1))


def _dense_ranks(ascending: Column) -> NDArray[np.int64]:
    """Return ranks 0, 1, … of sorted values, with equal ranks, and only those, for equal values."""
    ranks = np.zeros(ascending.size, dtype=np.int64)
    np.cumsum(ascending[1:] != ascending[:-1], out=ranks[1:])
    return ranks


def _with_ties(a: NDArray[np.int64], b: NDArray[np.int64]) -> PairCounts:
    """Count the pairs of two columns of dense ranks."""
    m, levels_a, levels_b = a.size, int(a.max()) + 1, int(b.max()) + 1
    if levels_a * levels_b <= CELLS_PER_RECORD * m:
        # Turning a table around turns no pair from discordant to concordant; few rows are faster.
        short, long, few, many = (
            (a, b, levels_a, levels_b) if levels_a <= levels_b else (b, a, levels_b, levels_a)
        )
        cells = np.bincount(short * many + long, minlength=few * many)
        discordant = _discordant_in_table(cells.reshape(few, many))
    else:
        cells, discordant = _discordant_by_sorting(a, b)
    tied_both = _pairs(cells)
    tied_a = _pairs(np.bincount(a)) - tied_both
    tied_b = _pairs(np.bincount(b)) - tied_both
    concordant = m * (m - 1) // 2 - discordant - tied_a - tied_b - tied_both
    return PairCounts(concordant, discordant, tied_a, tied_b, tied_both)


def _discordant_in_table(table: NDArray[np.int64]) -> int:
    """Return the discordant pairs of a contingency table: each cell times all below and left."""
    left = table.cumsum(axis=1)
    below_left = np.zeros(table.shape[1], dtype=np.int64)
    discordant = 0
    for row in range(table.shape[0] - 1, 0, -1):
        below_left += left[row]
        discordant += int(table[row - 1, 1:] @ below_left[:-1])
    return discordant


def _discordant_by_sorting(
    a: NDArray[np.int64], b: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int]:
    """Return the sizes of the groups tied in both columns, and the discordant pairs."""
    # One number holds both ranks: sorting sorts by a, then b, and no pair tied in a is inverted.
    shift = int(b.max()).bit_length()
    both = np.sort(a << shift | b)
    sizes = np.diff(np.flatnonzero(np.diff(both, prepend=-1, append=-1)))
    # Positions as a second key keep the order of equal b: no pair tied in b is inverted either.
    place = (a.size - 1).bit_length()
    by_b = np.sort((both & (1 << shift) - 1) << place | np.arange(a.size))
    return sizes, count_inversions(by_b & (1 << place) - 1)


def _pairs(sizes: NDArray[np.int64]) -> int:
    """Return the number of pairs within groups of these sizes."""
    return int((sizes * (sizes - 1) // 2).sum())


KENDALL_PRINTED = RankScore(
    name="kendall/printed",
    of=kendall_printed,
    sensitivity=kendall_sensitivity,
    source=Source(_WORK, "section 3.3 and Theorem 1"),
    summary="Absolute value of Kendall's τ; a tied pair counts as discordant, as printed.",
    by_pair=kendall_by_pair,
)


SCORE = KENDALL_PRINTED
