"""What one run drew, combined and examined, line by line; a second run is given the first's.

And where in the user's own code that happens, and which of its lines a run executes.

The noisy outputs are frozen: a draw, a combination of draws with data and a comparison give in the
second run what they gave in the first, wherever the second comes to the same line as often with the
same draws. What the data would have made of it is kept beside, as a linear form.
"""

from __future__ import annotations

import contextlib
import copy
import math
import os
import sys
import sysconfig
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

import provado.mechanisms

from .linear import Linear, constant, fresh, places_of

MOST_LINES = 20_000_000
"""Lines that are kept of a run; beyond them nothing is compared. They take 8 bytes each."""


@dataclass(eq=False)
class Trace:
    """The lines, each as a number; ``sites`` says what a number is. Shared by both runs."""

    own: Own
    numbers: dict[tuple[CodeType, int], int] = field(default_factory=dict)
    lines: array[int] = field(default_factory=lambda: array("q"))

    def length(self) -> int:
        """Return how many lines were executed so far."""
        return len(self.lines)

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        """Record meanwhile, in this thread; frames of libraries are left out."""
        before = sys.gettrace()
        sys.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(before)

    def _called(self, frame: FrameType, event: str, _: Any) -> Any:
        if event != "call" or not self.own.holds(frame.f_code):
            return None
        numbers, lines, code = self.numbers, self.lines, frame.f_code

        def line(frame: FrameType, event: str, _: Any) -> Any:
            if event == "line" and len(lines) < MOST_LINES:
                key = code, frame.f_lineno
                number = numbers.get(key)
                if number is None:
                    number = numbers[key] = len(numbers)
                lines.append(number)
            return line

        frame.f_trace_lines = True
        return line

    def site(self, place: int) -> Site | None:
        """Return the line that was executed at a place of the order; None past the end."""
        if place >= len(self.lines):
            return None
        code, line = next(key for key, item in self.numbers.items() if item == self.lines[place])
        return Site(code.co_filename, line, code.co_qualname)


def diverging_lines(first: Trace, second: Trace) -> tuple[int, tuple[Site, Site, Site]] | None:
    """Return how many lines two runs share, and three places; None if they execute the same lines.

    The places: the last shared line and the next line of each run, ``NOWHERE`` where it ends.
    """
    a, b = (np.frombuffer(trace.lines, dtype=np.int64) for trace in (first, second))
    shared = min(a.size, b.size)
    differ = np.flatnonzero(a[:shared] != b[:shared])
    if not differ.size and a.size == b.size:
        return None
    at = int(differ[0]) if differ.size else shared
    after = first.site(at - 1) if at else None
    return at, (after or NOWHERE, first.site(at) or NOWHERE, second.site(at) or NOWHERE)


@dataclass(frozen=True)
class Site:
    """A line of code. file: as Python knows it; empty where there is none. line: from 1 on."""

    file: str = ""
    line: int = 0
    function: str = ""

    def words(self) -> str:
        """Return ``mine.py:12``."""
        return f"{os.path.basename(self.file)}:{self.line}" if self.file else "no line"  # noqa: PTH119


NOWHERE = Site()

_INSTALLED = frozenset({"site-packages", "dist-packages"})


class Own:
    """Distinguishes the user's own code from that of libraries, by its file.

    files: files that are the user's own wherever they lie, the mechanism's among them.
    """

    def __init__(self, files: Iterable[str] = ()) -> None:
        self._files = frozenset(files)
        self._known: dict[CodeType, bool] = {}

    def holds(self, code: CodeType) -> bool:
        """Return whether code is the user's own, and is no module's body."""
        known = self._known.get(code)
        if known is None:
            known = self._known[code] = code.co_name != "<module>" and self.file(code.co_filename)
        return known

    def file(self, name: str) -> bool:
        """Return whether a file is the user's own."""
        if name in self._files:
            return True
        if name.startswith("<"):
            # What is typed or compiled from text (a notebook's cells have names of their own).
            return not name.startswith(("<frozen", "<__array_function__", "<string>"))
        return not _of_libraries(os.path.abspath(name))  # noqa: PTH100

    def importing(self) -> bool:
        """Return whether a module is being imported: what it draws is none of the run's."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename.startswith("<frozen importlib"):
                return True
            if self.holds(frame.f_code):
                return False
            frame = frame.f_back
        return False

    def site(self) -> Site:
        """Return the innermost line of the user's own code that runs now."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if self.holds(frame.f_code):
                return Site(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_qualname)
            frame = frame.f_back
        return NOWHERE


