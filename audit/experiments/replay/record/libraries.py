"""Releases of OpenDP, diffprivlib and PyDP as noise primitives of a replay.

Only libraries that are imported already are touched. What a release costs is what the library
itself accounts for inputs that far apart.
"""

import contextlib
import functools
import math
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from provado.mechanisms.adapters.opendp import RECORDS
from provado.mechanisms.definitions.relation import record_key, records

from .noisy_values import form_of, noisy, raw
from .recording import Charge, Charged, Tape

LIBRARIES = {
    "opendp": "opendp.core",
    "diffprivlib": "diffprivlib.mechanisms",
    "pydp": "pydp.algorithms",
}
"""The module of each library whose functions are recorded."""


def library_swaps(tape: Tape, undo: contextlib.ExitStack) -> None:
    """Record the releases of the libraries that are imported, until ``undo`` is closed."""
    if "opendp.core" in sys.modules:
        _opendp(tape, undo, sys.modules["opendp.core"])
    if "diffprivlib.mechanisms" in sys.modules:
        _diffprivlib(tape, undo, sys.modules["diffprivlib.mechanisms"])
    if "pydp.algorithms" in sys.modules:
        _pydp(tape, undo)


def _outermost(
    tape: Tape, undo: contextlib.ExitStack, owner: Any, name: str, noted: Callable[..., Any]
) -> None:
    """Record the calls of a release that come from outside.

    noted: keeps one, of what was drawn and the arguments; returns what the call is to give.
    """
    real = vars(owner)[name]

    def release(this: Any, *args: Any, **kwargs: Any) -> Any:
        with tape.library() as outside:
            drawn = real(this, *raw(args), **raw(kwargs))
        return noted(drawn, this, *args, **kwargs) if outside else drawn

    setattr(owner, name, release)
    undo.callback(setattr, owner, name, real)


def _opendp(tape: Tape, undo: contextlib.ExitStack, core: Any) -> None:
    def noted(value: Any, this: Any, arg: Any) -> Any:
        name = "opendp measurement"
        if isinstance(arg, int | float) and _is_pure(this):
            unit = _cost(this, 1, this.input_distance_type)
            if unit.epsilon:
                return _added(tape, name, arg, value, 1 / unit.epsilon, "laplace", None)
        charge = _opendp_charge(this)
        return tape.record(name, value, {"input": _kept(arg)}, charge=charge)[1]

    _outermost(tape, undo, core, "measurement_invoke", noted)


def _is_pure(measurement: Any) -> bool:
    return str(measurement.output_measure) == "MaxDivergence"


def _opendp_charge(measurement: Any) -> Charge:
    def charge(first: Any, second: Any) -> Charged:
        metric = str(measurement.input_metric).split("(")[0]
        move = _distance(metric, first, second)
        if move is None:
            return Charged(None, None, math.nan, f"under {metric}")
        if not math.isfinite(move):
            return Charged(math.inf, None, move, metric)
        return _cost(measurement, move, measurement.input_distance_type)

    return charge


def _cost(measurement: Any, move: float, kind: str) -> Charged:
    """Return what the library says for inputs that far apart."""
    words = str(measurement.input_metric).split("(")[0]
    try:
        cost = measurement.map(math.ceil(move) if kind[:1] in "iu" else float(move))
    except Exception:  # A map may refuse a distance, or overflow.
        return Charged(None, None, move, words)
    if isinstance(cost, tuple):
        cost = cost[0]
    if not isinstance(cost, int | float):
        return Charged(None, None, move, words)
    if "Concentrated" in str(measurement.output_measure):
        return Charged(None, float(cost), move, words)
    return Charged(float(cost), None, move, words)


def _distance(metric: str, first: Any, second: Any) -> float | None:
    if metric in RECORDS:
        a, b = Counter(map(record_key, records(first))), Counter(map(record_key, records(second)))
        come, go = (b - a).total(), (a - b).total()
        return float(come + go if RECORDS[metric] == 1 else max(come, go))
    try:
        one, other = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
        if one.shape != other.shape:
            return math.inf
        move = np.abs(one - other)
    except (TypeError, ValueError):
        return None
    if metric == "AbsoluteDistance" or metric == "LInfDistance":
        return float(np.max(move, initial=0.0))
    if metric == "L1Distance":
        return float(move.sum())
    return float(np.sqrt((move**2).sum())) if metric == "L2Distance" else None


def _diffprivlib(tape: Tape, undo: contextlib.ExitStack, package: Any) -> None:
    waiting, seen = [package.base.DPMechanism], set[type]()
    while waiting:
        kind = waiting.pop()
        if kind in seen:
            continue
        seen.add(kind)
        waiting += kind.__subclasses__()
        if "randomise" in vars(kind) and kind is not package.base.DPMechanism:
            _outermost(tape, undo, kind, "randomise", functools.partial(_randomised, tape))


