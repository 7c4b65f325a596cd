"""Noise as people call it: the functions of libraries that draw it, and where its scale stands.

No library is imported for this: names are those of objects that a user's module has imported.
"""

import inspect
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from provado.mechanisms.definitions import UsageError


@dataclass(frozen=True)
class LibraryNoise:
    """How a call draws noise.

    kind: of the noise: ``laplace``, ``gaussian``, ``exponential``, ``gumbel``,
        ``discrete_laplace`` (a whole number k with probability ∝ e^(−|k|/scale)) or ``geometric``
        (the number of trials up to the first success, with probability ``scale`` each).
    arguments: as Python writes them in a ``def``, with their defaults.
    scale, location: expressions of the arguments: the parameter of the noise, and what it is added
        to. then: the arguments, and before them the method, of a second call that draws; empty
        where the first one does.
    """

    kind: str
    arguments: str
    scale: str = "scale"
    location: str = "loc"
    then: str = ""

    @cached_property
    def signature(self) -> inspect.Signature:
        """The signature of the (first) call."""
        return _signature(self.arguments)

    def bind(self, args: Sequence[Any], options: Mapping[str, Any]) -> dict[str, Any]:
        """Return every argument by name, defaults among them; raises ``UsageError`` if it cannot.

        Arguments that change what is drawn, and are in no expression, must have their defaults.
        """
        bound = _bound(self.signature, args, options)
        used = f"{self.scale} {self.location}"
        for name, parameter in self.signature.parameters.items():
            free = name in used or name in _FREE
            if not free and bound[name] is not parameter.default and bound[name] != 0:
                raise UsageError(f"{name}={bound[name]!r} of {self.kind} noise is not followed")
        return bound

    def bind_second(self, args: Sequence[Any], options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of the second call by name."""
        return _bound(_signature(self.then.partition(":")[2]), args, options)

    @property
    def method(self) -> str:
        """The method of the second call; empty where the object itself is called."""
        return self.then.partition(":")[0]

    def value(self, expression: str, bound: Mapping[str, Any]) -> Any:
        """Return the value of ``scale`` or ``location`` for arguments."""
        return eval(expression, {"__builtins__": {}, "log": np.log, "sqrt": np.sqrt}, {**bound})


_FREE = ("size", "random_state", "input_domain", "input_metric", "MO")
"""Arguments that say how many are drawn, and from what: they are for the caller to judge."""


def _signature(arguments: str) -> inspect.Signature:
    return inspect.signature(eval(f"lambda {arguments}: None", {}))


def _bound(
    signature: inspect.Signature, args: Sequence[Any], options: Mapping[str, Any]
) -> dict[str, Any]:
    try:
        bound = signature.bind(*args, **options)
    except TypeError as error:
        raise UsageError(f"the arguments of the noise: {error}") from None
    bound.apply_defaults()
    return dict(bound.arguments)


_LOC_SCALE, _SIZE = "loc=0.0, scale=1.0, size=None", "size=None"
_OF_NUMPY = {
    "laplace": LibraryNoise("laplace", _LOC_SCALE),
    "normal": LibraryNoise("gaussian", _LOC_SCALE),
    "standard_normal": LibraryNoise("gaussian", _SIZE, "1", "0"),
    "exponential": LibraryNoise("exponential", "scale=1.0, size=None", location="0"),
    "standard_exponential": LibraryNoise("exponential", _SIZE, "1", "0"),
    "gumbel": LibraryNoise("gumbel", _LOC_SCALE),
    "geometric": LibraryNoise("geometric", "p, size=None", "p", "0"),
}
_RVS = "loc=0, scale=1, size=1, random_state=None"
_OF_SCIPY = {"laplace": "laplace", "norm": "gaussian", "expon": "exponential", "gumbel_r": "gumbel"}
_OPENDP = "input_domain, input_metric, scale, k=None, MO=None"
_DIFFPRIVLIB = "diffprivlib.mechanisms"

NOISE_CALLS: dict[str, LibraryNoise] = {
    **{f"numpy.random.{name}": noise for name, noise in _OF_NUMPY.items()},
    **{f"numpy.random.Generator.{name}": noise for name, noise in _OF_NUMPY.items()},
    "numpy.random.randn": LibraryNoise("gaussian", "", "1", "0"),
    "random.gauss": LibraryNoise("gaussian", "mu=0.0, sigma=1.0", "sigma", "mu"),
    "random.normalvariate": LibraryNoise("gaussian", "mu=0.0, sigma=1.0", "sigma", "mu"),
    "random.expovariate": LibraryNoise("exponential", "lambd=1.0", "1 / lambd", "0"),
    **{f"scipy.stats.{name}.rvs": LibraryNoise(kind, _RVS) for name, kind in _OF_SCIPY.items()},
    "scipy.stats.dlaplace.rvs": LibraryNoise(
        "discrete_laplace", "a, loc=0, size=1, random_state=None", "1 / a"
    ),
    "opendp.measurements.make_laplace": LibraryNoise("laplace", _OPENDP, "scale", "arg", ":arg"),
    "opendp.measurements.make_gaussian": LibraryNoise("gaussian", _OPENDP, "scale", "arg", ":arg"),
    f"{_DIFFPRIVLIB}.laplace.Laplace": LibraryNoise(
        "laplace",
        "*, epsilon, delta=0.0, sensitivity, random_state=None",
        "sensitivity / epsilon",
        "value",
        "randomise:value",
    ),
    f"{_DIFFPRIVLIB}.gaussian.Gaussian": LibraryNoise(
        "gaussian",
        "*, epsilon, delta, sensitivity, random_state=None",
        "sqrt(2 * log(1.25 / delta)) * sensitivity / epsilon",
        "value",
        "randomise:value",
    ),
    f"{_DIFFPRIVLIB}.geometric.Geometric": LibraryNoise(
        "discrete_laplace",
        "*, epsilon, sensitivity=1, random_state=None",
        "sensitivity / epsilon",
        "value",
        "randomise:value",
    ),
}
"""By dotted name. Methods of a generator of NumPy's are under ``numpy.random.Generator``; those of
its older ``RandomState`` are the functions of ``numpy.random``, as those of ``random.Random`` are
of ``random``. Arguments are in the order in which they are taken by position."""


def noise_call(value: Any) -> LibraryNoise | None:
    """Return how an object draws noise when it is called; ``None`` where it does not."""
    return NOISE_CALLS.get(dotted_name(value))


GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)
OF_MODULES: list[Any] = [vars(np.random.mtrand)["_rand"], vars(random)["_inst"]]
"""Those that NumPy and ``random`` keep for their functions, which are seeded by functions too."""

LEAST_SEED = 2**64
"""NumPy's own seeds are drawn from 2¹²⁸ numbers; a smaller one was written down."""

KNOWN = "noise from a seed is known to all who have it"


class FoundGenerators:
    """The generators that a function finds outside of itself."""

    def __init__(self) -> None:
        self._by_mark: dict[Any, Any] = {}

    def fault(self, generator: Any) -> str:
        """Return why the draws of one more generator may be known, or drawn twice; else nothing."""
        if type(generator) is random.SystemRandom:
            return ""
        if type(generator) not in GENERATORS:
            return f"{type(generator).__name__}, a kind of generator of its own, is not followed"
        if any(generator is item for item in OF_MODULES):
            return ""
        if isinstance(generator, random.Random):
            return (
                "a generator of random does not tell its seed, which may be known: pass it as an "
                "argument, or use random.SystemRandom()"
            )
        bits = getattr(generator, "_bit_generator", None) or generator.bit_generator
        sequence: Any = bits.seed_seq
        seed, place = getattr(sequence, "entropy", None), getattr(sequence, "spawn_key", ())
        if not isinstance(seed, int) or seed < LEAST_SEED:
            return KNOWN
        if not _is_of_its_seed(bits):
            return "the state of a generator may have been set, and be known: make it anew"
        for mark in ((seed, *place), repr(bits.state)):
            if self._by_mark.setdefault(mark, generator) is not generator:
                return "two generators may draw the same noise: use one"
        return ""


def _is_of_its_seed(bits: Any) -> bool:
    """Tell whether a generator comes to its state from its own seed, in fewer than 2⁶⁴ draws.

    Of draws of kinds other than PCG64 that is not known.
    """
    start, now = type(bits)(bits.seed_seq).state, bits.state
    if repr(start) == repr(now):
        return True
    if type(bits) is not np.random.PCG64 or start["state"]["inc"] != now["state"]["inc"]:
        return False
    # Its states are x, a·x + c, …: one binary place of their number after the other.
    a, c, x = _FACTOR, int(start["state"]["inc"]), int(start["state"]["state"])
    for place in range(64):
        if (x ^ int(now["state"]["state"])) >> place & 1:
            x = (x * a + c) % 2**128
        a, c = a * a % 2**128, (a + 1) * c % 2**128
    return x == int(now["state"]["state"])


_FACTOR = 0x2360ED051FC65DA44385DF649FCCF645
"""Of PCG64 (O'Neill 2014), as NumPy has it."""


def dotted_name(value: Any) -> str:
    """Return the name of a library's object by which ``NOISE_CALLS`` knows it; else nothing.

    The name is checked: the library finds the same object by it.
    """
    owner, name = getattr(value, "__self__", None), str(getattr(value, "__name__", ""))
    for kind, module in _OWNERS.items():
        if type(owner) is kind:
            own = getattr(value, "__func__", None) in (None, vars(kind).get(name))
            return f"{module}.{name}" if own else ""
    home, name = str(getattr(value, "__module__", "")), str(getattr(value, "__qualname__", ""))
    distribution = str(getattr(owner, "name", ""))
    if owner is not None and home.startswith("scipy.stats.") and name.endswith(".rvs"):
        known = getattr(sys.modules.get("scipy.stats"), distribution, None) is owner
        return f"scipy.stats.{distribution}.rvs" if known else ""
    if home.startswith("numpy.random."):
        home = "numpy.random"
    known = getattr(sys.modules.get(home), name, None) is value
    return f"{home}.{name}" if known else ""


_OWNERS: dict[type, str] = {
    np.random.RandomState: "numpy.random",
    np.random.Generator: "numpy.random.Generator",
    random.Random: "random",
}