def files_of(mechanism: Any) -> frozenset[str]:
    """Return the files of a mechanism's own functions, as far as they show."""
    result = set[str]()
    for item in (mechanism, getattr(mechanism, "func", None), type(mechanism).__call__):
        code = getattr(getattr(item, "__func__", item), "__code__", None)
        if isinstance(code, CodeType):
            result.add(code.co_filename)
    return frozenset(result)


@lru_cache(maxsize=2**15)
def _of_libraries(name: str) -> bool:
    """Return whether a file lies among libraries; every run asks that of every module there is."""
    folder, file = os.path.split(name)
    place = os.path.join(_resolved(folder), file)  # noqa: PTH118
    if os.path.islink(place):  # noqa: PTH114
        place = os.path.realpath(place)
    return place.startswith(_libraries()) or not _INSTALLED.isdisjoint(Path(place).parts)


_resolved = lru_cache(maxsize=2**12)(os.path.realpath)


@cache
def _libraries() -> tuple[str, ...]:
    """Return the folders whose code is not the user's: Python's, what is installed, and ours."""
    ours = Path(provado.mechanisms.__file__).resolve().parent.parent
    rooms = [str(ours / room) for room in ("mechanisms", "proofs", "audit", "reports")]
    kinds = ("stdlib", "platstdlib", "purelib", "platlib")
    python = [os.path.realpath(sysconfig.get_path(kind)) for kind in kinds]
    return tuple(f"{folder}{os.sep}" for folder in (*rooms, *python))


MOST_STEPS, MOST_ELEMENTS = 300_000, 20_000_000
"""Steps and numbers that a run is followed for; what comes after is not."""

FAMILIES = ("laplace", "exponential", "gumbel", "logistic", "gaussian", "uniform", "other")
"""Of noise that is added. Exponential: one-sided, geometric noise too. Other: no scale is known."""

_MOST_FAR = 100
"""Calls at one line that give far noise: a loop that waits for other noise ends."""

_FAR_COUNT = 1e4
"""What whole numbers of noise are multiplied by to lie far from the data."""

_NUMBER = (int, float, np.number)
_RELEASED = (*_NUMBER, np.ndarray, list)

DERIVED = "derived"
"""A number that was computed of noisy ones in a way that is not linear."""

_NUMBERS = ("sum", DERIVED, "perhaps", "text")
"""Kinds of steps that are no comparisons."""

_GOLDEN = (math.sqrt(5) - 1) / 2


@dataclass(frozen=True)
class Charged:
    """What a library's release costs for two inputs.

    epsilon: of pure or approximate privacy, or ``None`` where it is not known. rho: instead of it,
    of zCDP. move: how far the input moved, in the library's metric; words: in which one.
    """

    epsilon: float | None
    rho: float | None
    move: float
    words: str = ""


Charge = Callable[[Any, Any], Charged]
"""What a release costs: of its input in the first run and in the second."""


