"""Checks of parameters: each returns the value in one type, or raises a ``UsageError``.

The message names the object, the value and the rule that it broke. Packages that only some commands
need are imported here too: each comes with an extra of the installation.
"""

import importlib
import math
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import NDArray


class UsageError(ValueError):
    """An argument, dataset or configuration breaks a stated rule; the message names all three."""


class NotNeighborsError(UsageError):
    """Two datasets are not neighbors under the relation that was given for them."""


def real(value: Any, name: str) -> float:
    """Return a number as a float; raise ``UsageError`` for a text, a truth value and what is none.

    ``float`` alone would take ``"1"`` and ``True`` for 1.
    """
    kind = type(value).__name__
    if (
        not isinstance(value, str | bytes | bytearray | bool)
        and getattr(value, "dtype", None) != np.bool_
    ):
        try:
            return float(value)
        except OverflowError:
            rule = "it must be a number that a double holds"
            raise UsageError(f"{name} is beyond 10^308 in size: {rule}") from None
        except (TypeError, ValueError):
            pass
    rule = f"it must be a number, not of type {kind}"
    rule += "; write math.log(3) for ln(3)" * (kind == "str")
    raise UsageError(f"{name} is {value!r:.120}: {rule}")


def positive(value: float, name: str) -> float:
    """Return ``value`` as a float; raise ``UsageError`` unless it is finite and above 0."""
    number = real(value, name)
    if not (math.isfinite(number) and number > 0):
        raise UsageError(f"{name} is {value!r}: it must be a finite number above 0")
    return number


def as_written(value: float) -> Fraction:
    """Return a finite float as it is written: 0.1 is one tenth. No two floats give the same."""
    simple = Fraction(value).limit_denominator(10**6)
    return simple if float(simple) == value else Fraction(repr(float(value)))


def check_epsilon(epsilon: float, name: str = "epsilon") -> float:
    """Return ``epsilon`` as a float, or raise ``UsageError`` unless it is finite and above 0."""
    return positive(epsilon, name)


def check_delta(delta: float, name: str = "delta") -> float:
    """Return ``delta`` as a float, or raise ``UsageError`` unless it lies in [0, 1)."""
    value = real(delta, name)
    if not 0 <= value < 1:
        raise UsageError(f"{name} is {delta!r}: it must lie in [0, 1)")
    return value


def check_claimed(epsilon: float, delta: float) -> float:
    """Return ``epsilon`` as a float; it may be 0 where δ is positive, a claim of total variation.

    Raises ``UsageError`` for any other that is not finite and above 0.
    """
    return 0.0 if delta > 0 and epsilon == 0 else check_epsilon(epsilon)


def rational(value: Rational | int | float, name: str) -> Fraction:
    """Return ``value`` > 0 as an exact fraction; of a float, the binary number that it holds."""
    try:
        number = Fraction(value)
    except (TypeError, ValueError, OverflowError):
        number = Fraction(0)
    if number <= 0:
        raise UsageError(f"{name} is {value!r}: it must be a finite rational number above 0")
    return number


def probability(value: float, name: str) -> float:
    """Return ``value`` as a float; raise ``UsageError`` unless it lies strictly in (0, 1)."""
    number = real(value, name)
    if not 0 < number < 1:
        raise UsageError(f"{name} is {value!r}: it must lie strictly between 0 and 1")
    return number


def natural(value: int, name: str) -> int:
    """Return ``value`` as an int; raise ``UsageError`` unless it is a whole number from 1 on."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 1:
        raise UsageError(f"{name} is {value!r}: it must be a whole number, at least 1")
    return int(value)


def power_of_two(value: float, name: str) -> float:
    """Return ``value`` as a float; raise ``UsageError`` unless it is 2^k for a whole number k.

    Division by such a number is exact in floating point.
    """
    number = positive(value, name)
    if math.frexp(number)[0] != 0.5:
        raise UsageError(f"{name} is {value!r}: it must be a power of two, such as 2**-10")
    return number


def answers(value: Any, name: str) -> NDArray[np.float64]:
    """Return a number or an array of numbers as float64; raise ``UsageError`` unless all finite."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.asarray(np.nan)
    if not np.all(np.isfinite(array)):
        raise UsageError(f"{name} is {value!r}: it must be a finite number or an array of them")
    return array


def vector(value: Any, name: str) -> NDArray[np.float64]:
    """Return a non-empty vector of finite numbers; anything else raises ``UsageError``."""
    array = answers(value, name)
    if array.ndim != 1 or not array.size:
        raise UsageError(f"{name} is {value!r}: it must be a vector of at least one number")
    return array


def integers(value: Any, name: str) -> NDArray[np.int64]:
    """Return whole numbers below 2^62 in size as int64; anything else raises ``UsageError``."""
    array = np.asarray(value)
    if array.dtype.kind in "biu":
        exact = array
    else:
        exact = answers(value, name)
        if np.any(exact != np.floor(exact)):
            raise UsageError(f"{name} is {value!r}: it must hold whole numbers only")
    if np.any(np.abs(exact.astype(np.float64)) >= 2.0**62):
        raise UsageError(f"{name} is {value!r}: it must stay below 2**62 in size")
    return exact.astype(np.int64)


def optional(module: str, purpose: str, extra: str) -> Any:
    """Return a module that an extra installs; raise ``UsageError`` where it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        library = module.partition(".")[0].replace("_", "-")
        raise UsageError(f"{purpose} needs {library}: pip install 'provado[{extra}]'") from error
