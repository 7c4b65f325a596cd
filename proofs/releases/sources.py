"""What a function finds in place of NumPy, ``random``, ``math`` and the noise that it calls.

What stands for a data frame and its columns while a function of records is followed.

Of pandas' operations those are followed that mean the same of arrays: none that depends on an
index, and no variance without ``ddof``, which pandas and NumPy take for different ones.
"""

from __future__ import annotations

import builtins
import math
import os
import random
import secrets
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.programs import noise as primitives
from provado.mechanisms.programs.noise_calls import (
    GENERATORS,
    KNOWN,
    NOISE_CALLS,
    FoundGenerators,
    LibraryNoise,
    noise_call,
)
from provado.proofs.sensitivity.change.arrays import Following, SymbolicNumber
from provado.proofs.sensitivity.change.expression import depends_on_data
from provado.proofs.sensitivity.change.functions import in_place_of_ours
from provado.proofs.sensitivity.change.vectors import SymbolicVector, is_several
from provado.proofs.sensitivity.trace.python import Element, OurFunction
from provado.proofs.sensitivity.trace.run import in_place_of
from provado.proofs.sensitivity.trace.untraceable import Blocked, current, line_of_query, stop

from . import noise

KINDS: Mapping[str, noise.NoiseKind] = {
    "laplace": "Laplace",
    "discrete_laplace": "discrete Laplace",
    "gaussian": "Gaussian",
    "exponential": "exponential",
    "geometric": "geometric",
    "gumbel": "Gumbel",
}


class NoiseSource:
    """A generator, ``numpy.random``, ``random`` or a distribution: gives draws of noise.

    ``seed`` and what draws anything else than noise end the run.
    """

    def __init__(self, run: noise.ReleaseRun) -> None:
        self._run = run

    def __getattr__(self, name: str) -> Any:
        known = (NOISE_CALLS.get(f"{module}.{name}") for module in ("numpy.random", "random"))
        call = next((library_noise for library_noise in known if library_noise is not None), None)
        if name.startswith("__"):
            raise AttributeError(name)
        if call is None:
            raise stop(f"{name} of a source of noise is not followed")
        return partial(self.call, call)

    def __reduce_ex__(self, _: Any) -> Any:
        raise stop("a copy of a generator draws the same noise again: use the generator itself")

    def call(self, call: LibraryNoise, *args: Any, **options: Any) -> Any:
        """Return noise that a function of a library draws; of some, what draws it when called."""
        try:
            bound = call.bind(args, options)
        except UsageError as error:
            raise stop(str(error)) from None
        if not call.then:
            return self._bound(call, bound)
        return _Drawing(self, call, bound)

    def _bound(self, call: LibraryNoise, bound: Mapping[str, Any]) -> Any:
        if call.kind not in KINDS:
            raise stop(f"{call.kind} noise is not followed")
        # SciPy's size of 1 is no array.
        parameter = call.signature.parameters.get("size")
        size = bound.get("size")
        size = None if parameter is not None and parameter.default == size else size
        if isinstance(bound.get("random_state"), int):
            raise stop(KNOWN)
        # OpenDP's noise of whole numbers is discrete, with another δ(ε).
        of = bound.get("input_domain", 0.0)
        if of != 0.0 and str(getattr(of, "carrier_type", "")) not in ("f32", "f64"):
            raise stop(f"{call.kind} noise of OpenDP is followed of atom_domain(T=float)")
        scale, location = (call.value(e, bound) for e in (call.scale, call.location))
        return self.drawn(KINDS[call.kind], location, scale, size)

    def default_rng(self, seed: Any = None) -> NoiseSource:
        """Return itself: a generator whose seed is fixed is not private."""
        if seed is not None:
            raise stop(KNOWN)
        return self

    Generator = RandomState = Random = SystemRandom = default_rng

    def drawn(self, kind: noise.NoiseKind, location: Any, scale: Any, size: Any = None) -> Any:
        """Return noise added to a location, of which there may be several."""
        location, scale, size = (
            item.number() if isinstance(item, noise.Weight) else noise.settle(item)
            for item in (location, scale, size)
        )
        _once()
        if is_several(scale):
            raise stop("noise of several scales in one call is not followed")
        if isinstance(scale, SymbolicNumber) and depends_on_data(scale.value):
            raise stop("a scale of noise depends on the data")
        if noise.sign_of(scale) != 1:
            raise stop("a scale of noise may not be above 0")
        several = SymbolicVector.of(location)
        if size is None and several is not None:
            size = several.size
        if isinstance(size, tuple) and len(size) == 1:
            (size,) = size
        if size is None:
            result: Any = noise.NoiseDraw(self._run, kind, scale)
        elif isinstance(size, int | np.integer) and int(size) > 0:
            result = SymbolicVector(
                tuple(noise.NoiseDraw(self._run, kind, scale) for _ in range(int(size)))
            )
        else:
            raise stop(
                "as many draws as there are records, or of several dimensions, are not followed: "
                "draw with size=k for k numbers, a row at a time"
            )
        # A number of the data that happens to be 0 is one of NumPy's.
        return result if type(location) in (int, float) and location == 0 else location + result

    def choice(self, a: Any, size: Any = None, replace: Any = True, p: Any = None) -> Any:
        """Return one of ``a``: with probabilities e^(score) divided by their sum."""
        members = _members(a)
        _once()
        if size is not None or replace is not True:
            raise stop("several choices at once are not followed")
        if p is None:
            return self._run.unknown()
        return self._chosen(members, p, add_up=True)

    def choices(self, population: Any, weights: Any = None, *, k: Any = 1) -> Any:
        """Return a list of one of the population, as ``random`` does."""
        members = _members(population)
        _once()
        if k != 1:
            raise stop("several choices at once are not followed")
        if weights is None:
            return [self._run.unknown()]
        return [self._chosen(members, weights, add_up=False)]

    def _chosen(self, members: Sequence[Any], weights: Any, *, add_up: bool) -> Any:
        """Release a place, chosen with probability in proportion to weights e^score.

        Return what is there: its number in a range, else a number that stands for it, and for no
        place in another list.
        """
        cells = list(noise.settle(weights))
        if len(members) != len(cells):
            raise stop(f"{len(cells)} probabilities for {len(members)} that may be chosen")
        scores: list[Any]
        if all(isinstance(cell, int | float) for cell in cells):
            # Of data: probabilities, whose logarithms are scores.
            scores = [math.log(cell) if cell > 0 else -math.inf for cell in cells]
        elif all(isinstance(cell, noise.Weight) for cell in cells) and _alike(cells, add_up=add_up):
            scores = noise.scores_of(cells)
        else:
            raise stop("choice is followed with p = np.exp(scores) divided by its sum")
        one = noise.Release("Gumbel", tuple(scores), 1, line_of_query(), chosen=True)
        (place,) = self._run.release(one)
        if list(members) == list(range(len(cells))):
            return place
        return members[place] if len({*map(repr, members)}) < len(cells) else place + 0.5


