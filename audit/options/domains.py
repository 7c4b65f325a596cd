"""What an option may be, wherever it is given: on the command line, in provado.toml, in Python.

Each domain has its rule in words, which completes "it must be", and the part of a JSON Schema that
states it. Nothing beyond the standard library is imported here: pytest reads this when it starts.
"""

from __future__ import annotations

import argparse
import contextlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from provado.mechanisms import PrivacyPromise

CLAIM_FORMS = "zcdp:RHO, gdp:MU, rdp:ALPHA,EPSILON, tv:DELTA or dp:EPSILON[,DELTA]"

MOST = 10**12
"""Of anything that is counted: more would not be done in years."""

MOST_SEED = 2**128 - 1

MOST_JOBS = 1_000

MOST_RUNS = 10_000
"""Of a mechanism that is audited by few runs."""

MOST_SECONDS = 10**6
"""Eleven days; the system's timers end not far beyond."""


@dataclass(frozen=True, eq=False)
class OptionDomain:
    """Values that an option may have.

    words: complete "it must be". form: their JSON Schema, without these words. parse: keywords of
    ``add_argument`` that read one on the command line.
    """

    words: str = ""
    form: Mapping[str, Any] = field(default_factory=dict)
    parse: Mapping[str, Any] = field(default_factory=dict)

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of values in provado.toml."""
        comment = {"$comment": f"it must be {self.words}"} if self.words else {}
        return {**self.form, **comment}

    def typed(self, **parse: Any) -> Self:
        """Return the same, read on the command line by more keywords of ``add_argument``."""
        return replace(self, parse={**self.parse, **parse})


@dataclass(frozen=True, eq=False)
class NumberDomain(OptionDomain):
    """What a number must be; called with a text, it reads an option.

    holds: asked of the number; NaN never passes. most: beyond this it is refused, too.
    """

    holds: Callable[[float], bool] = bool
    whole: bool = False
    most: float = math.inf

    def __call__(self, text: str) -> Any:
        """Return an option's value, of whole numbers ``1e6`` too."""
        try:
            value = self.of(_number(text, self.whole))
        except ValueError as error:
            shown = (text or "''") if len(text) <= 60 else f"{text[:57]}…"
            raise argparse.ArgumentTypeError(f"{shown} is refused: it must be {error}") from None
        return value

    def of(self, value: float) -> Any:
        """Return the number, a whole one as an ``int``; raises ``ValueError`` with the rule."""
        try:
            value = int(value) if self.whole and value == int(value) else float(value)
        except (OverflowError, ValueError):
            raise ValueError(self.words) from None
        if (self.whole and isinstance(value, float)) or not self.holds(value):
            raise ValueError(self.words)
        if value > self.most:
            raise ValueError(f"at most {self.most:,}")
        return value


def _number(text: str, whole: bool) -> float:
    for kind in (int, float) if whole else (float,):
        with contextlib.suppress(ValueError):
            return kind(text)
    return math.nan


def whole(at_least: int, at_most: int = MOST) -> NumberDomain:
    """Return the rule of whole numbers between the two."""
    form = {"type": "integer", "minimum": at_least, "maximum": at_most}
    words = f"a whole number of at least {at_least}"
    return NumberDomain(words, form, holds=lambda x: x >= at_least, whole=True, most=at_most)


def choice(*names: str) -> OptionDomain:
    """Return the domain of these words."""
    return OptionDomain(form={"enum": [*names]}, parse={"choices": names})


def samples(text: str) -> int | str:
    """Return a number of trials; ``N:END``, ``auto`` and ``auto:N`` as they are."""
    word, colon, most = text.partition(":")
    if word != "auto":
        return _at_most(text, 1)
    return f"auto:{whole(1)(most)}" if colon else word


def explore(text: str) -> int | str:
    """Return a number of exploration samples; ``N:KEPT,search=RUNS:END`` as it is.

    N of them are drawn and KEPT of these kept; the search for a pair plans RUNS, and ends after
    END. The part before or after the comma, and each number after a colon, may be left out.
    """
    size, word, planned = text.partition("search=")
    if not word:
        return _at_most(text, 2)
    search = f"{word}{_at_most(planned, 1)}"
    return f"{_at_most(size.removesuffix(','), 2)},{search}" if size else search


def _at_most(text: str, least: int) -> int | str:
    """Return a number; ``N:PART``, where the part is at most that, as it is."""
    number, colon, part = text.partition(":")
    most: int = whole(least)(number)
    return f"{most}:{whole(least, most)(part)}" if colon else most


def size(text: str) -> int:
    """Return a number of bytes: a number and M or G, for 2²⁰ and 2³⁰ of them."""
    factors = {"M": 2**20, "G": 2**30}
    factor = factors.get(text[-1:].upper())
    number = _number(text[:-1], whole=False) if factor else math.nan
    if factor is None or not 2**20 <= number * factor <= 2**50:
        raise argparse.ArgumentTypeError(
            f"{text} is refused: it must be a number and M or G, of at least 1M"
        )
    return int(number * factor)


