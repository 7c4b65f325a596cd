"""The cheapest shift of the noise that lets the second run release and decide what the first did.

A run drew noise η and released or compared linear forms of it. Let the second run draw η + s
instead: what is released must come out the same, so a form that moved by Δ asks for Σ w·s = −Δ; a
comparison that came out true must do so for every η for which it did, which asks for Σ w·s ≥ −Δ.
Of all such s the one of least Σ |s|/scale bounds what the outputs of this control flow tell of the
pair. It is an upper bound that holds for these two datasets and this control flow, not for others.

Shifts are real numbers, of whole-number noise too: its cost may then be somewhat higher.

Source: Zhang and Kifer, LightDP: Towards Automating Differential Privacy Proofs (2017): randomness
alignments; there for all pairs and runs, here for one.

``rows_of`` makes these demands, row by row, of all that was released or compared.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.audit.experiments.replay.match_draws import Variables
from provado.audit.experiments.replay.record.linear import Floats, Linear, Places
from provado.audit.experiments.replay.released_forms import ReleasedForms
from provado.audit.experiments.replay.result import FindingKind

ONE_SIDED = ("exponential", "gumbel")
"""Families that may only be shifted upward: below their least value there is no chance, or the
chances fall too fast."""

BY_SCALE = ("laplace", "logistic", *ONE_SIDED)
"""Families in which a shift by s changes no density by more than e^(|s|/scale)."""

_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class Demands:
    """What shifts must do, one demand a row: Σ weights·s = moves where ``equal``, else ≥.

    rows, variables, weights: as in ``Linear``, each variable at most once a row; sites of rows are
    those of their variables' calls. chances: thresholds of uniform numbers that were compared:
    variable, threshold in each run, whether the number lay above.
    """

    rows: Places
    variables: Places
    weights: Floats
    moves: Floats
    equal: NDArray[np.bool_]
    chances: tuple[tuple[int, float, float, bool], ...] = ()


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
    result = linprog(  # type: ignore[call-overload]
        np.concatenate([cost, cost]),
        A_ub=-both[~equal] if (~equal).any() else None,
        b_ub=-moves[~equal] + _SAME if (~equal).any() else None,
        A_eq=both[equal] if equal.any() else None,
        b_eq=moves[equal] if equal.any() else None,
        bounds=np.stack([np.zeros(2 * number), np.concatenate([up, down])], axis=1),
        method="highs",
    )
    if result.x is None or result.status != 0:
        return None
    solution: Floats = result.x[:number] - result.x[number:]
    return solution


Part = tuple[Linear, Floats, NDArray[np.bool_]]
"""Forms, what shifts of their noise must do, and whether exactly that."""


def rows_of(
    seen: ReleasedForms, variables: Variables, findings: list[tuple[FindingKind, int, str]]
) -> Demands:
    """Return the demands of what was seen; what no shift can meet goes to ``findings``.

    findings: kind, noise variable and words of each.
    """
    parts: list[Part] = []
    chances: list[tuple[int, float, float, bool]] = []
    released = np.zeros(variables.call.size, dtype=bool)
    for a, b in (*seen.released, *seen.equal):
        parts += _part(a, b, None, findings, chances, variables, released, seen.notes)
        released[a.variables] = True
    for a, b, above in seen.compared:
        parts += _part(a, b, above, findings, chances, variables, released, seen.notes)
    sizes = [part[1].size for part in parts]
    starts = np.cumsum([0, *sizes])
    none: Any = np.empty(0)
    return Demands(
        np.concatenate(
            [p[0].rows + s for p, s in zip(parts, starts, strict=False)] or [none]
        ).astype(np.intp),
        np.concatenate([p[0].variables for p in parts] or [none]).astype(np.intp),
        np.concatenate([p[0].weights for p in parts] or [none]),
        np.concatenate([p[1] for p in parts] or [none]),
        np.concatenate([p[2] for p in parts] or [none]).astype(bool),
        tuple(chances),
    )


def _part(
    a: Linear,
    b: Linear,
    above: NDArray[np.bool_] | None,
    findings: list[tuple[FindingKind, int, str]],
    chances: list[tuple[int, float, float, bool]],
    variables: Variables,
    released: NDArray[np.bool_],
    notes: list[str],
) -> Iterator[Part]:
    """Yield the rows of one pair of forms: the first's noise, and the move from it to the second.

    above: of a comparison, whether each element is to stay at or above 0; else they are to stay
    as they are. released: which variables are released.
    """
    one, other = a.summed(), b.summed()
    base, base_prime = one.base.ravel(), other.base.ravel()
    if not (
        np.array_equal(one.rows, other.rows) and np.array_equal(one.variables, other.variables)
    ):
        first = int(one.variables[0]) if one.variables.size else -1
        if above is None and first >= 0:
            findings.append((FindingKind.OUTPUT, first, "other noise is in it under D′"))
        return
    off = np.abs(one.weights - other.weights) > 1e-9 * np.abs(one.weights)
    if off.any():
        first = int(np.flatnonzero(off)[0])
        words = f"its noise is multiplied by {one.weights[first]:.6g} under D and "
        words += f"by {other.weights[first]:.6g} under D′"
        findings.append((FindingKind.SCALE, int(one.variables[first]), words))
    finite = np.isfinite(base) & np.isfinite(base_prime)
    held = np.bincount(one.rows, minlength=base.size)
    for i in np.flatnonzero(~finite & (held > 0)).tolist():
        if not (
            base[i] == base_prime[i] or (base[i] != base[i] and base_prime[i] != base_prime[i])
        ):
            variable = int(one.variables[one.rows == i][0])
            words = f"{base[i]:g} under D and {base_prime[i]:g} under D′"
            findings.append((FindingKind.NAN, variable, words))
    move = np.where(finite, base_prime - base, 0.0)
    kept = finite & (held > 0)
    if above is None:
        yield _rows(one, kept, -move, np.ones(base.size, dtype=bool))
        return
    family = variables.family[one.variables]
    uniform = np.bincount(one.rows, family == "uniform", minlength=base.size) > 0
    unknown = ~np.isin(family, BY_SCALE) & ~released[one.variables]
    judged = kept & ~(np.bincount(one.rows, unknown, minlength=base.size) > 0)
    sign = np.where(above, 1.0, -1.0)
    scaled = Linear(one.base, one.rows, one.variables, one.weights * sign[one.rows])
    yield _rows(scaled, judged, -move * sign, np.zeros(base.size, dtype=bool))
    derived = np.bincount(one.rows, unknown & (family != "gaussian"), minlength=base.size) > 0
    if (derived & ~(uniform & (held == 1))).any():
        notes.append("a number that is computed of noisy ones is compared: what that reveals")
    for i in np.flatnonzero(uniform & (held == 1) & finite).tolist():
        k = int(np.flatnonzero(one.rows == i)[0])
        variable, weight = int(one.variables[k]), one.weights[k] * variables.scale[one.variables[k]]
        at = (-base[i] / weight, -base_prime[i] / weight)
        chances.append((variable, float(at[0]), float(at[1]), bool(above[i]) == (weight > 0)))


def _rows(form: Linear, kept: NDArray[np.bool_], moves: Floats, equal: NDArray[np.bool_]) -> Part:
    places = np.flatnonzero(kept)
    number = np.full(kept.size, -1)
    number[places] = np.arange(places.size)
    held = kept[form.rows]
    chosen = Linear(
        form.base.ravel()[places], number[form.rows[held]], form.variables[held], form.weights[held]
    )
    return chosen, moves[places], equal[places]
