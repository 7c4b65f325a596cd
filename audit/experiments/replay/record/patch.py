"""Put recorders where a program has its random methods, for a while.

``noise`` marks a function of the user's own that adds noise, so that a replay knows it, too.
"""

from __future__ import annotations

import builtins
import contextlib
import dis
import functools
import inspect
import json
import math
import random
import sys
import types
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from provado.audit.experiments.replay.record import noisy_values
from provado.audit.experiments.replay.record.functions import array_of, noisy_in
from provado.audit.experiments.replay.record.generators import NUMPY, Recorders, random_methods
from provado.audit.experiments.replay.record.libraries import library_swaps
from provado.audit.experiments.replay.record.recording import FAMILIES, Own, Tape
from provado.audit.target.random_state import GeneratorSet, objects, persistent_generators
from provado.mechanisms import UsageError

_MATH = (
    *("log", "log1p", "log2", "log10", "exp", "expm1", "sqrt", "fabs", "copysign", "pow"),
    *("sin", "cos", "tan", "tanh", "atan", "erf", "isnan", "isfinite", "isinf"),
)

_CALLED = {"float": "float of a replay", "int": "int of a replay"}
"""Types that give plain numbers when they are called, and what is called instead."""

_OF_LISTS = ("argmax", "argmin", "max", "min", "amax", "amin", "sum", "mean", "argsort", "sort")

_NOISY = (noisy_values.NoisyFloat, noisy_values.NoisyInt)


@dataclass(frozen=True, eq=False)
class ReachableState:
    """What there was before the first run: what the mechanism can reach, and every generator."""

    reached: tuple[Any, ...]
    generators: GeneratorSet

    @classmethod
    def of(cls, mechanism: Any) -> ReachableState:
        """Find them."""
        return cls(tuple(objects(mechanism)), persistent_generators(of=mechanism))


@contextlib.contextmanager
def recording(tape: Tape, places: ReachableState) -> Iterator[tuple[Recorders, list[str]]]:
    """Record on a tape what is drawn meanwhile; yield the recorders, and what was drawn unseen.

    Found are the functions and classes of ``numpy.random`` and ``random`` in their modules and in
    those of the user, generators that the mechanism can reach, the functions that the user marks,
    and the libraries that are imported. The list of what drew unseen is filled on the way out.
    """
    recorders, unseen = Recorders(tape), list[str]()
    held = [item for item in places.generators if isinstance(item, np.random.BitGenerator)]
    before = [_state(bit_generator) for bit_generator in held]
    with contextlib.ExitStack() as undo:
        swaps: Swaps = {}
        swap = functools.partial(_swap, swaps, undo)
        _numpy_swaps(recorders, swap)
        _random_swaps(tape, swap, undo)
        _function_swaps(tape, swap, undo)
        library_swaps(tape, undo)
        _in_own_places(places, tape.own, swaps, recorders, undo)
        ACTIVE.append(tape)
        undo.callback(ACTIVE.remove, tape)
        yield recorders, unseen
        # What libraries have kept of the recorders draws without recording from here on.
        tape.inside = True
    known = {id(item) for item in recorders.made}
    for element, state in zip(held, before, strict=True):
        if id(element) not in known and _state(element) != state:
            unseen.append(
                f"a generator ({type(element).__name__}) that was not found beforehand drew"
            )


def _state(value: Any) -> str:
    with contextlib.suppress(Exception):
        return repr(value.state)
    return ""


def put(undo: contextlib.ExitStack, owner: Any, name: str, value: Any) -> None:
    """Set an attribute, to be put back as it was."""
    missing = object()
    old = vars(owner).get(name, missing)
    setattr(owner, name, value)
    undo.callback(*((delattr, owner, name) if old is missing else (setattr, owner, name, old)))


Swaps = dict[int, tuple[Any, Any]]
"""What stands for another object, by the id of that one, which is kept with it."""


def _swap(swaps: Swaps, undo: contextlib.ExitStack, owner: Any, name: str, value: Any) -> None:
    old = getattr(owner, name)
    swaps[id(old)] = old, value
    put(undo, owner, name, value)


def _numpy_swaps(recorders: Recorders, swap: Callable[..., None]) -> None:
    place, mtrand = np.random, np.random.mtrand
    state = recorders.of(mtrand._rand)
    swap(place, "default_rng", recorders.default_rng)
    swap(place, "Generator", recorders.generator)
    swap(place, "RandomState", recorders.state)
    swap(mtrand, "_rand", state)
    for name in (*NUMPY, "seed"):
        if hasattr(place, name):
            swap(place, name, getattr(state, name))


