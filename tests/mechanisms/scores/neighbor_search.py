"""The largest change of a score over neighbors, by trying all of a finite set of columns."""

import itertools

import numpy as np


def patterns(size):
    """Return all weak orders of ``size`` records: dense ranks, as even numbers from 0 on."""
    for ranks in itertools.product(range(size), repeat=size):
        if set(ranks) == set(range(max(ranks, default=-1) + 1)):
            yield tuple(2 * rank for rank in ranks)


def permutations(size):
    """Return all strict orders of ``size`` records, as even numbers from 0 on."""
    return (tuple(2 * rank for rank in order) for order in itertools.permutations(range(size)))


def worst_without_ties(score, m):
    """Return the largest change of a rank score over all neighbors of m records, none of them tied.

    One record is replaced, and the m − 1 others stay; only orders matter, and that of the records
    does not, so that the others may be taken in the order of a.
    """
    slots = range(-1, 2 * m - 1, 2)
    others = range(0, 2 * (m - 1), 2)
    return max(
        _spread(score([*others, x], [*b, y]) for x in slots for y in slots)
        for b in permutations(m - 1)
    )


def worst_with_ties(score, m, *, rows_matter):
    """Return the same with ties.

    rows_matter: whether the score may depend on the order of the rows. Only then all places of the
        record that is replaced, and all orders of the others, have to be tried.
    """
    slots = range(-1, 2 * m - 1)
    places = range(m) if rows_matter else (m - 1,)
    return max(
        _spread(
            score([*a[:place], x, *a[place:]], [*b[:place], y, *b[place:]])
            for x in slots
            for y in slots
        )
        for a in patterns(m - 1)
        if rows_matter or list(a) == sorted(a)
        for b in patterns(m - 1)
        for place in places
    )


def worst_of_values(score, m, values):
    """Return the largest change of a score that ignores the order of rows, over columns of values.

    All columns of m − 1 records with entries among ``values`` are tried with all mth records.
    """
    points = list(itertools.product(values, repeat=2))
    worst = 0.0
    for others in itertools.combinations_with_replacement(points, m - 1):
        a, b = np.array(others, dtype=float).T
        worst = max(worst, _spread(score([*a, x], [*b, y]) for x, y in points))
    return worst


def _spread(scores):
    found = list(scores)
    return max(found) - min(found)
