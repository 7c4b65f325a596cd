"""Many runs of one plain Python function at once, without rewriting it.

A value that depends on noise is a ``Batch``: one number for each trial. Where Python asks whether
a batch is true, the trials part: the run continues with those that answer as most do, and the
others are run again from the start, with the draws that they have had. So a batch takes as many
passes as there are ways through the program, not as there are trials.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.noise.exact_noise import FINE_GRID, round_to_grid

Values = NDArray[Any]
Outcome = tuple[Any, ...]
"""What one trial told, in order."""


@dataclass
class BatchRun:
    """One pass through the function, for those ``trials`` that take the same branches.

    draws: those so far, one array each; decisions: the branches so far; live: which of the trials
    still take them. parted: passes that others need.
    """

    rng: Generator
    trials: NDArray[np.int64]
    draws: list[Values] = field(default_factory=list)
    decisions: list[bool] = field(default_factory=list)
    outputs: list[Any] = field(default_factory=list)
    parted: list[BatchRun] = field(default_factory=list)
    drawn: int = 0
    decided: int = 0

    def __post_init__(self) -> None:
        self.live = np.ones(len(self.trials), dtype=np.bool_)

    def draw(self, many: Callable[[Generator, int], Any]) -> Batch:
        """Return the next draw of every trial: the one it has had already, or a new one."""
        if self.drawn == len(self.draws):
            self.draws.append(many(self.rng, len(self.trials)))
        self.drawn += 1
        return Batch(self, self.draws[self.drawn - 1])

    def decide(self, answers: Values) -> bool:
        """Return the branch that is taken here; trials that take the other get a pass of theirs."""
        if self.decided == len(self.decisions):
            yes = answers.astype(np.bool_)
            taken = bool(2 * np.count_nonzero(yes & self.live) >= np.count_nonzero(self.live))
            others = self.live & (yes != taken)
            if others.any():
                draws = [values[others] for values in self.draws]
                decisions = [*self.decisions, not taken]
                self.parted.append(BatchRun(self.rng, self.trials[others], draws, decisions))
                self.live = self.live & ~others
            self.decisions.append(taken)
        self.decided += 1
        return self.decisions[self.decided - 1]

    def outcomes(self) -> tuple[NDArray[np.int64], list[Outcome]]:
        """Return which trials ended here, and the outputs of each."""
        trials = self.trials[self.live]
        told = [self._of_each_trial(value, len(trials)) for value in self.outputs]
        return trials, list(zip(*told, strict=True)) if told else [()] * len(trials)

    def _of_each_trial(self, value: Any, count: int) -> list[Any]:
        """Return an output for each trial that ended here."""
        if isinstance(value, Batch):
            return _told(value.values[self.live])
        if isinstance(value, dict):
            return self._of_each_trial(tuple(value.items()), count)
        if isinstance(value, tuple | list):
            parts = [self._of_each_trial(item, count) for item in value]
            return list(zip(*parts, strict=True)) if parts else [()] * count
        if isinstance(value, float | np.floating):
            return _told(np.asarray([value])) * count
        return [_plain(value)] * count


def _told(values: Values) -> list[Any]:
    if values.dtype.kind == "f":
        values = round_to_grid(values, FINE_GRID)
    return [_plain(value) for value in values.tolist()]


def _plain(value: Any) -> Any:
    """Return a value as it is released: equal numbers alike, whole ones as ``int``.

    Else True beside 1, or 1.0, would tell which line of the program told it.
    """
    if isinstance(value, bool | np.bool_):
        return int(value)
    if isinstance(value, float | np.floating) and value == value // 1:
        return int(value)
    return value.item() if isinstance(value, np.generic) else value


def _numbers(values: Any) -> Any:
    """Return truths as 1 and 0: True + True is 2, and among arrays of truths it is True."""
    return values + np.int64(0) if getattr(values, "dtype", None) == np.bool_ else values


def _of_each(
    rule: Callable[[Any, Any], Any], *, swapped: bool = False
) -> Callable[[Batch, Any], Any]:
    """Return the method that applies a rule of two numbers in each trial."""

    def method(self: Batch, other: Any) -> Any:
        if not isinstance(other, Batch | int | float | np.number | np.bool_):
            return NotImplemented
        left = _numbers(self.values)
        right = _numbers(other.values if isinstance(other, Batch) else other)
        pair = (right, left) if swapped else (left, right)
        return Batch(self.run, rule(*pair))

    return method


class Batch:
    """One number, or truth, for each trial of a pass; it behaves like one number."""

    __slots__ = ("run", "values")

    def __init__(self, run: BatchRun, values: Values) -> None:
        self.run, self.values = run, values

    __add__ = __radd__ = _of_each(operator.add)
    __sub__, __rsub__ = _of_each(operator.sub), _of_each(operator.sub, swapped=True)
    __mul__ = __rmul__ = _of_each(operator.mul)
    __truediv__ = _of_each(operator.truediv)
    __lt__, __le__ = _of_each(operator.lt), _of_each(operator.le)
    __gt__, __ge__ = _of_each(operator.gt), _of_each(operator.ge)
    __eq__, __ne__ = _of_each(operator.eq), _of_each(operator.ne)
    __and__ = __rand__ = _of_each(operator.and_)
    __or__ = __ror__ = _of_each(operator.or_)
    __xor__ = __rxor__ = _of_each(operator.xor)
    __hash__ = None  # type: ignore[assignment]

    def __array_ufunc__(self, function: np.ufunc, method: str, *of: Any, **options: Any) -> Any:
        """Apply a function of NumPy, such as ``np.sign``, in each trial."""
        plain = (np.asarray(o) for o in of if not isinstance(o, Batch))
        known = all(o.shape == () and o.dtype.kind in "biuf" for o in plain)
        if method != "__call__" or options or function.nout > 1 or not known:
            return NotImplemented
        values = (_numbers(o.values if isinstance(o, Batch) else o) for o in of)
        return Batch(self.run, function(*values))

    def __neg__(self) -> Batch:
        return Batch(self.run, -_numbers(self.values))

    def __pos__(self) -> Batch:
        return Batch(self.run, _numbers(self.values))

    def __abs__(self) -> Batch:
        return Batch(self.run, np.abs(_numbers(self.values)))

    def __bool__(self) -> bool:
        return self.run.decide(self.values)

    def __float__(self) -> float:
        raise UsageError("a program may not turn noise into a float: it is one number a trial")

    def __int__(self) -> int:
        return int(bool(self)) if self.values.dtype == np.bool_ else int(float(self))

    __index__ = __float__
