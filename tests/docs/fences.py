"""Reads the fenced blocks of a page."""

import re
from dataclasses import dataclass
from pathlib import Path

PAGES = Path(__file__).parents[2] / "docs/pages"
_FENCE = re.compile(
    r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=indent)```$", re.DOTALL | re.MULTILINE
)
_OPTION = re.compile(r'([a-z-]+)="([^"]*)"')


@dataclass(frozen=True)
class Block:
    """A fenced block: where it stands, its language, its options and its text."""

    page: str
    line: int
    language: str
    title: str
    no_run: str
    text: str
    span: tuple[int, int]
    indent: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def pages() -> list[str]:
    """Return all pages, relative to their folder."""
    return sorted(str(path.relative_to(PAGES)) for path in PAGES.rglob("*.md"))


def read(page: str) -> str:
    return (PAGES / page).read_text(encoding="utf-8")


def blocks(page: str, text: str | None = None) -> list[Block]:
    """Return the blocks of a page in order."""
    text = read(page) if text is None else text
    return [_block(page, text, found) for found in _FENCE.finditer(text)]


def _block(page: str, text: str, found: re.Match[str]) -> Block:
    info, indent = found["info"].strip(), found["indent"]
    options = dict(_OPTION.findall(info))
    left = _OPTION.sub("", info).split()
    line = text.count("\n", 0, found.start()) + 1
    unknown = [*options.keys() - {"title", "no-run"}, *left[1:]]
    if unknown:
        raise ValueError(f"{page}:{line}: a fence has {unknown}; it may have title and no-run")
    body = re.sub(rf"^{indent}", "", found["body"], flags=re.MULTILINE)
    return Block(
        page,
        line,
        left[0] if left else "",
        options.get("title", ""),
        options.get("no-run", ""),
        body,
        found.span("body"),
        indent,
    )
