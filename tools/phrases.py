"""Refuse phrases of ``tools/refused_phrases.txt`` in documentation and in the product's code.

Run by ``make lint``. Of Markdown files the prose is read, without code in blocks and backquotes and
without quotations of output; of Python files and templates everything: strings, docstrings,
comments and names.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("audit", "mechanisms", "proofs", "reports")
KINDS = (".py", ".html", ".js")
CODE = re.compile(r"^(```|~~~).*?^\1\s*$|`[^`\n]*`|^> .*?$", re.DOTALL | re.MULTILINE)


def refused() -> dict[str, str]:
    """Return each phrase with what to write instead."""
    text = (ROOT / "tools/refused_phrases.txt").read_text(encoding="utf-8")
    rows = [line.partition(": ") for line in text.splitlines() if not line.startswith("#")]
    return {phrase: instead for phrase, _, instead in rows}


def found_in(
    text: str, phrases: dict[str, str], *, markdown: bool = True
) -> Iterator[tuple[int, str]]:
    """Yield the line and the phrase for each refused phrase in a text; Markdown without its code.

    A line of a comment or of a string may end within a phrase.
    """
    prose = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code.group()), text) if markdown else text
    for phrase in phrases:
        words = r"""[\s#"']+""".join(map(re.escape, phrase.split()))
        for match in re.finditer(rf"\b{words}\b", prose, re.IGNORECASE):
            yield prose.count("\n", 0, match.start()) + 1, phrase


def main() -> int:
    """Print every refused phrase with its place; return 1 if there is one."""
    phrases = refused()
    papers = ROOT / "docs/pages/papers"
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs/pages").rglob("*.md")]
    code = [file for room in ROOMS for file in (ROOT / room).rglob("*.*") if file.suffix in KINDS]
    found = [
        f"{file.relative_to(ROOT)}:{line}: {phrase!r}: write {phrases[phrase]!r}"
        for file in sorted([page for page in pages if papers not in page.parents] + code)
        for line, phrase in sorted(
            found_in(file.read_text(encoding="utf-8"), phrases, markdown=file.suffix == ".md")
        )
    ]
    print("\n".join(found) or f"No refused phrase in {len(pages) + len(code)} files.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
