"""Text on one line that is safe to print."""

from __future__ import annotations

from provado.mechanisms.definitions.intervention import cut

_LONGEST = 6000
"""Of a text in characters: an argument of several sentences, with the longest of each."""


def clean(text: str) -> str:
    """Return text on one line that no terminal takes for a command, cut where it is long."""
    line = " ".join(cut(text, _LONGEST).split())
    return cut(printable(line), _LONGEST)


def printable(text: str) -> str:
    """Return text with an escape in the place of every control character but line breaks."""
    return "".join(
        c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text
    )
