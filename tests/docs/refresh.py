"""Writes what the blocks of pages print into the pages: ``python -m tests.docs.refresh [PAGE …]``.

Blocks that hold ``...`` are left alone. Read the difference before you keep it.
"""

import sys
import tempfile
from pathlib import Path

from tests.docs.fences import PAGES, blocks, pages, read
from tests.docs.matching import ANYTHING
from tests.docs.running import run_page


def refresh(page: str) -> None:
    found, text = blocks(page), read(page)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "page"
        place.mkdir()
        wrong, printed = run_page(found, place)
    for position in sorted(printed, reverse=True):
        block = found[position]
        if ANYTHING in block.text or printed[position] == block.text:
            continue
        new = "".join(
            block.indent + line if line.strip() else "\n"
            for line in printed[position].splitlines(keepends=True)
        )
        start, end = block.span
        text = text[:start] + new + text[end:]
    (PAGES / page).write_text(text, encoding="utf-8")
    for one in wrong:
        if "the page shows" not in one:
            print(f"{page}: {one}", file=sys.stderr)


if __name__ == "__main__":
    for name in sys.argv[1:] or pages():
        refresh(name)
