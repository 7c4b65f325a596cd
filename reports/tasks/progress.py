"""Lines on standard error that say how far a run has come."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace

from provado.audit.workers.progress import Progress
from provado.reports.text.formatting import clean, counted
from provado.reports.text.terminal import forecast_line, redraws, wrapped


class OverwrittenLine:
    """A line on standard error that is written over; silent unless that is a terminal."""

    def __init__(self) -> None:
        self.terminal = redraws(sys.stderr)

    def show(self, text: str) -> None:
        """Write a text over the last one, as much of it as one line takes."""
        if self.terminal:
            write(f"\r\x1b[K{text[: shutil.get_terminal_size()[0] - 1]}")

    def clear(self) -> None:
        """Leave the line empty."""
        self.show("")


def write(text: str) -> None:
    """Write a text to standard error at once."""
    stream = getattr(sys.stderr, "stream", sys.stderr)
    stream.write(text)
    stream.flush()


def bar_text(share: float, width: int) -> str:
    """Return a bar of so many characters, filled up to a share of them."""
    filled = round(width * min(share, 1.0))
    return f"[{'#' * filled}{'.' * (width - filled)}]"


class FinishedAudits(OverwrittenLine):
    """Counts finished audits."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self._names, self._done = names, 0

    def finished(self, index: int) -> None:
        """Count one more, and name it."""
        self._done += 1
        last = clean(self._names[index])
        self.show(f"{self._done} of {len(self._names)} audits done; last: {last}")


class Elapsed:
    """Reports every so often how long a run has been going on and how many steps it has done.

    On a terminal one line is written over and cleared at the end; elsewhere, if it is forced, a
    line is added every few seconds and one at the end. The run itself is not slowed or changed:
    a thread of its own does the writing.
    """

    def __init__(self, name: str, steps: str, *, forced: bool = False) -> None:
        """Start nothing yet. name: of the run. steps: what is counted, such as ``tests``."""
        self._name, self._unit = name, steps
        self._line = OverwrittenLine()
        self._shown = forced or self._line.terminal
        self._steps = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def seen(self, _order: int, steps: int) -> None:
        """Count so many more."""
        self._steps += steps

    def __enter__(self) -> Elapsed:
        self._start = time.monotonic()
        if self._shown:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if not self._shown:
            return
        self._ended.set()
        self._thread.join()
        self._say()
        self._line.clear()

    def _watch(self) -> None:
        while not self._ended.wait(0.5 if self._line.terminal else 5.0):
            self._say()

    def _say(self) -> None:
        if self._line.terminal:
            self._line.show(self._text())
        else:
            write(f"{self._text()}\n")

    def _text(self) -> str:
        seconds = time.monotonic() - self._start
        counted = f", {self._steps:,} {self._unit}" if self._steps else ""
        return f"{self._name}: {seconds:.0f} s{counted}"


WIDTH, LONGEST_NAME = 10, 20
"""Characters of a bar, and of the name before it."""

ENDLESS = 10**9
"""More runs than these are no plan: time ends them."""

LONG = 5.0
"""Seconds from which on what comes is said elsewhere than on a terminal, too."""

STAGES = {"search": "searching", "explore": "exploring", "certify": "certifying"}


class Bar:
    """Prints the plan, then writes each message over the last one.

    Where standard error is no terminal, what comes is all it says, and only if that takes long.
    """

    def __init__(self, name: str, *, usual: bool = False) -> None:
        """Show nothing yet. usual: nobody asked for the time that the audit is given."""
        self._name, self._usual, self._line = name, usual, OverwrittenLine()

    def __call__(self, message: Progress) -> None:
        """Show a message."""
        if message.forecast is not None:
            forecast = replace(message.forecast, usual=message.forecast.usual or self._usual)
            if self._line.terminal or forecast.total >= LONG:
                sentences = wrapped(forecast_line(self._name, forecast), 4)
                write("".join(f"{text}\n" for text in sentences))
        elif self._line.terminal:
            self._line.show(line(self._name, message))


def line(name: str, message: Progress) -> str:
    """Return a message as text: a bar, the runs, the bound so far, the time left."""
    parts = [f"{clean(name)[:LONGEST_NAME]}: {STAGES[message.stage]}"]
    if 0 < message.planned < ENDLESS:
        parts[0] += f" {bar_text(message.made / message.planned, WIDTH)}"
        parts.append(f"{message.made:,} of {counted(message.planned, 'run')}")
    elif message.made:
        parts.append(f"{counted(message.made, 'run')}")
    if message.stage == "certify":
        parts.append(f"ε ≥ {message.epsilon_lower:.3g}")
    parts.append(f"{message.seconds:.0f} s" if message.left < 0 else f"{message.left:.0f} s left")
    return ", ".join(parts)