class EqualDraws(NoiseSource):
    """A source whose draws are ``scales`` scales each, as plain numbers; of whole numbers 0."""

    def __init__(self, run: noise.ReleaseRun, scales: float) -> None:
        super().__init__(run)
        self._scales = scales

    def drawn(self, kind: noise.NoiseKind, location: Any, scale: Any, size: Any = None) -> Any:
        """Return a location with such a draw."""
        size = np.shape(location) if size is None else size
        times = 0 if kind in ("geometric", "discrete Laplace") else self._scales
        return location + (scale * times if size == () else np.full(size, scale * times))

    def _chosen(self, members: Sequence[Any], weights: Any, **_: Any) -> Any:
        return members[int(np.argmax(weights))]


def _members(several: Any) -> Sequence[Any]:
    """Return those that may be chosen, which must not hold any of the data."""
    several = noise.settle(several)
    if isinstance(several, int | np.integer):
        return range(int(several))
    several = several.tolist() if isinstance(several, np.ndarray) else several
    known = not isinstance(several, Blocked) and isinstance(several, Iterable)
    members: list[Any] = [*several] if known else [several]
    if any(map(_may_hold_data, members)):
        raise stop("a choice among what may depend on the data: choose a place, or a name")
    return members


def _may_hold_data(value: Any) -> bool:
    if isinstance(value, SymbolicNumber):
        return depends_on_data(value.value)
    if type(value) in (list, tuple):
        return any(map(_may_hold_data, value))
    return not isinstance(value, int | float | str | np.number | type(None))


