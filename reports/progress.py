"""A line on a terminal's standard error that says how far a run has come."""

from __future__ import annotations

import sys
from collections.abc import Sequence


class Progress:
    """Counts finished audits; silent unless standard error is a terminal."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._done = 0
        self._shown = sys.stderr.isatty()

    def finished(self, index: int) -> None:
        """Count one more, and name it."""
        self._done += 1
        text = f"{self._done} of {len(self._names)} audits done; last: {self._names[index]}"
        self._write(f"\r\x1b[K{text[:100]}")

    def close(self) -> None:
        """Clear the line."""
        self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        if self._shown:
            sys.stderr.write(text)
            sys.stderr.flush()
