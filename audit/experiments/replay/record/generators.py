"""Random methods of numpy and ``random`` that record what they draw.

A table says of each method which noise it adds, and at what scale.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np

from provado.audit.experiments.replay.record.linear import Linear, constant
from provado.audit.experiments.replay.record.noisy_values import form_of, noisy, raw
from provado.audit.experiments.replay.record.recording import Tape

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

    def of(self, item: Any) -> Any:
        """Return a generator that draws from the same bits and records it."""
        if type(item) not in (_GENERATOR, _STATE):
            return item
        if id(item) not in self._known:
            legacy = type(item) is _STATE
            made = self.state(item._bit_generator) if legacy else self.generator(item.bit_generator)
            if legacy:
                # Half a pair of normal numbers may be waiting in it.
                made.set_state(item.get_state(legacy=False))
            # Both are kept, so that no other object gets the same id.
            self._known[id(item)] = made, item
        return self._known[id(item)][0]

    def default_rng(self, seed: Any = None) -> Any:
        """Do as ``numpy.random.default_rng``; a seed is noted."""
        if isinstance(seed, _GENERATOR):
            return self.of(seed)
        self.seeded("default_rng", seed)
        return self.generator(seed if _is_bits(seed) else np.random.PCG64(self.seed(seed)))

    def seed(self, seed: Any) -> Any:
        """Return a seed; where none is given, one that is the same in both runs of a pair."""
        if seed is not None:
            return raw(seed)
        self._unseeded += 1
        return [self._unseeded, 2**32 - 5 - self.tape.salt]

    def seeded(self, name: str, *seeds: Any) -> None:
        """Note what a generator is seeded with."""
        tape, plain = self.tape.live(), raw(seeds[0] if len(seeds) == 1 else seeds)
        if plain is None or (isinstance(plain, tuple) and not plain) or _is_bits(plain):
            return
        if tape.inside or tape.own.importing():
            return
        if isinstance(plain, np.random.SeedSequence):
            plain = plain.entropy
        tape.record(f"seed of {name}", None, {"seed": _comparable(plain)})

    def _class(self, name: str, base: Any) -> Any:
        recorders = self

        class Meta(type):
            def __instancecheck__(cls, value: Any) -> bool:
                return isinstance(value, base)

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


def _recording(
    tape: Tape, owner: str, method: str, draws: DrawMethod, base: Any
) -> Callable[..., Any]:
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
    result: dict[str, Any] = {}
    for name, draws in RANDOM.items():
        inherited = getattr(kind, name) if name in ("random", "getrandbits") else None
        real = vars(kind).get(name) or inherited
        if real is None:
            continue

        def record(
            self: Any,
            *args: Any,
            _real: Any = real,
            _name: str = name,
            _d: DrawMethod = draws,
            **kw: Any,
        ) -> Any:
            return drawn(tape, "random", _name, _d, lambda *a, **k: _real(self, *a, **k), args, kw)

        result[name] = record
    return result


def _is_bits(value: Any) -> bool:
    return isinstance(value, np.random.BitGenerator)


def _same(value: Any) -> Any:
    return value


def _plain_copy(value: Any, base: Any) -> Any:
    bits = value.bit_generator if base is _GENERATOR else value._bit_generator
    copied = type(bits)()
    copied.state = bits.state
    made = base(copied)
    if base is _STATE:
        made.set_state(value.get_state(legacy=False))
    return made


def _comparable(seed: Any) -> Any:
    return seed.copy() if isinstance(seed, np.ndarray) else seed


@dataclass(frozen=True)
class DrawMethod:
    """One method. parameters: its own before size, in order, with their defaults.

    family: of the noise it adds, empty where it adds none. loc, scale: of its parameters.
    """

    parameters: tuple[tuple[str, Any], ...] = ()
    family: str = ""
    loc: Callable[[Mapping[str, Any]], Any] = lambda _: 0.0
    scale: Callable[[Mapping[str, Any]], Any] = lambda _: 1.0


_loc, _scale, _low = itemgetter("loc"), itemgetter("scale"), itemgetter("low")


def _of_chance(arguments: Mapping[str, Any]) -> Any:
    """Return the scale of geometric noise: its chances fall by e a scale."""
    with np.errstate(all="ignore"):
        return -1 / np.log1p(-np.asarray(raw(arguments["p"]), dtype=float))


def _width(arguments: Mapping[str, Any]) -> Any:
    return np.subtract(raw(arguments["high"]), raw(arguments["low"]))


_LOC_SCALE = (("loc", 0.0), ("scale", 1.0))

NUMPY: dict[str, DrawMethod] = {
    "laplace": DrawMethod(_LOC_SCALE, "laplace", _loc, _scale),
    "normal": DrawMethod(_LOC_SCALE, "gaussian", _loc, _scale),
    "logistic": DrawMethod(_LOC_SCALE, "logistic", _loc, _scale),
    "gumbel": DrawMethod(_LOC_SCALE, "gumbel", _loc, _scale),
    **dict.fromkeys(("standard_normal", "randn"), DrawMethod((), "gaussian")),
    "exponential": DrawMethod((("scale", 1.0),), "exponential", scale=_scale),
    "standard_exponential": DrawMethod((), "exponential"),
    "geometric": DrawMethod((("p", None),), "exponential", scale=_of_chance),
    "uniform": DrawMethod((("low", 0.0), ("high", 1.0)), "uniform", _low, _width),
    **dict.fromkeys(("random", "random_sample", "rand"), DrawMethod((), "uniform")),
    "standard_cauchy": DrawMethod((), "other"),
    **dict.fromkeys(("standard_t", "chisquare"), DrawMethod((("df", None),), "other")),
    "gamma": DrawMethod((("shape", None), ("scale", 1.0)), "other"),
    "standard_gamma": DrawMethod((("shape", None),), "other"),
    "beta": DrawMethod((("a", None), ("b", None)), "other"),
    "lognormal": DrawMethod((("mean", 0.0), ("sigma", 1.0)), "other"),
    "binomial": DrawMethod((("n", None), ("p", None))),
    "poisson": DrawMethod((("lam", 1.0),)),
    "multivariate_normal": DrawMethod((("mean", None), ("cov", None)), "gaussian"),
    "dirichlet": DrawMethod((("alpha", None),)),
    "multinomial": DrawMethod((("n", None), ("pvals", None))),
    **dict.fromkeys(("integers", "randint"), DrawMethod((("low", None), ("high", None)))),
    "choice": DrawMethod((("a", None),)),
    **dict.fromkeys(("permutation", "permuted", "shuffle"), DrawMethod((("x", None),))),
    "bytes": DrawMethod(()),
    **dict.fromkeys(
        (
            *("f", "hypergeometric", "logseries", "multivariate_hypergeometric", "pareto", "power"),
            *("negative_binomial", "noncentral_chisquare", "noncentral_f", "rayleigh", "tomaxint"),
            *("random_integers", "triangular", "vonmises", "wald", "weibull", "zipf"),
        ),
        DrawMethod((), "other"),
    ),
}
"""Methods of ``numpy.random.Generator`` and ``RandomState``."""

RANDOM: dict[str, DrawMethod] = {
    "random": DrawMethod((), "uniform"),
    "uniform": DrawMethod((("low", 0.0), ("high", 1.0)), "uniform", _low, _width),
    **dict.fromkeys(("gauss", "normalvariate"), DrawMethod(_LOC_SCALE, "gaussian", _loc, _scale)),
    "expovariate": DrawMethod((("p", 1.0),), "exponential", scale=lambda g: 1 / raw(g["p"])),
    "gammavariate": DrawMethod((("shape", None), ("scale", None)), "other"),
    "betavariate": DrawMethod((("a", None), ("b", None)), "other"),
    "lognormvariate": DrawMethod((("mean", 0.0), ("sigma", 1.0)), "other"),
    "triangular": DrawMethod((("low", 0.0), ("high", 1.0), ("mode", None)), "other"),
    "randint": DrawMethod((("low", None), ("high", None))),
    "randrange": DrawMethod((("low", None), ("high", None), ("step", 1))),
    "getrandbits": DrawMethod((("k", None),)),
    **dict.fromkeys(("choice", "choices", "sample"), DrawMethod((("a", None),))),
    "shuffle": DrawMethod((("x", None),)),
    "randbytes": DrawMethod((("n", None),)),
}
"""Methods of ``random.Random``."""

MOVING = {"choice", "choices", "sample", "permutation", "permuted", "shuffle"}
"""They give back what they are given: the order or the selection is the noise."""

_FOLLOWED = {"loc", "scale", "mean", "low", "high", "p"}
"""Arguments of noise that is added: its input and its scale, which are compared by themselves."""

_WIDEST = 100_000
"""Elements of an argument that are kept to be compared."""


def drawn(
    tape: Tape,
    owner: str,
    name: str,
    draws: DrawMethod,
    real: Callable[..., Any],
    args: Any,
    kw: Any,
) -> Any:
    """Return what a random method draws, recorded, and frozen in a second run.

    It is drawn in any case, so that both runs use up as much randomness. What the method raises
    comes as it is.
    """
    tape = tape.live()
    with tape.library() as outside:
        value = real(*raw(tuple(args)), **raw(dict(kw)))
    if not outside or tape.full or tape.own.importing():
        return value
    arguments = _given(draws, args, kw)
    family, scale, form = draws.family, None, constant(0.0)
    if family:
        try:
            scale, form = _noise(name, draws, arguments)
        except (TypeError, ValueError, KeyError):
            family = "other"
    numeric = isinstance(value, int | float | np.number) or (
        isinstance(value, np.ndarray) and value.dtype.kind in "iuf"
    )
    family = family if numeric else ""
    kept = {
        key: _kept(item) for key, item in arguments.items() if not (family and key in _FOLLOWED)
    }
    moves = name in MOVING and weights_of(name, kept) is None and not isinstance(kept.get("a"), int)
    call, value = tape.record(
        *(f"{owner}.{name}", value, kept),
        family=family,
        scale=scale,
        freeze=not moves,
        base=form.base,
    )
    return noisy(tape, *tape.noisy_value(call, value, form)) if family else value


def weights_of(name: str, arguments: Mapping[str, Any]) -> Any:
    """Return the chances that a choice is made with, None where all are equal.

    name: of the method. numpy's takes them third after what it chooses among, Python's first.
    """
    keys = {"choice": ("p", "argument 3"), "choices": ("weights", "cum_weights", "argument 1")}
    held = (arguments.get(key) for key in keys.get(name, ()))
    return next((item for item in held if isinstance(item, list | tuple | np.ndarray)), None)


def _noise(name: str, draws: DrawMethod, arguments: Mapping[str, Any]) -> tuple[Any, Linear]:
    if name == "multivariate_normal":
        cov = np.asarray(raw(arguments["cov"]), dtype=float)
        if np.count_nonzero(cov - np.diag(np.diag(cov))):
            raise ValueError("correlated noise has no scale of its own in each column")
        return np.sqrt(np.diag(cov)), form_of(arguments["mean"])
    scale = np.asarray(raw(draws.scale(arguments)), dtype=float)
    return (scale if scale.ndim else float(scale)), form_of(draws.loc(arguments))


def _given(draws: DrawMethod, args: Any, kw: Any) -> dict[str, Any]:
    """Return arguments by name; what stands after a method's own is ``size`` and the like."""
    names = [name for name, _ in draws.parameters]
    arguments = dict(draws.parameters)
    arguments |= dict(zip(names, args, strict=False))
    rest = list(args[len(names) :])
    arguments |= {f"argument {i + 1}": item for i, item in enumerate(rest) if item is not None}
    renamed = {"mu": "loc", "sigma": "scale", "lambd": "p", "population": "a", "seq": "a"}
    for key, element in kw.items():
        inner = renamed.get(key, key)
        arguments[inner if inner in names else key] = element
    return arguments


def _kept(value: Any) -> Any:
    """Return a copy of an argument, or for a large one what is cheap to compare."""
    value = raw(value)
    if isinstance(value, np.ndarray):
        return value.copy() if value.size <= _WIDEST else (value.shape, value.dtype.str)
    if isinstance(value, list | tuple):
        return type(value)(value) if len(value) <= _WIDEST else (type(value).__name__, len(value))
    kinds = (range, int, float, str, bytes, bool, type(None), np.generic, type)
    whole = isinstance(value, kinds) or math.inf == value
    return value if whole else f"a {type(value).__name__}"
