"""Lines on standard error that say how far a run has come."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace

from provado.audit.workers.progress import Progress
from provado.reports.text.formatting import clean
from provado.reports.text.terminal import forecast_line, redraws, wrapped


class FinishedAudits:
    """Counts finished audits; silent unless standard error is a terminal."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._done = 0
        self._shown = redraws(sys.stderr)

    def finished(self, index: int) -> None:
        """Count one more, and name it."""
        self._done += 1
        text = f"{self._done} of {len(self._names)} audits done; last: {clean(self._names[index])}"
        self._write(f"\r\x1b[K{text[: columns()]}")

    def close(self) -> None:
        """Clear the line."""
        self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        if self._shown:
            sys.stderr.write(text)
            sys.stderr.flush()


class Elapsed:
    """Reports every so often how long a run has been going on and how many steps it has done.

    On a terminal one line is written over and cleared at the end; elsewhere, if it is forced, a
    line is added every few seconds and one at the end. The run itself is not slowed or changed:
    a thread of its own does the writing.
    """

    def __init__(self, name: str, steps: str, *, forced: bool = False) -> None:
        """Start nothing yet. name: of the run. steps: what is counted, such as ``tests``."""
        self._name, self._unit = name, steps
        self._terminal = redraws(sys.stderr)
        self._shown = forced or self._terminal
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
        sys.stderr.write("\r\x1b[K" if self._terminal else f"{self._text()}\n")
        sys.stderr.flush()

    def _watch(self) -> None:
        while not self._ended.wait(0.5 if self._terminal else 5.0):
            text = self._text()
            sys.stderr.write(f"\r\x1b[K{text[: columns()]}" if self._terminal else f"{text}\n")
            sys.stderr.flush()

    def _text(self) -> str:
        seconds = time.monotonic() - self._start
        counted = f", {self._steps:,} {self._unit}" if self._steps else ""
        return f"{self._name}: {seconds:.0f} s{counted}"


def columns() -> int:
    """Return how many columns a line that is written over may take."""
    return shutil.get_terminal_size()[0] - 1


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
        self._name, self._usual = name, usual
        self._terminal = redraws(sys.stderr)

    def __call__(self, message: Progress) -> None:
        """Show a message."""
        if message.forecast is not None:
            forecast = replace(message.forecast, usual=message.forecast.usual or self._usual)
            if self._terminal or forecast.total >= LONG:
                said = wrapped(forecast_line(self._name, forecast), 4)
                self._write("".join(f"{text}\n" for text in said))
        elif self._terminal:
            self._write(f"\r\x1b[K{line(self._name, message)[: columns()]}")

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def line(name: str, message: Progress) -> str:
    """Return a message as text: a bar, the runs, the bound so far, the time left."""
    parts = [f"{clean(name)[:LONGEST_NAME]}: {STAGES[message.stage]}"]
    if 0 < message.planned < ENDLESS:
        done = round(WIDTH * min(message.made / message.planned, 1.0))
        parts[0] += f" [{'#' * done}{'.' * (WIDTH - done)}]"
        parts.append(f"{message.made:,} of {message.planned:,} runs")
    elif message.made:
        parts.append(f"{message.made:,} runs")
    if message.stage == "certify":
        parts.append(f"ε ≥ {message.epsilon_lower:.3g}")
    parts.append(f"{message.seconds:.0f} s" if message.left < 0 else f"{message.left:.0f} s left")
    return ", ".join(parts)
