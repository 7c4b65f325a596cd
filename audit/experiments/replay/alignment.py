"""The cheapest shift of the noise that lets the second run release and decide what the first did.

A run drew noise η and released or compared linear forms of it. Let the second run draw η + s
instead: what is released must come out the same, so a form that moved by Δ asks for Σ w·s = −Δ; a
comparison that came out true must do so for every η for which it did, which asks for Σ w·s ≥ −Δ.
Of all such s the one of least Σ |s|/scale bounds what the outputs of this control flow tell of the
pair. It is an upper bound that holds for these two datasets and this control flow, not for others.

Shifts are real numbers, of whole-number noise too: its cost may then be somewhat higher.

Source: Zhang and Kifer, LightDP: Towards Automating Differential Privacy Proofs (2017): randomness
alignments; there for all pairs and runs, here for one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .linear import Floats, Places

ONE_SIDED = ("exponential", "gumbel")
"""Families that may only be shifted upward: below their least value there is no chance, or the
chances fall too fast."""

BY_SCALE = ("laplace", "logistic", *ONE_SIDED)
"""Families in which a shift by s changes no density by more than e^(|s|/scale)."""

_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class Demands:
    """What shifts must do, one demand a row: Σ weights·s = moves where ``equal``, else ≥.

    rows, variables, weights: as in ``Linear``, each variable at most once a row.
    """

    rows: Places
    variables: Places
    weights: Floats
    moves: Floats
    equal: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Shifts:
    """Shifts of noise variables. variables: which; shift: by how much; costs: |s|/scale of each.

    contradictory: the rows whose demands no shift meets.
    """

    variables: Places
    shift: Floats
    costs: Floats
    contradictory: Places


def cheapest(demands: Demands, scales: Floats, families: NDArray[np.str_]) -> Shifts:
    """Return the cheapest shifts; scales and families are by variable.

    Demands of a single variable are settled first. Where two of them differ, or what is left has
    no solution, the rows are ``contradictory``.
    """
    used = np.flatnonzero(np.bincount(demands.variables, minlength=scales.size))
    number = used.size
    places = np.zeros(scales.size, dtype=np.intp)
    places[used] = np.arange(number)
    where = places[demands.variables]
    scale, family = scales[used], families[used]
    held = np.bincount(demands.rows, minlength=demands.moves.size)
    alone = (held[demands.rows] == 1) & demands.equal[demands.rows]
    shift = np.full(number, np.nan)
    wanted = demands.moves[demands.rows[alone]] / demands.weights[alone]
    shift[where[alone]] = wanted
    tolerance = _SAME * (1 + np.abs(wanted))
    off = np.abs(shift[where[alone]] - wanted) > tolerance
    bad = [demands.rows[alone][off]]
    settled = ~np.isnan(shift)
    below = settled & np.isin(family, ONE_SIDED) & (shift < -_SAME)
    bad.append(demands.rows[alone][below[where[alone]]])
    open_rows = held > 0
    open_rows[demands.rows[alone]] = False
    left = np.flatnonzero(open_rows)
    if left.size:
        solved = _solve(demands, where, left, shift, scale, family)
        if solved is None:
            bad.append(left)
            solved = np.zeros(number)
        shift = np.where(settled, shift, solved)
    shift = np.nan_to_num(shift)
    with np.errstate(all="ignore"):
        costs = np.where(shift == 0, 0.0, np.abs(shift) / scale)
    return Shifts(used, shift, costs, np.unique(np.concatenate(bad)))


def _solve(
    demands: Demands,
    where: Places,
    left: Places,
    settled: Floats,
    scale: Floats,
    family: NDArray[np.str_],
) -> Floats | None:
    """Return shifts that meet the rows that are left, by a linear program; None where none do."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, hstack

    number = scale.size
    chosen = np.isin(demands.rows, left)
    rows = np.searchsorted(left, demands.rows[chosen])
    matrix = csr_array((demands.weights[chosen], (rows, where[chosen])), (left.size, number))
    known = np.nan_to_num(settled)
    moves, equal = demands.moves[left] - matrix @ known, demands.equal[left]
    free = np.isnan(settled)
    # s = up − down, of which what is settled is neither.
    cost = np.where(np.isin(family, BY_SCALE), 1 / scale, 1e-9 / np.maximum(scale, 1e-300))
    cost = np.where(np.isfinite(cost), cost, 1.0)
    up = np.where(free & ~(family == "uniform"), np.inf, 0.0)
    down = np.where(np.isin(family, ONE_SIDED), 0.0, up)
    both = hstack([matrix, -matrix], format="csr")
    found = linprog(  # type: ignore[call-overload]
        np.concatenate([cost, cost]),
        A_ub=-both[~equal] if (~equal).any() else None,
        b_ub=-moves[~equal] + _SAME if (~equal).any() else None,
        A_eq=both[equal] if equal.any() else None,
        b_eq=moves[equal] if equal.any() else None,
        bounds=np.stack([np.zeros(2 * number), np.concatenate([up, down])], axis=1),
        method="highs",
    )
    if found.x is None or found.status != 0:
        return None
    solution: Floats = found.x[:number] - found.x[number:]
    return solution
