"""Which forms of noise were released or compared in both runs, and by how much they moved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.statement.intervention import short

from .judged import Variables
from .leaves import Leaf, Mismatch, beside
from .linear import Floats, Linear, Places, joined
from .noisy import COMPARISONS, raw
from .result import FindingKind
from .tape import DERIVED, Step, Tape

_UP = ("greater", "greater_equal")

Part = tuple[Linear, Floats, NDArray[np.bool_]]
"""Forms, what shifts of their noise must do, and whether exactly that."""


@dataclass(eq=False)
class Seen:
    """What both runs showed of the noise.

    released: pairs of forms that must come out the same. compared: pairs of forms with the outcome
    that each element had, and whether the comparison asks for more. plain: places of the output
    that differ without noise. mismatches: places of another form. lost: forms that were read as
    plain numbers.
    """

    released: list[tuple[Linear, Linear]] = field(default_factory=list)
    compared: list[tuple[Linear, Linear, NDArray[np.bool_]]] = field(default_factory=list)
    equal: list[tuple[Linear, Linear]] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    mismatches: list[Mismatch] = field(default_factory=list)
    lost: set[int] = field(default_factory=set)
    shown: set[int] = field(default_factory=set)


class Origins:
    """Finds the form of a number by its value: noise makes each value one of its kind."""

    def __init__(self, tape: Tape) -> None:
        steps = [
            s
            for s in tape.every_step()
            if s.kind in ("sum", DERIVED)
            or (s.kind == "perhaps" and np.shape(s.value) == s.form.shape)
        ]
        values = [np.asarray(s.value, dtype=float).ravel() for s in steps]
        # A whole number is one of many, but for one that was read as a plain number.
        read = np.repeat([s.kind == "perhaps" for s in steps], [v.size for v in values])
        flat = np.concatenate(values) if values else np.empty(0)
        owner = np.repeat(np.arange(len(steps)), [v.size for v in values])
        place = np.concatenate([np.arange(v.size) for v in values]) if values else np.empty(0, int)
        rare = np.isfinite(flat) & ((flat != np.round(flat)) | read.astype(bool))
        order = np.argsort(flat[rare], kind="stable")
        self._steps = steps
        self._values = flat[rare][order]
        self._owner, self._place = owner[rare][order], place[rare][order]

    def of(self, values: Floats) -> tuple[Linear | None, NDArray[np.bool_]]:
        """Return the forms of those values that are known, one after the other, and which."""
        flat = np.asarray(values, dtype=float).ravel()
        if not self._values.size:
            return None, np.zeros(flat.size, dtype=bool)
        at = np.searchsorted(self._values, flat, side="right") - 1
        known = (at >= 0) & (self._values[np.maximum(at, 0)] == flat)
        forms: list[Linear] = []
        which = at[known]
        for owner in dict.fromkeys(self._owner[which].tolist()):
            chosen = which[self._owner[which] == owner]
            forms.append(self._steps[owner].form.take(self._place[chosen]))
        if not forms:
            return None, known
        # The order of the values again, of which the forms were taken step by step.
        owners = self._owner[which]
        ranks = {owner: i for i, owner in enumerate(dict.fromkeys(owners.tolist()))}
        order = np.argsort([ranks[one] for one in owners.tolist()], kind="stable")
        back = np.argsort(order, kind="stable")
        return joined(forms).take(back), known


def seen_in(first: Tape, second: Tape, output: Any, output_prime: Any) -> Seen:
    """Return what the outputs and the comparisons of two runs showed."""
    found = Seen()
    origins = Origins(first), Origins(second)
    for one in beside(output, output_prime):
        if isinstance(one, Mismatch):
            found.mismatches.append(one)
        else:
            _of_leaf(found, one, origins)
    parents = _parents(first), _parents(second)
    for one in list(found.released) if parents[0] else ():
        _release_parents(found, one, parents, first.variables)
    for a, b in _same_steps(first, second, COMPARISONS):
        _of_comparison(found, a, b)
    for a, _ in _same_steps(first, second, ("perhaps",)):
        found.lost.update(a.form.variables.tolist())
    return found


def _of_leaf(found: Seen, leaf: Leaf, origins: tuple[Origins, Origins]) -> None:
    forms = []
    for value, origin in zip((leaf.d, leaf.d_prime), origins, strict=True):
        form = getattr(value, "_form", None)
        known: Any = slice(None)
        if not isinstance(form, Linear):
            if not _real(value):
                form, known = None, np.zeros(1, dtype=bool)
            else:
                form, known = origin.of(np.asarray(raw(value), dtype=float))
        else:
            form, known = form.take(np.arange(form.base.size)), np.ones(form.base.size, bool)
        forms.append((form, known))
    (a, known), (b, known_prime) = forms
    both = known & known_prime if known.shape == known_prime.shape else np.zeros(1, bool)
    if both.any() and a is not None and b is not None:
        a = a.take(np.flatnonzero(both[known]))
        b = b.take(np.flatnonzero(both[known_prime]))
        found.released.append((a, b))
        found.shown.update(a.variables.tolist())
    _compare_plain(found, leaf, both)


def _real(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "iuf"
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _compare_plain(found: Seen, leaf: Leaf, noisy: NDArray[np.bool_]) -> None:
    a, b = raw(leaf.d), raw(leaf.d_prime)
    if isinstance(a, np.ndarray):
        differ = ~((a == b) | ((a != a) & (b != b))).ravel()
        differ &= ~noisy if noisy.shape == differ.shape else True
        places = np.flatnonzero(differ)
        if places.size:
            i = int(places[0])
            what = f"{leaf.path}[{i}]" if a.ndim == 1 else f"{leaf.path} at flat place {i}"
            found.plain.append(_apart(what, a.ravel()[i], b.ravel()[i]))
        return
    if bool(noisy.all()) and noisy.size:
        return
    try:
        same = bool(a == b) or (a != a and b != b)
    except Exception:  # Of objects whose comparison raises, or gives no truth.
        same = repr(a) == repr(b)
    # Objects that are equal to themselves alone differ in any two runs.
    if not same and getattr(type(a), "__eq__", None) is not object.__eq__:
        found.plain.append(_apart(leaf.path, a, b))


def _apart(what: str, a: Any, b: Any) -> str:
    return f"{what} is {short(a, 60)} under D and {short(b, 60)} under D′"


def _parents(tape: Tape) -> dict[int, Step]:
    """Return for each derived variable the step that made it."""
    return {
        int(variable): step
        for step in tape.every_step()
        if step.kind == DERIVED
        for variable in step.form.variables.tolist()
    }


def _release_parents(
    found: Seen,
    pair: tuple[Linear, Linear],
    parents: tuple[dict[int, Step], dict[int, Step]],
    most: int,
) -> None:
    """Release what a released number was computed of: it tells at most that."""
    waiting, done = set(pair[0].variables.tolist()), set[int]()
    while waiting and len(done) < most:
        variable = waiting.pop()
        if variable in done:
            continue
        done.add(variable)
        one, other = (side.get(variable) for side in parents)
        if one is None or other is None:
            continue
        done.update(one.form.variables.tolist())
        for a, b in zip(one.parents, other.parents, strict=False):
            if a.shape == b.shape:
                found.released.append((a, b))
                found.shown.update(a.variables.tolist())
                waiting.update(a.variables.tolist())


def _same_steps(first: Tape, second: Tape, kinds: tuple[str, ...]) -> Iterator[tuple[Step, Step]]:
    for (site, kind), there in first.steps.items():
        if kind in kinds:
            for a, b in zip(there, second.steps.get((site, kind), ()), strict=False):
                if a.form.shape == b.form.shape:
                    yield a, b


def _of_comparison(found: Seen, a: Step, b: Step) -> None:
    outcome = np.broadcast_to(np.asarray(a.value, dtype=bool), a.form.shape).ravel()
    if a.kind in ("equal", "not_equal"):
        told = np.flatnonzero(outcome if a.kind == "equal" else ~outcome)
        if told.size:
            found.equal.append((a.form.take(told), b.form.take(told)))
        return
    found.compared.append((a.form, b.form, outcome if a.kind in _UP else ~outcome))


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
    for a, b in (*seen.released, *seen.equal):
        parts += _part(a, b, None, findings, chances, variables)
    for a, b, above in seen.compared:
        parts += _part(a, b, above, findings, chances, variables)
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
) -> Iterator[Part]:
    """Yield the rows of one pair of forms: the first's noise, and the move from it to the second.

    above: of a comparison, whether each element is to stay at or above 0; else they are to stay
    as they are.
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
    unknown = ~np.isin(family, ("laplace", "logistic", "exponential", "gumbel"))
    judged = kept & ~(np.bincount(one.rows, unknown, minlength=base.size) > 0)
    sign = np.where(above, 1.0, -1.0)
    scaled = Linear(one.base, one.rows, one.variables, one.weights * sign[one.rows])
    yield _rows(scaled, judged, -move * sign, np.zeros(base.size, dtype=bool))
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