_LAPLACE = {"Laplace", "LaplaceTruncated", "LaplaceFolded"}
_LAPLACE |= {"Geometric", "GeometricTruncated", "GeometricFolded"}
_GAUSSIAN = {"Gaussian", "GaussianAnalytic"}


def _randomised(tape: Tape, drawn: Any, this: Any, value: Any = None) -> Any:
    kind = type(this).__name__
    name, sensitivity = f"diffprivlib {kind}", getattr(this, "sensitivity", None)
    numeric = isinstance(value, int | float | np.number)
    if numeric and kind in _LAPLACE and this.epsilon and not this.delta:
        scale = sensitivity / this.epsilon
        return _added(tape, name, value, drawn, scale, "laplace", sensitivity)
    if numeric and kind in _GAUSSIAN:
        return _added(tape, name, value, drawn, this._scale, "gaussian", sensitivity)
    given = _kept(raw(value) if value is not None else getattr(this, "utility", None))
    arguments = {"input": given, "epsilon": this.epsilon, "sensitivity": sensitivity}
    charge = _charge_of(this.epsilon, sensitivity)
    return tape.record(name, drawn, arguments, charge=charge)[1]


def _charge_of(epsilon: float, sensitivity: float | None) -> Charge:
    def charge(first: Any, second: Any) -> Charged:
        if record_key(first) == record_key(second):
            return Charged(0.0, None, 0.0)
        move = _distance("LInfDistance", first, second)
        if move is None or not sensitivity or not math.isfinite(move):
            return Charged(float(epsilon), None, math.nan if move is None else move)
        return Charged(float(epsilon) * max(1.0, move / sensitivity), None, move)

    return charge


def _pydp(tape: Tape, undo: contextlib.ExitStack) -> None:
    from pydp.algorithms import _algorithm, numerical_mechanisms

    for name, noted in (("quick_result", _quick_result), ("result", _result)):
        noted = functools.partial(noted, tape)
        _outermost(tape, undo, _algorithm.MetaAlgorithm, name, noted)
    kinds = (numerical_mechanisms.LaplaceMechanism, numerical_mechanisms.GaussianMechanism)
    # Both have it from a class that they are derived from.
    for kind in {k for each in kinds for k in each.__mro__ if "add_noise" in vars(k)}:
        _outermost(tape, undo, kind, "add_noise", functools.partial(_with_noise, tape))


def _quick_result(tape: Tape, value: Any, this: Any, input_data: Any) -> Any:
    epsilon = float(this.epsilon)

    def charge(first: Any, second: Any) -> Charged:
        moved = _distance("SymmetricDistance", first, second) or 0.0
        return Charged(epsilon * moved, None, moved, "records that come or go")

    name, arguments = f"pydp {type(this).__name__}", {"input": _kept(input_data)}
    return tape.record(name, value, {**arguments, "epsilon": epsilon}, charge=charge)[1]


def _result(tape: Tape, value: Any, this: Any, *_: Any, **__: Any) -> Any:
    """Record the release of entries that were added before; which those are is not seen."""
    charged = Charged(None, None, math.nan, "since its entries were not seen")
    name, arguments = f"pydp {type(this).__name__}", {"epsilon": float(this.epsilon)}
    return tape.record(name, value, arguments, charge=lambda *_: charged)[1]


def _with_noise(tape: Tape, drawn: Any, this: Any, value: Any) -> Any:
    kind = type(this).__name__
    laplace = kind.startswith("Laplace")
    scale = this.sensitivity / this.epsilon if laplace else getattr(this, "std", math.nan)
    family = "laplace" if laplace else "gaussian" if scale == scale else "other"
    # Of Gaussian noise the sensitivity in ℓ2 is stated.
    most = this.sensitivity if laplace else getattr(this, "l2_sensitivity", None)
    return _added(tape, f"pydp {kind}", value, drawn, scale, family, most)


def _added(
    tape: Tape, name: str, value: Any, drawn: Any, scale: float, family: str, most: float | None
) -> Any:
    """Return a release that is its input and noise."""
    call, drawn = tape.record(name, drawn, {}, family=family, scale=float(scale), sensitivity=most)
    return noisy(tape, *tape.noisy_value(call, drawn, form_of(value)))


def _kept(value: Any) -> Any:
    value = raw(value)
    if isinstance(value, np.ndarray):
        return value.copy()
    return list(value) if isinstance(value, list) else value
