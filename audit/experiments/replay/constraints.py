"""What shifts of noise must do, of all that was released or compared, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .alignment import BY_SCALE
from .linear import Floats, Linear, Places
from .match_draws import Variables
from .released_forms import Seen
from .result import FindingKind

Part = tuple[Linear, Floats, NDArray[np.bool_]]
"""Forms, what shifts of their noise must do, and whether exactly that."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Demands on the shift of noise: of each row its variables, its move, and whether it is equal.

    sites of rows are those of their variables' calls. chances: thresholds of uniform numbers that
    were compared: variable, threshold in each run, whether the number lay above.
    """

    rows: Places
    variables: Places
    weights: Floats
    moves: Floats
    equal: NDArray[np.bool_]
    chances: tuple[tuple[int, float, float, bool], ...]


def rows_of(seen: Seen, variables: Variables, findings: list[tuple[FindingKind, int, str]]) -> Rows:
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
    return Rows(
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
        words = f"its noise is taken {one.weights[first]:.6g} times under D and "
        words += f"{other.weights[first]:.6g} times under D′"
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
        notes.append("a number that is computed of noisy ones is compared: what that tells")
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
        form.base.ravel()[places],
        number[form.rows[held]],
        form.variables[held],
        form.weights[held],
    )
    return chosen, moves[places], equal[places]
