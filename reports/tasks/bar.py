"""What an audit is about to do, and one line on the terminal that says how far it has come."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace

from provado.audit.workers.progress import Progress
from provado.reports.text.terminal import forecast_sentences

WIDTH = 24

ENDLESS = 10**9
"""More runs than these are no plan: time ends them."""

LONG = 5.0
"""Seconds from which on what comes is said elsewhere than on a terminal, too."""

STAGES = {
    "search": "looking for the worst neighbors",
    "explore": "learning what tells",
    "certify": "certifying",
}


class Bar:
    """Says what comes, then writes each message over the last one.

    Where standard error is no terminal, what comes is all it says, and only if that takes long.
    """

    def __init__(self, name: str, *, usual: bool = False) -> None:
        """Show nothing yet. usual: nobody asked for the time that the audit is given."""
        self._name, self._usual = name, usual
        self._terminal = sys.stderr.isatty()

    def __call__(self, message: Progress) -> None:
        """Show a message."""
        if message.forecast is not None:
            forecast = replace(message.forecast, usual=message.forecast.usual or self._usual)
            if self._terminal or forecast.total >= LONG:
                self._write(
                    "".join(f"{text}\n" for text in forecast_sentences(self._name, forecast))
                )
        elif self._terminal:
            columns = shutil.get_terminal_size()[0] - 1
            self._write(f"\r\x1b[K{line(self._name, message)[:columns]}")

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def line(name: str, message: Progress) -> str:
    """Return a message as text: a bar, the runs, the bound so far, the time left."""
    parts = [f"{name}: {STAGES[message.stage]}"]
    if 0 < message.planned < ENDLESS:
        done = round(WIDTH * min(message.made / message.planned, 1.0))
        parts[0] += f" [{'#' * done}{'.' * (WIDTH - done)}]"
        parts.append(f"{message.made:,} of {message.planned:,} runs")
    elif message.made:
        parts.append(f"{message.made:,} runs")
    if message.cost:
        parts.append(f"{1000 * message.cost:.3g} ms a run")
    if message.stage == "certify":
        parts.append(f"ε ≥ {message.epsilon_lower:.3g} so far")
    parts.append(f"{message.seconds:.0f} s" if message.left < 0 else f"{message.left:.0f} s left")
    return ", ".join(parts)
