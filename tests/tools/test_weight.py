from __future__ import annotations

import ast
from pathlib import Path, PurePath

import pytest

from tools.journey import journey
from tools.weight import by_cause, by_folder, tracked, weigh

SOURCE = '''"""A module."""

from __future__ import annotations

import os

__all__ = [
    "f",
]

LIMIT = 3  # a comment


@frozen
class A:
    """A class."""

    x: int
    """An attribute."""


class _B(A):
    pass


def f(
    x: int,
) -> int:
    """Return something."""
    # A comment.
    if x < 0:
        raise ValueError(
            "x must not be negative"
        )
    told = (
        "two words"
        f" and more words"
    )
    return g(
        x=x,
        limit=LIMIT,
    )
'''


def test_each_line_has_the_cause_that_a_reader_would_name() -> None:
    weight = weigh(SOURCE.replace("@frozen", "@dataclass(frozen=True)"))
    assert dict(weight.lines) == {
        "imports": 5,
        "signatures": 3,
        "class frames": 4,
        "guards and raise": 4,
        "module data": 1,
        "prose in strings": 2,
        "closing brackets": 2,
        "arguments passed on": 1,
        "logic": 4,
    }
    assert weight.classes == {"A": True, "_B": False}


@pytest.mark.parametrize("name", ["audit/api.py", "tests/tools/test_weight.py"])
def test_the_lines_of_all_causes_are_those_with_code(name: str) -> None:
    source = Path(name).read_text(encoding="utf-8")
    lines = [line.strip() for line in source.splitlines()]
    code = {i for i, line in enumerate(lines, 1) if line and not line.startswith("#")}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str):
            code -= set(range(node.lineno, node.end_lineno + 1))
    assert weigh(source).lines.total() == len(code)


def test_the_tables_add_up() -> None:
    files = tracked()
    total = f"{sum(weight.lines.total() for weight in files.values()):,}"
    assert by_folder(files).splitlines()[-1].split()[:3] == ["all", total, f"{len(files)}"]
    counts = [line.split()[-2].replace(",", "") for line in by_cause(files).splitlines()[1:]]
    assert f"{sum(map(int, counts)):,}" == total
    assert PurePath("audit/__init__.py") in files


def test_a_command_that_fails_is_not_measured() -> None:
    with pytest.raises(SystemExit, match="no-such-command ended with 2"):
        journey("no-such-command")