def _random_swaps(tape: Tape, swap: Callable[..., None], undo: contextlib.ExitStack) -> None:
    for kind in (random.SystemRandom, random.Random):
        for name, method in random_methods(tape, kind).items():
            put(undo, kind, name, method)
    for name in random_methods(tape, random.Random):
        if getattr(random, name, None) is not None:
            swap(random, name, getattr(random._inst, name))


def _function_swaps(tape: Tape, swap: Callable[..., None], undo: contextlib.ExitStack) -> None:
    """Let functions that would read noisy numbers as plain ones see what they are."""
    plain_array = np.array
    for name in ("array", "asarray", "asanyarray", "ascontiguousarray"):
        real = getattr(np, name)

        def make(values: Any, *args: Any, _real: Any = real, **kwargs: Any) -> Any:
            if type(values) in (list, tuple) and values and not tape.inside:
                return array_of(tape, _real, values, *args, **kwargs)
            if isinstance(values, noisy_values.NoisyArray) and values._form is not None:
                kind = kwargs.get("dtype", args[0] if args else None)
                if kind is not None:
                    return values.astype(kind)
                return values.copy() if _real is plain_array else values
            return _real(values, *args, **kwargs)

        swap(np, name, functools.wraps(real)(make))
    for name in _OF_LISTS:
        real = getattr(np, name)

        def listed(values: Any, *args: Any, _real: Any = real, **kwargs: Any) -> Any:
            if type(values) in (list, tuple):
                with contextlib.suppress(ValueError, TypeError):
                    return _real(np.asarray(values), *args, **kwargs)
            return _real(values, *args, **kwargs)

        swap(np, name, functools.wraps(real)(listed))
    for name in _MATH:
        real = getattr(math, name)

        def compute(*values: Any, _real: Any = real, _name: str = name) -> Any:
            if any(isinstance(value, _NOISY) for value in values):
                return noisy_values.combined(tape, f"math.{_name}", _real, *values)
            return _real(*values)

        swap(math, name, functools.wraps(real)(compute))

    def dumps(values: Any, *args: Any, _real: Any = json.dumps, **kwargs: Any) -> Any:
        for item in noisy_in(values):
            str(item)  # C writes it without asking.
        return _real(values, *args, **kwargs)

    swap(json, "dumps", functools.wraps(json.dumps)(dumps))

    def converted(kind: type, *args: Any, **kwargs: Any) -> Any:
        one = args[0] if len(args) == 1 and not kwargs else None
        one = one.item() if isinstance(one, noisy_values.NoisyArray) and one.size == 1 else one
        if not isinstance(one, _NOISY):
            return kind(*args, **kwargs)
        same = kind is float or isinstance(one, noisy_values.NoisyInt)
        return noisy_values.combined(tape, "positive" if same else "int", kind, one)

    for kind, name in ((float, _CALLED["float"]), (int, _CALLED["int"])):
        put(undo, builtins, name, functools.partial(converted, kind))


def _following(code: types.CodeType, called: Collection[str]) -> types.CodeType:
    """Return code in which calls of ``float`` and ``int`` give numbers that can be followed.

    Other uses of the two names, as a type of data, stay as they are. called: those of the two that
    are the built-in ones.
    """
    names, changed = [*code.co_names], bytearray(code.co_code)
    for item in dis.get_instructions(code):
        # An odd argument calls what it loads; a larger one has a prefix.
        asked = (item.opname == "LOAD_GLOBAL" and item.argval in called and item.arg) or 0
        if asked & 1 and asked < 256 and len(names) < 128:
            names.append(_CALLED[item.argval])
            changed[item.offset + 1] = 2 * len(names) - 1
    consts = [_following(c, called) if isinstance(c, types.CodeType) else c for c in code.co_consts]
    return code.replace(co_code=bytes(changed), co_names=tuple(names), co_consts=tuple(consts))


