"""Which forms of noise were released or compared in both runs, and by how much they moved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.statement.intervention import short

from .leaves import MOST_DEPTH, Leaf, Mismatch, beside
from .linear import Linear
from .noisy import COMPARISONS, LEAST, MOST, raw
from .origins import Origins
from .site import Site
from .tape import DERIVED, Step, Tape

_UP = ("greater", "greater_equal", MOST)


@dataclass(eq=False)
class Seen:
    """What both runs showed of the noise.

    released: pairs of forms that must come out the same. compared: pairs of forms with the outcome
    that each element had, and whether the comparison asks for more. plain: places of the output
    that differ without noise. mismatches: places of another form. lost: variables that were read
    as plain numbers; shown: those in the output. arrays: lines where whole arrays were compared, of
    which the output may tell a part.
    """

    released: list[tuple[Linear, Linear]] = field(default_factory=list)
    compared: list[tuple[Linear, Linear, NDArray[np.bool_]]] = field(default_factory=list)
    equal: list[tuple[Linear, Linear]] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    mismatches: list[Mismatch] = field(default_factory=list)
    lost: set[int] = field(default_factory=set)
    shown: set[int] = field(default_factory=set)
    arrays: list[Site] = field(default_factory=list)


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
        _release_parents(found, one, parents)
    told = {held.tobytes() for held in _truths(output)}
    for a, b in _same_steps(first, second, (*COMPARISONS, MOST, LEAST)):
        outcome = np.asarray(a.value, dtype=bool)
        # Of an array of outcomes the output may tell a part: up to the first, how many.
        if outcome.size > 1 and a.kind in COMPARISONS and outcome.tobytes() not in told:
            found.arrays.append(a.site)
        else:
            _of_comparison(found, a, b)
    for a, _ in _same_steps(first, second, ("perhaps",)):
        found.lost.update(a.form.variables.tolist())
    return found


def _truths(value: Any, depth: int = 0) -> Iterator[NDArray[np.bool_]]:
    """Yield the arrays and lists of truth values in an output."""
    if isinstance(value, np.ndarray) and value.dtype == bool:
        yield np.ascontiguousarray(value)
    elif isinstance(value, list | tuple) and len(value):
        if all(isinstance(one, bool | np.bool_) for one in value):
            yield np.array(value, dtype=bool)
        elif depth < MOST_DEPTH:
            for one in value:
                yield from _truths(one, depth + 1)
    elif isinstance(value, dict) and depth < MOST_DEPTH:
        for one in value.values():
            yield from _truths(one, depth + 1)


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
    found: Seen, pair: tuple[Linear, Linear], parents: tuple[dict[int, Step], dict[int, Step]]
) -> None:
    """Release what a released number was computed of: it tells at most that.

    Of functions that go element by element, the elements that were released alone.
    """
    waiting, done = set(pair[0].variables.tolist()), set[int]()
    while waiting:
        by_step: dict[int, list[int]] = {}
        for variable in waiting - done:
            if variable in parents[0] and variable in parents[1]:
                by_step.setdefault(id(parents[0][variable]), []).append(variable)
        done |= waiting
        waiting = set()
        for variables in by_step.values():
            one, other = (side[variables[0]] for side in parents)
            places = np.array(sorted(variables)) - int(one.form.variables.min())
            for a, b in zip(one.parents, other.parents, strict=False):
                if a.shape != b.shape:
                    continue
                if a.shape == one.form.shape:
                    a, b = a.take(places), b.take(places)
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
