"""Every generator that a mechanism may draw from, seeded block by block.

One seed gives a named stream for each mechanism, pair, phase and block. A mechanism may ignore the
``rng`` that it is given and draw from a generator of its own: an attribute, a closure, a global of
its module, the global ones of ``random`` and ``numpy.random``. Forked workers inherit such a
generator in one and the same state, so that without more they would all draw the same. So every
generator that lives in the process is seeded anew for each block, with a seed that follows from the
block alone: draws of different blocks are independent, whichever process they are made in, and an
audit replays by its seed.

What cannot be found this way (the state of a compiled library, a generator written by hand) is
what ``independence`` looks for.

``reached`` yields what a mechanism can reach: the objects it holds, and those that its code names.
"""

import contextlib
import functools
import gc
import random
import types
import zlib
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import compress
from typing import Any

import numpy as np

Seed = Callable[[np.random.Generator], None]


class GeneratorSet(list[Any]):
    """Generators that are held in this process by a mechanism, ``of``, or by others.

    On the way to another process they are left behind: those that are held there are found anew.
    """

    def __init__(self, found: Iterable[Any] = (), of: Any = None) -> None:
        super().__init__(found)
        self.of = of

    def __reduce__(self) -> tuple[Any, ...]:
        return persistent_generators, (self.of,)


_KINDS = (np.random.BitGenerator, np.random.RandomState, random.Random)


@contextlib.contextmanager
def seeding(held: GeneratorSet) -> Iterator[Seed]:
    """Yield a function that seeds these generators, from the one that it is given.

    They are put back as they were on the way out. Those that cannot be seeded are left alone.
    """
    before = [_state(item) for item in held]

    def seed(rng: np.random.Generator) -> None:
        seeds = rng.integers(2**63, size=len(held)).tolist()
        for item, number in zip(held, seeds, strict=True):
            _seed(item, number)

    try:
        yield seed
    finally:
        for element, state in zip(held, before, strict=True):
            _restore(element, state)


def held_generators(known: GeneratorSet | None = None, of: Any = None) -> GeneratorSet:
    """Return all generators of the process, the global ones first, then as they came into being.

    Found are those of ``random`` and ``numpy.random`` and of types derived from them. A
    ``Generator`` is there by its bit generator, which holds its whole state.

    known: those found before; a process of an audit looks only at what it made itself. of: the
    mechanism. Each generator is seeded by its place among them, and modules that are imported on
    the way bring their own: so those that the mechanism can reach come right after the global ones.
    """
    return GeneratorSet(_found(known, _ours(of))[0], of)


def persistent_generators(of: Any) -> GeneratorSet:
    """Return the same without those that nobody holds any more: their places would be chance."""
    ours = _ours(of)
    found, places = _found(None, ours)
    if all(id(item) in places or isinstance(item, random.SystemRandom) for item in found):
        return GeneratorSet(found, of)
    del found
    gc.collect()
    return GeneratorSet(_found(None, ours)[0], of)


def _kinds() -> set[type]:
    """Return the types of generators, with those derived from them."""
    kinds = set[type]()
    waiting = list[type](_KINDS)
    while waiting:
        kind = waiting.pop()
        kinds.add(kind)
        waiting += kind.__subclasses__()
    return kinds


def _ours(of: Any) -> list[Any]:
    """Return the generators that a mechanism reaches, those that the collector leaves alone too."""
    return [] if of is None else list(reached(of, _kinds()))


def _found(known: GeneratorSet | None, ours: Sequence[Any]) -> tuple[list[Any], dict[int, int]]:
    """Return all generators, and the places of the global ones and of those in reach, ``ours``."""
    globals_ = [random._inst, np.random.mtrand._rand]
    first: list[Any] = known or globals_
    kinds = _kinds()
    # Older generations of the collector first: this is the order in which objects were made,
    # whenever it ran. Reading the type alone runs no code of theirs.
    others = list[Any]()
    for age in (2, 1, 0):
        objects = gc.get_objects(age)
        others += compress(objects, map(kinds.__contains__, map(type, objects)))
    known_ones = set(map(id, first))
    inner = {
        id(_bits(item))
        for item in (*first, *ours, *others)
        if isinstance(item, np.random.RandomState)
    }
    there = {id(item): item for item in (*first, *ours, *others)}
    result = [item for at, item in there.items() if at in known_ones or at not in inner]
    places = {id(item): -1 for item in globals_}
    for place, our in enumerate(ours):
        places.setdefault(id(our), place)
    return sorted(result, key=lambda item: places.get(id(item), MOST_REACHED)), places


def _bits(random_state: np.random.RandomState) -> Any:
    return random_state._bit_generator


def _state(item: Any) -> Any:
    with contextlib.suppress(Exception):
        if isinstance(item, np.random.BitGenerator):
            return item.state
        if isinstance(item, random.Random):
            return item.getstate()
        return item.get_state(legacy=False), _bits(item).seed_seq
    return None


