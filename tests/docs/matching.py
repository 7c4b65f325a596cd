"""Compares a text that a page shows with what was printed."""

import re

ANYTHING = "..."


def matches(shown: str, printed: str) -> bool:
    """Return whether a printed text is the shown one.

    ``...`` stands for anything within a line, and alone on a line for any number of lines.
    """
    return re.fullmatch(_pattern(shown.rstrip("\n")), printed.rstrip("\n")) is not None


def _pattern(shown: str) -> str:
    lines = shown.split("\n")
    parts = []
    for line in lines:
        if line.strip() == ANYTHING:
            parts.append(r"(?:[^\n]*(?:\n|\Z))*?")
        else:
            text = r"[^\n]*?".join(re.escape(part) for part in line.rstrip().split(ANYTHING))
            parts.append(text + r"[ \t]*(?:\n|\Z)")
    return "".join(parts)
