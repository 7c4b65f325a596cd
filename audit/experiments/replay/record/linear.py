"""Linear forms of noise: what a noisy value is without its noise, and how much of which noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Linear:
    """An array whose every element is a number plus a weighted sum of noise variables.

    base: the elements without noise. rows, variables, weights: element ``rows[k]`` of the flattened
    array holds noise variable ``variables[k]`` times ``weights[k]``; no order is promised, and a
    variable may stand in an element more than once.
    """

    base: Floats
    rows: Places
    variables: Places
    weights: Floats

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of the array; () for a number."""
        return self.base.shape

    @property
    def noisy(self) -> NDArray[np.bool_]:
        """Return of each element whether there is noise in it."""
        held = np.bincount(self.summed().rows, minlength=self.base.size)
        return held.astype(bool).reshape(self.shape)

    def same(self, other: Linear) -> bool:
        """Whether another form is the same: numbers, noise variables and weights."""
        return np.array_equal(self.base, other.base, equal_nan=True) and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("rows", "variables", "weights")
        )

    @property
    def _one_each(self) -> bool:
        """Whether each element has one variable, in order."""
        return self.rows.size == self.base.size and bool(
            (self.rows[1:] - self.rows[:-1] == 1).all() and self.rows[0] == 0
        )

    def take(self, places: Any) -> Linear:
        """Return the array of the elements at flat ``places``, in the shape of these."""
        places = np.asarray(places, dtype=np.intp)
        if self.base.size == 1 and places.size == 1:
            return replace(self, base=self.base.reshape(places.shape))
        flat = places.ravel()
        if not self.rows.size:
            return replace(self, base=self.base.ravel()[flat].reshape(places.shape))
        if self._one_each:
            return Linear(
                self.base.ravel()[flat].reshape(places.shape),
                np.arange(flat.size),
                self.variables[flat],
                self.weights[flat],
            )
        order = np.argsort(self.rows, kind="stable")
        held = np.bincount(self.rows, minlength=self.base.size)
        starts = np.cumsum(held) - held
        counts = held[flat]
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        entries = order[np.repeat(starts[flat], counts) + within]
        return Linear(
            self.base.ravel()[flat].reshape(places.shape),
            np.repeat(np.arange(flat.size), counts),
            self.variables[entries],
            self.weights[entries],
        )

    def spread(self, shape: tuple[int, ...]) -> Linear:
        """Return it broadcast to a shape."""
        if shape == self.shape:
            return self
        return self.take(np.broadcast_to(places_of(self.shape), shape))

    def plus(self, other: Linear) -> Linear:
        """Return the sum; shapes are broadcast."""
        shape = np.broadcast_shapes(self.shape, other.shape)
        a, b = self.spread(shape), other.spread(shape)
        return Linear(
            a.base + b.base,
            np.concatenate([a.rows, b.rows]),
            np.concatenate([a.variables, b.variables]),
            np.concatenate([a.weights, b.weights]),
        )

    def times(self, factor: Any) -> Linear:
        """Return it times numbers without noise; shapes are broadcast."""
        factor = np.asarray(factor, dtype=float)
        linear = self.spread(np.broadcast_shapes(self.shape, factor.shape))
        spread = np.broadcast_to(factor, linear.shape).ravel()
        with np.errstate(all="ignore"):
            scaled = linear.base * np.broadcast_to(factor, linear.shape)
            weights = np.asarray(linear.weights * spread[linear.rows], dtype=float)
        left = weights != 0
        return Linear(np.asarray(scaled), linear.rows[left], linear.variables[left], weights[left])

    def added(self, groups: Places, shape: tuple[int, ...]) -> Linear:
        """Return sums: each flat element goes to the flat place that ``groups`` says."""
        size = int(np.prod(shape, dtype=int))
        base = np.bincount(groups.ravel(), self.base.ravel(), minlength=size)
        return Linear(
            base.astype(float).reshape(shape),
            groups.ravel()[self.rows],
            self.variables,
            self.weights,
        )

    def summed(self) -> Linear:
        """Return the same with every variable at most once in each element, rows in order."""
        if self.rows.size < 2 or bool((self.rows[1:] > self.rows[:-1]).all()):
            return self
        most = int(self.variables.max()) + 1
        keys, where = np.unique(self.rows * most + self.variables, return_inverse=True)
        weights = np.asarray(np.bincount(where, self.weights, minlength=keys.size), dtype=float)
        # What rounding leaves of noise that was added and taken away again is none.
        kept = ~(np.abs(weights) <= 1e-12 * np.bincount(where, np.abs(self.weights)))
        return Linear(self.base, keys[kept] // most, keys[kept] % most, weights[kept])


def constant(value: Any) -> Linear:
    """Return numbers without noise; raises ``TypeError`` or ``ValueError`` for what is none."""
    none = np.empty(0, dtype=np.intp)
    return Linear(np.array(value, dtype=float), none, none, np.empty(0))


def fresh(base: Any, first: int) -> Linear:
    """Return numbers, each with a noise variable of its own, from number ``first`` on."""
    base = np.asarray(base, dtype=float)
    rows = np.arange(base.size)
    return Linear(base, rows, rows + first, np.ones(base.size))


def places_of(shape: tuple[int, ...]) -> Places:
    """Return the flat place of each element, in their shape."""
    return np.arange(int(np.prod(shape, dtype=int))).reshape(shape)


def joined(forms: Sequence[Linear]) -> Linear:
    """Return the elements of several arrays one after the other, flat."""
    starts = np.cumsum([0, *(form.base.size for form in forms)])
    rows = [form.rows + start for form, start in zip(forms, starts, strict=False)]
    return Linear(
        np.concatenate([form.base.ravel() for form in forms]),
        np.concatenate(rows),
        np.concatenate([form.variables for form in forms]),
        np.concatenate([form.weights for form in forms]),
    )