@dataclass(frozen=True, eq=False)
class Call:
    """One call of a noise primitive.

    name: ``Generator.laplace``. count: which call of its name at this line, from 0 on. number: in
    the order of calls. family: of the noise that it adds, empty where it adds none. scale: of the
    noise, an array or number. arguments: everything else that the draw depends on. value: what it
    returned. first: the number of its first noise variable. sensitivity: by how much its input may
    move, where that is declared. charge: of a library's release, what it costs. base: what a method
    that draws adds its noise to.
    """

    name: str
    site: Site
    count: int
    number: int
    family: str
    scale: Any
    arguments: Mapping[str, Any]
    value: Any
    first: int = -1
    sensitivity: float | None = None
    charge: Charge | None = None
    base: Any = None

    @property
    def key(self) -> tuple[Site, str]:
        """Return what the same call of another run has in common."""
        return self.site, self.name

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of what it returned."""
        return np.shape(self.value) if self.first >= 0 else ()


@dataclass(frozen=True, eq=False)
class RecordedStep:
    """One combination of noisy numbers, or one look at them.

    kind: ``"sum"``, ``"derived"``, ``"perhaps"`` (they went out of sight), ``"text"`` (they were
    written), ``"winner"`` (the place of the largest or the least), or the name of a comparison, of
    which the form is left minus right. number: in the order of steps. value: what came of it.
    parents: all that a derived number was computed of. moved: whether it would be another number in
    the second run, though the noisy numbers that it is computed of are frozen.
    """

    kind: str
    site: Site
    count: int
    number: int
    form: Linear
    value: Any
    parents: tuple[Linear, ...] = ()
    moved: bool = False


@dataclass(eq=False)
class Tape:
    """The record of one run. before: of the first run, where this is the second.

    far: what noise is multiplied by, so that it lies to one side of all data; 0 where it is not.
    again: whether the run before is repeated under other noise, with its coins and comparisons.
    salt: of generators that the program does not seed; another one gives them other noise.
    ran: how many steps the program itself made; what looks at its output makes more.
    """

    own: Own
    before: Tape | None = None
    far: float = 0.0
    again: bool = False
    salt: int = 0
    calls: list[Call] = field(default_factory=list)
    steps: dict[tuple[Site, str], list[RecordedStep]] = field(
        default_factory=lambda: defaultdict(list)
    )
    variables: int = 0
    elements: int = 0
    number_of_steps: int = 0
    ran: int = 0
    inside: bool = False
    by_key: dict[tuple[Site, str], list[Call]] = field(default_factory=lambda: defaultdict(list))
    lines_at_call: list[int] = field(default_factory=list)
    trace: Callable[[], int] | None = None
    replaced: Tape | None = None

    def __post_init__(self) -> None:
        if self.before is not None:
            # What only the second run draws has numbers of its own.
            self.variables = 0 if self.again else self.before.variables
            self.before.replaced = self

    @contextlib.contextmanager
    def library(self) -> Iterator[bool]:
        """Yield whether this is a call from outside: what a primitive draws inside is its own."""
        if self.inside:
            yield False
            return
        self.inside = True
        try:
            yield True
        finally:
            self.inside = False

    def live(self) -> Tape:
        """Return the tape that records now: libraries may keep recorders of the first run."""
        return self if self.replaced is None else self.replaced.live()

    @property
    def full(self) -> bool:
        """Whether it has followed as much as it can."""
        return self.number_of_steps >= MOST_STEPS or self.elements >= MOST_ELEMENTS

    def record(
        self,
        name: str,
        value: Any,
        arguments: Mapping[str, Any],
        *,
        family: str = "",
        scale: Any = None,
        sensitivity: float | None = None,
        charge: Charge | None = None,
        freeze: bool = True,
        base: Any = None,
    ) -> tuple[Call, Any]:
        """Keep a call of a primitive; return it, and what it is to give: frozen, where it can be.

        value: what it drew; base: what it adds noise to. Where the second run asks for another
        shape or type, it gets this, and where not to freeze: of a shuffle or a subsample the choice
        is the noise, and it is the same since both runs draw it of the same bits.
        """
        site = self.own.site()
        here = self.by_key[site, name]
        count, first = len(here), -1
        match = None if self.before is None else self.before.call_at((site, name), count)
        other = self.again and family != ""
        if match is not None and freeze and not other and _alike(match.value, value):
            value, first = _of_type(value, match.value), match.first
        elif self.again and family == "uniform":
            drawn = (self.variables + 1 + places_of(np.shape(value))) * _GOLDEN % 1.0
            drawn = drawn if scale is None else scale * drawn
            value = _of_type(value, np.asarray(drawn if base is None else base + drawn)[()])
        elif self._lies_far(value, family, charge, count):
            kind = np.asarray(value).dtype
            # Whole numbers of noise may say how often to do something.
            most = abs(self.far) if kind.kind == "f" else min(abs(self.far), _FAR_COUNT)
            far = math.copysign(most, self.far)
            made = np.asarray(far * (1 + np.abs(value))).astype(kind)[()]
            value = made if isinstance(value, np.ndarray | np.generic) else made.tolist()
        if family and first < 0:
            first, self.variables = self.variables, self.variables + int(np.size(value))
        kept = value.copy() if isinstance(value, np.ndarray) else value
        call = Call(
            *(name, site, count, len(self.calls), family, scale, arguments, kept, first),
            sensitivity=sensitivity,
            charge=charge,
            base=base,
        )
        here.append(call)
        self.calls.append(call)
        self.lines_at_call.append(self.trace() if self.trace is not None else 0)
        self.elements += int(np.size(value)) if family else 0
        return call, _copied(value)

    def _lies_far(self, value: Any, family: str, charge: Charge | None, count: int) -> bool:
        if not self.far or not (self.again or count < _MOST_FAR):
            return False
        if not family and charge is not None:  # What a library releases.
            return np.asarray(value).dtype.kind in "iuf" and isinstance(value, _RELEASED)
        return family not in ("", "uniform")

    def call_at(self, key: tuple[Site, str], count: int) -> Call | None:
        """Return a call of this run by its line and name, and how often it was made before."""
        there = self.by_key.get(key, ())
        return there[count] if count < len(there) else None

    def step(
        self, kind: str, form: Linear, value: Any, parents: Sequence[Linear] = (), held: Any = True
    ) -> tuple[Any, Linear]:
        """Keep a combination or a look; return its value, frozen where it can be, and its form.

        A derived number becomes a noise variable of its own, where ``held`` says that there is
        noise in it; everywhere unless given.
        """
        site = self.own.site()
        here = self.steps[site, kind]
        frozen, moved = self._frozen(kind, site, len(here), value), False
        if kind == DERIVED:
            if frozen is not None:
                one, other = (np.where(held, each, 0.0) for each in (frozen.value, value))
                moved = not np.array_equal(one, other, equal_nan=True)
            if frozen is not None and frozen.form.variables.size:
                first = int(frozen.form.variables[0] - frozen.form.rows[0])
            else:
                first, self.variables = self.variables, self.variables + int(np.size(value))
            form = fresh(np.zeros(np.shape(value)), first).times(held)
            form = form.plus(constant(np.where(held, 0.0, value)))
        if frozen is not None:
            value = _of_type(value, _as_before(kind, frozen, form, value))
        kept = value.copy() if isinstance(value, np.ndarray) else value
        number, above = self.number_of_steps, tuple(parents)
        here.append(RecordedStep(kind, site, len(here), number, form, kept, above, moved))
        self.number_of_steps += 1
        self.elements += int(np.size(value))
        return _copied(value), form

    def _frozen(self, kind: str, site: Site, count: int, value: Any) -> RecordedStep | None:
        if self.before is None or (self.again and kind in _NUMBERS):
            return None
        there = self.before.steps.get((site, kind), ())
        if count >= len(there):
            return None
        one, other = np.asarray(there[count].value), np.asarray(value)
        return there[count] if one.shape == other.shape and one.dtype == other.dtype else None

    def noisy_value(self, call: Call, value: Any, base: Linear) -> tuple[Any, Linear]:
        """Return what a primitive gives for an input: its value, and the form with its noise."""
        form = base.spread(np.shape(value)).plus(fresh(np.zeros(np.shape(value)), call.first))
        return self.step("sum", form, value)

    def every_step(self) -> list[RecordedStep]:
        """Return all steps in order."""
        steps = [step for there in self.steps.values() for step in there]
        return sorted(steps, key=lambda step: step.number)


def _as_before(kind: str, frozen: RecordedStep, form: Linear, value: Any) -> Any:
    """Return a value of the second run, with the first's where noise is in it."""
    if kind in ("perhaps", "text") or (kind == "sum" and not _same_noise(frozen.form, form)):
        return value
    held = form.noisy
    if kind == "winner" or held.all():
        return frozen.value
    # What is added to x + noise, which is frozen, and taken away again leaves this run's x.
    same = form.base == frozen.form.base
    now = np.where(same, frozen.value, form.base) if kind == "sum" else value
    return np.where(held, frozen.value, now).astype(np.asarray(value).dtype)[()]


def _of_type(value: Any, other: Any) -> Any:
    """Return the other value, converted to the type of the first one if that is a number.

    Equal numbers of NumPy and of Python are written differently.
    """
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return type(value)(other) if number else other


def _copied(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, list | dict):
        with contextlib.suppress(Exception):
            return copy.deepcopy(value)
    return value


def _alike(one: Any, other: Any) -> bool:
    """Return whether two outputs of a primitive have one type and shape."""
    if isinstance(one, _NUMBER) and isinstance(other, _NUMBER):
        return isinstance(one, bool) == isinstance(other, bool)
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return bool(one.shape == other.shape)
    return not isinstance(one, list | tuple) or len(one) == len(other)


def _same_noise(one: Linear, other: Linear) -> bool:
    """Return whether two forms have the same noise variables in the same elements."""
    if one.variables.size == 1 == other.variables.size:
        return bool(one.variables[0] == other.variables[0])
    a, b = one.summed(), other.summed()
    return np.array_equal(a.rows, b.rows) and np.array_equal(a.variables, b.variables)
