"""Calls a Python function whose noise is given, and keeps what it draws and what it outputs.

The function is called with globals of its own, in which every source of noise that the reader knows
(``mechanisms.programs.noise_calls``) is replaced; nothing outside of it is changed.
"""

import enum
import itertools
import math
import random
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from provado.mechanisms.programs import noise
from provado.mechanisms.programs.batch import BatchRun
from provado.mechanisms.programs.noise_calls import GENERATORS, LibraryNoise, noise_call

from .forms import GENERATOR, LIBRARIES, MADE, UNIFORM_METHODS, WHOLE_METHODS, method_of, of_object
from .lists import mark

MOST_LINES, MOST_DRAWS = 20_000, 4000
"""A run that goes on for longer is stopped."""

UNIFORM, WHOLE = "uniform", "whole"
"""Kinds of draws beside those of ``LibraryNoise``: from 0 to 1, and below a whole number."""

Place = tuple[tuple[int, Any], ...]


@dataclass(frozen=True)
class KnownDraw:
    """A draw: where it stands in the function, and its helpers; its scale, or of WHOLE its end."""

    place: Place
    kind: str
    scale: float
    value: float

    def is_of(self, kind: str, scale: float) -> bool:
        """Return whether it is of this noise."""
        return self.kind == kind and math.isclose(self.scale, scale, rel_tol=1e-9)


class _OneRun(BatchRun):
    def draw(self, many: Callable[[Any, int], Any]) -> Any:
        """Return a draw as a plain number."""
        return many(self.rng, 1)[0].item()


class _RunIsLongError(BaseException):
    """The run goes on for too long; no ``except`` of a program holds it."""


