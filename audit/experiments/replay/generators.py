"""Generators of numpy that record what they draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .draws import NUMPY, RANDOM, Draws, drawn
from .noisy_values import raw
from .recording import Tape

_GENERATOR, _STATE = np.random.Generator, np.random.RandomState


class Recorders:
    """The classes that stand for numpy's while a run is recorded, and what makes them of others.

    made: every bit generator that is recorded.
    """

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.made: list[Any] = []
        self._unseeded = 0
        self._known: dict[int, Any] = {}
        self.generator = self._class("Generator", _GENERATOR)
        self.state = self._class("RandomState", _STATE)

    def of(self, one: Any) -> Any:
        """Return a generator that draws from the same bits and records it."""
        if type(one) not in (_GENERATOR, _STATE):
            return one
        if id(one) not in self._known:
            if type(one) is _GENERATOR:
                made: Any = self.generator(one.bit_generator)
            else:
                made = self.state(one._bit_generator)
                # Half a pair of normal numbers may be waiting in it.
                made.set_state(one.get_state(legacy=False))
            # Both are kept, so that no other object gets the same id.
            self._known[id(one)] = made, one
        return self._known[id(one)][0]

    def default_rng(self, seed: Any = None) -> Any:
        """Do as ``numpy.random.default_rng``; a seed is noted."""
        if isinstance(seed, _GENERATOR):
            return self.of(seed)
        self.seeded("default_rng", seed)
        return self.generator(seed if _is_bits(seed) else np.random.PCG64(self.seed(seed)))

    def seed(self, seed: Any) -> Any:
        """Return a seed; where none is given, one that is the same in both runs."""
        if seed is not None:
            return raw(seed)
        self._unseeded += 1
        return [self._unseeded, 2**32 - 5]

    def seeded(self, name: str, *seeds: Any) -> None:
        """Note what a generator is seeded with."""
        tape, plain = self.tape.live(), raw(seeds[0] if len(seeds) == 1 else seeds)
        if plain is None or plain == () or _is_bits(plain):
            return
        if tape.inside or tape.own.importing():
            return
        if isinstance(plain, np.random.SeedSequence):
            plain = plain.entropy
        tape.record(f"seed of {name}", None, {"seed": _comparable(plain)})

    def _class(self, name: str, base: Any) -> Any:
        recorders = self

        class Meta(type):
            def __instancecheck__(cls, one: Any) -> bool:
                return isinstance(one, base)

        def init(self: Any, bits: Any = None) -> None:
            if not _is_bits(bits):
                recorders.seeded(name, bits)
                bits = recorders.seed(bits) if base is _STATE else bits
            base.__init__(self, raw(bits))
            recorders.made.append(self.bit_generator if base is _GENERATOR else self._bit_generator)

        methods: dict[str, Any] = {
            "__init__": init,
            "__new__": lambda cls, *_args, **_kw: base.__new__(cls),
            "__reduce__": lambda self: (_same, (self,)),
            "__deepcopy__": lambda self, _: recorders.of(_plain_copy(self, base)),
            "__module__": base.__module__,
        }
        for method, draws in NUMPY.items():
            if hasattr(base, method):
                methods[method] = _recording(recorders.tape, name, method, draws, base)
        if base is _STATE:
            methods["seed"] = _reseeding(recorders, base)
        made = Meta(name, (base,), methods)
        made.__qualname__ = name
        return made


def _recording(tape: Tape, owner: str, method: str, draws: Draws, base: Any) -> Callable[..., Any]:
    real = getattr(base, method)

    def record(self: Any, *args: Any, **kwargs: Any) -> Any:
        return drawn(tape, owner, method, draws, lambda *a, **k: real(self, *a, **k), args, kwargs)

    record.__name__ = method
    return record


def _reseeding(recorders: Recorders, base: Any) -> Callable[..., Any]:
    def seed(self: Any, seed: Any = None) -> None:
        recorders.seeded("RandomState", seed)
        base.seed(self, raw(seed))

    return seed


def random_methods(tape: Tape, kind: type) -> dict[str, Any]:
    """Return recording methods for a class of ``random``, of those that it has itself."""
    found: dict[str, Any] = {}
    for name, draws in RANDOM.items():
        real = vars(kind).get(name) or (getattr(kind, name) if name == "random" else None)
        if real is None:
            continue

        def record(
            self: Any,
            *args: Any,
            _real: Any = real,
            _name: str = name,
            _d: Draws = draws,
            **kw: Any,
        ) -> Any:
            return drawn(tape, "random", _name, _d, lambda *a, **k: _real(self, *a, **k), args, kw)

        found[name] = record
    return found


def _is_bits(value: Any) -> bool:
    return isinstance(value, np.random.BitGenerator)


def _same(one: Any) -> Any:
    return one


def _plain_copy(one: Any, base: Any) -> Any:
    bits = one.bit_generator if base is _GENERATOR else one._bit_generator
    copied = type(bits)()
    copied.state = bits.state
    made = base(copied)
    if base is _STATE:
        made.set_state(one.get_state(legacy=False))
    return made


def _comparable(seed: Any) -> Any:
    if isinstance(seed, np.ndarray):
        return seed.copy()
    return seed