def _restore(value: Any, state: Any) -> None:
    with contextlib.suppress(Exception):
        if state is None:
            return
        if isinstance(value, np.random.BitGenerator):
            value.state = state
        elif isinstance(value, random.Random):
            value.setstate(state)
        else:
            value.set_state(state[0])
            # RandomState.seed() drops the seed sequence, which a proof reads.
            _bits(value).__setstate__((_bits(value).state, state[1]))


def _seed(value: Any, number: int) -> None:
    """Seed one generator, if its state can be put back and it takes a seed."""
    with contextlib.suppress(Exception):
        if isinstance(value, random.Random):
            value.seed(number)
        elif isinstance(value, np.random.BitGenerator):
            value.state = type(value)(np.random.SeedSequence(number)).state
        elif isinstance(bits := _bits(value), np.random.MT19937):
            # Setting a state takes longer than drawing a small block.
            np.random.RandomState.seed(value, [number & 0xFFFFFFFF, number >> 32])
        else:
            fresh = type(bits)(np.random.SeedSequence(number))
            value.set_state(np.random.RandomState(fresh).get_state(legacy=False))


EXPLORE, CERTIFY, FRESH, WORKERS, TIMED, SEQUENTIAL, SEARCH, ONE_RUN, LEARN_RUN = range(9)
"""Phases: samples that are discarded, samples that count, draws of processes that are compared
with each other (before the first call; as workers would), draws that only time is taken of, blocks
of a sequential audit, draws that a pair is chosen by, runs with many interventions: those that
count, those that are discarded."""


def generators(
    seed: int, name: str, pair: int, phase: int, block: int
) -> tuple[np.random.Generator, np.random.Generator, np.random.Generator]:
    """Return the generators of one block: for the coin, for do(D), for do(D′).

    They depend on nothing else: an audit that is added, or a block that runs in another worker,
    moves no other's samples.
    """
    coin, d, d_prime = (_stream(seed, name, pair, phase, block, part) for part in range(3))
    return coin, d, d_prime


def held_generator(seed: int, name: str, pair: int, phase: int, block: int) -> np.random.Generator:
    """Return the generator that seeds, for one block, those that the mechanism holds itself."""
    return _stream(seed, name, pair, phase, block, 3)


def _stream(
    seed: int, name: str, pair: int, phase: int, block: int, part: int
) -> np.random.Generator:
    key = (zlib.crc32(name.encode()), pair, phase, block, part)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


MOST_REACHED = 20_000
"""So many objects are followed at most; a mechanism may hold a whole dataset."""

_ATOMS = (str, bytes, int, float, complex, bool, type(None), np.ndarray, types.CodeType)


def reached(mechanism: Any, kinds: set[type]) -> Iterator[Any]:
    """Yield the objects of some kinds that a mechanism can reach, nearest first, each once.

    What such an object holds is its own affair.
    """
    return (object_ for object_ in objects(mechanism, leaves=kinds) if type(object_) in kinds)


def objects(
    mechanism: Any, *, leaves: Collection[type] = (), steps: int = MOST_REACHED
) -> Iterator[Any]:
    """Yield a mechanism and all that it can reach, nearest first, each once.

    Followed are attributes, containers, closures, defaults, partial applications, methods of its
    classes, and the globals that its code names, also those of modules. Nothing of it is run.

    leaves: types of which no object is followed. steps: how far from the mechanism.
    """
    waiting, seen = deque[tuple[Any, int]]([(mechanism, 0)]), {id(mechanism)}
    followed = 0
    while waiting and followed < MOST_REACHED:
        one, far = waiting.popleft()
        followed += 1
        yield one
        if type(one) in leaves or far == steps:
            continue
        for other in _held(one):
            # Its type alone is examined: asking what it is an instance of may run its code.
            if id(other) not in seen and not issubclass(type(other), _ATOMS):
                seen.add(id(other))
                waiting.append((other, far + 1))


def _held(value: Any) -> Iterator[Any]:
    kind = type(value)
    if issubclass(kind, np.random.Generator):
        yield value.bit_generator
    elif kind is types.FunctionType:
        yield from _of_function(value)
    elif kind is types.MethodType:
        yield from (value.__self__, value.__func__)
    elif kind is functools.partial:
        yield from (value.func, value.args, value.keywords)
    elif issubclass(kind, type):
        yield from (each for each in vars(value).values() if not issubclass(type(each), type))
    elif kind is not types.ModuleType:
        yield from (o for o in gc.get_referents(value) if type(o) is not types.ModuleType)


def _of_function(function: types.FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # It is not filled yet.
            continue
    yield from (function.__defaults__, function.__kwdefaults__)
    names = list(_names(function.__code__))
    for name in names:
        named = function.__globals__.get(name)
        if type(named) is types.ModuleType:
            yield named
            yield from (vars(named).get(other) for other in names)
        else:
            yield named


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _names(const)
