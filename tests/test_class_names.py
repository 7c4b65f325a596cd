"""A public class name stands for one thing in the whole project."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from tools.weight import ROOMS

ROOT = Path(__file__).resolve().parent.parent


def shared(modules: Mapping[str, str]) -> dict[str, list[str]]:
    """Return each public class name that several modules have, with these."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for path, text in modules.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path)
    return {name: found for name, found in places.items() if len(found) > 1}


def sources(rooms: Iterable[str]) -> dict[str, str]:
    paths = [path for room in rooms for path in sorted((ROOT / room).rglob("*.py"))]
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


def test_no_public_class_name_exists_twice():
    assert shared(sources(ROOMS)) == {}


def test_a_second_class_of_a_name_is_found():
    modules = {"a.py": "class Plan: ...\nclass _Own: ...", "b.py": "def f():\n    class Plan: ..."}
    assert shared(modules | {"c.py": "class _Own: ..."}) == {"Plan": ["a.py", "b.py"]}
