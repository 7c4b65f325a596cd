"""An exception as an output: what it was, without what varies from run to run."""

from __future__ import annotations

import hashlib
import linecache
import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from provado.mechanisms.definitions.relation import counted, cut

LONGEST, LONGEST_READ, LONGEST_LINE = 300, 1000, 50
"""Characters of a message in words, of one that is read in full, of a line of code."""

NUMBER = "\0"
"""Stands for a number in the text of an exception."""

LARGEST = 2**1023
"""Numbers of a text are smaller, so that doubles hold them."""

FRAMES, OWN_FRAMES = 2, 8
"""Calls that are named: the one that raised, and its caller; more of an error of our own."""

MOST_TEXTS = 100
"""So many different texts of exceptions are counted one by one."""

SURE = 10
"""Runs of one dataset that raised an exception, and none of the other: by chance once in 500. Where
δ > 0, one run is enough: an exception so rare may be within δ, and a limitation names it. That is
so for types; texts may vary from run to run.
"""

_LETTERS = str.maketrans("0123456789", "ghijklmnop")

# Begins with a digit whichever it finds: a long text is passed over twice as fast.
_VARYING = re.compile(r"\d(?:(?<=0)x[0-9a-fA-F]+|\d*(\.\d+)?([eE][-+]?\d+)?)")


@dataclass(frozen=True)
class Raised:
    """What a run raised instead of an answer.

    kind: the name of its type. text: its message. frames: file, line and function of the last
    calls, the outermost first.
    """

    kind: str
    text: str
    frames: tuple[tuple[str, int, str], ...]

    @classmethod
    def of(cls, error: BaseException, frames: int = FRAMES) -> Raised:
        """Read it off an exception that was caught."""
        try:
            text = " ".join(str(error).split())
        except Exception:  # whatever a user's __str__ may raise
            text = ""
        if len(text) > LONGEST_READ:
            digest = hashlib.sha256(text.encode(errors="replace")).hexdigest()
            text = f"{text[:LONGEST_READ]}… ({digest.translate(_LETTERS)})"
        # The first frame is that of the code that caught it.
        trace = error.__traceback__ and error.__traceback__.tb_next
        last = deque[tuple[str, int, str]](maxlen=frames)
        while trace is not None:
            code = trace.tb_frame.f_code
            last.append((code.co_filename, trace.tb_lineno, code.co_name))
            trace = trace.tb_next
        if not last and isinstance(error, TypeError) and re.search(r"\(\) .*argument", text):
            text += " (it is called with the data alone: give a function that adds the rest)"
        return cls(type(error).__name__, text, tuple(last))

    def parted(self) -> tuple[str, tuple[str, ...], list[float]]:
        """Return the text without numbers and addresses, their shapes, and their values.

        The shape of a number is nothing where it is written as Python writes it.
        """
        shapes: list[str] = []
        numbers: list[float] = []

        def taken(match: re.Match[str]) -> str:
            if match[0].startswith("0x"):
                return "0x…"
            number = int(match[0]) if match[0].isdecimal() else float(match[0])
            if not number < LARGEST:
                return match[0]
            shapes.append("" if str(number) == match[0] else re.sub(r"\d", "0", match[0]))
            numbers.append(number)
            return NUMBER

        return _VARYING.sub(taken, self.text.replace(NUMBER, "␀")), tuple(shapes), numbers

    def words(self) -> str:
        """Return type and message, and the last calls before it was raised."""
        calls = []
        for file, line, function in self.frames:
            code = cut(linecache.getline(file, line).strip(), LONGEST_LINE)
            calls.append(f"{PurePath(file).name}:{line} in {function}{f': {code}' if code else ''}")
        sentence = f"raised {self.kind}{': ' * bool(self.text)}{cut(self.text, LONGEST)}"
        return f"{sentence} (at {'; '.join(calls)})" if calls else sentence


def own_error(error: BaseException) -> str:
    """Return the reason of an audit that ended by an error of our own, with its last calls."""
    return (
        "an error in Provado itself, not in the mechanism; please report it with this text: "
        f"{Raised.of(error, OWN_FRAMES).words()}"
    )


@dataclass
class Raises:
    """How many single runs raised what, under D and under D′, out of how many.

    kinds: of each type of exception and text, how many runs under D and under D′ raised it. Of very
    many texts, those that come late count as one. delta: the δ of the claim.
    """

    runs: list[int] = field(default_factory=lambda: [0, 0])
    kinds: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    first: Raised | None = None
    delta: float = 0.0

    def note(self, outputs: Sequence[Any], side: int) -> None:
        """Take single runs under one side, 0 for D."""
        self.runs[side] += len(outputs)
        for item in (output for output in outputs if type(output) is Raised):
            self.first = self.first or item
            kind = item.kind, item.parted()[0]
            known = kind in self.kinds or len(self.kinds) < MOST_TEXTS
            self.kinds.setdefault(kind if known else (item.kind, "…"), [0, 0])[side] += 1

    @property
    def any(self) -> bool:
        """Whether any run raised."""
        return self.first is not None

    @property
    def all(self) -> bool:
        """Whether all runs raised, and no exception depends on the data."""
        counts = [*self._types().values(), *self.kinds.values()]
        return self.any and self._sides() == self.runs and not any(map(_one_sided, counts))

    @property
    def outputs(self) -> bool:
        """Whether every exception depends on the data: then each is an output like any other."""
        types, least = self._types(), 1 if self.delta else SURE
        return all(
            _one_sided(types[kind[0]], least) or _one_sided(self.kinds[kind]) for kind in self.kinds
        )

    def words(self) -> str:
        """Return ``raised ValueError in 31 of 2,000 runs under D and 0 of 2,000 under D′``."""
        types = self._types()
        named = " or ".join(sorted(types, key=lambda item: -sum(types[item]))[:3])
        d, d_prime = self._sides()
        return (
            f"raised {named} in {d:,} of {counted(self.runs[0], 'run')} under D and {d_prime:,} of "
            f"{self.runs[1]:,} under D′"
        )

    def limitation(self) -> str:
        """Return what a reader of a pass must know where exceptions are outputs; else nothing."""
        if not (self.any and self.outputs):
            return ""
        depend = "depend on the data and " if max(self._sides()) >= SURE else ""
        return (
            f"Exceptions {depend}count as outputs: the mechanism {self.words()}. More trials "
            "certify a larger ε."
        )

    def _sides(self) -> list[int]:
        return [sum(side) for side in zip([0, 0], *self.kinds.values(), strict=True)]

    def _types(self) -> dict[str, list[int]]:
        result = dict[str, list[int]]()
        for (kind, _), counts in self.kinds.items():
            result[kind] = [x + y for x, y in zip(result.get(kind, [0, 0]), counts, strict=True)]
        return result


def _one_sided(counts: Sequence[int], least: int = SURE) -> bool:
    """Return whether one dataset alone raises an exception, and so often that it is no chance."""
    return min(counts) == 0 and max(counts) >= least