def _in_own_places(
    places: ReachableState, own: Own, swaps: Swaps, recorders: Recorders, undo: contextlib.ExitStack
) -> None:
    """Change what the user's modules and the mechanism hold themselves."""

    def other(value: Any) -> Any:
        if id(value) in swaps:
            return swaps[id(value)][1]
        return recorders.of(value)

    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(module, types.ModuleType) and isinstance(file, str) and own.file(file):
            _in_mapping(vars(module), other, undo)
    seen = set[int]()
    for one in places.reached:
        if isinstance(one, types.FunctionType):
            if own.holds(one.__code__):
                if id(one.__globals__) not in seen:
                    seen.add(id(one.__globals__))
                    _in_mapping(one.__globals__, other, undo)
                _in_function(one, other, undo)
        elif type(one) is dict:
            _in_mapping(one, other, undo)
        elif type(one) is list:
            for place, value in enumerate(one):
                if other(value) is not value:
                    one[place] = other(value)
                    undo.callback(one.__setitem__, place, value)
        else:
            held = getattr(one, "__dict__", None)
            if type(held) is dict and not isinstance(one, type | types.ModuleType):
                _in_mapping(held, other, undo)


def _in_mapping(
    held: dict[Any, Any], other: Callable[[Any], Any], undo: contextlib.ExitStack
) -> None:
    for key, value in list(held.items()):
        changed = other(value)
        if changed is not value:
            held[key] = changed
            undo.callback(held.__setitem__, key, value)


def _in_function(
    function: types.FunctionType, other: Callable[[Any], Any], undo: contextlib.ExitStack
) -> None:
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):
            value = cell.cell_contents
            if other(value) is not value:
                cell.cell_contents = other(value)
                undo.callback(setattr, cell, "cell_contents", value)
    undo.callback(setattr, function, "__code__", function.__code__)
    function.__code__ = _following(function.__code__, _CALLED.keys() - function.__globals__)
    defaults = function.__defaults__
    if defaults and any(other(default) is not default for default in defaults):
        function.__defaults__ = tuple(map(other, defaults))
        undo.callback(setattr, function, "__defaults__", defaults)
    if function.__kwdefaults__:
        _in_mapping(function.__kwdefaults__, other, undo)


F = TypeVar("F", bound=Callable[..., Any])

ACTIVE: list[Tape] = []
"""The tape of the run that goes on, where one does."""


def noise(
    *,
    scale: float | str | Callable[..., float],
    sensitivity: float | str | Callable[..., float] | None = None,
    family: str = "laplace",
) -> Callable[[F], F]:
    """Mark a function as one that adds noise to its first argument, for counterfactual replays.

    scale: of the noise: a number, the name of a parameter, or a function of all arguments.
    sensitivity: by how much the first argument may move between neighbors, given in the same ways.
    family: ``"laplace"``, ``"gaussian"``, ``"exponential"`` (one-sided, geometric noise too),
        ``"gumbel"``, ``"logistic"``, ``"uniform"``, or ``"other"``.

    A replay takes what the function returns for its first argument plus noise of that scale. What
    it draws inside is its own affair. Without a replay the function is called as it is.

    Raises ``UsageError`` for an unknown family.
    """
    if family not in FAMILIES:
        raise UsageError(f"family is {family!r}: it must be one of {', '.join(FAMILIES)}")

    def mark(function: F) -> F:
        signature = inspect.signature(function)
        for stated in (scale, sensitivity):
            if isinstance(stated, str) and stated not in signature.parameters:
                raise UsageError(f"noise: {function.__qualname__} has no parameter {stated!r}")

        @functools.wraps(function)
        def marked(*args: Any, **kwargs: Any) -> Any:
            if not ACTIVE or ACTIVE[-1].inside:
                return function(*args, **kwargs)
            tape = ACTIVE[-1]
            with tape.library():
                value = function(*noisy_values.raw(args), **noisy_values.raw(kwargs))
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            return _noted(tape, function, value, bound.arguments)

        return marked  # type: ignore[return-value]

    def _noted(tape: Tape, function: Any, value: Any, arguments: dict[str, Any]) -> Any:
        first = next(iter(arguments.values()))
        try:
            noisy_values.form_of(first), noisy_values.form_of(value)
        except TypeError:
            return value  # It is no noise on numbers.
        call, value = tape.record(
            function.__qualname__,
            value,
            {},
            family=family,
            scale=_stated(scale, arguments),
            sensitivity=None if sensitivity is None else float(_stated(sensitivity, arguments)),
        )
        return noisy_values.noisy(tape, *tape.noisy_value(call, value, noisy_values.form_of(first)))

    return mark


def _stated(stated: Any, arguments: dict[str, Any]) -> Any:
    if isinstance(stated, str):
        stated = arguments[stated]
    elif callable(stated):
        stated = stated(**arguments)
    value = np.asarray(noisy_values.raw(stated), dtype=float)
    return value if value.ndim else float(value)
