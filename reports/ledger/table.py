"""Statements of the ledger on a terminal: one line each, or the whole argument."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from provado.proofs.ledger import Decision
from provado.reports.text.printable import clean
from provado.reports.text.sentences import COLORS
from provado.reports.text.table import text_table

from .words import Cut, argument, expectation, verdict_kind

CUT = Cut(480, "--json")
"""What is longer holds whole datasets, which nobody reads off a terminal."""


def ledger_table(decisions: Sequence[Decision], *, color: bool = False, width: int = 0) -> str:
    """Return id, verdict, whether it was expected, and the statement; cut to ``width`` if above 0.

    The statement always keeps a few characters, whatever the width.
    """
    rows = [
        ("statement", "verdict", "expected?", "in words"),
        *(
            (clean(d.entry.id), str(d.verdict), expectation(d), clean(d.entry.words))
            for d in decisions
        ),
    ]
    colors = [COLORS[verdict_kind(d.verdict)] for d in decisions] if color else []
    return text_table(rows, colors=colors, colored=1, width=width)


def argument_text(decision: Decision, width: int = 100) -> str:
    """Return the whole argument as paragraphs of at most ``width`` characters a line."""
    lines = [clean(decision.entry.id)]
    for part in argument(decision, CUT):
        lines.append(f"  {part.title}")
        if part.text:
            lines += _wrapped(part.text, width, "    ", "    ")
        for number, step in enumerate(part.steps, 1):
            lines += _wrapped(step, width, f"{number:>5}. ", " " * 7)
    return "\n".join(lines)


def _wrapped(text: str, width: int, first: str, then: str) -> list[str]:
    return textwrap.wrap(
        text, max(width, 40), initial_indent=first, subsequent_indent=then, break_on_hyphens=False
    )
