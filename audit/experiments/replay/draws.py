"""What the random methods of numpy and ``random`` draw: which noise they add, and at what scale."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .linear import Linear, constant
from .noisy_values import form_of, noisy, raw
from .recording import Tape


@dataclass(frozen=True)
class Draws:
    """One method. parameters: its own before size, in order, with their defaults.

    family: of the noise it adds, empty where it adds none. loc, scale: of its parameters.
    """

    parameters: tuple[tuple[str, Any], ...] = ()
    family: str = ""
    loc: Callable[[Mapping[str, Any]], Any] = lambda _: 0.0
    scale: Callable[[Mapping[str, Any]], Any] = lambda _: 1.0


def _loc(given: Mapping[str, Any]) -> Any:
    return given["loc"]


def _scale(given: Mapping[str, Any]) -> Any:
    return given["scale"]


def _of_chance(given: Mapping[str, Any]) -> Any:
    """Return the scale of geometric noise: its chances fall by e a scale."""
    with np.errstate(all="ignore"):
        return -1 / np.log1p(-np.asarray(raw(given["p"]), dtype=float))


def _width(given: Mapping[str, Any]) -> Any:
    return np.subtract(raw(given["high"]), raw(given["low"]))


_LOC_SCALE = (("loc", 0.0), ("scale", 1.0))

NUMPY: dict[str, Draws] = {
    "laplace": Draws(_LOC_SCALE, "laplace", _loc, _scale),
    "normal": Draws(_LOC_SCALE, "gaussian", _loc, _scale),
    "logistic": Draws(_LOC_SCALE, "logistic", _loc, _scale),
    "gumbel": Draws(_LOC_SCALE, "gumbel", _loc, _scale),
    "standard_normal": Draws((), "gaussian"),
    "randn": Draws((), "gaussian"),
    "exponential": Draws((("scale", 1.0),), "exponential", scale=_scale),
    "standard_exponential": Draws((), "exponential"),
    "geometric": Draws((("p", None),), "exponential", scale=_of_chance),
    "uniform": Draws((("low", 0.0), ("high", 1.0)), "uniform", lambda g: g["low"], _width),
    "random": Draws((), "uniform"),
    "random_sample": Draws((), "uniform"),
    "rand": Draws((), "uniform"),
    "standard_cauchy": Draws((), "other"),
    "standard_t": Draws((("df", None),), "other"),
    "gamma": Draws((("shape", None), ("scale", 1.0)), "other"),
    "standard_gamma": Draws((("shape", None),), "other"),
    "beta": Draws((("a", None), ("b", None)), "other"),
    "chisquare": Draws((("df", None),), "other"),
    "lognormal": Draws((("mean", 0.0), ("sigma", 1.0)), "other"),
    "binomial": Draws((("n", None), ("p", None))),
    "poisson": Draws((("lam", 1.0),)),
    "multivariate_normal": Draws((("mean", None), ("cov", None)), "gaussian"),
    "dirichlet": Draws((("alpha", None),)),
    "multinomial": Draws((("n", None), ("pvals", None))),
    "integers": Draws((("low", None), ("high", None))),
    "randint": Draws((("low", None), ("high", None))),
    "choice": Draws((("a", None),)),
    "permutation": Draws((("x", None),)),
    "permuted": Draws((("x", None),)),
    "shuffle": Draws((("x", None),)),
    "bytes": Draws(()),
}
"""Methods of ``numpy.random.Generator`` and ``RandomState``."""

RANDOM: dict[str, Draws] = {
    "random": Draws((), "uniform"),
    "uniform": Draws((("low", 0.0), ("high", 1.0)), "uniform", lambda g: g["low"], _width),
    "gauss": Draws((("loc", 0.0), ("scale", 1.0)), "gaussian", _loc, _scale),
    "normalvariate": Draws((("loc", 0.0), ("scale", 1.0)), "gaussian", _loc, _scale),
    "expovariate": Draws((("p", 1.0),), "exponential", scale=lambda g: 1 / raw(g["p"])),
    "gammavariate": Draws((("shape", None), ("scale", None)), "other"),
    "betavariate": Draws((("a", None), ("b", None)), "other"),
    "lognormvariate": Draws((("mean", 0.0), ("sigma", 1.0)), "other"),
    "triangular": Draws((("low", 0.0), ("high", 1.0), ("mode", None)), "other"),
    "randint": Draws((("low", None), ("high", None))),
    "randrange": Draws((("low", None), ("high", None), ("step", 1))),
    "getrandbits": Draws((("k", None),)),
    "choice": Draws((("a", None),)),
    "choices": Draws((("a", None),)),
    "sample": Draws((("a", None),)),
    "shuffle": Draws((("x", None),)),
    "randbytes": Draws((("n", None),)),
}
"""Methods of ``random.Random``."""

_MOVING = {"choice", "choices", "sample", "permutation", "permuted", "shuffle"}
"""They give back what they are given: the order or the selection is the noise."""

_FOLLOWED = {"loc", "scale", "mean", "low", "high", "p"}
"""Arguments of noise that is added: its input and its scale, which are compared by themselves."""

_WIDEST = 100_000
"""Elements of an argument that are kept to be compared."""


def drawn(
    tape: Tape, owner: str, name: str, draws: Draws, real: Callable[..., Any], args: Any, kw: Any
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
    given = _given(draws, args, kw)
    family, scale, form = draws.family, None, constant(0.0)
    if family:
        try:
            scale, form = _noise(name, draws, given)
        except (TypeError, ValueError, KeyError):
            family = "other"
    numeric = isinstance(value, int | float | np.number) or (
        isinstance(value, np.ndarray) and value.dtype.kind in "iuf"
    )
    family = family if numeric else ""
    kept = {key: _kept(one) for key, one in given.items() if not (family and key in _FOLLOWED)}
    moves = (
        name in _MOVING and weights_of(name, kept) is None and not isinstance(kept.get("a"), int)
    )
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
    for key in keys.get(name, ()):
        held = arguments.get(key)
        if isinstance(held, list | tuple | np.ndarray):
            return held
    return None


def _noise(name: str, draws: Draws, given: Mapping[str, Any]) -> tuple[Any, Linear]:
    if name == "multivariate_normal":
        cov = np.asarray(raw(given["cov"]), dtype=float)
        if np.count_nonzero(cov - np.diag(np.diag(cov))):
            raise ValueError("correlated noise has no scale of its own in each column")
        return np.sqrt(np.diag(cov)), form_of(given["mean"])
    scale = np.asarray(raw(draws.scale(given)), dtype=float)
    return (scale if scale.ndim else float(scale)), form_of(draws.loc(given))


def _given(draws: Draws, args: Any, kw: Any) -> dict[str, Any]:
    """Return arguments by name; what stands after a method's own is ``size`` and the like."""
    names = [name for name, _ in draws.parameters]
    given = dict(draws.parameters)
    given |= dict(zip(names, args, strict=False))
    rest = list(args[len(names) :])
    given |= {f"argument {i + 1}": one for i, one in enumerate(rest) if one is not None}
    renamed = {"mu": "loc", "sigma": "scale", "lambd": "p", "population": "a", "seq": "a"}
    for key, one in kw.items():
        inner = renamed.get(key, key)
        given[inner if inner in names else key] = one
    return given


def _kept(value: Any) -> Any:
    """Return a copy of an argument, or for a large one what is cheap to compare."""
    value = raw(value)
    if isinstance(value, np.ndarray):
        return value.copy() if value.size <= _WIDEST else (value.shape, value.dtype.str)
    if isinstance(value, list | tuple):
        return type(value)(value) if len(value) <= _WIDEST else (type(value).__name__, len(value))
    if isinstance(value, range | int | float | str | bytes | bool | type(None) | np.generic):
        return value
    if isinstance(value, type) or math.inf == value:
        return value
    return f"a {type(value).__name__}"