def read_promise(text: str) -> PrivacyPromise:
    """Return the promise that a text states, such as ``zcdp:0.5``, ``rdp:8,1.5`` or ``dp:1,1e-6``.

    Raises ``UsageError`` with the text and the forms.
    """
    # Imported here: pytest reads this module when it starts.
    from provado import mechanisms

    makers: dict[tuple[str, int], Callable[..., PrivacyPromise]] = {
        ("zcdp", 1): mechanisms.ConcentratedDP,
        ("gdp", 1): mechanisms.GaussianDP,
        ("rdp", 2): mechanisms.RenyiDP,
        ("tv", 1): lambda delta: mechanisms.ApproximateDP(0.0, delta),
        ("dp", 1): mechanisms.PureDP,
        ("dp", 2): mechanisms.ApproximateDP,
    }
    family, _, listed = str(text).partition(":")
    parts = listed.split(",")
    make = makers.get((family.strip().lower(), len(parts)))
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        make = None
    if make is None:
        raise mechanisms.UsageError(f"promise {text!r}: it must be {CLAIM_FORMS}")
    try:
        return make(*numbers)
    except mechanisms.UsageError as error:
        raise mechanisms.UsageError(f"promise {text!r}: {error}") from None


def promised(text: str) -> str:
    """Return the text of a promise once it is found to state one."""
    try:
        read_promise(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


_REAL = {"type": "number"}
_ABOVE_0, _BELOW_1 = {**_REAL, "exclusiveMinimum": 0}, {"exclusiveMaximum": 1}

seed, jobs = whole(0, MOST_SEED), whole(1, MOST_JOBS)
finite = NumberDomain("a finite number", _REAL, holds=math.isfinite)
positive = NumberDomain("a finite number above 0", _ABOVE_0, holds=lambda x: 0 < x < math.inf)
seconds = NumberDomain(
    f"a number above 0 and at most {MOST_SECONDS:,} (seconds)",
    {**_ABOVE_0, "maximum": MOST_SECONDS},
    {"metavar": "SECONDS"},
    holds=lambda x: 0 < x <= MOST_SECONDS,
)
share = NumberDomain(
    "a number above 0 and below 1", {**_ABOVE_0, **_BELOW_1}, holds=lambda x: 0 < x < 1
)
small_share = NumberDomain(
    "a number of at least 0 and below 1",
    {**_REAL, "minimum": 0, **_BELOW_1},
    holds=lambda x: 0 <= x < 1,
)

_FILLED = "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$"
_PLACE = "^[^\\u0000]+:(?!.*\\.py$)[^:\\u0000]+$"

flag = OptionDomain("true or false", {"type": "boolean"}, {"action": "store_true"})
text = OptionDomain("a text in quotes, and not empty", {"type": "string", "pattern": _FILLED})
file = OptionDomain(text.words, text.form, {"type": Path, "metavar": "FILE"})
folder = OptionDomain(text.words, text.form, {"type": Path, "metavar": "DIR"})
texts = OptionDomain(
    "a text in quotes or a list of such",
    {"type": ["string", "array"], "pattern": _FILLED, "items": text.schema()},
    {"action": "append", "default": []},
)
place = OptionDomain(
    "path/to/file.py:name or module:name",
    {"type": "string", "pattern": _PLACE},
    {"metavar": "TARGET"},
)
dataset = OptionDomain(
    "a file's name, a number or a list of records",
    {"type": ["string", "number", "array"], "pattern": _FILLED},
    {"type": Path, "metavar": "FILE"},
)
pairs = OptionDomain(
    "a list of pairs [D, D′], each side a file's name or a list of records, at least one",
    {
        "type": "array",
        "minItems": 1,
        "items": {
            "type": "array",
            "minItems": 2,
            "maxItems": 2,
            "$comment": "it must be two datasets [D, D′], each a file's name or a list of records",
            "items": dataset.schema(),
        },
    },
    {"nargs": 2, "action": "append", "metavar": ("D0", "D1")},
)
records = OptionDomain("a list of at least one record", {"type": "array", "minItems": 1})
columns = OptionDomain(
    "a text such as 0:1, or a table of columns",
    {
        "type": ["string", "object"],
        "additionalProperties": OptionDomain("a text such as 0:1", {"type": "string"}).schema(),
    },
    {"action": "append", "metavar": "[COLUMN=]WHAT"},
)
trials = OptionDomain(
    "a whole number of at least 1, 'auto' or 'auto:N'",
    {**whole(1).form, "type": ["integer", "string"], "pattern": "^auto(:[1-9][0-9]*)?$"},
    {"type": samples, "metavar": "N"},
)
exploration = OptionDomain(
    'a whole number of at least 2, or a text such as "100000:2000"',
    {
        **whole(2).form,
        "type": ["integer", "string"],
        "pattern": "^([1-9][0-9]*(:[1-9][0-9]*)?)?((^|,)search=[1-9][0-9]*(:[1-9][0-9]*)?)?$",
    },
    {"type": explore, "metavar": "N"},
)
memory = OptionDomain(
    'a text such as "500M" or "2G"',
    {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?[MGmg]$"},
    {"type": size, "metavar": "SIZE"},
)
promise = OptionDomain(
    'a text, such as "zcdp:0.5"', {"type": "string"}, {"type": promised, "metavar": "CLAIM"}
)
