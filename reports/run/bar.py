"""One line on the terminal that says how far an audit has come."""

from __future__ import annotations

import shutil
import sys

from provado.audit.progress import Progress

WIDTH = 24

ENDLESS = 10**9
"""More runs than these are no plan: time ends them."""

STAGES = {
    "search": "looking for the worst neighbors",
    "explore": "learning what tells",
    "certify": "certifying",
}


class Bar:
    """Writes each message over the last one."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, message: Progress) -> None:
        """Show a message."""
        sys.stderr.write(
            f"\r\x1b[K{line(self._name, message)[: shutil.get_terminal_size()[0] - 1]}"
        )
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