def largest_place(run: noise.ReleaseRun, values: Any, *, least: bool = False) -> Any:
    """Return the place of the largest of numbers with noise; of others that came out, any."""
    cells = list(values) if isinstance(values, SymbolicVector | list | tuple) else None
    if cells is None or not any(
        isinstance(cell, noise.NoisyNumber | noise.NoiseDraw | SymbolicNumber) for cell in cells
    ):
        return (np.argmin if least else np.argmax)(values)
    parts = [cell.choose() if isinstance(cell, noise.NoisyNumber) else None for cell in cells]
    known = [part for part in parts if part is not None]
    if len(known) < len(cells):
        if known or any(
            depends_on_data(cell.value) for cell in cells if isinstance(cell, SymbolicNumber)
        ):
            raise stop("the place of the largest of numbers, some of them without noise")
        return run.unknown()
    kinds, scales = {kind for kind, _, _ in known}, {run.exactly(scale) for _, _, scale in known}
    kind = known[0][0]
    if len(kinds) > 1 or len(scales) > 1 or (least and kind != "Laplace"):
        raise stop("the place of the largest of numbers with noise of several kinds or scales")
    values = tuple(-value if least else value for _, value, _ in known)
    chosen = kind in noise.CHOOSING
    released = run.release(noise.Release(kind, values, known[0][2], line_of_query(), chosen=chosen))
    return released[0] if chosen else run.unknown()


def _alike(weights: Sequence[noise.Weight], *, add_up: bool) -> bool:
    """Tell whether weights were divided by one sum, or by none: by their own if they add up."""
    wholes = [None if weight.whole is None else sorted(map(id, weight.whole)) for weight in weights]
    own = sorted(map(id, noise.scores_of(weights)))
    return all(item == (own if add_up else wholes[0]) for item in wholes)


class _Distribution:
    """A distribution of SciPy's, of which draws are noise."""

    def __init__(self, source: NoiseSource, distribution: Any) -> None:
        self._source, self._distribution = source, distribution

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise stop("a distribution with its parameters is not followed: give them to rvs")

    def __getattr__(self, name: str) -> Any:
        result = getattr(self._distribution, name)
        if name != "rvs":
            return result
        call = noise_call(result)
        if call is None:
            raise stop("draws of this distribution of SciPy's are not followed")
        return partial(self._source.call, call)


def _once() -> None:
    if current().looping:
        raise stop("noise is drawn once for each record: local noise is not followed")


OTHER_DRAWS = (os.urandom, secrets.randbelow, secrets.choice, secrets.randbits, uuid.uuid4)


def _refused(name: str, *_: Any, **__: Any) -> Any:
    raise stop(f"what {name} draws is not followed")


class _Drawing:
    """A mechanism of a library, which adds noise once it is called."""

    def __init__(self, source: NoiseSource, call: LibraryNoise, bound: Mapping[str, Any]) -> None:
        self._source, self._call, self._bound = source, call, bound

    def __call__(self, *args: Any, **options: Any) -> Any:
        more = self._call.bind_second(args, options)
        return self._source._bound(self._call, {**self._bound, **more})

    def __getattr__(self, name: str) -> Any:
        if name != self._call.method:
            raise stop(f"{name} of a mechanism of a library is not followed")
        return self


EXACT = "sqrt log exp log2 log1p log10 expm1 pow fabs sin cos atan tanh"
"""Functions of ``math`` whose values are kept exactly."""


def stand_ins(run: noise.ReleaseRun, source: NoiseSource) -> Callable[[Any], Any]:
    """Return what a function finds in place of noise, of NumPy and of Python's own functions.

    In place of noise alone, where the source draws plain numbers.
    """
    plain_draws = isinstance(source, EqualDraws)
    pairs, generators = [] if plain_draws else in_place_of_ours(), FoundGenerators()
    pairs += [(np.random, source), (random, source), (secrets, source), (uuid, source)]
    pairs += [(draw, partial(_refused, draw.__name__)) for draw in OTHER_DRAWS]
    pairs += [(item, source.default_rng) for item in (np.random.default_rng, np.random.RandomState)]
    pairs += [(np.random.choice, source.choice), (random.choices, source.choices)]
    pairs += [
        (getattr(primitives, name), partial(source.drawn, kind, 0))
        for name, kind in KINDS.items()
        if hasattr(primitives, name)
    ]
    others: list[tuple[Any, Any]] = [
        (primitives.argmax, partial(_largest, run, np.argmax)),
        (np.argmax, partial(_largest, run, np.argmax)),
        (np.argmin, partial(_largest, run, np.argmin)),
        (np.exp, partial(_weights, np.exp)),
        (np.array, partial(_side_by_side, np.array)),
        (np.asarray, partial(_side_by_side, np.asarray)),
    ]
    if run.following is not None:
        others += [
            (getattr(math, name), partial(_exact, run.following, name)) for name in EXACT.split()
        ]
    names = ("int", "round", "float", "max", "min", "abs", "sum", "len", "any", "all")
    known = {id(item): made for item, made in pairs}
    others += [
        (item, _Builtin(item, partial(_public, run, name, known.get(id(item), item))))
        for name in names
        for item in [getattr(builtins, name)]
    ]
    ours = in_place_of(pairs if plain_draws else pairs + others)

    def found(value: Any) -> Any:
        if isinstance(value, type | BuiltinFunctionType) and value.__module__ == "builtins":
            return ours(value)  # No function of Python's own draws noise.
        drawing = value if isinstance(value, GENERATORS) else getattr(value, "__self__", None)
        if isinstance(drawing, GENERATORS) and (fault := generators.fault(drawing)):
            raise stop(fault)
        if isinstance(value, GENERATORS):
            return source
        if type(value).__module__.startswith("scipy.stats") and hasattr(value, "rvs"):
            return _Distribution(source, value)
        made = ours(value)
        plain = made is not value or type(value) is BuiltinFunctionType
        call = None if plain else noise_call(value)
        if call is not None:
            return partial(source.call, call)
        other = made is value and isinstance(drawing, GENERATORS)
        return getattr(source, str(value.__name__)) if other else made

    return found


