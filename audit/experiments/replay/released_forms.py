"""Which forms of noise were released or compared in both runs, and by how much they moved."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions.relation import short

from .output_diff import MOST_DEPTH, NUMBER, Leaf, Mismatch, Origins, beside, hides, is_shown
from .record.linear import Linear, constant
from .record.noisy_values import COMPARISONS, LEAST, MOST, raw
from .record.recording import DERIVED, RecordedStep, Tape

_LOOKS = (*COMPARISONS, MOST, LEAST)
_UP = ("greater", "greater_equal", MOST)

Truths = NDArray[np.bool_]
Both = tuple[Origins, Origins]

_MOST_NOTES = 3
"""Parts of an output that are named as not followed."""

_NUMERIC = (np.ndarray, np.generic, int, float)
_YES = np.array([True])


@dataclass(eq=False)
class ReleasedForms:
    """What both runs showed of the noise.

    released: pairs of forms that must come out the same. compared: pairs of forms with the outcome
    that each element had, and whether the comparison asks for more. plain: places of the output
    that differ without noise. mismatches: places of another form. notes: what was not
    followed. followed: whether noise is followed to every number of the output.
    """

    released: list[tuple[Linear, Linear]] = field(default_factory=list)
    compared: list[tuple[Linear, Linear, Truths]] = field(default_factory=list)
    equal: list[tuple[Linear, Linear]] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    mismatches: list[Mismatch] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    followed: bool = True


def seen_in(
    first: Tape,
    second: Tape,
    output: Any,
    output_prime: Any,
    others: Sequence[Any] = (),
    again: Sequence[tuple[Tape, Any]] = (),
) -> ReleasedForms:
    """Return what the outputs and the comparisons of two runs showed.

    others: outputs of the first run under other noise. Numbers that are others there have noise in
    them, followed or not; where there are none, any number may have. again: tapes and outputs of
    the first run under other noise with the same comparisons, of which no form may depend on noise.
    """
    forms = ReleasedForms()
    origins = Origins(first), Origins(second)
    unsteady = [dict(_unsteady(output, other)) for other in others]
    for tape, other in again:
        forms.notes += [*_of_noise(first, tape), *_not_followed(output, other, first, tape)][:1]
    for one in beside(output, output_prime):
        if isinstance(one, Mismatch):
            forms.mismatches.append(one)
            continue
        varied = [there.get(one.path, _YES) for there in unsteady] or [_YES]
        if len({there.size for there in varied}) > 1:
            varied = [_YES]
        _of_leaf(forms, one, origins, np.any(varied, axis=0))
    del forms.notes[_MOST_NOTES:]
    told = {held.tobytes() for held in _truths(output)}
    for a, b in _same_steps(first, second, _LOOKS):
        outcome = np.asarray(a.value, dtype=bool)
        # Of an array of outcomes the output may tell a part: up to the first, how many.
        if outcome.size > 1 and a.kind in COMPARISONS and outcome.tobytes() not in told:
            forms.notes.append(
                f"{a.site.words()}: whole arrays of noisy numbers are compared, and which outcomes "
                "the output reveals is not followed, so that their cost is not known"
            )
        else:
            _of_comparison(forms, a, b)
    parents = _parents(first), _parents(second)
    for pair in [*forms.released, *forms.equal]:
        _release_parents(forms, pair, parents)
    return forms


def is_followed(output: Any, output_prime: Any) -> bool:
    """Return whether two outputs are equal truth values, and numbers with their noise."""
    for item in beside(output, output_prime):
        form = getattr(getattr(item, "d", None), "_form", None)
        same = (
            isinstance(item, Leaf)
            and isinstance(item.d, bool | np.bool_)
            and item.d == item.d_prime
        )
        if not same and (form is None or not form.noisy.all()):
            return False
    return True


def _unsteady(output: Any, other: Any) -> Iterator[tuple[str, Truths]]:
    """Yield the parts of two outputs that have one form, and which of their numbers differ."""
    for one in beside(output, other):
        if isinstance(one, Leaf):
            yield one.path, _differ(one.d, one.d_prime)


def _truths(value: Any, depth: int = 0) -> Iterator[Truths]:
    """Yield the arrays and lists of truth values in an output."""
    if isinstance(value, np.ndarray) and value.dtype == bool:
        yield np.ascontiguousarray(value)
    elif isinstance(value, list | tuple) and len(value):
        if all(isinstance(item, bool | np.bool_) for item in value):
            yield np.array(value, dtype=bool)
        elif depth < MOST_DEPTH:
            for element in value:
                yield from _truths(element, depth + 1)
    elif isinstance(value, dict) and depth < MOST_DEPTH:
        for element in value.values():
            yield from _truths(element, depth + 1)


def _of_noise(first: Tape, again: Tape) -> Iterator[str]:
    """Yield where a form, or what is executed, depends on noise that is read as plain numbers."""
    for site, kind in dict.fromkeys([*first.steps, *again.steps]):
        both = ((tape.ran, tape.steps.get((site, kind), ())) for tape in (first, again))
        steps = [[step for step in there if step.number < ran] for ran, there in both]
        same = len(steps[0]) == len(steps[1]) and all(
            one.form.same(other.form) and all(map(Linear.same, one.parents, other.parents))
            for one, other in zip(*steps, strict=True)
        )
        if not same:
            yield f"{site.words()}: noise that is read as a plain number enters what is done here"


def _not_followed(output: Any, other: Any, first: Tape, again: Tape) -> Iterator[str]:
    """Yield the parts of an output that are others under other noise, without noise followed."""
    origins = Origins(first), Origins(again)
    for one in beside(output, other):
        if isinstance(one, Mismatch):
            yield f"how {one.path} depends on noise"
        elif isinstance(one.d, _NUMERIC):
            a, b = (_forms(*each) for each in zip((one.d, one.d_prime), origins, strict=True))
            if (_differ(one.d, one.d_prime) & ~(a.noisy & b.noisy).ravel()).any():
                yield f"how {one.path} depends on noise"
        else:
            parts = [o.parts(_text(v)) for o, v in zip(origins, (one.d, one.d_prime), strict=True)]
            known = (x[0] == y[0] or (x[1] and y[1]) for x, y in zip(*parts, strict=False))
            if len(parts[0]) != len(parts[1]) or not all(known):
                yield f"how {one.path} depends on noise"


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _of_leaf(forms: ReleasedForms, leaf: Leaf, origins: Both, varied: Truths) -> None:
    """Judge one part of the output; varied: which of its numbers are others under other noise."""
    if hides(leaf.d):
        name = type(leaf.d).__qualname__
        forms.notes.append(f"{leaf.path} is an object of class {name}, which is not looked into")
    a, b = (_forms(*item) for item in zip((leaf.d, leaf.d_prime), origins, strict=True))
    both = a.noisy & b.noisy if a.shape == b.shape else ~_YES
    forms.followed &= bool(both.all())
    forms.released.append((a.take(np.flatnonzero(both)), b.take(np.flatnonzero(both))))
    if hides(leaf.d):
        return
    both = both if isinstance(leaf.d, _NUMERIC) else ~_YES
    differ = _differ(leaf.d, leaf.d_prime) & ~both
    varied = np.broadcast_to(varied if varied.size == differ.size else varied.any(), differ.shape)
    exact, other = np.flatnonzero(differ & ~varied), np.flatnonzero(differ & varied)
    if exact.size:
        forms.plain.append(_apart(leaf, int(exact[0])))
    if other.size:
        forms.notes.append(
            f"{_apart(leaf, int(other[0]))}, and another under other noise: how it is computed is "
            "not followed"
        )


def _forms(value: Any, origin: Origins) -> Linear:
    """Return the forms of the numbers of a leaf; of a text, of those that are noisy."""
    if isinstance(value, _NUMERIC):
        real = np.asarray(raw(value)).dtype.kind in "iuf"
        return origin.of(value) if real else constant(np.zeros(np.size(value)))
    return origin.in_text(_text(value))


def _differ(a: Any, b: Any) -> Truths:
    """Return of each number of two leaves of one form whether it differs."""
    one, other = _numbers(a), _numbers(b)
    if one.shape != other.shape:
        return _YES
    try:
        if one.dtype.kind == "f" and one.dtype == other.dtype and one.itemsize <= 8:
            # 0.0 and −0.0 are equal, and written as two numbers; NaN has a sign, too.
            bits = f"u{one.itemsize}"
            return np.asarray(one.view(bits) != other.view(bits))
        same = (one == other) | ((one != one) & (other != other))
        return ~np.asarray(same, dtype=bool)
    except Exception:  # Of objects whose comparison raises, or gives no truth.
        return _YES


def _numbers(value: Any) -> NDArray[Any]:
    """Return the numbers of a leaf, one after the other; those of a text before what is left."""
    if isinstance(value, np.ndarray | float | np.floating):
        return np.ravel(raw(value))
    if isinstance(value, str):
        held = [*(match[0] for match in NUMBER.finditer(value)), NUMBER.sub("…", value)]
    else:
        held = [raw(value), *([repr(value)] if is_shown(value) else [])]
    result = np.empty(len(held), dtype=object)
    for i, text in enumerate(held):
        result[i] = text  # A container is one element.
    return result


def _apart(leaf: Leaf, i: int) -> str:
    where, values = leaf.path, [leaf.d, leaf.d_prime]
    if isinstance(leaf.d, np.ndarray):
        where += f"[{i}]" if leaf.d.ndim == 1 else f" at flat place {i}"
        values = [np.ravel(raw(value))[i] for value in values]
    return "{} is {} under D and {} under D′".format(where, *map(_written, values))


def _written(value: Any) -> str:
    negative = isinstance(value, float | np.floating) and value != value and np.signbit(value)
    return "−" * bool(negative) + short(raw(value), 60)


def _parents(tape: Tape) -> dict[int, RecordedStep]:
    """Return for each derived variable the step that made it."""
    return {
        int(variable): step
        for step in tape.every_step()
        if step.kind == DERIVED
        for variable in step.form.variables.tolist()
    }


def _release_parents(
    forms: ReleasedForms,
    pair: tuple[Linear, Linear],
    parents: tuple[dict[int, RecordedStep], dict[int, RecordedStep]],
) -> None:
    """Release what a released number was computed from: it reveals no more.

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
            places = one.form.rows[np.isin(one.form.variables, variables)]
            for a, b in zip(one.parents, other.parents, strict=False):
                if a.shape == b.shape and a.shape == one.form.shape:
                    a, b = a.take(places), b.take(places)
                exact = ~(a.noisy | b.noisy) if a.shape == b.shape else slice(None)
                data = not np.array_equal(a.base[exact], b.base[exact], equal_nan=True)
                if data or other.moved:
                    forms.notes.append(
                        f"{one.site.words()}: data enter a number that is computed of noisy ones, "
                        "and how is not followed"
                    )
                if a.shape == b.shape:
                    forms.released.append((a, b))
                    waiting.update(a.variables.tolist())


def _same_steps(
    first: Tape, second: Tape, kinds: tuple[str, ...]
) -> Iterator[tuple[RecordedStep, RecordedStep]]:
    for (site, kind), there in first.steps.items():
        if kind in kinds:
            for a, b in zip(there, second.steps.get((site, kind), ()), strict=False):
                if a.form.shape == b.form.shape:
                    yield a, b


def _of_comparison(forms: ReleasedForms, a: RecordedStep, b: RecordedStep) -> None:
    outcome = np.broadcast_to(np.asarray(a.value, dtype=bool), a.form.shape).ravel()
    if a.kind in ("equal", "not_equal"):
        told = np.flatnonzero(outcome if a.kind == "equal" else ~outcome)
        if told.size:
            forms.equal.append((a.form.take(told), b.form.take(told)))
        return
    forms.compared.append((a.form, b.form, outcome if a.kind in _UP else ~outcome))
