"""Refuse phrases of ``tools/refused_phrases.txt`` in the prose of Markdown files.

Run by ``make lint``. Code, in blocks and in backquotes, and quotations of output are left alone.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = re.compile(r"^(```|~~~).*?^\1\s*$|`[^`\n]*`|^> .*?$", re.DOTALL | re.MULTILINE)


def refused() -> dict[str, str]:
    """Return each phrase with what to write instead."""
    text = (ROOT / "tools/refused_phrases.txt").read_text(encoding="utf-8")
    rows = [line.partition(": ") for line in text.splitlines() if not line.startswith("#")]
    return {phrase: instead for phrase, _, instead in rows}


def found_in(text: str, phrases: dict[str, str]) -> Iterator[tuple[int, str]]:
    """Yield the line and the phrase for each refused phrase in the prose of a Markdown text."""
    prose = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code.group()), text)
    for phrase in phrases:
        words = r"\s+".join(map(re.escape, phrase.split()))
        for match in re.finditer(rf"\b{words}\b", prose, re.IGNORECASE):
            yield prose.count("\n", 0, match.start()) + 1, phrase


def main() -> int:
    """Print every refused phrase with its place; return 1 if there is one."""
    phrases = refused()
    files = [*ROOT.glob("*.md"), *(ROOT / "docs/pages").rglob("*.md")]
    papers = ROOT / "docs/pages/papers"
    found = [
        f"{file.relative_to(ROOT)}:{line}: {phrase!r}: write {phrases[phrase]!r}"
        for file in sorted(files)
        if papers not in file.parents
        for line, phrase in sorted(found_in(file.read_text(encoding="utf-8"), phrases))
    ]
    print("\n".join(found) or f"No refused phrase in {len(files)} files.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