class GivenNoise:
    """A function whose draws are supplied: ``supply`` returns one for its place, kind and scale.

    lists: the names of those that it returns side by side.
    """

    def __init__(
        self,
        function: Any,
        supply: Callable[[Place, str, float], float],
        lists: Sequence[str] = (),
    ) -> None:
        self.function, self.supply, self.lists = function, supply, lists
        self.drawn: list[KnownDraw] = []
        self.scope: dict[str, Any] = {}
        self.positions: dict[tuple[int, int], Any] = {}
        result = {name: self.of(value) for name, value in function.__globals__.items()}
        own = {**function.__builtins__, "__import__": lambda *of: self.of(__import__(*of))}
        self.scope |= {**result, "__builtins__": own}
        self.called = self.of(function)

    def run(self, data: Any, parameters: Mapping[str, Any]) -> tuple[list[Any], str]:
        """Return what it outputs, number by number, or why it came to no end."""
        self.drawn, self.lines, kept = [], 0, np.array(data)
        source: Any = _OwnSource(GENERATOR, self)
        one = _OneRun(source, np.arange(1))
        token, traced = noise.RUN.set(one), sys.gettrace()
        sys.settrace(self._trace)
        try:
            last = self.called(data, **parameters)
            last = list(last) if isinstance(last, types.GeneratorType) else last
            if self.lists:
                every = last.values() if isinstance(last, dict) else last
                pairs = [*zip(self.lists, every, strict=True)]
                last = [part for name, of in pairs for v in of for part in (mark(name), v)]
        except _RunIsLongError:
            return [], "it comes to no end"
        except Exception as error:
            return [], f"it raises {type(error).__name__}: {error}"
        finally:
            sys.settrace(traced)
            noise.RUN.reset(token)
        if not np.array_equal(kept, np.array(data)):
            return [], "it changes its data"
        return [*_numbers(one.outputs), *_numbers([] if last is None else last)], ""

    def _trace(self, frame: types.FrameType, event: str, _: Any) -> Any:
        """Count the lines of the function and its helpers, as a loop may come to no end."""
        self.lines += event == "line"
        if self.lines > MOST_LINES:
            raise _RunIsLongError
        return self._trace if frame.f_globals is self.scope else None

    # What is put in the place of sources of noise. ---------------------------------------------

    def of(self, value: Any) -> Any:
        """Return what stands for a value of the function."""
        if isinstance(value, types.ModuleType):
            known = value.__name__.partition(".")[0] in LIBRARIES
            return _Source(value, self) if known else value
        distribution = type(value).__module__.startswith("scipy.stats.") and hasattr(value, "rvs")
        if distribution or isinstance(value, GENERATORS):
            return _Source(value, self)
        if isinstance(value, types.FunctionType) and (
            value.__globals__ is self.function.__globals__
        ):
            made = types.FunctionType(
                value.__code__, self.scope, value.__name__, value.__defaults__, value.__closure__
            )
            made.__kwdefaults__ = value.__kwdefaults__
            return made
        if (made := of_object(MADE, value)) is not None:
            return lambda *_, **__: _Source(made, self)
        if not isinstance(value, type) and not hasattr(value, "__name__"):
            return value
        if (name := method_of(value)) in UNIFORM_METHODS:
            return partial(self._uniform, name)
        if name in WHOLE_METHODS:
            return partial(self._whole, name == "randint" and type(value.__self__) is random.Random)
        call = noise_call(value)
        return value if call is None else partial(self._library, call)

    def _library(self, call: LibraryNoise, *args: Any, **options: Any) -> Any:
        bound = call.bind(args, options)
        if not call.then:
            size = call.signature.bind(*args, **options).arguments.get("size")
            return self._noise(call, bound, size)

        def second(*args: Any, **options: Any) -> Any:
            return self._noise(call, bound | call.bind_second(args, options), None)

        return types.SimpleNamespace(**{call.method: second}) if call.method else second

    def _noise(self, call: LibraryNoise, bound: Mapping[str, Any], size: Any) -> Any:
        scale = call.value(call.scale, bound)
        location = call.value(call.location, bound)
        shape = np.broadcast_shapes(np.shape(scale), np.shape(location)) if size is None else size
        if shape == ():
            return location + self._draw(call.kind, scale)
        scales = np.broadcast_to(scale, shape)
        values = np.array([self._draw(call.kind, item) for item in scales.ravel().tolist()])
        return np.reshape(values, scales.shape) + np.asarray(location)

    def _uniform(self, name: str, *args: Any) -> Any:
        value = self._draw(UNIFORM, 1.0)
        return np.full(args, value) if args and name != "uniform" else value

    def _whole(self, inclusive: bool, *args: Any, size: Any = None) -> Any:
        low, high = args if len(args) == 2 else (0, *args)
        value = low + self._draw(WHOLE, high - low + inclusive)
        return value if size is None else np.full(size, value)

    def _draw(self, kind: str, scale: Any) -> float:
        if len(self.drawn) == MOST_DRAWS:
            raise _RunIsLongError
        place = tuple(self._place(sys._getframe(1)))
        value = self.supply(place, kind, float(scale))
        self.drawn.append(KnownDraw(place, kind, float(scale), value))
        return value

    def _place(self, frame: types.FrameType | None) -> Iterator[tuple[int, Any]]:
        """Yield where each call stands, up to the function: a test of a loop is compiled twice."""
        while frame is not None:
            code = frame.f_code
            if frame.f_globals is self.scope:
                key = id(code), frame.f_lasti
                if key not in self.positions:
                    at = itertools.islice(code.co_positions(), frame.f_lasti // 2, None)
                    self.positions[key] = next(at)
                yield id(code), self.positions[key]
            if code is self.called.__code__:
                return
            frame = frame.f_back


class _Source:
    """Stands for a library, a generator or a distribution."""

    def __init__(self, of: Any, given: GivenNoise) -> None:
        self._of, self._given = of, given

    def __getattr__(self, name: str) -> Any:
        return self._given.of(getattr(self._of, name))


class _OwnSource(_Source):
    """The generator of ``mechanisms.programs``, whose discrete noise is a difference of two."""

    second = True

    def geometric(self, p: float, size: int) -> Any:
        """Return the difference, and then 0."""
        self.second = not self.second
        whole = 0 if self.second else self._given._draw("discrete_laplace", -1 / math.log1p(-p))
        return np.full(size, whole)


def _numbers(value: Any) -> Iterator[Any]:
    """Yield outputs number by number: truths as numbers, of a dictionary its values."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, int | float) and math.isfinite(value):
        yield float(value)
    else:
        # As tags have it: the texts of members of a StrEnum, and infinite numbers as texts.
        text = not isinstance(value, enum.Enum) or isinstance(value, str)
        yield f"constant {str(value)!r}" if text and value is not None else f"constant {value!r}"