class _Builtin(OurFunction):
    """A function of Python that takes what came out; ``float`` and ``int`` are types of arrays."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self.made(*args, **options)


def _public(
    run: noise.ReleaseRun, name: str, ours: Callable[..., Any], *values: Any, **options: Any
) -> Any:
    """Return what a function of Python makes of numbers that came out: another such number."""
    values = tuple(
        list(item.cells) if isinstance(item, SymbolicVector) else item
        for item in map(noise.settle, values)
    )
    first = values[0] if values else 0
    if not isinstance(first, SymbolicNumber) or name not in ("int", "round"):
        return ours(*values, **options)
    digits = (*values[1:], *options.values())
    plain = all(digit is None or type(digit) is int for digit in digits)
    if depends_on_data(first.value) or first.value.constant is not None or not plain:
        return ours(*values, **options)
    if run.is_place(first.value):
        return first
    finer = all(digit is None or digit >= 0 for digit in digits)
    return run.unknown(rounded=first.value) if finer else run.unknown()


def _side_by_side(original: Callable[..., Any], value: Any, *args: Any, **options: Any) -> Any:
    """Return several numbers, of which some stand for data, as a vector."""
    several = SymbolicVector.of(value)
    if several is None:
        return in_place_of(in_place_of_ours())(original)(value, *args, **options)
    if len(args) > 1 or options.keys() - {"dtype"}:
        raise stop(f"np.{original.__name__} of several numbers with more than dtype")
    dtype = [*args, options.get("dtype")][0]
    if dtype is not None and np.dtype(dtype) != np.float64:
        return several.astype(dtype)
    return several.copy() if original is np.array else several


def _weights(original: Callable[..., Any], value: Any, **options: Any) -> Any:
    """Return e^value; of numbers that depend on the data, weights as well."""
    value = noise.settle(value)
    if isinstance(value, SymbolicVector):
        return SymbolicVector(tuple(_weights(original, cell) for cell in value.cells))
    known = isinstance(value, SymbolicNumber) and value.value.constant is None
    return noise.Weight(value) if known and not options else original(value, **options)


def _largest(
    run: noise.ReleaseRun, original: Callable[..., Any], values: Any, axis: Any = None
) -> Any:
    """Return the place of the largest of numbers with noise, or of the least."""
    if axis not in (None, 0, -1):
        return original(values, axis)
    return largest_place(run, values, least=original is np.argmin)


def _exact(following: Following, name: str, *values: Any) -> Any:
    """Return what a function of ``math`` makes of exact numbers."""
    values = tuple(map(noise.settle, values))
    if any(isinstance(value, Element) for value in values):
        # Of each record's value, as where nothing is released.
        return in_place_of(in_place_of_ours())(getattr(math, name))(*values)
    result = [exact_number(value, following) for value in values]
    standing = [number for number in result if number is not None]
    if len(standing) < len(values):
        return getattr(math, name)(*values)
    if name == "log" and len(standing) == 2:
        return np.log(standing[0]) / np.log(standing[1])
    if name == "exp":
        return _weights(np.exp, standing[0])
    known = {"pow": "power", "atan": "arctan"}.get(name, name)
    return getattr(np, known)(*standing)


def exact_number(value: Any, following: Following) -> SymbolicNumber | None:
    """Return a plain number as one that is kept exactly; one that stands for data as it is."""
    return value if isinstance(value, SymbolicNumber) else following.constant(value)
